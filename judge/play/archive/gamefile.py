"""Files of games: a whole game as a value for export, and its reader.

It includes the log of its masters, as LOG shows it to anyone, but no seats or people, no orders
on file, no votes, and only press that went to all. The seed and the wishes for powers are
included once the game is over, as its last letters publish them.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from judge.errors import DataError, JudgeError
from judge.games import find_map, find_system, is_playable
from judge.games.capabilities import DrawableTable, YearlyHistory
from judge.games.system import Table, Viewer, ViewerRole
from judge.model.clock_state import EMPTY_CLOCK
from judge.model.letter import LetterKind
from judge.model.record import NO_ID, Draw, Event, GameRecord, GameState, Turn
from judge.phrases import phrasebook
from judge.play.archive.map_of_game import key_here, map_values
from judge.play.choices.settings import schedule_of
from judge.play.choices.settingtable import MANY_SEATS, Scope, settings_of
from judge.play.game import GameView, options_at, table_before, table_of
from judge.play.game_settings import DEFAULTS, GameSettings, is_of_judge, usual_times
from judge.play.gm.masters import KIND as ACT
from judge.play.letters.kept_phrases import load_phrase
from judge.play.people.power_allocation import (
    EVENT_KEY,
    MAX_WISHES,
    PowerAllocation,
    read_allocation,
)
from judge.play.post_game import STATEMENT
from judge.play.queries import bots_of, is_open, missing_part, sides_of
from judge.play.schedule import is_cron
from judge.store.games import Games

FORMAT, VERSION = "judge game", 1
DAMAGED = (
    KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError,
    DataError,
)
"""Exceptions that a damaged file may cause."""
HIDDEN = "(an address)"
"""Replacement of an address in a text."""
_ADDRESS = re.compile(r"[^\s\"\\<>(),;:@]+@[^\s\"\\<>(),;:@]+\.[^\s\"\\<>(),;:@.]+")
TOLD = frozenset(
    kind.value
    for kind in (
        LetterKind.NOTICE, LetterKind.VOTE, LetterKind.VACANCY, LetterKind.START, LetterKind.END,
        LetterKind.PRESS,
    )
) | {ACT, STATEMENT}
"""Kinds of events that are exported, if they are public."""
_OF_PRESS = ("from", "to", "body", "about")


class Archived(NamedTuple):
    """One game without its people. The seed of `game` is empty while it is secret."""

    game: GameRecord
    turns: tuple[Turn, ...]
    events: tuple[Event, ...]
    bots: tuple[str, ...] = ()
    """Powers that bots play."""


def refuse_missing(game: GameRecord) -> None:
    """Raise JudgeError if the system or the map of a game cannot be used."""
    if not is_playable(game.system, game.map):
        raise JudgeError(missing_part(game))


def archive_of(
    game: GameRecord, turns: Iterable[Turn], events: Iterable[Event], bots: Iterable[str] = ()
) -> Archived:
    """Return the public part of a game with this history and these bots.

    Raises:
        JudgeError: its system is not installed, so it is unknown which part is public.
    """
    refuse_missing(game)
    shared = (_shared_event(event, is_open(game)) for event in events)
    told = replace(
        game, settings=shared_settings(game), seed=b"" if is_open(game) else game.seed,
        clock=EMPTY_CLOCK,
    )
    published = tuple(_published_turn(game, turn) for turn in turns)
    return Archived(told, published, tuple(event for event in shared if event), tuple(bots))


def archive_stored(games: Games, game: GameRecord) -> Archived:
    """Return the public part of a stored game."""
    bots = bots_of(game, games.seats(game.id))
    return archive_of(game, games.turns(game.id), games.events(game.id), sorted(bots))


def shared_settings(game: GameView) -> dict[str, object]:
    """Return the public settings and the system's options, without lists of people."""
    rows = (row for row in settings_of(game) if row.scope is Scope.GAME and not row.secret)
    known = {row.name for row in rows if is_of_judge(row.name)}
    known |= {option.name for option in find_system(game.system).options(game.map)}
    return {name: value for name, value in game.settings.items() if name in known}


