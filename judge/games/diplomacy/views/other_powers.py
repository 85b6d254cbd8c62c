"""Summary of a phase in a few clauses, for observers and about other powers."""

from collections.abc import Iterator

from judge.board.map import Map
from judge.board.position import PhaseKind
from judge.games.diplomacy.rules.orders import Build, Disband, Move, Outcome, Retreat, unit_of
from judge.games.diplomacy.views.causes import is_destroyed
from judge.games.diplomacy.views.record import DiplomacyRecord
from judge.games.diplomacy.views.report import beaten_of, destroyed_before, settles_owners
from judge.model.phrase import Phrase, phrase

FAILED = frozenset({Outcome.BOUNCE, Outcome.CUT, Outcome.VOID, Outcome.NO_CONVOY})
"""Outcomes of an order that failed."""
MAX = 3
"""Number of units, retreats or powers that are named. If there are more, they are counted."""
MAX_HEADLINE_CLAUSES = 2


def describe_events(
    board: Map, record: DiplomacyRecord, *, but: str = "", only: str | None = None
) -> Iterator[Phrase]:
    """Yield the events of all powers but *but*, as far as the viewer knows them."""
    others = [power.name for power in board.powers if power.name != but]
    match record.before.phase.kind:
        case PhaseKind.MOVEMENT:
            yield from _orders(record, others, but, only)
            yield from _driven(record, others, only)
        case PhaseKind.RETREAT:
            yield from _retreats(record, others, only)
        case PhaseKind.ADJUSTMENT:
            yield from _winter(record, others)
    if settles_owners(record):
        yield from centres_changed(record, others, only)


def headline(board: Map, record: DiplomacyRecord, *, only: str | None = None) -> tuple[Phrase, ...]:
    """Return the events of all powers, in counts short enough for a subject."""
    others = [power.name for power in board.powers]
    found: list[Phrase] = []
    match record.before.phase.kind:
        case PhaseKind.MOVEMENT:
            driven = sum(len(beaten_of(record, power)) for power in others)
            found += [phrase("all-dislodged", count=driven)] if driven else []
            found += [*_centres_in_short(record, only), *_orders(record, others, "", only)]
        case PhaseKind.RETREAT:
            went = len([*_retreats_of(record, others, only)])
            found += [phrase("all-retreats", count=went)] if went else []
            found += _centres_in_short(record, only)
        case PhaseKind.ADJUSTMENT:
            for code, kind in (("all-built", Build), ("all-removed", Disband)):
                count = sum(_winter_counts(record, others, kind).values())
                found += [phrase(code, count=count)] if count else []
    return tuple(found[:MAX_HEADLINE_CLAUSES])


def _centres_in_short(record: DiplomacyRecord, only: str | None) -> Iterator[Phrase]:
    """Yield the number of centres with a new owner, except in a blind game."""
    if only is not None or not settles_owners(record):
        return
    before, after = record.before.owners, record.adjudged.position.owners
    count = sum(before.get(place) != after.get(place) for place in {*before, *after})
    yield phrase("all-centres", count=count) if count else phrase("else-no-changes")


def _orders(
    record: DiplomacyRecord, others: list[str], but: str, only: str | None
) -> Iterator[Phrase]:
    verdicts = record.adjudged.verdicts
    outcomes = [verdict.outcomes for power in others for verdict in verdicts.get(power, ())]
    given = [found for found in outcomes if Outcome.NO_ORDER not in found]
    failed = len([found for found in given if not FAILED.isdisjoint(found)])
    sees_all, count = only is None, len(given)
    if failed:
        code = "else-failed-one" if count == 1 else "else-failed"
        yield phrase(code if sees_all else "else-failed-seen", failed=failed, count=count)
    elif given and not sees_all:
        yield phrase("else-done-seen")
    elif given:
        yield phrase("else-done" if count > 1 else "else-done-one", count=count)
    elif outcomes and sees_all:
        yield phrase("else-no-orders" if but else "no-orders-at-all")


def _driven(record: DiplomacyRecord, others: list[str], only: str | None) -> Iterator[Phrase]:
    """Yield the dislodged units, in a blind game without their retreats."""
    found = []
    for power in others:
        for beaten in beaten_of(record, power).values():
            code = "else-destroyed" if is_destroyed(beaten) else "else-must-retreat"
            if only is not None:
                code = "else-dislodged"
            found.append(phrase(code, power=power, unit=str(beaten.unit)))
    yield from found[:MAX]
    if len(found) > MAX:
        yield phrase("else-more-dislodged", count=len(found) - MAX)


def _retreats(record: DiplomacyRecord, others: list[str], only: str | None) -> Iterator[Phrase]:
    found = [*_retreats_of(record, others, only)]
    yield from found[:MAX]
    if len(found) > MAX:
        yield phrase("else-more-retreats", count=len(found) - MAX)


def _retreats_of(record: DiplomacyRecord, others: list[str], only: str | None) -> Iterator[Phrase]:
    """Yield the outcome of each dislodged unit that was not destroyed before."""
    for power in others:
        gone = destroyed_before(record, power) if only is None else frozenset()
        for order, outcomes, _ in record.adjudged.verdicts.get(power, ()):
            if isinstance(order, Retreat | Move) and Outcome.SUCCEEDS in outcomes:
                yield phrase("else-retreated", power=power, unit=str(order.unit),
                             place=order.to.upper())
            elif (unit := unit_of(order)) and unit.province in gone:
                continue
            elif Outcome.DISBANDED in outcomes and isinstance(order, Retreat | Move | Disband):
                yield phrase("else-disbanded", power=power, unit=str(order.unit))


def _winter(record: DiplomacyRecord, others: list[str]) -> Iterator[Phrase]:
    """Yield the number of units each power built, and of those each removed."""
    for code, kind in (("else-built", Build), ("else-removed", Disband)):
        counts = _winter_counts(record, others, kind)
        if counts:
            each = (phrase("else-of-each", power=p, count=count) for p, count in counts.items())
            yield phrase(code, powers=tuple(each))


def _winter_counts(
    record: DiplomacyRecord, others: list[str], kind: type[Build] | type[Disband]
) -> dict[str, int]:
    """Return the number of units built or removed by each power that did so."""
    counts = {
        power: sum(
            isinstance(order, kind) and not FAILED & set(outcomes)
            for order, outcomes, _ in record.adjudged.verdicts.get(power, ())
        )
        for power in others
    }
    return {power: count for power, count in counts.items() if count}


def centres_changed(
    record: DiplomacyRecord, others: list[str], only: str | None
) -> Iterator[Phrase]:
    """Yield the powers whose centres changed, except in a blind game."""
    if only is not None:
        return
    after = record.adjudged.position
    found = tuple(
        phrase("else-count", power=power, count=len(after.centres(power)), change=change)
        for power in others if (change := describe_change(record, power))
    )
    if found:
        yield phrase("else-centres", changes=found)
    elif record.before.owners == after.owners:
        yield phrase("else-no-changes")


def describe_change(record: DiplomacyRecord, power: str) -> Phrase | str:
    """Return the change in the centres of a power, or an empty text.

    Gains and losses are given separately, because a sum would hide both.
    """
    before = set(record.before.centres(power))
    after = set(record.adjudged.position.centres(power))
    gained, lost = len(after - before), len(before - after)
    if gained and lost:
        return phrase("centres-gained-and-lost", gained=gained, lost=lost)
    return f"{gained - lost:+d}" if gained or lost else ""
