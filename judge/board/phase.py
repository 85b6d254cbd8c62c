"""Phases of province games and the calendar that strings them together."""

import re
from enum import Enum
from typing import NamedTuple


class Season(Enum):
    """The two turns of a year."""

    SPRING = "S"
    FALL = "F"

    @property
    def title(self) -> str:
        """Return the season's name."""
        return self.name.capitalize()


class PhaseKind(Enum):
    """What is ordered in a phase."""

    MOVEMENT = "M"
    RETREAT = "R"
    ADJUSTMENT = "A"

    @property
    def title(self) -> str:
        """Return what the orders of such a phase are called."""
        return {"M": "Movement", "R": "Retreat", "A": "Adjustment"}[self.value]


_LABEL = re.compile(r"([SFW])([0-9]{4})([MRAB])", re.IGNORECASE)


class Phase(NamedTuple):
    """One phase of one year.

    >>> str(Phase(1901, Season.SPRING, PhaseKind.MOVEMENT))
    'S1901M'
    >>> parse_phase("w1901a").title
    'Fall of 1901'
    """

    year: int
    season: Season
    kind: PhaseKind

    def __str__(self) -> str:
        return f"{self.season.value}{self.year}{self.kind.value}"

    @property
    def title(self) -> str:
        """Return the turn in words: "Spring of 1901"."""
        return f"{self.season.title} of {self.year}"

    def after(self) -> "Phase":
        """Return the phase the calendar has next, whether or not anybody can order in it.

        >>> str(parse_phase("S1901R").after()), str(parse_phase("F1901R").after())
        ('F1901M', 'F1901A')
        """
        year, season, kind = self
        if kind is PhaseKind.MOVEMENT:
            return Phase(year, season, PhaseKind.RETREAT)
        if season is Season.SPRING:
            return Phase(year, Season.FALL, PhaseKind.MOVEMENT)
        if kind is PhaseKind.RETREAT:
            return Phase(year, season, PhaseKind.ADJUSTMENT)
        return Phase(year + 1, Season.SPRING, PhaseKind.MOVEMENT)


def parse_phase(text: str) -> Phase:
    """Read a phase label; F1901B and W1901A are read as F1901A.

    >>> str(parse_phase("F1901B"))
    'F1901A'

    Raises:
        ValueError: the text is no phase label.
    """
    found = _LABEL.fullmatch(text.strip())
    if not found:
        raise ValueError(f"no phase: {text!r}")
    season, year, kind = found[1].upper(), int(found[2]), found[3].upper()
    if kind == "B" or season == "W":
        season, kind = "F", "A"
    if (season, kind) == ("S", "A"):
        raise ValueError(f"no adjustments in spring: {text!r}")
    return Phase(year, Season(season), PhaseKind(kind))
