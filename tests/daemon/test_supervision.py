"""Service manager notifications over a datagram socket, and log trails of mails."""

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.clock import SystemClock
from judge.daemon.watchdog import ServiceNotifier, WakeEvent
from judge.demo.judge_process import JudgeProcess, Mailroom

ANN = "ann@example.org"


class Supervised(JudgeProcess):
    """Judge with additional environment variables and without pictures."""

    def __init__(self, folder: Path, **environ: str) -> None:
        super().__init__(folder, maps="off")
        self.environ = environ

    def settings(self) -> dict[str, str]:
        """Return the usual settings and the additional ones."""
        return super().settings() | self.environ


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """A service manager's socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.bind(str(tmp_path / "notify"))
        wire.settimeout(120)
        yield wire


@pytest.mark.slow
def test_service_manager_is_notified_of_start_life_and_end(
    manager: socket.socket, tmp_path: Path
) -> None:
    with Supervised(
        tmp_path, NOTIFY_SOCKET=str(tmp_path / "notify"), WATCHDOG_USEC="2000000"
    ) as household:
        first = manager.recv(500).decode().split("\n")
        assert first == ["READY=1", f"STATUS=takes mail at {household.place}"]
        assert [manager.recv(500) for _ in range(2)] == [b"WATCHDOG=1"] * 2
        assert household.process is not None
        household.process.terminate()
        while (word := manager.recv(500)) == b"WATCHDOG=1":
            pass
        assert word == b"STOPPING=1"
        assert household.process.wait(120) == 0
    assert household.log() == ""


class FixedTime:
    """Settable replacement of the `time` module."""

    now = 100.0

    def monotonic(self) -> float:
        """Return its seconds."""
        return self.now


def test_a_thread_that_was_woken_is_at_work_from_then_on() -> None:
    bell = WakeEvent("desk")
    assert bell.busy_for() == 0
    bell.wait(0.0)
    time.sleep(0.01)
    assert 0 < bell.busy_for() < 60


def test_a_thread_that_hangs_is_no_sign_of_life(
    manager: socket.socket, tmp_path: Path, caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = FixedTime()
    monkeypatch.setattr("judge.daemon.watchdog.time", clock)
    supervisor = ServiceNotifier(
        {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "50000"}
    )
    asleep, busy = WakeEvent("desk"), WakeEvent("sender")
    thread = threading.Thread(target=asleep.wait, args=(30,))
    asleep.mark_busy()
    thread.start()
    busy.mark_busy()
    clock.now += 0.1
    while asleep.busy_for():
        time.sleep(0.001)
    supervisor.notify_watchdog([asleep])
    assert manager.recv(100) == b"WATCHDOG=1", "sleeping is no hanging"
    supervisor.notify_watchdog([asleep, busy])
    assert "nothing moves at the sender" in caplog.text
    busy.mark_busy()
    supervisor.notify_watchdog([asleep, busy])
    assert manager.recv(100) == b"WATCHDOG=1"
    asleep.wake()
    thread.join()


def test_abstract_socket_is_notified_and_a_missing_one_ignored(
    caplog: pytest.LogCaptureFixture,
) -> None:
    name = f"judge-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.bind(f"\0{name}")
        ServiceNotifier({"NOTIFY_SOCKET": f"@{name}"}).notify("READY=1")
        assert wire.recv(100) == b"READY=1"
    ServiceNotifier({"NOTIFY_SOCKET": f"@{name}"}).notify("READY=1")
    assert "cannot be told" in caplog.text


def test_watchdog_is_off_without_a_manager_of_this_process() -> None:
    assert ServiceNotifier({}).patience == 0
    assert ServiceNotifier({"WATCHDOG_USEC": "5000000", "WATCHDOG_PID": "1"}).patience == 0
    assert ServiceNotifier({"WATCHDOG_USEC": "5000000"}).patience == 5


@pytest.mark.slow
def test_log_follows_a_mail_by_number_from_250_to_letters(
    tmp_path: Path,
) -> None:
    with Supervised(tmp_path, JUDGE_LOG_LEVEL="info", JUDGE_LOG_STYLE="json") as household:
        room = Mailroom(household.place, household.outbox, SystemClock())
        asked = room.send(ANN, "judge@localhost", "", "CREATE ?marco gmsecret standard\n")
        letter = room.next_letter(ANN, lambda x: x["In-Reply-To"] == asked, patience=120)
        assert letter is not None
        room.send(ANN, str(letter["Reply-To"]), "", "STATUS\n")
        assert room.next_letter(ANN, lambda x: True, patience=120) is not None
        token = str(letter["Reply-To"]).partition("+")[2].partition("@")[0]
    log = (tmp_path / "log").read_text()
    steps = [json.loads(line) for line in log.splitlines()]
    for number in (1, 2):
        trail = [one for one in steps if one.get("mail") == number]
        assert [one["event"] for one in trail] == ["accepted", "worked", "sent"]
        accepted, worked, sent = trail
        assert accepted["sender"] == ANN and accepted["octets"] > 20
        assert worked["state"] == "done" and worked["letters"] == str(sent["letter"])
        assert sent["to"] == ANN and sent["kind"] == "receipt" and float(sent["after"]) >= 0
    assert token and token not in log and "gmsecret" not in log
