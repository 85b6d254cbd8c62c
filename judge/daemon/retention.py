"""Retention, about once an hour: secrets lie about no longer than they are needed.

One process does it at a time, for all that share a database. A mail may hold a password: after
thirty days it is cut down to its headers, its hash, and the note of what it did. Old questions, old
wrong passwords, pictures of old letters, keys no game needs any more and, after a time the operator
sets, old letters are dropped.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from judge.daemon.application import Application
from judge.store.retention import Expiry

HOURLY = timedelta(hours=1)
KEPT_WHOLE = timedelta(days=30)
"""How long a mail stays as it came; longer than anything in it can wait to be carried out."""

_REDUCED = "reduced"
"""What the number of the last reduced mail is remembered as."""
BATCH_SIZE = 200
"""Mails in one transaction: nobody else can write meanwhile."""
MAX_BATCHES = 50


class Retention:
    """Tidies up; `step` may be called as often as one likes."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._expiry = Expiry(application.store)
        self._done: datetime | None = None

    def step(self, now: datetime) -> None:
        """Tidy up unless that was done within the hour, by whichever process.

        Raises:
            StoreError: the database cannot be used now.
        """
        if _is_recent(self._done, now):
            return
        numbers = self._application.store.engine.numbers("tidying")
        try:
            if numbers is not None and not numbers.take(1):
                # Another process is at it.
                return
            self._done = self._application.key_values.tidied()
            if not _is_recent(self._done, now):
                self._tidy(now)
        finally:
            if numbers is not None:
                numbers.close()

    def _tidy(self, now: datetime) -> None:
        """Drop what is old, and note that."""
        before = now - KEPT_WHOLE
        self._reduce_mails(before)
        self._application.context.people.forget(before)
        self._application.context.outreach.forget(before)
        self._drop(lambda: self._application.pictures.forget(before))
        self._drop(lambda: self._expiry.drop_links(before))
        kept = self._application.config.store.keep_letters
        if kept:
            self._drop(lambda: self._expiry.drop_letters(now - kept))
        oldest = self._application.games.oldest_open() or now
        if self._application.key_values.rotate(now, min(oldest, before)):
            self._application.context.tokens.refresh()
        self._application.key_values.note_tidied(now)
        self._done = now

    def _drop(self, some: Callable[[], int]) -> None:
        """Drop what is old piece by piece: what there is too much of waits for the next hour."""
        for _ in range(MAX_BATCHES):
            if not some():
                break

    def _reduce_mails(self, before: datetime) -> None:
        key_values = self._application.key_values
        at = int(key_values.get(_REDUCED) or 0)
        for _ in range(MAX_BATCHES):
            with self._application.store.transaction():
                last = self._application.post.reduce(at, before, BATCH_SIZE)
                if last == at:
                    return
                key_values.put(_REDUCED, b"%d" % last)
            at = last


def _is_recent(done: datetime | None, now: datetime) -> bool:
    return done is not None and timedelta() <= now - done < HOURLY
