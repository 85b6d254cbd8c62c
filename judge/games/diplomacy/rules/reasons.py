"""Verdicts and their reasons, from the decided facts of a movement phase.

Units are named as in orders ("F OBK") and their powers separately, places as in the tables. With
all facts decided, the lower bound of a strength equals its upper bound.
"""

from collections.abc import Callable

from judge.games.diplomacy.rules.convoys import is_useful
from judge.games.diplomacy.rules.movement_state import (
    CONVOY,
    FAIL,
    MOVE,
    OK,
    SUPPORT,
    MovementState,
    UnitState,
    attack,
    is_vacated,
    prevention,
    resistance,
)
from judge.games.diplomacy.rules.moves import NO_OFFER
from judge.games.diplomacy.rules.orders import Outcome, Verdict, order_text
from judge.games.diplomacy.rules.supports import threat_of
from judge.model.phrase import Fact as Said
from judge.model.phrase import Phrase, phrase

SUCCEEDS, BOUNCE, CUT = (Outcome.SUCCEEDS,), (Outcome.BOUNCE,), (Outcome.CUT,)
VOID, NO_CONVOY, NO_ORDER = (Outcome.VOID,), (Outcome.NO_CONVOY,), (Outcome.NO_ORDER,)

_Finder = Callable[[MovementState, UnitState], Phrase | None]
"""Function that finds the reason why an order failed."""


def verdict_on(field: MovementState, piece: UnitState) -> Verdict:
    """Return the verdict on a unit's order. Its reason is found on first access."""
    order = piece.order
    is_beaten = piece in field.beaten
    if piece.fact is OK and order and not is_beaten:
        return Verdict(order, SUCCEEDS)
    outcomes: tuple[Outcome, ...] = SUCCEEDS
    why: _Finder | None = None
    if piece.fact is OK:
        pass
    elif order is None:
        outcomes = NO_ORDER
    elif piece.fault:
        outcomes, why = NO_CONVOY if piece.fault.code == NO_OFFER else VOID, _fault
    elif piece.task is MOVE:
        outcomes, why = (
            (NO_CONVOY, _explain_broken_route) if piece.path is FAIL else (BOUNCE, _explain_bounce)
        )
    elif piece.task is SUPPORT:
        outcomes, why = CUT, _explain_cut
    elif piece.task is CONVOY:
        if not _is_used(field, piece):
            outcomes, why = VOID, _explain_unused_convoy
        elif piece.is_disrupted:
            outcomes, why = NO_CONVOY, _explain_disruption
    if is_beaten:
        outcomes = _and_dislodged(piece, outcomes[0])
        return Verdict(order or piece.given, outcomes, _explain_dislodgement, (field, piece, why))
    if why is None:
        return Verdict(order or piece.given, outcomes)
    return Verdict(order or piece.given, outcomes, why, (field, piece))


def _fault(_: MovementState, piece: UnitState) -> Phrase | None:
    return piece.fault


def _explain_disruption(_: MovementState, fleet: UnitState) -> Phrase:
    return phrase("convoy-paradox", fleets=(str(fleet.unit),))


def _and_dislodged(piece: UnitState, outcome: Outcome) -> tuple[Outcome, ...]:
    """Add the dislodgement to the outcome of a unit's order.

    A unit that held has no other outcome.
    """
    match outcome:
        case Outcome.NO_CONVOY if piece.task is MOVE:
            return (Outcome.DISLODGED, outcome)
        case Outcome.NO_ORDER:
            return (Outcome.DISLODGED, outcome)
        case Outcome.BOUNCE | Outcome.CUT | Outcome.VOID:
            return (outcome, Outcome.DISLODGED)
        case Outcome.SUCCEEDS if piece.task is SUPPORT:
            return (outcome, Outcome.DISLODGED)
    return (Outcome.DISLODGED,)


def _explain_dislodgement(field: MovementState, piece: UnitState, why: _Finder | None) -> Phrase:
    """Return the dislodger of a unit, after the reason why its order failed."""
    dislodger = field.beaten[piece]
    facts: dict[str, Said] = {
        "power": dislodger.power,
        "by": str(dislodger.unit),
        "strength": attack(dislodger, piece)[0],
        "against": resistance(dislodger, piece)[0],
    }
    reason = why(field, piece) if why else None
    if reason is None:
        return Phrase("dislodged", facts)
    more = {f"dislodged_{name}": fact for name, fact in facts.items()}
    return Phrase(reason.code, {**reason.facts, **more})


