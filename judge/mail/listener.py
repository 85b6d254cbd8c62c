"""The SMTP door: takes responsibility for a message, or says why not.

250 after DATA is said only when `accept` has answered, and `accept` answers only for what is
durably stored (RFC 5321, 6.1). A fault of ours is always 451: the sender keeps the message and
comes again. The protocol itself is aiosmtpd's, the end of data, limits and reply texts are ours.
"""

import asyncio
import logging
import re
import socket
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from errno import EADDRINUSE

from aiosmtpd.smtp import SMTP, Envelope
from aiosmtpd.smtp import Session as Dialogue

from judge.mail.manners import countable, peer_text, with_code
from judge.words.incoming import Arrival

log = logging.getLogger(__name__)

Accept = Callable[[Arrival], Awaitable[int]]
FAULT = "451 4.3.0 Our fault, the message was not taken; please try again later"
GOING = "421 4.3.2 Going down; please come again"
RECEIVED = re.compile(rb"^received:", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one client, and all of them, may ask for (RFC 5321, 4.5.3)."""

    size: int = 5 * 1024 * 1024
    recipients: int = 100
    hops: int = 100
    commands: int = 1000
    """Of one kind, in one session."""
    connections: int = 500
    peer_connections: int = 50
    """From one address; not counted for this machine itself."""
    idle: float = 300.0
    session: float = 1800.0


class Door:
    """Who is let in: the handler of all sessions, and their count.

    `accept` stores a message and answers its number; `knows` tells which recipients are ours.
    """

    def __init__(
        self, accept: Accept, knows: Callable[[str], bool], hostname: str,
        limits: Limits = Limits(),
    ) -> None:
        self.accept = accept
        self.knows = knows
        self.hostname = hostname
        self.limits = limits
        self.sessions: set[Session] = set()
        self._peers: Counter[str] = Counter()

    def session(self) -> "Session":
        """Return the protocol for one more connection by SMTP."""
        return Session(self)

    def local_session(self) -> "Session":
        """Return the protocol for one more connection by LMTP."""
        return LocalSession(self)

    def enter(self, session: "Session") -> bool:
        """Count a session in; False when there are too many, in all or of its peer."""
        peer = session.host
        if len(self.sessions) >= self.limits.connections:
            return False
        if peer and self._peers[peer] >= self.limits.peer_connections:
            return False
        self.sessions.add(session)
        self._peers[peer] += 1
        return True

    def leave(self, session: "Session") -> None:
        """Count a session out."""
        if session in self.sessions:
            self.sessions.remove(session)
            self._peers[session.host] -= 1
            if not self._peers[session.host]:
                del self._peers[session.host]

    async def close(self, grace: float) -> None:
        """Say goodbye: at once to who is idle, after its message to who is sending one.

        Close the server first. After `grace` seconds what is left is cut off.
        """
        for session in list(self.sessions):
            session.dismiss()
        loop = asyncio.get_running_loop()
        end = loop.time() + grace
        while self.sessions and loop.time() < end:
            await asyncio.sleep(0.02)
        for session in list(self.sessions):
            session.abort()

    async def handle_EHLO(
        self, server: SMTP, session: Dialogue, envelope: Envelope, hostname: str,
        responses: list[str],
    ) -> list[str]:
        """Announce what we keep: pipelining works, replies carry enhanced codes (RFC 2034)."""
        session.host_name = hostname
        return [*responses[:-1], "250-PIPELINING", "250-ENHANCEDSTATUSCODES", responses[-1]]

    async def handle_RCPT(
        self, server: SMTP, session: Dialogue, envelope: Envelope, address: str,
        options: list[str],
    ) -> str:
        """Take a recipient that is ours."""
        if not self.knows(address):
            return "550 5.1.1 No such address here"
        if len(envelope.rcpt_tos) >= self.limits.recipients:
            return "452 4.5.3 Too many recipients; send the others in another message"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Recipient known"

    async def handle_DATA(self, server: SMTP, session: Dialogue, envelope: Envelope) -> str:
        """Have a message stored and say so."""
        raw = envelope.content
        assert isinstance(raw, bytes)
        head = raw.partition(b"\r\n\r\n")[0]
        if sum(1 for _ in RECEIVED.finditer(head)) > self.limits.hops:
            return "554 5.4.6 This message goes round in circles"
        sender = envelope.mail_from or ""
        arrival = Arrival(
            raw=raw, sender="" if sender == "<>" else sender,
            recipients=tuple(envelope.rcpt_tos), peer=peer_text(session.peer),
        )
        # A client that goes away cancels this session, but not the commit on its way.
        number = await asyncio.shield(asyncio.ensure_future(self.accept(arrival)))
        return f"250 2.0.0 stored as {number}"

    async def handle_exception(self, error: Exception) -> str:
        """Answer for a fault of ours: never 5xx, and nothing about it to the outside."""
        log.error("a session failed: %s", type(error).__name__, exc_info=error)
        return FAULT


class Session(SMTP):
    """One connection: aiosmtpd's dialogue with our end of data, our limits and our replies."""

    # It is also the read buffer; with lines as long as a buffer nothing honest is too long.
    line_length_limit = 64 * 1024
    command_size_limit = 2048
    greeting = "ESMTP"

    def __init__(self, door: Door) -> None:
        # The library keeps these in one dictionary for all sessions, cleared by each new one.
        self.command_size_limits = defaultdict(lambda: self.command_size_limit)
        super().__init__(
            door, data_size_limit=door.limits.size, hostname=door.hostname, ident=self.greeting,
            timeout=door.limits.idle, command_call_limit=door.limits.commands,
            auth_exclude_mechanism=["LOGIN", "PLAIN"], loop=asyncio.get_running_loop(),
        )
        self.door = door
        self.host = ""
        self._wire: asyncio.Transport | None = None
        self._let_in = False
        self._in_data = False
        self._storing = False
        self._leaving = False
        self._touched = 0.0
        self._greets = False
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let a client in, unless there are too many."""
        assert isinstance(transport, asyncio.Transport)
        self._wire = transport
        self.host = countable(transport.get_extra_info("peername"))
        self._let_in = self.door.enter(self)
        if not self._let_in:
            transport.write(b"421 4.7.0 Too many connections; please come again\r\n")
            transport.close()
            return
        super().connection_made(transport)
        self._end = self.loop.call_later(self.door.limits.session, self._overstayed)

    def data_received(self, data: bytes) -> None:
        """Take octets of a client that was let in."""
        if self._let_in:
            super().data_received(data)

    def eof_received(self) -> bool | None:
        """Note that the client sends no more."""
        return super().eof_received() if self._let_in else None

    def connection_lost(self, error: Exception | None) -> None:
        """Note that the connection is gone."""
        if self._let_in:
            self.door.leave(self)
            if self._end is not None:
                self._end.cancel()
            super().connection_lost(error)

    def dismiss(self, reply: str = GOING) -> None:
        """Say goodbye as soon as no message is on its way."""
        self._leaving = True
        if not self._in_data and self._wire is not None:
            self._wire.write(reply.encode("ascii") + b"\r\n")
            self._wire.close()

    def abort(self) -> None:
        """Cut the connection."""
        if self._wire is not None:
            self._wire.abort()

    def _overstayed(self) -> None:
        self._in_data = self._storing
        self.dismiss("421 4.4.2 This session has lasted too long")

    async def push(self, status: str | bytes) -> None:
        """Send a reply, with an enhanced code where the library gave none (RFC 2034)."""
        text = status.decode("ascii") if isinstance(status, bytes) else status
        await super().push(text if self._greets else with_code(text))

    async def smtp_HELO(self, hostname: str) -> None:
        """Greet; the reply carries no enhanced code."""
        self._greets = True
        await super().smtp_HELO(hostname)
        self._greets = False

    async def smtp_EHLO(self, hostname: str) -> None:
        """Greet and announce; the reply carries no enhanced code."""
        self._greets = True
        await super().smtp_EHLO(hostname)
        self._greets = False

    async def smtp_DATA(self, arg: str) -> None:
        """Read a message and hand it over."""
        if self.envelope is None or not self.envelope.rcpt_tos or arg:
            await super().smtp_DATA(arg)
            return
        self._in_data = True
        try:
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            message = await self._message()
            status = self._answers(await self._taken(message, self.envelope), self.envelope)
        finally:
            self._in_data = self._storing = False
            self.envelope = self._create_envelope()
        await self.push(status)
        if self._leaving:
            self.dismiss()

    def _answers(self, status: str, envelope: Envelope) -> str:
        """Return what is said about a message: by SMTP one reply for all its recipients."""
        return status

    async def _taken(self, message: bytes | None, envelope: Envelope) -> str:
        """Return the reply for a message once it is stored, or was not."""
        if message is None:
            return "552 5.3.4 The message is too big"
        assert self.session is not None
        self._storing = True
        envelope.content = message
        try:
            return await self.door.handle_DATA(self, self.session, envelope)
        except Exception as error:
            # The one place where any fault is caught: a message not stored stays with its sender.
            return await self.door.handle_exception(error)

    async def _message(self) -> bytes | None:
        """Read up to CRLF.CRLF, and no other end (RFC 5321, 4.1.1.4); None when it is too big.

        What is too big is read to its end, but not kept, so that the client hears why.
        """
        kept = bytearray()
        too_big, line_start = False, True
        while True:
            try:
                piece = await self._reader.readuntil(b"\r\n")
            except asyncio.LimitOverrunError as overrun:
                piece = await self._reader.readexactly(overrun.consumed)
            if line_start and piece.startswith(b"."):
                if piece == b".\r\n":
                    return None if too_big else bytes(kept)
                piece = piece[1:]
            line_start = piece.endswith(b"\r\n")
            if too_big or len(kept) + len(piece) > self.door.limits.size:
                too_big = True
                kept.clear()
            else:
                kept += piece
            if self.loop.time() - self._touched > 1:
                # The library's idle time would cut a slow but steady body.
                self._touched = self.loop.time()
                self._reset_timeout()


class LocalSession(Session):
    """A connection by LMTP (RFC 2033), from a mail server that keeps its own queue."""

    greeting = "LMTP"

    async def smtp_LHLO(self, hostname: str) -> None:
        """Greet and announce, as EHLO does."""
        await super().smtp_EHLO(hostname)

    async def smtp_HELO(self, hostname: str) -> None:
        """Refuse: LMTP is told from SMTP by its greeting (RFC 2033, 4.1)."""
        await self.push("500 5.5.1 This is LMTP: LHLO is the greeting")

    async def smtp_EHLO(self, hostname: str) -> None:
        """Refuse, as HELO."""
        await self.smtp_HELO(hostname)

    def _answers(self, status: str, envelope: Envelope) -> str:
        """Return one reply for each recipient that was taken, in their order (RFC 2033, 4.2)."""
        return "\r\n".join([status] * len(envelope.rcpt_tos))


async def open_door(spec: str, door: Door, lmtp: bool = False) -> asyncio.Server:
    """Listen at "host:port" (port 0: a free one) or "unix:PATH", for SMTP or for LMTP.

    Raises: OSError when the place is taken or not ours to listen at.
    """
    loop = asyncio.get_running_loop()
    protocol = door.local_session if lmtp else door.session
    if spec.startswith("unix:"):
        path = spec.removeprefix("unix:")
        _must_be_free(path)
        return await loop.create_unix_server(protocol, path)
    host, _, port = spec.rpartition(":")
    return await loop.create_server(protocol, host.strip("[]") or None, int(port))


def _must_be_free(path: str) -> None:
    """Raise OSError when somebody answers at a socket: asyncio would take it from under them."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except (ConnectionRefusedError, FileNotFoundError):
            return
    raise OSError(EADDRINUSE, f"somebody listens at {path} already")
