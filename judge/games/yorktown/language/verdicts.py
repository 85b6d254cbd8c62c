"""Verdicts on the order lines of one mail, and the sheets that they make."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judge.games.system import LineRead
from judge.games.yorktown.language.sheets import read_sheet, write_sheet
from judge.games.yorktown.rules.state import Moment
from judge.model.incoming import Line
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase


@dataclass(frozen=True, slots=True)
class YorktownVerdict(LineRead):
    """Verdict on one line."""

    is_final: bool = False
    """True if the line declares orders final."""
    final: tuple[Moment, ...] = ()
    """Steps whose orders the line declares final."""


def refusal(
    line: Line,
    reason: Phrase,
    suggestions: tuple[str, ...] = (),
    kind: ComplaintKind = ComplaintKind.ILLEGAL,
    column: int | None = None,
) -> YorktownVerdict:
    """Return the verdict that refuses a line."""
    complaint = Complaint(kind, line.number, line.text, reason, column, suggestions)
    return YorktownVerdict(line, complaint=complaint)


class Filed(NamedTuple):
    """Result of a mail's lines: sheets by moment, and verdicts."""

    sheets: Mapping[Moment, str]
    verdicts: tuple[YorktownVerdict, ...]
    final: frozenset[Moment] = frozenset()
    """Steps that this mail declares final, if it changes any orders."""

    def drop_failing_done(self, failing: Collection[Moment], faults: int) -> "Filed":
        """Return a copy in which `done` is refused for steps that fail in the trial.

        A line that declares a failing step final counts for none of its steps. *faults* is the
        number of orders that fail.
        """
        refused = [one for one in self.verdicts if {*one.final} & {*failing}]
        moments = {moment for one in refused for moment in one.final}
        sheets = {
            moment: write_sheet(read_sheet(text)._replace(done=False))
            if moment in moments else text
            for moment, text in self.sheets.items()
        }
        first = min(failing, key=lambda moment: moment.rank)
        step = Phrase(f"step-{first.step.name.lower()}", {})
        reason = phrase("done-held-trial", step=step, count=faults)
        told = [without_done(one, reason) if one in refused else one for one in self.verdicts]
        return Filed(sheets, tuple(told))


def without_done(final: YorktownVerdict, reason: Phrase) -> YorktownVerdict:
    """Return the verdict on a `done` that does not count."""
    return refusal(final.line, reason, final.filed, ComplaintKind.NOT_ALLOWED)


def join_verdicts(line: Line, told: Sequence[YorktownVerdict]) -> list[YorktownVerdict]:
    """Return the verdicts on a line of several orders.

    All filed orders share one verdict. Each withdrawal, complaint and `done` has its own.
    """
    found = [verdict for verdict in told if verdict.withdrawn]
    good = [
        verdict for verdict in told
        if not (verdict.complaint or verdict.ignored or verdict.withdrawn or verdict.is_final)
    ]
    bad = [verdict for verdict in told if verdict.complaint or verdict.is_final]
    if good:
        filed = tuple(text for verdict in good for text in verdict.filed)
        notes = tuple(note for verdict in good for note in verdict.notes)
        found.append(YorktownVerdict(line, filed, notes))
    found += bad
    return found or [YorktownVerdict(line, ignored=True)]
