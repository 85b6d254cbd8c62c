"""Delivery of letters to a mail server or a Maildir, and retry delays.

Permanent failures raise `PermanentFailure`. All other failures raise `TemporaryFailure`, and the
letter is sent again later (RFC 5321, 4.5.4.1).
"""

import hashlib
import os
import re
import smtplib
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from judge.config import FetchSection
from judge.digits import is_number
from judge.errors import ConfigError, JudgeError
from judge.folders import make_folder
from judge.mail.address import addresses
from judge.mail.imap.account import read_account, read_secret
from judge.mail.inbound.mime import Entity
from judge.mail.outbound.account_faults import is_account_fault
from judge.model.record import Outgoing

FIRST_DELAY = timedelta(minutes=5)
MAX_DELAY = timedelta(hours=4)
GIVE_UP = timedelta(days=5)
"""Age at which a letter is given up.

RFC 5321, 4.5.4.1: at least four to five days."""
FIRST_REST = timedelta(seconds=15)
MAX_REST = timedelta(minutes=10)
ACCOUNT_REST = timedelta(hours=1)
"""Pause of the queue after refusals of the judge's own account."""
_SPREAD = 0.2
"""Maximum relative deviation of a delay, which spreads retries."""


def retry_delay(tries: int, letter: str = "") -> timedelta:
    """Return the delay before the next attempt after *tries* failures.

    It is five minutes, doubled up to four hours, and varied by up to a fifth. The variation is
    derived from *letter*, a Message-ID, so that retries are spread. Empty for no variation.

    >>> [str(retry_delay(tries)) for tries in (1, 2, 3, 20)]
    ['0:05:00', '0:10:00', '0:20:00', '4:00:00']
    >>> str(retry_delay(1, "<1@x>")), str(retry_delay(1, "<2@x>"))
    ('0:04:52.500000', '0:05:44.062500')
    """
    doublings = min(max(tries - 1, 0), 10)
    delay = min(FIRST_DELAY * (1 << doublings), MAX_DELAY)
    if not letter:
        return delay
    drawn = hashlib.sha256(f"{letter} {tries}".encode()).digest()[0] / 256
    return delay * (1 + _SPREAD * (2 * drawn - 1))


def rest_delay(failures: int) -> timedelta:
    """Return the pause of the whole queue after *failures* failed connections.

    >>> [str(rest_delay(failures)) for failures in (1, 2, 9)]
    ['0:00:15', '0:00:30', '0:10:00']
    """
    return min(FIRST_REST * (1 << min(max(failures - 1, 0), 10)), MAX_REST)


def is_given_up(letter: Outgoing, now: datetime) -> bool:
    """Return whether a letter has been tried for too long to be tried again."""
    return now - letter.queued >= GIVE_UP


FOLDERS = ("tmp", "new", "cur")


def write_to_maildir(path: Path, letter: Outgoing) -> None:
    """Deliver a letter into a Maildir, created if missing.

    Each letter is written to `tmp`, synced and renamed into `new`, so that no reader sees a partial
    file. Its name depends on the letter only, so that a second delivery makes no second file.

    The file contains the message with the line ends of this system.

    Raises: OSError.
    """
    if not all(os.path.isdir(path / folder) for folder in FOLDERS):
        # The parent folders are not checked for each letter.
        for folder in FOLDERS:
            make_folder(path / folder)
    name = _name(letter)
    draft = path / "tmp" / name
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(letter.message.replace(b"\r\n", b"\n"))
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path / "new" / name)
    folder_handle = os.open(path / "new", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder_handle)
    finally:
        os.close(folder_handle)


def read_newest(path: Path, address: str = "", limit: int = 20) -> list[bytes]:
    """Return the newest letters, newest first, optionally to one address only."""
    files = [file for folder in FOLDERS[1:] for file in (path / folder).glob("*")]
    found: list[bytes] = []
    for file in sorted(files, key=age_of, reverse=True):
        if len(found) >= limit:
            break
        message = file.read_bytes()
        if not address or _is_to(message, address):
            found.append(message)
    return found


def _name(letter: Outgoing) -> str:
    """Return a file name with time and number, the same for the same letter."""
    same = hashlib.sha256(letter.message).hexdigest()[:16]
    return f"{letter.queued.timestamp():.6f}.{letter.id}_{same}.judge"


def age_of(file: Path) -> tuple[float, int, str]:
    """Return the sort key of a file: time and number in its name, else its mtime."""
    seconds, _, rest = file.name.partition(".")
    micros, _, rest = rest.partition(".")
    number = rest.partition("_")[0]
    if not (is_number(seconds, 20) and is_number(micros, 20) and is_number(number, 20)):
        return file.stat().st_mtime, 0, file.name
    return float(f"{seconds}.{micros}"), int(number), file.name


