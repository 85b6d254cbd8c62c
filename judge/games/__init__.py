"""The game systems, found where packages declare them: a new system touches no file of ours.

Floor 2. `judge.plugins` finds what is declared; what keeps the contract of `system.py` (`contract`)
is a system here. One that does not is left out and named by `broken`: it stops no other. No system
sees another.
"""

from functools import cache

from judge import plugins
from judge.dice import Dice
from judge.games.contract import breach, first_head
from judge.games.missing import MissingSystem
from judge.games.system import GameSystem, Table
from judge.model.orderwords import PhaseHead
from judge.plugins import Broken


@cache
def _found(name: str) -> GameSystem | Broken | None:
    """Return a system by name, why it cannot be used, or None: nobody has installed it."""
    system = plugins.loaded(name)
    if system is None or isinstance(system, Broken):
        return system
    fault = breach(name, system)
    if fault:
        return Broken(name, plugins.package_of(plugins.declared()[name]), fault.why, fault.story)
    assert isinstance(system, GameSystem)
    return system


@cache
def _all() -> tuple[tuple[GameSystem, ...], tuple[Broken, ...]]:
    systems: list[GameSystem] = []
    faults = [*plugins.doubled()]
    owner: dict[str, str] = {}
    for name in sorted(plugins.declared()):
        found = _found(name)
        if isinstance(found, GameSystem):
            shared = [each for each in found.maps() if each in owner]
            if not shared:
                owner |= dict.fromkeys(found.maps(), name)
                systems.append(found)
                continue
            package = plugins.package_of(plugins.declared()[name])
            found = Broken(name, package, f"{owner[shared[0]]} has a map called {shared[0]} too")
        if found is not None:
            faults.append(found)
    return tuple(systems), tuple(faults)


def all_systems() -> tuple[GameSystem, ...]:
    """Return every game system that can be played, by name."""
    return _all()[0]


def broken() -> tuple[Broken, ...]:
    """Return what is installed and cannot be played, and why."""
    return _all()[1]


def is_installed(name: str) -> bool:
    """Tell whether there is a game system of this name that can be used."""
    return isinstance(_found(name), GameSystem)


def find_head(line: str) -> PhaseHead | None:
    """Return the name of a phase that a line begins with, in any game that can be played.

    >>> find_head("F1901M: A Par - Bur")
    PhaseHead(label='F1901M', rest='A Par - Bur', is_turn=False)
    """
    return first_head(all_systems(), line)


@cache
def find_system(name: str) -> GameSystem:
    """Return a game system by name; what cannot be used has one that stands in for it (`missing`).
    """
    found = _found(name)
    if isinstance(found, GameSystem):
        return found
    if found is None:
        return MissingSystem(name, f"no game system {name!r} is installed")
    return MissingSystem(name, f"{name!r} of {found.package} cannot be used: {found.why}")


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


def forget() -> None:
    """Look anew when next asked: something was installed or removed meanwhile."""
    plugins.forget()
    for kept in (_found, _all, find_system):
        kept.cache_clear()
