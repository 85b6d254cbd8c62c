"""How long a session, a message and a silence may last (RFC 5321, 4.5.3.2)."""

import asyncio
from collections.abc import Callable

from judge.mail.door import Limits

TOO_LONG = "421 4.4.2 This session has lasted too long"
TOO_SLOW = "421 4.4.2 This message takes too long"
TOO_SILENT = "421 4.4.2 Nothing was heard for too long"


class Watch:
    """The clock of one session; it calls `over` with the reply that ends it.

    It has one timer: to start one with each command would cost more than most commands do.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, limits: Limits, over: Callable[[str], None]
    ) -> None:
        self._loop = loop
        self._limits = limits
        self._over = over
        self._began = self._heard = loop.time()
        self._message: float | None = None
        self._paused = False
        self._timer: asyncio.TimerHandle | None = None

    def heard(self) -> None:
        """Note that the client has sent something."""
        self._heard = self._loop.time()

    def message_begins(self) -> None:
        """Count the time of a message from now: steadily as it may come, it has to end."""
        self._message = self._loop.time()

    def message_is_here(self) -> None:
        """Count no time while we are busy with a message."""
        self._paused = True

    def message_is_done(self) -> None:
        """Count the silence of the client again."""
        self._message, self._paused = None, False
        self.heard()

    def look_later(self) -> asyncio.TimerHandle:
        """Look again when the next of the limits may be passed."""
        limits, now = self._limits, self._loop.time()
        first = min(self._heard + limits.idle, self._began + limits.session, now + limits.message)
        self._timer = self._loop.call_at(max(first, now + 0.01), self._look)
        return self._timer

    def stop(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        limits, now = self._limits, self._loop.time()
        if self._paused:
            self.heard()
        elif now >= self._began + limits.session:
            return self._over(TOO_LONG)
        elif self._message is not None and now >= self._message + limits.message:
            return self._over(TOO_SLOW)
        elif now >= self._heard + limits.idle:
            return self._over(TOO_SILENT)
        self.look_later()
