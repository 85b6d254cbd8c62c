"""A database taken away from a running judge: no 250 is said for what goes nowhere."""

import os
import shutil
import smtplib
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from judge.clock import SystemClock
from judge.config import Config, DeliverSection
from judge.daemon.supervision import DatabaseLoss
from judge.demo.mailroom import Household, Mailroom
from judge.errors import StoreLost
from judge.mail.outbound.sender import newest
from tests.daemon.test_listener import JUDGE, PIPED, Listening, deliver
from tests.forks import Forked, run
from tests.guarded import guard
from tests.journeys.rig import START

KEEPER = "postmaster@localhost"
PATIENCE = 120.0


def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that has to come."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def send(judge: Household, text: bytes) -> int:
    """Send a mail; return the code that was said to it."""
    host, _, port = judge.place.partition(":")
    with smtplib.SMTP(host, int(port), local_hostname="x", timeout=PATIENCE) as client:
        try:
            client.sendmail("a@x.org", [JUDGE], text)
        except smtplib.SMTPDataError as refused:
            return refused.smtp_code
    return 250


def kept(file: Path) -> list[bytes]:
    """Return the mails that a database holds."""
    with closing(sqlite3.connect(file)) as opened:
        return [raw for (raw,) in opened.execute("SELECT raw FROM mails ORDER BY id")]


def take_away(folder: Path, *names: str) -> None:
    """Move files out of a judge's folder, as an accident does."""
    (folder / "gone").mkdir(exist_ok=True)
    for name in names:
        (folder / name).rename(folder / "gone" / name)


FILES = "judge.sqlite3", "judge.sqlite3-wal", "judge.sqlite3-shm"


@pytest.mark.parametrize("started", [Forked, Listening])
def test_with_its_database_gone_it_takes_no_mail_until_one_is_there(
    tmp_path: Path, started: type[Household]
) -> None:
    with started(tmp_path, maps="off") as judge:
        assert send(judge, b"first") == 250
        copy = tmp_path / "copy.sqlite3"
        with closing(sqlite3.connect(tmp_path / FILES[0])) as source, \
                closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        take_away(tmp_path, *FILES)
        assert send(judge, b"second") == 451
        until(lambda: bool(newest(judge.outbox, KEEPER, 5)))
        assert send(judge, b"third") == 451
        assert not (tmp_path / FILES[0]).exists(), "no empty one is made in its place"
        [told] = newest(judge.outbox, KEEPER, 5)
        assert str(tmp_path / FILES[0]).encode() in told
        copy.rename(tmp_path / FILES[0])
        until(lambda: send(judge, b"fourth") == 250)
        assert b"second" not in b"".join(kept(tmp_path / FILES[0]))
    assert kept(tmp_path / FILES[0])[0] == b"first\r\n"
    assert kept(tmp_path / FILES[0])[-1] == b"fourth\r\n"
    [rescued] = tmp_path.glob("judge.sqlite3.lost*")
    assert kept(rescued)[0] == b"first\r\n", "what it held is not lost with its name"
    assert rescued.stat().st_mode & 0o777 == 0o600


