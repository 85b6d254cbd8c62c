"""What a player did wrong, as a value."""

from dataclasses import dataclass
from enum import Enum

from judge.words.reason import Reason


class ComplaintKind(Enum):
    """The kinds of "no" a player can hear."""

    UNREADABLE = "unreadable"
    """The grammar says no: not understood."""
    AMBIGUOUS = "ambiguous"
    """Understood in part or in several ways: asked back, nothing done."""
    ILLEGAL = "illegal"
    """Understood, but the rules of the game forbid it."""
    NOT_ALLOWED = "not allowed"
    """Understood, but not for this seat, or not now."""
    TOO_LATE = "too late"
    """Understood, but the phase it was for is over."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """One line that was not carried out, and why.

    `line` counts from 1 in the mail as read (0: the mail as a whole). `text` is the line as
    typed, never holding a secret. `column` counts from 0 in `text`, None where no place in it is
    to blame. `suggestions` are lines that can be sent back as they are.
    """

    kind: ComplaintKind
    line: int
    text: str
    reason: Reason
    column: int | None = None
    suggestions: tuple[str, ...] = ()
