"""Convoys: which are offered, when an army takes one, and whether its path stands."""

from judge.board.map import UnitKind, province_of
from judge.games.diplomacy.orders import Convoy, Move
from judge.games.diplomacy.pieces import Fact, Field, Piece, Task
from judge.words.reason import because


def offer(field: Field, fleet: Piece, order: Convoy) -> None:
    """Note a convoy order, or why it is illegal.

    Fleets convoy at sea only, and only an army on the board from one coast to another; a fleet
    that is on no route at all through the fleets on the board could never be of use (DATC 4.E.1,
    6.G.19).
    """
    start, end = province_of(order.army.place), province_of(order.to)
    provinces, army = field.board.provinces, field.at.get(start)
    if fleet.unit.kind is not UnitKind.FLEET or not provinces[fleet.province].terrain.may_convoy:
        fleet.fault = because("cannot-convoy", unit=str(fleet.unit), place=fleet.province)
    elif army is None:
        fleet.fault = because("convoy-nobody", place=start)
    elif army.unit.kind is not UnitKind.ARMY:
        fleet.fault = because("only-armies-by-sea", unit=str(army.unit))
    elif start == end:
        fleet.fault = because("same-place", place=end)
    elif not (provinces[start].terrain.is_coastal and provinces[end].terrain.is_coastal):
        fleet.fault = because("helped-cannot-reach", unit=str(army.unit), place=end)
    else:
        fleet.bit = 1 << field.board.index[fleet.province]
        if not is_useful(field, fleet, start, end):
            fleet.fault = because("convoy-useless", unit=str(army.unit), place=end)
            return
        fleet.task, fleet.goal, fleet.helped = Task.CONVOY, end, army
        field.offers[start, end] = (*field.offers.get((start, end), ()), fleet)


def is_useful(field: Field, fleet: Piece, start: str, end: str) -> bool:
    """Tell whether a fleet is on some route, without a fleet to spare, through those on the board.

    Such a route has no short cut: no fleet of it touches any other but the next, only the first
    touches the start and only the last the end.
    """
    board = field.board
    near_start, near_end = board.seas_beside[start], board.seas_beside[end]
    if fleet.bit & near_start & near_end:
        return True
    fleets = field.fleets
    if not board.joins(start, end, fleets):
        return False
    # Fleets touching both ends are routes by themselves, and so part of no other.
    fleets &= ~(near_start & near_end)
    beside = board.beside_by_index
    first = fleet.bit & near_start
    legs = _legs(beside, fleet.bit, near_start, fleets & ~near_end if not first else 0)
    del legs
    return _leads_on(beside, fleets, near_start, near_end, fleet.bit)


def settle_path(field: Field, army: Piece) -> None:
    """Settle whether an army may arrive by sea, as far as the fate of its fleets is known.

    A path stands while a chain of fleets stands (DATC 5.B.4); of several routes one is enough.
    The rulebook of 1971 wants every fleet of every route to stand (DATC 4.A.1 a).
    """
    standing = certain = 0
    for fleet in army.fleets:
        fate = _stands(field, fleet)
        if fate is not Fact.FAIL:
            standing |= fleet.bit
            if fate is Fact.OK:
                certain |= fleet.bit
        elif field.rules.paradox == "1971":
            army.path = Fact.FAIL
            return
    joins = field.board.joins
    if not joins(army.province, army.goal, standing):
        army.path = Fact.FAIL
    elif field.rules.paradox == "1971" and certain != standing:
        return
    elif joins(army.province, army.goal, certain):
        army.path = Fact.OK


def _stands(field: Field, fleet: Piece) -> Fact:
    """Return whether a fleet can go on convoying: neither dislodged nor disrupted."""
    if fleet.is_disrupted:
        return Fact.FAIL
    battle = field.battles.get(fleet.province)
    if battle is None:
        return Fact.OK
    if battle.winner:
        return Fact.FAIL
    return Fact.OPEN if battle.is_open else Fact.OK
