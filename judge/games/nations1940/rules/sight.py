"""What a reader sees of land and seas (N-160)."""

from collections.abc import Iterable

from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import Node


def seen_by(world: World, nation: str, *, is_master: bool = False) -> frozenset[Node]:
    """Return the places a nation sees into: its own, those its units are in, and what is linked to
    its own land; whoever has no nation sees none. A master sees all, with option `open` everybody.
    """
    everything: Iterable[Node] = (*world.board.lands, *world.board.seas)
    if is_master or world.settings.fog == "open":
        return frozenset(everything)
    if nation not in world.nations:
        return frozenset()
    found: set[Node] = set()
    for n, province in world.provinces.items():
        if province.owner == nation:
            found |= {n, *world.board.links[n]}
            continue
        units = (province.armies, province.mobile_hq, province.fleets)
        if any(nation in counts for counts in units):
            found.add(n)
    found |= {sea for sea, fleets in world.seas.items() if nation in fleets}
    return frozenset(found)
