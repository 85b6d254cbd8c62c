"""The game systems, found where packages declare them: a new system touches no file of ours.

Floor 2. `judge.plugins` finds what is declared; what keeps the contract of `system.py` (`contract`)
is a system here. One that does not is left out and named by `broken`: it stops no other. No system
sees another.
"""

import difflib
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

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


class MapsMeant(NamedTuple):
    """The maps that words name, and which of the words do."""

    maps: tuple[str, ...]
    words: frozenset[str]


_FILLING = frozenset("v vs versus map variant".split())
"""What stands between the words for a map and names none."""


def maps_meant(words: Collection[str]) -> MapsMeant:
    """Return the maps that words name, by their names or in other words, in any order.

    What names a cut of a map is no other map beside it; more words mean more than fewer.

    >>> maps_meant(["gunboat", "youngstown", "blind"]).maps
    ('youngstown',)
    """
    typed = {*words}
    found = [(system, name, said) for system, name, said in _spelt() if said <= typed]
    best = [
        (system, name, said) for system, name, said in found
        if not any(said < other for _, _, other in found)
    ]
    boards = {system.cut_from(name) for system, name, _ in best if system.cut_from(name) != name}
    named = dict.fromkeys(name for _, name, _ in best if name not in boards)
    used = {word for _, _, said in best for word in said}
    return MapsMeant((*named,), frozenset({*used, *(_FILLING & typed if named else ())}))


def _spelt() -> Iterator[tuple[GameSystem, str, frozenset[str]]]:
    """Yield each map with each way to name it, as a set of words."""
    for system in all_systems():
        yield from ((system, name, frozenset({name})) for name in system.maps())
        for said, name in system.map_words().items():
            yield system, name, frozenset(said.split())


def words_for_maps() -> frozenset[str]:
    """Return every word that helps to name a map."""
    return frozenset(word for _, _, said in _spelt() for word in said) | _FILLING


def near_maps(words: Collection[str]) -> tuple[str, ...]:
    """Return the names of maps that are like one of some words; where none is, those that are no
    cuts of others.

    >>> near_maps(["yungstown"])
    ('youngstown',)
    """
    names = {said: name for _, name, spelt in _spelt() if len(spelt) == 1 for said in spelt}
    near = [found for word in words for found in difflib.get_close_matches(word, names, 3, 0.6)]
    return tuple(dict.fromkeys(names[found] for found in near)) or _boards()


def _boards() -> tuple[str, ...]:
    return tuple(sorted(
        name for system in all_systems() for name in system.maps() if system.cut_from(name) == name
    ))


def opening_table(system: GameSystem) -> Table:
    """Return the table of a system's first map, as every game on it begins."""
    name = next(iter(system.maps()))
    return system.table(name, system.opening(name, {}, Dice(bytes(32), 0)), {})


def forget() -> None:
    """Look anew when next asked: something was installed or removed meanwhile."""
    plugins.forget()
    for kept in (_found, _all, find_system):
        kept.cache_clear()
