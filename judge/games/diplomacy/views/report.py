"""Facts of a results letter, from the record of an adjudicated phase."""

from collections.abc import Iterator

from judge.board.map import Map
from judge.board.position import Dislodged, Phase, PhaseKind, Position, Season
from judge.games.diplomacy.language.wording import (
    describe_dislodged,
    describe_unit,
    glimpse_line,
    glimpse_tags,
    glimpse_words,
    outcome_tags,
    result_line,
    tried_words,
)
from judge.games.diplomacy.rules.orders import Outcome, unit_of
from judge.games.diplomacy.views.causes import describe_cause
from judge.games.diplomacy.views.phases import make_title, turn_named
from judge.games.diplomacy.views.pieces import Count, Driven, Owned, beaten_piece
from judge.games.diplomacy.views.record import DiplomacyRecord
from judge.games.diplomacy.views.standing import describe_gains, ownership_rows, tally
from judge.games.letter_facts import LetterPiece, OrderOutcome, PowerOutcomes, Results, Score
from judge.model.phrase import Phrase, phrase

_PLAIN = {Outcome.SUCCEEDS, Outcome.NO_ORDER}
"""Outcomes that need no reason."""


def result_facts(board: Map, record: DiplomacyRecord, *, only: str | None = None) -> Results:
    """Return the facts of a phase's results.

    *only* limits centres and figures to those of one power.
    """
    before, after = record.before.phase, record.adjudged.position
    settled = settles_owners(record)
    figures = tally(board, record.before, after, only=only) if settled else ()
    return Results(
        phase=str(before),
        title=make_title("title-results", before, board),
        groups=_groups(board, record, only),
        next="" if record.ending else str(after.phase),
        next_title=None if record.ending else _to_come(after.phase, board),
        ending=record.ending.reason if record.ending else None,
        notices=tuple(_notices(board, record, settled, only)),
        scores=tuple(Score(row.power, row.centres, row.gained) for row in figures),
        pieces=tuple(_pieces(board, record, settled, figures, only)),
    )


def _pieces(
    board: Map, record: DiplomacyRecord, settled: bool, figures: tuple[Count, ...], only: str | None
) -> Iterator[LetterPiece]:
    """Yield the pieces special to Diplomacy: dislodged units, and counted centres."""
    after = record.adjudged.position
    if dislodged := _list_dislodged(board, record, only):
        yield beaten_piece(phrase("intro-dislodged"), dislodged)
    if not settled:
        return
    if changes := describe_gains(board, record.before.owners, after.owners):
        yield LetterPiece("changes", changes, "changes")
    owned = ownership_rows(board, after, only=only)
    if owned or figures:
        yield LetterPiece("ownership", Owned(owned, board.victory, figures), "ownership")


def _to_come(phase: Phase, board: Map) -> Phrase:
    """Return nJudge's name of the phase to come: "Retreats for Spring of 1901"."""
    return phrase(f"next-{phase.kind.name.lower()}", turn=turn_named(phase, board.calendar))


def settles_owners(record: DiplomacyRecord) -> bool:
    """Return whether owners of centres were updated, after a Fall's last moves."""
    before, after = record.before.phase, record.adjudged.position.phase
    return (
        before.season is Season.FALL
        and before.kind is not PhaseKind.ADJUSTMENT
        and after != before._replace(kind=PhaseKind.RETREAT)
    )


def _groups(board: Map, record: DiplomacyRecord, only: str | None) -> tuple[PowerOutcomes, ...]:
    return tuple(
        PowerOutcomes(power.name, tuple(_deeds(board, record, power.name, only)),
              _idle(record, power.name) if only is None else None)
        for power in board.powers
        if record.adjudged.verdicts.get(power.name) or record.glimpses.get(power.name)
    )


def _idle(record: DiplomacyRecord, power: str) -> Phrase | None:
    """Return a sentence about a power that gave no orders, or None if it gave any.

    Its units are in the position facts, but in a blind game they may be out of sight by then.
    """
    if record.before.phase.kind is not PhaseKind.MOVEMENT or record.glimpses.get(power):
        return None
    outcomes = [found for _, found, _ in record.adjudged.verdicts.get(power, ())]
    if not all(Outcome.NO_ORDER in found for found in outcomes):
        return None
    held = sum(Outcome.DISLODGED not in found for found in outcomes)
    return phrase("idle-held", count=held) if held else phrase("idle")


def _deeds(
    board: Map, record: DiplomacyRecord, power: str, only: str | None
) -> Iterator[OrderOutcome]:
    removing = record.before.phase.kind is PhaseKind.ADJUSTMENT
    beaten = beaten_of(record, power) if only in (None, power) else {}
    for order, outcomes, reason in record.adjudged.verdicts.get(power, ()):
        unit = unit_of(order)
        driven = beaten.get(unit.province) if unit else None
        plain = set(outcomes) <= _PLAIN
        yield OrderOutcome(
            text=result_line(power, order, outcomes, board, removing=removing),
            order=tried_words(order, outcomes, board, removing=removing),
            tags=tuple(outcome_tags(order, outcomes, removing=removing)),
            reason=None if plain else describe_cause(board, record, reason, driven),
            by=record.by.get(unit.province, "") if unit else "",
        )
    for seen in record.glimpses.get(power, ()):
        if unit := unit_of(seen.order):
            yield OrderOutcome(
                text=glimpse_line(power, unit, seen.outcomes, board),
                order=glimpse_words(unit, board),
                tags=tuple(glimpse_tags(seen.outcomes)),
            )


def beaten_of(record: DiplomacyRecord, power: str) -> dict[str, Dislodged]:
    """Return province → the unit of a power that was dislodged there in this phase."""
    if record.before.phase.kind is not PhaseKind.MOVEMENT:
        return {}
    return {beaten.unit.province: beaten for beaten in record.adjudged.dislodged.get(power, ())}


def destroyed_before(record: DiplomacyRecord, power: str) -> frozenset[str]:
    """Return the provinces of units that the battles destroyed before the retreats."""
    if record.before.phase.kind is not PhaseKind.RETREAT:
        return frozenset()
    dislodged = record.before.dislodged.get(power, ())
    return frozenset(beaten.unit.province for beaten in dislodged if beaten.retreats == ())


def _list_dislodged(board: Map, record: DiplomacyRecord, only: str | None) -> list[Driven]:
    return [
        Driven(power.name, describe_dislodged(
            power.adjective,
            beaten,
            beaten.retreats or () if only in (None, power.name) else None,
            board,
        ))
        for power in board.powers
        for beaten in beaten_of(record, power.name).values()
    ]


def _notices(board: Map, record: DiplomacyRecord, settled: bool, only: str | None) -> list[Phrase]:
    """Return public news: lost units, eliminated powers, and a draw one Fall ahead."""
    after = record.adjudged.position
    notices = [
        phrase(
            "left-the-board", power=power, units=tuple(describe_unit(unit, board) for unit in units)
        )
        for power, units in sorted(record.adjudged.removed.items())
    ]
    if settled and record.ending is None and record.quiet_limit == after.quiet_falls + 1:
        notices.append(phrase("draw-ahead", falls=after.quiet_falls))
    for power in _present(record.before):
        if power not in _present(after) and only in (None, power):
            notices.append(phrase("eliminated", power=power))
    return notices


def _present(position: Position) -> list[str]:
    """Return the powers with a unit or a centre, by name."""
    with_units = {power for power, units in position.units.items() if units}
    retreating = {power for power, found in position.dislodged.items() if found}
    return sorted(with_units | retreating | set(position.owners.values()))
