"""Phrases, which are messages as data, and complaints made of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Union

Fact = Union[str, int, bool, "Phrase", tuple[Union[str, "Phrase"], ...]]
"""Type of a fact of a phrase."""


class Phrase(NamedTuple):
    """Message code with its facts.

    The code names a sentence of the phrase tables (`mailtemplates/*/phrases.tsv`), and the facts
    fill it. Tests compare phrases, players read sentences.

    >>> phrase("unknown-place", word="Xyz")
    Phrase(code='unknown-place', facts={'word': 'Xyz'})
    """

    code: str
    facts: Mapping[str, Fact]

    def as_json(self) -> dict[str, object]:
        """Return the phrase as a JSON object, with phrases among its facts nested."""
        return {"code": self.code} | {
            name: fact.as_json() if isinstance(fact, Phrase) else fact
            for name, fact in self.facts.items()
        }


def phrase(code: str, /, **facts: Fact) -> Phrase:
    """Make a phrase from its code and facts."""
    return Phrase(code, facts)


class ComplaintKind(Enum):
    """Kinds of complaints."""

    UNREADABLE = "unreadable"
    """Not understood: the grammar does not accept it."""
    AMBIGUOUS = "ambiguous"
    """Understood in part or in several ways. Nothing was done."""
    ILLEGAL = "illegal"
    """Understood, but the rules of the game forbid it."""
    NOT_ALLOWED = "not allowed"
    """Understood, but not for this seat, or not now."""
    TOO_LATE = "too late"
    """Understood, but the phase it was for is over."""
    QUESTION = "question"
    """Understood and allowed, but not done until the suggested line confirms it."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """One rejected line and the reason.

    `line` counts from 1 in the mail as read (0: the mail as a whole). `text` is the line as typed,
    without secrets. `column` counts from 0 in `text` (None: no single wrong place). `suggestions`
    are corrected lines that can be sent as they are.
    """

    kind: ComplaintKind
    line: int
    text: str
    reason: Phrase
    column: int | None = None
    suggestions: tuple[str, ...] = ()
