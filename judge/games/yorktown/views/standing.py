"""Position facts: the board in strips of text, and a list of all units (Y-98)."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from judge.games.letter_facts import LetterPiece, Places, PositionFacts
from judge.games.yorktown.rules.board import (
    GLOUCESTER,
    REDOUBT,
    SIDE_NAMES,
    YORKTOWN,
    Counter,
    CounterKind,
    counters,
    counters_of,
    hexes,
    town_hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import SIDES
from judge.games.yorktown.rules.setup import AT_WALLS, wall_hexes
from judge.games.yorktown.rules.ships import POINTS
from judge.games.yorktown.rules.state import DEAD, LEFT, OFF, SiegePosition
from judge.games.yorktown.rules.strength import factor_now
from judge.games.yorktown.views.moments import POWERS, make_title
from judge.games.yorktown.views.textboard import board_lines, heading, strips
from judge.model.phrase import Phrase, phrase

_ARRIVALS = {
    "in:": "arrive-garrison", "river": "arrive-river", AT_WALLS: "arrive-walls",
    "enter:south": "arrive-south", "enter:west": "arrive-west", "with": "arrive-staff",
}
"""Beginning of a set-up entry in the table → phrase for the units that have it."""


class Strip(NamedTuple):
    """A strip of the board: its heading and its lines."""

    head: str
    lines: tuple[str, ...]


class UnitRow(NamedTuple):
    """A unit in the list. *notes* are its marker, cargo, commander and counts."""

    unit: str
    name: str
    at: str
    face: str
    factor: int
    points: int
    nation: str
    notes: tuple[Phrase, ...]


class Arrivals(NamedTuple):
    """Units still to arrive, and how they arrive."""

    how: Phrase
    units: tuple[UnitRow, ...]


class Army(NamedTuple):
    """A side's units on the map and aboard, units to come, and ids of the others."""

    side: str
    power: str
    units: tuple[UnitRow, ...]
    waiting: tuple[str, ...]
    left: tuple[str, ...]
    dead: tuple[str, ...]
    arrivals: tuple[Arrivals, ...] = ()


class BoardText(NamedTuple):
    """The board: strips, armies, and a list of the walls drawn in the strips."""

    strips: tuple[Strip, ...]
    armies: tuple[Army, ...]
    walls: tuple[Phrase, ...] = ()


def standing_facts(position: SiegePosition) -> PositionFacts:
    """Return the facts of a position, which are all public (Y-6)."""
    field = StepState(position)
    armies = tuple(_army(field, side) for side in SIDE_NAMES)
    board = BoardText(_strips(position), armies, wall_facts())
    return PositionFacts(
        title=make_title("title-position", position.moment), phase=str(position.moment), rows=(),
        pieces=(LetterPiece("siege-board", board, "board"),),
    )


def place_facts(position: SiegePosition) -> Places:
    """Return the facts of the board alone, as text."""
    board = BoardText(_strips(position), (), wall_facts())
    return Places(
        title=make_title("title-board", position.moment), regions=(),
        pieces=(LetterPiece("siege-board", board, "board"),),
    )


def _strips(position: SiegePosition) -> tuple[Strip, ...]:
    return tuple(
        Strip(heading(first, last), tuple(board_lines(position, first, last)))
        for first, last in strips()
    )


@cache
def wall_facts() -> tuple[Phrase, ...]:
    """Return the walls of both towns, hex by hex, and the gates."""
    found = []
    for town in (YORKTOWN, GLOUCESTER):
        walls = [
            f"{name} {'/'.join(SIDES[side] for side in sorted(hexes()[name].walls))}"
            for name in town_hexes(town) if hexes()[name].walls
        ]
        gates = [n for n in town_hexes(town) if hexes()[n].walls and hexes()[n].roads]
        found.append(phrase("walls-town", town=town, walls=tuple(walls), gates=tuple(gates)))
    printed = [each for each in hexes().values() if each.feature == REDOUBT]
    open_to = [each.name for each in printed if each.roads]
    named = tuple(f"{each.name} {each.title}" for each in printed)
    found.append(phrase("walls-redoubts", hexes=named, gates=tuple(open_to)))
    return tuple(found)


def _arrivals(field: StepState, side: str) -> Iterator[Arrivals]:
    """Yield the units still to arrive by the way they arrive, in table order.

    A commander who arrives with a unit is a note on it.
    """
    groups: dict[str, list[UnitRow]] = {}
    for counter in counters_of(side):
        unit = field.units[counter.key]
        if unit.at == OFF and not unit.attached:
            groups.setdefault(counter.setup, []).append(_row(field, counter))
    for setup, rows in groups.items():
        code = next(code for start, code in _ARRIVALS.items() if setup.startswith(start))
        yield Arrivals(phrase(code, hexes=wall_hexes()), tuple(rows))


def _army(field: StepState, side: str) -> Army:
    elsewhere: dict[str, list[str]] = {OFF: [], LEFT: [], DEAD: []}
    rows = []
    for counter in counters_of(side):
        at = field.units[counter.key].at
        if at in elsewhere:
            elsewhere[at].append(counter.order_id)
        elif counter.kind is not CounterKind.CMD:
            rows.append(_row(field, counter))
    waiting, left, dead = map(tuple, elsewhere.values())
    arrivals = tuple(_arrivals(field, side))
    return Army(side, POWERS[side], tuple(rows), waiting, left, dead, arrivals)


def _row(field: StepState, counter: Counter) -> UnitRow:
    unit = field.units[counter.key]
    is_ship = counter.kind is CounterKind.FRIG
    return UnitRow(
        counter.order_id,
        counter.name,
        counters()[unit.ship].order_id if unit.ship else "/".join(unit.hexes),
        "" if is_ship or not unit.on_map else SIDES[unit.facing],
        0 if is_ship else counter.combat if counter.kind is CounterKind.CMD
        else factor_now(field, counter.key),
        POINTS - unit.spent if is_ship else counter.move,
        counter.nation,
        tuple(_notes(field, counter)),
    )


def _notes(field: StepState, counter: Counter) -> list[Phrase]:
    unit, notes = field.units[counter.key], []
    staff = field.commander_with(counter.key)
    if staff:
        who = counters()[staff]
        notes.append(phrase("note-staff", name=who.name, unit=who.order_id))
    if unit.marked:
        notes.append(phrase("note-marked", day=unit.marked))
    if unit.grounded:
        notes.append(phrase("note-aground"))
    if counter.kind is CounterKind.FRIG:
        cargo = tuple(counters()[key].order_id for key in field.aboard(counter.key))
        notes += [phrase("note-cargo", units=cargo)] if cargo else []
        if unit.spent and not unit.grounded:
            notes.append(phrase("note-points", n=POINTS - unit.spent))
    if counter.kind is CounterKind.PIO and unit.still:
        notes.append(phrase("note-still", n=unit.still))
    if unit.shots:
        notes.append(phrase("note-fired"))
    return notes
