"""How games ended for those who played them, and figures of it."""

from datetime import datetime
from enum import Enum
from typing import NamedTuple


class Finish(Enum):
    """How a game ended for one power or player, the best first."""

    WON = "won"
    SHARED = "shared"
    """Shares in a draw, with others."""
    SURVIVED = "survived"
    OUT = "out"
    """Lost all units and centres before the end."""
    LEFT = "left"
    """The player resigned, or lost the power for missing orders, while it was in the game."""


class Score(NamedTuple):
    """How a game ended for one power."""

    power: str
    finish: Finish
    centres: int
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
    """How often games ended how, and the centres owned then, all together."""

    games: int = 0
    won: int = 0
    shared: int = 0
    survived: int = 0
    out: int = 0
    left: int = 0
    centres: int = 0

    @property
    def average(self) -> float:
        """Centres a game, to one decimal; who left owned none at the end.

        >>> Tally(games=3, won=1, left=1, centres=25).average
        12.5
        """
        stayed = self.games - self.left
        return round(self.centres / stayed, 1) if stayed else 0.0
