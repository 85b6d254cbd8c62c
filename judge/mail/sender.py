"""Sends finished letters: to a mail server by SMTP or LMTP, or into a Maildir.

What the server will never take is `Refused`, everything else that goes wrong is `Deferred` and
tried again (RFC 5321, 4.5.4.1).
"""

import smtplib
import ssl
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Protocol
from urllib.parse import SplitResult, unquote, urlsplit

from judge.errors import ConfigError, JudgeError
from judge.mail.maildir import put
from judge.words.record import Outgoing

TIMEOUT = 120.0
"""Seconds without an answer, at any step."""
FIRST_DELAY = timedelta(minutes=5)
LONGEST_DELAY = timedelta(hours=4)
GIVE_UP = timedelta(days=5)


class Refused(JudgeError):
    """The letter will never be taken (5xx)."""


class Deferred(JudgeError):
    """The letter was not taken now; it may be later."""


class Unreachable(Deferred):
    """Nobody took any letter: the others of a batch need not be tried now."""


class Delivery(Protocol):
    """A way for letters out."""

    def deliver(self, letter: Outgoing) -> None:
        """Hand a letter on; when it returns, somebody else is responsible for it.

        Raises: Refused, Deferred.
        """
        ...


def retry_delay(tries: int) -> timedelta:
    """Return how long to wait after so many failed tries: five minutes, doubled up to four hours.

    >>> [str(retry_delay(tries)) for tries in (1, 2, 3, 20)]
    ['0:05:00', '0:10:00', '0:20:00', '4:00:00']
    """
    doublings = min(max(tries - 1, 0), 10)
    return min(FIRST_DELAY * (1 << doublings), LONGEST_DELAY)


def is_given_up(letter: Outgoing, now: datetime) -> bool:
    """Tell whether a letter has been tried for so long that it is not tried again."""
    return now - letter.queued >= GIVE_UP


class MaildirDelivery:
    """Delivers into a Maildir."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def deliver(self, letter: Outgoing) -> None:
        """Write a letter's file."""
        try:
            put(self.path, letter)
        except OSError as fault:
            raise Unreachable(f"{self.path}: {fault.strerror}") from fault


class ServerDelivery:
    """Delivers to a mail server, one connection a letter.

    Over the net passwords and letters go encrypted: with `smtps` always, with `smtp` when the
    server offers STARTTLS, and a password never without. This machine itself needs none of it.
    """

    def __init__(
        self, scheme: str, host: str, port: int, user: str = "", password: str = ""
    ) -> None:
        self.scheme = scheme
        self.host = host
        self.port = port
        self._user = user
        self._password = password

    def deliver(self, letter: Outgoing) -> None:
        """Hand a letter to the server."""
        try:
            with self._connect() as server:
                server.sendmail(letter.sender, [letter.to], letter.message)
        except smtplib.SMTPRecipientsRefused as refused:
            code, text = next(iter(refused.recipients.values()))
            raise _fault(code, text) from refused
        except smtplib.SMTPAuthenticationError as refused:
            # Our configuration's fault, not the letter's.
            raise Unreachable(_words(refused.smtp_code, refused.smtp_error)) from refused
        except smtplib.SMTPConnectError as refused:
            raise Unreachable(_words(refused.smtp_code, refused.smtp_error)) from refused
        except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as refused:
            raise _fault(refused.smtp_code, refused.smtp_error) from refused
        except UnicodeEncodeError as fault:
            raise Refused("the address is not ASCII") from fault
        except (smtplib.SMTPException, OSError) as fault:
            raise Unreachable(f"{type(fault).__name__}: {fault}") from fault

    def _connect(self) -> smtplib.SMTP:
        if self.scheme == "lmtp":
            return smtplib.LMTP(self.host, self.port)
        if self.scheme == "smtps":
            context = ssl.create_default_context()
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                self.host, self.port, timeout=TIMEOUT, context=context
            )
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=TIMEOUT)
        try:
            self._secure(server)
        except BaseException:
            server.close()
            raise
        return server

    def _secure(self, server: smtplib.SMTP) -> None:
        server.ehlo_or_helo_if_needed()
        is_far = self.scheme == "smtp" and not _is_here(self.host)
        if is_far and server.has_extn("starttls"):
            server.starttls(context=ssl.create_default_context())
            server.ehlo()
        elif is_far and self._user:
            raise Unreachable(f"{self.host} offers no encryption for the password")
        if self._user:
            server.login(self._user, self._password)


def delivery_for(url: str) -> Delivery:
    """Return the way out that the configuration names.

    `maildir:var/outbox`, `smtp://user:pass@host:port`, `smtps://…`, `lmtp://host:port`.

    Raises: ConfigError for any other.
    """
    parts = urlsplit(url)
    if parts.scheme == "maildir" and (parts.netloc or parts.path):
        return MaildirDelivery(Path(url.partition(":")[2]))
    defaults = {"smtp": 25, "smtps": 465, "lmtp": 24}
    if parts.scheme not in defaults or not parts.hostname:
        raise ConfigError(f"letters cannot be delivered to {_shown(parts)!r}")
    try:
        port = parts.port or defaults[parts.scheme]
    except ValueError as fault:
        raise ConfigError(f"no such port in {_shown(parts)!r}") from fault
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return ServerDelivery(parts.scheme, parts.hostname, port, user, password)


def _shown(parts: SplitResult) -> str:
    """Return a URL without its password."""
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _fault(code: int, text: bytes | str) -> Refused | Deferred:
    words = _words(code, text)
    return Refused(words) if 500 <= code < 600 else Deferred(words)


def _words(code: int, text: bytes | str) -> str:
    if isinstance(text, bytes):
        text = text.decode("ascii", "replace")
    return " ".join(f"{code} {text}".split())[:500]
