"""The loops of the judge's threads, run with stubs that record the calls."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from judge.clock import FixedClock
from judge.config import Config, StoreSection
from judge.daemon import service as services
from judge.daemon.service import (
    HEARTBEAT_INTERVAL,
    MAX_MAILS_IN_A_ROW,
    RETRY_SECONDS,
    SHUTDOWN_SECONDS,
    Service,
)
from judge.errors import StoreError, StoreLost
from judge.store.mail_queues import NEW_LETTERS, NEW_MAILS
from tests.journeys.rig import START

BELLS = "mail", "letter", "picture"


class Stage:
    """Stubs of all that a loop uses, which record its calls in order."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.told: list[str] = []
        self.turned = set[str]()
        """Wake events marked busy, which the watchdog would watch."""
        self.mails = self.games = self.faults = 0
        self.is_outage = self.is_jump = False
        self.due: datetime | None = None
        self.wakes: datetime | None = None
        self.fault = StoreError("full")
        self.sleeps = 1
        """Number of waits after which the judge stops."""
        self.clock = FixedClock(START)
        patch.setattr("judge.daemon.service.os.cpu_count", lambda: 1)
        self.service = Service(Config(store=StoreSection("sqlite:///:memory:")), self.clock, print)
        [self.bell] = self.service._picture_bells
        bells = (self.service._mail_bell, self.service._letter_bell, self.bell)
        for name, bell in zip(BELLS, bells, strict=True):
            patch.setattr(bell, "wake", lambda name=name: self.told.append(f"ring {name}"))
            patch.setattr(bell, "wait", self._wait)
            patch.setattr(bell, "mark_busy", lambda name=name: self.turned.add(name))
        patch.setattr(self.service.stopping, "wait", self._wait)
        worker = SimpleNamespace(
            warm_up=lambda: self.told.append("warm"), work_batch=self._mail
        )
        self.queue = SimpleNamespace(wakes=None)
        patch.setattr(services, "Worker", lambda *_: worker)
        games = SimpleNamespace(
            tick=self._game, record_awake=self._awake, queue=self.queue,
            next_due=lambda now: self.due,
        )
        patch.setattr(services, "ResolverLoop", lambda *_: games)
        tidying = SimpleNamespace(run_once=lambda now: self.told.append("tidy"))
        patch.setattr(services, "Retention", lambda *_: tidying)
        clock_steps = SimpleNamespace(check_clock=self._jump)
        patch.setattr(services, "ClockSteps", lambda *_: clock_steps)
        self.application: Any = SimpleNamespace(
            key_values=SimpleNamespace(put_instant=lambda name, now: self.told.append("ran")),
            store=SimpleNamespace(close=lambda: self.told.append("close")),
        )

    def _wait(self, pause: float) -> None:
        self.told.append(f"wait {pause:g}")
        self.clock.advance(seconds=HEARTBEAT_INTERVAL.total_seconds())
        self.sleeps -= 1
        if self.sleeps <= 0:
            self.service.stopping.set()

    def _mail(self) -> bool:
        if self.faults:
            self.faults -= 1
            raise self.fault
        self.mails -= 1
        if self.mails >= 0:
            self.told.append("mail")
        return self.mails >= 0

    def _game(self, now: datetime, most: int) -> int:
        assert most == 1 and now == self.clock.now()
        self.games -= 1
        if self.games >= 0:
            self.told.append("game")
        return int(self.games >= 0)

    def _awake(self, now: datetime) -> bool:
        self.told.append("awake")
        was_away, self.is_outage = self.is_outage, False
        return was_away

    def _jump(self) -> bool:
        jumps, self.is_jump = self.is_jump, False
        return jumps

    def work(self, works: bool = True, resolves: bool = True) -> list[str]:
        """Run the desk's loop until it stops and return the calls."""
        self.service.work_loop(self.application, works, resolves)
        return self.told


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Stage:
    """A loop with nothing to do."""
    return Stage(monkeypatch)


TICK = f"wait {Config().clock.tick.total_seconds():g}"
RINGS = ["ring letter", "ring picture"]
BEGUN = ["warm", "awake", "tidy"]


def test_work_of_the_desk_wakes_senders_and_picture_workers(stage: Stage) -> None:
    stage.mails, stage.games = 1, 1
    assert stage.work() == [*BEGUN, "mail", *RINGS, "game", *RINGS, "ran", TICK]


