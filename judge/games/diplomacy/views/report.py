"""An adjudicated phase told again: the facts of a results letter."""

from collections.abc import Mapping

from judge.board.map import Map
from judge.board.position import Phase, PhaseKind, Position, Season
from judge.games.diplomacy.language.wording import (
    dislodged_told,
    glimpse_line,
    glimpse_tags,
    glimpse_words,
    outcome_tags,
    result_line,
    tried_words,
    unit_told,
)
from judge.games.diplomacy.rules.orders import Outcome, unit_of
from judge.games.diplomacy.views.adjudicate_json import result_values
from judge.games.diplomacy.views.phases import titled, turn_named
from judge.games.diplomacy.views.record import Record
from judge.games.diplomacy.views.standing import gains_told, ownership_rows, tally
from judge.model.phrase import Phrase, phrase

_PLAIN = {Outcome.SUCCEEDS, Outcome.NO_ORDER}
"""Outcomes that say everything themselves."""


def result_facts(
    board: Map, record: Record, *, only: str | None = None
) -> Mapping[str, object]:
    """Return the facts of a phase's results.

    `groups` holds each power's lines, each with the reason of its fate or None; `tally` has
    the figures of each power; `notices` are reasons; `next` is empty and `next_title`
    None once the game has ended; `result` is the machine form. `only`: of centres and figures
    nothing is known but what is that power's.
    """
    before, after = record.before.phase, record.adjudged.position
    goes_on = record.ending is None
    settled = _settles_owners(record)
    return {
        "phase": str(before),
        "title": titled("title-results", before),
        "groups": _groups(board, record),
        "dislodged": _dislodged(board, record, only),
        "changes": gains_told(board, record.before.owners, after.owners) if settled else [],
        "ownership": ownership_rows(board, after, only=only) if settled else [],
        "tally": tally(board, record.before, after, only=only) if settled else [],
        "notices": _notices(board, record, settled, only),
        "sight": None,
        "ending": None if record.ending is None else record.ending.reason,
        "winners": () if record.ending is None else record.ending.winners,
        "next": str(after.phase) if goes_on else "",
        "next_title": _to_come(after.phase) if goes_on else None,
        "result": result_values(board, record.adjudged, record.by),
    }


def _to_come(phase: Phase) -> Phrase:
    """Return what nJudge calls the phase to come: "Retreats for Spring of 1901"."""
    return phrase(f"next-{phase.kind.name.lower()}", turn=turn_named(phase))


def _settles_owners(record: Record) -> bool:
    """Tell whether centres changed hands with this phase: after the last moves of a Fall."""
    before, after = record.before.phase, record.adjudged.position.phase
    return (
        before.season is Season.FALL
        and before.kind is not PhaseKind.ADJUSTMENT
        and after != before._replace(kind=PhaseKind.RETREAT)
    )


def _groups(board: Map, record: Record) -> list[Mapping[str, object]]:
    removing = record.before.phase.kind is PhaseKind.ADJUSTMENT
    return [
        {
            "power": power.name,
            "lines": [
                {
                    "text": result_line(power.name, order, outcomes, board, removing=removing),
                    "order": tried_words(order, outcomes, board, removing=removing),
                    "tags": outcome_tags(order, outcomes, removing=removing),
                    "reason": None if set(outcomes) <= _PLAIN else reason,
                    "by": record.by.get(unit.province, "") if (unit := unit_of(order)) else "",
                }
                for order, outcomes, reason in record.adjudged.verdicts.get(power.name, ())
            ]
            + [
                {
                    "text": glimpse_line(power.name, unit, seen.outcomes, board),
                    "order": glimpse_words(unit, board),
                    "tags": glimpse_tags(seen.outcomes),
                    "reason": None,
                    "by": "",
                }
                for seen in record.glimpses.get(power.name, ())
                if (unit := unit_of(seen.order))
            ],
        }
        for power in board.powers
        if record.adjudged.verdicts.get(power.name) or record.glimpses.get(power.name)
    ]


def _dislodged(board: Map, record: Record, only: str | None) -> list[Phrase]:
    if record.before.phase.kind is not PhaseKind.MOVEMENT:
        return []
    return [
        dislodged_told(
            power.adjective,
            beaten,
            beaten.retreats or () if only in (None, power.name) else None,
            board,
        )
        for power in board.powers
        for beaten in record.adjudged.dislodged.get(power.name, ())
    ]


def _notices(
    board: Map, record: Record, settled: bool, only: str | None
) -> list[Phrase]:
    """Return what everybody should know: units and powers that went, a draw one Fall ahead."""
    after = record.adjudged.position
    notices = [
        phrase(
            "left-the-board", power=power, units=tuple(unit_told(unit, board) for unit in units)
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
