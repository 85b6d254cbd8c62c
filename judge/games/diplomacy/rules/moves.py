"""Moves by land and by sea: legality and battles (DATC 4.A.3, 4.B, 4.E.1)."""

from collections.abc import Mapping

from judge.board.map import ARMY, FLEET, Unit, province_of
from judge.games.diplomacy.rules.convoys import is_useful, settle_path
from judge.games.diplomacy.rules.movement_state import (
    FAIL,
    MOVE,
    OK,
    OPEN,
    Battle,
    MovementState,
    UnitState,
)
from judge.games.diplomacy.rules.orders import Move
from judge.model.phrase import Phrase, phrase


def plan_move(field: MovementState, piece: UnitState, order: Move) -> None:
    """Set up a unit's move as ordered, or record why it is illegal.

    All convoy orders must have been recorded before.
    """
    to, battles = order.to, field.battles
    # Inlined `province_of`, which would cost a call.
    goal = to.partition("/")[0] if "/" in to else to
    landing = piece.station.there.get(to)
    if landing is None or piece.province in field.offers or order.via or goal == field.frozen:
        _find_route(field, piece, order, goal)
        if piece.fault:
            if piece.fault.code == NO_OFFER:
                piece.task, piece.goal, piece.path = MOVE, goal, FAIL
            return
        piece.path = OPEN if piece.by_sea else OK
    else:
        # Fast path: most moves can only mean the way by land or along the coast.
        piece.landing = landing
        piece.path = OK
    piece.task, piece.goal, piece.fact, piece.in_duel = MOVE, goal, OPEN, False
    if goal in battles:
        battle = battles[goal]
        battle.attackers.append(piece)
        battle.undecided += 1
    else:
        battles[goal] = Battle(goal, field.at.get(goal), piece)


def _find_route(field: MovementState, piece: UnitState, order: Move, goal: str) -> None:
    """Find how a unit goes (by land, along the coast, by convoy), or why it cannot."""
    there = piece.station.there
    if goal == piece.province:
        piece.fault = phrase("same-place", place=goal)
    elif piece.unit.kind is FLEET:
        if order.to in there and goal != field.frozen:
            piece.landing = there[order.to]
        else:
            piece.fault = _sailing(field, piece, order.to, goal)
    elif goal in there and not (
        (order.via or piece.province in field.offers) and _goes_by_sea(field, piece, order, goal)
    ):
        piece.landing = there[goal]
    else:
        _embark(field, piece, goal)


NOBODY: Mapping[str, tuple[UnitState, ...]] = {}
"""Convoy orders for an army that no fleet is ordered to convoy."""

NO_OFFER = "convoy-not-ordered"
"""Code of the only fault that leaves a move a move (void, not illegal): no support to hold."""


def _sailing(field: MovementState, piece: UnitState, to: str, goal: str) -> Phrase | None:
    """Find the goal of a fleet whose order does not name it exactly.

    Return the reason if it cannot go (DATC 4.B.1 to 4.B.3).
    """
    board, rules = field.board, field.rules
    ways = piece.station.reach.get(goal)
    if not ways:
        return unreachable(field, piece, goal)
    if goal == field.frozen:
        return phrase("no-icebreaker", place=goal)
    # A coast that does not exist is ignored (4.B.6), but one that exists is meant.
    if to in board.sail and to != goal and rules.wrong_coast == "illegal":
        return phrase("wrong-coast", unit=str(piece.unit), place=to, open=_places(ways))
    if len(ways) > 1 or rules.missing_coast == "illegal" and to not in board.sail:
        return phrase("which-coast", place=goal, open=_places(ways))
    piece.landing = ways[0]
    return None


def _places(ways: tuple[Unit, ...]) -> tuple[str, ...]:
    return tuple(way.place for way in ways)


def unreachable(field: MovementState, piece: UnitState, goal: str) -> Phrase:
    """Return the reason why a unit cannot go to a province.

    Impassable provinces, and inland or sea provinces next to the unit, have reasons of their own.
    """
    terrain = field.board.provinces[goal].terrain
    if not terrain.takes_armies and not terrain.takes_fleets:
        return phrase("impassable", place=goal)
    if goal in field.board.near[piece.province]:
        if piece.unit.kind is FLEET and not terrain.takes_fleets:
            return phrase("inland", unit=str(piece.unit), place=goal)
        if piece.unit.kind is ARMY and not terrain.takes_armies:
            return phrase("at-sea", unit=str(piece.unit), place=goal)
    return phrase("cannot-reach", unit=str(piece.unit), place=goal)


def _goes_by_sea(field: MovementState, piece: UnitState, order: Move, goal: str) -> bool:
    """Return whether an army that could walk is meant to go by convoy (DATC 4.A.3).

    Under the rules since 2000: if its order has VIA, or if its own power convoys it.
    """
    offered = field.offers.get(piece.province, NOBODY).get(goal, ())
    if not offered and not order.via:
        return False
    match field.rules.intent:
        case "own_fleet":
            is_meant = order.via or any(
                is_useful(field.board, fleet.bit, piece.province, goal, field.fleets)
                for fleet in offered
                if fleet.power == piece.power
            )
        case "via_only":
            is_meant = order.via
        case "swap_only":
            other = field.at.get(goal)
            comes = other.order if other else None
            is_swap = isinstance(comes, Move) and province_of(comes.to) == piece.province
            return is_swap and _is_whole(field, piece.province, goal, offered)
    if is_meant and field.rules.fallback == "land":
        return _is_whole(field, piece.province, goal, offered)
    return is_meant


def _is_whole(field: MovementState, start: str, end: str, offered: tuple[UnitState, ...]) -> bool:
    return field.board.joins(start, end, sum([fleet.bit for fleet in offered]))


def _of_use(
    field: MovementState, start: str, end: str, offered: tuple[UnitState, ...]
) -> tuple[UnitState, ...]:
    """Return the fleets that are on some ordered route: only these can break it."""
    fleets = sum(fleet.bit for fleet in offered)
    return tuple(f for f in offered if is_useful(field.board, f.bit, start, end, fleets))


def _embark(field: MovementState, piece: UnitState, goal: str) -> None:
    """Send an army by sea over a completely ordered route, or record why it fails.

    If fleets on the board could have convoyed it, the move is void but still a move. Otherwise it
    is illegal (DATC 4.E.1, 6.D.8, 6.G.8).
    """
    board, start = field.board, piece.province
    piece.landing = Unit(ARMY, goal)
    offered = field.offers.get(start, NOBODY).get(goal, ())
    if _is_whole(field, start, goal, offered):
        piece.by_sea, piece.fleets = True, offered
        if field.rules.every_fleet:
            piece.fleets = _of_use(field, start, goal, offered)
        field.crossings.append(piece)
        return
    is_coastal = board.provinces[start].terrain.is_coastal
    if not is_coastal or not board.provinces[goal].terrain.is_coastal:
        piece.fault = unreachable(field, piece, goal)
    elif board.joins(start, goal, field.fleets):
        piece.by_sea = True
        piece.fault = phrase(NO_OFFER, unit=str(piece.unit), place=goal)
    else:
        piece.fault = phrase("no-fleets", unit=str(piece.unit), place=goal)


def open_battles(field: MovementState) -> None:
    """Find the head-to-head battles of planned moves, and decide clear convoy paths."""
    for battle in field.battles.values():
        holder = battle.holder
        if holder and holder.task is MOVE and not holder.by_sea:
            for piece in battle.attackers:
                if piece.province == holder.goal and not piece.by_sea:
                    piece.in_duel = True
    for piece in field.crossings:
        settle_path(field, piece)
