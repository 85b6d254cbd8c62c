"""Clock jumps: the time the judge uses, and letters and commands about them."""

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from judge.clock import ClockReading, SteadyClock, SystemClock
from judge.config import Config, StoreSection
from judge.daemon.application import Application, open_application
from judge.daemon.clock_steps import ClockSteps
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.retention import Retention
from judge.daemon.worker import Worker
from judge.demo.judge_process import JudgeProcess, Mailroom
from judge.mail.outbound.delivery import read_newest
from judge.model.incoming import Arrival
from judge.store.key_values import HEARTBEAT
from tests.daemon.test_lost import JUDGE, until
from tests.journeys.rig import START
from tests.judges import run
from tests.outbox import due_out, newest_out

YEAR = timedelta(days=365)


class Wall:
    """Settable clock of a machine."""

    def __init__(self) -> None:
        self.at, self.boot, self.since = START, "one", 1000.0

    def read(self) -> ClockReading:
        """Return the present reading."""
        return ClockReading(self.at, self.boot, self.since)

    def forward(self, span: timedelta) -> None:
        """Advance the wall clock and the uptime."""
        self.at += span
        self.since += span.total_seconds()


@pytest.mark.parametrize("jump, believed", [
    (timedelta(hours=-23), True), (timedelta(hours=23), True), (timedelta(hours=25), False),
    (timedelta(hours=-25), False), (YEAR, False), (-YEAR, False),
])
def test_a_step_of_up_to_a_day_is_followed(jump: timedelta, believed: bool) -> None:
    wall = Wall()
    clock = SteadyClock(wall)
    wall.forward(timedelta(days=3))
    assert clock.now() == START + timedelta(days=3), "time that goes by is no step"
    wall.at += jump
    wall.forward(timedelta(hours=1))
    right = START + timedelta(days=3, hours=1)
    assert clock.now() == (right + jump if believed else right)
    assert clock.pending_jump() == (timedelta() if believed else jump)
    wall.at -= jump
    assert clock.now() == right and not clock.pending_jump()


@pytest.mark.parametrize("off, believed", [
    (timedelta(days=29), True), (timedelta(days=31), False), (timedelta(hours=-2), True),
    (timedelta(days=-2), False), (YEAR, False),
])
def test_clock_after_a_reboot_may_be_a_month_later(off: timedelta, believed: bool) -> None:
    wall = Wall()
    last = wall.read()
    wall.boot, wall.since, wall.at = "two", 20.0, START + off
    clock = SteadyClock(wall, last)
    wall.forward(timedelta(minutes=1))
    expected = START + off if believed else START
    assert clock.now() == expected + timedelta(minutes=1)
    if not believed:
        wall.at = START + timedelta(days=1)
        assert clock.now() == wall.at, "a clock that is set right is followed"


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def application(tmp_path: Path, wall: Wall) -> Iterator[Application]:
    """A judge with a running game and a sent letter."""
    config = Config(store=StoreSection(f"sqlite:///{tmp_path}/judge.sqlite3"))
    made = open_application(config, SteadyClock(wall), create=True)
    raw = b"From: gm@x.org\n\nCREATE ?marco gmsecret standard\nSTART\n"
    made.post.accept([Arrival(raw, "gm@x.org", ("judge@localhost",))], made.clock.now())
    assert Worker(made, ResolverLoop(made)).work_one()
    ResolverLoop(made).record_awake(made.clock.now())
    for letter in due_out(made.post, made.clock.now(), 99):
        made.post.mark_sent(letter.id, made.clock.now())
    yield made
    made.store.close()


def a_minute(application: Application) -> None:
    """Run the once-a-minute work of the desk."""
    ClockSteps(application).check_clock()
    resolving, now = ResolverLoop(application), application.clock.now()
    resolving.record_awake(now)
    Retention(application).run_once(now)
    while Worker(application, resolving).work_one():
        pass
    resolving.tick(now)


def about_the_clock(application: Application) -> list[bytes]:
    """Return the letters to the operator about clock jumps."""
    return [
        out.message for out in newest_out(application.post, 99)
        if b"clock has jumped" in out.message
    ]


def state(application: Application) -> tuple[object, ...]:
    """Return what a wrong time would change: the game and all expiring data."""
    game = application.games.find("marco")
    assert game is not None
    mail = application.post.get(1)
    return (
        game.phase,
        game.deadline,
        mail.raw if mail else b"",
        len(application.key_values.keys(START)),
        [out.id for out in newest_out(application.post, 99) if out.kind != "notice"],
    )


