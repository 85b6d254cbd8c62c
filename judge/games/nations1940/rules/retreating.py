"""Refuge of units: the nearest land for armies, the sea for fleets (N-66, N-113)."""

from collections.abc import Collection

from judge.games.nations1940.rules.world import World


def nearest(
    world: World, nation: str, start: int, among: Collection[int] | None = None
) -> int | None:
    """Return the nearest own province by number of land links, or None.

    Among equals it is the one with the lowest number. *among* limits the choice. The default is all
    own provinces that are not sold to another nation.
    """
    if among is None:
        among = [n for n in world.list_owned(nation) if not world.provinces[n].due_to]
    seen = edge = {start}
    while edge:
        edge = {near for n in edge for near in world.board.roads.get(n, {})} - seen
        if found := edge & set(among):
            return min(found)
        seen = seen | edge
    return None


def withdraw_armies(
    world: World, nation: str, start: int, among: Collection[int] | None = None
) -> None:
    """Move a nation's armies and Mobile HQs in a province to its nearest own one.

    They are disbanded if none can be reached (N-70, N-113).
    """
    province = world.provinces[start]
    armies, hqs = province.armies.get(nation, 0), province.mobile_hq.get(nation, 0)
    if not armies and not hqs:
        return
    goal = nearest(world, nation, start, among)
    for what, count in (("armies", armies), ("mobile_hq", hqs)):
        if count:
            world.add(what, start, nation, -count)
            if goal:
                world.add(what, goal, nation, count)
    world.record_event(
        "home" if goal else "disbanded", nation=nation, count=armies, hqs=hqs, at=start,
        goal=goal or 0,
    )  # fmt: skip


def put_to_sea(world: World, nation: str, port: int) -> str:
    """Move a nation's docked fleets to a sea region drawn by the dice (N-66).

    Return the sea region.
    """
    count = world.provinces[port].fleets[nation]
    sea = world.pick(f"flee:{port}:{nation}", world.board.coasts(port))
    world.add("fleets", port, nation, -count)
    world.add_at_sea(sea, nation, count)
    world.record_event("flee", nation=nation, count=count, at=port, sea=sea)
    return sea
