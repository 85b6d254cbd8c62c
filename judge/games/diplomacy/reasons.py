"""Verdicts and their reasons, read off the settled facts of a movement phase.

Units are named as in orders ("F OBK"), their powers apart; places as in the tables. With all facts
settled, a strength is at least what it is at most.
"""

from typing import NamedTuple

from judge.games.diplomacy.battles import attack, full, leaving, prevention, resistance
from judge.games.diplomacy.moves import NO_OFFER
from judge.games.diplomacy.orders import order_text
from judge.games.diplomacy.outcome import Outcome, Verdict
from judge.games.diplomacy.pieces import Battle, Fact, Field, Piece, Task
from judge.games.diplomacy.supports import threat_of
from judge.words.reason import Reason, because

SUCCEEDS = (Outcome.SUCCEEDS,)

Found = tuple[Outcome, Reason | None]


def verdict_on(field: Field, piece: Piece) -> Verdict:
    """Return what became of a piece's order, and why."""
    if piece.order is None:
        found: Found = (Outcome.NO_ORDER, None)
    elif piece.fault:
        is_convoy = piece.fault.code == NO_OFFER
        found = (Outcome.NO_CONVOY if is_convoy else Outcome.VOID, piece.fault)
    elif piece.task is Task.MOVE:
        found = _of_move(field, piece)
    elif piece.task is Task.SUPPORT:
        found = _of_support(field, piece)
    elif piece.task is Task.CONVOY:
        found = _of_convoy(piece)
    else:
        found = (Outcome.SUCCEEDS, None)
    battle = field.battles.get(piece.province)
    if battle and battle.dislodger:
        return _dislodged(piece, battle, battle.dislodger, *found)
    outcome, reason = found
    outcomes = SUCCEEDS if outcome is Outcome.SUCCEEDS else (outcome,)
    return Verdict(piece.order or piece.given, outcomes, reason)


def _dislodged(
    piece: Piece, battle: Battle, dislodger: Piece, outcome: Outcome, reason: Reason | None
) -> Verdict:
    """Add its dislodgement to a verdict; a unit that only held has nothing else to tell."""
    facts: dict[str, str | int] = {
        "power": dislodger.power,
        "by": str(dislodger.unit),
        "strength": attack(dislodger, piece).least,
        "against": resistance(dislodger, battle).least,
    }
    if reason:
        more = {f"dislodged_{name}": fact for name, fact in facts.items()}
        reason = Reason(reason.code, {**reason.facts, **more})
    else:
        reason = Reason("dislodged", facts)
    match outcome:
        case Outcome.NO_CONVOY if piece.task is Task.MOVE:
            outcomes: tuple[Outcome, ...] = (Outcome.DISLODGED, outcome)
        case Outcome.NO_ORDER:
            outcomes = (Outcome.DISLODGED, outcome)
        case Outcome.BOUNCE | Outcome.CUT | Outcome.VOID:
            outcomes = (outcome, Outcome.DISLODGED)
        case Outcome.SUCCEEDS if piece.task is Task.SUPPORT:
            outcomes = (outcome, Outcome.DISLODGED)
        case _:
            outcomes = (Outcome.DISLODGED,)
    return Verdict(piece.given, outcomes, reason)


def _of_move(field: Field, piece: Piece) -> Found:
    if piece.fact is Fact.OK:
        return Outcome.SUCCEEDS, None
    if piece.path is Fact.FAIL:
        return Outcome.NO_CONVOY, _why_no_path(field, piece)
    return Outcome.BOUNCE, _why_bounced(field.battles[piece.goal], piece)


def _why_no_path(field: Field, army: Piece) -> Reason:
    """Return why a whole route broke: its fleets were disrupted by a paradox, or dislodged."""
    disrupted = sorted(str(fleet.unit) for fleet in army.fleets if fleet.is_disrupted)
    if disrupted:
        return because("convoy-paradox", fleets=tuple(disrupted))
    fallen = [
        (str(fleet.unit), fleet, dislodger)
        for fleet in army.fleets
        if (dislodger := field.dislodger_of(fleet))
    ]
    unit, fleet, dislodger = min(fallen)
    return because(
        "convoy-broken",
        unit=unit,
        power=fleet.power,
        by=str(dislodger.unit),
        by_power=dislodger.power,
        fleets=tuple(sorted(unit for unit, _, _ in fallen)),
    )


