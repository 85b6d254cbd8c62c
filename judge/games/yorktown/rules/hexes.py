"""Hex grid: names, sides, neighbours and distances (Y-1, Y-2).

Hexes are flat-topped and named by column and row, two digits each. Even columns lie half a hex
lower. Sides are counted clockwise from the north.
"""

from typing import NamedTuple

COLUMNS = 30
ROWS = 24
SIDES = ("N", "NE", "SE", "S", "SW", "NW")
_ODD = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_EVEN = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))


def name_hex(column: int, row: int) -> str:
    """Return the name of a hex, or an empty string if it is not on the map.

    >>> name_hex(3, 14), name_hex(0, 14)
    ('0314', '')
    """
    if 1 <= column <= COLUMNS and 1 <= row <= ROWS:
        return f"{column:02}{row:02}"
    return ""


def _around(column: int, row: int) -> tuple[str, ...]:
    steps = _ODD if column % 2 else _EVEN
    return tuple(name_hex(column + right, row + down) for right, down in steps)


ALL = tuple(name_hex(column, row) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1))
"""All hexes of the map, column by column."""

NEIGHBOURS = {name: _around(int(name[:2]), int(name[2:])) for name in ALL}
"""Hex → its six neighbours by side. A neighbour off the map is an empty string."""

_SIDE_TO = {
    (name, other): side
    for name, around in NEIGHBOURS.items()
    for side, other in enumerate(around)
    if other
}


class _Cube(NamedTuple):
    x: int
    y: int
    z: int


def _cube(name: str) -> _Cube:
    x = int(name[:2]) - 1
    z = int(name[2:]) - x // 2
    return _Cube(x, -x - z, z)


_CUBES = {name: _cube(name) for name in ALL}


def is_hex(name: str) -> bool:
    """Return whether a name is the name of a hex on the map.

    >>> is_hex("3024"), is_hex("3025")
    (True, False)
    """
    return name in NEIGHBOURS


def neighbours(name: str) -> tuple[str, ...]:
    """Return the neighbours of a hex on the map, clockwise from the north.

    >>> neighbours("1512")
    ('1511', '1611', '1612', '1513', '1412', '1411')
    >>> neighbours("1612")
    ('1611', '1712', '1713', '1613', '1513', '1512')
    """
    return tuple(filter(None, NEIGHBOURS[name]))


def side_to(name: str, other: str) -> int | None:
    """Return the side of a hex that faces *other*, or None if they are not adjacent.

    >>> SIDES[side_to("1508", "1608")], side_to("1508", "1709")
    ('SE', None)
    """
    return _SIDE_TO.get((name, other))


def opposite(side: int) -> int:
    """Return the opposite side.

    >>> SIDES[opposite(SIDES.index("NE"))]
    'SW'
    """
    return (side + 3) % 6


def distance(name: str, other: str) -> int:
    """Return the distance between two hexes, in hexes.

    >>> distance("1512", "1512"), distance("1512", "1613"), distance("0101", "3024")
    (0, 2, 38)
    """
    (x, y, z), (u, v, w) = _CUBES[name], _CUBES[other]
    return max(abs(x - u), abs(y - v), abs(z - w))


def on_edge(name: str, edge: str) -> bool:
    """Return whether a hex lies on the west, east or south edge of the map (Y-5).

    False for any edge other than "W", "E" and "S".

    >>> on_edge("0118", "W"), on_edge("3001", "E"), on_edge("1524", "S"), on_edge("1501", "N")
    (True, True, True, False)
    """
    column, row = int(name[:2]), int(name[2:])
    return {"W": column == 1, "E": column == COLUMNS, "S": row == ROWS}.get(edge, False)
