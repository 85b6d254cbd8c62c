"""Attacks on the database files of a judge under load.

In each round four clients mail a judge as fast as it replies while its files are removed, replaced,
written over or truncated. Afterwards each acknowledged mail must be in the files or in the rescue
copy. If the files themselves were damaged, no mail that was sent afterwards may be acknowledged.
"""

import os
import random
import shutil
import smtplib
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from judge.demo.judge_process import JudgeProcess
from judge.errors import StoreRefused
from judge.store.backup import copy_database
from judge.store.sqlite_files import check_start, files_of, log_of, rescue_copies
from tests.judges import Judge
from tests.judges import run as run_command

NAME = "judge.sqlite3"
JUDGE = "judge@localhost"
CLIENTS = 4
SECONDS = 90.0
"""Seconds to wait for any event, enough for a busy machine."""
LOST = 3
"""Exit code of a judge whose database was lost."""
MARK = b"X-Attack: "


class Kind(NamedTuple):
    """One attack: its action, and its expected effects."""

    name: str
    act: Callable[["Round"], object]
    spoils: bool = False
    """True if it destroys content, so that acknowledged mails may be lost."""
    kills: bool = False


def _away(round_: "Round") -> None:
    for file in files_of(round_.path):
        with suppress(FileNotFoundError):
            file.rename(round_.spare / file.name)


def _away_and_back(round_: "Round") -> None:
    _away(round_)
    round_.older.rename(round_.path)


def _write_over(source: Path, target: Path) -> None:
    """Write a file over another in place, as `cp` does."""
    shutil.copyfile(source, target)


def _remove_folder(folder: Path) -> None:
    """Remove a folder in which the judge may create a file at the same time."""
    while folder.exists():
        shutil.rmtree(folder, ignore_errors=True)


def _cut(file: Path, share: float) -> None:
    os.truncate(file, int(file.stat().st_size * share))


def _remove(*places: int) -> Callable[["Round"], object]:
    return lambda round_: [files_of(round_.path)[place].unlink() for place in places]


KINDS = (
    Kind("database removed", _remove(0)),
    Kind("log removed", _remove(1)),
    Kind("index removed", _remove(2)),
    Kind("all removed", _remove(0, 1, 2)),
    Kind("log and index removed", _remove(1, 2)),
    Kind("copy renamed over database", lambda one: one.older.rename(one.path)),
    Kind("copy renamed over log", lambda one: one.older_log.rename(log_of(one.path))),
    Kind("all moved away", _away),
    Kind("all moved away, copy put back", _away_and_back),
    Kind("folder renamed", lambda one: one.path.parent.rename(one.spare / "folder")),
    Kind("folder removed", lambda one: _remove_folder(one.path.parent)),
    Kind("copy written over database", lambda one: _write_over(one.older, one.path), spoils=True),
    Kind("copy written over log", lambda one: _write_over(one.older_log, log_of(one.path)),
         spoils=True),
    Kind("database truncated", lambda one: os.truncate(one.path, 0), spoils=True),
    Kind("database cut", lambda one: _cut(one.path, 0.5), spoils=True),
    Kind("log truncated", lambda one: os.truncate(log_of(one.path), 0), spoils=True),
    Kind("log cut", lambda one: _cut(log_of(one.path), 0.5), spoils=True),
    Kind("database removed, kill -9", _remove(0), kills=True),
    Kind("log removed, kill -9", _remove(1, 2), kills=True),
    Kind("all removed, kill -9", _remove(0, 1, 2), kills=True),
)


