"""Step 5: displaced fleets, fallen capitals, eliminations (N-66, N-68 to N-73)."""

from judge.games.nations1940.rules.fleets import meet_displaced
from judge.games.nations1940.rules.retreating import put_to_sea, withdraw_armies
from judge.games.nations1940.rules.world import World

LOYAL = 50
"""Chance in per cent that a province stays loyal to its government."""


def flee(world: World, *, fighting: bool = True) -> None:
    """Move docked fleets to sea from all provinces not friendly to them (N-66).

    With *fighting* they fight the enemies in their sea region.
    """
    for n, province in sorted(world.provinces.items()):
        for nation in sorted(province.fleets):
            if not world.is_friendly(nation, n):
                count = province.fleets[nation]
                sea = put_to_sea(world, nation, n)
                if fighting:
                    meet_displaced(world, sea, nation, count)


def settle(world: World) -> None:
    """Restore old capitals, then settle fallen ones, in the order of nation codes."""
    for nation in world.alive:
        _restore(world, nation)
    for nation in world.alive:
        if world.provinces[world.nations[nation].capital].owner != nation:
            _fall(world, nation)


def _restore(world: World, nation: str) -> None:
    """Restore the old capital of a loyalist nation that owns it again (N-71, N-73)."""
    now = world.nations[nation]
    if now.loyalist and world.provinces[now.old_capital].owner == nation:
        world.reform(nation, capital=now.old_capital, old_capital=0, loyalist=False)
        world.record_event("capital-restored", nation=nation, at=now.old_capital)


def _fall(world: World, nation: str) -> None:
    """Settle the fall of a capital by loyalists or elimination (N-69, N-72)."""
    now = world.nations[nation]
    left = world.list_owned(nation)
    conqueror = world.provinces[now.capital].owner
    if now.loyalist or not left:
        eliminate(world, nation, conqueror)
        return
    capital = world.pick(f"newcap:{nation}", left)
    world.record_event(
        "capital-fallen", nation=nation, at=now.capital, to=conqueror, capital=capital
    )
    world.reform(nation, capital=capital, old_capital=now.capital, loyalist=True)
    world.add("armies", capital, nation)
    loyal, lost = [capital], list[int]()
    for n in left:
        if n != capital:
            stays = world.succeeds(f"loyal:{n}:{nation}", LOYAL)
            (loyal if stays else lost).append(n)
    for n in lost:
        neutral = 0 if conqueror else 1
        world.change(n, owner=conqueror, due_to="", neutral=neutral)
    world.record_event("loyalties", nation=nation, to=conqueror, loyal=sorted(loyal), lost=lost)
    for n in lost:
        withdraw_armies(world, nation, n, loyal)
        if nation in world.provinces[n].fleets and not world.is_friendly(nation, n):
            count = world.provinces[n].fleets[nation]
            meet_displaced(world, put_to_sea(world, nation, n), nation, count)


def eliminate(world: World, nation: str, by: str = "") -> None:
    """Eliminate a nation (N-72).

    Its provinces become neutral with one neutral army each. Its units, treaties, offers and deals
    are removed. *by* is the conqueror, empty without one.
    """
    land = world.list_owned(nation)
    for n, province in world.provinces.items():
        if province.owner == nation:
            world.change(n, owner="", due_to="", neutral=1)
        elif province.due_to == nation:
            world.change(n, due_to="")
        for what in ("armies", "mobile_hq", "fleets"):
            count = getattr(province, what).get(nation, 0)
            if count:
                world.add(what, n, nation, -count)
    for sea, found in world.seas.items():
        if nation in found:
            world.add_at_sea(sea, nation, -found[nation])
    world.bonds = {one for one in world.bonds if not one.joins(nation)}
    world.offers = [offer for offer in world.offers if nation not in (offer.by, offer.to)]
    world.deals = [deal for deal in world.deals if nation not in (deal.by, deal.to)]
    world.reform(nation, alive=False, queue=(), spawn_order=(), shed_order=())
    world.record_event("eliminated", nation=nation, by=by, land=land)
