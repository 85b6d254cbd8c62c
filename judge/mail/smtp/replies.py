"""Replies of the SMTP server: codes and small manners, and whose connections are counted."""

import re
from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

PLAIN_REPLY = re.compile(r"([245][0-9][0-9]) (?![245]\.[0-9]+\.[0-9]+ )")
UNPRINTABLE = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
ENHANCED = {
    "250": "2.0.0", "252": "2.5.0", "221": "2.0.0", "500": "5.5.2", "501": "5.5.4",
    "502": "5.5.1", "503": "5.5.1", "552": "5.3.4", "553": "5.1.3", "554": "5.5.0",
    "555": "5.5.4",
}
"""The enhanced code (RFC 3463) of replies that aiosmtpd gives without one."""


def with_code(reply: str) -> str:
    """Return a reply with its enhanced code (RFC 2034); replies that need none stay as they are.

    >>> with_code("503 Error: need MAIL command"), with_code("354 Go on")
    ('503 5.5.1 Error: need MAIL command', '354 Go on')
    """
    plain = PLAIN_REPLY.match(reply)
    if plain and plain[1] in ENHANCED:
        return f"{plain[1]} {ENHANCED[plain[1]]} {reply[4:]}"
    return reply


def fault_of(line: bytes | None) -> str:
    """Return the reply to a command line that is none, or nothing; None is one that was too long.

    A line end that other servers do not see as one must not be one here (RFC 5321, 2.3.8).

    >>> fault_of(b"NOOP\\r\\n"), fault_of(b"NOOP\\n")
    ('', '500 5.5.2 A line ends in CRLF and holds no control characters')
    """
    if line is None:
        return "500 5.5.2 The line is too long"
    if not line.endswith(b"\r\n") or UNPRINTABLE.search(line, 0, len(line) - 2):
        return "500 5.5.2 A line ends in CRLF and holds no control characters"
    return "" if line.isascii() else "553 5.6.7 Only ASCII is taken here (no SMTPUTF8)"


def announcement(lines: Sequence[str]) -> bytes:
    """Return the reply to a greeting, which carries no enhanced code (RFC 2034, 4).

    >>> announcement(["judge.example.org", "8BITMIME"])
    b'250-judge.example.org\\r\\n250 8BITMIME\\r\\n'
    """
    head = "".join(f"250-{line}\r\n" for line in lines[:-1])
    return f"{head}250 {lines[-1]}\r\n".encode("ascii")


def peer_text(peer: Any) -> str:
    """Return where a client is, as far as the socket tells.

    >>> peer_text(("192.0.2.1", 4711)), peer_text("")
    ('192.0.2.1', 'local')
    """
    return str(peer[0]) if isinstance(peer, tuple) and peer else "local"


def countable(peer: Any) -> str:
    """Return the address whose connections are counted; empty for this machine itself.

    Of an IPv6 address it is the network, since its owner has all of that.

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
