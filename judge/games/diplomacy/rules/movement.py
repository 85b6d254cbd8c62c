"""Movement: from orders to decided battles.

Orders become legal or void first. Then every support and path is decided that needs no strength.
Then a worklist decides battles, and examines again only those where something changed. All that is
open after it is a ring or a paradox (`cycles`). Every decision of the worklist holds in every
consistent reading of the rules, so the order of the work cannot matter.
"""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import assert_never

from judge.board.map import Map, province_of
from judge.board.position import Position
from judge.games.diplomacy.rules.convoys import offer, settle_path
from judge.games.diplomacy.rules.cycles import find_cycle, resolve_cycle
from judge.games.diplomacy.rules.movement_state import (
    CONVOY,
    MOVE,
    OK,
    OPEN,
    SUPPORT,
    Battle,
    MovementState,
    UnitState,
    decide,
)
from judge.games.diplomacy.rules.moves import open_battles, plan_move
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
    order_text,
)
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.rules.supports import match_support, settle_support
from judge.model.phrase import phrase

_RANK = attrgetter("rank")


def settle_movement(
    board: Map, position: Position, orders: Mapping[str, Sequence[Order]], rules: Rules
) -> MovementState:
    """Return all units and battles of a movement phase with every fact decided."""
    field = MovementState(board, rules)
    at, stations = field.at, board.stations
    for power, units in position.units.items():
        for station in sorted([stations[unit] for unit in units], key=_RANK):
            at[station.province] = UnitState(power, station)
    if rules.friendly_fire:
        for piece in at.values():
            piece.side = piece.province
    _assign_orders(field, orders)
    _prepare(field)
    _settle(field)
    for battle in field.battles.values():
        holder, winner = battle.holder, battle.winner
        if winner and holder and not (holder.task is MOVE and holder.fact is OK):
            field.beaten[holder] = winner
    return field


def _assign_orders(field: MovementState, orders: Mapping[str, Sequence[Order]]) -> None:
    """Give every unit its order.

    Units are identified by their province alone: a wrong letter or coast of the unit ordered is
    ignored (DATC 4.B.5, 4.C.2). Of several orders for a unit the last one counts.
    """
    at = field.at
    for power, given in orders.items():
        for order in given:
            place = "" if isinstance(order, Waive) else order.unit.place
            piece = at.get(place) or at.get(province_of(place))
            if piece is None:
                reason = phrase("no-unit", place=province_of(place))
                field.strays.append((power, order, reason))
            elif piece.power != power:
                reason = phrase("not-your-unit", place=piece.province, power=piece.power)
                field.strays.append((power, order, reason))
            else:
                if piece.order:
                    reason = phrase("ordered-again", unit=str(piece.unit))
                    field.strays.append((power, piece.order, reason))
                piece.order = order


def _prepare(field: MovementState) -> None:
    """Process orders by their dependencies: convoys, then moves, then supports."""
    moves: list[tuple[UnitState, Move]] = []
    supports: list[tuple[UnitState, Support]] = []
    for piece in field.at.values():
        order = piece.order
        match order:
            case Move():
                moves.append((piece, order))
            case Support():
                supports.append((piece, order))
            case Convoy():
                offer(field, piece, order)
            case Hold() | None:
                pass
            case Retreat() | Disband() | Build() | Waive():
                text = order_text(order)
                piece.fault = phrase("wrong-phase", order=text, phase="movement")
            case _:
                assert_never(order)
    for piece, move in moves:
        plan_move(field, piece, move)
    open_battles(field)
    for piece, support in supports:
        match_support(field, piece, support)
    for piece, _ in supports:
        if piece.fact is OPEN:
            settle_support(field, piece)


def _settle(field: MovementState) -> None:
    # The list is worked from its end: battles whose holder stays come first, so that trains unroll
    # from their head.
    todo: list[Battle] = []
    staying: list[Battle] = []
    battles = field.battles
    for battle in battles.values():
        holder = battle.holder
        if holder is None:
            decide(battle)
        elif holder.task is MOVE:
            todo.append(battle)
        else:
            staying.append(battle)
    todo += staying
    while True:
        while todo:
            battle = todo.pop()
            if battle.undecided:
                for piece in decide(battle):
                    behind = battles.get(piece.province)
                    if behind and behind.undecided:
                        todo.append(behind)
                holder = battle.holder
                if holder and (holder.task is SUPPORT or holder.task is CONVOY):
                    todo += _affected_battles(field, holder)
        todo = [battle for battle in battles.values() if battle.undecided]
        if not todo:
            return
        resolve_cycle(field, find_cycle(field, todo))
        _retest(field)


def _affected_battles(field: MovementState, holder: UnitState) -> list[Battle]:
    """Return the battles to examine again after the one for a holder's province.

    They are those that depend on its support or its convoy.
    """
    if holder.task is CONVOY:
        return _paths_retested(field, holder)
    return _support_retested(field, holder) if holder.fact is OPEN else []


def _support_retested(field: MovementState, piece: UnitState) -> list[Battle]:
    """Decide a support if that is possible now. Return the battles it counts in."""
    if not settle_support(field, piece):
        return []
    places = {piece.goal, piece.helped}
    return [field.battles[place] for place in sorted(places) if place in field.battles]


def _paths_retested(field: MovementState, fleet: UnitState) -> list[Battle]:
    """Decide the paths over a fleet's sea where possible. Return their battles."""
    again: list[Battle] = []
    for army in field.crossings:
        if army.path is OPEN and fleet in army.fleets:
            settle_path(field, army)
            if army.path is not OPEN:
                again += _path_dependents(field, army)
    return again


def _path_dependents(field: MovementState, army: UnitState) -> list[Battle]:
    """Return the battles that depend on a path, directly or through a support there."""
    battle = field.battles[army.goal]
    holder = battle.holder
    if holder and holder.task is SUPPORT and holder.fact is OPEN:
        return [battle, *_support_retested(field, holder)]
    return [battle]


def _retest(field: MovementState) -> None:
    """Decide all paths and supports that can be after a cycle was resolved."""
    for army in field.crossings:
        if army.path is OPEN:
            settle_path(field, army)
    for piece in field.at.values():
        if piece.task is SUPPORT and piece.fact is OPEN:
            settle_support(field, piece)