def test_game_has_its_turn_after_a_run_of_mails(stage: Stage) -> None:
    stage.mails, stage.games = MAX_MAILS_IN_A_ROW + 2, 2
    turns = [each for each in stage.work() if each in ("mail", "game")]
    assert turns == ["mail"] * MAX_MAILS_IN_A_ROW + ["game"] + ["mail"] * 2 + ["game"]


def test_mails_continue_at_once_if_no_game_is_due(stage: Stage) -> None:
    stage.mails = MAX_MAILS_IN_A_ROW + 1
    told = [each for each in stage.work() if each == "mail" or each.startswith("wait")]
    assert told == ["mail"] * (MAX_MAILS_IN_A_ROW + 1) + [TICK]


@pytest.mark.parametrize("works, resolves, did", [
    (True, True, ["mail", "mail", "game"]), (True, False, ["mail", "mail"]),
    (False, True, ["game"]),
])
def test_each_command_runs_its_own_part(
    works: bool, resolves: bool, did: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        stage = Stage(patch)
        stage.mails, stage.games = 2, 1
        told = stage.work(works, resolves)
    assert [each for each in told if each in ("mail", "game")] == did
    assert stage.turned == {"mail"}
    assert told.count("ran") == resolves and told.count("tidy") == works
    assert told.count("awake") == 1


def test_heartbeat_and_retention_run_once_a_beat(stage: Stage) -> None:
    stage.sleeps = 3
    assert stage.work() == [*BEGUN, "ran", TICK, *["awake", "tidy", "ran", TICK] * 2]


def test_outage_or_clock_jump_wakes_the_sender_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("is_outage", "is_jump"):
        with monkeypatch.context() as patch:
            stage = Stage(patch)
            setattr(stage, name, True)
            assert stage.work() == [*BEGUN, *RINGS, "ran", TICK], name


@pytest.mark.parametrize("due, wakes, resolves, pause", [
    (None, None, True, 10), (90, None, True, 10), (2, None, True, 2), (None, 3, True, 3),
    (2, 3, True, 2), (4, 3, True, 3), (-5, None, True, 0.2), (2, 3, False, 3),
    (2, None, False, 10), (0.1, None, True, 0.2), (1, None, True, 1),
])
def test_the_desk_sleeps_until_something_is_due_or_a_tick_long(
    due: float | None, wakes: float | None, resolves: bool, pause: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        stage = Stage(patch)
        stage.due = None if due is None else START + timedelta(seconds=due)
        stage.queue.wakes = None if wakes is None else START + timedelta(seconds=wakes)
        assert stage.work(resolves=resolves)[-1] == f"wait {pause:g}"


def test_desk_pauses_after_a_database_failure(stage: Stage) -> None:
    stage.faults, stage.mails, stage.sleeps = 1, 1, 2
    wait = f"wait {RETRY_SECONDS:g}"
    again = ["awake", "tidy", "mail", *RINGS, "ran", TICK]
    assert stage.work() == [*BEGUN, "close", wait, *again]


def test_lost_database_ends_the_loops(stage: Stage) -> None:
    stage.faults, stage.fault = 1, StoreLost("gone")
    with pytest.raises(StoreLost):
        stage.work()

    def lost(*_: object) -> bool:
        raise StoreLost("gone")

    lame: Any = SimpleNamespace(draw_one=lost, run_once=lost)
    with pytest.raises(StoreLost):
        stage.service.picture_loop(stage.application, lame, stage.bell)
    with pytest.raises(StoreLost):
        stage.service.send_loop(stage.application, lame)
    assert "close" not in stage.told


def test_picture_loop_wakes_the_sender_and_sleeps_when_idle(stage: Stage) -> None:
    steps = iter([True, StoreError("full"), True, False])

    def step() -> bool:
        found = next(steps)
        if isinstance(found, StoreError):
            raise found
        return found

    stage.sleeps = 2
    painting: Any = SimpleNamespace(draw_one=step)
    stage.service.picture_loop(stage.application, painting, stage.bell)
    wait = f"wait {RETRY_SECONDS:g}"
    assert stage.told == ["ring letter", "close", wait, "ring letter", TICK]
    assert stage.turned == {"picture"}


@pytest.mark.parametrize("after, steps", [
    # Letters in flight while the loop runs, then while it stops.
    ([], [1.0]), ([True, True], [1.0, 0.1, 0.1, 0.1]),
])
def test_send_loop_sleeps_and_finishes_letters_in_flight(
    after: list[bool], steps: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        stage = Stage(patch)
        found, took = iter([False, *after]), list[float]()

        def step(seconds: float) -> bool:
            took.append(seconds)
            return next(found, False)

        def release() -> None:
            stage.told.append("release")
            raise StoreError("full")

        sending: Any = SimpleNamespace(run_once=step, release=release)
        stage.service.send_loop(stage.application, sending)
    assert took == (steps if after else [1.0, 0.1])
    assert stage.told == ["wait 2", "release"] and stage.turned == {"letter"}


def test_hanging_delivery_delays_shutdown_for_a_second_only(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    took: list[float] = []

    def step(seconds: float) -> bool:
        took.append(seconds)
        return len(took) > 1

    times = iter([0.0, *(n * 0.25 for n in range(99))])
    monkeypatch.setattr(services, "time", SimpleNamespace(monotonic=lambda: next(times)))
    sending: Any = SimpleNamespace(run_once=step, release=lambda: None)
    stage.service.send_loop(stage.application, sending)
    assert took == [1.0] + [0.1] * 4 and SHUTDOWN_SECONDS == 2


def test_sender_retries_after_a_database_failure(stage: Stage) -> None:
    def full(seconds: float) -> bool:
        raise StoreError("full")

    stage.sleeps = 2
    sending: Any = SimpleNamespace(run_once=full)
    assert stage.service.send_once(stage.application, sending, 1.0)
    assert not stage.service.send_once(stage.application, sending, 1.0)
    assert stage.told == ["close", f"wait {RETRY_SECONDS:g}"] * 2


def test_a_thread_that_fails_for_good_stops_the_judge(stage: Stage) -> None:
    faults = RuntimeError("odd"), StoreError("nothing there")

    for fault in faults:
        def part(fault: Exception = fault) -> None:
            raise fault

        stage.told.clear()
        stage.service.stopping.clear()
        stage.service.stop_listener = lambda: stage.told.append("door")
        stage.service.run_guarded(part)
        assert stage.service.fault is fault and stage.service.stopping.is_set()
        assert stage.told == ["door"]
    stage.service.stopping.clear()
    stage.service.run_guarded(lambda: stage.told.append("done"))
    assert stage.told == ["door", "done"] and not stage.service.stopping.is_set()


@pytest.mark.parametrize("word, news, rings", [
    ("serve", [NEW_MAILS, NEW_LETTERS], ["mail", "letter", "picture"]),
    ("work", [NEW_LETTERS, NEW_MAILS, NEW_MAILS], ["letter", "picture", "mail", "mail"]),
    ("resolve", [NEW_LETTERS, NEW_MAILS], ["letter", "picture", "mail", "mail"]),
])
def test_each_wake_up_message_wakes_its_loops(
    word: str, news: list[str], rings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        stage = Stage(patch)
        stage.sleeps = 2
        first = iter([True])

        def listen_once(is_over: Callable[[], bool]) -> Iterator[str]:
            assert not is_over()
            if next(first, False):
                raise StoreError("no line")
            yield from news

        def close() -> None:
            stage.told.append("close")
            raise StoreError("was gone")

        store = SimpleNamespace(engine=SimpleNamespace(listen=listen_once), close=close)
        patch.setattr(services, "Store", lambda url: store)
        stage.service.wakeup_loop(word)
    wait = f"wait {RETRY_SECONDS:g}"
    assert stage.told == [wait, *(f"ring {name}" for name in rings), "close"]


def test_commit_of_another_connection_wakes_all_parts(stage: Stage) -> None:
    looks = iter([False, False, True, StoreError("busy"), False, True])

    def has_changed() -> bool:
        stage.told.append("look")
        found = next(looks)
        if isinstance(found, StoreError):
            raise found
        return found

    stage.sleeps = 5
    stage.service.stopping.wait = lambda pause: next(waits)  # type: ignore[method-assign]
    waits = iter([False] * 5 + [True])
    engine = SimpleNamespace(check=lambda: stage.told.append("check"), has_changed=has_changed)
    store = SimpleNamespace(engine=engine, keep_open=lambda: nullcontext(store))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "Store", lambda url: store)
        stage.service.watch_file()
    rings = [f"ring {name}" for name in BELLS]
    look = ["check", "look"]
    assert stage.told == ["look", *look, *look, *rings, *look * 3, *rings]
