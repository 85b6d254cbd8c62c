"""The judge as a process: start, stop, restart, and commands next to it."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest

from judge.clock import SystemClock
from judge.config import Config, DeliverSection, StoreSection
from judge.daemon.application import Application, open_application
from judge.daemon.service import Service
from judge.demo.judge_process import JudgeProcess, Mailroom, text_of
from judge.errors import ConfigError, JudgeError, StoreLost, StoreTrouble
from judge.store.database import Store
from judge.store.key_values import HEARTBEAT, KeyValues
from judge.store.mail_queues import Post
from tests.judges import run
from tests.outbox import counts


@pytest.fixture
def household(tmp_path: Path) -> Iterator[JudgeProcess]:
    """A running judge."""
    with JudgeProcess(tmp_path) as made:
        yield made


def judge(household: JudgeProcess, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the judge next to the running one, on the same database."""
    return run(words, household.folder, os.environ | household.settings() | environ)


@pytest.mark.slow
def test_second_judge_reports_the_first_in_one_line(household: JudgeProcess) -> None:
    done = judge(household, "serve")
    assert done.returncode == 1
    assert "already runs" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.slow
def test_second_judge_is_refused_at_any_path_to_the_database(
    household: JudgeProcess, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/link.sqlite3").symlink_to(tmp_path / "judge.sqlite3")
    (tmp_path / "folder").symlink_to(tmp_path)
    for other in ("elsewhere/link.sqlite3", "folder/judge.sqlite3", "elsewhere/../judge.sqlite3"):
        done = judge(household, "serve", JUDGE_STORE_URL=f"sqlite:///{tmp_path / other}")
        assert done.returncode == 1 and "already runs" in done.stderr
    assert not (tmp_path / "elsewhere/link.lock").exists()


@pytest.mark.slow
def test_unknown_environment_variable_is_reported(tmp_path: Path) -> None:
    done = judge(JudgeProcess(tmp_path), "work", JUDGE_POLICY_MAX_MESAGE="1MiB")
    assert "JUDGE_POLICY_MAX_MESAGE is no key" in done.stderr


@pytest.mark.slow
def test_occupied_port_is_reported_in_one_line_with_advice(
    household: JudgeProcess, tmp_path: Path
) -> None:
    elsewhere = f"sqlite:///{tmp_path / 'other/judge.sqlite3'}"
    done = judge(household, "serve", JUDGE_LISTEN_SMTP=household.place, JUDGE_STORE_URL=elsewhere)
    assert done.returncode == 1
    assert household.place in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["work", "resolve", "send", "backup"])
@pytest.mark.slow
def test_without_a_database_the_missing_path_is_named(command: str, tmp_path: Path) -> None:
    words = [command, "copy"] if command == "backup" else [command]
    done = judge(JudgeProcess(tmp_path), *words)
    assert done.returncode == 1
    assert str(tmp_path / "judge.sqlite3") in done.stderr
    assert not (tmp_path / "judge.sqlite3").exists()


@pytest.mark.slow
def test_sigterm_ends_the_judge_with_a_reply_to_idle_sessions(household: JudgeProcess) -> None:
    host, _, port = household.place.partition(":")
    with socket.create_connection((host, int(port)), timeout=120) as session:
        assert session.recv(100).startswith(b"220")
        assert household.process is not None
        household.process.send_signal(signal.SIGTERM)
        assert session.recv(100).startswith(b"421")
        assert household.process.wait(120) == 0


@pytest.mark.slow
def test_mail_accepted_before_a_crash_is_processed_after_it(tmp_path: Path) -> None:
    with JudgeProcess(tmp_path) as first:
        assert first.process is not None
        room = Mailroom(first.place, first.outbox, SystemClock())
        # The mail may be processed either before the kill or after it.
        message_id = room.send("ann@example.org", "judge@localhost", "", "CREATE ?marco gmsecret\n")
        first.process.kill()
        first.process.wait()
    with JudgeProcess(tmp_path) as second:
        room = Mailroom(second.place, second.outbox, SystemClock())
        answer = room.next_letter(
            "ann@example.org", lambda x: x["In-Reply-To"] == message_id, patience=120
        )
        assert answer is not None and "marco" in text_of(answer)


