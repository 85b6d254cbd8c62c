"""Questions anybody may ask: LIST, SUMMARY, HELP, VERSION."""

import json
from collections.abc import Sequence

from judge import __version__
from judge.games import find_system
from judge.games.system import Reader, Watcher
from judge.play.entry import asking, free_sides, places_kept
from judge.play.office import is_present, player_seats, reader_of, sides_of, table_of
from judge.play.session import Session
from judge.play.settings import DEFAULTS, HOUSE_RULES, SETTINGS, Setting, setting
from judge.play.signup import find_game
from judge.play.telling import game_facts, instant_mark, roster
from judge.topics import OTHER_WORDS, find_topic, help_topics
from judge.words.command import Command, Help, ListGames, Summary, Version
from judge.words.letter import Kind
from judge.words.reason import Reason, because
from judge.words.record import GameRecord, GameState, Role, Seat


MOST_IN_FULL = 20
"""Games that LIST FULL shows; more would make a book of it."""


def list_games(session: Session, command: ListGames) -> None:
    """List the public games, those that look for players first; or one game, or all, in full."""
    if command.game:
        game = find_game(session, command, command.game)
        if game:
            _show_game(session, game)
        return
    games = [game for game in session.office.games.listed() if setting(game, "listed")]
    rows = [_row(session, game) for game in games if game.state is not GameState.ENDED]
    rows.sort(key=lambda row: not row["looks"])
    session.show(Kind.INFO, "list", rows=rows)
    if command.full:
        for game in [game for game in games if game.state is not GameState.ENDED][:MOST_IN_FULL]:
            _show_game(session, game)


def _row(session: Session, game: GameRecord) -> dict[str, object]:
    """Return the facts of one game: who has joined, what is vacant, how to get in."""
    office, forming = session.office, game.state is GameState.FORMING
    seats = player_seats(office, game)
    held = [seat for seat in seats if is_present(seat)]
    alive = () if forming else table_of(game).alive()
    vacant = [s.power for s in seats if not is_present(s) and s.power in alive]
    kept = places_kept(game, session.person, session.now)
    choice = forming and bool(setting(game, "power_choice"))
    letters = {side.name: side.letter for side in sides_of(game)}
    return {
        "game": game_facts(game),
        "players": len(held),
        "kept": kept,
        "powers": len(sides_of(game)),
        "vacant": vacant,
        "takeovers": [f"TAKEOVER {letters[power]}{game.name} newpassword" for power in vacant],
        "free": [s.name for s in free_sides(office, game, session.person, session.now)]
        if choice
        else [],
        "private": bool(setting(game, "private")),
        "approval": bool(setting(game, "approval")),
        "muster": instant_mark(game, "muster_until") if forming else None,
        "looks": bool(vacant) or forming and len(held) + kept < len(sides_of(game)),
    }


def _show_game(session: Session, game: GameRecord) -> None:
    seat = own_seat(session, game)
    reader = reader_of(game, seat) if seat else Reader(Watcher.OBSERVER)
    begun = game.state is not GameState.FORMING
    ended = json.loads(game.result)["reason"] if game.result else None
    session.show(
        Kind.INFO,
        "list-game",
        system=game.system,
        **_row(session, game),
        roster=roster(session.office, game, seat),
        standing=table_of(game).standing(reader) if begun else None,
        settings=_settings_told(game, master=seat is not None and seat.role is Role.MASTER),
        asking=sorted(asking(game).items()) if seat and seat.role is Role.MASTER else [],
        ended=reason_from(ended) if ended else None,
    )


def own_seat(session: Session, game: GameRecord) -> Seat | None:
    """Return the open seat if it is in this game."""
    if session.is_signed_on and session.current.game == game.id:
        return session.seat
    return None


def _settings_told(game: GameRecord, *, master: bool) -> list[tuple[str, str]]:
    """Return the settings that differ from the defaults, as the words of a SET line and a value.

    Lists of people and the word of a private game are the master's alone; what is kept among the
    settings without being one is nobody's.
    """
    rows: dict[str, tuple[str, str]] = {}
    known = {row.name: row for row in reversed(SETTINGS)}
    for name, value in game.settings.items():
        row = known.get(name)
        if name in DEFAULTS and (row is None or not value and not DEFAULTS[name]):
            continue
        if value == DEFAULTS.get(name) or row and row.secret and not master:
            continue
        if game.settings.get("house") and HOUSE_RULES.get(name) == value and name != "house":
            continue
        words = " ".join(row.words) if row else name.upper()
        rows[name] = (words, _value_told(value))
    return sorted(rows.values())


def _value_told(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def reason_from(data: dict[str, object]) -> Reason:
    """Return a reason that was kept as JSON."""
    facts = {key: value for key, value in data.items() if key != "code"}
    return Reason(str(data["code"]), facts)  # type: ignore[arg-type]


def summary(session: Session, command: Summary) -> None:
    """Show who owned how many centres, year by year."""
    game = game_asked(session, command, command.game)
    if game is None:
        return
    turns = [(turn.phase, turn.after) for turn in session.office.games.turns(game.id)]
    seat = own_seat(session, game)
    reader = reader_of(game, seat) if seat else Reader(Watcher.OBSERVER)
    chronicle = find_system(game.system).chronicle(game.map, turns, reader)
    session.show(
        Kind.INFO, "summary", system=game.system, game=game_facts(game), chronicle=chronicle
    )


def game_asked(session: Session, command: Command, name: str) -> GameRecord | None:
    """Return the game a question names, else that of the open seat; None after a refusal."""
    if name:
        return find_game(session, command, name)
    if session.is_signed_on:
        return session.game
    session.refuse(command, because("which-game", word=command.text.split()[0].upper()))
    return None


def help_with(session: Session, command: Help) -> None:
    """Show a help topic; an unknown one gets the list and those near it."""
    rows = rows_asked(command.topic)
    topic, near = ("settings", ()) if rows else find_topic(command.topic)
    if topic is None:
        session.refuse(command, because("no-such-topic", topic=command.topic), *near)
        topic = "index"
    session.show(Kind.HELP, f"help/{topic}", **help_facts(rows or SETTINGS))


def help_facts(rows: Sequence[Setting] = SETTINGS) -> dict[str, object]:
    """Return what help topics may want to know: all topics, and rows of the settings table."""
    return {
        "topics": help_topics(),
        "settings": [(" ".join(row.words), row.takes.value, row.help) for row in rows],
        "all_settings": len(rows) == len(SETTINGS),
    }


def rows_asked(topic: str) -> list[Setting]:
    """Return the rows of the settings that HELP SET MOVE, or HELP MOVE NEXT, asks for."""
    words = tuple(topic.upper().split())
    said_so = words[:1] == ("SET",)
    words = words[1:] if said_so else words
    known = OTHER_WORDS.keys() | set(help_topics())
    if not words or not said_so and len(words) == 1 and words[0].lower() in known:
        return []
    return [row for row in SETTINGS if row.words[: len(words)] == words]


def version(session: Session, command: Version) -> None:
    """Tell the version of the judge."""
    session.say(because("version", version=__version__))
