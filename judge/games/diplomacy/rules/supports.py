"""Supports: legality, matching and cutting (DATC 4.B.4, 5.B.2, 6.D)."""

from judge.board.map import FLEET, province_of
from judge.games.diplomacy.rules.movement_state import (
    FAIL,
    MOVE,
    OK,
    OPEN,
    SUPPORT,
    MovementState,
    Resolution,
    UnitState,
)
from judge.games.diplomacy.rules.moves import unreachable
from judge.games.diplomacy.rules.orders import Support, order_text
from judge.model.phrase import Phrase, phrase


def match_support(field: MovementState, piece: UnitState, order: Support) -> None:
    """Match a support with the unit it helps, or record why it is illegal or void.

    All moves must have been planned before.
    """
    start = province_of(order.helped.place)
    goal = province_of(order.to) if order.to else start
    helped = field.at.get(start)
    fault = _illegal(field, piece, goal) or _find_mismatch(field, piece, helped, order, goal)
    if fault or helped is None:
        piece.fault = fault
        return
    piece.task, piece.goal, piece.helped, piece.fact = SUPPORT, goal, start, OPEN
    helped.helpers += (piece,)
    helped.greatest += 1


def _illegal(field: MovementState, piece: UnitState, goal: str) -> Phrase | None:
    """Return why a support could never be given, or None.

    The supporting unit must be able to go there itself, on any coast. No unit supports into its own
    province (DATC 6.D.34).
    """
    if goal == piece.province:
        return phrase("same-place", place=goal)
    if goal not in piece.station.reach:
        return unreachable(field, piece, goal)
    if goal == field.frozen and piece.unit.kind is FLEET:
        return phrase("no-icebreaker", place=goal)
    return None


def _find_mismatch(
    field: MovementState, piece: UnitState, helped: UnitState | None, order: Support, goal: str
) -> Phrase | None:
    """Return why a legal support is void, or None.

    It is void if the supported unit does something else or is not there. A unit whose own order is
    illegal holds, and may be supported to hold (DATC 6.D.28).
    """
    if helped is None:
        return phrase("support-nobody", place=province_of(order.helped.place))
    if helped is piece:
        return phrase("same-place", place=piece.province)
    if not order.to:
        return _odds("support-mover", helped) if helped.task is MOVE else None
    if helped.task is not MOVE:
        return _odds("support-illegal" if helped.fault else "support-holder", helped)
    if helped.goal != goal:
        return _odds("support-elsewhere", helped)
    if helped.by_sea and _is_own_convoy(field, piece, helped):
        return _odds("support-own-convoy", helped)
    landing = helped.landing.place
    if landing == helped.goal or landing == order.to:
        return None
    if order.to in field.board.sail or field.rules.support_coast == "strict":
        return _odds("support-coast", helped)
    return None


def _odds(code: str, helped: UnitState) -> Phrase:
    """Return the reason why a support does not match the order of the unit helped."""
    did = order_text(helped.given)
    return phrase(code, power=helped.power, unit=str(helped.unit), did=did)


def _is_own_convoy(field: MovementState, piece: UnitState, helped: UnitState) -> bool:
    """Return whether an army needs the supporter's own convoy to go by sea (6.D.31)."""
    others = field.fleets & ~field.board.sea_bits((piece.province,))
    return not field.board.joins(helped.province, helped.goal, others)


def settle_support(field: MovementState, piece: UnitState) -> bool:
    """Decide whether an open support holds. Return True if that was possible.

    It is cut (DATC 5.B.2) by any attack of another power that arrives, but by one out of the
    province it is directed at only if that dislodges (6.D.15 to 17), by land or, unless a rule says
    otherwise, by sea (4.A.4 a). An attack that may still arrive leaves it open, even one that is
    already repelled.
    """
    fate = OK
    battle = field.battles.get(piece.province)
    if battle:
        for attacker in battle.attackers:
            threat = threat_of(field, attacker, piece)
            if threat is OK:
                fate = FAIL
                break
            if threat is OPEN:
                fate = OPEN
        if fate is OPEN:
            return False
    piece.fact = fate
    helped = field.at[piece.helped]
    if fate is OK:
        helped.least += 1
    else:
        helped.greatest -= 1
    return True


def threat_of(field: MovementState, attacker: UnitState, piece: UnitState) -> Resolution:
    """Return whether one attacker of a supporting unit cuts its support."""
    if attacker.side == piece.side:
        return FAIL
    if attacker.by_sea and field.rules.paradox in ("1971", "1982", "2000"):
        if _is_shielded(field, attacker, piece):
            return FAIL
    is_aim = attacker.province == piece.goal
    if is_aim and attacker.by_sea and field.rules.convoy_cut == "always":
        is_aim = False
    return attacker.fact if is_aim else attacker.path


def _is_shielded(field: MovementState, army: UnitState, piece: UnitState) -> bool:
    """Return whether a paradox rule saves a support from a convoyed army (4.A.2)."""
    if field.rules.paradox == "1982":
        return any(piece.goal == fleet.province for a in field.crossings for fleet in a.fleets)
    if field.at[piece.helped].task is not MOVE:
        return False
    if all(piece.goal != fleet.province for fleet in army.fleets):
        return False
    if field.rules.paradox == "1971":
        return True
    others = sum(fleet.bit for fleet in army.fleets if fleet.province != piece.goal)
    return not field.board.joins(army.province, army.goal, others)
