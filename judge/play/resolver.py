"""The way in for the clock: which games are due, and what becomes of them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from judge.play.clockwork import after_outage, attend
from judge.play.office import Office
from judge.play.voting import settle_votes
from judge.words.letter import Letter

OUTAGE = timedelta(minutes=15)
"""A longer gap between two heartbeats of the judge is an outage."""


class Resolver:
    """Attends to games that are due; each call is meant to run in a transaction of its own."""

    def __init__(self, office: Office) -> None:
        self._office = office

    def due(self, now: datetime, limit: int = 100) -> Sequence[int]:
        """Return the games that are due, the longest waiting first; only these cost anything."""
        return self._office.games.due(now, limit)

    def next_due(self) -> datetime | None:
        """Return when the next game is due."""
        return self._office.games.next_due()

    def attend(self, game_id: int, now: datetime) -> list[Letter]:
        """Do everything due in one game by an instant and return the letters it causes."""
        letters = attend(self._office, game_id, now)
        return letters + settle_votes(self._office, game_id, now)

    def after_outage(self, game_id: int, since: datetime, now: datetime) -> list[Letter]:
        """Give a game whose deadline passed while the judge was down a new one."""
        return after_outage(self._office, game_id, since, now)
