"""A game as a list of its orders: short, for people, and enough to play it all again.

    GAME marco
    MAP standard
    PHASE S1901M
    France: A PAR - BUR

Only for systems without dice: a list of orders knows no seed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from judge.dice import Dice
from judge.errors import JudgeError
from judge.games import find_map, find_system
from judge.games.system import Reader, Table, Watcher
from judge.phrases import phrasebook
from judge.play.archive.archived import Archived
from judge.play.choices.settings import interpret
from judge.play.office import options_of, table_of
from judge.words.incoming import Line
from judge.words.reason import Reason
from judge.words.record import GameRecord, GameState, Role, Turn

_NOT_GIVEN = "no order"


def order_list(archived: Archived) -> str:
    """Return a game's options and the orders that were given, phase by phase."""
    game, system = archived.game, find_system(archived.game.system)
    lines = [f"GAME {game.name}", f"MAP {game.map}"]
    names = {option.name for option in system.options(game.map)}
    chosen = {name: value for name, value in game.settings.items() if name in names}
    lines += [f"SET {name.upper()} {value}".upper() for name, value in sorted(chosen.items())]
    for turn in archived.turns:
        lines += ["", f"PHASE {turn.phase}"]
        result: Mapping[str, Any] = system.result(game.map, turn.outcome, Reader(Watcher.MASTER))
        for power, told in result["orders"].items():
            lines += [f"{power}: {each['order']}" for each in _given(told)]
    return "\n".join(lines) + "\n"


def _given(told: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the orders somebody gave: what units did without one is no part of the list."""
    return [each for each in told if _NOT_GIVEN not in each["outcome"]]


def read_order_list(text: str, now: datetime) -> Archived:
    """Play a list of orders from the opening and return the game it makes.

    Raises: JudgeError naming the first line that is wrong.
    """
    name, map_name, chosen = "", "", []
    phases: list[tuple[Line, list[Line]]] = []
    for line in _lines(text):
        word, _, rest = line.text.partition(" ")
        match word.upper():
            case "GAME":
                name = rest.strip().lower()
            case "MAP":
                map_name = rest.strip().lower()
            case "SET":
                chosen.append(line)
            case "PHASE":
                phases.append((line._replace(text=rest.strip().upper()), []))
            case _ if phases:
                phases[-1][1].append(line)
            case _:
                raise _wrong(line, "PHASE must come before orders")
    game = _opening(name, map_name, now)
    for line in chosen:
        game = _with_option(game, line)
    game = _set_up(game)
    turns = []
    for label, lines in phases:
        turn, game = _played(game, label, lines, now)
        turns.append(turn)
    return Archived(game, tuple(turns), ())


def _lines(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield Line(number, line.strip())


def _wrong(line: Line, why: str) -> JudgeError:
    return JudgeError(f"line {line.number} ({line.text[:60]!r}): {why}")


def _opening(name: str, map_name: str, now: datetime) -> GameRecord:
    system = find_map(map_name)
    if system is None:
        raise JudgeError(f"there is no map {map_name!r}: a list of orders has a line such as"
                         " MAP standard")
    return GameRecord(
        0, name, system.name, map_name, GameState.RUNNING, "", 1, "", {}, b"", now, now
    )


def _set_up(game: GameRecord) -> GameRecord:
    """Return a game at its beginning, which its options may change."""
    system = find_system(game.system)
    position = system.opening(game.map, game.settings, Dice(b"", 0))
    label = system.table(game.map, position, game.settings).phase.label
    return replace(game, position=position, phase=label)


def _with_option(game: GameRecord, line: Line) -> GameRecord:
    changes = interpret(line.text.split()[1:], False, game, Role.MASTER)
    options = {option.name for option in find_system(game.system).options(game.map)}
    if isinstance(changes, Reason):
        raise _wrong(line, phrasebook(game.system).say(changes))
    if not all(change.setting.name in options for change in changes):
        raise _wrong(line, "this is no option of the rules")
    chosen = {change.setting.name: change.value for change in changes}
    return replace(game, settings={**game.settings, **chosen})


def _played(
    game: GameRecord, label: Line, lines: Sequence[Line], now: datetime
) -> tuple[Turn, GameRecord]:
    """Play one phase; return it, and the game after it."""
    if label.text != game.phase:
        raise _wrong(label, f"the game is in {game.phase} by then")
    table = table_of(game)
    sheets = _sheets(game, table, lines)
    found = table.adjudicate(sheets, Dice(b"", game.turn))
    turn = Turn(
        0, game.turn, game.phase, game.position, sheets, found.record, found.after, now,
        options_of(game),
    )
    game = replace(game, position=found.after, turn=game.turn + 1)
    return turn, replace(game, phase=table_of(game).phase.label)


def _sheets(game: GameRecord, table: Table, lines: Sequence[Line]) -> dict[str, str]:
    read = table.read_orders(lines, None, {})
    for one in read.lines:
        if one.complaint:
            raise _wrong(one.line, phrasebook(game.system).say(one.complaint.reason))
        if one.ignored:
            raise _wrong(one.line, "this is no order")
    return dict(read.sheets)