class _Opponent(NamedTuple):
    """Somebody a move did not beat; `strength` is what stood against it."""

    strength: int
    how: str
    piece: Piece

    def __str__(self) -> str:
        return f"{self.piece.power}: {self.piece.unit} ({self.how}, {self.strength})"


def _why_bounced(battle: Battle, piece: Piece) -> Reason:
    """Return why a move that arrived did not succeed: all it did not beat, the strongest named.

    The strength told is the one that was compared, without supports that did not count.
    """
    holder = battle.holder if piece.duel or leaving(battle) is Fact.FAIL else None
    is_own = holder is not None and holder.power == piece.power
    own = full(piece).least if is_own else attack(piece, holder).least
    opponents = [
        _Opponent(prevention(rival).least, "rival", rival)
        for rival in battle.attackers
        if rival is not piece and prevention(rival).least >= own
    ]
    if holder:
        how = "own" if is_own else "duel" if piece.duel else "held"
        stood = _Opponent(resistance(piece, battle).least, how, holder)
        if is_own or stood.strength >= own:
            opponents.append(stood)
    if not opponents:
        return because("bounced-all-hold", unit=str(piece.unit), place=piece.goal)
    opponents.sort(key=_by_weight)
    first = opponents[0]
    uncounted = [h for h in piece.helpers if holder and not is_own and h.power == holder.power]
    could = own + sum(helper.fact is Fact.OK for helper in uncounted)
    code = f"bounced-{first.how}"
    if uncounted and could > max(opponent.strength for opponent in opponents):
        code = "bounced-own-support"
    return because(
        code,
        strength=own,
        against=first.strength,
        power=first.piece.power,
        unit=str(first.piece.unit),
        opponents=tuple(map(str, opponents)),
        uncounted=tuple(sorted(str(helper.unit) for helper in uncounted)),
    )


def _by_weight(opponent: _Opponent) -> tuple[bool, int, bool, str]:
    """Sort an own unit in the way first, then the strongest, the holder before rivals."""
    how = opponent.how
    return how != "own", -opponent.strength, how == "rival", opponent.piece.province


def _of_support(field: Field, piece: Piece) -> Found:
    if piece.fact is Fact.OK:
        return Outcome.SUCCEEDS, None
    battle = field.battles[piece.province]
    cutters = [a for a in battle.attackers if threat_of(field, a, piece) is Fact.OK]
    by = min(cutters, key=lambda a: (a.province == piece.goal, a is not battle.winner, a.province))
    return Outcome.CUT, because(
        "cut-dislodged" if by.province == piece.goal else "cut",
        power=by.power,
        by=str(by.unit),
        by_sea=by.by_sea,
    )


def _of_convoy(fleet: Piece) -> Found:
    army = fleet.helped
    if army is None or fleet not in army.fleets or army.goal != fleet.goal:
        return Outcome.VOID, _why_unused(fleet, army)
    if fleet.is_disrupted:
        return Outcome.NO_CONVOY, because("convoy-paradox", fleets=(str(fleet.unit),))
    return Outcome.SUCCEEDS, None


def _why_unused(fleet: Piece, army: Piece | None) -> Reason:
    if army is None:
        return because("convoy-nobody", place=fleet.goal)
    facts = {"power": army.power, "unit": str(army.unit), "did": order_text(army.given)}
    if army.task is not Task.MOVE or army.goal != fleet.goal:
        return because("convoy-elsewhere", **facts)
    if not army.by_sea:
        return because("convoy-by-land", **facts)
    return because("convoy-spare" if army.fleets else "convoy-incomplete", **facts)
