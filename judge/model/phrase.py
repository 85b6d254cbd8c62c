"""What is said to people, as data: phrases, and complaints made of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Union

Fact = Union[str, int, bool, "Phrase", tuple[Union[str, "Phrase"], ...]]
"""What a phrase may carry: texts, numbers, yes or no, other phrases, lists of texts and phrases."""


class Phrase(NamedTuple):
    """A code and its facts.

    The code names a sentence of the phrase tables (`mailtemplates/*/phrases.tsv`), the facts
    fill it. Tests compare phrases, players read sentences.

    >>> phrase("unknown-place", word="Xyz")
    Phrase(code='unknown-place', facts={'word': 'Xyz'})
    """

    code: str
    facts: Mapping[str, Fact]

    def as_json(self) -> dict[str, object]:
        """Return the reason as one JSON object; phrases among its facts are objects in it."""
        return {"code": self.code} | {
            name: fact.as_json() if isinstance(fact, Phrase) else fact
            for name, fact in self.facts.items()
        }


def phrase(code: str, /, **facts: Fact) -> Phrase:
    """Make a reason from its code and facts."""
    return Phrase(code, facts)


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
    QUESTION = "question"
    """Understood and allowed, but asked back first: the suggestion is the line that confirms."""


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
    reason: Phrase
    column: int | None = None
    suggestions: tuple[str, ...] = ()