@pytest.mark.slow
def test_separate_commands_do_the_work_of_serve(tmp_path: Path) -> None:
    household = JudgeProcess(tmp_path)
    raw = b"From: ann@example.org\r\nMessage-ID: <1@x>\r\n\r\nCREATE ?marco gmsecret\r\nSTART\r\n"
    for words in (["deliver", "--from", "ann@example.org"], ["work"], ["resolve"], ["send"]):
        given = raw if words[0] == "deliver" else b""
        done = run(words, tmp_path, os.environ | household.settings(), given)
        assert done.returncode == 0, done.stderr
    shown = judge(household, "inbox", "ann@example.org", "-n", "5").stdout
    assert "marco - S1901M game starts" in shown and "Re: marco" in shown
    assert "[attached: marco-S1901M.png," in shown
    store = Store(f"sqlite:///{tmp_path / 'judge.sqlite3'}")
    store.open(create=False)
    assert counts(Post(store))[:2] == (0, 1)
    assert KeyValues(store).instant(HEARTBEAT) is None, "a pass for cron is no sign of life"
    store.close()
    far = judge(household, "resolve", "--now", "2040-01-01T00:00")
    assert far.returncode == 0, far.stderr


@pytest.mark.slow
def test_a_stranger_to_the_judge_is_not_delivered_to(tmp_path: Path) -> None:
    done = judge(JudgeProcess(tmp_path), "deliver", "--to", "somebody@example.org")
    assert done.returncode == 67 and "somebody@example.org" in done.stderr


@pytest.mark.slow
def test_running_judge_stores_a_heartbeat(household: JudgeProcess) -> None:
    store = Store(f"sqlite:///{household.folder / 'judge.sqlite3'}")
    store.open(create=False)
    beat = None
    until = time.monotonic() + 120
    while beat is None and time.monotonic() < until:
        beat = KeyValues(store).instant(HEARTBEAT)
        time.sleep(0.02)
    store.close()
    assert beat is not None and abs((datetime.now(UTC) - beat).total_seconds()) < 300


@pytest.mark.parametrize(
    "word, does", [("serve", (True, True)), ("work", (True, False)), ("resolve", (False, True))]
)
def test_command_selects_the_parts_that_run(
    tmp_path: Path, word: str, does: tuple[bool, bool]
) -> None:
    config = Config(store=StoreSection(f"sqlite:///{tmp_path}/{word}.sqlite3"))
    open_application(config, SystemClock(), create=True).store.close()
    service = Service(config, SystemClock(), Mock())
    worked = Mock()
    service.work_loop = worked  # type: ignore[method-assign]
    service.run_worker(word)
    [call] = worked.call_args_list
    assert (call.kwargs["works"], call.kwargs["resolves"]) == does


@pytest.mark.slow
def test_listener_keeps_a_heartbeat_and_checks_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(store=StoreSection(f"sqlite:///{tmp_path}/listen.sqlite3"))
    open_application(config, SystemClock(), create=True).store.close()
    service, did = Service(config, SystemClock(), Mock()), list[str]()

    class Both:
        """Stub for both loops that records calls and fails at first."""

        def __init__(self, application: Application) -> None:
            self.store = application.store

        def check_clock(self) -> None:
            """Record a clock check, which fails twice."""
            did.append("clock")
            if len(did) < 3:
                raise StoreTrouble("busy")

        def record_awake(self, now: datetime) -> None:
            """Record a heartbeat and stop the service."""
            did.append("heartbeat")
            service.stopping.set()

    monkeypatch.setattr("judge.daemon.service.ClockSteps", Both)
    monkeypatch.setattr("judge.daemon.service.ResolverLoop", Both)
    monkeypatch.setattr("judge.daemon.service.HEARTBEAT_INTERVAL", timedelta())
    service.heartbeat_loop()
    assert did == ["clock", "clock", "clock", "heartbeat"], "trouble is waited for"


