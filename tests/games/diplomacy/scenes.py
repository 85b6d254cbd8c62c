"""Positions in the notation of the test tables.

Example: "France: A PAR, F BRE; dislodged France: A BUR".
"""

from functools import cache

from judge.board.map import Map, Unit, UnitKind
from judge.board.position import Dislodged, Position, parse_phase

PHASES = {"M": "S1901M", "R": "S1901R", "A": "F1901A"}


def unit(text: str, board: Map) -> Unit:
    """Read "F STP/SC"."""
    kind, place = text.split()
    return Unit(UnitKind(kind), _places(board)[place])


@cache
def _places(board: Map) -> dict[str, str]:
    """Return the places of a board by their names in units."""
    return {p.upper(): p for abbr in board.provinces for p in (abbr, *board.fleet_places(abbr))}


def position(board: Map, phase: str, text: str) -> Position:
    """Read a position. "start" is the start of the map. Home centres are owned."""
    units: dict[str, tuple[Unit, ...]] = {}
    beaten: dict[str, tuple[Dislodged, ...]] = {}
    if text == "start":
        units = dict(board.start)
    else:
        for part in text.split(";"):
            power, _, listed = part.strip().partition(": ")
            found = tuple(unit(one, board) for one in listed.split(", "))
            if power.startswith("dislodged "):
                beaten[power.removeprefix("dislodged ")] = tuple(map(Dislodged, found))
            else:
                units[power] = found
    owners = {p.abbr: p.home for p in board.provinces.values() if p.home}
    return Position(parse_phase(PHASES[phase]), units, owners, beaten)
