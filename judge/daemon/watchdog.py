"""Supervision of the running judge by its service manager.

Notifications are datagrams to the socket named by the environment (sd_notify(3),
sd_watchdog_enabled(3)). Without a socket nothing is sent.
"""

import logging
import os
import socket
import threading
import time
from collections.abc import Iterable, Mapping

from judge.digits import is_number

log = logging.getLogger("judge")


class WakeEvent:
    """Event that wakes a sleeping thread. A ring while it works is not lost.

    It also measures how long its thread has been busy.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._event = threading.Event()
        self._since: float | None = None

    def wake(self) -> None:
        """Wake the thread, now or before it next sleeps."""
        self._event.set()

    def mark_busy(self) -> None:
        """Record that the thread begins a piece of work."""
        self._since = time.monotonic()

    def mark_idle(self) -> None:
        """Record that the thread waits for something else than this event."""
        self._since = None

    def wait(self, seconds: float) -> None:
        """Sleep until `wake` is called, at most *seconds*."""
        self._since = None
        self._event.wait(max(seconds, 0.0))
        self._event.clear()
        self.mark_busy()

    def busy_for(self) -> float:
        """Return the seconds the thread has been at one piece of work, or 0 if asleep."""
        since = self._since
        return 0.0 if since is None else time.monotonic() - since


class ServiceNotifier:
    """Notifier of the service manager, if there is one."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        place = environ.get("NOTIFY_SOCKET", "")
        # A name that begins with "@" is one of Linux's abstract sockets.
        self._place = "\0" + place[1:] if place.startswith("@") else place
        span = environ.get("WATCHDOG_USEC", "")
        mine = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.patience = int(span) / 1e6 if mine and is_number(span, 18) else 0.0
        """Seconds without a notification until the watchdog ends the process; 0: never."""

    def notify(self, *lines: str) -> None:
        """Send a notification, such as READY=1. A failure is only logged."""
        if not self._place:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
                wire.connect(self._place)
                wire.send("\n".join(lines).encode("utf-8"))
        except OSError as fault:
            log.warning("the service manager cannot be told: %s", fault)

    def notify_watchdog(self, bells: Iterable[WakeEvent]) -> None:
        """Notify the watchdog unless a thread has been busy for too long."""
        stuck = [bell.name for bell in bells if bell.busy_for() > self.patience]
        if stuck:
            log.error("nothing moves at the %s; the service manager will end us", stuck[0])
        else:
            self.notify("WATCHDOG=1")
