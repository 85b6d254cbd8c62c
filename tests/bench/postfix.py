"""Postfix next to the judge, if installed, with its own configuration and queue.

It runs from a temporary folder on a free port, and does not read or change the machine's own
Postfix. For the benchmark it accepts mail into its queue and passes it to its `discard` transport,
like a mail server with nothing else to do.
"""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.machine import HAS_POSTFIX

MAIN = """\
compatibility_level = 3.6
queue_directory = {where}/queue
data_directory = {where}/data
myhostname = bench.example
alias_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
smtpd_peername_lookup = no
smtpd_recipient_restrictions = permit_mynetworks, reject
maillog_file = {where}/queue/log
maillog_file_prefixes = {where}
"""
DISCARD = """\
mydestination = localhost
local_recipient_maps =
local_transport = discard:
default_transport = discard:
"""


def is_here() -> bool:
    """Return whether Postfix is installed and can be started."""
    return HAS_POSTFIX


class Postfix:
    """A Postfix for the tests, not started yet."""

    def __init__(self, where: Path, more: str) -> None:
        self.where = where
        self.config = where / "etc"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        where.chmod(0o755)
        for name in ("etc", "queue", "data"):
            (where / name).mkdir(mode=0o755)
        shutil.chown(where / "data", "postfix")
        (self.config / "main.cf").write_text(MAIN.format(where=where) + more)
        usual = Path("/usr/share/postfix/master.cf.dist")
        source = usual if usual.exists() else Path("/etc/postfix/master.cf")
        lines = source.read_text().splitlines()
        head = f"127.0.0.1:{self.port} inet n - n - 100 smtpd"
        rest = [line for line in lines if not line.startswith("smtp      inet")]
        # The queue has no chroot jail.
        rest = [line.replace("  y       -  ", "  n       -  ") for line in rest]
        (self.config / "master.cf").write_text("\n".join([head, *rest]) + "\n")

    @property
    def place(self) -> str:
        """Address of the server."""
        return f"127.0.0.1:{self.port}"

    def log(self) -> str:
        """Return its log."""
        file = self.where / "queue/log"
        return file.read_text("utf-8", "replace") if file.exists() else ""

    def command(self, *words: str) -> None:
        """Run a `postfix` command: start, stop or reload."""
        subprocess.run(
            ["postfix", "-c", str(self.config), *words],
            check=True, capture_output=True, timeout=120,
        )

    def start(self) -> None:
        """Start it and wait until it listens."""
        self.command("start")
        _wait_for(self.port)

    def stop(self) -> None:
        """Stop it, if it runs."""
        words = ["postfix", "-c", str(self.config), "stop"]
        subprocess.run(words, check=False, capture_output=True, timeout=120)


@contextmanager
def prepare_postfix(more: str) -> Iterator[Postfix]:
    """Yield a stopped Postfix with more in its main.cf.

    It is deleted after the block.
    """
    where = Path(tempfile.mkdtemp(prefix="judge-postfix-"))
    made = Postfix(where, more)
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(where, ignore_errors=True)


@contextmanager
def postfix() -> Iterator[str]:
    """Run a Postfix that discards everything, and yield its address."""
    with prepare_postfix(DISCARD) as made:
        made.start()
        yield made.place


def _wait_for(port: int) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as wire:
                if wire.recv(10).startswith(b"220"):
                    return
        except OSError:
            if time.monotonic() > until:
                raise
        time.sleep(0.1)
