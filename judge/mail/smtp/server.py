"""The SMTP server, which stores a message or refuses it with a reason.

The reply to DATA is 250 only after `accept` has returned, and `accept` returns only once the
message is durably stored (RFC 5321, 6.1). An internal error is always 451: the sender keeps the
message and tries again. The commands are those of aiosmtpd. Reading of lines and messages, limits
and reply codes are implemented here.
"""

import asyncio
import logging
import re
from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from ssl import SSLError
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope
from aiosmtpd.smtp import Session as Dialogue

from judge.mail.inbound.envelope import count_hops, format_peer
from judge.mail.smtp.connections import (
    TOO_MANY_CONNECTIONS,
    ConnectionRegistry,
    MemoryReservation,
    SessionTimer,
    report_fault,
)
from judge.mail.smtp.endpoint import listen_at
from judge.mail.smtp.reader import ClientDisconnected, SmtpReader
from judge.model.incoming import Arrival

log = logging.getLogger("judge.mail.listener")

MAX_COMMAND_OCTETS = 2048
"""Maximum length of a command in bytes. Variable envelope senders are long."""
PATIENCE = 1.0
"""Seconds for a client to receive the last reply before the connection is cut."""
HANDSHAKE = 30.0
"""Seconds for a client to complete the TLS handshake."""
PLAIN = re.compile(r"<([A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+)>(?: (.*))?")
"""Usual form of an address. The library parses others."""
LIBRARY_TIMEOUT_SECONDS = 7 * 86400.0
"""Time limit of aiosmtpd, which is never reached. `SessionTimer` ends a session long before."""
PRIVATE_NAMES = {
    "_handle_client": "The library's loop reads lines without the limits of all sessions.",
    "_smtp_methods": "The loop above finds the methods of commands in it.",
    "_writer": "STARTTLS replaces it. The library's `push` would wait for a client that has gone.",
    "_create_envelope": "DATA, EHLO and STARTTLS start a new envelope.",
    "_create_session": "STARTTLS starts a new session (RFC 3207, 4.2).",
    "_getaddr": "Without its fast path, the server accepts about 10 % fewer messages.",
}
"""Private names of aiosmtpd used here, each with the reason.

A test compares them with the installed library.
"""


class RecipientHandler:
    """Handler for aiosmtpd, which decides on recipients."""

    def __init__(self, smtp_server: ConnectionRegistry) -> None:
        self._server = smtp_server

    async def handle_RCPT(
        self, server: SMTP, session: Dialogue, envelope: Envelope, address: str,
        options: list[str],
    ) -> str:
        """Accept a recipient, or refuse it during the session (RFC 5321, 3.3)."""
        if not self._server.knows(address):
            return "550 5.1.1 No such address here"
        if len(envelope.rcpt_tos) >= self._server.limits.recipients:
            return "452 4.5.3 Too many recipients; send the others in another message"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Recipient known"


