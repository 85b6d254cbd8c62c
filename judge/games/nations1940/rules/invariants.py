"""Invariants of a game (N-175).

A state that breaks one is a fault of the judge or of a master.
"""

from collections.abc import Iterator

from judge.games.nations1940.rules.diplomacy import MAX_EXCHANGES
from judge.games.nations1940.rules.state import EXCHANGE, NAP, TREATIES, WAR, bond
from judge.games.nations1940.rules.world import World


def broken(world: World) -> list[str]:
    """Return a description of each broken invariant."""
    return [*_places(world), *_nations(world), *_bonds(world)]


def _places(world: World) -> Iterator[str]:
    for n, province in world.provinces.items():
        for counts in (province.armies, province.mobile_hq, province.fleets):
            for nation, count in counts.items():
                if count <= 0 or not world.nations[nation].alive:
                    yield f"{n}: {count} units of {nation}"
        for nation in province.fleets:
            if not world.is_friendly(nation, n):
                yield f"{n}: fleets of {nation} docked without right"
        if province.owner:
            if province.neutral or not world.nations[province.owner].alive:
                yield f"{n}: owned by {province.owner}, neutral armies {province.neutral}"
        elif province.neutral not in (0, 1) or province.due_to:
            yield f"{n}: {province.neutral} neutral armies, due to {province.due_to!r}"
        for nation in {*province.armies, *province.mobile_hq}:
            owner = province.owner
            if not owner or not (world.is_allied(nation, owner) or world.is_at_war(nation, owner)):
                yield f"{n}: {nation} stands where it may not"
        if province.fallout < 0 or province.populous and province.fallout:
            yield f"{n}: fallout {province.fallout}, populous {province.populous}"
        if "POR" in province.improvements and not world.board.coasts(n):
            yield f"{n}: an inland Port"
    for sea, counts in world.seas.items():
        if any(count <= 0 or not world.nations[code].alive for code, count in counts.items()):
            yield f"{sea}: {counts}"


def _nations(world: World) -> Iterator[str]:
    for code in world.alive:
        nation = world.nations[code]
        if world.provinces[nation.capital].owner != code:
            yield f"{code}: capital {nation.capital} is not its own"
        if world.provinces[nation.capital].due_to:
            yield f"{code}: capital {nation.capital} is sold"
        if world.exchanges(code) > MAX_EXCHANGES:
            yield f"{code}: {world.exchanges(code)} exchanges"
        for tech in nation.techs:
            if not {*world.board.techs[tech].requires} <= nation.techs:
                yield f"{code}: knows {tech} without its requirements"
        if any(rp < 0 for rp in nation.progress.values()):
            yield f"{code}: {nation.progress}"


def _bonds(world: World) -> Iterator[str]:
    for one in world.bonds:
        named = f"{one.kind} of {one.a} and {one.b}"
        if one.kind == EXCHANGE and bond(NAP, one.a, one.b) not in world.bonds:
            yield f"{named}: exchange without NAP"
        if one.kind in TREATIES and bond(WAR, one.a, one.b) in world.bonds:
            yield f"{named}: treaty at war"
        if one.a >= one.b or not all(world.nations[code].alive for code in (one.a, one.b)):
            yield f"{named}: no such pair"
