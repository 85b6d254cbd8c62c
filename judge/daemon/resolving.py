"""The clock's work: every due game in a transaction of its own."""

import logging
import traceback
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from judge.daemon.application import Application
from judge.daemon.error_reports import pause_game, report_system, tell_keeper
from judge.daemon.log_fields import span, trail
from judge.daemon.scheduling import Queue
from judge.errors import StoreError
from judge.failpoints import failpoint
from judge.games import broken
from judge.model.letter import Letter
from judge.play.resolver import OUTAGE

log = logging.getLogger("judge.resolver")

_MOMENT = timedelta(microseconds=1)
"""Instants are stored no finer: a mail accepted at a deadline is in time."""
_HOURLY = timedelta(hours=1)
MAX_ASKED_MASTERS = 20
"""Silent masters looked at in a minute: mails and games have their turn meanwhile."""
_SOON = timedelta(minutes=1)
_ALL = 1_000_000
"""More games than can be due at once."""


class _Moved(NamedTuple):
    """A game that was moved on."""

    name: str
    phase: str
    many: int
    """How many letters that caused."""
    noted: list[int]
    """Their numbers."""
    held: bool
    """Whether a mail may have kept it from going on further."""
    due: datetime | None
    """When it is due again."""

    def is_due(self, now: datetime) -> bool:
        """Tell whether it is due again by now."""
        return self.due is not None and self.due <= now


