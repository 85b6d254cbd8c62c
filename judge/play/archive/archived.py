"""A whole game as a value that can be taken along: what everybody may know of it, and no more.

The log of its masters is in it, as LOG shows it to anybody; neither seats nor people are, no
orders on file, no votes, no press but what went to all. The seed and the wishes for powers
are in it once the game is over, as its last letters tell them to all.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from judge.errors import DataError
from judge.games import find_system
from judge.games.system import Reader, Watcher
from judge.play.choices.settingtable import SETTINGS, Scope
from judge.play.chosen import DEFAULTS
from judge.play.governing.acts import KIND as ACT
from judge.play.office import is_open
from judge.store.games import Games
from judge.words.clockstate import AT_REST
from judge.words.letter import Kind
from judge.words.record import Event, GameRecord, GameView, Turn

FORMAT, VERSION = "judge game", 1
DAMAGED = (
    KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError,
    DataError,
)
"""What a file may raise that somebody has changed."""
HIDDEN = "(an address)"
"""Stands where a text names an address, whoever wrote it."""
_ADDRESS = re.compile(r"[^\s\"\\<>(),;:@]+@[^\s\"\\<>(),;:@]+\.[^\s\"\\<>(),;:@.]+")
TOLD = frozenset(
    kind.value
    for kind in (Kind.NOTICE, Kind.VOTE, Kind.VACANCY, Kind.START, Kind.END, Kind.PRESS)
) | {ACT}
"""The kinds of events that are taken along, if everybody was told."""
_OF_PRESS = ("from", "to", "body", "about")


class Archived(NamedTuple):
    """One game without its people; the seed of `game` is empty where it is still a secret."""

    game: GameRecord
    turns: tuple[Turn, ...]
    events: tuple[Event, ...]


def archive_of(
    game: GameRecord, turns: Iterable[Turn], events: Iterable[Event]
) -> Archived:
    """Return what may be taken along of a game with this history."""
    shared = (_shared_event(event, is_open(game)) for event in events)
    told = replace(
        game, settings=shared_settings(game), seed=b"" if is_open(game) else game.seed,
        clock=AT_REST,
    )
    published = tuple(_with_published_orders(game, turn) for turn in turns)
    return Archived(told, published, tuple(event for event in shared if event))


def archive_stored(games: Games, game: GameRecord) -> Archived:
    """Return what may be taken along of a game as it is stored."""
    return archive_of(game, games.turns(game.id), games.events(game.id))


def shared_settings(game: GameView) -> dict[str, object]:
    """Return the settings everybody may see, and the system's options; no lists of people."""
    rows = (row for row in SETTINGS if row.scope is Scope.GAME and not row.secret)
    known = {row.name for row in rows} & DEFAULTS.keys()
    known |= {option.name for option in find_system(game.system).options(game.map)}
    return {name: value for name, value in game.settings.items() if name in known}


def _with_published_orders(game: GameView, turn: Turn) -> Turn:
    """Return a turn with the orders its results tell: they have the same outcome."""
    options = turn.options if turn.options is not None else game.settings
    table = find_system(game.system).table(game.map, turn.before, options)
    return replace(turn, orders=dict(table.published(turn.orders)))


def _shared_event(event: Event, is_secret: bool) -> Event | None:
    """Return what everybody was told, without addresses; None for what only some were told.

    While the game goes on (`is_secret`), the wishes that powers were given out by are nobody's.
    """
    if event.readers or event.kind not in TOLD:
        return None
    if event.kind == Kind.START.value and is_secret:
        return replace(event, text="{}")
    text = _ADDRESS.sub(HIDDEN, event.text)
    if event.kind == Kind.PRESS.value:
        press = json.loads(text)
        told = {key: press[key] for key in _OF_PRESS if key in press}
        text = json.dumps(told, ensure_ascii=False)
    return replace(event, text=text)


def write_archive(archived: Archived) -> str:
    """Return a game as JSON text."""
    game = archived.game
    values = {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "system": game.system,
        "map": game.map,
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
        "turns": [_turn_values(game, turn) for turn in archived.turns],
        "events": [_event_values(event) for event in archived.events],
    }
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def _turn_values(game: GameView, turn: Turn) -> dict[str, object]:
    master = Reader(Watcher.MASTER)
    return {
        "number": turn.number,
        "phase": turn.phase,
        "at": turn.at.isoformat(),
        "options": turn.options,
        "before": turn.before,
        "orders": dict(turn.orders),
        "outcome": turn.outcome,
        "after": turn.after,
        "result": find_system(game.system).result(game.map, turn.outcome, master),
    }


def _event_values(event: Event) -> dict[str, object]:
    told = json.loads(event.text)
    return {"at": event.at.isoformat(), "phase": event.phase, "kind": event.kind, "told": told}
