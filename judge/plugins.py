"""The game systems that are installed: what packages declare under the entry points `judge.games`.

A package says in its metadata `toss = judge_toss:SYSTEM`, where `toss` is the name of the system
and `SYSTEM` fills in the contract (`judge/games/system.py`; `docs/systems.md` builds one). Our own
are declared in `setup.cfg` and come in by the same door. Only names are read here; a system is
imported when it is first wanted. One that cannot be imported is a value, `Broken`: it stops no
other. Floor 0.
"""

import traceback
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources.abc import Traversable
from typing import NamedTuple

GROUP = "judge.games"


class Broken(NamedTuple):
    """A system that is installed and cannot be used: whose it is, why, and the story for the log.
    """

    name: str
    package: str
    why: str
    story: str = ""


@cache
def declared() -> Mapping[str, EntryPoint]:
    """Return what is declared, by the name of the system; nothing of it is imported.

    Of two packages that declare the same name neither can know which one is meant: the first by the
    name of its package stays, and `doubled` names the other.
    """
    return {point.name: point for point in reversed(_points())}


def doubled() -> tuple[Broken, ...]:
    """Return what is declared under a name that another package has already."""
    chosen = declared()
    return tuple(
        Broken(point.name, package_of(point), f"{package_of(chosen[point.name])} has that name too")
        for point in _points()
        if point != chosen[point.name]
    )


@cache
def _points() -> tuple[EntryPoint, ...]:
    return tuple(sorted(entry_points(group=GROUP), key=lambda each: (each.name, package_of(each))))


def package_of(point: EntryPoint) -> str:
    """Return the package that declares something, with its version ("judge-toss 1.0")."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


@cache
def loaded(name: str) -> object:
    """Return what a declared name stands for, imported now; `Broken` where that fails, None where
    nobody declares it."""
    point = declared().get(name)
    if point is None:
        return None
    try:
        return point.load()
    except (Exception, SystemExit) as fault:
        # A package of somebody else may fail in any way there is.
        why = f"it cannot be imported: {fault!r}"
        return Broken(name, package_of(point), why, traceback.format_exc())


def texts_of(name: str) -> Traversable | None:
    """Return the folder of a system's letters and sentences; None where it has none."""
    found = getattr(loaded(name), "texts", None)
    return found if isinstance(found, Traversable) else None


def keeps_english(name: str) -> bool:
    """Tell whether texts of every language have a system's positions and results in English."""
    return bool(getattr(loaded(name), "keeps_english", False))


def forget() -> None:
    """Look anew when next asked: something was installed or removed meanwhile."""
    for kept in (declared, _points, loaded):
        kept.cache_clear()
