"""Entry point for the clock: games that are due, and their processing."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from judge.games import is_playable
from judge.model.letter import Letter
from judge.play.choices.early import missing_orders
from judge.play.clocks.game_clock import (
    BY_SYSTEM,
    advance_clock,
    after_outage,
    end_pause,
    is_missed_in,
    stop_or_go_on,
)
from judge.play.game import Context
from judge.play.gm.decisions import settle_votes
from judge.play.gm.masters import handle_inactive_master, inactive_masters, recheck_tomorrow
from judge.play.notification_filter import filter_notifications, flush_digest
from judge.play.people.addresses import with_copies

OUTAGE = timedelta(minutes=15)
"""Minimum gap between two heartbeats of the judge that counts as an outage."""


class Resolver:
    """Processor of games that are due. Each call should run in its own transaction."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def due(self, now: datetime, limit: int = 100) -> Sequence[int]:
        """Return the games that are due, the longest waiting first."""
        return self._context.games.stored.due(now, limit)

    def next_due(self) -> datetime | None:
        """Return when the next game is due."""
        return self._context.games.stored.next_due()

    def attend(self, game_id: int, now: datetime) -> list[Letter]:
        """Do everything due in one game by an instant, and return the letters it causes."""
        with self._context.unit_of_work() as context:
            game = context.games.get(game_id)
            letters = [*end_pause(game, now), *advance_clock(game, now)]
            return filter_notifications(context, [*letters, *settle_votes(game, now)], now)

    def after_outage(self, game_id: int, since: datetime, now: datetime) -> list[Letter]:
        """Give a game a new deadline if its deadline passed while the judge was down."""
        with self._context.unit_of_work() as context:
            return filter_notifications(
                context, after_outage(context.games.get(game_id), since, now), now
            )

    def after_mailbox_outage(
        self, game_id: int, since: datetime, until: datetime, now: datetime
    ) -> list[Letter]:
        """Move a deadline that passed while the mailbox could not be read.

        A phase whose orders are all in is played as of its deadline.
        """
        with self._context.unit_of_work() as context:
            game = context.games.get(game_id)
            if is_missed_in(game, since, until) and missing_orders(game, game.table):
                return filter_notifications(context, after_outage(game, since, now), now)
            return []

    def find_system_changes(self) -> Sequence[int]:
        """Return the games to pause or resume, by their systems and maps."""
        games = self._context.games
        lost = [each for each in games.stored.running_maps() if not is_playable(*each)]
        paused = map(games.get, games.stored.paused_by(BY_SYSTEM))
        back = [game.id for game in paused if is_playable(game.system, game.map)]
        return [*(number for each in lost for number in games.stored.running_on(*each)), *back]

    def stop_or_go_on(self, game_id: int, now: datetime) -> list[Letter]:
        """Pause a game whose system or map is missing, or resume it if both are back."""
        with self._context.unit_of_work() as context:
            return filter_notifications(
                context, stop_or_go_on(context.games.get(game_id), now), now
            )

    def inactive_masters(self, now: datetime, limit: int) -> Sequence[int]:
        """Return at most *limit* seats of masters who have sent no mail for too long."""
        with self._context.unit_of_work() as context:
            return inactive_masters(context, now, limit)

    def recheck_tomorrow(self, seat: int, now: datetime) -> None:
        """Postpone the handling of an inactive master to the next day."""
        with self._context.unit_of_work() as context:
            recheck_tomorrow(context, seat, now)

    def handle_inactive_master(self, seat: int, now: datetime) -> list[Letter]:
        """Send an inactive master an inquiry, or offer their game to its players."""
        with self._context.unit_of_work() as context:
            return filter_notifications(context, handle_inactive_master(context, seat, now), now)

    def digests(self, now: datetime) -> Sequence[int]:
        """Return the seats whose digests are due."""
        return [bundle.seat for bundle in self._context.bundles.due(now)]

    def digest(self, seat: int, now: datetime) -> list[Letter]:
        """Return the digest of one seat, and close it."""
        with self._context.unit_of_work() as context:
            return with_copies(context, flush_digest(context, seat, now))
