"""Questions anybody may ask: LIST, SUMMARY, HISTORY, HELP, VERSION."""

import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from judge import __version__
from judge.games import find_system
from judge.games.system import Reader, Watcher
from judge.play.instants import read_instant
from judge.play.office import is_present, player_seats, reader_of, sides_of, table_of
from judge.play.session import Session
from judge.play.settings import DEFAULTS, HOUSE_RULES, SETTINGS, setting
from judge.play.signup import find_game
from judge.play.telling import game_facts, roster, zone_of
from judge.topics import find_topic, help_topics
from judge.words.command import Command, Help, History, ListGames, Summary, Version
from judge.words.letter import Kind
from judge.words.reason import Reason, because
from judge.words.record import Event, GameRecord, GameState, Role, Seat

HISTORY_DAYS = 7
"""How far back HISTORY goes when no date is given."""


def list_games(session: Session, command: ListGames) -> None:
    """List the public games, or one game in full."""
    if command.game:
        game = find_game(session, command, command.game)
        if game:
            _show_game(session, game)
        return
    games = [game for game in session.office.games.listed() if setting(game, "listed")]
    rows = [_row(session, game) for game in games if game.state is not GameState.ENDED]
    session.show(Kind.INFO, "list", rows=rows)


def _row(session: Session, game: GameRecord) -> dict[str, object]:
    seats = player_seats(session.office, game)
    held = [seat for seat in seats if is_present(seat)]
    vacant = []
    if game.state is not GameState.FORMING:
        alive = table_of(game).alive()
        vacant = [s.power for s in seats if not is_present(s) and s.power in alive]
    return {
        "game": game_facts(game),
        "players": len(held),
        "powers": len(sides_of(game)),
        "vacant": vacant,
    }


def _show_game(session: Session, game: GameRecord) -> None:
    seat = _own_seat(session, game)
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
        settings=_settings_told(game),
        ended=_reason(ended) if ended else None,
    )


def _own_seat(session: Session, game: GameRecord) -> Seat | None:
    if session.is_signed_on and session.current.game == game.id:
        return session.seat
    return None


def _settings_told(game: GameRecord) -> list[tuple[str, str]]:
    """Return the settings that differ from the defaults, as the words of a SET line and a value."""
    rows: dict[str, tuple[str, str]] = {}
    for name, value in game.settings.items():
        if name in DEFAULTS and value == DEFAULTS[name]:
            continue
        if game.settings.get("house") and HOUSE_RULES.get(name) == value and name != "house":
            continue
        words = next((" ".join(row.words) for row in SETTINGS if row.name == name), name.upper())
        rows[name] = (words, f"{value:g}" if isinstance(value, float) else str(value))
    return sorted(rows.values())


def _reason(data: dict[str, object]) -> Reason:
    facts = {key: value for key, value in data.items() if key != "code"}
    return Reason(str(data["code"]), facts)  # type: ignore[arg-type]


def summary(session: Session, command: Summary) -> None:
    """Show who owned how many centres, year by year."""
    game = _game_asked(session, command, command.game)
    if game is None:
        return
    turns = [(turn.phase, turn.after) for turn in session.office.games.turns(game.id)]
    seat = _own_seat(session, game)
    reader = reader_of(game, seat) if seat else Reader(Watcher.OBSERVER)
    chronicle = find_system(game.system).chronicle(game.map, turns, reader)
    session.show(
        Kind.INFO, "summary", system=game.system, game=game_facts(game), chronicle=chronicle
    )


def _game_asked(session: Session, command: Command, name: str) -> GameRecord | None:
    if name:
        return find_game(session, command, name)
    if session.is_signed_on:
        return session.game
    session.refuse(command, because("which-game", word=command.text.split()[0].upper()))
    return None


def history(session: Session, command: History) -> None:
    """Show everything an observer was sent: results, notices, open press."""
    game = _game_asked(session, command, command.game)
    if game is None:
        return
    seat = _own_seat(session, game)
    zone = ZoneInfo(zone_of(game, seat))
    since: datetime | Reason = session.now - timedelta(days=HISTORY_DAYS)
    until: datetime | Reason = session.now + timedelta(seconds=1)
    if command.since:
        since = read_instant(command.since, session.now, zone, past=True)
    if command.until:
        until = read_instant(command.until, session.now, zone, past=True)
    for problem in (since, until):
        if isinstance(problem, Reason):
            session.refuse(command, problem)
            return
    assert isinstance(since, datetime) and isinstance(until, datetime)
    entries = _entries(session, game, seat, since, until)
    session.show(
        Kind.INFO, "history", system=game.system, game=game_facts(game, seat),
        entries=entries[-command.lines:],
        since=since.astimezone(UTC), until=until.astimezone(UTC),
    )


def _entries(
    session: Session, game: GameRecord, seat: Seat | None, since: datetime, until: datetime
) -> list[dict[str, object]]:
    """Return results, notices and press in order of time, as this reader may see them."""
    reader = reader_of(game, seat) if seat else Reader(Watcher.OBSERVER)
    system = find_system(game.system)
    entries: list[dict[str, object]] = [
        {"at": turn.at, "kind": "results", "results": system.retell(game.map, turn.outcome, reader)}
        for turn in session.office.games.turns(game.id)
        if since <= turn.at < until
    ]
    for event in session.office.games.events(game.id, since, until):
        if not event.readers or (seat and _was_for(seat, event)):
            entries.append(_event_entry(event))
    return sorted(entries, key=lambda entry: str(entry["at"]))


def _was_for(seat: Seat, event: Event) -> bool:
    if seat.role is Role.MASTER:
        return "Master" in event.readers
    return bool(seat.power) and seat.power in event.readers


def _event_entry(event: Event) -> dict[str, object]:
    data = json.loads(event.text)
    if event.kind == Kind.PRESS.value:
        return {"at": event.at, "kind": "press", **data}
    if "code" in data:
        return {"at": event.at, "kind": "notice", "reason": _reason(data)}
    return {"at": event.at, "kind": event.kind}


def help_with(session: Session, command: Help) -> None:
    """Show a help topic; an unknown one gets the list and those near it."""
    topic, near = find_topic(command.topic)
    if topic is None:
        session.refuse(command, because("no-such-topic", topic=command.topic), *near)
        topic = "index"
    session.show(
        Kind.HELP, f"help/{topic}", topics=help_topics(),
        settings=[(" ".join(row.words), row.takes.value, row.help) for row in SETTINGS],
    )


def version(session: Session, command: Version) -> None:
    """Tell the version of the judge."""
    session.say(because("version", version=__version__))
