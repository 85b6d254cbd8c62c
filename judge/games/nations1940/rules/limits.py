"""Limits of a nation: Max.Army, Research Points, improvements a turn.

Each sum is a list of its parts, as reports print it (N-162).
"""

from collections.abc import Collection
from typing import NamedTuple

from judge.games.nations1940.rules.world import World


class LimitTerm(NamedTuple):
    """One summand: its reason, the number of items and their total."""

    what: str
    times: int
    gives: int


def army_parts(world: World, code: str) -> list[LimitTerm]:
    """Return the parts of Max.Army (N-23).

    In fallout neither the capital nor a populous province counts (N-130). A populous province gives
    2 in a Monarchy, else 1. The capital gives 1 in a Dictatorship, else 2 (N-145, N-146).
    """
    owned = world.list_owned(code)
    nation = world.nations[code]
    clean = [n for n in owned if not world.provinces[n].fallout]
    populous = [n for n in clean if world.provinces[n].populous]
    parts = [LimitTerm("provinces", len(owned), len(owned))]
    if nation.capital in clean:
        parts.append(LimitTerm("capital", 1, 1 if nation.government == "Dictatorship" else 2))
    people = 2 if nation.government == "Monarchy" else 1
    parts.append(LimitTerm("populous", len(populous), people * len(populous)))
    parts.append(LimitTerm("techs", 1, world.strength(code, "army_cap")))
    exchanges = world.exchanges(code)
    parts.append(LimitTerm("exchanges", exchanges, exchanges))
    return [part for part in parts if part.gives]


def max_army(world: World, code: str) -> int:
    """Return Max.Army, never below 0."""
    return max(0, sum(part.gives for part in army_parts(world, code)))


def research_parts(world: World, code: str, unready: Collection[int] = ()) -> list[LimitTerm]:
    """Return the parts of the RP of a turn (N-87, N-145, N-146).

    Technologies and traits are one part. Academies in *unready* provinces were built this turn and
    do not count yet.
    """
    nation = world.nations[code]
    academies = [
        n for n in world.list_owned(code)
        if "ACA" in world.provinces[n].improvements and n not in unready
    ]  # fmt: skip
    each = 2 + world.strength(code, "rp_per_academy")
    parts = [LimitTerm("academies", len(academies), each * len(academies))]
    if nation.government == "Republic" and nation.capital in academies:
        parts.append(LimitTerm("court", 1, 1))
    parts.append(LimitTerm("techs", 1, world.strength(code, "rp")))
    exchanges = world.exchanges(code)
    parts.append(LimitTerm("exchanges", exchanges, 2 * exchanges))
    if nation.government == "Monarchy":
        parts.append(LimitTerm("monarchy", 1, -3))
    return [part for part in parts if part.gives]


def research_points(world: World, code: str, unready: Collection[int] = ()) -> int:
    """Return the RP of a turn, never below 0."""
    return max(0, sum(part.gives for part in research_parts(world, code, unready)))


def improvement_limit(world: World, code: str) -> int:
    """Return how many improvements may be built or dismantled in a turn (N-93).

    It is at least 1.
    """
    factories = sum("FAC" in world.provinces[n].improvements for n in world.list_owned(code))
    nation = world.nations[code]
    return max(1, 3 + factories // 4 + world.strength(code, "pi") - nation.pi_malus)
