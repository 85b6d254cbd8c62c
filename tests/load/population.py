"""A database with many games: four played by mail, and copies of their rows.

They are a game of Youngstown, whose players have all ordered for the next phase, one of the
standard map in which all orders are missing, one that forms, and one that is over. Each copy has
seats and addresses of its own.
"""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from judge.config import Config, StoreSection
from judge.daemon.operator_tasks import migrate_store
from judge.games import find_system
from judge.model.record import GameState
from judge.store.database import Store
from judge.store.schema import GAMES, SEATS, TABLES, UNDONE
from judge.store.table import RecordTable, micros
from tests.journeys.rig import Rig

APART = 10_000
"""Distance between the numbers of copies.

It exceeds the number of rows of one kind in the originals.
"""
FULL, OPEN, FORMING, OVER = "full", "open", "forming", "over"
_LINES = 20
"""Lines of orders in a mail."""


def build(folder: Path, url: str, full: int, others: int, phases: int) -> None:
    """Make a database with *full* games of Youngstown and *others* of other kinds.

    The full games are ready for their deadline. All games have *phases* phases behind them. Of ten
    others one forms, and one is over.
    """
    file = f"sqlite:///{folder}/model.sqlite3"
    rig = Rig(Config(store=StoreSection(file)))
    for name, variant in ((OPEN, "standard"), (FULL, "youngstown"), (OVER, "standard")):
        _play(rig, name, variant, phases)
        _spread(rig.application.store, name)
    rig.mail("gm@example.org", f"CREATE ?{FORMING} masterpw standard")
    for letter in "EFG":
        rig.mail(address(FORMING, letter), f"JOIN {FORMING} secret{letter}")
    rig.close()
    if url.startswith("sqlite:"):
        (folder / "model.sqlite3").rename(url.removeprefix("sqlite:///"))
    else:
        migrate_store(Config(store=StoreSection(file)), url)
    store = Store(url)
    store.open(create=False)
    with store.transaction():
        ((events,),) = store.select_sql("SELECT MAX(id) FROM events", ())
        assert events < APART, "the numbers of copies would meet"
        store.update_sql("DELETE FROM outgoing", ())
        store.update_sql("DELETE FROM mails", ())
        few = others // 10
        for name, many in ((FULL, full), (OPEN, others - 2 * few), (FORMING, few), (OVER, few)):
            ((number,),) = store.select_sql("SELECT id FROM games WHERE name = ?", (name,))
            _copy(store, number, many)
        # The games were played in another year, and no master is to get an inquiry now.
        store.update_sql("UPDATE heard SET at = ?", (micros(datetime.now(UTC)),))
    store.update_sql("ANALYZE", ())
    store.close()


def _play(rig: Rig, name: str, variant: str, phases: int) -> None:
    """Play a game by mail with HOLD orders, then order for the next phase or end it."""
    sides = find_system("diplomacy").powers(variant, {})
    made = f"CREATE ?{name} masterpw {variant}\nSET POWER CHOICE\nSET NO QUIET FALLS"
    rig.mail("gm@example.org", made)
    for side in sides:
        rig.mail(address(name, side.letter), f"JOIN {side.name}@{name} secret{side.letter}")
    for phase in range(phases + 1):
        game = rig.application.games.find(name)
        assert game is not None and game.deadline is not None, name
        table = find_system(game.system).table(game.map, game.position, {})
        for side in sides:
            held = "".join(f"{unit} H\n" for unit in table.missing_orders(side.name, ""))
            if phase < phases or name == FULL:
                text = f"SIGNON {side.letter}{name} secret{side.letter}\n{held}SET WAIT"
                rig.mail(address(name, side.letter), text)
        if phase < phases:
            rig.clock.set(game.deadline + timedelta(seconds=1))
            rig.resolving.tick(rig.clock.now())
            rig.run()
    if name == OVER:
        game = rig.application.games.find(name)
        assert game is not None
        rig.mail("gm@example.org", f"SIGNON M{name} masterpw\nTERMINATE {name} {game.phase}")
    game = rig.application.games.find(name)
    assert game is not None
    assert game.state is (GameState.ENDED if name == OVER else GameState.RUNNING), name
    rig.boxes.clear()


def address(name: str, letter: str, copy: int = 0) -> str:
    """Return the address of a player of a copy of a game."""
    return f"{name}.{letter}{f'.c{copy}' if copy else ''}@example.org".lower()


def order_mail(copy: int, number: int) -> tuple[str, bytes]:
    """Return the sender and a mail of twenty lines of orders for a copy of a game."""
    letter, unit = random.Random(number).choice((("F", "A Par"), ("G", "A Mun"), ("A", "A Vie")))
    lines = "\r\n".join([f"{unit} H"] * _LINES)
    sender = address(OPEN, letter, copy)
    return sender, (
        f"From: {sender}\r\nTo: judge@localhost\r\nSubject: orders\r\n"
        f"Message-ID: <{number}.load@example.org>\r\n\r\n"
        f"SIGNON {letter}{OPEN}{copy} secret{letter}\r\n{lines}\r\n"
    ).encode()


def _copy(store: Store, game: int, many: int) -> None:
    """Copy all rows of a game *many* times."""
    counted = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)"
    for table in TABLES:
        mine = _of_game(table)
        if not mine or many < 1:
            continue
        names = ", ".join(f'"{column}"' for column in table.columns)
        values = ", ".join(_copy_column(table, column) for column in table.columns)
        statement = (
            f'{counted} INSERT INTO "{table.name}" ({names}) SELECT {values}'
            f' FROM "{table.name}" t, n WHERE {mine}'
        )
        store.update_sql(statement, (many, game))
        if table.is_numbered and store.path is None:
            counter = f"pg_get_serial_sequence('\"{table.name}\"', 'id')"
            store.select_sql(f"SELECT setval({counter}, (SELECT MAX(id) FROM {table.name}))", ())


def _of_game(table: RecordTable[object]) -> str:
    """Return the SQL condition for the rows of a game, or an empty text."""
    if table is GAMES:
        return "t.id = ?"
    for column, other in table.refers.items():
        if other is GAMES:
            return f't."{column}" = ?'
    for column, other in table.refers.items():
        if other is SEATS:
            return f't."{column}" IN (SELECT id FROM seats WHERE game = ?)'
    return ""


def _copy_column(table: RecordTable[object], column: str) -> str:
    """Return the SQL expression for a column of a copy."""
    if column == "id" or table.refers.get(column) in (GAMES, SEATS, UNDONE):
        return f't."{column}" + n.n * {APART}'
    if table is GAMES and column == "name":
        return "t.name || n.n"
    if column == "address":
        return "REPLACE(t.address, '@', '.c' || n.n || '@')"
    return f't."{column}"'


def _spread(store: Store, name: str) -> None:
    """Postpone the deadlines of a game until a measurement changes them."""
    later = 10**15
    moved = "deadline = deadline + ?, grace_until = grace_until + ?, due = due + ?"
    store.update_sql(f"UPDATE games SET {moved} WHERE name = ?", (later, later, later, name))


def pull(store: Store, first: int, last: int, now: int) -> None:
    """Make some of the full games due now."""
    names = [f"{FULL}{n}" for n in range(first, last + 1)]
    with store.transaction():
        for name in names:
            store.update_sql(
                "UPDATE games SET deadline = ?, grace_until = ?, due = ? WHERE name = ?",
                (now, now, now, name),
            )
