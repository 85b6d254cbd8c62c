"""Mailbox account, as `[fetch] from` names it, and its secret."""

import os
import re
import stat
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import unquote, urlsplit

from judge.config import FetchSection
from judge.errors import ConfigError

PASSWORD_VARIABLE = "JUDGE_FETCH_PASSWORD"
CREDENTIAL = "mailbox"
"""Name of the systemd credential (LoadCredential=mailbox:FILE)."""
COMMAND_TIMEOUT = 30.0
"""Seconds a command has to print the secret."""
MAX_SECRET_OCTETS = 64 * 1024
_PORTS = {"imaps": 993, "imap": 143}
_MICROSOFT = re.compile(
    r"(?:^|\.)(?:outlook|office365|office|hotmail|live|msn)\.(?:com|de|fr|co\.uk)$", re.IGNORECASE
)
_READABLE_BY_OTHERS = stat.S_IROTH | stat.S_IWOTH | stat.S_IWGRP


@dataclass(frozen=True, slots=True)
class MailboxAccount:
    """Server, user and folder of a mailbox."""

    host: str
    port: int
    is_tls: bool
    """True for TLS from the start, false for STARTTLS."""
    user: str
    folder: str
    password: str = field(default="", repr=False)
    """Password in the URL, or empty."""

    @property
    def name(self) -> str:
        """Account and folder, for logs, the database and the operator."""
        return f"{self.user}@{self.host}/{self.folder}"

    @property
    def is_local(self) -> bool:
        """True if the server is on this machine, which needs no TLS."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def is_microsoft(self) -> bool:
        """True for a server that takes no passwords."""
        return _MICROSOFT.search(self.host) is not None


def read_account(spec: str) -> MailboxAccount:
    """Parse the URL of a mailbox.

    The name of the user may contain an @.

    >>> read_account("imaps://me@gmail.com@imap.gmail.com/INBOX").name
    'me@gmail.com@imap.gmail.com/INBOX'
    >>> read_account("imap://judge@localhost:1143").port
    1143

    Raises:
        ConfigError: the text is no such URL. The message does not contain it.
    """
    try:
        parts = urlsplit(spec)
        port = parts.port or _PORTS[parts.scheme]
        host, user = parts.hostname or "", unquote(parts.username or "")
    except (ValueError, KeyError):
        host = user = ""
        port = 0
    if not host or not user:
        raise ConfigError("[fetch] from: it must have the form imaps://USER@HOST/FOLDER")
    folder = unquote(parts.path.strip("/")) or "INBOX"
    password = unquote(parts.password or "")
    return MailboxAccount(host, port, parts.scheme == "imaps", user, folder, password)


def read_secret(
    account: MailboxAccount, section: FetchSection, environ: Mapping[str, str] = os.environ
) -> str:
    """Return the password or access token of an account.

    It is looked for in a systemd credential, the environment, the file and the output of the
    command, in this order. It is read for each connection, so that a new one needs no restart.

    Raises:
        ConfigError: it is missing or cannot be read. The message does not contain it.
    """
    credential = Path(environ.get("CREDENTIALS_DIRECTORY", "/nonexistent"), CREDENTIAL)
    if credential.is_file():
        found = _read_file(credential)
    elif environ.get(PASSWORD_VARIABLE):
        found = environ[PASSWORD_VARIABLE]
    elif section.password_file:
        found = _read_private_file(Path(section.password_file))
    elif section.password_command:
        found = _run(section.password_command)
    else:
        found = account.password
    found = found.strip("\r\n")
    if not found:
        raise ConfigError(
            f"there is no password for {account.name}: set [fetch] password_file or"
            f" password_command, or {PASSWORD_VARIABLE}"
        )
    if not found.isprintable():
        raise ConfigError(f"the password for {account.name} must be one line of printable letters")
    return found


def _read_private_file(file: Path) -> str:
    """Return the text of a file that only its user and group can read."""
    try:
        mode = file.stat().st_mode
    except OSError as fault:
        raise ConfigError(f"[fetch] password_file: {file}: {fault.strerror}") from None
    if mode & _READABLE_BY_OTHERS:
        raise ConfigError(f"[fetch] password_file: others can open {file}: chmod 600 {file}")
    return _read_file(file)


def _read_file(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(MAX_SECRET_OCTETS).decode("utf-8")
    except OSError as fault:
        raise ConfigError(f"the password file {file}: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"the password file {file} is not UTF-8 text") from None


def _run(command: tuple[str, ...]) -> str:
    """Return the output of a command, whose own errors go to the log."""
    what = f"[fetch] password_command: {command[0]}"
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=COMMAND_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ConfigError(f"{what} printed nothing for {COMMAND_TIMEOUT:.0f} seconds") from None
    except OSError as fault:
        raise ConfigError(f"{what}: {fault.strerror}") from None
    if done.returncode:
        raise ConfigError(f"{what} ended with exit code {done.returncode}")
    try:
        return done.stdout[:MAX_SECRET_OCTETS].decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{what} printed no UTF-8 text") from None
