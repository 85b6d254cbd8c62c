"""Convoys: legality of orders, useful fleets, and intact paths."""

from collections.abc import Iterator
from heapq import heappop, heappush

from judge.board.map import ARMY, Map, Terrain, Unit, province_of
from judge.games.diplomacy.rules.movement_state import (
    CONVOY,
    FAIL,
    OK,
    OPEN,
    MovementState,
    Resolution,
    UnitState,
)
from judge.games.diplomacy.rules.orders import Convoy
from judge.model.phrase import Phrase, phrase


def explain_no_convoy(board: Map, unit: Unit) -> Phrase:
    """Return why a unit cannot convoy where it is, by map and options."""
    if board.coastal_convoys:
        code = "cannot-convoy-coasts"
    elif any(p.terrain is Terrain.PORT for p in board.provinces.values()):
        code = "cannot-convoy-ports"
    else:
        code = "cannot-convoy"
    return phrase(code, unit=str(unit), place=unit.province)


def offer(field: MovementState, fleet: UnitState, order: Convoy) -> None:
    """Record a convoy order, or the reason why it is illegal.

    Fleets convoy only where the map allows it, and only an army on the board from coast to coast.
    """
    start, end = province_of(order.army.place), province_of(order.to)
    coastal, army = field.board.coastal, field.at.get(start)
    fleet.bit = field.board.sea_bit[fleet.province]
    if not fleet.bit:
        fleet.fault = explain_no_convoy(field.board, fleet.unit)
    elif army is None:
        fleet.fault = phrase("convoy-nobody", place=start)
    elif army.unit.kind is not ARMY:
        fleet.fault = phrase("only-armies-by-sea", unit=str(army.unit))
    elif fleet.province == end:
        fleet.fault = phrase("convoy-to-itself", unit=str(fleet.unit), place=end)
    elif start == end:
        fleet.fault = phrase("same-place", place=end)
    elif not (start in coastal and end in coastal):
        fleet.fault = phrase("helped-cannot-reach", unit=str(army.unit), place=end)
    else:
        fleet.task, fleet.goal, fleet.helped = CONVOY, end, start
        offers = field.offers.setdefault(start, {})
        offers[end] = (*offers.get(end, ()), fleet)


def is_useful(board: Map, sea: int, start: str, end: str, fleets: int) -> bool:
    """Return whether a fleet is on a route through *fleets* without a short cut.

    *sea* is one bit and *fleets* a set of bits, as `Map.sea_bits` makes them.

    Such a route has no short cut: only its first fleet touches the start, only its last the end,
    and no fleet touches any other but its neighbours on the way. A convoy by a fleet that is on
    none through the fleets on the board is illegal (DATC 4.E.1, 6.G.19).
    """
    touch_start, touch_end = board.seas_beside[start], board.seas_beside[end]
    if sea & touch_start & touch_end:
        return True
    fleets &= ~board.sea_bit[end]
    if not board.joins(start, end, fleets & ~sea):
        return board.joins(start, end, fleets)
    # A fleet that touches both ends is a route by itself, and thus a short cut on any other.
    others = fleets & ~(touch_start & touch_end)
    search = _RouteSearch(board.beside_by_index, touch_end, sea)
    left = others & ~touch_start
    return any(search.leads_on(first, left) for first in _each(others & touch_start))


def missing_seas(board: Map, start: str, end: str, fleets: int) -> tuple[str, ...]:
    """Return the seas without a fleet on the route that lacks the fewest fleets.

    *fleets* is a set of bits, as `Map.sea_bits` makes them. Empty where no route by sea exists.
    """
    open_sea = {bit: sea for sea, bit in board.sea_bit.items() if bit and sea != end}
    routes: list[tuple[int, tuple[str, ...], int]] = [
        (0, (), bit) for bit in _each(board.seas_beside[start]) if bit in open_sea
    ]
    visited = 0
    while routes:
        _, missing, bit = heappop(routes)
        if visited & bit:
            continue
        visited |= bit
        missing += () if bit & fleets else (open_sea[bit],)
        if bit & board.seas_beside[end]:
            return missing
        for further in _each(board.beside_by_index[bit.bit_length() - 1] & ~visited):
            if further in open_sea:
                heappush(routes, (len(missing), missing, further))
    return ()


class _RouteSearch:
    """Search for a route without short cuts over one fleet's sea."""

    def __init__(self, beside: tuple[int, ...], touch_end: int, wanted: int) -> None:
        self._beside = beside
        self._touch_end = touch_end
        self._wanted = wanted

    def leads_on(self, sea: int, left: int, *, is_met: bool = False) -> bool:
        """Return whether a route leads from a sea to the end, through seas that are left.

        Each step leaves out the seas next to the one just left, because touching them again would
        be a short cut. A step from which the wanted fleet or the end is out of reach is not taken.
        """
        is_met = is_met or sea == self._wanted
        if sea & self._touch_end:
            return is_met
        beside = self._beside[sea.bit_length() - 1]
        reached = self._flood(sea, left)
        if not (reached & self._touch_end and (is_met or reached & self._wanted)):
            return False
        further = left & ~beside
        return any(self.leads_on(step, further, is_met=is_met) for step in _each(beside & left))

    def _flood(self, sea: int, left: int) -> int:
        reached = todo = sea
        while todo:
            low = todo & -todo
            new = self._beside[low.bit_length() - 1] & left & ~reached
            reached |= new
            todo = (todo ^ low) | new
        return reached


def _each(bits: int) -> Iterator[int]:
    """Yield the single bits of a bitset."""
    while bits:
        low = bits & -bits
        yield low
        bits ^= low


def settle_path(field: MovementState, army: UnitState) -> None:
    """Decide an army's path by sea, as far as its fleets are decided.

    A path is intact while one chain of its fleets is (DATC 5.B.4). Under some rules every fleet of
    every route must remain (DATC 4.A.1 a).
    """
    standing = certain = 0
    is_whole = True
    for fleet in army.fleets:
        fate = _stands(field, fleet)
        if fate is not FAIL:
            standing |= fleet.bit
            if fate is OK:
                certain |= fleet.bit
        elif field.rules.every_fleet:
            army.path = FAIL
            return
        else:
            is_whole = False
    joins = field.board.joins
    if not is_whole and not joins(army.province, army.goal, standing):
        army.path = FAIL
    elif certain == standing:
        army.path = OK
    elif not field.rules.every_fleet and joins(army.province, army.goal, certain):
        army.path = OK


def _stands(field: MovementState, fleet: UnitState) -> Resolution:
    """Return whether a fleet can go on convoying: neither dislodged nor disrupted."""
    if fleet.is_disrupted:
        return FAIL
    battle = field.battles.get(fleet.province)
    if battle is None:
        return OK
    if battle.winner:
        return FAIL
    return OPEN if battle.undecided else OK
