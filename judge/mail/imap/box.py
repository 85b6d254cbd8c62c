"""Mailbox on an IMAP server (RFC 9051), with one connection.

Other programs and people may read the same mailbox. Nothing here sets or trusts the flag Seen, and
a mail that is not moved is not changed.
"""

import logging
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError, LoginError

from judge.errors import ConfigError, JudgeError
from judge.mail.imap.account import MailboxAccount

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 30.0
MAX_IDLE_SECONDS = 60.0
"""Maximum wait for news. Servers and routers end longer waits without a word."""
DONE_KEYWORD = "$JudgeDone"
"""Flag of a mail that was taken, on servers where it cannot be moved safely."""
MAX_JUNK = 200
"""Maximum number of mails in the folder for junk that are looked at."""
_JUNK_NAMES = {"junk", "junk e-mail", "junk-e-mail", "spam", "bulk mail", "spamverdacht"}
_NO_MAILS = {b"\\Noselect", b"\\NonExistent"}
"""Attributes of a folder that contains only other folders."""
_POLL_SECONDS = 1.0
_MAX_ASKED = 500
"""Maximum number of mails in one command."""
_MAX_TOLD = 200
_MAX_NAMED = 10
"""Maximum number of folders in an error message."""
_KEEPALIVE = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3),
              ("TCP_USER_TIMEOUT", 60_000))
_LASTING = re.compile(r"\[(?:OVERQUOTA|LIMIT)\]|too many|maximum number|limit exceeded", re.I)
_TEMPORARY = re.compile(r"\[(?:UNAVAILABLE|INUSE|LIMIT)\]|too many|temporar|try again", re.I)
"""Words of a server that refuses a log-in for another reason than the password."""
_FAULTS = (IMAPClientError, OSError, ValueError, LookupError, AttributeError, EOFError)
"""Exceptions of a lost connection, or of a server that breaks the protocol."""

# The library logs each command at the level DEBUG.
logging.getLogger("imapclient").setLevel(logging.WARNING)


class MailboxFault(JudgeError):
    """Raised when the mailbox cannot be used now. The connection must be closed."""

    def __init__(self, text: str, is_lasting: bool = False) -> None:
        super().__init__(text)
        self.is_lasting = is_lasting
        """True if an attempt a moment later would fail too, as with a wrong password."""


class MoveRefused(JudgeError):
    """Raised when the server refuses to move mails. The connection can still be used."""


class MailFacts(NamedTuple):
    """Facts of a mail in the mailbox, without its text."""

    uid: int
    size: int
    dated: datetime
    """INTERNALDATE: the time of its delivery."""


_CANNOT_CONNECT = "cannot connect"
_PORTS = "usually imaps://…:993, or imap://…:143"