def _is_to(message: bytes, address: str) -> bool:
    wanted = address.lower()
    to = Entity(message).all("to")
    return any(one.lower() == wanted for value in to for one in addresses(value))


TIMEOUT = 300.0
"""Seconds to wait for a reply while connecting."""
PATIENCE = 600.0
"""Seconds to wait for a reply to a letter. The end of data may take ten minutes.

RFC 5321, 4.5.3.2.6."""
AT_ONCE = 4
"""Connections to one mail server at the same time."""
MAX_ACCOUNT_CONNECTIONS = 2
"""Connections at the same time with a login, as providers allow few of them."""
_LOGIN_REQUIRED = 530
MAX_PER_CONNECTION = 100
"""Maximum letters sent over one connection."""
TLS = ("try", "required", "off")
_NAMED_ID = re.compile(rb"<[!-;=?A-~]{1,120}@[!-;=?A-~]{1,120}>")
"""Message-ID in a reply to DATA. Outlook, for example, gives each message a new one."""


class PermanentFailure(JudgeError):
    """Raised when the server permanently refuses a letter (5xx)."""


class NoSuchAddress(PermanentFailure):
    """Raised when the server permanently refuses an address."""


class TemporaryFailure(JudgeError):
    """Raised when a letter cannot be delivered now but may be later."""


class ConnectionBroken(TemporaryFailure):
    """Raised when the connection breaks. The letter may have been delivered."""


class AccountRefused(TemporaryFailure):
    """Raised when the server refuses the judge's own account, not a letter."""


class Unreachable(TemporaryFailure):
    """Raised when no letter can be delivered, so that a batch need not be continued."""


class WrongSettings(Unreachable):
    """Raised when no letter can be delivered until the operator changes the settings."""


class Delivery(Protocol):
    """Protocol of a delivery method."""

    @property
    def max_concurrent(self) -> int:
        """Maximum letters in delivery at the same time."""
        ...

    @property
    def of_a_domain(self) -> int:
        """Maximum of these to one domain, so that a slow one does not delay the others."""
        ...

    def deliver(self, letter: Outgoing) -> str | None:
        """Deliver a letter. On return, the receiving side is responsible for it.

        Return the Message-ID that it named in its reply, if any.

        Raises: PermanentFailure, TemporaryFailure.
        """
        ...

    def close_idle(self) -> None:
        """Close idle connections, since there is no next letter for now."""
        ...


class MaildirDelivery:
    """Delivery into a Maildir."""

    max_concurrent = of_a_domain = 4

    def __init__(self, path: Path) -> None:
        self.path = path

    def deliver(self, letter: Outgoing) -> None:
        """Write the letter's file."""
        try:
            write_to_maildir(self.path, letter)
        except OSError as fault:
            raise Unreachable(f"{self.path}: {fault.strerror}") from fault

    def close_idle(self) -> None:
        """Do nothing, since no connection is open."""


class _SmtpClient(smtplib.SMTP):
    """SMTP client that keeps the reply to the last message."""

    data_reply = b""

    def data(self, msg: Any) -> tuple[int, bytes]:
        """Send a message and return the reply to it."""
        code, self.data_reply = super().data(msg)
        return code, self.data_reply


class _SmtpsClient(_SmtpClient, smtplib.SMTP_SSL):
    """The same with TLS from the start."""


class _LmtpClient(_SmtpClient, smtplib.LMTP):
    """The same for LMTP."""


class _Connection:
    """A connection with the number of letters sent over it."""

    def __init__(self, server: _SmtpClient) -> None:
        self.server = server
        self.letters = 0


