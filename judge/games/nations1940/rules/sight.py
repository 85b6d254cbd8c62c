"""What a reader sees of land and seas (N-160)."""

from collections.abc import Iterable
from dataclasses import replace

from judge.games.nations1940.rules.state import State
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import Node
from judge.model.altered import altered


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


def veiled(world: World, state: State, nation: str) -> State:
    """Return a state with no more in it than a nation knows: what it does not see into is as if
    nothing stood or were built there, and of others it knows what is public (N-160)."""
    seen = seen_by(world, nation)
    return replace(
        state,
        nations={
            code: found if code == nation else altered(
                found, techs=frozenset(), queue=(), progress={}, spawn_order=(), shed_order=(),
                pi_malus=0,
            )
            for code, found in state.nations.items()
        },
        provinces={
            n: found if n in seen else altered(
                found, improvements=frozenset(), armies={}, mobile_hq={}, fleets={}, due_to="",
            )
            for n, found in state.provinces.items()
        },
        seas={sea: found for sea, found in state.seas.items() if sea in seen},
        deals=tuple(deal for deal in state.deals if nation in (deal.by, deal.to)),
        ordered=(),
        acts=(),
    )  # fmt: skip