def _published_turn(game: GameView, turn: Turn) -> Turn:
    """Return a turn with the orders its results show, without a secret seed.

    These orders have the same outcome. A seed is secret while an open game uses it, as it is
    replaced once published.
    """
    orders = table_before(game, turn).select_public_orders(turn.orders)
    is_secret = is_open(game) and turn.seed == game.seed
    return replace(turn, orders=dict(orders), seed=b"" if is_secret else turn.seed)


def _shared_event(event: Event, is_secret: bool) -> Event | None:
    """Return a public event without addresses, or None if it is not public.

    While the game is open (`is_secret`), the wishes of the power allocation are secret.
    """
    if event.readers or event.kind not in TOLD:
        return None
    if event.kind == LetterKind.START.value and is_secret:
        return replace(event, text="{}")
    text = _ADDRESS.sub(HIDDEN, event.text)
    if event.kind == LetterKind.PRESS.value:
        press = json.loads(text)
        told = {key: press[key] for key in _OF_PRESS if key in press}
        text = json.dumps(told, ensure_ascii=False)
    return replace(event, text=text)


def write_archive(archived: Archived, *, with_map: bool = False) -> str:
    """Return a game as JSON text, with the files of an added map only on request.

    Raises:
        JudgeError: the licence of the map does not permit that.
    """
    game = archived.game
    values = {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "system": game.system,
        "map": game.map,
        **map_values(game.map, with_files=with_map),
        "state": game.state.value,
        "phase": game.phase,
        "turn": game.turn,
        "created": game.created.isoformat(),
        "started": game.started.isoformat() if game.started else None,
        "ended": game.ended.isoformat() if game.ended else None,
        "settings": dict(game.settings),
        "seed": game.seed.hex(),
        "position": game.position,
        "ending": json.loads(game.result) if game.result else None,
        **({"bots": list(archived.bots)} if archived.bots else {}),
        "turns": [_turn_values(game, turn) for turn in archived.turns],
        "events": [_event_values(event) for event in archived.events],
    }
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def _turn_values(game: GameView, turn: Turn) -> dict[str, object]:
    master = Viewer(ViewerRole.MASTER)
    drawn = {"draws": [list(draw[:4]) for draw in turn.draws]} if turn.draws else {}
    seed = {"seed": turn.seed.hex()} if turn.seed != game.seed else {}
    return {
        "number": turn.number,
        "phase": turn.phase,
        "at": turn.at.isoformat(),
        "options": turn.options,
        "before": turn.before,
        "orders": dict(turn.orders),
        "outcome": turn.outcome,
        "after": turn.after,
        **drawn,
        **seed,
        "result": find_system(game.system).turn(game.map, turn.outcome).values(master),
    }


def _event_values(event: Event) -> dict[str, object]:
    told = json.loads(event.text)
    return {"at": event.at.isoformat(), "phase": event.phase, "kind": event.kind, "told": told}


def read_archive(text: str) -> Archived:
    """Return the game in a file.

    Raises:
        JudgeError: the file is not readable. The message gives the reason.
    """
    try:
        values = _parse_json(text)
        _look_at_texts(values)
    except (ValueError, RecursionError) as fault:
        raise JudgeError(f"this is no file of a game: {fault}") from fault
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise JudgeError("this is no file of a game: EXPORT and `judge export` make them")
    if values.get("version") != VERSION:
        raise JudgeError(f"this file has form {values.get('version')!r}, known here is {VERSION}")
    try:
        return _read_archived(values)
    except DAMAGED as fault:
        raise JudgeError(f"the file is damaged: {fault!r}") from fault


def _parse_json(text: str) -> Any:
    """Return the content of a JSON text. Numbers such as NaN are refused."""
    return json.loads(text, parse_constant=lambda name: float(f"no {name}"))


