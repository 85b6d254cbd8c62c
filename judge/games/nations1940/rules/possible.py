"""Orders that a nation can give now, for OPTIONS, examples and bots.

They use only what the nation sees. Each order is possible by itself. `legality` checks whether
several fit together.
"""

from collections.abc import Iterator

from judge.games.nations1940.rules.building import HQ_ARMIES
from judge.games.nations1940.rules.limits import improvement_limit
from judge.games.nations1940.rules.orders import (
    ArmyMove,
    Bomb,
    Cancel,
    Commission,
    Dismantle,
    ImprovementBuild,
    Order,
    Rail,
    Sail,
    Treaty,
    War,
)
from judge.games.nations1940.rules.railways import through
from judge.games.nations1940.rules.state import EXCHANGE, NAP, PACT, PEACE, bond
from judge.games.nations1940.rules.strikes import may_hit
from judge.games.nations1940.rules.visibility import seen_by
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import KINDS, Node, Tech, in_order


def can_enter(world: World, nation: str, n: int) -> bool:
    """Return whether armies of a nation may enter a province (N-32, N-112)."""
    province = world.provinces[n]
    if province.owner == nation and province.due_to:
        return False
    return world.is_friendly(nation, n) or world.is_hostile(nation, n)


def moves(world: World, nation: str) -> Iterator[ArmyMove]:
    """Yield marches of one step with all armies of a province, and ferries."""
    for n, province in sorted(world.provinces.items()):
        count = province.armies.get(nation, 0)
        if not count:
            continue
        for goal in sorted(world.board.roads.get(n, ())):
            if can_enter(world, nation, goal):
                yield ArmyMove(count, (n, goal))
        yield from _ferries(world, nation, n)


def _ferries(world: World, nation: str, n: int) -> Iterator[ArmyMove]:
    for sea in world.board.coasts(n):
        room = world.seas[sea].get(nation, 0) * world.strength(nation, "escort_capacity")
        if not room:
            continue
        count = min(room, world.provinces[n].armies.get(nation, 0))
        for goal in sorted(world.board.waters[sea], key=in_order):
            if isinstance(goal, int) and goal != n and can_enter(world, nation, goal):
                yield ArmyMove(count, (n, goal), (sea,), 1)


def rails(world: World, nation: str) -> Iterator[Rail]:
    """Yield rail moves to friendly provinces at least two steps away."""
    seen = seen_by(world, nation)
    usable = {
        n for n, province in world.provinces.items()
        if n in seen and "RAI" in province.improvements
        and world.is_friendly(nation, n) and not province.due_to
    }
    most = world.strength(nation, "rail_move")
    for n in sorted(usable):
        count = world.provinces[n].armies.get(nation, 0)
        if not count:
            continue
        for goal in sorted(usable - {n}):
            way = through(world, usable.__contains__, (n, goal))
            if way is not None and 2 <= len(way) - 1 <= most:
                yield Rail(count, way)


def sailings(world: World, nation: str) -> Iterator[Sail]:
    """Yield moves of fleets over one link."""
    seen = seen_by(world, nation)
    for place, count in fleets_of(world, nation):
        for goal in sorted(world.board.waters.get(place, ()), key=in_order):
            if isinstance(goal, str) or (
                goal in seen and world.is_friendly(nation, goal)
                and "POR" in world.provinces[goal].improvements
            ):
                yield Sail(count, (place, goal))


def fleets_of(world: World, nation: str) -> list[tuple[Node, int]]:
    """Return the places of a nation's fleets, with their numbers."""
    docked: list[tuple[Node, int]] = [
        (n, found) for n, p in sorted(world.provinces.items()) if (found := p.fleets.get(nation, 0))
    ]
    at_sea = [(sea, found) for sea, each in world.seas.items() if (found := each.get(nation, 0))]
    return [*docked, *at_sea]


def can_build(world: World, nation: str, kind: str, n: int) -> bool:
    """Return whether a nation may build an improvement in a province (N-96)."""
    province = world.provinces[n]
    if province.owner != nation or kind in province.improvements:
        return False
    match kind:
        case "POR":
            return bool(world.board.coasts(n))
        case "SIL":
            return bool(world.strength(nation, "missiles"))
        case "HQ":
            is_capital = world.nations[nation].capital == n
            return not is_capital and province.armies.get(nation, 0) >= HQ_ARMIES
    return True


def builds(world: World, nation: str) -> Iterator[ImprovementBuild]:
    """Yield the improvements that may be built, by kind."""
    if improvement_limit(world, nation):
        for kind in KINDS:
            yield from (
                ImprovementBuild(kind, n)
                for n in world.list_owned(nation)
                if can_build(world, nation, kind, n)
            )


def commissions(world: World, nation: str) -> Iterator[Commission]:
    """Yield the Ports where an army can become a fleet."""
    for n in world.list_owned(nation):
        province = world.provinces[n]
        if "POR" in province.improvements and province.armies.get(nation, 0):
            yield Commission(n)


def bombings(world: World, nation: str) -> Iterator[Bomb]:
    """Yield Bombing Actions against enemies in range."""
    reach = world.strength(nation, "air_range")
    for base in world.list_owned(nation):
        if "AIR" in world.provinces[base].improvements:
            for target in sorted(world.board.within(base, reach), key=in_order):
                if isinstance(target, int) and may_hit(world, nation, target, is_nuclear=False):
                    yield Bomb(target, base)


def researchable(world: World, nation: str) -> list[Tech]:
    """Return the technologies that a nation can start now, the cheapest first."""
    known = world.nations[nation].techs
    found = [
        tech for tech in world.board.techs.values()
        if tech.name not in known and all(need in known for need in tech.requires)
    ]
    return sorted(found, key=lambda tech: tech.cost)


def diplomacy(world: World, nation: str) -> Iterator[Order]:
    """Yield declarations, announcements and cancellations, nation by nation."""
    for other in world.alive:
        if other == nation:
            continue
        if world.is_at_war(nation, other):
            yield Treaty(PEACE, other)
            continue
        has_nap = bond(NAP, nation, other) in world.bonds
        for kind in (NAP, PACT, *((EXCHANGE,) if has_nap else ())):
            there = bond(kind, nation, other) in world.bonds
            yield Cancel(kind, other) if there else Treaty(kind, other)
        if world.turn:
            yield War(other)


def dismantlings(world: World, nation: str) -> Iterator[Dismantle]:
    """Yield the improvements that may be dismantled."""
    for n in world.list_owned(nation):
        yield from (Dismantle(kind, n) for kind in sorted(world.provinces[n].improvements))
