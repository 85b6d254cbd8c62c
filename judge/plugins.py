"""Installed game systems, declared by packages as entry points `judge.games`.

A package declares `toss = judge_toss:SYSTEM` in its metadata, where `toss` is the name of the
system and `SYSTEM` implements the contract (`judge/games/system.py`; `docs/build/systems.md` builds
one).
The judge's own systems are declared in `setup.cfg` in the same way. Only names are read here; a
system is imported on first use. One that cannot be imported is represented by a `BrokenPlugin` and
does not affect the others.
"""

import traceback
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources.abc import Traversable
from typing import NamedTuple

GROUP = "judge.games"


class BrokenPlugin(NamedTuple):
    """An installed system that is unusable: its package, the reason and a traceback."""

    name: str
    package: str
    why: str
    story: str = ""


@cache
def entry_points_by_name() -> Mapping[str, EntryPoint]:
    """Return the entry points by name of the system, without importing them.

    If two packages declare the same name, the one whose own name sorts first is used, and
    `duplicate_names` returns the other.
    """
    return {point.name: point for point in reversed(_points())}


def duplicate_names() -> tuple[BrokenPlugin, ...]:
    """Return the systems declared under a name that another package has already."""
    chosen = entry_points_by_name()
    return tuple(
        BrokenPlugin(
            point.name, package_of(point), f"{package_of(chosen[point.name])} has that name too"
        )
        for point in _points()
        if point != chosen[point.name]
    )


@cache
def _points() -> tuple[EntryPoint, ...]:
    return tuple(sorted(entry_points(group=GROUP), key=lambda each: (each.name, package_of(each))))


def package_of(point: EntryPoint) -> str:
    """Return the package of an entry point, with its version ("judge-toss 1.0")."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


@cache
def load_plugin(name: str) -> object:
    """Return the object declared under a name, importing it now.

    A `BrokenPlugin` if the import fails, None if the name is not declared.
    """
    point = entry_points_by_name().get(name)
    if point is None:
        return None
    try:
        return point.load()
    except (Exception, SystemExit) as fault:
        # Third-party code may raise any exception.
        why = f"it cannot be imported: {fault!r}"
        return BrokenPlugin(name, package_of(point), why, traceback.format_exc())


def texts_of(name: str) -> Traversable | None:
    """Return the folder of a system's templates and phrases, or None."""
    found = getattr(load_plugin(name), "texts", None)
    return found if isinstance(found, Traversable) else None


def keeps_english(name: str) -> bool:
    """Return whether a system's positions and results are English in all languages."""
    return bool(getattr(load_plugin(name), "keeps_english", False))


def clear_caches() -> None:
    """Clear the plugin caches."""
    for kept in (entry_points_by_name, _points, load_plugin):
        kept.cache_clear()
