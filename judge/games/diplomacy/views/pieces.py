"""Letter facts special to Diplomacy, each with its own template."""

from collections.abc import Sequence
from typing import NamedTuple

from judge.games.letter_facts import HoldingRow, LetterPiece
from judge.model.phrase import Phrase


class Builds(NamedTuple):
    """Builds due, or below 0 removals, of which *usable* can be made in *places*.

    *where* names the kind of centre in which units can be built.
    """

    due: int
    usable: int
    where: Phrase
    places: tuple[Phrase, ...]
    example: str
    """A unit as BUILD or REMOVE takes it. Empty if there is no possible one."""


class Count(NamedTuple):
    """Figures of a power. Negative *builds* are removals.

    *lost* builds cannot be made, because too few centres are free to build in.
    """

    power: str
    centres: int
    gained: int
    units: int
    builds: int
    lost: int = 0


class Owned(NamedTuple):
    """Ownership of centres, the number that wins, and the figures of each power."""

    rows: tuple[HoldingRow, ...]
    victory: int
    tally: tuple[Count, ...] = ()


class CentreGains(NamedTuple):
    """Centres that changed hands in a year."""

    year: str
    gains: tuple[Phrase, ...]


class Driven(NamedTuple):
    """Dislodged unit: its power, and the sentence about its retreats."""

    power: str
    told: Phrase


class Beaten(NamedTuple):
    """Dislodged units with their retreats, under an introduction."""

    intro: Phrase
    units: tuple[Driven, ...]


def beaten_piece(intro: Phrase, units: Sequence[Driven]) -> LetterPiece:
    """Return the piece about dislodged units."""
    return LetterPiece("dislodged", Beaten(intro, tuple(units)), "dislodged")
