"""Migrations of a database: named steps, each applied once, in order.

The steps are plain SQL and never change after a release, even if `schema.py` changes. A test
compares the tables they make with `schema.py`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import peewee

from judge.errors import StoreError

CHANGES = ("UPDATE", "INSERT")
"""First words of statements that change rows."""


class Migration(NamedTuple):
    """One change of the tables."""

    name: str
    statements: tuple[str, ...]


STEPS = (
    Migration("first", (
        """CREATE TABLE games (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, system TEXT NOT NULL,
        map TEXT NOT NULL, state TEXT NOT NULL, phase TEXT NOT NULL, turn INTEGER NOT NULL,
        position TEXT NOT NULL, settings TEXT NOT NULL, seed BLOB NOT NULL,
        created BIGINT NOT NULL, started BIGINT, ended BIGINT, opened BIGINT, deadline BIGINT,
        grace_until BIGINT, due BIGINT, marks TEXT NOT NULL, result TEXT NOT NULL)""",
        "CREATE INDEX games_due ON games (state, due)",
        """CREATE TABLE seats (
        id INTEGER PRIMARY KEY AUTOINCREMENT, game INTEGER NOT NULL REFERENCES games (id),
        role TEXT NOT NULL, state TEXT NOT NULL, power TEXT NOT NULL, address TEXT NOT NULL,
        password TEXT NOT NULL, epoch INTEGER NOT NULL, preference TEXT NOT NULL,
        wait INTEGER NOT NULL, ready INTEGER NOT NULL, missed INTEGER NOT NULL,
        settings TEXT NOT NULL, since BIGINT)""",
        "CREATE INDEX seats_game ON seats (game)",
        "CREATE INDEX seats_address ON seats (LOWER(address))",
        """CREATE TABLE orders (
        game INTEGER NOT NULL REFERENCES games (id), phase TEXT NOT NULL, power TEXT NOT NULL,
        text TEXT NOT NULL, PRIMARY KEY (game, phase, power))""",
        """CREATE TABLE turns (
        game INTEGER NOT NULL REFERENCES games (id), number INTEGER NOT NULL,
        phase TEXT NOT NULL, before TEXT NOT NULL, orders TEXT NOT NULL, outcome TEXT NOT NULL,
        after TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (game, number))""",
        """CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT, game INTEGER NOT NULL REFERENCES games (id),
        at BIGINT NOT NULL, phase TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
        readers TEXT NOT NULL)""",
        "CREATE INDEX events_game ON events (game, at)",
        """CREATE TABLE ballots (
        game INTEGER NOT NULL REFERENCES games (id), seat INTEGER NOT NULL REFERENCES seats (id),
        matter TEXT NOT NULL, choice TEXT NOT NULL, PRIMARY KEY (game, seat, matter))""",
        """CREATE TABLE mails (
        id INTEGER PRIMARY KEY AUTOINCREMENT, accepted BIGINT NOT NULL, sender TEXT NOT NULL,
        recipients TEXT NOT NULL, peer TEXT NOT NULL, raw BLOB NOT NULL, state TEXT NOT NULL,
        digest TEXT NOT NULL, note TEXT NOT NULL, finished BIGINT)""",
        "CREATE INDEX mails_state ON mails (state, id)",
        "CREATE INDEX mails_accepted ON mails (state, accepted)",
        "CREATE INDEX mails_digest ON mails (digest) WHERE digest <> ''",
        """CREATE TABLE outgoing (
        id INTEGER PRIMARY KEY AUTOINCREMENT, "to" TEXT NOT NULL, sender TEXT NOT NULL,
        message_id TEXT NOT NULL, message BLOB NOT NULL, queued BIGINT NOT NULL,
        due BIGINT NOT NULL, game TEXT NOT NULL, kind TEXT NOT NULL, answers INTEGER NOT NULL,
        tries INTEGER NOT NULL, state TEXT NOT NULL, error TEXT NOT NULL, finished BIGINT)""",
        "CREATE INDEX outgoing_due ON outgoing (state, due)",
        'CREATE INDEX outgoing_to ON outgoing (LOWER("to"))',
        "CREATE TABLE memory (name TEXT PRIMARY KEY, value BLOB NOT NULL)",
    )),
    Migration("speaking", (
        """CREATE TABLE addresses (
        id INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT NOT NULL UNIQUE, confirmed BIGINT)""",
        """CREATE TABLE asked (what TEXT PRIMARY KEY, at BIGINT NOT NULL)""",
        """CREATE TABLE held (
        mail INTEGER NOT NULL REFERENCES mails (id), line INTEGER NOT NULL,
        address TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (mail, line))""",
        "CREATE INDEX held_address ON held (address)",
        """CREATE TABLE wrong_signons (
        id INTEGER PRIMARY KEY AUTOINCREMENT, seat TEXT NOT NULL, address TEXT NOT NULL,
        at BIGINT NOT NULL)""",
        "CREATE INDEX wrong_signons_seat ON wrong_signons (seat, at)",
        "CREATE INDEX wrong_signons_address ON wrong_signons (address, at)",
        """CREATE TABLE moves (
        id INTEGER PRIMARY KEY AUTOINCREMENT, seat INTEGER NOT NULL REFERENCES seats (id),
        epoch INTEGER NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL, asked BIGINT NOT NULL,
        done BIGINT)""",
        "CREATE INDEX moves_seat ON moves (seat)",
        # For the count of replies to one address in the last hour, taken for each reply.
        'CREATE INDEX outgoing_answers ON outgoing (LOWER("to"), queued) WHERE game = \'\'',
    )),
    Migration("sending", (
        """CREATE TABLE bounces (
        address TEXT PRIMARY KEY, points INTEGER NOT NULL, last BIGINT NOT NULL,
        suspended BIGINT)""",
        # Line range of a mail, "5-9": the row is a part that was shunted.
        "ALTER TABLE mails ADD COLUMN part TEXT NOT NULL DEFAULT ''",
    )),
    Migration("register", (
        """CREATE TABLE persons (
        address TEXT PRIMARY KEY, name TEXT NOT NULL, zone TEXT NOT NULL, level TEXT NOT NULL,
        standby TEXT NOT NULL)""",
        """CREATE TABLE conduct (
        game INTEGER NOT NULL REFERENCES games (id), phase TEXT NOT NULL, power TEXT NOT NULL,
        deed TEXT NOT NULL, address TEXT NOT NULL, at BIGINT NOT NULL,
        PRIMARY KEY (game, phase, power, deed))""",
        "CREATE INDEX conduct_address ON conduct (address, deed)",
    )),
    Migration("foresight", (
        """CREATE TABLE plans (
        game INTEGER NOT NULL REFERENCES games (id), phase TEXT NOT NULL, power TEXT NOT NULL,
        text TEXT NOT NULL, wait INTEGER NOT NULL, PRIMARY KEY (game, phase, power))""",
    )),
    Migration("bundles", (
        """CREATE TABLE bundles (
        seat INTEGER PRIMARY KEY REFERENCES seats (id), since BIGINT NOT NULL, due BIGINT)""",
        "CREATE INDEX bundles_due ON bundles (due)",
    )),
    Migration("archive", (
        "ALTER TABLE games ADD COLUMN branch INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE turns ADD COLUMN options TEXT NOT NULL DEFAULT 'null'",
        "ALTER TABLE conduct ADD COLUMN undone INTEGER NOT NULL DEFAULT 0",
        """CREATE TABLE undone (
        id INTEGER PRIMARY KEY AUTOINCREMENT, game INTEGER NOT NULL REFERENCES games (id),
        at BIGINT NOT NULL, turn INTEGER NOT NULL, phase TEXT NOT NULL, position TEXT NOT NULL,
        orders TEXT NOT NULL, state TEXT NOT NULL, ended BIGINT, result TEXT NOT NULL)""",
        "CREATE INDEX undone_game ON undone (game)",
        """CREATE TABLE undone_turns (
        undone INTEGER NOT NULL REFERENCES undone (id), game INTEGER NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL, phase TEXT NOT NULL, before TEXT NOT NULL, orders TEXT NOT NULL,
        outcome TEXT NOT NULL, after TEXT NOT NULL, at BIGINT NOT NULL,
        options TEXT NOT NULL DEFAULT 'null', PRIMARY KEY (undone, number))""",
    )),
    Migration("masters", (
        "CREATE TABLE heard (seat INTEGER PRIMARY KEY REFERENCES seats (id), at BIGINT NOT NULL,"
        " asked BIGINT)",
        "CREATE INDEX heard_at ON heard (at)",
        # The last activity of existing masters is unknown: it is set to the time of the migration.
        "INSERT INTO heard SELECT id, CAST(strftime('%s', 'now') AS INTEGER) * 1000000, NULL"
        " FROM seats WHERE role = 'master' AND state = 'held'",
        "CREATE TABLE bans (address TEXT PRIMARY KEY, at BIGINT NOT NULL)",
    )),
    Migration("pictures", (
        """CREATE TABLE pictures (
        key TEXT PRIMARY KEY, system TEXT NOT NULL, form TEXT NOT NULL, title TEXT NOT NULL,
        source TEXT NOT NULL, state TEXT NOT NULL, octets BLOB NOT NULL, error TEXT NOT NULL,
        asked BIGINT NOT NULL, finished BIGINT)""",
        "CREATE INDEX pictures_state ON pictures (state, asked)",
        "ALTER TABLE outgoing ADD COLUMN places TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE outgoing ADD COLUMN waits INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX outgoing_waiting ON outgoing (waits) WHERE waits",
    )),
    Migration("aliases", (
        "CREATE TABLE aliases (address TEXT PRIMARY KEY, person INTEGER NOT NULL)",
        "CREATE INDEX aliases_person ON aliases (person)",
        """CREATE TABLE links (
        id INTEGER PRIMARY KEY AUTOINCREMENT, first TEXT NOT NULL, second TEXT NOT NULL,
        asked BIGINT NOT NULL, first_yes INTEGER NOT NULL, second_yes INTEGER NOT NULL)""",
    )),
    Migration("press", (
        """CREATE TABLE papers (
        id INTEGER PRIMARY KEY AUTOINCREMENT, game INTEGER NOT NULL REFERENCES games (id),
        seat INTEGER NOT NULL REFERENCES seats (id), kind TEXT NOT NULL, phase TEXT NOT NULL,
        at BIGINT NOT NULL, text TEXT NOT NULL)""",
        "CREATE INDEX papers_game ON papers (game, kind)",
        """CREATE TABLE spoken (
        id INTEGER PRIMARY KEY AUTOINCREMENT, seat INTEGER NOT NULL REFERENCES seats (id),
        at BIGINT NOT NULL, octets INTEGER NOT NULL)""",
        "CREATE INDEX spoken_seat ON spoken (seat, at)",
    )),
    Migration("reading", (
        # The letter that a mail answers, to distinguish its text from the sender's.
        "CREATE INDEX outgoing_message_id ON outgoing (message_id)",
        # Octets sent to strangers in the last hour.
        "CREATE INDEX outgoing_strangers ON outgoing (queued) WHERE game = ''",
    )),
    Migration("finishes", (
        """CREATE TABLE finishes (
        game INTEGER PRIMARY KEY REFERENCES games (id), ended BIGINT NOT NULL,
        told TEXT NOT NULL)""",
    )),
    Migration("languages", (
        "ALTER TABLE persons ADD COLUMN language TEXT NOT NULL DEFAULT ''",
    )),
    Migration("operating", (
        # End of a letter's claim: no other sender may try it before.
        "ALTER TABLE outgoing ADD COLUMN claimed BIGINT",
        # Time of the next check of an inactive master; 0: after enough inactivity.
        "ALTER TABLE heard ADD COLUMN again BIGINT DEFAULT 0",
        "UPDATE heard SET again = asked + 604800000000 WHERE asked IS NOT NULL",
        "DROP INDEX heard_at",
        "CREATE INDEX heard_again ON heard (again, at)",
        # Octets sent to an address on demand.
        """CREATE TABLE served (
        id INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT NOT NULL, at BIGINT NOT NULL,
        octets INTEGER NOT NULL)""",
        "CREATE INDEX served_address ON served (address, at)",
        # Finished letters, the oldest first, for their later deletion.
        "CREATE INDEX outgoing_finished ON outgoing (finished) WHERE finished IS NOT NULL",
        "CREATE INDEX links_asked ON links (asked)",
    )),
    Migration("appointments", (
        """CREATE TABLE appointments (
        game INTEGER NOT NULL REFERENCES games (id), phase TEXT NOT NULL, clock TEXT NOT NULL,
        turn TEXT NOT NULL, at BIGINT NOT NULL, sequence INTEGER NOT NULL,
        is_on INTEGER NOT NULL, told BIGINT NOT NULL, PRIMARY KEY (game, phase))""",
    )),
    Migration("owners", (
        # The sender that claimed a letter, to detect claims of exited ones.
        "ALTER TABLE outgoing ADD COLUMN owner INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX outgoing_claimed ON outgoing (owner) WHERE claimed IS NOT NULL",
    )),
    Migration("seats", (
        # One person plays one power unless the master allows more. Existing games keep their rules,
        # including those that still form.
        """UPDATE games SET settings = json_set(json_remove(settings, '$.takeover_seated'),
        '$.seats', 99) WHERE json_extract(settings, '$.takeover_seated') OR state = 'forming'""",
        "UPDATE games SET settings = json_remove(settings, '$.takeover_seated')",
    )),
    Migration("second thoughts", (
        # Existing games still end their phases as soon as all orders are in.
        """UPDATE games SET settings = json_set(settings, '$."move.delay"', 0.0)
        WHERE json_extract(settings, '$."move.delay"') IS NULL""",
    )),
    Migration("outreach", (
        """CREATE TABLE outreach (
        id INTEGER PRIMARY KEY AUTOINCREMENT, asker TEXT NOT NULL, address TEXT NOT NULL,
        about TEXT NOT NULL, due BIGINT NOT NULL, letter INTEGER NOT NULL)""",
        "CREATE INDEX outreach_asker ON outreach (asker, due)",
        "CREATE INDEX outreach_address ON outreach (address, due)",
        "CREATE INDEX outreach_about ON outreach (about)",
        "CREATE INDEX outreach_due ON outreach (due)",
    )),
    Migration("words of positions", (
        # The token that confirmed a SETUP was made of the position alone, which a blind game hides.
        """UPDATE events SET text = json_set(text, '$.line', 'SETUP') WHERE kind = 'log'
        AND LOWER(json_extract(text, '$.line')) GLOB 'setup [b-t][b-t][b-t][b-t][b-t][b-t]*'""",
    )),
    Migration("picture turns", (
        # Pictures of results are rendered before requested ones. `since`: the first request.
        "ALTER TABLE pictures ADD COLUMN asked_for INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE pictures ADD COLUMN since BIGINT NOT NULL DEFAULT 0",
        "UPDATE pictures SET since = asked",
        "CREATE INDEX pictures_turn ON pictures (asked_for, since, key) WHERE state = 'new'",
    )),
    Migration("waiting", (
        # The game of a deferred command.
        "ALTER TABLE held ADD COLUMN game TEXT NOT NULL DEFAULT ''",
    )),
    Migration("draws", (
        # Random draws of a turn. They were not recorded before.
        "ALTER TABLE turns ADD COLUMN draws TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE undone_turns ADD COLUMN draws TEXT NOT NULL DEFAULT '[]'",
    )),
    Migration("names", (
        # Normalised form of a name that other players see. It is empty for older names, which were
        # given for masters and for the list of ratings.
        "ALTER TABLE persons ADD COLUMN look TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX persons_look ON persons (look) WHERE look <> ''",
        "CREATE INDEX persons_named ON persons (address) WHERE name <> '' AND look = ''",
    )),
    Migration("files on request", (
        # Results include a file for programs only on request. Existing seats still get theirs.
        """UPDATE seats SET settings = json_set(settings, '$.json', json('true'))
        WHERE state IN ('held', 'waiting') AND CASE WHEN json_valid(settings)
        THEN json_extract(settings, '$.json') IS NULL ELSE 0 END""",
    )),
    Migration("truths", (
        # Comparisons work in every database. Only SQLite takes a number as a condition.
        "DROP INDEX outgoing_waiting",
        "CREATE INDEX outgoing_waiting ON outgoing (waits) WHERE waits <> 0",
    )),
    Migration("trials", (
        # Number of processes that crashed with a mail, and of storage failures during it.
        "ALTER TABLE mails ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE mails ADD COLUMN failures INTEGER NOT NULL DEFAULT 0",
    )),
    Migration("turn seeds", (
        # A game whose seed was published continues with another one. Each turn stores the seed it
        # was played with. Turns whose draws were marked as made elsewhere store none.
        "ALTER TABLE turns ADD COLUMN seed BLOB NOT NULL DEFAULT ''",
        "ALTER TABLE undone_turns ADD COLUMN seed BLOB NOT NULL DEFAULT ''",
        *(
            f"""UPDATE {table} SET seed = (
            SELECT CASE WHEN REPLACE({table}.draws, ', true]', '') = {table}.draws
            THEN games.seed ELSE substr(games.seed, 1, 0) END
            FROM games WHERE games.id = {table}.game)"""
            for table in ("turns", "undone_turns")
        ),
    )),
    Migration("waiting words", (
        # Request of a deferred command, in words. Older ones have none.
        "ALTER TABLE held ADD COLUMN asked TEXT NOT NULL DEFAULT ''",
    )),
    Migration("priorities", (
        # Order in which letters are sent if a mail account limits them.
        "ALTER TABLE outgoing ADD COLUMN priority INTEGER NOT NULL DEFAULT 0",
        "UPDATE outgoing SET priority = 1 WHERE state = 'queued' AND kind = 'press'",
    )),
    Migration("mailboxes", (
        # Mails that were fetched from a mailbox, so that none is stored twice.
        """CREATE TABLE fetched (
        mail INTEGER PRIMARY KEY REFERENCES mails (id), box TEXT NOT NULL,
        validity INTEGER NOT NULL, uid INTEGER NOT NULL, size INTEGER NOT NULL,
        dated BIGINT NOT NULL, hash TEXT NOT NULL, message_id TEXT NOT NULL,
        seen BIGINT NOT NULL)""",
        "CREATE INDEX fetched_uid ON fetched (box, validity, uid)",
        "CREATE INDEX fetched_hash ON fetched (hash)",
        "CREATE INDEX fetched_message_id ON fetched (message_id, dated)",
        "CREATE INDEX fetched_seen ON fetched (seen)",
        """CREATE TABLE mailboxes (
        box TEXT PRIMARY KEY, looked BIGINT, away_from BIGINT, away_until BIGINT,
        faults INTEGER NOT NULL, left_alone INTEGER NOT NULL, quota INTEGER NOT NULL)""",
    )),
    Migration("replaced ids", (
        # Message-ID that a provider gave to a letter, and replies found in a folder for junk.
        "ALTER TABLE outgoing ADD COLUMN also TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX outgoing_also ON outgoing (also) WHERE also <> ''",
        "ALTER TABLE mailboxes ADD COLUMN junk INTEGER NOT NULL DEFAULT 0",
    )),
    Migration("maps", (
        # Maps that the operator added. Games name them by their keys.
        """CREATE TABLE maps (
        key TEXT PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, title TEXT NOT NULL,
        added BIGINT NOT NULL, dropped BIGINT, bundle BLOB NOT NULL, UNIQUE (name, hash))""",
    )),
    Migration("fronts first", (
        # In the order in which pictures are rendered.
        "DROP INDEX pictures_turn",
        "CREATE INDEX pictures_turn ON pictures"
        " (state, asked_for, (form <> 'front'), since, key) WHERE state = 'new'",
    )),
)


def missing_steps(
    database: peewee.Database, steps: tuple[Migration, ...] = STEPS
) -> tuple[Migration, ...]:
    """Return the steps that a database lacks, which are all for an empty one.

    Raises: StoreError for unknown steps, because a newer judge made the database.
    """
    if not database.table_exists("migrations"):
        return steps
    execute: Callable[..., Any] = database.execute_sql
    done = execute("SELECT name FROM migrations ORDER BY number").fetchall()
    names = [name for (name,) in done]
    if names != [step.name for step in steps[:len(names)]]:
        raise StoreError(f"the database was made by a newer judge (its last step: {names[-1]})")
    return steps[len(names):]


def migrate(
    database: peewee.Database, steps: tuple[Migration, ...] = STEPS,
    said: Callable[[str], str] = str,
) -> list[str]:
    """Apply the missing steps and return their names.

    The caller has opened a transaction. `said` adapts a statement to another kind of database. A
    new database has no rows that a step could change, so that such statements are left out.

    Raises: StoreError for unknown steps, because a newer judge made the database.
    """
    execute: Callable[..., Any] = database.execute_sql
    missing = missing_steps(database, steps)
    is_new = len(missing) == len(steps)
    execute(said(
        "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)"
    ))
    for number, step in enumerate(missing, start=len(steps) - len(missing) + 1):
        with database.atomic():
            for statement in step.statements:
                if not (is_new and statement.lstrip().startswith(CHANGES)):
                    execute(said(statement))
            mark = database.param
            execute(f"INSERT INTO migrations VALUES ({mark}, {mark})", (number, step.name))
    return [step.name for step in missing]
