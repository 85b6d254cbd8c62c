"""The way in for the clock: which games are due, and what becomes of them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from judge.games import all_systems, is_installed
from judge.model.letter import Letter
from judge.play.clocks.clockwork import after_outage, attend
from judge.play.clocks.pauses import BY_SYSTEM, end_pause, stop_or_go_on
from judge.play.game import Context
from judge.play.gm.decisions import settle_votes
from judge.play.gm.masters import heed, put_off, silent
from judge.play.notification_filter import release, sift
from judge.play.people.addresses import with_copies

OUTAGE = timedelta(minutes=15)
"""A longer gap between two heartbeats of the judge is an outage."""


class Resolver:
    """Attends to games that are due; each call is meant to run in a transaction of its own."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def due(self, now: datetime, limit: int = 100) -> Sequence[int]:
        """Return the games that are due, the longest waiting first; only these cost anything."""
        return self._context.games.stored.due(now, limit)

    def next_due(self) -> datetime | None:
        """Return when the next game is due."""
        return self._context.games.stored.next_due()

    def attend(self, game_id: int, now: datetime) -> list[Letter]:
        """Do everything due in one game by an instant and return the letters it causes."""
        with self._context.work() as context:
            game = context.games.get(game_id)
            letters = [*end_pause(game, now), *attend(game, now)]
            return sift(context, [*letters, *settle_votes(game, now)], now)

    def after_outage(self, game_id: int, since: datetime, now: datetime) -> list[Letter]:
        """Give a game whose deadline passed while the judge was down a new one."""
        with self._context.work() as context:
            return sift(context, after_outage(context.games.get(game_id), since, now), now)

    def misplaced(self) -> Sequence[int]:
        """Return the games that must stop or go on, since their systems are gone or here again."""
        games = self._context.games
        here = [system.name for system in all_systems()]
        paused = games.stored.paused_by(BY_SYSTEM)
        back = [number for number in paused if is_installed(games.get(number).system)]
        return [*games.stored.unlike(here), *back]

    def stop_or_go_on(self, game_id: int, now: datetime) -> list[Letter]:
        """Pause a game whose system is missing, or let it go on again."""
        with self._context.work() as context:
            return sift(context, stop_or_go_on(context.games.get(game_id), now), now)

    def silent(self, now: datetime, limit: int) -> Sequence[int]:
        """Return seats of masters of whom too little is heard, so many at most."""
        with self._context.work() as context:
            return silent(context, now, limit)

    def put_off(self, seat: int, now: datetime) -> None:
        """Leave a silent master for tomorrow."""
        with self._context.work() as context:
            put_off(context, seat, now)

    def heed(self, seat: int, now: datetime) -> list[Letter]:
        """Ask a silent master whether he is there, or offer his game to its people."""
        with self._context.work() as context:
            return sift(context, heed(context, seat, now), now)

    def digests(self, now: datetime) -> Sequence[int]:
        """Return the seats whose digests are due."""
        return [bundle.seat for bundle in self._context.bundles.due(now)]

    def digest(self, seat: int, now: datetime) -> list[Letter]:
        """Return the digest of one seat, which is then told."""
        with self._context.work() as context:
            return with_copies(context, release(context, seat, now))
