"""Every phase of a game computed again from its position and orders, and compared."""

import json
from collections.abc import Iterator, Mapping

from judge.dice import Dice
from judge.errors import JudgeError
from judge.games import find_system
from judge.play.archive.archived import DAMAGED, Archived
from judge.play.game import options_of
from judge.play.people.allotment import allotment_in, redrawn
from judge.words.record import Event, Turn

MOST_SHOWN = 20
"""Differences of one phase that are listed."""
_WIDTH = 60
"""Characters shown of a value that differs."""


def replay(archived: Archived) -> Iterator[str]:
    """Yield a line for everything that comes out otherwise than it is written down."""
    yield from _allotted_otherwise(archived)
    edited = set(map(_edited_turn, archived.events)) - {0}
    position = ""
    for turn in archived.turns:
        if turn.number > 1 and turn.before != position and turn.number not in edited:
            yield f"{turn.phase}: it does not begin where the phase before ended"
        yield from _replayed(archived, turn)
        position = turn.after
    game = archived.game
    if archived.turns and game.position != position and game.turn not in edited:
        yield f"{game.phase}: the present position is not that after the last phase"


def _allotted_otherwise(archived: Archived) -> Iterator[str]:
    """Yield who got another power than chance gives him; nothing where seed or wishes are secret.
    """
    told = allotment_in(archived.events)
    if told is None or not archived.game.seed:
        return
    for number, (was, found) in enumerate(
        zip((power for _, power in told.players), redrawn(archived.game, told), strict=True), 1
    ):
        if was != found:
            yield f"start: player {number} was given {was}, chance gives {found}"


def _edited_turn(event: Event) -> int:
    """Return the number of the turn whose position a master set up; 0 for any other event."""
    told = json.loads(event.text)
    return int(told.get("turn", 0)) if told.get("code") == "position-set-up" else 0


def _replayed(archived: Archived, turn: Turn) -> Iterator[str]:
    game = archived.game
    options = options_of(game) if turn.options is None else turn.options
    try:
        table = find_system(game.system).table(game.map, turn.before, options)
        found = table.adjudicate(turn.orders, Dice(game.seed, turn.number))
        label = table.phase.label
    except (JudgeError, *DAMAGED) as fault:
        yield f"{turn.phase}: cannot be played again: {fault!r}"
        return
    if label != turn.phase:
        yield f"{turn.phase}: the position before it is one of {label}"
    differences = [
        *_differences("after", _value(turn.after), _value(found.after)),
        *_differences("outcome", _value(turn.outcome), _value(found.record)),
    ]
    for line in differences[:MOST_SHOWN]:
        yield f"{turn.phase}: {line}"
    if len(differences) > MOST_SHOWN:
        yield f"{turn.phase}: and {len(differences) - MOST_SHOWN} more"


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _differences(where: str, was: object, found: object) -> Iterator[str]:
    """Yield where two JSON values differ.

    >>> list(_differences("x", {"a": [1, 2]}, {"a": [1, 3], "b": 4}))
    ['x.a.1 was 2, is 3', 'x.b was missing, is 4']
    """
    if isinstance(was, list) and isinstance(found, list):
        was, found = dict(enumerate(was)), dict(enumerate(found))
    if not (isinstance(was, Mapping) and isinstance(found, Mapping)):
        if was != found:
            yield f"{where} was {_shown(was)}, is {_shown(found)}"
        return
    for key in {**was, **found}:
        if key in was and key in found:
            yield from _differences(f"{where}.{key}", was[key], found[key])
        else:
            before = _shown(was[key]) if key in was else "missing"
            now = _shown(found[key]) if key in found else "missing"
            yield f"{where}.{key} was {before}, is {now}"


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _WIDTH else text[:_WIDTH] + "…"
