"""Verdicts on the lines of a nation's mail."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from judge.model.incoming import Line
from judge.model.phrase import Complaint, ComplaintKind, Phrase

KINDS = {
    "e-syntax": ComplaintKind.UNREADABLE,
    "e-unknown": ComplaintKind.UNREADABLE,
    "e-ambiguous": ComplaintKind.AMBIGUOUS,
    "e-owner": ComplaintKind.NOT_ALLOWED,
    "e-dead": ComplaintKind.NOT_ALLOWED,
    "e-turn": ComplaintKind.TOO_LATE,
}
"""Complaint kind by the first two parts of a code of N-157. Other codes are ILLEGAL."""


@dataclass
class NationsVerdict:
    """Verdict on one line: the filed orders, notes and complaints."""

    line: Line
    filed: list[str] = field(default_factory=list)
    notes: list[Phrase] = field(default_factory=list)
    complaints: list[Complaint] = field(default_factory=list)
    """Complaints, one for each refused order of the line."""
    examples: dict[int, tuple[str, ...]] = field(default_factory=dict, repr=False)
    """Orders of the same form, by index of the complaint. The first without a fault is shown."""
    likes: dict[int, tuple[str, ...]] = field(default_factory=dict, repr=False)
    """Orders of the same verb, by index of the complaint. They may name other places."""
    ignored: bool = False
    unread: list[str] = field(default_factory=list, repr=False)
    """Parts that are talk only if the line has no filed order and no complaint."""
    withdrawn: list[str] = field(default_factory=list, repr=False)

    @property
    def complaint(self) -> Complaint | None:
        """First complaint, or None."""
        return self.complaints[0] if self.complaints else None

    def complain(
        self,
        reason: Phrase,
        suggestions: Iterable[str] = (),
        text: str | None = None,
        examples: Sequence[str] | None = None,
        likes: Sequence[str] = (),
    ) -> None:
        """Add a complaint about a part of the line, or about all of it without *text*.

        The same complaint is added only once. `keep_working_lines` puts an order of *examples* or
        *likes* into the reason.
        """
        kind = KINDS.get("-".join(reason.code.split("-")[:2]), ComplaintKind.ILLEGAL)
        number, whole = self.line
        part = whole if text is None else text
        if all(each.text != part or each.reason != reason for each in self.complaints):
            told = Complaint(kind, number, part, reason, suggestions=tuple(suggestions))
            if examples is not None:
                self.examples[len(self.complaints)] = tuple(examples)
                self.likes[len(self.complaints)] = tuple(likes)
            self.complaints.append(told)