def _look_at_texts(value: object) -> None:
    """Check that every text can be encoded, also those in JSON that is itself a text.

    Raises:
        ValueError: a text contains half a character.
    """
    if isinstance(value, str):
        value.encode("utf-8")
        if value[:1] in ("{", "["):
            with suppress(json.JSONDecodeError):
                _look_at_texts(_parse_json(value))
    elif isinstance(value, Mapping):
        _look_at_texts([*value.keys(), *value.values()])
    elif isinstance(value, list):
        for each in value:
            _look_at_texts(each)


def _read_archived(values: Mapping[str, Any]) -> Archived:
    game = _game(values)
    turns = tuple(_turn(game, each) for each in values["turns"])
    if [turn.number for turn in turns] != list(range(1, len(turns) + 1)):
        raise ValueError("the turns are not numbered one by one")
    if game.turn != len(turns) + 1:
        raise ValueError(f"turn {game.turn} does not follow {len(turns)} turns")
    _look_at_turns(game, turns)
    events = tuple(_event(game, each) for each in values["events"])
    return Archived(game, turns, events)


def _look_at_board(table: Table) -> None:
    """Check that a position can be described and drawn."""
    master = Viewer(ViewerRole.MASTER)
    table.position_facts(master)
    if isinstance(table, DrawableTable):
        table.sketch(master)


def _look_at_turns(game: GameRecord, turns: Sequence[Turn]) -> None:
    """Check that all of a history can be shown, even if a replay would differ."""
    system, master = find_system(game.system), Viewer(ViewerRole.MASTER)
    for turn in turns:
        table = table_before(game, turn)
        if table.phase.label != turn.phase:
            raise ValueError(f"the position before {turn.phase} is one of {table.phase.label}")
        table.select_public_orders(turn.orders)
        for shown in (table, system.table(game.map, turn.after, options_at(game, turn))):
            _look_at_board(shown)
        played = system.turn(game.map, turn.outcome)
        played.values(master)
        played.results(master)
        played.sketch(master)
    after = [(turn.phase, turn.after) for turn in turns]
    if isinstance(system, YearlyHistory):
        system.chronicle(game.map, game.settings, after, master)


def _game(values: Mapping[str, Any]) -> GameRecord:
    name, map_name = _text(values, "game"), key_here(values)
    system = find_map(map_name)
    if system is None or system.name != values["system"]:
        raise ValueError(f"there is no {values['system']} on a map {map_name!r} here")
    game = GameRecord(
        id=NO_ID,
        name=name,
        system=system.name,
        map=map_name,
        state=GameState(values["state"]),
        phase=_text(values, "phase"),
        turn=_number(values, "turn"),
        position=_text(values, "position"),
        settings=_settings(values["settings"]),
        seed=bytes.fromhex(_text(values, "seed")),
        created=_instant(values["created"]),
        started=_instant(values["started"]) if values["started"] else None,
        ended=_instant(values["ended"]) if values["ended"] else None,
        result=_ending(system.name, values["ending"]),
    )
    if game.state is GameState.FORMING:
        raise ValueError("the game had not begun")
    _check_settings(game)
    _look_at_board(table_of(game))
    if table_of(game).phase.label != game.phase:
        raise ValueError(f"the position is not that of {game.phase}")
    return game


def _settings(value: object) -> dict[str, Any]:
    """Return the settings of a file, with those of older judges renamed."""
    if not isinstance(value, dict):
        raise ValueError("the settings are no object")
    settings = {name: each for name, each in value.items() if name != "takeover_seated"}
    if value.get("takeover_seated") is True:
        settings["seats"] = MANY_SEATS
    return settings


