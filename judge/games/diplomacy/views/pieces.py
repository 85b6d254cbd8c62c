"""What only Diplomacy tells in letters: the facts of its own pieces, each with its template."""

from collections.abc import Sequence
from typing import NamedTuple

from judge.games.facts import Piece, Row
from judge.model.phrase import Phrase


class Builds(NamedTuple):
    """What is to be built, or below 0 removed: `where` and in which `places`, `usable` of them."""

    due: int
    usable: int
    where: Phrase
    places: tuple[Phrase, ...]
    example: str
    """A unit as BUILD or REMOVE takes it; empty where there is none."""


class Count(NamedTuple):
    """What a power has, and how many units it builds or, below 0, removes.

    Of its builds `lost` cannot be made: there is no more centre free to build in.
    """

    power: str
    centres: int
    gained: int
    units: int
    builds: int
    lost: int = 0


class Owned(NamedTuple):
    """Who owns which centres, how many win the game, and what follows from it for each power."""

    rows: tuple[Row, ...]
    victory: int
    tally: tuple[Count, ...] = ()


class Change(NamedTuple):
    """Who took which centres in a year."""

    year: str
    gains: tuple[Phrase, ...]


class Driven(NamedTuple):
    """A unit that was dislodged: whose it is, and the sentence about where it may go."""

    power: str
    told: Phrase


class Beaten(NamedTuple):
    """Units that were dislodged, each with where it may go, under a line that says which."""

    intro: Phrase
    units: tuple[Driven, ...]


def beaten_piece(intro: Phrase, units: Sequence[Driven]) -> Piece:
    """Return the piece about dislodged units."""
    return Piece("dislodged", Beaten(intro, tuple(units)), "dislodged")
