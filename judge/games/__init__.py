"""Registry of the game systems, which packages declare as entry points.

A new system changes no file of the judge. `judge.plugins` finds the declared systems; those that
keep the contract of `system.py` (`contract`) are registered here. The others are left out and
listed by `broken_systems`, without affecting the rest. No system imports another.
"""

import difflib
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

from judge import plugins
from judge.board.bundle import is_key, name_in_key
from judge.dice import Dice
from judge.games.added_maps import no_source
from judge.games.contract import first_head, first_violation
from judge.games.missing_system import MissingSystem
from judge.games.system import GameSystem, Table
from judge.model.order_words import PhaseHead
from judge.plugins import BrokenPlugin


@cache
@no_source()
def _load_system(name: str) -> GameSystem | BrokenPlugin | None:
    """Return a system by name, the reason it is unusable, or None if not installed."""
    system = plugins.load_plugin(name)
    if system is None or isinstance(system, BrokenPlugin):
        return system
    fault = first_violation(name, system)
    if fault:
        return BrokenPlugin(
            name, plugins.package_of(plugins.entry_points_by_name()[name]), fault.why, fault.story
        )
    assert isinstance(system, GameSystem)
    return system


@cache
@no_source()
def _all() -> tuple[tuple[GameSystem, ...], tuple[BrokenPlugin, ...]]:
    systems: list[GameSystem] = []
    faults = [*plugins.duplicate_names()]
    owner: dict[str, str] = {}
    for name in sorted(plugins.entry_points_by_name()):
        found = _load_system(name)
        if isinstance(found, GameSystem):
            shared = [each for each in found.maps() if each in owner]
            if not shared:
                owner |= dict.fromkeys(found.maps(), name)
                systems.append(found)
                continue
            package = plugins.package_of(plugins.entry_points_by_name()[name])
            found = BrokenPlugin(
                name, package, f"{owner[shared[0]]} has a map called {shared[0]} too"
            )
        if found is not None:
            faults.append(found)
    return tuple(systems), tuple(faults)


def all_systems() -> tuple[GameSystem, ...]:
    """Return every usable game system, in the order of names."""
    return _all()[0]


def broken_systems() -> tuple[BrokenPlugin, ...]:
    """Return the unusable systems, with the reasons."""
    return _all()[1]


def is_installed(name: str) -> bool:
    """Return whether there is a usable game system of this name."""
    return isinstance(_load_system(name), GameSystem)


def is_playable(system: str, map_name: str) -> bool:
    """Return whether games of a system on a map can go on: both are usable."""
    found = _load_system(system)
    return isinstance(found, GameSystem) and not found.map_fault(map_name)


def find_head(line: str) -> PhaseHead | None:
    """Return the phase named at the beginning of a line, in any usable system.

    >>> find_head("F1901M: A Par - Bur")
    PhaseHead(label='F1901M', rest='A Par - Bur', is_turn=False)
    """
    return first_head(all_systems(), line)


@cache
def find_system(name: str) -> GameSystem:
    """Return a game system by name, or a `MissingSystem` if it is unusable."""
    found = _load_system(name)
    if isinstance(found, GameSystem):
        return found
    if found is None:
        return MissingSystem(name, f"no game system {name!r} is installed")
    return MissingSystem(name, f"{name!r} of {found.package} cannot be used: {found.why}")


def find_map(name: str) -> GameSystem | None:
    """Return the system that has a map, or None."""
    for system in all_systems():
        if system.map_title(name) is not None:
            return system
    return None


def map_names() -> frozenset[str]:
    """Return the names of the maps that games can be created on, without hashes."""
    return frozenset(name_in_key(name) for system in all_systems() for name in system.maps())


def title_of(map_name: str) -> str:
    """Return the title of a map, or its name if no system has the map now."""
    system = find_map(map_name)
    return (system.map_title(map_name) if system else None) or name_in_key(map_name)


class MapMatch(NamedTuple):
    """The maps that words name, with the words that name them."""

    maps: tuple[str, ...]
    words: frozenset[str]


_FILLING = frozenset("v vs versus map variant".split())
"""Words between the words for a map that name none."""


def match_maps(words: Collection[str]) -> MapMatch:
    """Return the maps named by words, in any order.

    A map is named by its own name or by its other names. A name that has all the words of another
    and more takes precedence over it. If a part of a map is named, the map itself is left out.

    >>> match_maps(["gunboat", "youngstown", "blind"]).maps
    ('youngstown',)
    """
    typed = {*words}
    found = [(system, name, said) for system, name, said in _spelt() if said <= typed]
    best = [
        (system, name, said) for system, name, said in found
        if not any(said < other for _, _, other in found)
    ]
    boards = {system.base_map(name) for system, name, _ in best if system.base_map(name) != name}
    named = dict.fromkeys(name for _, name, _ in best if name not in boards)
    used = {word for _, _, said in best for word in said}
    return MapMatch((*named,), frozenset({*used, *(_FILLING & typed if named else ())}))


def _spelt() -> Iterator[tuple[GameSystem, str, frozenset[str]]]:
    """Yield each map with each way to name it, as a set of words.

    A word that names a map of a package names no added map, which may be older.
    """
    found: list[tuple[GameSystem, str, frozenset[str]]] = []
    for system in all_systems():
        found += ((system, name, frozenset({name})) for name in system.maps())
        words = system.map_words().items()
        found += ((system, name, frozenset(said.split())) for said, name in words)
    shipped = {said for _, name, said in found if not is_key(name)}
    yield from (each for each in found if not (is_key(each[1]) and each[2] in shipped))


@no_source()
def reserved_words() -> frozenset[str]:
    """Return the words for systems and their own maps.

    No added map can have one of them as its name.
    """
    systems = {system.name for system in all_systems()}
    shipped = (said for _, name, said in _spelt() if not is_key(name))
    return frozenset(word for said in shipped for word in said) | _FILLING | systems


def words_for_maps() -> frozenset[str]:
    """Return every word that helps to name a map."""
    return frozenset(word for _, _, said in _spelt() for word in said) | _FILLING


def near_maps(words: Collection[str]) -> tuple[str, ...]:
    """Return the names of maps similar to a word, or else those of all whole maps.

    >>> near_maps(["yungstown"])
    ('youngstown',)
    """
    names = {said: name for _, name, spelt in _spelt() if len(spelt) == 1 for said in spelt}
    near = [found for word in words for found in difflib.get_close_matches(word, names, 3, 0.6)]
    return tuple(dict.fromkeys(name_in_key(names[found]) for found in near)) or _boards()


def _boards() -> tuple[str, ...]:
    return tuple(sorted(
        name_in_key(name) for system in all_systems() for name in system.maps()
        if system.base_map(name) == name
    ))


def opening_table(system: GameSystem) -> Table:
    """Return the table of the initial position on a system's first map."""
    name = next(iter(system.maps()))
    return system.table(name, system.initial_position(name, {}, Dice(bytes(32), 0)), {})


def clear_cache() -> None:
    """Clear the caches, after a system was installed or removed."""
    plugins.clear_caches()
    for kept in (_load_system, _all, find_system):
        kept.cache_clear()
