"""The maps Diplomacy is played on here, loaded once from the package."""

from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files

from judge.board.map import Map
from judge.board.mapfile import load_map
from judge.digits import is_number
from judge.errors import DataError
from judge.games.diplomacy.rules.ruleset import Rules

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


def board_under(name: str, rules: Rules) -> Map:
    """Return a map as a game's rules change it: what wins, what draws, where fleets convoy."""
    found = board(name)
    quiet = found.quiet_falls if rules.quiet_falls == "by map" else _number(rules.quiet_falls)
    return _varied(name, rules.victory or found.victory, quiet, rules.coastal_convoys)


def _number(falls: str) -> int:
    return int(falls) if is_number(falls) else 0


@lru_cache(maxsize=64)
def _varied(name: str, victory: int, quiet_falls: int, coastal_convoys: bool) -> Map:
    found = board(name)
    if (victory, quiet_falls, coastal_convoys) == (found.victory, found.quiet_falls, False):
        return found
    return replace(
        found, victory=victory, quiet_falls=quiet_falls, coastal_convoys=coastal_convoys
    )
