"""A fresh machine: Debian made by debootstrap, booted by systemd in a container.

It shares the network of this machine, so that the ports of the guide must be free. The tree made by
debootstrap is kept for some weeks and copied. `JUDGE_FRESH_BASE` may name another tree.
"""

import mailbox
import os
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from email.message import Message
from pathlib import Path
from typing import TypeVar

from tests.operating.trees import cached_tree, copy_tree

Found = TypeVar("Found")

INCLUDED = "systemd,systemd-sysv,dbus,ca-certificates,debconf-utils,procps"
ANSWERS = """\
postfix postfix/main_mailer_type select Internet Site
postfix postfix/mailname string example.org
"""
PATIENCE = 300.0


def _base() -> Path:
    """Return the tree to copy."""
    if given := os.environ.get("JUDGE_FRESH_BASE"):
        return Path(given)
    program = ("debootstrap", "--variant=minbase", f"--include={INCLUDED}")
    return cached_tree("bookworm", program)


class Fresh:
    """One machine below a folder.

    Call `boot` before all else, and `stop` after it.
    """

    def __init__(self, root: Path, checkout: Path) -> None:
        self.root = root
        copy_tree(_base(), root)
        self.write("root/answers", ANSWERS)
        # The sources come from a repository, so that they can be pulled again.
        bare, src = root / "srv/judge.git", root / "opt/judge/src"
        for words in (["clone", "-q", "--bare", checkout, bare], ["clone", "-q", bare, src],
                      ["-C", src, "remote", "set-url", "origin", "/srv/judge.git"]):
            subprocess.run(["git", *map(str, words)], check=True)
        self._letters: dict[str, int] = {}

    def write(self, name: str, text: str) -> None:
        """Write a file of the machine."""
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def boot(self) -> None:
        """Start its systemd and wait until it is up."""
        self._process = subprocess.Popen(
            ["systemd-nspawn", "-q", "-D", str(self.root), f"--machine=judge-{os.getpid()}",
             "--register=no", "--keep-unit", "--boot"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        self._init = self.until(lambda: children.read_text().split()[:1])[0]
        self.until(lambda: "running" in self.try_commands("systemctl is-system-running"))

    def stop(self) -> None:
        """Power the machine off."""
        self.try_commands("systemctl poweroff")
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def try_commands(self, text: str) -> str:
        """Run commands as root and return their output, whether they succeed or fail."""
        return self._run(text).stdout

    def run(self, *texts: str) -> str:
        """Run code blocks unchanged in one shell and return their output."""
        done = self._run("\n".join(texts))
        assert done.returncode == 0, f"{texts}\n{done.stdout}{done.stderr}"
        return done.stdout

    def _run(self, text: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["nsenter", "-t", self._init, "-m", "-u", "-i", "-p", "-C", "--", "/usr/bin/env", "-i",
             "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root",
             "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", "sh", "-eu", "-c", text],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800, check=False,
        )

    def until(self, found: Callable[[], Found]) -> Found:
        """Wait until a condition is true and return its value."""
        end = time.monotonic() + PATIENCE
        while not (one := found()):
            assert time.monotonic() < end, self.try_commands("journalctl -n 60 --no-pager; mailq")
            time.sleep(0.5)
        return one

    def send(self, user: str, to: str, text: str, answers: str = "") -> None:
        """Mail a text through the machine's Postfix, as one of its users."""
        head = f"From: {user}@example.org\nTo: {to}\nSubject: orders\n"
        head += f"In-Reply-To: {answers}\n" if answers else ""
        self.write("root/mail", f"{head}\n{text}\n")
        self.run(f"sendmail -f {user}@example.org {to} < /root/mail")

    def letter(self, user: str, kind: str) -> "Message[str, str]":
        """Return the next letter of a kind in a user's mailbox."""
        def find_letter() -> "Message[str, str] | None":
            file = self.root / "var/mail" / user
            if not file.exists():
                return None
            with closing(mailbox.mbox(file, create=False)) as box:
                letters = list(box)
            for letter in letters[self._letters.get(user, 0):]:
                self._letters[user] = self._letters.get(user, 0) + 1
                if letter["X-Judge-Kind"] == kind:
                    return letter
            return None

        letter = self.until(find_letter)
        assert letter is not None
        return letter
