"""Database lost under a running judge: no false 250, a rescue copy, and exit."""

import os
import shutil
import smtplib
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from judge.demo.judge_process import JudgeProcess
from judge.store.sqlite_files import files_of, log_of, rescue_copies
from tests.daemon.test_listener import JUDGE, PIPED, Listening, deliver
from tests.judges import Judge, run

pytestmark = pytest.mark.once
PATIENCE = 120.0
NAME = "judge.sqlite3"
LOST = 3


def until(is_so: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def send(judge: JudgeProcess, text: bytes) -> int:
    """Send a mail and return the SMTP code, or 0 if the judge does not answer."""
    host, _, port = judge.place.partition(":")
    try:
        with smtplib.SMTP(host, int(port), local_hostname="x", timeout=PATIENCE) as client:
            client.sendmail("a@x.org", [JUDGE], text)
    except smtplib.SMTPDataError as refused:
        return refused.smtp_code
    except OSError:
        return 0
    return 250


def read_mails(file: Path) -> list[bytes]:
    """Return the mails in a database."""
    with closing(sqlite3.connect(file)) as opened:
        return [raw for (raw,) in opened.execute("SELECT raw FROM mails ORDER BY id")]


def run_command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the judge that must end early."""
    return run(words, folder, os.environ | JudgeProcess(folder).settings(), timeout=PATIENCE)


@pytest.mark.parametrize("begun", [JudgeProcess, Listening])
@pytest.mark.parametrize("is_busy", [True, False])
@pytest.mark.slow
def test_a_judge_whose_database_is_gone_keeps_a_copy_and_ends(
    tmp_path: Path, begun: type[JudgeProcess], is_busy: bool
) -> None:
    path = tmp_path / NAME
    with begun(tmp_path, maps="off") as judge:
        assert send(judge, b"first") == 250
        for file in files_of(path):
            file.unlink()
        if is_busy:
            # An idle judge notices the loss within a second, so that either side may be first.
            assert send(judge, b"second") in (451, 421, 0)
        assert judge.process is not None and judge.process.wait(PATIENCE) == LOST
        log = judge.log()
    [copy] = rescue_copies(path)
    assert not path.exists(), "no empty one is made in its place"
    [line] = [line for line in log.splitlines() if "CRITICAL" in line]
    assert f"all it held is copied to {copy}" in line and f"judge restore {copy}" in line
    assert "Traceback" not in log
    assert b"first\r\n" in read_mails(copy) and copy.stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
def test_start_after_a_loss_is_refused_until_a_restore(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with JudgeProcess(tmp_path, maps="off") as judge:
        assert send(judge, b"first") == 250
        assert run_command(tmp_path, "backup", str(tmp_path / "old")).returncode == 0
        assert send(judge, b"second") == 250
        os.replace(tmp_path / "old", path)
        assert judge.process is not None and judge.process.wait(PATIENCE) == LOST
    [copy] = rescue_copies(path)
    for words in (("serve",), ("listen",), ("serve", "--new"), ("work",), ("game", "list"),
                  ("send",), ("backup", str(tmp_path / "never"))):
        done = run_command(tmp_path, *words)
        assert done.returncode == (1 if "--new" in words else LOST), words
        assert done.stderr.count("\n") == 1
        assert "--new" in words or f"judge restore {copy}" in done.stderr, words
    assert deliver(tmp_path, JUDGE, PIPED) == 75
    checked = run_command(tmp_path, "check")
    assert checked.returncode == 1 and f"judge restore {copy}" in checked.stderr
    done = run_command(tmp_path, "restore", str(copy))
    assert done.returncode == 0, done.stderr
    assert "2 mails" in done.stdout and "aside" in done.stdout
    assert {b"first\r\n", b"second\r\n"} == set(read_mails(path))
    with JudgeProcess(tmp_path, maps="off") as judge:
        assert send(judge, b"third") == 250


@pytest.mark.slow
def test_restore_reports_mails_left_in_the_old_files(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with JudgeProcess(tmp_path, maps="off") as judge:
        assert send(judge, b"first") == 250
        assert run_command(tmp_path, "backup", str(tmp_path / "old")).returncode == 0
        assert send(judge, b"second") == 250
        done = run_command(tmp_path, "restore", str(tmp_path / "old"))
        assert done.returncode == 1 and "already runs" in done.stderr
    done = run_command(tmp_path, "restore", str(tmp_path / "old"))
    assert f"{NAME} holds 1 mails that are not in it" in done.stdout
    assert read_mails(path) == [b"first\r\n"]
    [aside] = tmp_path.glob(f"{NAME}.aside-*")
    assert (tmp_path / "old").exists() and read_mails(aside / NAME) == [b"first\r\n", b"second\r\n"]


@pytest.mark.parametrize("content, told", [
    (None, "no database"), (b"", "no database"), (b"Dear Ann" * 100, "not a database"),
])
@pytest.mark.slow
def test_restore_refuses_a_file_that_is_no_database(
    tmp_path: Path, content: bytes | None, told: str
) -> None:
    file = tmp_path / "file"
    if content is not None:
        file.write_bytes(content)
    assert deliver(tmp_path, JUDGE, PIPED) == 0
    before = (tmp_path / NAME).read_bytes()
    done = run_command(tmp_path, "restore", str(file))
    assert done.returncode == 1 and told in done.stderr
    assert (tmp_path / NAME).read_bytes() == before
    other = tmp_path / "other"
    with closing(sqlite3.connect(other)) as opened:
        opened.execute("CREATE TABLE mails (id INTEGER)")
    assert "no database of a judge" in run_command(tmp_path, "restore", str(other)).stderr


@pytest.mark.slow
def test_a_log_of_another_state_is_refused(tmp_path: Path) -> None:
    """A crash left a log, and the operator replaced the database with a backup."""
    path = tmp_path / NAME
    with JudgeProcess(tmp_path, maps="off") as judge:
        assert send(judge, b"first") == 250
        assert run_command(tmp_path, "backup", str(tmp_path / "old")).returncode == 0
        # A commit in between makes the backup older than the log.
        assert send(judge, b"between") == 250
    with JudgeProcess(tmp_path, maps="off") as judge:
        assert send(judge, b"second") == 250
        assert judge.process is not None
        judge.process.kill()
        judge.process.wait()
    os.replace(tmp_path / "old", path)
    done = run_command(tmp_path, "serve")
    assert done.returncode == LOST and f"judge restore {path}" in done.stderr
    assert "newer state" in run_command(tmp_path, "check").stderr
    assert deliver(tmp_path, JUDGE, PIPED) == 75
    assert run_command(tmp_path, "restore", str(path)).returncode == 0
    assert read_mails(path) == [b"first\r\n"]
    [aside] = tmp_path.glob(f"{NAME}.aside-*")
    assert log_of(aside / NAME).exists()


@pytest.mark.slow
def test_missing_database_is_created_with_new_only(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with JudgeProcess(tmp_path):
        pass
    path.unlink()
    done = run_command(tmp_path, "serve")
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert str(path) in done.stderr and "serve --new" in done.stderr
    assert deliver(tmp_path, JUDGE, PIPED) == 75
    assert not path.exists()
    path.touch()
    assert run_command(tmp_path, "listen").returncode == 1
    assert path.stat().st_size == 0, "an empty file is no database either"
    assert "serve --new" in run_command(tmp_path, "check").stderr
    path.unlink()
    log_of(path).write_bytes(b"of before" * 100)
    with JudgeProcess(tmp_path, words=("serve", "--new")):
        assert read_mails(path) == []
    [aside] = tmp_path.glob(f"{NAME}.aside-*")
    assert log_of(aside / NAME).read_bytes() == b"of before" * 100
    with JudgeProcess(tmp_path) as judge:
        assert send(judge, b"x") == 250
    done = run_command(tmp_path, "serve", "--new")
    assert done.returncode == 1 and "there is a database" in done.stderr


@pytest.mark.slow
def test_deliver_refuses_a_missing_database_after_the_first_mail(tmp_path: Path) -> None:
    assert deliver(tmp_path, JUDGE, PIPED) == 0
    (tmp_path / NAME).unlink()
    assert deliver(tmp_path, JUDGE, PIPED) == 75
    assert run_command(tmp_path, "serve").returncode == 1


@pytest.mark.slow
def test_unfinished_first_start_does_not_count_as_a_run(tmp_path: Path) -> None:
    (tmp_path / "judge.lock").write_text("4711 starting\n")
    with JudgeProcess(tmp_path) as judge:
        assert send(judge, b"x") == 250
    shutil.rmtree(judge.outbox, ignore_errors=True)


@pytest.mark.slow
def test_linked_database_is_lost_and_restored_in_place(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    environ = os.environ | JudgeProcess(tmp_path).settings() | {
        "JUDGE_STORE_URL": f"sqlite:///{tmp_path / 'link' / NAME}"
    }
    path = tmp_path / "real" / NAME
    raw = b"From: a@x.org\n\nfirst\n"
    assert run(["deliver"], tmp_path, environ, raw).returncode == 0
    with (tmp_path / "log").open("w") as log:
        judge = Judge(["listen"], tmp_path, environ, log=log, is_read=True)
    assert judge.stdout is not None and judge.stdout.readline()
    # The banner comes before all threads have opened the database.
    time.sleep(1.0)
    path.unlink()
    assert judge.wait(PATIENCE) == LOST
    judge.stdout.close()
    [copy] = rescue_copies(path)
    done = run(["restore", str(tmp_path / "link" / copy.name)], tmp_path, environ)
    assert done.returncode == 0 and (tmp_path / "link").is_symlink()
    assert len(read_mails(path)) == 1 and not rescue_copies(path)