def _explain_broken_route(field: MovementState, army: UnitState) -> Phrase:
    """Return why a whole route broke: fleets disrupted by a paradox, or dislodged."""
    disrupted = sorted(str(fleet.unit) for fleet in army.fleets if fleet.is_disrupted)
    if disrupted:
        return phrase("convoy-paradox", fleets=tuple(disrupted))
    fallen = [
        (str(fleet.unit), fleet, dislodger)
        for fleet in army.fleets
        if (dislodger := field.beaten.get(fleet))
    ]
    unit, fleet, dislodger = min(fallen)
    return phrase(
        "convoy-broken",
        unit=unit,
        power=fleet.power,
        by=str(dislodger.unit),
        by_power=dislodger.power,
        fleets=tuple(sorted(unit for unit, _, _ in fallen)),
    )


def _explain_bounce(field: MovementState, piece: UnitState) -> Phrase:
    """Return why a move that arrived did not succeed, with the strongest opponent.

    The strength given is the one that was compared, without supports that did not count.
    """
    battle = field.battles[piece.goal]
    holder = battle.holder if piece.in_duel or is_vacated(battle) is FAIL else None
    is_own = holder is not None and holder.side == piece.side
    own = piece.least if is_own else attack(piece, holder)[0]
    opponents: list[_Opponent] = []
    if holder:
        strength = resistance(piece, holder)[0]
        if is_own or strength >= own:
            how = "own" if is_own else "duel" if piece.in_duel else "held"
            opponents.append((strength, how, holder))
    for rival in battle.attackers:
        if rival is not piece:
            strength = prevention(rival, battle.holder)[0]
            if strength >= own:
                opponents.append((strength, "rival", rival))
    if not opponents:
        return phrase("bounced-all-hold", unit=str(piece.unit), place=piece.goal)
    if len(opponents) > 1:
        opponents.sort(key=_by_weight)
    against, how, first = opponents[0]
    code, power, unit = f"bounced-{how}", first.power, str(first.unit)
    facts: dict[str, Said] = {"strength": own, "against": against, "power": power, "unit": unit}
    if len(opponents) > 1:
        facts["others"] = tuple(f"{p.power}: {p.unit} ({how}, {s})" for s, how, p in opponents[1:])
    if piece.least > against and holder and not is_own:
        code = "bounced-own-support"
        helpers = [str(helper.unit) for helper in piece.helpers if helper.side == holder.side]
        facts["uncounted"] = tuple(sorted(helpers))
    return Phrase(code, facts)


_Opponent = tuple[int, str, UnitState]
"""Opponent that a move did not beat: strength, kind and unit.

Kinds are own, duel, held and rival.
"""


def _by_weight(opponent: _Opponent) -> tuple[bool, int, bool, str]:
    """Sort key: an own unit first, then the strongest, holders before rivals."""
    strength, how, piece = opponent
    return how != "own", -strength, how == "rival", piece.province


def _explain_cut(field: MovementState, piece: UnitState) -> Phrase:
    """Return the attack that cut a support, if possible not from its target."""
    battle = field.battles[piece.province]
    cutters = [a for a in battle.attackers if threat_of(field, a, piece) is OK]
    by = min(cutters, key=lambda a: (a.province == piece.goal, a is not battle.winner, a.province))
    return phrase(
        "cut-dislodged" if by.province == piece.goal and by.fact is OK else "cut",
        power=by.power,
        by=str(by.unit),
        by_sea=by.by_sea,
    )


def _is_used(field: MovementState, fleet: UnitState) -> bool:
    """Return whether a fleet is on some ordered route of the army it would convoy."""
    army = field.at[fleet.helped]
    if fleet not in army.fleets:
        return False
    if len(army.fleets) == 1:
        return True
    fleets = sum([other.bit for other in army.fleets])
    return is_useful(field.board, fleet.bit, army.province, army.goal, fleets)


def _explain_unused_convoy(field: MovementState, fleet: UnitState) -> Phrase:
    army = field.at[fleet.helped]
    unit = str(army.unit)
    if not is_useful(field.board, fleet.bit, army.province, fleet.goal, field.fleets):
        return phrase("convoy-useless", unit=unit, place=fleet.goal)
    if army.task is not MOVE or army.goal != fleet.goal:
        code = "convoy-elsewhere"
    elif not army.by_sea:
        code = "convoy-by-land"
    else:
        code = "convoy-spare" if army.fleets else "convoy-incomplete"
    return phrase(code, power=army.power, unit=unit, did=order_text(army.given))
