"""A submission server of a mail provider, with login and scripted replies."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult

from tests.mail.test_sender import serve

LOGIN = "me%40provider.example:app%20password"
"""User and password in a URL."""
PASSWORD = b"app password"
DAILY_LIMIT = "550 5.4.5 Daily user sending limit exceeded."
_FROM = re.compile(rb"(?m)^From: .*$")
_MESSAGE_ID = re.compile(rb"(?im)^Message-ID:.*\r\n(?:[ \t].*\r\n)*")


class Provider:
    """A provider that accepts mail of one account.

    `mail`, `data` and `rcpt` (by address) are replies other than 250. After *limit* messages it
    refuses all others. It gives each message an id of its own, which its reply names, and with
    *replaces_ids* the message has no other. With *account* it refuses any other From.
    """

    def __init__(
        self, mail: str = "", data: str = "", rcpt: dict[str, str] | None = None,
        limit: int = 1_000_000, *, names_ids: bool = True, replaces_ids: bool = False,
        account: str = "", password: bytes = PASSWORD,
    ) -> None:
        self.mail = mail
        self.data = data
        self.rcpt = rcpt or {}
        self.limit = limit
        self.names_ids = names_ids
        self.replaces_ids = replaces_ids
        self.account = account
        self.password = password
        self.taken: list[tuple[str, bytes]] = []
        self.port = 0
        self.connections = self.open = self.most_open = 0

    @property
    def url(self) -> str:
        """The value of `[deliver] to`."""
        return f"smtp://{LOGIN}@127.0.0.1:{self.port}"

    @property
    def addresses(self) -> list[str]:
        """The recipients of the messages so far."""
        return [to for to, _ in self.taken]

    def wait_for(self, address: str, seconds: float) -> bytes:
        """Return the first message to an address, which may take some seconds to come."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for to, message in list(self.taken):
                if to == address:
                    return message
            time.sleep(0.1)
        raise AssertionError(f"no letter to {address}, only to {self.addresses}")

    async def handle_MAIL(
        self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """Accept a sender, or reply as `mail` says."""
        if not session.authenticated:
            return "530 5.7.0 Authentication required"
        if self.mail:
            return self.mail
        envelope.mail_from = address
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """Accept a recipient, or reply as `rcpt` says."""
        envelope.rcpt_tos.append(address)
        return self.rcpt.get(address, "250 2.1.5 OK")

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:
        """Accept a message within the limit, or reply as `data` says."""
        if self.data:
            return self.data
        if len(self.taken) >= self.limit:
            return DAILY_LIMIT
        message: bytes = envelope.content
        if self.account and f"<{self.account}>".encode() not in _FROM.findall(message)[0]:
            return "553 5.7.60 Client does not have permissions to send as this sender"
        own_id = f"<{len(self.taken) + 1}@provider.example>"
        if self.replaces_ids:
            message = _MESSAGE_ID.sub(f"Message-ID: {own_id}\r\n".encode(), message, count=1)
        self.taken.append((envelope.rcpt_tos[0], message))
        return f"250 2.0.0 OK {own_id if self.names_ids else 'queued'}"


class _Session(SMTP):
    """A connection that is counted."""

    def connection_made(self, transport: Any) -> None:
        """Count an opened connection."""
        provider: Provider = self.event_handler
        provider.connections += 1
        provider.open += 1
        provider.most_open = max(provider.most_open, provider.open)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Count a closed connection."""
        self.event_handler.open -= 1
        super().connection_lost(error)


@contextmanager
def run_provider(provider: Provider) -> Iterator[Provider]:
    """Run a provider on a free port."""
    def authenticate(server: Any, session: Any, envelope: Any, how: str, data: Any) -> AuthResult:
        return AuthResult(success=data.password == provider.password, handled=False)

    with serve(lambda: _Session(
        provider, hostname="provider", authenticator=authenticate, auth_require_tls=False,
    )) as port:
        provider.port = port
        yield provider
