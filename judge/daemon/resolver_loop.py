"""Resolver loop: every due game is advanced in a transaction of its own."""

import logging
import traceback
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import partial

from judge.daemon.application import Application
from judge.daemon.error_reports import pause_game, report_fault, report_system
from judge.daemon.log_fields import format_id_range, log_step
from judge.daemon.mail_scheduler import MailScheduler
from judge.errors import StoreError
from judge.failpoints import failpoint
from judge.games import broken_systems
from judge.model.letter import Letter
from judge.play.game import Game
from judge.play.resolver import OUTAGE
from judge.store.key_values import HEARTBEAT
from judge.store.mailboxes import Mailboxes

log = logging.getLogger("judge.resolver")

_MOMENT = timedelta(microseconds=1)
"""Resolution of stored instants. A mail accepted at a deadline is in time."""
_HOURLY = timedelta(hours=1)
MAX_ASKED_MASTERS = 20
"""Maximum number of inactive masters processed in a minute.

Mails and games have a turn in between.
"""
_SOON = timedelta(minutes=1)
_ALL = 1_000_000
"""Limit above the number of games that can be due at once."""


_Moved = tuple[Game, int, list[int], bool]
"""Game that was advanced, number of the letters it caused, their ids, and whether it was blocked.

It is blocked if a mail may have kept it from advancing further.
"""


