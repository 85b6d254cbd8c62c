"""Mail servers of providers and domains, for `judge setup`."""

import re
import socket
from contextlib import suppress
from importlib.resources import files
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import quote

from judge.errors import ConfigError
from judge.mail.outbound.delivery import is_this_machine
from judge.textfiles import read_rows

_CONNECT_TIMEOUT = 5.0
_SERVER = re.compile(r"(?:(?P<user>[^\s/]+)@)?(?P<host>[A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\])"
                     r"(?::(?P<port>[0-9]{1,5}))?")
_CANDIDATES = {
    "imap": (("imap.", 993), ("mail.", 993), ("", 993)),
    "smtp": (("smtp.", 465), ("smtp.", 587), ("mail.", 465), ("mail.", 587), ("", 465)),
}
"""Prefixes of a domain and ports at which its servers are looked for."""


class Provider(NamedTuple):
    """Row of `providers.tsv`."""

    imap: str = ""
    smtp: str = ""
    trust: str = ""
    note: str = ""


def find_provider(address: str) -> Provider:
    """Return the provider of an address. All its fields are empty if it is unknown.

    >>> find_provider("Me@GMail.com").smtp, find_provider("me@icloud.com").imap
    ('smtp.gmail.com:465', 'me@imap.mail.me.com')
    """
    local, _, domain = address.rpartition("@")
    text = (files(__package__) / "providers.tsv").read_text(encoding="utf-8")
    for row in read_rows(text):
        if domain.lower() in row["domains"].split():
            trust = "" if row["trust"] == "-" else row["trust"]
            user = quote(local, safe="")
            imap, smtp = (row[kind].format(local=user) for kind in ("imap", "smtp"))
            return Provider(imap, smtp, trust, row["note"])
    return Provider()


def make_url(kind: str, server: str, address: str) -> str:
    """Return the URL of a server for the configuration, which names a user.

    *kind* is "imap" or "smtp". The user is the address if *server* names none. A text that is a URL
    is returned as it is.

    >>> make_url("imap", "imap.gmail.com", "me@gmail.com")
    'imaps://me%40gmail.com@imap.gmail.com/INBOX'
    >>> make_url("smtp", "me@smtp.x.org:587", "me@x.org")
    'smtp://me@smtp.x.org:587?tls=required'

    Raises:
        ConfigError: the text names no server.
    """
    if "://" in server:
        return server
    found = _SERVER.fullmatch(server.strip())
    if not found:
        raise ConfigError(f"{server!r} is no server: give HOST, HOST:PORT or USER@HOST:PORT")
    host, port = found["host"], int(found["port"] or {"imap": 993, "smtp": 465}[kind])
    user = found["user"] or quote(address, safe="")
    if kind == "imap":
        scheme, default = ("imaps", 993) if port == 993 else ("imap", 143)
        place = host if port == default else f"{host}:{port}"
        return f"{scheme}://{user}@{place}/INBOX"
    if port == 465:
        return f"smtps://{user}@{host}:{port}"
    tls = "" if is_this_machine(host.strip("[]")) else "?tls=required"
    return f"smtp://{user}@{host}:{port}{tls}"


def describe_domain(domain: str, judge: str, keeper: str) -> str:
    """Return the DNS records and the lines for Postfix that a domain needs."""
    host = socket.getfqdn()
    if not host.endswith(f".{domain}"):
        host = f"mail.{domain}"
    text = (files(__package__) / "domain.txt").read_text(encoding="utf-8")
    return text.format(
        domain=domain, judge=judge, keeper=keeper, host=host, local=judge.partition("@")[0],
        address=_public_address() or "ADDRESS-OF-THIS-MACHINE",
    )


def _public_address() -> str:
    """Return this machine's public address, or "" if unknown."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        try:
            # Nothing is sent.
            wire.connect(("1.1.1.1", 53))
            found = str(wire.getsockname()[0])
        except OSError:
            return ""
    return found if ip_address(found).is_global else ""


def find_server(kind: str, domain: str) -> str:
    """Return the first usual server of a domain that answers, or "" if none does."""
    for prefix, port in _CANDIDATES[kind]:
        with suppress(ConfigError):
            require_server(prefix + domain, port)
            return f"{prefix}{domain}:{port}"
    return ""


def require_server(host: str, port: int) -> None:
    """Connect to a server.

    Raises:
        ConfigError: none answers.
    """
    try:
        socket.create_connection((host, port), _CONNECT_TIMEOUT).close()
    except (socket.gaierror, UnicodeError):
        raise ConfigError(f"there is no host {host}") from None
    except (OSError, OverflowError) as fault:
        raise ConfigError(f"no server answers at {host}:{port} ({fault})") from None