class Mailbox:
    """Folder of an account, over one connection."""

    def __init__(self, account: MailboxAccount, secret: str, auth: str, done: str) -> None:
        self.account = account
        self._secret = secret
        self._auth = auth
        self._done = done
        self._client: Any = None
        self._capabilities: frozenset[str] = frozenset()
        self._is_password_disabled = False
        self._keywords = False
        self._has_done_folder = False

    @property
    def name(self) -> str:
        """Account and folder."""
        return self.account.name

    def connect(self) -> None:
        """Connect and log in.

        Raises:
            MailboxFault: the server cannot be reached, or refuses the password.
        """
        account = self.account
        context = ssl.create_default_context()
        with self._faults(_CANNOT_CONNECT):
            self._client = IMAPClient(
                account.host, account.port, ssl=account.is_tls,
                ssl_context=context if account.is_tls else None,
                timeout=SocketTimeout(CONNECT_SECONDS, ANSWER_SECONDS),
            )
            self._client.normalise_times = False
            _keep_alive(self._client.socket())
            if not account.is_tls and not account.is_local:
                if not self._client.has_capability("STARTTLS"):
                    raise MailboxFault(
                        f"{account.host} offers no STARTTLS, and the password is not sent in clear:"
                        " use imaps:// in [fetch] from", True,
                    )
                self._client.starttls(context)
        try:
            self._log_in()
        except LoginError as fault:
            if _TEMPORARY.search(str(fault)):
                raise self._fault("cannot log in", fault) from None
            raise MailboxFault(self._describe_refusal(fault), True) from None

    def _log_in(self) -> None:
        with self._faults("cannot log in", passes=LoginError):
            self._is_password_disabled = bool(self._client.has_capability("LOGINDISABLED"))
            if self._auth == "xoauth2":
                self._client.oauth2_login(self.account.user, self._secret)
            else:
                self._client.login(self.account.user, self._secret)
            self._capabilities = frozenset(
                name.decode("ascii", "replace").upper() for name in self._client.capabilities()
            )

    def _describe_refusal(self, fault: Exception) -> str:
        account = self.account
        text = f"{account.host} refuses the log-in of {account.user} ({self._clean(fault)})"
        if self._auth == "xoauth2":
            return f"{text}: password_command must print a valid access token"
        if self._is_password_disabled:
            return (
                f"{text}: it takes no passwords; set auth = \"xoauth2\" and a password_command"
                " that prints an access token in [fetch]"
            )
        return f"{text}: check the password; many providers need an app password"

    def close(self) -> None:
        """Log out and close the connection, which may be lost already."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(*_FAULTS):
                client.socket().settimeout(2.0)
                client.logout()
            with suppress(*_FAULTS):
                client.shutdown()

    def select(self, folder: str = "") -> int:
        """Select a folder, by default that of the account. Return its UIDVALIDITY.

        Raises:
            MailboxFault: there is no such folder, or the connection is lost.
        """
        with self._faults("cannot open the folder"):
            folder = folder or self.account.folder
            try:
                found = self._client.select_folder(folder)
            except self._client.AbortError:
                raise
            except IMAPClientError as fault:
                raise MailboxFault(
                    f"{self.account.host} does not open the folder {folder!r}"
                    f" ({self._clean(fault)}): name one of these in [fetch] from:"
                    f" {', '.join(self.list_folders()[:_MAX_NAMED])}", True,
                ) from None
            flags = found.get(b"PERMANENTFLAGS", ())
            self._keywords = b"\\*" in flags or DONE_KEYWORD.encode() in flags
            return int(found[b"UIDVALIDITY"])

    def list_folders(self) -> list[str]:
        """Return the names of all folders that can be selected."""
        with self._faults("cannot list folders"):
            return [
                str(name) for flags, _, name in self._client.list_folders()
                if b"\\Noselect" not in flags and b"\\NonExistent" not in flags
            ]

    def describe(self) -> str:
        """Return what the server can do, for the operator."""
        found = [name for name in ("IDLE", "MOVE", "UIDPLUS", "QUOTA") if self._can(name)]
        return ", ".join(found) or "none of IDLE, MOVE, UIDPLUS and QUOTA"

    def _can(self, capability: str) -> bool:
        return capability in self._capabilities

    def search(self, since: datetime | None) -> list[int]:
        """Return the UIDs of all mails that are not deleted, read or not."""
        criteria: list[Any] = ["NOT", "DELETED"]
        if since is not None:
            criteria += ["SINCE", since.date()]
        if self._keywords and not self._can("MOVE") and not self._can("UIDPLUS"):
            criteria += ["UNKEYWORD", DONE_KEYWORD]
        with self._faults("cannot search"):
            return sorted(self._client.search(criteria))

    def read_facts(self, uids: Sequence[int]) -> list[MailFacts]:
        """Return the facts of mails, the oldest first. Those that are gone are left out."""
        found = []
        for at in range(0, len(uids), _MAX_ASKED):
            with self._faults("cannot list mails"):
                some = self._client.fetch(
                    uids[at:at + _MAX_ASKED], ["RFC822.SIZE", "INTERNALDATE"]
                )
            found += [
                MailFacts(uid, int(each[b"RFC822.SIZE"]), each[b"INTERNALDATE"].astimezone(UTC))
                for uid, each in some.items()
                if b"RFC822.SIZE" in each and isinstance(each.get(b"INTERNALDATE"), datetime)
            ]
        return sorted(found, key=lambda one: (one.dated, one.uid))

    def read_headers(self, uids: Sequence[int]) -> dict[int, bytes]:
        """Return the headers of mails by UID. Those that are gone are left out."""
        with self._faults("cannot read headers"):
            found = self._client.fetch(uids, ["BODY.PEEK[HEADER]"])
        heads = {uid: each.get(b"BODY[HEADER]") for uid, each in found.items()}
        return {uid: head for uid, head in heads.items() if isinstance(head, bytes)}

    def read_mail(self, uid: int, limit: int) -> bytes | None:
        """Return the first *limit* octets of a mail, or None if it is gone."""
        with self._faults("cannot read a mail"):
            found = self._client.fetch([uid], [f"BODY.PEEK[]<0.{limit}>"]).get(uid, {})
        raw = next((value for key, value in found.items() if key.startswith(b"BODY[]")), None)
        return raw if isinstance(raw, bytes) else None

    def put_away(self, uids: Sequence[int]) -> None:
        """Move mails to the folder of those done.

        A server without MOVE copies and then expunges these mails only. One that cannot do this
        either sets a keyword, if it allows any.

        Raises:
            MoveRefused: the server refuses, for example as the mailbox is full.
            MailboxFault: the connection is lost.
        """
        if not uids:
            return
        with self._faults("cannot move mails"):
            try:
                self._put_away(uids)
            except self._client.AbortError:
                raise
            except IMAPClientError as fault:
                raise MoveRefused(self._clean(fault)) from None

    def _put_away(self, uids: Sequence[int]) -> None:
        if not self._can("MOVE") and not self._can("UIDPLUS"):
            if self._keywords:
                self._client.add_flags(uids, [DONE_KEYWORD], silent=True)
            return
        transfer = self._client.move if self._can("MOVE") else self._client.copy
        try:
            transfer(uids, self._make_done_folder())
        except IMAPClientError as fault:
            if "[TRYCREATE]" not in str(fault):
                raise
            # A person has deleted or renamed the folder since.
            self._has_done_folder = False
            transfer(uids, self._make_done_folder())
        if not self._can("MOVE"):
            self._client.add_flags(uids, [b"\\Deleted"], silent=True)
            self._client.uid_expunge(uids)

    def _make_done_folder(self) -> str:
        folder = self._done_folder()
        if not self._has_done_folder:
            if not self._client.folder_exists(folder):
                self._client.create_folder(folder)
            self._has_done_folder = True
        return folder

    def _done_folder(self) -> str:
        """Return the full name of the folder, which may need a prefix such as "INBOX."."""
        if not self._can("NAMESPACE"):
            return self._done
        personal = self._client.namespace().personal
        prefix = str(personal[0][0]) if personal else ""
        return self._done if self._done.startswith(prefix) else prefix + self._done

    def expunge_done(self, before: datetime) -> int:
        """Expunge mails of before an instant from the folder of those done.

        Return their number. The folder of the account must be selected again.
        """
        with self._faults("cannot delete old mails"):
            folder = self._done_folder()
            if not self._can("UIDPLUS") or not self._client.folder_exists(folder):
                return 0
            self._client.select_folder(folder)
            old = self._client.search(["BEFORE", before.date()])[:_MAX_ASKED]
            if old:
                self._client.add_flags(old, [b"\\Deleted"], silent=True)
                self._client.uid_expunge(old)
            return len(old)

    def read_quota(self) -> int:
        """Return the used part of the quota in percent, or -1 if unknown."""
        if not self._can("QUOTA"):
            return -1
        with self._faults("cannot read the quota"):
            try:
                _, quotas = self._client.get_quota_root(self.account.folder)
            except self._client.AbortError:
                raise
            except IMAPClientError:
                return -1
        used = [
            100 * one.usage // one.limit for one in quotas
            if isinstance(one.usage, int) and isinstance(one.limit, int) and one.limit
        ]
        return max(used, default=-1)

    def read_junk_headers(self, since: datetime) -> list[bytes]:
        """Return headers of mails in the folder for junk, the newest `MAX_JUNK` of them.

        The folder of the account must be selected again.
        """
        with self._faults("cannot read the folder for junk"):
            try:
                folder = self._find_junk_folder()
                if not folder:
                    return []
                self._client.select_folder(folder, readonly=True)
                uids = sorted(self._client.search(["NOT", "DELETED", "SINCE", since.date()]))
            except self._client.AbortError:
                raise
            except IMAPClientError:
                return []
        return [*self.read_headers(uids[-MAX_JUNK:]).values()] if uids else []

    def _find_junk_folder(self) -> str:
        """Return the folder for junk, by its attribute or else by its name, or ""."""
        named = ""
        for attributes, delimiter, name in self._client.list_folders():
            if b"\\Junk" in attributes:
                return str(name)
            last = str(name).rpartition((delimiter or b"/").decode("ascii", "replace"))[2]
            if last.casefold() in _JUNK_NAMES and _NO_MAILS.isdisjoint(attributes):
                named = named or str(name)
        return named

    def wait(self, seconds: float, is_over: Callable[[], bool]) -> None:
        """Wait until the server has news, *is_over* returns true, or time is up.

        News are only a reason to search: some servers report none.
        """
        end = time.monotonic() + min(seconds, MAX_IDLE_SECONDS)
        with self._faults("cannot wait for news"):
            if not self._can("IDLE"):
                while time.monotonic() < end and not is_over():
                    time.sleep(min(_POLL_SECONDS, max(end - time.monotonic(), 0.0)))
                self._client.noop()
                return
            _, said = self._client.noop()
            if any(map(_is_news, said)):
                # The mail came after the search. IDLE would not report it again.
                return
            self._client.idle()
            while (left := end - time.monotonic()) > 0 and not is_over():
                began = time.monotonic()
                said = self._client.idle_check(min(left, _POLL_SECONDS))
                # A closed connection reports nothing, and at once.
                is_closed = not said and time.monotonic() - began < min(left, _POLL_SECONDS) / 2
                if is_closed or any(map(_is_news, said)):
                    break
            self._client.idle_done()

    @contextmanager
    def _faults(self, what: str, passes: type[Exception] | None = None) -> Iterator[None]:
        """Raise any fault of server or network as one line without secrets."""
        try:
            yield
        except _FAULTS as fault:
            if passes is not None and isinstance(fault, passes):
                raise
            raise self._fault(what, fault) from None

    def _fault(self, what: str, fault: Exception) -> MailboxFault:
        host = self.account.host
        if isinstance(fault, ssl.SSLCertVerificationError):
            return MailboxFault(
                f"the certificate of {host} cannot be verified ({fault.verify_message}): check the"
                " host in [fetch] from; SSL_CERT_FILE adds an authority of your own", True,
            )
        if isinstance(fault, socket.gaierror):
            return MailboxFault(f"there is no host {host} ({fault.strerror}): check [fetch] from")
        text = self._clean(fault)
        if what == _CANNOT_CONNECT:
            host, text = f"{host}:{self.account.port}", f"{text}): check host and port ({_PORTS}"
        is_lasting = _LASTING.search(text) is not None
        return MailboxFault(f"{host}: {what} ({text})", is_lasting)

    def _clean(self, fault: Exception) -> str:
        """Return the text of a fault as one short line without the secret."""
        text = str(fault).replace(self._secret, "***") or type(fault).__name__
        # The library shows the words of the server as bytes.
        text = re.sub(r"^b(['\"])(.*)\1$", r"\2", text, flags=re.DOTALL)
        return re.sub(r"[^ -~]+", " ", text)[:_MAX_TOLD]


def _is_news(said: object) -> bool:
    return isinstance(said, tuple) and len(said) > 1 and said[1] in (b"EXISTS", b"RECENT")


def _keep_alive(wire: socket.socket) -> None:
    """Detect a connection that was lost without a word."""
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE:
        if hasattr(socket, name):
            wire.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


@contextmanager
def open_mailbox(
    account: MailboxAccount, secret: str, auth: str, done: str
) -> Iterator[Mailbox]:
    """Connect to a mailbox for a block.

    Raises:
        MailboxFault: it cannot be used now, or takes no passwords.
        ConfigError: the folder of mails done is the one that mail is fetched from.
    """
    if account.is_microsoft and auth == "password":
        raise MailboxFault(
            f"{account.host} takes no passwords, as all Microsoft accounts: set auth = \"xoauth2\""
            " and a password_command that prints an access token in [fetch]", True,
        )
    if done.lower() == account.folder.lower():
        raise ConfigError("[fetch] done: it must be another folder than that of `from`")
    box = Mailbox(account, secret, auth, done)
    try:
        box.connect()
        yield box
    finally:
        box.close()
