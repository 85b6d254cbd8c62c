"""Reasons for letters: failed orders, dislodgers, and missing retreats.

The reason of a verdict says why the order failed. If its unit was dislodged too, the facts of the
same reason include the dislodger (`dislodged_by` and others), because programs get one reason for
each order.
"""

from judge.board.map import Map
from judge.board.position import Dislodged
from judge.games.diplomacy.rules.orders import Outcome, unit_of
from judge.games.diplomacy.rules.retreats import shut_in
from judge.games.diplomacy.views.record import DiplomacyRecord
from judge.model.phrase import Phrase, phrase

_ALSO = "dislodged_"
"""Prefix of facts about the dislodger in a reason that is about something else first."""
_TO_OWNER = {
    "bounced-held": "bounced-held-you",
    "bounced-duel": "bounced-duel-you",
    "bounced-rival": "bounced-rival-you",
    "rival-won": "rival-won-you",
    "bounced-own-support": "bounced-own-support-you",
}
"""Code of a reason → code of the same reason for the owner of the unit, with "your"."""


def dislodger_of(reason: Phrase | None) -> Phrase | None:
    """Return the dislodger of a unit and both strengths, where its reason has them.

    >>> beaten = {"dislodged_power": "Russia", "dislodged_by": "A SIN"}
    >>> dislodger_of(Phrase("cut", {"power": "Italy", "by": "A ROM", **beaten}))
    Phrase(code='dislodged', facts={'power': 'Russia', 'by': 'A SIN'})
    """
    if reason is None or reason.code == "dislodged":
        return reason
    facts = {
        name.removeprefix(_ALSO): fact
        for name, fact in reason.facts.items() if name.startswith(_ALSO)
    }
    return Phrase("dislodged", facts) if facts else None


def full_reason(reason: Phrase) -> Phrase:
    """Return a reason followed by the dislodger of the unit, if it has another cause.

    >>> beaten = {"dislodged_power": "England", "dislodged_by": "F WAL"}
    >>> full_reason(Phrase("convoy-paradox", {"fleets": ("F ENG",), **beaten})).facts["more"]
    Phrase(code='dislodged', facts={'power': 'England', 'by': 'F WAL'})
    """
    driven = dislodger_of(reason)
    if driven is None:
        return reason
    if _is_dislodgement(reason):
        return driven
    return phrase("cause-and-more", first=reason, more=driven)


def _is_dislodgement(reason: Phrase) -> bool:
    """Return whether an order failed only because its unit was dislodged."""
    if reason.code in ("dislodged", "cut-dislodged"):
        return dislodger_of(reason) is not None
    by = {"bounced-duel": "unit", "cut": "by"}.get(reason.code)
    return by is not None and reason.facts[by] == reason.facts.get(f"{_ALSO}by")


def explain_failure(record: DiplomacyRecord, reason: Phrase | None) -> Phrase | None:
    """Return why an order failed, or None if only its unit was dislodged.

    For a stronger rival the reason says whether it got in, where its verdict may be known.
    """
    if reason is None or _is_dislodgement(reason):
        return None
    if reason.code == "bounced-rival":
        for order, outcomes, _ in record.adjudged.verdicts.get(str(reason.facts["power"]), ()):
            unit = unit_of(order)
            if str(unit) == reason.facts["unit"] and Outcome.SUCCEEDS in outcomes:
                return Phrase("rival-won", reason.facts)
    return reason


def to_owner(reason: Phrase) -> Phrase:
    """Return a reason worded for the owner of the unit: "2 against your 1"."""
    return Phrase(_TO_OWNER.get(reason.code, reason.code), reason.facts)


def nowhere_to_go(board: Map, record: DiplomacyRecord, beaten: Dislodged) -> Phrase:
    """Return why no retreat was open to a destroyed unit (DATC 6.H, 4.A.5)."""
    after = record.adjudged.position
    gone = [unit for units in record.adjudged.removed.values() for unit in units]
    occupied = {unit.province for units in after.units.values() for unit in units}
    occupied |= {unit.province for unit in gone}
    shut = shut_in(board, beaten, occupied, record.adjudged.contested)
    if shut is None or not any(shut):
        return phrase("no-retreat")
    found = [
        phrase(f"shut-{how}", places=tuple(board.provinces[place].name for place in places),
               count=len(places))
        for how, places in zip(shut._fields, shut, strict=True) if places
    ]
    return phrase("no-retreat-open", why=tuple(found))


def is_destroyed(beaten: Dislodged) -> bool:
    """Return whether a unit dislodged in a phase had no retreat, as its record says."""
    return beaten.retreats == ()


def describe_cause(
    board: Map, record: DiplomacyRecord, reason: Phrase | None, beaten: Dislodged | None
) -> Phrase | None:
    """Return the full reason for an order and its unit, or None.

    It says why the order failed, which unit dislodged it and why there was no retreat. *beaten* is
    the unit if it was dislodged and the viewer may know its retreats.
    """
    driven = dislodger_of(reason)
    told = [each for each in (explain_failure(record, reason), driven) if each]
    if beaten and is_destroyed(beaten):
        told.append(nowhere_to_go(board, record, beaten))
    if not told:
        return None
    whole = told[-1]
    for each in reversed(told[:-1]):
        whole = phrase("cause-and-more", first=each, more=whole)
    return whole
