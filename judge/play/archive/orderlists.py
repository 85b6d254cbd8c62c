"""Games as lists of orders: short, readable, and sufficient for a replay.

    GAME marco
    MAP standard
    PHASE S1901M
    France: A PAR - BUR

If a master set up the position, a SETUP block before the phase contains it, as the master could
write it. This is only for systems without dice, as a list of orders has no seed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from judge.dice import Dice
from judge.errors import JudgeError
from judge.games import find_map, find_system
from judge.games.capabilities import PositionSetup
from judge.games.system import Table, Viewer, ViewerRole
from judge.model.incoming import Line
from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, Event, GameRecord, GameState, Role, Turn
from judge.phrases import phrasebook
from judge.play.archive.gamefile import Archived, read_archive
from judge.play.archive.map_of_game import map_values
from judge.play.choices.settings import interpret
from judge.play.game import GameView, options_at, options_of, table_of, write_ending

_NOT_GIVEN = "no order"
_ALL = Viewer(ViewerRole.MASTER)


def order_list(archived: Archived) -> str:
    """Return a game's options and the orders that were given, phase by phase."""
    game, system = archived.game, find_system(archived.game.system)
    lines = [f"GAME {game.name}", f"MAP {game.map}"]
    for told in map_values(game.map).values():
        assert isinstance(told, dict)
        lines.append(f"# Map: {told['title']}, SHA-256 {told['hash']}")
    lines += [f"# Played by bots: {', '.join(archived.bots)}"] if archived.bots else []
    names = {option.name for option in system.options(game.map)}
    chosen = {name: value for name, value in game.settings.items() if name in names}
    lines += [f"SET {name.upper()} {value}".upper() for name, value in sorted(chosen.items())]
    position = _opening_of(game)
    for turn in archived.turns:
        lines += _set_up_lines(game, position, turn.before, options_at(game, turn))
        position = turn.after
        lines += ["", f"PHASE {turn.phase}"]
        result: Mapping[str, Any] = system.turn(game.map, turn.outcome).values(_ALL)
        for power, told in result["orders"].items():
            given = (each["order"] for each in told if _NOT_GIVEN not in each["outcome"])
            lines += [f"{power}: {order}" for order in given]
    lines += _set_up_lines(game, position, game.position, options_of(game))
    return "\n".join(lines) + "\n"


def _opening_of(game: GameView) -> str:
    """Return the position a game begins with by its map and options."""
    return find_system(game.system).initial_position(game.map, game.settings, Dice(b"", 0))


def _set_up_lines(
    game: GameView, before: str, position: str, options: Mapping[str, object]
) -> list[str]:
    """Return the SETUP block from one position to another, or [] if they are equal.

    Raises:
        JudgeError: no lines produce the position.
    """
    if position == before:
        return []
    table = find_system(game.system).table(game.map, position, options)
    if isinstance(table, PositionSetup):
        lines = table.setup_lines()
        found = _set_up_position(game, before, [Line(0, text) for text in lines], options)
        again = find_system(game.system).table(game.map, found, options)
        assert isinstance(again, PositionSetup)
        if (again.setup_lines(), again.position_facts(_ALL)) == (lines, table.position_facts(_ALL)):
            return ["", "SETUP", *lines, "ENDSETUP"]
    raise JudgeError(f"{game.name} holds a position that no list of orders comes to")


def _set_up_position(
    game: GameView, before: str, lines: Sequence[Line], options: Mapping[str, object]
) -> str:
    """Return the position after lines of a SETUP block.

    Raises:
        JudgeError: a line is wrong. The message names the first one.
    """
    table = find_system(game.system).table(game.map, before, options)
    if not isinstance(table, PositionSetup):
        raise _wrong(lines[0], "positions of this game cannot be laid out by lines")
    made = table.set_up_position(lines)
    for read in made.lines:
        if read.complaint:
            raise _wrong(read.line, phrasebook(game.system).render(read.complaint.reason))
    return made.position


def read_game_file(text: str, now: datetime) -> Archived:
    """Return the game of a file: JSON, or a list of orders.

    Raises:
        JudgeError: the text is neither. The message gives the reason.
    """
    is_json = text.lstrip().startswith("{")
    return read_archive(text) if is_json else read_order_list(text, now)


