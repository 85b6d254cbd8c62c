"""A database taken away from the running judge: its keeper hears of it, though no letter is queued.

What the judge knows of letters is in the database, so this one goes straight to where letters go,
again and again until it is taken.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from judge.config import Config
from judge.dice import fresh_seed
from judge.errors import StoreLost
from judge.mail.compose import Headers, compose_text
from judge.mail.sender import Deferred, Delivery, Refused, delivery_for
from judge.words.record import Outgoing

log = logging.getLogger("judge")

_AGAIN = 60.0
"""Seconds until the letter is tried again."""


class Losses:
    """Hears of the loss from whoever sees it, and has everybody look: all must leave the files."""

    def __init__(
        self, config: Config, now: Callable[[], datetime], wake: Callable[[], None],
        stopping: threading.Event,
    ) -> None:
        self._config = config
        self._now = now
        self._wake = wake
        self._stopping = stopping
        self._lock = threading.Lock()
        self._is_on = False

    def heard(self, fault: StoreLost) -> None:
        """Note that the database is lost; the first to see it has all others see it too."""
        with self._lock:
            first, self._is_on = not self._is_on, True
        if first:
            log.critical("%s", fault)
            threading.Thread(
                target=self._tell, args=(str(fault),), name="losses", daemon=True
            ).start()
            self._wake()

    def over(self) -> None:
        """Note that a database is in use, whether one was lost or not."""
        with self._lock:
            was_on, self._is_on = self._is_on, False
        if was_on:
            log.warning("a database is in use again: %s", self._config.store.file)

    def _tell(self, what: str) -> None:
        delivery, letter = delivery_for(self._config.deliver.to), self._letter(what)
        while not _is_taken(delivery, letter) and not self._stopping.wait(_AGAIN):
            pass
        with suppress(Deferred):
            delivery.rest()

    def _letter(self, what: str) -> Outgoing:
        """Return the letter that tells the keeper."""
        now, judge = self._now(), self._config.judge
        message_id = f"<{fresh_seed()[:15].hex()}@{judge.address.rpartition('@')[2]}>"
        headers = Headers(
            sender=judge.address, to=judge.keeper, subject="the database is gone",
            message_id=message_id, date=now, auto="auto-generated",
        )
        text = (
            f"{what[0].upper()}{what[1:]}.\n\nThe judge takes no mail meanwhile (451: it waits at"
            " whoever sends it), plays nothing and sends nothing but this. It goes on by itself as"
            f" soon as there is a database at {self._config.store.file}: put the lost one back, the"
            " copy named above, or a backup (docs/operating.md). `judge serve --new` would begin"
            " with an empty one."
        )
        return Outgoing(
            id=0, to=judge.keeper, sender=judge.address, message_id=message_id,
            message=compose_text(headers, text), queued=now, due=now,
        )


def _is_taken(delivery: Delivery, letter: Outgoing) -> bool:
    """Try to hand the letter over; one that will never be taken is done with."""
    try:
        delivery.deliver(letter)
    except Refused as fault:
        log.error("the keeper cannot be told: %s", fault)
    except Deferred as fault:
        log.warning("the keeper cannot be told yet: %s", fault)
        return False
    return True
