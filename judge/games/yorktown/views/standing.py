"""How a game stands: the board in strips of text, and every unit in a list (Y-98)."""

from typing import NamedTuple

from judge.games.facts import Piece, Places, Standing
from judge.games.yorktown.rules.board import (
    SIDE_NAMES,
    Counter,
    Kind,
    counters,
    counters_of,
)
from judge.games.yorktown.rules.field import Field
from judge.games.yorktown.rules.hexes import SIDES
from judge.games.yorktown.rules.ships import POINTS
from judge.games.yorktown.rules.state import DEAD, LEFT, OFF, Position
from judge.games.yorktown.rules.strength import factor_now
from judge.games.yorktown.views.moments import POWERS, titled
from judge.games.yorktown.views.textboard import board_lines, heading, strips
from judge.model.phrase import Phrase, phrase


class Strip(NamedTuple):
    """A strip of the board: its columns, and its lines."""

    head: str
    lines: tuple[str, ...]


class UnitRow(NamedTuple):
    """One unit as the list has it; `notes` say marker, cargo, commander, count."""

    unit: str
    name: str
    at: str
    face: str
    factor: int
    points: int
    notes: tuple[Phrase, ...]


class Army(NamedTuple):
    """A side's units on the map and aboard, and the ids of those elsewhere."""

    side: str
    power: str
    units: tuple[UnitRow, ...]
    waiting: tuple[str, ...]
    left: tuple[str, ...]
    dead: tuple[str, ...]


class Board(NamedTuple):
    """The board: strips, armies."""

    strips: tuple[Strip, ...]
    armies: tuple[Army, ...]


def standing_facts(position: Position) -> Standing:
    """Return the facts of a position; everybody may know them all (Y-6)."""
    field = Field(position)
    board = Board(_strips(position), tuple(_army(field, side) for side in SIDE_NAMES))
    return Standing(
        title=titled("title-position", position.moment),
        phase=str(position.moment),
        rows=(),
        pieces=(Piece("siege-board", board, "board"),),
    )


def place_facts(position: Position) -> Places:
    """Return the board alone, as text."""
    board = Board(_strips(position), ())
    return Places(
        title=titled("title-board", position.moment),
        regions=(),
        pieces=(Piece("siege-board", board, "board"),),
    )


def _strips(position: Position) -> tuple[Strip, ...]:
    return tuple(
        Strip(heading(first, last), tuple(board_lines(position, first, last)))
        for first, last in strips()
    )


def _army(field: Field, side: str) -> Army:
    elsewhere: dict[str, list[str]] = {OFF: [], LEFT: [], DEAD: []}
    rows = []
    for counter in counters_of(side):
        at = field.units[counter.key].at
        if at in elsewhere:
            elsewhere[at].append(counter.order_id)
        elif counter.kind is not Kind.CMD:
            rows.append(_row(field, counter))
    return Army(
        side,
        POWERS[side],
        tuple(rows),
        tuple(elsewhere[OFF]),
        tuple(elsewhere[LEFT]),
        tuple(elsewhere[DEAD]),
    )


def _row(field: Field, counter: Counter) -> UnitRow:
    unit = field.units[counter.key]
    is_ship = counter.kind is Kind.FRIG
    return UnitRow(
        counter.order_id,
        counter.name,
        f"{unit.at}/{unit.bow}" if is_ship else counters()[unit.ship].order_id
        if unit.ship else unit.at,
        "" if is_ship else SIDES[unit.facing],
        0 if is_ship else factor_now(field, counter.key),
        POINTS - unit.spent if is_ship else counter.move,
        tuple(_notes(field, counter)),
    )


def _notes(field: Field, counter: Counter) -> list[Phrase]:
    unit, notes = field.units[counter.key], []
    staff = field.commander_with(counter.key)
    if staff:
        who = counters()[staff]
        notes.append(phrase("note-staff", name=who.name, unit=who.order_id))
    if unit.marked:
        notes.append(phrase("note-marked", day=unit.marked))
    if unit.grounded:
        notes.append(phrase("note-aground"))
    if counter.kind is Kind.FRIG:
        cargo = tuple(counters()[key].order_id for key in field.aboard(counter.key))
        notes += [phrase("note-cargo", units=cargo)] if cargo else []
    if counter.kind is Kind.PIO and unit.still:
        notes.append(phrase("note-still", n=unit.still))
    if unit.shots:
        notes.append(phrase("note-fired"))
    return notes
