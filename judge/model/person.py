"""A stored person: address, conduct record and finished games."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Person:
    """A person known to the judge.

    `address` is in lower case.
    """

    address: str
    name: str = ""
    zone: str = ""
    level: str = ""
    """One of `LEVELS`, or empty."""
    standby: tuple[str, ...] = ()
    """Maps whose vacancies are to be announced by letter. "*" is any map."""
    language: str = ""
    """Code of the language of letters to this address. Empty for none chosen."""
    look: str = ""
    """Skeleton of the name (`names.look_of`).

    Empty without a name, or for one registered before names were shown to other players. Only
    masters and the rating list show such a name."""

    @property
    def nickname(self) -> str:
        """Name shown to others in games that are not anonymous, or empty."""
        return self.name if self.look else ""


@dataclass(frozen=True, slots=True)
class AddressChange:
    """Address change of a seat, done once the new address has confirmed it."""

    id: int
    seat: int
    epoch: int
    """Epoch of the seat at the request, which a new password or player invalidates."""
    old: str
    new: str
    asked: datetime
    done: datetime | None = None


@dataclass(frozen=True, slots=True)
class AliasLink:
    """Two addresses claimed to be one person's, and their confirmations."""

    id: int
    first: str
    second: str
    asked: datetime
    first_yes: bool = False
    second_yes: bool = False

    @property
    def is_confirmed(self) -> bool:
        """True if both addresses have confirmed."""
        return self.first_yes and self.second_yes


LEVELS = ("novice", "amateur", "intermediate", "advanced", "expert")
"""Levels of play that a person may state, the lowest first (as nJudge)."""

NAME_FIELDS = ("name", "nickname", "spitzname")
ZONE_FIELDS = ("zone", "timezone", "time zone", "tz")
LANGUAGE_FIELDS = ("language", "sprache")
FIELDS = frozenset((*NAME_FIELDS, *ZONE_FIELDS, *LANGUAGE_FIELDS, "level"))
"""Fields of REGISTER that are stored, in lower case."""


class ConductKind(Enum):
    """Kind of entry in a conduct record."""

    STARTED = "started"
    """Had a power when its game began."""
    TOOK_OVER = "took over"
    ON_TIME = "on time"
    """Orders were in at the deadline."""
    LATE = "late"
    """Orders came in the grace period."""
    MISSED = "missed"
    """No orders at all."""
    LOST = "lost"
    """The seat was lost for missing orders."""
    RESIGNED = "resigned"
    EXCUSED = "excused"
    """Took an excused delay, as the game allows. It has no effect on reliability."""


@dataclass(frozen=True, slots=True)
class ConductFigures:
    """Counts of each kind of entry in a conduct record.

    They belong to a person, never to a seat. A player taking over a power keeps their own.

    >>> ConductFigures().on_time_share, ConductFigures(on_time=9, late=1).on_time_share
    (100, 90)
    """

    started: int = 0
    took_over: int = 0
    on_time: int = 0
    late: int = 0
    missed: int = 0
    lost: int = 0
    resigned: int = 0
    excused: int = 0

    @property
    def due(self) -> int:
        """Number of phases in which orders were due."""
        return self.on_time + self.late + self.missed

    @property
    def on_time_share(self) -> int:
        """Percentage of due phases with orders on time. 100 if none were due."""
        return 100 * self.on_time // self.due if self.due else 100

    @property
    def left_share(self) -> int:
        """Percentage of seats taken that were resigned or lost. 0 if none were taken."""
        taken = self.started + self.took_over
        return min(100, 100 * (self.lost + self.resigned) // taken) if taken else 0

    @property
    def dedication(self) -> int:
        """Points as in nJudge: 3 per phase on time, -1 late, -10 missed, -50 a lost seat."""
        return 3 * self.on_time - self.late - 10 * self.missed - 50 * self.lost


class Finish(Enum):
    """Outcome of a game for one power or player, the best first."""

    WON = "won"
    SHARED = "shared"
    """Shared a draw with others."""
    SURVIVED = "survived"
    OUT = "out"
    """Eliminated before the end."""
    LEFT = "left"
    """The player resigned or lost the power for missing orders before elimination."""


class PowerFinish(NamedTuple):
    """Outcome of a game for one power."""

    power: str
    finish: Finish
    points: int
    """Points that count for winning, such as centres, at the last count."""
    player: str = ""
    """Address of its player at the end. Empty if it had none."""
    left: tuple[str, ...] = ()
    """Addresses of the players that left it."""


class Finished(NamedTuple):
    """A finished game with a result."""

    id: int
    map: str
    system: str
    ended: datetime
    secret: bool
    """True if the players stay anonymous after the end."""
    rated: bool
    """True if it counts in the ratings."""
    scores: tuple[PowerFinish, ...]
    """One score for each power, in the order of the map."""
    years: tuple[tuple[str, tuple[int, ...]], ...]
    """Points of each power at the beginning and the end of each year, in that order."""

    @property
    def people(self) -> frozenset[str]:
        """Addresses of all players that had a power, at the end or before."""
        held = {score.player for score in self.scores if score.player}
        return frozenset(held | {who for score in self.scores for who in score.left})


class Rating(NamedTuple):
    """Rating of a player. All players begin with the same."""

    points: int
    games: int


class ResultTally(NamedTuple):
    """Number of games by outcome, and the sum of the points at their ends."""

    games: int = 0
    won: int = 0
    shared: int = 0
    survived: int = 0
    out: int = 0
    left: int = 0
    points: int = 0

    @property
    def average(self) -> float:
        """Average points per game to one decimal, without games that the player left.

        >>> ResultTally(games=3, won=1, left=1, points=25).average
        12.5
        """
        stayed = self.games - self.left
        return round(self.points / stayed, 1) if stayed else 0.0