def test_with_its_log_gone_nothing_it_said_yes_to_is_lost_by_a_kill(tmp_path: Path) -> None:
    """The write-ahead log is a part of the database: what is in it may be nowhere else."""
    with Forked(tmp_path, maps="off") as judge:
        taken = [text for n in range(4) if send(judge, text := b"before %d" % n) == 250]
        assert len(taken) == 4
        for name in FILES[1:]:
            (tmp_path / name).unlink()
        codes = [send(judge, b"after %d" % n) for n in range(4)]
        # The first is refused, unless another part of the judge has seen it before.
        assert {*codes} <= {250, 451}
        until(lambda: send(judge, b"at last") == 250)
        assert judge.process is not None
        judge.process.kill()
        judge.process.wait()
    found = kept(tmp_path / FILES[0])
    wanted = taken + [b"after %d" % n for n, code in enumerate(codes) if code == 250]
    assert {text + b"\r\n" for text in [*wanted, b"at last"]} <= set(found)
    with closing(sqlite3.connect(tmp_path / FILES[0])) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_another_file_in_its_place_is_gone_on_with_once_all_have_left_the_old_one(
    tmp_path: Path,
) -> None:
    with Forked(tmp_path, maps="off") as judge:
        room = Mailroom(judge.place, judge.outbox, SystemClock())
        room.send("gm@example.org", JUDGE, "", "CREATE ?marco gmsecret standard\n")
        assert room.next_letter("gm@example.org", lambda letter: True, patience=PATIENCE)
        with closing(sqlite3.connect(tmp_path / FILES[0])) as source, \
                closing(sqlite3.connect(tmp_path / "copy")) as target:
            source.backup(target)
        room.send("gm@example.org", JUDGE, "", "SIGNON Mmarco gmsecret\nSTART\n")
        assert room.next_letter("gm@example.org", lambda letter: True, patience=PATIENCE)
        (tmp_path / "copy").replace(tmp_path / FILES[0])
        until(lambda: send(judge, b"new") == 250)
        until(lambda: bool(newest(judge.outbox, KEEPER, 5)))
        for file in (judge.outbox / "new").iterdir():
            file.unlink()
        number = room.send("gm@example.org", JUDGE, "", "SIGNON Mmarco gmsecret\nSTART\n")
        answer = room.next_letter(
            "gm@example.org", lambda letter: letter["In-Reply-To"] == number, patience=PATIENCE
        )
        assert answer is not None
    with closing(sqlite3.connect(tmp_path / FILES[0])) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert opened.execute("SELECT state FROM games").fetchall() == [("running",)]


def started(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the judge that must not come far."""
    return run(words, folder, os.environ | Household(folder).settings(), timeout=PATIENCE)


def test_where_a_judge_ran_no_empty_database_is_made_unless_asked_for(tmp_path: Path) -> None:
    with Forked(tmp_path):
        pass
    (tmp_path / FILES[0]).unlink()
    done = started(tmp_path, "serve")
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert str(tmp_path / FILES[0]) in done.stderr and "serve --new" in done.stderr
    assert deliver(tmp_path, JUDGE, PIPED) == 75
    assert not (tmp_path / FILES[0]).exists()
    (tmp_path / FILES[0]).touch()
    assert started(tmp_path, "listen").returncode == 1
    assert (tmp_path / FILES[0]).stat().st_size == 0, "an empty file is no database either"
    assert "serve --new" in started(tmp_path, "check").stderr
    (tmp_path / FILES[0]).unlink()
    with Forked(tmp_path, words=("serve", "--new")):
        assert kept(tmp_path / FILES[0]) == []
    with Forked(tmp_path) as judge:
        assert send(judge, b"x") == 250
    done = started(tmp_path, "serve", "--new")
    assert done.returncode == 1 and "there is a database" in done.stderr


def test_deliver_remembers_that_there_was_a_database(tmp_path: Path) -> None:
    assert deliver(tmp_path, JUDGE, PIPED) == 0
    (tmp_path / FILES[0]).unlink()
    assert deliver(tmp_path, JUDGE, PIPED) == 75
    assert started(tmp_path, "serve").returncode == 1


def test_a_first_start_that_was_cut_short_is_no_judge_that_ran(tmp_path: Path) -> None:
    (tmp_path / "judge.lock").write_text("4711 starting\n")
    with Forked(tmp_path) as judge:
        assert send(judge, b"x") == 250
    shutil.rmtree(judge.outbox, ignore_errors=True)


def test_the_first_who_sees_a_loss_has_it_told_and_all_others_wakened_once(tmp_path: Path) -> None:
    woken: list[bool] = []
    over = threading.Event()
    over.set()
    config = replace(Config(), deliver=DeliverSection(f"maildir:{tmp_path / 'out'}"))
    losses = guard(DatabaseLoss(config, lambda: START, lambda: woken.append(True), over), "_is_on")
    losses.over()
    for times in (1, 2):
        losses.heard(StoreLost("it is gone"))
        losses.heard(StoreLost("it is gone"))
        assert len(woken) == times
        losses.over()
    until(lambda: len(list((tmp_path / "out").glob("new/*"))) == 2)