class SmtpSession(SMTP):
    """One connection, with aiosmtpd's commands and the judge's limits and replies."""

    greeting = "ESMTP"

    def __init__(self, smtp_server: ConnectionRegistry) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(
            RecipientHandler(smtp_server), data_size_limit=smtp_server.limits.size,
            hostname=smtp_server.hostname, auth_exclude_mechanism=["LOGIN", "PLAIN"],
            timeout=LIBRARY_TIMEOUT_SECONDS, loop=loop,
        )
        self.smtp_server = smtp_server
        self.host = ""
        self._inflow = SmtpReader(loop)
        self._wire: asyncio.Transport | None = None
        self._let_in = self._over = self._in_data = False
        self._secure = self._shaking_hands = False
        self._leaving = ""
        self._commands = self._errors = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a client, unless there are too many."""
        assert isinstance(transport, asyncio.Transport)
        self._wire = transport
        self._inflow.flows_from(transport)
        self.host = countable(transport.get_extra_info("peername"))
        self._let_in = self.smtp_server.enter(self)
        if not self._let_in:
            transport.write(TOO_MANY_CONNECTIONS.encode("ascii") + b"\r\n")
            transport.close()
            return
        self._watch = SessionTimer(self.loop, self.smtp_server.limits, self.abort)
        super().connection_made(transport)
        self._watch.schedule_check()

    def data_received(self, data: bytes) -> None:
        """Buffer octets of an accepted client."""
        if self._let_in and not self._over:
            self._watch.note_activity()
            self._inflow.feed(data)

    def eof_received(self) -> bool:
        """Record that the client has closed its side. Its commands are still answered."""
        self._inflow.end()
        return self._let_in and not self._secure and not self._over

    def connection_lost(self, error: Exception | None) -> None:
        """Unregister the session."""
        if self._let_in:
            self._let_in = False
            self.smtp_server.leave(self)
            self._watch.stop()
            super().connection_lost(error)

    def dismiss(self, reply: str) -> None:
        """Close the session as soon as no message is incoming."""
        if self._in_data or self._shaking_hands:
            self._leaving = reply
        else:
            self.abort(reply)

    def abort(self, reply: str) -> None:
        """Send *reply* and close the session now. A second call cuts the connection.

        A connection closed with unread octets would be reset, and the reply lost. Octets that still
        come are therefore read and discarded for a second.
        """
        if self._wire is None or self._over or self._shaking_hands:
            if self._wire is not None:
                self._wire.abort()
            return
        self._over = True
        self._inflow.end()
        if not self._wire.is_closing():
            self._wire.write(reply.encode("ascii") + b"\r\n")
            if self._secure:
                self._wire.close()
            else:
                try:
                    self._wire.write_eof()
                except OSError:
                    return self._wire.abort()
            self.loop.call_later(PATIENCE, self._wire.abort)

    async def push(self, status: str | bytes) -> None:
        """Send a reply, with an enhanced code if the library gave none (RFC 2034)."""
        text = status.decode("ascii") if isinstance(status, bytes) else status
        self._errors += text.startswith("5")
        await self._send(with_code(text).encode("ascii") + b"\r\n")

    async def _send(self, octets: bytes) -> None:
        """Send octets, unless the session is over.

        Raises:
            Gone: `abort` was called, which has closed the judge's side.
        """
        if self._over:
            raise ClientDisconnected
        self._writer.write(octets)
        await self._writer.drain()

    async def _handle_client(self) -> None:
        """Handle commands in sequence until either side ends the session."""
        limits = self.smtp_server.limits
        try:
            await self._send(f"220 {self.hostname} {self.greeting}\r\n".encode("ascii"))
            while not self._over and not self._writer.is_closing():
                line = await self._inflow.line(MAX_COMMAND_OCTETS)
                self._commands += 1
                if self._commands > limits.commands or self._errors >= limits.errors:
                    self.abort("421 4.7.0 Too many commands, or too many that were wrong")
                else:
                    await self._run_command(line)
        except (ClientDisconnected, ConnectionError):
            log.debug("a client has gone")
        finally:
            if not self._over and not self._writer.is_closing():
                self._writer.close()

    async def _run_command(self, line: bytes | None) -> None:
        """Execute one command line. None is one that was too long."""
        fault = fault_of(line)
        if line is None or fault:
            return await self.push(fault)
        verb, _, argument = line.decode("ascii").strip().partition(" ")
        method = self._smtp_methods.get(verb.upper())
        if method is None:
            return await self.push("500 5.5.1 There is no such command")
        try:
            await method(argument.strip() or None)
        except (ClientDisconnected, ConnectionError):
            raise
        except Exception as error:
            # A fault in one command does not end the session, and its details stay inside.
            await self.push(report_fault(error))

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Parse an address and its parameters, in a fast path for usual addresses.

        The library's parser is thorough but slow.
        """
        plain = PLAIN.fullmatch(arg)
        if plain:
            return plain[1], plain[2] or ""
        try:
            found: tuple[str | None, str | None] = super()._getaddr(arg)
        except (IndexError, AttributeError, UnboundLocalError, ValueError):
            # The standard library's way of rejecting addresses such as "<" or "?@[".
            return None, None
        return found

    async def smtp_HELO(self, hostname: str | None) -> None:
        """Handle HELO."""
        await self._greet(hostname, extended=False)

    async def smtp_EHLO(self, hostname: str | None) -> None:
        """Handle EHLO, and announce the supported extensions.

        SMTPUTF8 is not announced: a reply to such an address might not be sent (RFC 6531, 3.6).
        """
        await self._greet(hostname, extended=True)

    async def _greet(self, hostname: str | None, extended: bool) -> None:
        if not hostname:
            return await self.push("501 5.5.4 Say who you are, by name")
        assert self.session is not None
        self.envelope = self._create_envelope()
        self.session.extended_smtp, self.session.host_name = extended, hostname
        lines = [self.hostname]
        if extended:
            lines += [f"SIZE {self.smtp_server.limits.size}", "8BITMIME", "PIPELINING"]
            lines += ["STARTTLS"] if self.smtp_server.tls and not self._secure else []
            lines += ["ENHANCEDSTATUSCODES", "HELP"]
        await self._send(announcement(lines))

    async def smtp_STARTTLS(self, arg: str | None) -> None:
        """Start encryption. Earlier input and state are discarded (RFC 3207, 4.2)."""
        if arg or self._secure or self.smtp_server.tls is None:
            code = "501 5.5.4" if arg else "503 5.5.1" if self._secure else "502 5.5.1"
            return await self.push(f"{code} STARTTLS cannot be done so, or not here")
        assert self._wire is not None
        self._wire.pause_reading()
        self._inflow.drop()
        await self.push("220 2.0.0 Begin")
        secure: asyncio.Transport | None = None
        self._shaking_hands = True
        try:
            secure = await self.loop.start_tls(
                self._wire,
                self,
                self.smtp_server.tls,
                server_side=True,
                ssl_handshake_timeout=HANDSHAKE,
            )
        except (OSError, SSLError) as fault:
            log.info("no encryption with %s: %s", self.host or "this machine", fault)
        if secure is None:
            self._wire.abort()
            self.connection_lost(None)
            raise ClientDisconnected
        # A writer closes its connection when it is garbage-collected, so keep the one beneath.
        self._writer_beneath, self._writer = self._writer, asyncio.StreamWriter(
            secure, self, None, self.loop
        )
        self._wire = self.transport = secure
        self._secure, self._shaking_hands = True, False
        self._inflow.flows_from(secure)
        self.envelope = self._create_envelope()
        self.session = self._create_session()
        self.session.peer = secure.get_extra_info("peername")
        if self._leaving:
            self.abort(self._leaving)

    async def smtp_AUTH(self, arg: str | None) -> None:
        """Refuse AUTH, as the mail identifies its sender, not the connection."""
        await self.push("502 5.5.1 There is nothing to sign on to here")

    async def smtp_HELP(self, arg: str | None) -> None:
        """Send the list of commands."""
        await self.push("214 2.0.0 " + " ".join(sorted(self._smtp_methods)))

    async def smtp_DATA(self, arg: str | None) -> None:
        """Receive a message and store it."""
        envelope = self.envelope
        if envelope is None or not envelope.rcpt_tos or arg:
            await super().smtp_DATA(arg)
            return
        hold = MemoryReservation(self.smtp_server, self.host)
        self._in_data = True
        self._watch.message_begins()
        try:
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            message = await self._inflow.message(hold.may_keep)
            status = hold.refusal if message is None else await self._take(message, envelope)
        finally:
            hold.release()
            self._in_data = False
            self._watch.message_is_done()
            self.envelope = self._create_envelope()
        await self.push(self._answers(status, envelope))
        if self._leaving:
            self.abort(self._leaving)

    async def _take(self, message: bytes, envelope: Envelope) -> str:
        """Store a message. Return the reply for success or failure."""
        if count_hops(message) > self.smtp_server.limits.hops:
            return "554 5.4.6 This message goes round in circles"
        assert isinstance(self.session, Dialogue)
        kind = self.greeting + ("S" if self._secure else "")
        sender = envelope.mail_from or ""
        arrival = Arrival(
            raw=message, sender="" if sender == "<>" else sender,
            recipients=tuple(envelope.rcpt_tos),
            peer=format_peer(peer_text(self.session.peer), kind, self.session.host_name or ""),
        )
        self._watch.message_is_here()
        try:
            # A client that goes away cancels this session, but not the commit on its way.
            number = await asyncio.shield(self.smtp_server.accept(arrival))
        except Exception as error:
            # A message not stored must stay with its sender, for any type of failure.
            return report_fault(error)
        self._commands = self._errors = 0
        return f"250 2.0.0 stored as {number}"

    def _answers(self, status: str, envelope: Envelope) -> str:
        """Return the reply to a message, one for all its recipients with SMTP."""
        return status


