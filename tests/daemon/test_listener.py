"""The listener of a running judge: full disk, load, shutdown and LMTP."""

import asyncio
import os
import re
import resource
import signal
import smtplib
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from judge.clock import FixedClock
from judge.config import Config, ListenSection, PolicySection, StoreSection
from judge.daemon import listener
from judge.daemon.listener import GRACE_SECONDS, Listener
from judge.daemon.single_runs import MessageRejected, UnknownRecipient, deliver_one
from judge.demo.judge_process import JudgeProcess
from judge.errors import ConfigError
from judge.mail.smtp.server import start_server
from tests.journeys.rig import START
from tests.judges import run
from tests.mail.doorway import TEXT

JUDGE = "judge@localhost"


class Listening(JudgeProcess):
    """Judge that only listens, by SMTP and by LMTP."""

    def __init__(self, folder: Path, maps: str = "png") -> None:
        super().__init__(folder, maps, ("listen",))

    def __enter__(self) -> "Listening":
        """Start the judge."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")}
        with (self.folder / "log").open("w") as log:
            self.process = self.begun(clean | self.settings(), log)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        self.place, self.local = said.partition(";")[0].split(" mail at ")[1].split(" and lmtp ")
        self.port = int(self.place.rpartition(":")[2])
        return self

    def settings(self) -> dict[str, str]:
        """Return the configuration."""
        return super().settings() | {"JUDGE_LISTEN_LMTP": f"unix:{self.folder / 'lmtp'}"}

    def client(self) -> smtplib.SMTP:
        """Return a new session."""
        return smtplib.SMTP("127.0.0.1", self.port, local_hostname="x", timeout=120)

    def read_mails(self) -> set[bytes]:
        """Return the stored messages."""
        with sqlite3.connect(self.folder / "judge.sqlite3") as database:
            found = {raw for (raw,) in database.execute("SELECT raw FROM mails")}
        database.close()
        return found


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Listening]:
    with Listening(tmp_path) as listening:
        yield listening


@pytest.mark.slow
def test_full_disk_is_451_until_there_is_space_again(judge: Listening) -> None:
    assert judge.process is not None
    pid, unlimited = judge.process.pid, resource.RLIM_INFINITY
    with judge.client() as client:
        client.sendmail("a@x", [JUDGE], b"first")
        log = judge.folder / "judge.sqlite3-wal"
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (log.stat().st_size, unlimited))
        for _ in range(2):
            with pytest.raises(smtplib.SMTPDataError) as refused:
                client.sendmail("a@x", [JUDGE], b"x" * 100_000)
            code, reply = refused.value.args
            assert (code, reply[:6]) == (451, b"4.3.0 ")
            assert b"judge.sqlite3" not in reply and b"disk" not in reply
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))
        client.sendmail("a@x", [JUDGE], b"last")
    assert judge.read_mails() == {b"first\r\n", b"last\r\n"}


class Sender(threading.Thread):
    """Client that sends one letter after another until it is refused."""

    def __init__(self, judge: Listening, name: str) -> None:
        super().__init__()
        self.judge = judge
        self.name = name
        self.taken: list[bytes] = []
        self.last = b""

    def run(self) -> None:
        wire = socket.create_connection(("127.0.0.1", self.judge.port), timeout=120)
        answers = wire.makefile("rb")
        try:
            self.last = answers.readline()
            for number in range(100_000):
                text = f"{self.name} {number}\r\n".encode()
                for line in (
                    b"HELO x\r\n", b"MAIL FROM:<a@x>\r\n", b"RCPT TO:<%b>\r\n" % JUDGE.encode(),
                    b"DATA\r\n", text + b".\r\n",
                ):
                    wire.sendall(line)
                    self.last = answers.readline()
                    if self.last[:1] not in (b"2", b"3"):
                        return
                self.taken.append(text)
        except ConnectionError:
            # The client's command crossed the goodbye, but the judge's last reply must still
            # arrive.
            self.last = answers.readline() or self.last
        finally:
            wire.close()


@pytest.mark.slow
def test_stopping_under_load_cuts_and_loses_nothing(judge: Listening) -> None:
    assert judge.process is not None
    senders = [Sender(judge, f"sender {number}") for number in range(20)]
    for sender in senders:
        sender.start()
    while not all(sender.taken for sender in senders):
        time.sleep(0.01)
    judge.process.send_signal(signal.SIGTERM)
    assert judge.process.wait(120) == 0
    for sender in senders:
        sender.join(120)
        assert sender.last.startswith(b"421 4.3.2 "), sender.last
    taken = {text for sender in senders for text in sender.taken}
    assert taken == judge.read_mails()


def begun(judge: Listening) -> socket.socket:
    """Return a connection on which a letter has begun."""
    wire = socket.create_connection(("127.0.0.1", judge.port), timeout=120)
    wire.sendall(b"HELO x\r\nMAIL FROM:<a@x>\r\nRCPT TO:<judge@localhost>\r\nDATA\r\n")
    while b"354" not in wire.recv(1000):
        pass
    return wire


@pytest.mark.slow
def test_shutdown_waits_for_unfinished_letters_but_not_forever(judge: Listening) -> None:
    assert judge.process is not None
    with begun(judge) as slow, begun(judge) as still:
        judge.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        slow.sendall(TEXT + b".\r\n")
        assert slow.recv(1000).startswith(b"250 2.0.0 stored as 1\r\n")
        assert judge.process.poll() is None
        assert still.makefile("rb").read().startswith(b"421 4.3.2 ")
        assert judge.process.wait(120) == 0
    assert judge.read_mails() == {TEXT}
    assert not (judge.folder / "lmtp").exists()


@pytest.mark.slow
def test_a_second_signal_hurries(judge: Listening) -> None:
    assert judge.process is not None
    with begun(judge) as still:
        started = time.monotonic()
        judge.process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        judge.process.send_signal(signal.SIGTERM)
        assert still.makefile("rb").read().startswith(b"421 4.3.2 ")
        # After one signal alone the wait would have been longer on any machine.
        assert time.monotonic() - started < GRACE_SECONDS
        assert judge.process.wait(120) == 0


@pytest.mark.slow
def test_locked_database_does_not_block_shutdown(
    judge: Listening,
) -> None:
    assert judge.process is not None
    locker = sqlite3.connect(judge.folder / "judge.sqlite3", isolation_level=None)
    with begun(judge) as wire:
        locker.execute("BEGIN IMMEDIATE")
        wire.sendall(TEXT + b".\r\n")
        judge.process.send_signal(signal.SIGTERM)
        assert wire.makefile("rb").read().startswith(b"421 4.3.2 ")
        assert judge.process.wait(120) == 0
    locker.close()


@pytest.mark.slow
def test_mail_comes_in_by_lmtp_over_a_socket_file(judge: Listening) -> None:
    path = Path(judge.local.removeprefix("unix:"))
    assert path.stat().st_mode & 0o777 == 0o666, "the mail server is somebody else"
    with smtplib.LMTP(str(path), 0) as client:
        client.ehlo_or_helo_if_needed()
        client.mail("a@x")
        for address in (JUDGE, "judge+x@localhost", "no@localhost"):
            client.rcpt(address)
        client.putcmd("data")
        assert client.getreply()[0] == 354
        client.send(TEXT + b".\r\n")
        assert [client.getreply() for _ in range(2)] == [(250, b"2.0.0 stored as 1")] * 2
    assert judge.read_mails() == {TEXT}


PIPED = b"From ann@example.org Mon Jan  5 20:00:00 2026\nSubject: x\n\nA Par H\n"


@pytest.mark.parametrize("to, raw, code", [
    (JUDGE, PIPED, 0),
    ("nobody@localhost", PIPED, 67),
    (JUDGE, b"x" * 10_001, 65),
    (JUDGE, b"Received: by x\n" * 101 + b"\nx\n", 65),
])
@pytest.mark.slow
def test_deliver_reports_to_mail_servers_by_exit_code(
    tmp_path: Path, to: str, raw: bytes, code: int
) -> None:
    assert deliver(tmp_path, to, raw, JUDGE_POLICY_MAX_MESSAGE="10kB") == code
    if code == 0:
        with sqlite3.connect(tmp_path / "judge.sqlite3") as database:
            found = database.execute("SELECT sender, raw, peer FROM mails").fetchall()
        database.close()
        assert found == [("ann@example.org", PIPED.partition(b"\n")[2], "local pipe stdin")]


def deliver(folder: Path, to: str, raw: bytes, **environ: str) -> int:
    """Run `judge deliver` and return its exit code."""
    settings = os.environ | JudgeProcess(folder).settings() | environ
    return run(["deliver", "--to", to], folder, settings, raw).returncode


@pytest.mark.parametrize("environ", [
    {"JUDGE_STORE_URL": "sqlite:////proc/judge.sqlite3"},
    {"JUDGE_POLICY_MAX_MESSAGE": "much"},
])
@pytest.mark.slow
def test_internal_error_makes_the_mail_server_retry(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    assert deliver(tmp_path, JUDGE, PIPED, **environ) == 75


@pytest.mark.slow
def test_unusable_certificate_is_reported_in_one_line(tmp_path: Path) -> None:
    environ = os.environ | JudgeProcess(tmp_path).settings() | {"JUDGE_LISTEN_TLS_CERT": "no.pem"}
    done = run(["serve"], tmp_path, environ)
    assert done.returncode == 1 and "tls_cert" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(("raw", "is_taken"), [
    (b"x" * 10_000, True), (b"x" * 10_001, False),
    (b"Received: by x\n" * 100 + b"\nx\n", True), (b"Received: by x\n" * 101 + b"\nx\n", False),
])
def test_piped_mail_has_limits_of_size_and_hops(tmp_path: Path, raw: bytes, is_taken: bool) -> None:
    config = Config(
        store=StoreSection(f"sqlite:///{tmp_path}/judge.sqlite3"),
        policy=replace(PolicySection(), max_message=10_000),
    )
    clock = FixedClock(START)
    with nullcontext() if is_taken else pytest.raises(MessageRejected):
        assert deliver_one(config, clock, raw, "ann@example.org", (JUDGE,)) == 1
    with pytest.raises(UnknownRecipient, match="eve@x.org"):
        deliver_one(config, clock, raw, "ann@example.org", (JUDGE, "eve@x.org"))


@pytest.mark.parametrize("lmtp", ["unix:/proc/none/lmtp", "127.0.0.1:70000", "no place"])
def test_unusable_lmtp_address_closes_the_smtp_server_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lmtp: str
) -> None:
    servers: list[asyncio.Server] = []

    async def open_noted(*place: Any, **how: Any) -> asyncio.Server:
        servers.append(await start_server(*place, **how))
        return servers[-1]

    async def open_listener() -> None:
        path = f"unix:{tmp_path}/smtp"
        config = Config(
            listen=ListenSection(smtp=path, lmtp=lmtp),
            store=StoreSection(f"sqlite:///{tmp_path}/judge.sqlite3"),
        )
        listening = Listener(config, FixedClock(START), lambda: None, lambda fault: None)
        with pytest.raises(ConfigError, match=re.escape(lmtp)):
            await listening.open()
        assert [server.is_serving() for server in servers] == [False]
        assert not (tmp_path / "smtp").exists()

    monkeypatch.setattr(listener, "start_server", open_noted)
    asyncio.run(open_listener())


def test_listener_without_addresses_is_refused(tmp_path: Path) -> None:
    async def open_listener() -> None:
        config = Config(listen=ListenSection(smtp="", lmtp=""))
        with pytest.raises(ConfigError, match="names no place"):
            await Listener(config, FixedClock(START), Mock(), Mock()).open()

    asyncio.run(open_listener())
