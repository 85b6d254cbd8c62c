"""Step 9: epidemics, fallout, attrition and spawning.

The rules are N-33 to N-37, N-131 and N-136 to N-138.
"""

from collections.abc import Collection

from judge.games.nations1940.rules.limits import max_army
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import BASE


def upkeep(
    world: World,
    hit: Collection[int],
    new_headquarters: Collection[int],
    before: "Before",
) -> None:
    """Carry out step 9 except for the random event.

    *hit* are the provinces struck by nuclear weapons this turn, where fallout does not decrease
    (N-131).
    """
    for n in sorted(world.provinces):
        if world.provinces[n].epidemic:
            _epidemic(world, n)
    for n, province in world.provinces.items():
        if province.fallout and n not in hit:
            world.change(n, fallout=province.fallout - 1)
    for nation in world.alive:
        limit = max_army(world, nation)
        if world.armies_of(nation) > limit:
            _shed(world, nation, limit)
        else:
            _spawn(world, nation, limit, _sites(world, nation, new_headquarters, before))


class Before:
    """Owners of provinces and places of capitals at the start of the turn (N-26)."""

    def __init__(self, world: World) -> None:
        self.owners = {n: province.owner for n, province in world.provinces.items()}
        self.capitals = {code: nation.capital for code, nation in world.nations.items()}


def _epidemic(world: World, n: int) -> None:
    """Apply the losses of an epidemic and its possible end (N-137).

    The technologies of the province's owner count (N-138).
    """
    province = world.provinces[n]
    kill, end = (
        world.strength(province.owner, key) if province.owner else BASE[key]
        for key in ("epidemic_kill", "epidemic_end")
    )
    nations = sorted(province.armies)
    if nations and world.succeeds(f"epikill:{n}", kill):
        victim = nations[0] if len(nations) == 1 else world.pick(f"epikill:{n}", nations)
        world.add("armies", n, victim, -1)
        world.record_event("epidemic-kills", at=n, nation=victim)
    if world.succeeds(f"epiend:{n}", end):
        world.change(n, epidemic=False)
        world.record_event("epidemic-ends", at=n)


def _shed(world: World, nation: str, limit: int) -> None:
    """Remove one army of a nation above its limit (N-34, N-35)."""
    holding = [n for n in sorted(world.provinces) if world.provinces[n].armies.get(nation)]
    wish = [n for n in world.nations[nation].shed_order if n in holding]
    if wish:
        at = wish[0]
    else:
        armies = [n for n in holding for _ in range(world.provinces[n].armies[nation])]
        at = world.pick(f"shed:{nation}", armies, only=(nation,))
    world.add("armies", at, nation, -1)
    world.record_event("shed", only=(nation,), nation=nation, at=at, limit=limit)


def _sites(
    world: World, nation: str, new_headquarters: Collection[int], before: Before
) -> list[int]:
    """Return the provinces where armies may appear, in order (N-24, N-25).

    The capital comes first, then the standing list, then the rest by number.
    """
    now = world.nations[nation]
    rest = [
        n for n in sorted(world.list_owned(nation))
        if "HQ" in world.provinces[n].improvements and n not in new_headquarters
        and before.owners[n] == nation and n != now.capital
    ]  # fmt: skip
    listed = [n for n in now.spawn_order if n in rest]
    capital = [now.capital] if before.capitals[nation] == now.capital else []
    return [*capital, *listed, *(n for n in rest if n not in listed)]


def _spawn(world: World, nation: str, limit: int, sites: list[int]) -> None:
    """Place one army at each site until the limit is reached (N-27).

    Sites with fallout or an epidemic get none.
    """
    room = limit - world.armies_of(nation)
    for n in sites:
        province = world.provinces[n]
        if room <= 0:
            return
        if not province.fallout and not province.epidemic:
            world.add("armies", n, nation)
            world.record_event("spawned", only=(nation,), nation=nation, at=n)
            room -= 1