def test_a_judge_that_ends_at_once_was_alive_too(tmp_path: Path) -> None:
    """The listener may accept a mail and end before this thread starts."""
    config = Config(store=StoreSection(f"sqlite:///{tmp_path}/listen.sqlite3"))
    application = open_application(config, SystemClock(), create=True)
    service = Service(config, SystemClock(), Mock())
    service.stopping.set()
    service._pulse_bell.wake()
    service.heartbeat_loop()
    assert application.key_values.instant(HEARTBEAT) is not None
    application.store.close()


@pytest.mark.slow
def test_serve_notices_commits_of_other_commands(tmp_path: Path) -> None:
    with JudgeProcess(tmp_path, maps="off") as household:
        store = Store(f"sqlite:///{household.folder / 'judge.sqlite3'}")
        # Until then serve may look by itself.
        time.sleep(1.5)
        environ = os.environ | household.settings()
        assert run(["deliver"], tmp_path, environ, b"From: a@x.org\n\nHELP\n").returncode == 0
        until = time.monotonic() + Config().clock.tick.total_seconds() / 2
        while store.select_sql("SELECT COUNT(*) FROM mails WHERE state = 'new'", ()) != [(0,)]:
            assert time.monotonic() < until
            time.sleep(0.05)
        store.close()


@pytest.mark.slow
def test_single_commands_leave_the_work_to_serve(household: JudgeProcess) -> None:
    for word in ("work", "resolve", "send", "paint"):
        done = judge(household, word)
        assert done.returncode == 0 and done.stdout.count("\n") == 1, done.stderr
        assert "`judge serve` runs on this database" in done.stdout and word in done.stdout


@pytest.mark.parametrize("word", ["work", "resolve", "send", "paint"])
def test_loops_on_sqlite_are_refused(tmp_path: Path, word: str) -> None:
    config = Config(store=StoreSection(f"sqlite:///{tmp_path}/x.sqlite3"))
    open_application(config, SystemClock(), create=True).store.close()
    with pytest.raises(JudgeError, match="PostgreSQL.*`judge serve`"):
        Service(config, SystemClock(), Mock()).run(word)


@pytest.mark.parametrize("word", ["serve", "listen", "work", "resolve", "send", "paint"])
def test_invalid_delivery_url_is_reported_before_the_start(tmp_path: Path, word: str) -> None:
    config = Config(
        store=StoreSection(f"sqlite:///{tmp_path}/{word}.sqlite3"),
        deliver=DeliverSection("smtp://127.0.0.1:25?tls=perhaps"),
    )
    open_application(config, SystemClock(), create=True).store.close()
    service = Service(config, SystemClock(), Mock())
    service._serve = Mock(side_effect=AssertionError)  # type: ignore[method-assign]
    with pytest.raises(ConfigError, match="perhaps"):
        service.run(word)


def test_a_lost_database_ends_the_judge_and_is_logged_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(Config(), SystemClock(), Mock())
    stopped: list[bool] = []
    service.stop_listener = lambda: stopped.append(service.stopping.is_set())
    for name in ("first", "second"):
        service.run_guarded(Mock(side_effect=StoreLost(name)))
    assert stopped == [True] and service.fault is None
    assert [(one.levelname, one.message) for one in caplog.records] == [("CRITICAL", "first")]
    service._serve = AsyncMock()  # type: ignore[method-assign]
    service._shares = True
    monkeypatch.setattr("judge.daemon.service.open_application", Mock())
    with pytest.raises(StoreLost, match="first"):
        service.run("work")
