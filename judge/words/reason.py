"""A reason: why something happened or was refused, as data; others make sentences of it."""

from collections.abc import Mapping
from typing import NamedTuple

Fact = str | int | bool | tuple[str, ...]
"""What a reason may carry: texts, numbers, yes or no, lists of texts."""


class Reason(NamedTuple):
    """A code and its facts.

    The code names a sentence of the phrase tables (`mailtemplates/*/phrases.tsv`), the facts
    fill it. Tests compare reasons, players read sentences.

    >>> because("unknown-place", word="Xyz")
    Reason(code='unknown-place', facts={'word': 'Xyz'})
    """

    code: str
    facts: Mapping[str, Fact]

    def as_json(self) -> dict[str, object]:
        """Return the reason as one flat JSON object."""
        return {"code": self.code, **self.facts}


def because(code: str, /, **facts: Fact) -> Reason:
    """Make a reason from its code and facts."""
    return Reason(code, facts)