def read_order_list(text: str, now: datetime) -> Archived:
    """Play a list of orders from the opening, and return the resulting game.

    Raises:
        JudgeError: a line is wrong. The message names the first one.
    """
    name, map_name, chosen = "", "", []
    phases: list[tuple[Line, list[Line]]] = []
    laid_out: tuple[Line, list[Line]] | None = None
    for line in _lines(text):
        word, _, rest = line.text.partition(" ")
        match word.upper():
            case "ENDSETUP" if laid_out:
                laid_out = None
            case _ if laid_out:
                laid_out[1].append(line)
            case "SETUP":
                laid_out = (line._replace(text=_SETUP), [])
                phases.append(laid_out)
            case "GAME":
                name = rest.strip().lower()
            case "MAP":
                map_name = rest.strip().lower()
            case "SET":
                chosen.append(line)
            case "PHASE":
                phases.append((line._replace(text=rest.strip()), []))
            case _ if phases and phases[-1][0].text != _SETUP:
                phases[-1][1].append(line)
            case _:
                raise _wrong(line, "PHASE must come before orders")
    game = _opening(name, map_name, now)
    for line in chosen:
        game = _with_option(game, line)
    # Options may change the opening.
    game = _with_position(game, _opening_of(game))
    turns: list[Turn] = []
    events: list[Event] = []
    for label, lines in phases:
        if game.state is GameState.ENDED:
            raise _wrong(label, "the game is over by then")
        if label.text == _SETUP:
            position = _set_up_position(game, game.position, lines, options_of(game))
            game = _with_position(game, position)
            events.append(_make_setup_event(game, now))
        else:
            turn, game = _play_phase(game, label, lines, now)
            turns.append(turn)
    return Archived(game, tuple(turns), tuple(events))


_SETUP = ""
"""Label of a SETUP block, which is no label of a phase."""


def _with_position(game: GameRecord, position: str) -> GameRecord:
    """Return a game in this position, and in the phase of this position."""
    game = replace(game, position=position)
    return replace(game, phase=table_of(game).phase.label)


def _make_setup_event(game: GameView, now: datetime) -> Event:
    """Return the event of a position set up, as SETUP stores it."""
    news = phrase("position-set-up", game=game.name, phase=game.phase, turn=game.turn)
    text = json.dumps(news.as_json(), ensure_ascii=False)
    return Event(0, now, game.phase, LetterKind.NOTICE.value, text)


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
        NO_ID, name, system.name, map_name, GameState.RUNNING, "", 1, "", {}, b"", now, now
    )


def _with_option(game: GameRecord, line: Line) -> GameRecord:
    changes = interpret(line.text.split()[1:], False, game, Role.MASTER)
    options = {option.name for option in find_system(game.system).options(game.map)}
    if isinstance(changes, Phrase):
        raise _wrong(line, phrasebook(game.system).render(changes))
    if not all(change.setting.name in options for change in changes):
        raise _wrong(line, "this is no option of the rules")
    chosen = {change.setting.name: change.value for change in changes}
    return replace(game, settings={**game.settings, **chosen})


def _play_phase(
    game: GameRecord, label: Line, lines: Sequence[Line], now: datetime
) -> tuple[Turn, GameRecord]:
    """Play one phase. Return it, and the game after it."""
    named = find_system(game.system).find_phase(label.text)
    if game.phase not in (named, label.text.upper()):
        raise _wrong(label, f"the game is in {game.phase} by then")
    table = table_of(game)
    sheets = _sheets(game, table, lines)
    found = table.adjudicate(sheets, Dice(b"", game.turn))
    turn = Turn(
        0, game.turn, game.phase, game.position, sheets, found.record, found.after, now,
        options_of(game),
    )
    game = _with_position(replace(game, turn=game.turn + 1), found.after)
    if found.ending:
        result = write_ending(found.ending)
        game = replace(game, state=GameState.ENDED, ended=now, result=result)
    return turn, game


def _sheets(game: GameView, table: Table, lines: Sequence[Line]) -> dict[str, str]:
    read = table.read_orders(lines, None, {})
    for one in read.lines:
        if one.complaint:
            raise _wrong(one.line, phrasebook(game.system).render(one.complaint.reason))
        if one.ignored:
            raise _wrong(one.line, "this is no order")
    return dict(read.sheets)
