"""Import of games from files, and their replay."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from judge.dice import Dice
from judge.errors import JudgeError
from judge.games import find_system
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, Event, GameState, Role, Seat, SeatState, Turn
from judge.play.archive.gamefile import DAMAGED, Archived, refuse_missing
from judge.play.clocks.deadlines import pause_clock
from judge.play.clocks.phases import (
    carried_sheets,
    dice_of,
    open_phase,
    renew_seed,
    seeds_since_start,
)
from judge.play.game import Context, Game, table_before
from judge.play.game_settings import GameSettings
from judge.play.letters.letter_factory import notice_to, record_in_history
from judge.play.people.power_allocation import find_allocation, recompute_allocation
from judge.play.queries import is_open, sides_of

MAX_SHOWN = 20
"""Maximum number of differences listed for one phase."""
_WIDTH = 60
"""Maximum number of characters shown of a value that differs."""


def replay(archived: Archived) -> Iterator[str]:
    """Yield a line for each difference between a game and its replay.

    Raises:
        JudgeError: its system is not installed.
    """
    refuse_missing(archived.game)
    yield from _allotted_otherwise(archived)
    yield from _opening_differences(archived)
    edited = set(map(_edited_turn, archived.events)) - {0}
    position = ""
    for turn in archived.turns:
        if turn.number > 1 and turn.before != position and turn.number not in edited:
            yield f"{turn.phase}: it does not begin where the phase before ended"
        yield from _replay_turn(archived, turn)
        position = turn.after
    game = archived.game
    if archived.turns and game.position != position and game.turn not in edited:
        yield f"{game.phase}: the present position is not that after the last phase"


def _allotted_otherwise(archived: Archived) -> Iterator[str]:
    """Yield differences in the power allocation, if seed and wishes are public."""
    told, seed = find_allocation(archived.events), _start_seed(archived)
    if told is None or not seed:
        return
    begun = replace(archived.game, seed=seed)
    for number, (was, found) in enumerate(
        zip((power for _, power in told.players), recompute_allocation(begun, told), strict=True), 1
    ):
        if was != found:
            yield f"start: player {number} was given {was}, chance gives {found}"


def _start_seed(archived: Archived) -> bytes:
    """Return the seed a game began with, or an empty one if it is not known."""
    return seeds_since_start(archived.game.seed, archived.events)[0]


def _opening_differences(archived: Archived) -> Iterator[str]:
    """Yield differences between a game's first position and its system's opening.

    There are none if chance has a part in it and the seed is secret, or if a master set it up.
    """
    game, turns = archived.game, archived.turns
    if not turns or turns[0].options is None or GameSettings.of(game.settings).set_up:
        return
    seed = _start_seed(archived)
    dice = Dice(seed, 0)
    try:
        found = find_system(game.system).initial_position(game.map, turns[0].options, dice)
    except (JudgeError, *DAMAGED) as fault:
        yield f"start: the position cannot be made again: {fault!r}"
        return
    if (seed or not dice.drawn) and 1 not in map(_edited_turn, archived.events):
        yield from _label_differences(
            "start", _differences("position", _value(turns[0].before), _value(found))
        )


def _edited_turn(event: Event) -> int:
    """Return the number of the turn whose position a master set up, or 0."""
    told = json.loads(event.text)
    return int(told.get("turn", 0)) if told.get("code") == "position-set-up" else 0


def _replay_turn(archived: Archived, turn: Turn) -> Iterator[str]:
    try:
        table = table_before(archived.game, turn)
        dice = dice_of(turn)
        found = table.adjudicate(turn.orders, dice)
        label = table.phase.label
    except (JudgeError, *DAMAGED) as fault:
        yield f"{turn.phase}: cannot be played again: {fault!r}"
        return
    if label != turn.phase:
        yield f"{turn.phase}: the position before it is one of {label}"
    noted = [list(draw[:4]) for draw in turn.draws]
    yield from _label_differences(turn.phase, [
        *_differences("after", _value(turn.after), _value(found.after)),
        *_differences("outcome", *_known(_value(turn.outcome), _value(found.record))),
        *_differences("draws", noted, [list(draw) for draw in dice.drawn]),
    ])


def _known(was: object, found: object) -> tuple[object, object]:
    """Return two records without the keys that only the later one has.

    A release may record more of a phase than the one it was played with, with the same events.
    """
    if isinstance(was, Mapping) and isinstance(found, Mapping):
        return was, {key: value for key, value in found.items() if key in was}
    return was, found


def _label_differences(where: str, differences: Iterable[str]) -> Iterator[str]:
    """Yield differences with their phase, up to `MAX_SHOWN`."""
    found = list(differences)
    for line in found[:MAX_SHOWN]:
        yield f"{where}: {line}"
    if len(found) > MAX_SHOWN:
        yield f"{where}: and {len(found) - MAX_SHOWN} more"


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _differences(where: str, was: object, found: object) -> Iterator[str]:
    """Yield the differences between two JSON values.

    >>> list(_differences("x", {"a": [1, 2]}, {"a": [1, 3], "b": 4}))
    ['x.a.1 was 2, is 3', 'x.b was missing, is 4']
    """
    if isinstance(was, list) and isinstance(found, list):
        was, found = dict(enumerate(was)), dict(enumerate(found))
    if not (isinstance(was, Mapping) and isinstance(found, Mapping)):
        if was != found:
            yield f"{where} was {_format_value(was)}, is {_format_value(found)}"
        return
    for key in {**was, **found}:
        if key in was and key in found:
            yield from _differences(f"{where}.{key}", was[key], found[key])
        else:
            before = _format_value(was[key]) if key in was else "missing"
            now = _format_value(found[key]) if key in found else "missing"
            yield f"{where}.{key} was {before}, is {now}"


def _format_value(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _WIDTH else text[:_WIDTH] + "…"


_NAME = re.compile(r"[a-z][a-z0-9]{1,7}")


def import_game(
    context: Context, archived: Archived, name: str, master: str, now: datetime, *, force: bool
) -> tuple[Game, list[Letter]]:
    """Create the game of a file in the caller's transaction.

    Return it and its letters.

    With `force` its phases may differ from their replay.

    Raises:
        JudgeError: the game cannot be imported. Then no data is changed.
    """
    imported = phrase("game-imported", game=name or archived.game.name, phase=archived.game.phase)
    owner = Seat(NO_ID, NO_ID, Role.MASTER, SeatState.OCCUPIED, address=master)
    game, seat, more = make(context, archived, name, owner, imported, now, force=force)
    how = phrase("game-imported-how") if is_open(game) else phrase("game-imported-over")
    return game, [notice_to(game, seat, [imported, how, *more], LetterKind.NOTICE)]


def make(
    context: Context, archived: Archived, name: str, master: Seat, news: Phrase, now: datetime,
    *, force: bool = False,
) -> tuple[Game, Seat, list[Phrase]]:
    """Create a game from another, with a master's seat like the one given.

    Return both as stored. *news* is the entry in its history. The phrases returned are more
    news for its master: an open game has a new seed, since a file may be in many hands.

    Raises:
        JudgeError: the game cannot be created. Then no data is changed.
    """
    refuse_missing(archived.game)
    name = (name or archived.game.name).lower()
    if not _NAME.fullmatch(name):
        raise JudgeError(f"a game cannot be called {name!r}: 2 to 8 letters or digits")
    differences = [] if force else list(replay(archived))
    if differences:
        others = f" (and {len(differences) - 1} more)" if len(differences) > 1 else ""
        raise JudgeError(f"the file does not come out as it says: {differences[0]}{others}")
    given = archived.game
    game = context.games.add(replace(given, name=name, opened=now, created=now))
    if game is None:
        raise JudgeError(f"there is a game called {name!r} already; --name gives it another")
    for turn in archived.turns:
        game.add_turn(replace(turn, game=game.id))
    for event in archived.events:
        game.add_event(replace(event, game=game.id))
    for side in sides_of(game):
        vacant = Seat(NO_ID, game.id, Role.PLAYER, SeatState.VACANT, power=side.name, since=now)
        context.games.add_seat(vacant)
    more = []
    if is_open(game):
        more.append(renew_seed(game, now))
        game.change(state=GameState.RUNNING)
        if carried := carried_sheets(game):
            game.file_sheets(game.phase, carried)
        open_phase(game, now)
        pause_clock(game, now, by="master")
    record_in_history(game, news, now)
    seat = context.games.add_seat(replace(master, id=NO_ID, game=game.id, epoch=0, since=now))
    context.bans.record_activity(seat.id, now)
    return game, seat, more