class ServerDelivery:
    """Delivery to a mail server over connections reused for the next letter.

    Over the network letters are encrypted, with `smtps` always, with `smtp` if the server offers
    STARTTLS (`?tls=required`: or else not sent, `?tls=off`: never). A password is never sent
    unencrypted. A certificate that cannot be verified ends the attempt, and nothing is sent in
    clear instead (RFC 3207, 4.1). Connections to this machine need no encryption.

    A user without a password has that of *mailbox*.
    """

    def __init__(
        self, scheme: str, host: str, port: int, user: str = "", password: str = "",
        tls: str = "try", mailbox: FetchSection = FetchSection(),
    ) -> None:
        self.scheme = scheme
        self.host = host
        self.port = port
        self._user = user
        self._password = password
        self._tls = tls
        self._mailbox = mailbox
        self.max_concurrent = MAX_ACCOUNT_CONNECTIONS if user else AT_ONCE
        # Letters to all domains go to the same server.
        self.of_a_domain = MAX_ACCOUNT_CONNECTIONS if user else AT_ONCE // 2
        self._idle: list[_Connection] = []
        self._lock = threading.Lock()

    def deliver(self, letter: Outgoing) -> str:
        """Deliver a letter. It may be called by several threads, with a connection each."""
        line = self._kept_line() or _Connection(self._connect())
        with self._faults(line):
            server = line.server
            server.sendmail(letter.sender, [letter.to], letter.message)
            reply = server.data_reply
            line.letters += 1
            self._keep(line)
        return named_id(reply)

    def check_login(self, timeout: float) -> None:
        """Connect, log in and quit.

        Raises:
            WrongSettings: the server refuses the login, or has no valid certificate.
            Unreachable: the server cannot be used now.
        """
        server = self._connect(timeout)
        with suppress(smtplib.SMTPException, OSError):
            server.quit()

    def close_idle(self) -> None:
        """Quit all idle connections."""
        while line := self._take():
            with suppress(smtplib.SMTPException, OSError):
                line.server.quit()

    @contextmanager
    def _faults(self, line: _Connection) -> Iterator[None]:
        """Convert errors to `PermanentFailure` or `TemporaryFailure`.

        The connection is kept after a plain refusal, and closed if it broke.
        """
        server = line.server
        try:
            yield
            return
        except smtplib.SMTPRecipientsRefused as refused:
            fault: PermanentFailure | TemporaryFailure = _address_fault(
                *next(iter(refused.recipients.values()))
            )
        except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as refused:
            fault = self._letter_fault(refused.smtp_code, refused.smtp_error)
        except (UnicodeEncodeError, smtplib.SMTPNotSupportedError):
            fault = PermanentFailure("the address is not ASCII")
        except (smtplib.SMTPException, OSError) as broken:
            server.close()
            raise ConnectionBroken(f"{type(broken).__name__}: {broken}") from broken
        if server.sock is not None:
            self._keep(line)
        raise fault

    def _letter_fault(
        self, code: int, text: bytes | str
    ) -> PermanentFailure | TemporaryFailure:
        """Return the failure of a letter refused at MAIL FROM or after its data."""
        fault = _fault(code, text)
        words = str(fault).removeprefix(str(code))
        # A server that asks for a login refuses every letter.
        if code == _LOGIN_REQUIRED or self._user and is_account_fault(code, words):
            return AccountRefused(str(fault))
        return fault

    def _keep(self, line: _Connection) -> None:
        """Keep a connection for the next letter, unless it has sent enough of them."""
        if line.letters < MAX_PER_CONNECTION:
            with self._lock:
                self._idle.append(line)
            return
        with suppress(smtplib.SMTPException, OSError):
            line.server.quit()

    def _take(self) -> _Connection | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _kept_line(self) -> _Connection | None:
        """Return an idle connection that still responds, or None."""
        while line := self._take():
            try:
                if line.server.rset()[0] == 250:
                    return line
            except (smtplib.SMTPException, OSError):
                pass
            line.server.close()
        return None

    def _connect(self, timeout: float = TIMEOUT) -> _SmtpClient:
        """Open a connection that is ready for a letter.

        Raises: Unreachable: on any error, since no error here is caused by a letter.
        """
        try:
            server = self._open(timeout)
            try:
                self._secure(server)
                assert server.sock is not None
                server.sock.settimeout(PATIENCE)
            except BaseException:
                server.close()
                raise
            return server
        except smtplib.SMTPResponseException as refused:
            raise Unreachable(_words(refused.smtp_code, refused.smtp_error)) from refused
        except ssl.SSLCertVerificationError as fault:
            raise WrongSettings(
                f"the certificate of {self.host} cannot be verified ({fault.verify_message}): check"
                " the host in [deliver] to; SSL_CERT_FILE adds an authority of your own"
            ) from fault
        except (smtplib.SMTPException, OSError) as fault:
            raise Unreachable(f"{type(fault).__name__}: {fault}") from fault

    def _open(self, timeout: float) -> _SmtpClient:
        if self.scheme == "lmtp":
            return _LmtpClient(self.host, self.port, timeout=timeout)
        if self.scheme == "smtps":
            context = ssl.create_default_context()
            return _SmtpsClient(self.host, self.port, timeout=timeout, context=context)
        return _SmtpClient(self.host, self.port, timeout=timeout)

    def _secure(self, server: smtplib.SMTP) -> None:
        server.ehlo_or_helo_if_needed()
        is_clear = self.scheme != "smtps"
        is_far = not is_this_machine(self.host)
        offers = self.scheme == "smtp" and self._tls != "off" and server.has_extn("starttls")
        if offers and (is_far or self._tls == "required"):
            server.starttls(context=ssl.create_default_context())
            server.ehlo()
        elif self._tls == "required" and is_clear:
            raise WrongSettings(f"{self.host} offers no encryption, and ?tls=required asks for it")
        elif self._user and is_far and is_clear:
            raise WrongSettings(
                f"{self.host} offers no encryption for the password: use smtps:// in [deliver] to"
            )
        if self._user:
            self._log_in(server)

    def _log_in(self, server: smtplib.SMTP) -> None:
        """Log in. No exception contains the password."""
        secret, is_token = self._password, False
        try:
            if not secret and self._mailbox.from_:
                secret = read_secret(read_account(self._mailbox.from_), self._mailbox)
                is_token = self._mailbox.auth == "xoauth2"
            if not is_token:
                server.login(self._user, secret)
                return
            text = f"user={self._user}\1auth=Bearer {secret}\1\1"
            # A challenge is the reason of a refusal, and is answered by an empty line.
            server.ehlo_or_helo_if_needed()
            server.auth("XOAUTH2", lambda challenge=None: "" if challenge else text)
        except ConfigError as fault:
            raise WrongSettings(str(fault)) from None
        except UnicodeEncodeError:
            raise WrongSettings(f"the password for {self.host} must be ASCII") from None
        except smtplib.SMTPNotSupportedError:
            raise WrongSettings(f"{self.host} offers no log-in: check [deliver] to") from None
        except smtplib.SMTPResponseException as refused:
            words = _words(refused.smtp_code, refused.smtp_error)
            words = words.replace(secret, "***") if secret else words
            if refused.smtp_code < 500:
                raise Unreachable(words) from None
            advice = "password_command must print a valid access token" if is_token else (
                "check the password; many providers need an app password"
            )
            raise WrongSettings(
                f"{self.host} refuses the log-in of {self._user} ({words}): {advice}"
            ) from None


