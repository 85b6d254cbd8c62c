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
    """What a power has, and how many units it builds or, below 0, removes."""

    power: str
    centres: int
    gained: int
    units: int
    builds: int


class Owned(NamedTuple):
    """Who owns which centres, how many win the game, and what follows from it for each power."""

    rows: tuple[Row, ...]
    victory: int
    tally: tuple[Count, ...] = ()


class Change(NamedTuple):
    """Who took which centres in a year."""

    year: str
    gains: tuple[Phrase, ...]


class Beaten(NamedTuple):
    """Units that were dislodged, each with where it may go, under a line that says which."""

    intro: Phrase
    units: tuple[Phrase, ...]


def beaten_piece(intro: Phrase, units: Sequence[Phrase]) -> Piece:
    """Return the piece about dislodged units."""
    return Piece("dislodged", Beaten(intro, tuple(units)), "dislodged")
