"""Limits of the SMTP server on connections, buffer space and time."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ssl import SSLContext
from typing import Protocol

from judge.errors import JudgeError
from judge.model.incoming import Arrival

log = logging.getLogger("judge.mail.door")

Accept = Callable[[Arrival], Awaitable[int]]
FAULT = "451 4.3.0 Our fault, the message was not taken; please try again later"
SHUTTING_DOWN = "421 4.3.2 Going down; please come again"
TOO_BIG = "552 5.3.4 The message is too big"
NO_ROOM = "452 4.3.1 Too many messages are on their way; please try again later"
TOO_MANY_CONNECTIONS = "421 4.7.0 Too many connections; please come again"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one client and for all of them (RFC 5321, 4.5.3)."""

    size: int = 5 * 1024 * 1024
    buffered: int = 128 * 1024 * 1024
    """Bytes of incoming messages, in all sessions."""
    held_reserved: int = 32 * 1024 * 1024
    """Share of these for this machine only: its mail server, which has limits too."""
    peer_held: int = 32 * 1024 * 1024
    """Bytes of one address. Not counted for this machine."""
    recipients: int = 100
    hops: int = 100
    commands: int = 1000
    """In one session between two accepted messages."""
    errors: int = 50
    """Refused commands in one session between two accepted messages."""
    connections: int = 500
    reserved: int = 50
    """Additional connections for this machine only."""
    peer_connections: int = 50
    """From one address. Not counted for this machine."""
    idle: float = 300.0
    message: float = 900.0
    """Seconds that one message may take, however steadily it comes."""
    session: float = 1800.0


class SmtpConnection(Protocol):
    """Interface of a session for the server."""

    host: str

    def dismiss(self, reply: str) -> None:
        """Close the session as soon as no message is incoming."""
        ...

    def abort(self, reply: str) -> None:
        """Close the session now."""
        ...


class ConnectionRegistry:
    """State of the SMTP server, shared by all sessions.

    *accept* stores a message and returns its number. *knows* returns whether a recipient is one of
    the judge's addresses.
    """

    def __init__(
        self, accept: Accept, knows: Callable[[str], bool], hostname: str,
        limits: Limits = Limits(), tls: SSLContext | None = None,
    ) -> None:
        self.accept = accept
        self.knows = knows
        self.hostname = hostname
        self.limits = limits
        self.tls = tls
        self.held = 0
        """Bytes of incoming messages."""
        self.held_by: Counter[str] = Counter()
        """The same by peer. The key of this machine is empty."""
        self.sessions: set[SmtpConnection] = set()
        self._peers: Counter[str] = Counter()
        self._hurry = asyncio.Event()

    def enter(self, guest: SmtpConnection) -> bool:
        """Register a session. Return False if there are too many, in all or of its peer."""
        peer, limits = guest.host, self.limits
        room = limits.connections if peer else limits.connections + limits.reserved
        if len(self.sessions) >= room or peer and self._peers[peer] >= limits.peer_connections:
            log.warning("no room for a connection from %s", peer or "this machine")
            return False
        self.sessions.add(guest)
        self._peers[peer] += 1
        return True

    def leave(self, guest: SmtpConnection) -> None:
        """Unregister a session."""
        if guest in self.sessions:
            self.sessions.remove(guest)
            self._peers[guest.host] -= 1
            if not self._peers[guest.host]:
                del self._peers[guest.host]

    async def close(self, grace: float) -> None:
        """Close idle sessions at once, and others after their message.

        Close the servers first. After *grace* seconds, or a call of `hurry`, the remaining sessions
        are sent a reply and closed.
        """
        for guest in list(self.sessions):
            guest.dismiss(SHUTTING_DOWN)
        end = asyncio.get_running_loop().time() + grace
        while self.sessions and not self._hurry.is_set():
            left = end - asyncio.get_running_loop().time()
            if left <= 0:
                break
            try:
                await asyncio.wait_for(self._hurry.wait(), min(left, 0.02))
            except TimeoutError:
                continue
        for guest in list(self.sessions):
            guest.abort(SHUTTING_DOWN)

    def hurry(self) -> None:
        """Stop waiting for incoming messages."""
        self._hurry.set()


class MemoryReservation:
    """Buffer space reserved for one incoming message of a peer."""

    def __init__(self, smtp_server: ConnectionRegistry, peer: str) -> None:
        self._server = smtp_server
        self._peer = peer
        self._octets = 0
        self.refusal = ""
        """The reply, once space for the message was refused."""

    def may_keep(self, octets: int) -> bool:
        """Return whether the message may take *octets* bytes in all.

        They include the line end before it.
        """
        if octets > self._server.limits.size + 2:
            self.refusal = TOO_BIG
        elif octets > self._octets:
            if self._has_room(octets - self._octets):
                self._count(octets)
            else:
                self.refusal = NO_ROOM
        return not self.refusal

    def release(self) -> None:
        """Release the space."""
        self._count(0)

    def _has_room(self, more: int) -> bool:
        """Return whether there is space for more, in all and for this peer."""
        smtp_server, limits = self._server, self._server.limits
        if not self._peer:
            return smtp_server.held + more <= limits.buffered
        strangers = smtp_server.held - smtp_server.held_by[""]
        return (
            smtp_server.held + more <= limits.buffered
            and strangers + more <= limits.buffered - limits.held_reserved
            and smtp_server.held_by[self._peer] + more <= limits.peer_held
        )

    def _count(self, octets: int) -> None:
        more = octets - self._octets
        self._octets = octets
        self._server.held += more
        self._server.held_by[self._peer] += more
        if not self._server.held_by[self._peer]:
            del self._server.held_by[self._peer]


def report_fault(error: Exception) -> str:
    """Return the reply to an internal error: never 5xx, and without details.

    A database that is full, busy or lost gets one line of the log for each message, not a
    traceback.
    """
    if isinstance(error, JudgeError):
        log.error("a message was not taken: %s", error)
    else:
        log.error("a session failed: %s", type(error).__name__, exc_info=error)
    return FAULT


TOO_LONG = "421 4.4.2 This session has lasted too long"
TOO_SLOW = "421 4.4.2 This message takes too long"
TOO_SILENT = "421 4.4.2 Nothing was heard for too long"


class SessionTimer:
    """Time limits of one session. Calls *over* with the reply that ends it.

    It has one timer, as starting one for each command would cost more than most commands do.
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

    def note_activity(self) -> None:
        """Record that the client has sent something."""
        self._heard = self._loop.time()

    def message_begins(self) -> None:
        """Start the time limit of a message, which applies however steadily it comes."""
        self._message = self._loop.time()

    def message_is_here(self) -> None:
        """Suspend the limits while the judge processes a message."""
        self._paused = True

    def message_is_done(self) -> None:
        """Resume the limit on the client's silence."""
        self._message, self._paused = None, False
        self.note_activity()

    def schedule_check(self) -> None:
        """Schedule the next check for the earliest time at which a limit can expire."""
        limits, now = self._limits, self._loop.time()
        first = min(self._heard + limits.idle, self._began + limits.session, now + limits.message)
        self._timer = self._loop.call_at(max(first, now + 0.01), self._look)

    def stop(self) -> None:
        """Cancel the next check."""
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        limits, now = self._limits, self._loop.time()
        if self._paused:
            self.note_activity()
        elif now >= self._began + limits.session:
            return self._over(TOO_LONG)
        elif self._message is not None and now >= self._message + limits.message:
            return self._over(TOO_SLOW)
        elif now >= self._heard + limits.idle:
            return self._over(TOO_SILENT)
        self.schedule_check()