class Resolving:
    """Attends to the games that are due."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self.queue = Queue(application)
        self._heeded: datetime | None = None
        self._heeded_all = False
        self._looked_at_systems = False

    def tick(self, now: datetime, most: int = _ALL) -> int:
        """Attend to each game due by `now` once, to so many at most; return how many were attended
        to.

        A mail that is not worked yet counts for every deadline after it was accepted: a game is
        taken only as far as the oldest such mail that may touch it.

        Raises:
            StoreError: the database cannot be used now; what is due stays due.
        """
        attended = 0 if self._looked_at_systems else self._look_at_systems(now)
        if not self.queue.is_anything_due(now):
            self._heed_masters(now)
            return attended
        due = self._application.resolver.due(now)
        if due:
            self.queue.look_ahead(self._application.games.get(due[-1]).due)
        # Those that others have in hand come last: whatever is due shall be attended to by then.
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
        self._heed_masters(now)
        return attended + sum(
            self._tell(seat, now) for seat in self._application.resolver.digests(now)
        )

    def is_due(self, games: Collection[int], now: datetime) -> bool:
        """Tell whether any of some games is due by `now`."""
        return (
            bool(games) and self.queue.is_anything_due(now)
            and bool(self._application.games.due_among(games, now))
        )

    def attend_to(self, games: Collection[int], now: datetime) -> bool | None:
        """Attend to those of some games that are due by `now`; return whether there was any, None
        where somebody else has one of them in hand.

        Raises:
            StoreError: the database cannot be used now; what is due stays due.
        """
        if not games or not self.queue.is_anything_due(now):
            return False
        due = self._application.games.due_among(games, now)
        done = [self._attend_to(game_id, now, False) for game_id in due]
        return None if None in done else any(done)

    def _look_at_systems(self, now: datetime) -> int:
        """Tell of game systems that cannot be used, and have games stop, or go on, that were played
        by others than are installed; once, for nothing is installed while the judge runs."""
        application = self._application
        for each in broken():
            report_system(application, each, now)
        misplaced = application.resolver.misplaced()
        for game_id in misplaced:
            self._do(game_id, partial(application.resolver.stop_or_go_on, game_id, now), now)
        self._looked_at_systems = True
        return len(misplaced)

    def _heed_masters(self, now: datetime) -> None:
        """Look about once an hour for masters of whom nothing is heard, a few at a time."""
        pause = _HOURLY if self._heeded_all else _SOON
        if self._heeded is not None and timedelta() <= now - self._heeded < pause:
            return
        application = self._application
        seats = application.resolver.silent(now, MAX_ASKED_MASTERS)
        self._heeded, self._heeded_all = now, len(seats) < MAX_ASKED_MASTERS
        for seat in seats:
            def put_off(story: str, seat: int = seat) -> None:
                log.error("no one can be told of the silent master on seat %d\n%s", seat, story)
                application.resolver.put_off(seat, now)

            self._queue(partial(application.resolver.heed, seat, now), put_off)

    def _tell(self, seat: int, now: datetime) -> int:
        """Queue one subscriber's digest. One that cannot be made is dropped and reported."""
        application = self._application

        def drop(story: str) -> None:
            log.error("the digest of seat %d cannot be made\n%s", seat, story)
            application.context.bundles.drop(seat)
            tell_keeper(application, "a digest is lost", f"It was for seat {seat}.", story, now)

        return self._queue(partial(application.resolver.digest, seat, now), drop)

    def awake(self, now: datetime) -> bool:
        """Note that the judge is awake; after an outage, give deadlines that passed a new time.

        Returns whether there may be letters about that.

        Raises:
            StoreError: the database cannot be used now.
        """
        last = self._application.key_values.heartbeat()
        was_away = last is not None and now - last > OUTAGE
        if last is not None and was_away:
            log.warning("an outage since %s", last)
            for game_id in self._application.resolver.due(now, _ALL):
                deed = partial(self._application.resolver.after_outage, game_id, last, now)
                self._do(game_id, deed, now)
        self._application.key_values.beat(now)
        return was_away

    def _queue(self, deed: Callable[[], list[Letter]], fail: Callable[[str], None]) -> int:
        """Queue the letters that something causes. Return how many.

        A fault of ours undoes it, and *fail* is called with its story.
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
        """Do something to one game. One that fails must not keep the others from it."""
        self._queue(deed, lambda story: pause_game(self._application, game_id, story, now))

    def _attend_to(self, game_id: int, now: datetime, waits: bool) -> bool | None:
        """Have a game moved on while others are kept from it; None: somebody has it in hand.

        Returns whether anything was to be done.
        """
        store = self._application.store
        try:
            if not store.shares:
                return self._attend(game_id, now)
            name = self._application.games.get(game_id).name
            if not store.hold((f"game {game_id}", f"name {name}"), waits):
                return None
            try:
                return self._attend(game_id, now)
            finally:
                store.let_go()
        except StoreError:
            raise
        except Exception:
            # One game that we cannot adjudicate must not stop the others.
            pause_game(self._application, game_id, traceback.format_exc(), now)
            return True

    def _attend(self, game_id: int, now: datetime) -> bool:
        """Have a game moved on, and again where a mail that nobody had looked at yet kept it from
        going on to the end; return whether anything was to be done."""
        done = moved = self._attend_once(game_id, now)
        last: datetime | None = None
        while moved is not None and moved.held and moved.due != last and moved.is_due(now):
            last = moved.due
            self.queue.look_ahead(last)
            moved = self._attend_once(game_id, now)
        return done is not None

    def _attend_once(self, game_id: int, now: datetime) -> _Moved | None:
        """Have a game moved on; "due" and what is done about it change in one transaction.

        It is asked inside the transaction which mails still wait, once those are there that were on
        their way at that time. Returns None when nothing was to be done.
        """
        store = self._application.store
        settled = store.settled(self._application.clock)
        now = now if settled is None else min(now, settled)
        moved = store.beside(partial(self._move_on, game_id, now))
        if moved is None:
            return None
        failpoint("reported")
        log.info(
            "game %s is at %s, %d letters", moved.name, moved.phase, moved.many,
            extra=trail("attended", game=moved.name, phase=moved.phase, letters=span(moved.noted)),
        )
        return moved

    def _move_on(self, game_id: int, now: datetime) -> _Moved | None:
        """Move a game on, inside a transaction, as far as mails that wait let it; None when nothing
        is to be done now."""
        with self._application.post.noting() as noted, self._application.work() as application:
            game = application.context.games.get(game_id)
            waiting = self.queue.oldest_for(game_id, game.name)
            held = waiting is not None and waiting <= now
            if waiting is not None:
                now = min(now, waiting - _MOMENT)
            due = game.due
            if due is None or due > now:
                return None
            letters = application.resolver.attend(game_id, now)
            failpoint("adjudicated")
            many = application.queue(letters)
            return _Moved(game.name, game.phase, many, noted, held, game.due)