class ResolverLoop:
    """Resolver loop, which advances due games."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self.queue = MailScheduler(application)
        self._heeded: datetime | None = None
        self._heeded_all = False
        self._looked_at_systems = False

    def tick(self, now: datetime, most: int = _ALL) -> int:
        """Advance each game due by *now* once, at most *most* games. Return their number.

        An unprocessed mail counts for every deadline after it was accepted: a game is advanced only
        up to the oldest such mail that may touch it. Digests that are due are queued too, and
        counted.

        Raises:
            StoreError: the database cannot be used now; due games stay due.
        """
        attended = 0 if self._looked_at_systems else self._look_at_systems(now)
        if not self._application.post.is_anything_due(now):
            self._check_inactive_masters(now)
            return attended
        application = self._application
        due = application.resolver.due(application.mail_complete_until(now))
        if due:
            self.queue.read_ahead(self._application.games.get(due[-1]).due)
        # Games locked by other processes come last, so that every due game is processed.
        left: list[int] = []
        for waits, these in ((False, due), (True, left)):
            for game_id in these:
                if attended >= most:
                    break
                done = self._attend_to(game_id, now, waits)
                if done is None:
                    left.append(game_id)
                else:
                    attended += done
        self._check_inactive_masters(now)
        return attended + sum(
            self._tell(seat, now) for seat in self._application.resolver.digests(now)
        )

    def next_due(self, now: datetime) -> datetime | None:
        """Return when the next game is due.

        Return None if it waits for a look into the mailbox, which wakes the resolver.
        """
        due = self._application.resolver.next_due()
        if due is None or due > now or due <= self._application.mail_complete_until(now):
            return due
        return None

    def due_among(self, games: Collection[int], now: datetime) -> list[int]:
        """Return the due ones of these games, the longest due first."""
        if not games or not self._application.post.is_anything_due(now):
            return []
        return self._application.games.due_among(games, now)

    def advance_games(self, games: Collection[int], now: datetime) -> bool | None:
        """Advance those of these games that are due by *now*. Return whether any was.

        Return None if another process has locked one of them.

        Raises:
            StoreError: the database cannot be used now; due games stay due.
        """
        done = [self._attend_to(game_id, now, False) for game_id in self.due_among(games, now)]
        return None if None in done else any(done)

    def _look_at_systems(self, now: datetime) -> int:
        """Report unusable game systems, and stop or resume games of changed systems.

        It runs once, because nothing is installed while the judge runs. Return the number of these
        games.
        """
        application = self._application
        for each in broken_systems():
            report_system(application, each, now)
        misplaced = application.resolver.find_system_changes()
        for game_id in misplaced:
            self._do(game_id, partial(application.resolver.stop_or_go_on, game_id, now), now)
        self._looked_at_systems = True
        return len(misplaced)

    def _check_inactive_masters(self, now: datetime) -> None:
        """Process inactive masters about once an hour, a few at a time."""
        pause = _HOURLY if self._heeded_all else _SOON
        if self._heeded is not None and timedelta() <= now - self._heeded < pause:
            return
        application = self._application
        seats = application.resolver.inactive_masters(now, MAX_ASKED_MASTERS)
        self._heeded, self._heeded_all = now, len(seats) < MAX_ASKED_MASTERS
        for seat in seats:
            def put_off(story: str, seat: int = seat) -> None:
                log.error("no one can be told of the silent master on seat %d\n%s", seat, story)
                application.resolver.recheck_tomorrow(seat, now)

            self._queue(partial(application.resolver.handle_inactive_master, seat, now), put_off)

    def _tell(self, seat: int, now: datetime) -> int:
        """Queue one subscriber's digest. One that cannot be made is dropped and reported."""
        application = self._application

        def drop(story: str) -> None:
            log.error("the digest of seat %d cannot be made\n%s", seat, story)
            application.context.bundles.drop(seat)
            report_fault(application, "a digest is lost", f"It was for seat {seat}.", story, now)

        return self._queue(partial(application.resolver.digest, seat, now), drop)

    def record_awake(self, now: datetime) -> bool:
        """Store a heartbeat. After an outage, postpone deadlines that have passed.

        Return whether there was an outage, and there may be letters about it.

        Raises:
            StoreError: the database cannot be used now.
        """
        last = self._application.key_values.instant(HEARTBEAT)
        was_away = last is not None and now - last > OUTAGE
        if last is not None and was_away:
            log.warning("an outage since %s", last)
            for game_id in self._application.resolver.due(now, _ALL):
                deed = partial(self._application.resolver.after_outage, game_id, last, now)
                self._do(game_id, deed, now)
        self._application.key_values.put_instant(HEARTBEAT, now)
        return was_away

    def _queue(self, deed: Callable[[], list[Letter]], fail: Callable[[str], None]) -> int:
        """Queue the letters that *deed* returns. Return their number.

        An internal error rolls it back, and *fail* is called with the traceback.
        """
        application = self._application
        try:
            with application.store.transaction():
                return application.queue(deed())
        except StoreError:
            raise
        except Exception:
            with application.store.transaction():
                fail(traceback.format_exc())
            return 0

    def _do(self, game_id: int, deed: Callable[[], list[Letter]], now: datetime) -> None:
        """Apply *deed* to one game. A failure must not block other games."""
        self._queue(deed, lambda story: pause_game(self._application, game_id, story, now))

    def _attend_to(self, game_id: int, now: datetime, waits: bool) -> bool | None:
        """Advance a game while it is locked. Return whether anything was done.

        Without *waits*, return None if another process has locked it.
        """
        store = self._application.store
        try:
            if not store.allows_parallel_writers:
                return self._attend(game_id, now)
            name = self._application.games.get(game_id).name
            if not store.lock_keys((f"game {game_id}", f"name {name}"), waits):
                return None
            try:
                return self._attend(game_id, now)
            finally:
                store.release_keys()
        except StoreError:
            raise
        except Exception:
            # Isolate failures: one broken game must not block the rest.
            pause_game(self._application, game_id, traceback.format_exc(), now)
            return True

    def _attend(self, game_id: int, now: datetime) -> bool:
        """Advance a game. Return whether anything was done.

        Each step is one transaction that also checks whether the game is due. The oldest pending
        mail is looked up inside the transaction, once mails that were being accepted are stored. If
        a mail blocked it that was not read yet, that is read, and the game advances again.
        """
        store, last, done = self._application.store, None, False
        while True:
            settled = store.intake_complete_until(self._application.clock)
            until = now if settled is None else min(now, settled)
            until = self._application.mail_complete_until(until)
            moved = store.run_concurrently(partial(self._move_on, game_id, until))
            if moved is None:
                return done
            failpoint("reported")
            game, many, noted, is_blocked = moved
            log_step(
                log.info, "attended", f"game {game.name} is at {game.phase}, {many} letters",
                game=game.name, phase=game.phase, letters=format_id_range(noted),
            )
            done = True
            if not is_blocked or game.due in (None, last) or game.due > now:
                return done
            last = game.due
            self.queue.read_ahead(last)

    @staticmethod
    def _after_mailbox_outage(application: Application, game_id: int) -> list[Letter]:
        """Postpone a deadline that passed while the mailbox could not be read.

        Return the letters about it, none if it need not be postponed.
        """
        if not application.mailbox:
            return []
        state = Mailboxes(application.store).state(application.mailbox)
        if state.away_from is None or state.away_until is None:
            return []
        return application.resolver.after_mailbox_outage(
            game_id, state.away_from, state.away_until, application.clock.now()
        )

    def _move_on(self, game_id: int, now: datetime) -> _Moved | None:
        """Advance a game, inside a transaction, up to the oldest mail it must wait for.

        Return None if nothing is to be done now.
        """
        with (
            self._application.post.collect_ids() as noted,
            self._application.unit_of_work() as application,
        ):
            game = application.context.games.get(game_id)
            waiting = self.queue.oldest_for(game_id, game.name)
            is_blocked = waiting is not None and waiting <= now
            if waiting is not None:
                now = min(now, waiting - _MOMENT)
            due = game.due
            if due is None or due > now:
                return None
            letters = self._after_mailbox_outage(application, game_id)
            letters = letters or application.resolver.attend(game_id, now)
            failpoint("adjudicated")
            many = application.queue(letters)
            return game, many, noted, is_blocked