@pytest.mark.parametrize("jump", [YEAR, -YEAR])
def test_clock_jump_of_a_year_changes_and_deletes_nothing(
    application: Application, wall: Wall, jump: timedelta
) -> None:
    before = state(application)
    wall.forward(timedelta(minutes=1))
    a_minute(application)
    wall.at += jump
    for _ in range(3):
        wall.forward(timedelta(minutes=1))
        a_minute(application)
    assert state(application) == before
    [told] = about_the_clock(application)
    assert b"judge clock --accept" in told and b"To: postmaster@localhost" in told
    raw = b"From: gm@x.org\n\nSIGNON Mmarco gmsecret\nLIST marco\n"
    application.post.accept(
        [Arrival(raw, "gm@x.org", ("judge@localhost",))], application.clock.now()
    )
    a_minute(application)
    mail = application.post.get(2)
    assert mail is not None and abs(mail.accepted - START) < timedelta(hours=1)
    wall.at -= jump
    wall.forward(timedelta(minutes=1))
    a_minute(application)
    assert state(application)[:3] == before[:3]
    deadline = before[1]
    assert isinstance(deadline, datetime)
    wall.forward(deadline - wall.at - timedelta(seconds=60))
    a_minute(application)
    assert state(application)[:3] == before[:3]
    application.key_values.put_instant(HEARTBEAT, application.clock.now())
    wall.forward(timedelta(seconds=61))
    a_minute(application)
    assert (
        state(application)[0] != before[0]
    ), "its deadline passes when it is, neither before nor later"


def test_restored_trust_in_the_clock_is_logged_once(
    application: Application, wall: Wall, caplog: pytest.LogCaptureFixture
) -> None:
    steps = ClockSteps(application)
    steps.check_clock()
    wall.at += YEAR
    assert steps.check_clock() and not steps.check_clock(), "the keeper is told once"
    wall.at -= YEAR
    for _ in range(2):
        steps.check_clock()
    assert caplog.text.count("is believed again") == 1


def test_clock_jump_accepted_by_the_operator_is_an_outage(
    application: Application, wall: Wall
) -> None:
    deadline = state(application)[1]
    assert isinstance(deadline, datetime)
    wall.at += YEAR
    a_minute(application)
    assert application.clock.now() < START + timedelta(hours=1)
    application.key_values.save_reading(wall.read())
    a_minute(application)
    assert application.clock.now() == wall.at
    game = application.games.find("marco")
    assert game is not None and game.phase == "S1901M"
    assert game.deadline is not None and game.deadline >= wall.at + timedelta(minutes=59)


@pytest.mark.slow
def test_start_under_a_wrong_clock_is_reported_and_ignored(
    tmp_path: Path,
) -> None:
    """The judge assumes that the system clock jumped while it was stopped."""
    with JudgeProcess(tmp_path, maps="off"):
        pass
    file = tmp_path / "judge.sqlite3"
    now = SystemClock().read()
    earlier = int((now.at - YEAR).timestamp() * 1e6)
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute("DELETE FROM memory WHERE name IN ('clock', 'heartbeat')")
        opened.executemany("INSERT INTO memory VALUES (?, ?)", [
            ("clock", f"{earlier} {int(now.since * 1e6)} {now.boot}".encode()),
            ("heartbeat", f"{earlier}".encode()),
        ])

    def judge(*words: str) -> subprocess.CompletedProcess[str]:
        return run(words, tmp_path, os.environ | JudgeProcess(tmp_path).settings())

    with JudgeProcess(tmp_path, maps="off") as running:
        until(lambda: bool(read_newest(running.outbox, "postmaster@localhost")))
        for letter in (running.outbox / "new").iterdir():
            letter.unlink()
        said = judge("clock")
        assert said.returncode == 1 and "judge clock --accept" in said.stderr
        room = Mailroom(running.place, running.outbox, SystemClock())
        room.send("ann@x.org", JUDGE, "", "HELP\n")
        answer = room.next_letter("ann@x.org", lambda letter: True, patience=120)
        assert answer is not None and str(now.at.year - 1) in str(answer["Date"])
        assert judge("clock", "--accept").returncode == 0
        until(lambda: "is believed again" in running.log())
        room.send("ann@x.org", JUDGE, "", "HELP SET\n")
        answer = room.next_letter("ann@x.org", lambda letter: True, patience=120)
        assert answer is not None and str(now.at.year - 1) not in str(answer["Date"])


def test_trusted_clock_reading_is_stored_once_a_minute(
    application: Application, wall: Wall
) -> None:
    steps = ClockSteps(application)
    for seconds, noted in ((0, 0), (59, 0), (1, 60), (30, 60), (30, 120)):
        wall.forward(timedelta(seconds=seconds))
        assert not steps.check_clock()
        reading = application.key_values.last_reading()
        assert reading and reading.at == START + timedelta(seconds=noted)