def delivery_for(url: str, mailbox: FetchSection = FetchSection()) -> Delivery:
    """Return the delivery method that a URL of the configuration names.

    `maildir:var/outbox`, `smtp://user:pass@host:port?tls=required`, `smtps://…`,
    `lmtp://host:port`. A login without a password uses that of the mailbox.

    Raises: ConfigError for any other.
    """
    parts = urlsplit(url)
    if parts.scheme == "maildir" and (parts.netloc or parts.path):
        return MaildirDelivery(Path(url.partition(":")[2]))
    defaults = {"smtp": 25, "smtps": 465, "lmtp": 24}
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    tls = options.pop("tls", "try") if parts.scheme == "smtp" else "try"
    if parts.scheme not in defaults or not parts.hostname or options or tls not in TLS:
        raise ConfigError(f"letters cannot be delivered to {_hide_password(parts)!r}")
    try:
        port = parts.port or defaults[parts.scheme]
    except ValueError as fault:
        raise ConfigError(f"no such port in {_hide_password(parts)!r}") from fault
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return ServerDelivery(parts.scheme, parts.hostname, port, user, password, tls, mailbox)


def named_id(reply: bytes) -> str:
    """Return the Message-ID in a reply to a message, or an empty string.

    >>> named_id(b"2.0.0 OK <1@x.example> [Hostname=y]"), named_id(b"2.0.0 Ok: queued as 4F1")
    ('<1@x.example>', '')
    """
    found = _NAMED_ID.search(reply)
    return found[0].decode("ascii") if found else ""


def _hide_password(parts: SplitResult) -> str:
    """Return a URL without its password."""
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def is_this_machine(host: str) -> bool:
    """Return whether a host is this machine, by a loopback address or as localhost."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _fault(code: int, text: bytes | str) -> PermanentFailure | TemporaryFailure:
    words = _words(code, text)
    return PermanentFailure(words) if 500 <= code < 600 else TemporaryFailure(words)


def _address_fault(code: int, text: bytes | str) -> PermanentFailure | TemporaryFailure:
    """Return a failure, which is `NoSuchAddress` for a 5xx that is not a policy.

    RFC 3463: x.7.x is policy.
    """
    fault = _fault(code, text)
    if isinstance(fault, PermanentFailure) and " 5.7." not in str(fault):
        return NoSuchAddress(str(fault))
    return fault


def _words(code: int, text: bytes | str) -> str:
    if isinstance(text, bytes):
        text = text.decode("ascii", "replace")
    return " ".join(f"{code} {text}".split())[:500]