def _check_settings(game: GameRecord) -> None:
    """Check that settings are known and of the right type, and the clock runs."""
    if shared_settings(game) != game.settings:
        raise ValueError("there are settings in it that are not known here")
    clocks = find_system(game.system).clocks
    usual = {**DEFAULTS, **usual_times(clocks)}
    for name, value in game.settings.items():
        known = usual.get(name)
        kinds = (int, float) if isinstance(known, float) else type(known)
        fits = name not in usual or isinstance(value, kinds)
        if not fits or not isinstance(value, (str, int, float)):
            raise ValueError(f"{name} cannot be {value!r}")
    schedule = schedule_of(GameSettings.of(game.settings, clocks))
    if schedule.cron and not is_cron(schedule.cron):
        raise ValueError(f"cron cannot be {schedule.cron!r}")
    for clock in schedule.timings:
        schedule.grace_end(clock, schedule.deadline(clock, game.created))


def _ending(system: str, value: object) -> str:
    if not isinstance(value, dict):
        return ""
    phrasebook(system).render(load_phrase(value["reason"], system))
    ending = {"winners": list(map(str, value["winners"])), "reason": value["reason"]}
    return json.dumps(ending, ensure_ascii=False)


def _turn(game: GameRecord, value: Mapping[str, Any]) -> Turn:
    """Return a turn of a file. Without a seed of its own it has that of the game."""
    options = value["options"]
    if not isinstance(options, dict | None):
        raise ValueError("options are no object")
    return Turn(
        game=0,
        number=_number(value, "number"),
        phase=_text(value, "phase"),
        before=_text(value, "before"),
        orders={str(power): _text(value["orders"], power) for power in value["orders"]},
        outcome=_text(value, "outcome"),
        after=_text(value, "after"),
        at=_instant(value["at"]),
        options=options,
        draws=tuple(map(_draw, value.get("draws", ()))),
        seed=bytes.fromhex(_text(value, "seed")) if "seed" in value else game.seed,
    )


def _draw(told: Sequence[Any]) -> Draw:
    tag, *numbers = told
    if not isinstance(tag, str) or [type(number) for number in numbers] != [int] * 3:
        raise ValueError(f"no draw is {told!r}")
    return Draw(tag, *numbers)


def _event(game: GameRecord, value: Mapping[str, Any]) -> Event:
    """Return a public event of a file. Its phrase must be one that can be rendered."""
    kind, told = _text(value, "kind"), value["told"]
    base = Event(0, _instant(value["at"]), _text(value, "phase"), kind, "{}")
    if kind not in TOLD:
        raise ValueError(f"no event is a {kind!r}")
    if kind == STATEMENT:
        told = {"from": _text(told, "from"), "body": list(map(str, told["body"]))}
    elif kind == LetterKind.PRESS.value:
        writer = None if told["from"] is None else str(told["from"])
        about = {"about": str(told["about"])} if "about" in told else {}
        told = {"from": writer, "to": [], "body": list(map(str, told["body"])), **about}
    elif kind == LetterKind.START.value and EVENT_KEY in told:
        return replace(base, text=_allotment(game, told[EVENT_KEY]).as_text())
    elif kind == LetterKind.START.value:
        told = {}
    else:
        phrasebook(game.system).render(load_phrase(told, game.system))
    return replace(base, text=json.dumps(told, ensure_ascii=False))


def _allotment(game: GameRecord, told: Mapping[str, Any]) -> PowerAllocation:
    """Return the power allocation of a file, with each power once."""
    found = read_allocation(told)
    powers = [*found.kept, *(power for _, power in found.players)]
    if len(set(powers)) < len(powers) or not set(powers) <= {x.name for x in sides_of(game)}:
        raise ValueError("powers were given out that are none")
    if any(len(wishes) > MAX_WISHES for wishes, _ in found.players):
        raise ValueError("wishes are too long")
    return found


def _text(values: Mapping[str, Any], key: str) -> str:
    found = values[key]
    if not isinstance(found, str):
        raise ValueError(f"{key} is no text")
    return found


def _number(values: Mapping[str, Any], key: str) -> int:
    found = values[key]
    if type(found) is not int:
        raise ValueError(f"{key} is no number")
    return found


def _instant(text: object) -> datetime:
    found = datetime.fromisoformat(str(text))
    if found.tzinfo is None:
        raise ValueError(f"{text} names no zone")
    return found.astimezone(UTC)
