"""LIST, SUMMARY, HELP and VERSION: what anybody may ask."""

import json

from judge import __version__
from judge.games import find_system
from judge.play.choices.houserules import house_rules
from judge.play.choices.settings import value_said
from judge.play.choices.settingtable import HOUSE_RULES, SETTINGS
from judge.play.chosen import DEFAULTS
from judge.play.commands.outcome import Outcome, heard, refused, said, shown
from judge.play.commands.seats.signup import find_game
from judge.play.commands.session import Answer, Session
from judge.play.game import Game
from judge.play.letters.inquiries import help_facts, reason_from, rows_asked
from judge.play.letters.telling import game_facts, roster
from judge.play.office import is_offered, is_present, places, player_seats, reader_of, takeover_line
from judge.play.people.entry import free_sides, places_kept, power_asked
from judge.topics import find_topic
from judge.words.asking import Help, ListGames, Summary, Version
from judge.words.command import Command
from judge.words.letter import Kind
from judge.words.reason import because
from judge.words.record import GameState, Role, Seat

MOST_IN_FULL = 20
"""Games that LIST FULL shows; more would make a book of it."""
MOST_LISTED = 100
"""Games that LIST looks at: anybody may ask, and mail at the door waits for the answer."""


def list_games(session: Session, command: ListGames) -> Outcome:
    """List the public games, those that look for players first; or one game, or all, in full."""
    if command.game:
        game = find_game(session, command, command.game, opens=False)
        return game if isinstance(game, Outcome) else _show_game(session, game)
    found = session.office.games.going(MOST_LISTED + 1)
    games = [game for game in found[:MOST_LISTED] if game.chosen.listed]
    rows = [_row(session, game) for game in games]
    rows.sort(key=lambda row: not row["looks"])
    did = shown(Kind.INFO, "list", rows=rows)
    if len(found) > MOST_LISTED:
        did += said(because("list-not-all", most=MOST_LISTED))
    if command.full:
        for game in games[:MOST_IN_FULL]:
            did += _show_game(session, game, f"LIST {game.name}")
    return did


def _row(session: Session, game: Game) -> dict[str, object]:
    """Return the facts of one game: who has joined, what is vacant, how to get in."""
    forming = game.state is GameState.FORMING
    seats = player_seats(game)
    held = [seat for seat in seats if is_present(seat)]
    alive = () if forming or game.state is GameState.ENDED else game.table.alive()
    vacant = [s.power for s in seats if is_offered(s) and s.power in alive]
    kept = places_kept(game, session.person, session.now)
    choice = forming and game.chosen.power_choice
    return {
        "game": game_facts(game),
        "players": len(held),
        "kept": kept,
        "powers": places(game),
        "vacant": vacant,
        "takeovers": [takeover_line(game, power, "newpassword") for power in vacant],
        "free": [s.name for s in free_sides(game, session.person, session.now)]
        if choice
        else [],
        "private": bool(game.chosen.private),
        "approval": game.chosen.approval,
        "muster": game.clock.muster_until if forming else None,
        "looks": bool(vacant) or forming and len(held) + kept < places(game),
    }


def _show_game(session: Session, game: Game, asked: str = "") -> Outcome:
    seat = own_seat(session, game)
    reader = reader_of(game, seat)
    begun = game.state is not GameState.FORMING
    ended = json.loads(game.result)["reason"] if game.result else None
    return shown(
        Kind.INFO,
        "list-game",
        asked=asked,
        system=game.system,
        **_row(session, game),
        roster=roster(game, seat),
        standing=game.table.standing(reader) if begun else None,
        settings=_settings_told(game, master=seat is not None and seat.role is Role.MASTER),
        watchers=sorted(game.dealings.watchers) if seat and seat.role is Role.MASTER else [],
        asking=_asking(game) if seat and seat.role is Role.MASTER else [],
        ended=reason_from(ended) if ended else None,
    )


def _asking(game: Game) -> list[tuple[str, str]]:
    people = sorted(game.dealings.asking.items())
    return [(who, power_asked(game, each.power)) for who, each in people]


def own_seat(session: Session, game: Game) -> Seat | None:
    """Return the open seat if it is in this game."""
    if session.is_signed_on and session.current.game == game.id:
        return session.seat
    return None


def _settings_told(game: Game, *, master: bool) -> list[tuple[str, str]]:
    """Return the settings that differ from the defaults, as the words of a SET line and a value.

    Lists of people and the word of a private game are the master's alone; what is kept among the
    settings without being one is nobody's.
    """
    rows: dict[str, tuple[str, str]] = {}
    known = {row.name: row for row in reversed(SETTINGS)}
    for name, value in game.settings.items():
        row = known.get(name)
        if row is None or name not in DEFAULTS or not value and not DEFAULTS[name]:
            continue
        if value == DEFAULTS.get(name) or row and row.secret and not master:
            continue
        if game.settings.get("house") and HOUSE_RULES.get(name) == value and name != "house":
            continue
        said = next((r for r in SETTINGS if r.name == name and r.value == value), None)
        if said and isinstance(value, str):
            rows[name] = (" ".join(said.words), "yes")
        else:
            told = ("yes" if value else "no") if isinstance(value, bool) else value_said(row, value)
            rows[name] = (" ".join(row.words), told)
    return [*sorted(rows.values()), *((rule.words, rule.told) for rule in house_rules(game))]


def summary(session: Session, command: Summary) -> Outcome:
    """Show who owned how many centres, year by year."""
    game = game_asked(session, command, command.game)
    if isinstance(game, Outcome):
        return game
    turns = [(turn.phase, turn.after) for turn in game.turns()]
    seat = own_seat(session, game)
    reader = reader_of(game, seat)
    chronicle = find_system(game.system).chronicle(game.map, game.settings, turns, reader)
    return shown(
        Kind.INFO, "summary", system=game.system, game=game_facts(game), chronicle=chronicle
    )


def game_asked(session: Session, command: Command, name: str) -> Game | Outcome:
    """Return the game a question names, else that of the open seat, or the refusal."""
    if name:
        return find_game(session, command, name, opens=False)
    if session.is_signed_on:
        return session.game
    return refused(command, because("which-game", word=command.text.split()[0].upper()))


def help_with(session: Session, command: Help) -> Outcome:
    """Show a help topic; an unknown one gets the list and those near it."""
    did = heard(Answer(language=command.language))
    rows = rows_asked(command.topic)
    kinds = session.kinds.values()
    topic, near = ("settings", ()) if rows else _topic_asked(command.topic)
    if topic is None and any(command.topic.upper() in kind.spellings for kind in kinds):
        topic = "index"
    if topic is None:
        did += refused(command, because("no-such-topic", topic=command.topic), *near)
        topic = "index"
    game = session.game if session.is_signed_on else None
    return did + shown(Kind.HELP, f"help/{topic}", **help_facts(rows or SETTINGS, game, kinds))


def _topic_asked(words: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the topic meant; HELP SET VICTORY asks for what tells of VICTORY."""
    bare = words.casefold().removeprefix("set ")
    topic, near = find_topic(bare)
    return (topic, near) if topic else find_topic(words)


def version(session: Session, command: Version) -> Outcome:
    """Tell the version of the judge."""
    return said(because("version", version=__version__))
