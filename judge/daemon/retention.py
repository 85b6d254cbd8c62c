"""Retention: hourly deletion of expired data, such as mails with secrets.

One process at a time does it, for all that share a database. A mail may contain a password: after
thirty days it is stripped to its headers, its hash, and the note of its result. Old questions,
failed sign-ons, pictures of old letters, dropped maps of no game, keys that no game needs any more
and, after a configured time, old letters are deleted.
"""

from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta

from judge.daemon.application import Application
from judge.store.key_values import LAST_CLEANUP
from judge.store.mailboxes import Mailboxes
from judge.store.queue_report import Queues

HOURLY = timedelta(hours=1)
FULL_MAIL_RETENTION = timedelta(days=30)
"""Time a mail is stored complete, longer than its commands can be deferred."""
FETCHED_RETENTION = timedelta(days=40)
"""Time a fetched mail is recognised after it was last seen in its mailbox."""

_REDUCED = "reduced"
"""Key of the id of the last stripped mail."""
BATCH_SIZE = 200
"""Number of mails in one transaction, during which no other process can write."""
MAX_BATCHES = 50


class Retention:
    """Hourly deletion of expired data."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._done: datetime | None = None

    def run_once(self, now: datetime) -> None:
        """Delete expired data unless any process did so within the hour.

        Raises:
            StoreError: the database cannot be used now.
        """
        if _is_recent(self._done, now):
            return
        with closing(self._application.store.engine.numbers("tidying")) as numbers:
            if not numbers.take(1):
                # Another process is deleting.
                return
            self._done = self._application.key_values.instant(LAST_CLEANUP)
            if not _is_recent(self._done, now):
                self._clean_up(now)

    def _clean_up(self, now: datetime) -> None:
        """Delete expired data, and record that."""
        before = now - FULL_MAIL_RETENTION
        application, context = self._application, self._application.context
        self._reduce_mails(before)
        context.people.delete_older(before)
        context.outreach.delete_older(before)
        self._drop(lambda: application.pictures.delete_unused(before))
        context.maps.delete_unused(before)
        fetched = Mailboxes(application.store)
        self._drop(lambda: fetched.delete_older(now - FETCHED_RETENTION, BATCH_SIZE))
        self._drop(lambda: context.aliases.delete_older(before, BATCH_SIZE))
        if kept := application.config.store.keep_letters:
            letters = Queues(application.store)
            self._drop(lambda: letters.delete_older(now - kept, BATCH_SIZE))
        oldest = application.games.oldest_open() or now
        if application.key_values.rotate(now, min(oldest, before)):
            context.tokens.refresh()
        application.key_values.put_instant(LAST_CLEANUP, now)
        self._done = now

    def _drop(self, some: Callable[[], int]) -> None:
        """Delete in batches, at most `MAX_BATCHES`. The rest is left for the next hour."""
        for _ in range(MAX_BATCHES):
            if not some():
                break

    def _reduce_mails(self, before: datetime) -> None:
        key_values = self._application.key_values
        at = int(key_values.get(_REDUCED) or 0)
        for _ in range(MAX_BATCHES):
            with self._application.store.transaction():
                last = self._application.post.strip_old_bodies(at, before, BATCH_SIZE)
                if last == at:
                    return
                key_values.put(_REDUCED, b"%d" % last)
            at = last


def _is_recent(done: datetime | None, now: datetime) -> bool:
    return done is not None and timedelta() <= now - done < HOURLY
