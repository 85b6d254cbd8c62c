"""Visibility of land and seas (N-160)."""

from collections.abc import Iterable

from judge.games.nations1940.rules.state import NationsState
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import Node
from judge.model.replace import replace


def seen_by(world: World, nation: str, *, is_master: bool = False) -> frozenset[Node]:
    """Return the places that a nation sees into.

    These are its own provinces, the places linked to them, and the places with its units. A master
    sees all, and so does everyone with the option `open`. A viewer without a nation sees none.
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


def apply_fog(world: World, state: NationsState, nation: str) -> NationsState:
    """Return *state* with everything hidden from *nation* removed (N-160).

    Provinces that it does not see into have no units and no improvements. Of other nations only
    public facts remain.
    """
    seen = seen_by(world, nation)
    return replace(
        state,
        nations={
            code: found if code == nation else replace(
                found, techs=frozenset(), queue=(), progress={}, spawn_order=(), shed_order=(),
                pi_malus=0,
            )
            for code, found in state.nations.items()
        },
        provinces={
            n: found if n in seen else replace(
                found, improvements=frozenset(), armies={}, mobile_hq={}, fleets={}, due_to="",
            )
            for n, found in state.provinces.items()
        },
        seas={sea: found for sea, found in state.seas.items() if sea in seen},
        deals=tuple(deal for deal in state.deals if nation in (deal.by, deal.to)),
        ordered=(),
        acts=(),
    )  # fmt: skip
