"""The game systems, found by the presence of their packages: a new system touches no other file.

Floor 2. A system is a package here with a `SYSTEM` that fills in the contract of `system.py`.
No system sees another.
"""

import pkgutil
from functools import cache
from importlib import import_module

from judge.dice import Dice
from judge.errors import DataError
from judge.games.system import GameSystem, Table


@cache
def all_systems() -> tuple[GameSystem, ...]:
    """Return every game system, by name.

    Raises:
        DataError: two systems have one name, or two maps.
    """
    found = []
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg:
            system: GameSystem = import_module(f"{__name__}.{module.name}").SYSTEM
            found.append(system)
    names = [system.name for system in found]
    maps = [name for system in found for name in system.maps()]
    for words in (names, maps):
        if len(set(words)) < len(words):
            raise DataError(f"two game systems or maps share a name: {sorted(words)}")
    return tuple(sorted(found, key=lambda system: system.name))


def find_system(name: str) -> GameSystem:
    """Return a game system by name.

    Raises:
        DataError: there is none.
    """
    for system in all_systems():
        if system.name == name:
            return system
    raise DataError(f"no game system {name!r}")


def find_map(name: str) -> GameSystem | None:
    """Return the system that has a map, or None."""
    for system in all_systems():
        if name in system.maps():
            return system
    return None


def opening_table(system: GameSystem) -> Table:
    """Return the table of a system's first map, as every game on it begins."""
    name = next(iter(system.maps()))
    return system.table(name, system.opening(name, {}, Dice(bytes(32), 0)), {})
