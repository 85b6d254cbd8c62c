"""What watches over the running judge: its service manager, and its hold on the database.

sd_notify(3) and sd_watchdog_enabled(3): one datagram to the socket the environment names. Without
one nothing is told to anybody.

A database taken away from the running judge: its keeper hears of it, though no letter is queued.

What the judge knows of letters is in the database, so this one goes straight to where letters go,
again and again until it is taken.
"""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime

from judge.config import Config
from judge.dice import fresh_seed
from judge.digits import is_number
from judge.errors import StoreLost
from judge.mail.outbound.compose import Headers, compose_text
from judge.mail.outbound.sender import Deferred, Delivery, Refused, delivery_for
from judge.model.record import UNSTORED, Outgoing
from judge.store.files import is_moved

log = logging.getLogger("judge")


class ServiceNotifier:
    """Wakes a sleeping thread; a ring while it works is not lost.

    It knows since when its thread has been at work without coming back to it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._event = threading.Event()
        self._since: float | None = None

    def ring(self) -> None:
        """Wake it, now or before it next sleeps."""
        self._event.set()

    def turn(self) -> None:
        """Note that the thread begins a piece of work."""
        self._since = time.monotonic()

    def wait(self, seconds: float) -> None:
        """Sleep until the bell rings, or that long."""
        self._since = None
        self._event.wait(max(seconds, 0.0))
        self._event.clear()
        self.turn()

    def busy_for(self) -> float:
        """Return for how many seconds the thread has been at one piece of work; 0 asleep."""
        since = self._since
        return 0.0 if since is None else time.monotonic() - since


class Supervisor:
    """The service manager that started us, if there is one."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        place = environ.get("NOTIFY_SOCKET", "")
        # A name that begins with "@" is one of Linux's abstract sockets.
        self._place = "\0" + place[1:] if place.startswith("@") else place
        span = environ.get("WATCHDOG_USEC", "")
        mine = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.patience = int(span) / 1e6 if mine and is_number(span, 18) else 0.0
        """Seconds after which we are taken for dead without a sign of life; 0: never."""

    def tell(self, *lines: str) -> None:
        """Tell it something, such as READY=1; a manager that cannot be told stops nothing."""
        if not self._place:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
                wire.connect(self._place)
                wire.send("\n".join(lines).encode("utf-8"))
        except OSError as fault:
            log.warning("the service manager cannot be told: %s", fault)

    def sign_of_life(self, bells: Iterable[ServiceNotifier]) -> None:
        """Say that we live, unless one of our threads has been at one thing for too long."""
        stuck = [bell.name for bell in bells if bell.busy_for() > self.patience]
        if stuck:
            log.error("nothing moves at the %s; the service manager will end us", stuck[0])
        else:
            self.tell("WATCHDOG=1")


_AGAIN = 60.0
"""Seconds until the letter is tried again."""


class DatabaseLoss:
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
            " whoever sends it), plays nothing and sends nothing but this."
        )
        file = self._config.store.file
        if file is None or not is_moved(file):
            text += (
                f" It goes on by itself as soon as there is a database at {file}: put the lost one"
                " back, the copy named above, or a backup (docs/operating.md). `judge serve --new`"
                " would begin with an empty one."
            )
        return Outgoing(
            id=UNSTORED, to=judge.keeper, sender=judge.address, message_id=message_id,
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
