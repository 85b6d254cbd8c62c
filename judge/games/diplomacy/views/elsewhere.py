"""What happened in a phase at large, in a few clauses: for who only watches, and of the others."""

from collections.abc import Iterator

from judge.board.map import Map
from judge.board.position import PhaseKind
from judge.games.diplomacy.rules.orders import Build, Disband, Move, Outcome, Retreat
from judge.games.diplomacy.views.causes import is_destroyed
from judge.games.diplomacy.views.record import Record
from judge.games.diplomacy.views.report import beaten_of, settles_owners
from judge.model.phrase import Phrase, phrase

FAILED = frozenset({Outcome.BOUNCE, Outcome.CUT, Outcome.VOID, Outcome.NO_CONVOY})
"""Outcomes of an order that came to nothing."""
MOST = 3
"""Units, retreats, or powers that are named; more are counted."""


def happened(
    board: Map, record: Record, *, but: str = "", only: str | None = None
) -> Iterator[Phrase]:
    """Yield what happened to all powers but one, as far as the record's reader knows."""
    others = [power.name for power in board.powers if power.name != but]
    match record.before.phase.kind:
        case PhaseKind.MOVEMENT:
            yield from _orders(record, others, but, only)
            yield from _driven(record, others, only)
        case PhaseKind.RETREAT:
            yield from _retreats(record, others)
        case PhaseKind.ADJUSTMENT:
            yield from _winter(record, others)
    if settles_owners(record):
        yield from centres_changed(record, others, only)


def _orders(
    record: Record, others: list[str], but: str, only: str | None
) -> Iterator[Phrase]:
    outcomes = [
        set(found) for power in others for _, found, _ in record.adjudged.verdicts.get(power, ())
    ]
    given = [found for found in outcomes if Outcome.NO_ORDER not in found]
    failed = sum(bool(found & FAILED) for found in given)
    sees_all, count = only is None, len(given)
    if failed:
        yield phrase("else-failed" if sees_all else "else-failed-seen", failed=failed, count=count)
    elif given and not sees_all:
        yield phrase("else-done-seen")
    elif given:
        yield phrase("else-done" if count > 1 else "else-done-one", count=count)
    elif outcomes and sees_all:
        yield phrase("else-no-orders" if but else "no-orders-at-all")


def _driven(record: Record, others: list[str], only: str | None) -> Iterator[Phrase]:
    """Yield the units that were dislodged; in a blind game where they may go is not known."""
    found = []
    for power in others:
        for beaten in beaten_of(record, power).values():
            code = "else-destroyed" if is_destroyed(beaten) else "else-must-retreat"
            if only is not None:
                code = "else-dislodged"
            found.append(phrase(code, power=power, unit=str(beaten.unit)))
    yield from found[:MOST]
    if len(found) > MOST:
        yield phrase("else-more-dislodged", count=len(found) - MOST)


def _retreats(record: Record, others: list[str]) -> Iterator[Phrase]:
    found = []
    for power in others:
        for order, outcomes, _ in record.adjudged.verdicts.get(power, ()):
            if isinstance(order, Retreat | Move) and Outcome.SUCCEEDS in outcomes:
                found.append(phrase("else-retreated", power=power, unit=str(order.unit),
                                    place=order.to.upper()))
            elif Outcome.DISBANDED in outcomes and isinstance(order, Retreat | Move | Disband):
                found.append(phrase("else-disbanded", power=power, unit=str(order.unit)))
    yield from found[:MOST]
    if len(found) > MOST:
        yield phrase("else-more-retreats", count=len(found) - MOST)


def _winter(record: Record, others: list[str]) -> Iterator[Phrase]:
    """Yield how many units each power built, and how many each removed: all of them."""
    built, removed = [], []
    for power in others:
        orders = [
            order for order, outcomes, _ in record.adjudged.verdicts.get(power, ())
            if not FAILED & set(outcomes)
        ]
        if count := sum(isinstance(order, Build) for order in orders):
            built.append(phrase("else-of-each", power=power, count=count))
        if count := sum(isinstance(order, Disband) for order in orders):
            removed.append(phrase("else-of-each", power=power, count=count))
    if built:
        yield phrase("else-built", powers=tuple(built))
    if removed:
        yield phrase("else-removed", powers=tuple(removed))


def centres_changed(record: Record, others: list[str], only: str | None) -> Iterator[Phrase]:
    """Yield whose centres changed; in a blind game nobody knows but of his own."""
    if only is not None:
        return
    after = record.adjudged.position
    found = tuple(
        phrase("else-count", power=power, count=len(after.centres(power)), change=change)
        for power in others if (change := change_told(record, power))
    )
    if found:
        yield phrase("else-centres", changes=found)
    elif record.before.owners == after.owners:
        yield phrase("else-no-changes")


def change_told(record: Record, power: str) -> Phrase | str:
    """Return how the centres of a power changed; empty if they did not.

    Gains and losses are told apart: a sum would hide both.
    """
    before = set(record.before.centres(power))
    after = set(record.adjudged.position.centres(power))
    gained, lost = len(after - before), len(before - after)
    if gained and lost:
        return phrase("centres-gained-and-lost", gained=gained, lost=lost)
    return f"{gained - lost:+d}" if gained or lost else ""
