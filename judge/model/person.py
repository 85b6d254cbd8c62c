"""A person as remembered: who it is, how reliable, and how its games ended."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who wrote to us of himself; `address` is in lower case."""

    address: str
    name: str = ""
    zone: str = ""
    level: str = ""
    """One of `LEVELS`, or empty."""
    standby: tuple[str, ...] = ()
    """Maps of which vacancies are to be mailed out; "*" is any."""
    language: str = ""
    """Code of the language of letters to this address; empty for none chosen."""
    look: str = ""
    """How the name looks (`names.look_of`); empty for no name, or for one of before names were
    shown to other players, which is for masters and the list of ratings alone."""

    @property
    def nickname(self) -> str:
        """The name that others may be told where a game is not anonymous; empty for none."""
        return self.name if self.look else ""


@dataclass(frozen=True, slots=True)
class Move:
    """A change of a seat's address: asked for, and done once the new address has confirmed it."""

    id: int
    seat: int
    epoch: int
    """The seat's epoch when it was asked for: a new password or player ends what was asked."""
    old: str
    new: str
    asked: datetime
    done: datetime | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """Two addresses said to be one person's, and which of them have said yes."""

    id: int
    first: str
    second: str
    asked: datetime
    first_yes: bool = False
    second_yes: bool = False

    @property
    def holds(self) -> bool:
        """Both have said yes."""
        return self.first_yes and self.second_yes


LEVELS = ("novice", "amateur", "intermediate", "advanced", "expert")
"""What a person may say of his play, as nJudge has it, the least first."""

NAME_FIELDS = ("name", "nickname", "spitzname")
ZONE_FIELDS = ("zone", "timezone", "time zone", "tz")
LANGUAGE_FIELDS = ("language", "sprache")
FIELDS = frozenset((*NAME_FIELDS, *ZONE_FIELDS, *LANGUAGE_FIELDS, "level"))
"""Fields of REGISTER that are kept, in lower case."""


class Deed(Enum):
    """What counts for or against a person."""

    STARTED = "started"
    """Had a power when its game began."""
    TOOK_OVER = "took over"
    ON_TIME = "on time"
    """Orders were in at the deadline."""
    LATE = "late"
    """Orders came in the grace."""
    MISSED = "missed"
    """No orders at all."""
    LOST = "lost"
    """The seat was taken for missing orders."""
    RESIGNED = "resigned"
    EXCUSED = "excused"
    """Had a deadline wait for him, as the game allows; neither for nor against anybody."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How often each deed was done.

    Figures belong to the person, never to a seat: whoever takes over a power starts with his own.

    >>> Figures().on_time_share, Figures(on_time=9, late=1).on_time_share
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
        """Phases in which orders were owed."""
        return self.on_time + self.late + self.missed

    @property
    def on_time_share(self) -> int:
        """Per cent of the phases due in which orders were on time; newcomers count as perfect."""
        return 100 * self.on_time // self.due if self.due else 100

    @property
    def left_share(self) -> int:
        """Per cent of the seats taken that were given up or lost."""
        taken = self.started + self.took_over
        return min(100, 100 * (self.lost + self.resigned) // taken) if taken else 0

    @property
    def dedication(self) -> int:
        """Points after nJudge: 3 for each phase on time; -1 late, -10 missed, -50 a seat lost."""
        return 3 * self.on_time - self.late - 10 * self.missed - 50 * self.lost


class Finish(Enum):
    """How a game ended for one power or player, the best first."""

    WON = "won"
    SHARED = "shared"
    """Shares in a draw, with others."""
    SURVIVED = "survived"
    OUT = "out"
    """No longer in the game before the end."""
    LEFT = "left"
    """The player resigned, or lost the power for missing orders, while it was in the game."""


class Score(NamedTuple):
    """How a game ended for one power."""

    power: str
    finish: Finish
    points: int
    """What counts for winning, at the last count."""
    player: str = ""
    """Address of whoever held it at the end; empty where nobody did."""
    left: tuple[str, ...] = ()
    """Addresses of those who left it."""


class Finished(NamedTuple):
    """A game that is over and had a result."""

    id: int
    map: str
    system: str
    ended: datetime
    secret: bool
    """Nobody is to know who played what, not even afterwards."""
    rated: bool
    """It counts in the rating of its players."""
    scores: tuple[Score, ...]
    """One for each power, in the order of the map."""
    years: tuple[tuple[str, tuple[int, ...]], ...]
    """What each power owned, in that order, at the beginning and at the end of each year."""

    @property
    def people(self) -> frozenset[str]:
        """Everybody who had a power, at the end or before."""
        held = {score.player for score in self.scores if score.player}
        return frozenset(held | {who for score in self.scores for who in score.left})


class Skill(NamedTuple):
    """How strong a player is, as far as it is sure; everybody begins at the same."""

    points: int
    games: int


class Tally(NamedTuple):
    """How often games ended how, and the score then, all together."""

    games: int = 0
    won: int = 0
    shared: int = 0
    survived: int = 0
    out: int = 0
    left: int = 0
    points: int = 0

    @property
    def average(self) -> float:
        """The score a game, to one decimal; who left had none at the end.

        >>> Tally(games=3, won=1, left=1, points=25).average
        12.5
        """
        stayed = self.games - self.left
        return round(self.points / stayed, 1) if stayed else 0.0
