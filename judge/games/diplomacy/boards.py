"""The maps Diplomacy is played on here, loaded once from the package."""

from functools import cache
from importlib.resources import files

from judge.board.map import Map
from judge.board.mapfile import load_map
from judge.errors import DataError

MAP_NAMES = ("standard", "youngstown")


@cache
def board(name: str) -> Map:
    """Return a map by name.

    >>> len(board("youngstown").centres), board("standard").victory
    (72, 18)

    Raises:
        DataError: there is no such map, or its tables are faulty.
    """
    if name not in MAP_NAMES:
        raise DataError(f"no map {name!r}")
    return load_map(name, files(__package__) / "maps" / name)