class Client(threading.Thread):
    """Client that sends numbered mails and records which were acknowledged, and when."""

    def __init__(self, place: str, name: str, size: int) -> None:
        super().__init__(daemon=True)
        self._host, _, port = place.rpartition(":")
        self._port = int(port)
        self._name, self._size = name, size
        self.taken: list[tuple[str, float]] = []
        """Names of acknowledged mails, each with the time when its sending began."""
        self.refused = 0
        self.over = threading.Event()

    def run(self) -> None:
        number = 0
        while not self.over.is_set():
            try:
                with smtplib.SMTP(self._host, self._port, local_hostname="x", timeout=60) as wire:
                    while not self.over.is_set():
                        number += 1
                        self._send(wire, f"{self._name}-{number}")
            except OSError:
                # The judge has ended, or ends this session.
                self.refused += 1
                time.sleep(0.02)

    def _send(self, wire: smtplib.SMTP, name: str) -> None:
        body = b"From: p@x.org\r\nMessage-ID: <%b@x.org>\r\n" % name.encode()
        body += MARK + name.encode() + b"\r\n\r\nLIST\r\n" + b"x" * 70 + b"\r\n"
        body += (b"y" * 70 + b"\r\n") * (self._size // 72)
        began = time.monotonic()
        wire.sendmail("p@x.org", [JUDGE], body)
        self.taken.append((name, began))


class Round:
    """One judge, its clients, and one attack."""

    def __init__(self, folder: Path, kind: Kind, luck: random.Random) -> None:
        self.kind, self.luck = kind, luck
        self.home, self.spare = folder / "home", folder / "spare"
        self.path = self.home / NAME
        self.older, self.older_log = self.spare / "older", self.spare / "older-log"
        self.log = folder / "log"
        self.failed: list[str] = []
        self.noticed_after = 0.0
        self.lost = self.taken = 0
        self.done = 0.0
        self.is_followed_by_deliver = luck.random() < 0.2
        for each in (self.home, self.spare):
            each.mkdir()

    def environ(self) -> dict[str, str]:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")}
        return clean | JudgeProcess(self.home.parent).settings() | {
            "JUDGE_STORE_URL": f"sqlite:///{self.path}",
            "JUDGE_DELIVER_TO": f"maildir:{self.spare / 'out'}",
            "JUDGE_POLICY_MAPS": "off",
            "JUDGE_LISTEN_SMTP": "127.0.0.1:0",
        }

    def command(self, *words: str, given: bytes = b"") -> "subprocess.CompletedProcess[str]":
        """Run a command of the judge next to it."""
        return run_command(words, self.home.parent, self.environ(), given, SECONDS)

    def run(self) -> None:
        """Play the round, and list its failures in `failed`."""
        with self.log.open("w") as log:
            judge = Judge(["serve"], self.home.parent, self.environ(), log=log, is_read=True)
        assert judge.stdout is not None
        said = judge.stdout.readline().partition(";")[0].split(" takes mail at ")
        if len(said) != 2:
            self.failed.append(f"did not start: {self.log.read_text()}")
            return
        size = self.luck.choice((100, 4_000, 40_000))
        clients = [Client(said[1], f"c{n}", size) for n in range(CLIENTS)]
        for client in clients:
            client.start()
        try:
            self._load(clients)
            delivered = self._attack(judge)
            self._await_end(judge)
        finally:
            for client in clients:
                client.over.set()
            if judge.poll() is None:
                judge.kill()
                judge.wait(SECONDS)
            judge.stdout.close()
            for client in clients:
                client.join(SECONDS)
        taken = [each for client in clients for each in client.taken] + delivered
        self._judge_acknowledged(taken)
        self._judge_log()
        if not self.kind.kills:
            self._judge_start()

    def _load(self, clients: list[Client]) -> None:
        """Wait until the clients have sent mails, and take an older copy in between."""
        self._wait_for(clients, 3)
        copy_database(self.path, self.older)
        shutil.copyfile(log_of(self.path), self.older_log)
        self._wait_for(clients, self.luck.choice((5, 20, 60)))
        time.sleep(self.luck.random() * 0.3)

    def _wait_for(self, clients: list[Client], many: int) -> None:
        wanted = many + sum(len(client.taken) for client in clients)
        until = time.monotonic() + SECONDS
        while sum(len(client.taken) for client in clients) < wanted and time.monotonic() < until:
            time.sleep(0.002)

    def _attack(self, judge: Judge) -> list[tuple[str, float]]:
        """Attack the files and return the mail that `judge deliver` accepted afterwards."""
        with suppress(FileNotFoundError):
            self.kind.act(self)
        self.done = time.monotonic()
        if self.kind.kills:
            os.kill(judge.pid, 9)
        if not self.is_followed_by_deliver:
            return []
        body = b"From: p@x.org\r\n" + MARK + b"delivered\r\n\r\nLIST\r\n"
        done = self.command("deliver", given=body)
        if done.returncode not in (0, 75):
            self.failed.append(f"deliver ended with {done.returncode}: {done.stderr}")
        return [("delivered", 0.0)] if done.returncode == 0 else []

    def _await_end(self, judge: Judge) -> None:
        try:
            code = judge.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.failed.append(f"{judge.args} did not notice")
            return
        self.noticed_after = max(self.noticed_after, time.monotonic() - self.done)
        if code not in ((-9, LOST) if self.kind.kills else (LOST,)):
            self.failed.append(f"{judge.args} ended with {code}")

    def _judge_acknowledged(self, taken: list[tuple[str, float]]) -> None:
        """Check what was acknowledged, and when."""
        late = [name for name, began in taken if began > self.done]
        if late and not self.kind.kills:
            self.failed.append(f"{len(late)} mails were acknowledged afterwards: {late[:3]}")
        if self.kind.spoils and any(".lost" in one.name for one in rescue_copies(self.path)):
            self.failed.append("what can be read of spoilt files is taken for whole")
        kept = self._read_mails()
        missing = [name for name, _ in taken if name.encode() not in kept]
        self.taken, self.lost = len(taken), len(missing)
        if missing and not (self.kind.spoils or self.kind.kills):
            self.failed.append(f"{len(missing)} of {len(taken)} are nowhere: {missing[:3]}")

    def _read_mails(self) -> set[bytes]:
        """Return the names of the mails in all files and rescue copies."""
        found: set[bytes] = set()
        places = [self.path, self.spare / NAME, self.spare / "folder" / NAME]
        places += rescue_copies(self.path) + rescue_copies(Path(tempfile.gettempdir(), NAME))
        for number, place in enumerate(places):
            if not place.exists():
                continue
            # A copy is read, since reading a database changes files next to it.
            scratch = self.spare / f"scratch-{number}"
            scratch.mkdir()
            for file in (place, log_of(place)):
                if file.exists():
                    shutil.copyfile(file, scratch / file.name)
            try:
                with closing(sqlite3.connect(scratch / place.name)) as opened:
                    raws = opened.execute("SELECT raw FROM mails").fetchall()
            except sqlite3.DatabaseError as fault:
                if place.name.startswith(f"{NAME}.lost"):
                    self.failed.append(f"{place.name}: {fault}")
                continue
            names = {raw.partition(MARK)[2].partition(b"\r")[0] for (raw,) in raws}
            found |= names
        return found

    def _judge_log(self) -> None:
        """Check that exactly one line of the log reports the loss."""
        text = self.log.read_text()
        lines = [line for line in text.splitlines() if "CRITICAL" in line or "critical" in line]
        if "Traceback" in text or (len(lines) != 1 and not self.kind.kills):
            self.failed.append(f"{len(lines)} critical lines in the log:\n{text[-2000:]}")

    def _judge_start(self) -> None:
        """Check that no judge starts before `judge restore`, and one does after it."""
        if self.path.parent.exists():
            try:
                check_start(self.path)
            except StoreRefused:
                pass
            else:
                self.failed.append("the next start is not refused")
        if self.luck.random() > 0.15:
            return
        if (done := self.command("serve")).returncode != LOST:
            self.failed.append(f"serve ended with {done.returncode}: {done.stderr}")
        if "judge restore" not in (done := self.command("check")).stderr:
            self.failed.append(f"check says nothing of it: {done.stderr}")
        copies = [copy for copy in rescue_copies(self.path) if ".lost" in copy.name]
        source = copies[0] if copies else self.older
        if not source.exists():
            return
        if (done := self.command("restore", str(source))).returncode != 0:
            self.failed.append(f"restore: {done.stderr}")
            return
        if (done := self.command("work")).returncode != 0:
            self.failed.append(f"after restore: {done.stderr}")
        with closing(sqlite3.connect(self.path)) as opened:
            if (told := opened.execute("PRAGMA integrity_check").fetchone()) != ("ok",):
                self.failed.append(f"the restored database: {told}")


def run(rounds: int = 400, seed: int = 1) -> list[str]:
    """Run rounds of all kinds in turn and return what failed."""
    failed: list[str] = []
    taken, lost, many = Counter[str](), Counter[str](), Counter[str]()
    slowest = Counter[str]()
    for number in range(rounds):
        kind = KINDS[number % len(KINDS)]
        folder = Path(tempfile.mkdtemp(prefix="attack-"))
        one = Round(folder, kind, random.Random(f"{seed} {number}"))
        try:
            one.run()
        except Exception as fault:
            one.failed.append(f"{type(fault).__name__}: {fault}")
        failed += [f"round {number}, {kind.name}: {line}" for line in one.failed]
        if one.failed:
            print("\n".join(failed[-len(one.failed):]), flush=True)
        else:
            shutil.rmtree(folder, ignore_errors=True)
        many[kind.name] += 1
        taken[kind.name] += one.taken
        lost[kind.name] += one.lost
        slowest[kind.name] = max(slowest[kind.name], round(one.noticed_after * 1000))
        if (number + 1) % 20 == 0:
            print(f"{number + 1} of {rounds} rounds, {len(failed)} failed", flush=True)
    print("attack, rounds, acknowledged, in no file or copy, end after (ms, at most)")
    for name in many:
        print(f"{name}, {many[name]}, {taken[name]}, {lost[name]}, {slowest[name]}")
    return failed
