"""The board as text: strips of 16 columns, four characters a hex.

Even columns are half a line lower.

A hex shows its terrain, then its units (Y-98): `i3` and `a21` of FA in lower case, `I3` of AP in
capitals, `*` after a unit with a hit marker, `+` if there are two. Walls of the towns are drawn
between hexes, in the blanks above and below a hex: `_` on its north or south side, `/` and `\\` on
the others. A redoubt has walls on all sides, which are not drawn. A fifth character of a hex, such
as `*`, takes the first place of the blank next to it.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from judge.games.yorktown.rules.board import FA, REDOUBT, CounterKind, HexTerrain, counters, hexes
from judge.games.yorktown.rules.hexes import ALL, COLUMNS, ROWS, SIDES, name_hex
from judge.games.yorktown.rules.state import SiegePosition

STRIP = 16
CELL = 4
MARKS = {
    HexTerrain.CLEAR: ".", HexTerrain.WOODS: "w", HexTerrain.MARSH: "m", HexTerrain.SHORE: ":",
    HexTerrain.RIVER: "~", HexTerrain.TOWN: "Y",
}
_MARK_OF = (
    ((1, 2), "_"), ((3,), "\\"), ((3,), "/"), ((1, 2), "_"), ((0,), "\\"), ((0,), "/"),
)  # fmt: skip
"""Place in a cell and mark of the wall on each side of a hex, from the north."""


def strips() -> list[tuple[int, int]]:
    """Return the first and last column of each strip. One column is in two of them.

    >>> strips()
    [(1, 16), (16, 30)]
    """
    firsts = range(1, COLUMNS, STRIP - 1)
    return [(first, min(first + STRIP - 1, COLUMNS)) for first in firsts]


def board_lines(position: SiegePosition, first: int, last: int) -> list[str]:
    """Return a strip of the board without its heading, two lines for each row."""
    cells, walls = _cells(position), _walls()
    lines: list[str] = []
    for row in range(1, ROWS + 1):
        for odd in (1, 0):
            text = f"{row:02}  " if odd else "    "
            for column in range(first, last + 1):
                if column % 2 == odd:
                    text += cells[name_hex(column, row)].ljust(CELL)
                else:
                    blank = walls.get((column, len(lines)), "").ljust(CELL)
                    text += blank[(len(text) - len("    ")) % CELL :]
            lines.append(text.rstrip())
    return lines


def heading(first: int, last: int) -> str:
    """Return the column numbers above a strip.

    >>> heading(25, 27)
    '    25  26  27'
    """
    numbers = (f"{column:02}".ljust(CELL) for column in range(first, last + 1))
    return ("    " + "".join(numbers)).rstrip()


def unit_code(key: str) -> str:
    """Return the code of a unit on the board.

    >>> unit_code("FA-ART21"), unit_code("AP-INF3")
    ('a21', 'I3')
    """
    counter = counters()[key]
    code = f"{counter.kind.value[0]}{counter.number}"
    return code.lower() if counter.side == FA else code


def _cells(position: SiegePosition) -> Mapping[str, str]:
    there: dict[str, list[str]] = {}
    for key, unit in position.units.items():
        if unit.on_map and counters()[key].kind is not CounterKind.CMD:
            for at in (unit.at, *([unit.bow] if unit.bow else [])):
                there.setdefault(at, []).append(key)
    dug = {name: _empty(name, position.redoubts) for name in position.redoubts}
    held = {
        name: _sign(name, position.redoubts) + _counters(keys, position)
        for name, keys in there.items()
    }
    return {**_before_all(), **dug, **held}


@cache
def _before_all() -> Mapping[str, str]:
    """Return the text of all hexes without units and built redoubts."""
    return {name: _empty(name, ()) for name in ALL}


@cache
def _walls() -> Mapping[tuple[int, int], str]:
    """Return the marks of walls by column and line, for cells that are else blank."""
    marks: dict[tuple[int, int], list[str]] = {}
    for name, found in hexes().items():
        column, row = int(name[:2]), int(name[2:])
        line = 2 * (row - 1) + (column % 2 == 0)
        for side in found.walls if found.feature != REDOUBT else ():
            place, mark = _MARK_OF[side]
            is_below = SIDES[side].startswith("S")
            drawn = marks.setdefault((column, line + (1 if is_below else -1)), [" "] * 4)
            # Sides of the hexes above and below meet in one character.
            other = drawn[place[0]]
            for at in place:
                drawn[at] = mark if other in (" ", mark) else "><"[at > 0]
    return {at: "".join(drawn) for at, drawn in marks.items()}


def _empty(name: str, redoubts: Collection[str]) -> str:
    return _sign(name, redoubts) + ("=" if hexes()[name].roads else "")


def _sign(name: str, redoubts: Collection[str]) -> str:
    found = hexes()[name]
    if found.feature == "Gloucester":
        return "G"
    is_redoubt = found.feature == REDOUBT or name in redoubts
    return "R" if is_redoubt else MARKS[found.terrain]


def _counters(keys: Sequence[str], position: SiegePosition) -> str:
    marked = any(position.units[key].marked for key in keys)
    return unit_code(keys[0]) + ("+" if len(keys) > 1 else "*" if marked else "")
