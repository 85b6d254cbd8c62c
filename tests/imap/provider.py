"""A mail provider: a Dovecot with a submission server that delivers into it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from aiosmtpd.smtp import SMTP

from tests.imap.dovecot import PASSWORD, Dovecot
from tests.mail.submission import Provider

ADDRESS = "me@provider.example"


class MailboxProvider(Provider):
    """A provider that delivers mail to its one address into a mailbox.

    With *sub_addresses* "no" it refuses mail to them, with "lost" it drops that. *folder* is that
    of sub-addresses. Its clock is *ahead* of the machine's. It replaces From by *author* unless
    that is empty. With *loses* it drops all mail.
    """

    def __init__(
        self, dovecot: Dovecot, user: str, sub_addresses: str = "yes", folder: str = "",
        ahead: timedelta = timedelta(), author: str = "", loses: bool = False,
    ) -> None:
        super().__init__(password=PASSWORD.encode())
        self.dovecot = dovecot
        self.user = user
        self.sub_addresses = sub_addresses
        self.folder = folder
        self.ahead = ahead
        self.author = author
        self.loses = loses

    async def handle_RCPT(
        self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """Accept a recipient."""
        if "+" in address and self.sub_addresses == "no":
            return "550 5.1.1 unknown user"
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:
        """Accept a message and deliver it, if it is for the mailbox."""
        said = await super().handle_DATA(server, session, envelope)
        if not said.startswith("250"):
            return said
        to, raw = self.taken[-1]
        name, _, detail = to.partition("@")[0].partition("+")
        if f"{name}@{to.partition('@')[2]}" != ADDRESS or self.loses:
            return said
        if detail and self.sub_addresses == "lost":
            return said
        if self.author:
            raw = b"\r\n".join(
                f"From: {self.author}".encode() if line.startswith(b"From:") else line
                for line in raw.split(b"\r\n")
            )
        folder = self.folder if detail and self.folder else "INBOX"
        self.dovecot.put([raw], self.user, datetime.now(UTC) + self.ahead, folder)
        return said