class LocalSession(SmtpSession):
    """One LMTP connection (RFC 2033), from a mail server with its own queue."""

    greeting = "LMTP"

    async def smtp_LHLO(self, hostname: str | None) -> None:
        """Handle LHLO in the same way as EHLO."""
        await self._greet(hostname, extended=True)

    async def smtp_HELO(self, hostname: str | None) -> None:
        """Refuse HELO, as LMTP and SMTP have different greetings (RFC 2033, 4.1)."""
        await self.push("500 5.5.1 This is LMTP: LHLO is the greeting")

    async def smtp_EHLO(self, hostname: str | None) -> None:
        """Refuse EHLO in the same way as HELO."""
        await self.smtp_HELO(hostname)

    def _answers(self, status: str, envelope: Envelope) -> str:
        """Return one reply for each accepted recipient, in their order (RFC 2033, 4.2).

        They share one row of the queue, so all have the same status.
        """
        return "\r\n".join([status] * len(envelope.rcpt_tos))


async def start_server(
    spec: str, smtp_server: ConnectionRegistry, lmtp: bool = False
) -> asyncio.Server:
    """Listen at an endpoint for SMTP or LMTP.

    It is "host:port" or "unix:PATH". Port 0 is any free port.

    Raises:
        OSError: the endpoint is in use or may not be used.
        ValueError: *spec* is no endpoint.
    """
    session = LocalSession if lmtp else SmtpSession
    return await listen_at(spec, lambda: session(smtp_server))


