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
"""What kind of complaint a code of N-157 is; all others are orders the rules forbid."""


@dataclass
class Verdict:
    """Orders that a line filed, warnings, and what is wrong with it."""

    line: Line
    filed: list[str] = field(default_factory=list)
    notes: list[Phrase] = field(default_factory=list)
    complaints: list[Complaint] = field(default_factory=list)
    """One for each order of the line that is refused."""
    examples: dict[int, tuple[str, ...]] = field(default_factory=dict, repr=False)
    """Orders of the same form for a complaint, by its number; the first that works is shown."""
    likes: dict[int, tuple[str, ...]] = field(default_factory=dict, repr=False)
    """Orders of the same verb for such a complaint, which may name other places."""
    ignored: bool = False
    unread: list[str] = field(default_factory=list, repr=False)
    """Parts that are talk only if the line has no order."""
    withdrawn: list[str] = field(default_factory=list, repr=False)

    @property
    def complaint(self) -> Complaint | None:
        """The first thing that is wrong."""
        return self.complaints[0] if self.complaints else None

    def complain(
        self,
        reason: Phrase,
        suggestions: Iterable[str] = (),
        text: str | None = None,
        examples: Sequence[str] | None = None,
        likes: Sequence[str] = (),
    ) -> None:
        """Note what is wrong with a part of the line, or with all of it, once."""
        kind = KINDS.get("-".join(reason.code.split("-")[:2]), ComplaintKind.ILLEGAL)
        number, whole = self.line
        part = whole if text is None else text
        if all(each.text != part or each.reason != reason for each in self.complaints):
            told = Complaint(kind, number, part, reason, suggestions=tuple(suggestions))
            if examples is not None:
                self.examples[len(self.complaints)] = tuple(examples)
                self.likes[len(self.complaints)] = tuple(likes)
            self.complaints.append(told)
