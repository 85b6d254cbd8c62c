"""Dovecot next to the judge, with its own configuration and mailboxes.

It runs from a temporary folder on a free port, and does not read or change the machine's own
Dovecot.
"""

import imaplib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from tests.machine import HAS_DOVECOT

PASSWORD = "open-sesame"
CONFIG = """\
base_dir = {where}/run
state_dir = {where}/state
log_path = {where}/log
protocols = imap
listen = 127.0.0.1
ssl = {ssl}
ssl_cert = <{cert}
ssl_key = <{cert}
disable_plaintext_auth = no
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
mail_location = maildir:{where}/mail/%u
mail_plugins = {plugins}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = {ssl}
  }}
}}
auth_failure_delay = 0
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
protocol imap {{
  mail_plugins = {plugins} {imap_plugins}
}}
plugin {{
  quota = maildir:User quota
  quota_rule = *:storage={quota}
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={where}/home/%u
}}
"""


def free_ports(count: int) -> list[int]:
    """Return ports that are free now."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]
    finally:
        for one in sockets:
            one.close()


class Dovecot:
    """A Dovecot for the tests, not started yet. Any user can log in with `PASSWORD`."""

    def __init__(self, where: Path, cert: Path, capability: str = "", quota: str = "") -> None:
        self.where = where
        self.port, self.tls_port = free_ports(2)
        where.chmod(0o755)
        for name in ("mail", "home"):
            (where / name).mkdir(mode=0o777)
            shutil.chown(where / name, "dovecot", "dovecot")
        self._config = where / "dovecot.conf"
        text = CONFIG.format(
            where=where, port=self.port, tls_port=self.tls_port, cert=cert, password=PASSWORD,
            user="dovecot", group="dovecot", ssl="yes", plugins="quota" if quota else "",
            imap_plugins="imap_quota" if quota else "", quota=quota or "1G",
        )
        if capability:
            text += f"imap_capability = {capability}\n"
        self._config.write_text(text)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it listens."""
        self._process = subprocess.Popen(
            ["dovecot", "-F", "-c", str(self._config)], start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )
        end = time.monotonic() + 30
        while time.monotonic() < end:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            assert self._process.poll() is None, self.log()
            time.sleep(0.05)
        raise AssertionError(self.log())

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Stop it with all its processes, or kill it."""
        process, self._process = self._process, None
        if process is None:
            return
        if number == signal.SIGKILL:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.send_signal(number)
        process.wait(30)
        if process.stderr is not None:
            process.stderr.close()

    def log(self) -> str:
        """Return its log."""
        file = self.where / "log"
        return file.read_text("utf-8", "replace") if file.exists() else ""

    @contextmanager
    def client(self, user: str = "judge") -> Iterator[imaplib.IMAP4]:
        """Log in as a mail program would, with the INBOX selected."""
        with imaplib.IMAP4("127.0.0.1", self.port, timeout=30) as wire:
            wire.login(user, PASSWORD)
            wire.select("INBOX")
            yield wire

    def put(
        self, mails: Sequence[bytes], user: str = "judge", dated: datetime | None = None,
        folder: str = "INBOX",
    ) -> None:
        """Deliver mails, as of now or of an instant, into any folder."""
        date = imaplib.Time2Internaldate(dated) if dated else ""
        with self.client(user) as wire:
            if folder != "INBOX":
                wire.create(folder)
            for mail in mails:
                kind, said = wire.append(folder, "", date, mail)
                assert kind == "OK", said

    def contents(self, folder: str = "INBOX", user: str = "judge") -> list[tuple[bytes, bytes]]:
        """Return flags and Message-ID lines of the mails in a folder."""
        with self.client(user) as wire:
            kind, _ = wire.select(f'"{folder}"', readonly=True)
            if kind != "OK":
                return []
            what = "(FLAGS BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])"
            found = wire.uid("FETCH", "1:*", what)[1]
            return [(bytes(each[0]), bytes(each[1])) for each in found if isinstance(each, tuple)]

    def count(self, folder: str = "INBOX", user: str = "judge") -> int:
        """Return the number of mails in a folder."""
        return len(self.contents(folder, user))

    def change_validity(self, user: str = "judge") -> None:
        """Give the INBOX another UIDVALIDITY, as a restored or moved mailbox has."""
        home = self.where / "mail" / user
        for file in [*home.glob("dovecot*")]:
            file.unlink()
        for file in (home / "dovecot-uidlist", home / "dovecot-uidvalidity"):
            file.unlink(missing_ok=True)
        time.sleep(1.1)  # the new one is the time in seconds


@contextmanager
def running_dovecot(capability: str = "", quota: str = "") -> Iterator[Dovecot]:
    """Yield a running Dovecot, which is deleted after the block."""
    assert HAS_DOVECOT
    where = Path(tempfile.mkdtemp(prefix="judge-dovecot-"))
    cert = Path(__file__).parents[1] / "mail/tls.pem"
    made = Dovecot(where, cert, capability, quota)
    made.start()
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(where, ignore_errors=True)