PLAIN_REPLY = re.compile(r"([245][0-9][0-9]) (?![245]\.[0-9]+\.[0-9]+ )")
UNPRINTABLE = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
ENHANCED = {
    "250": "2.0.0", "252": "2.5.0", "221": "2.0.0", "500": "5.5.2", "501": "5.5.4",
    "502": "5.5.1", "503": "5.5.1", "552": "5.3.4", "553": "5.1.3", "554": "5.5.0",
    "555": "5.5.4",
}
"""The enhanced code (RFC 3463) of replies that aiosmtpd gives without one."""


def with_code(reply: str) -> str:
    """Return a reply with its enhanced code if it needs one (RFC 2034).

    >>> with_code("503 Error: need MAIL command"), with_code("354 Go on")
    ('503 5.5.1 Error: need MAIL command', '354 Go on')
    """
    plain = PLAIN_REPLY.match(reply)
    if plain and plain[1] in ENHANCED:
        return f"{plain[1]} {ENHANCED[plain[1]]} {reply[4:]}"
    return reply


def fault_of(line: bytes | None) -> str:
    """Return the reply to a malformed command line, else an empty string.

    None is a line that was too long. A line end that other servers do not recognise must not be one
    here (RFC 5321, 2.3.8).

    >>> fault_of(b"NOOP\\r\\n"), fault_of(b"NOOP\\n")
    ('', '500 5.5.2 A line ends in CRLF and holds no control characters')
    """
    if line is None:
        return "500 5.5.2 The line is too long"
    if not line.endswith(b"\r\n") or UNPRINTABLE.search(line, 0, len(line) - 2):
        return "500 5.5.2 A line ends in CRLF and holds no control characters"
    return "" if line.isascii() else "553 5.6.7 Only ASCII is taken here (no SMTPUTF8)"


def announcement(lines: Sequence[str]) -> bytes:
    """Return the reply to a greeting, which has no enhanced code (RFC 2034, 4).

    >>> announcement(["judge.example.org", "8BITMIME"])
    b'250-judge.example.org\\r\\n250 8BITMIME\\r\\n'
    """
    head = "".join(f"250-{line}\r\n" for line in lines[:-1])
    return f"{head}250 {lines[-1]}\r\n".encode("ascii")


def peer_text(peer: Any) -> str:
    """Return the host of a client, as known from the socket.

    >>> peer_text(("192.0.2.1", 4711)), peer_text("")
    ('192.0.2.1', 'local')
    """
    return str(peer[0]) if isinstance(peer, tuple) and peer else "local"


def countable(peer: Any) -> str:
    """Return the key to count a client's connections by, empty for this machine.

    For an IPv6 address it is the /64 network, as one client has all of its addresses.

    >>> countable(("192.0.2.1", 4711)), countable(("::ffff:127.0.0.1", 4711, 0, 0)), countable("")
    ('192.0.2.1', '', '')
    >>> countable(("2001:db8::1:2", 4711, 0, 0))
    '2001:db8::/64'
    """
    host = peer_text(peer)
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            network = ip_network((address, 64), strict=False)
            return "" if address.is_loopback else str(network)
        address = address.ipv4_mapped
    return "" if address.is_loopback else str(address)
