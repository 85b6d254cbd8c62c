"""State shared by the processes of one database.

Crashes and storage failures of a mail, pauses of a mail server, claimed pictures, and clean-ups.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from judge.clock import FixedClock
from judge.config import Config, DeliverSection, StoreSection
from judge.daemon import retention
from judge.daemon.application import Application, open_application
from judge.daemon.delivery_loop import DeliveryLoop
from judge.daemon.picture_worker import PictureWorker
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.retention import Retention
from judge.daemon.worker import MAX_DEATHS, MAX_TRIES, Worker
from judge.errors import StoreError
from judge.mail.outbound.delivery import NoSuchAddress, Unreachable
from judge.model.incoming import Arrival
from judge.model.letter import PictureRequest
from judge.model.record import DeliveryState, MailState, Outgoing
from judge.play.dispatcher import Dispatcher
from tests import postgres
from tests.daemon.test_sending import NOW, Server
from tests.journeys.rig import Easel
from tests.machine import ON_POSTGRES
from tests.outbox import newest_out

Opened = Callable[[], Application]


@pytest.fixture(params=[
    "sqlite",
    pytest.param("postgres", marks=ON_POSTGRES),
])
def url(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """A database that several processes can open at once."""
    return f"sqlite:///{tmp_path}/x" if request.param == "sqlite" else postgres.judge_url()


@pytest.fixture
def clock() -> FixedClock:
    """The clock of all processes."""
    return FixedClock(NOW)


@pytest.fixture
def open_again(url: str, clock: FixedClock) -> Iterator[Opened]:
    """Function that opens the database once more, as another process does."""
    made: list[Application] = []

    def opening() -> Application:
        config = Config(store=StoreSection(url), deliver=DeliverSection("smtp://mx.example.org:25"))
        made.append(open_application(config, clock, create=True))
        return made[-1]

    yield opening
    for one in made:
        one.store.close()


def accept(application: Application, name: str) -> int:
    """Accept a mail and return its number."""
    raw = f"From: {name}@x.org\r\nMessage-ID: <{name}@x.org>\r\n\r\nLIST\r\n".encode()
    arrival = Arrival(raw, f"{name}@x.org", ("judge@localhost",))
    return application.post.accept([arrival], application.clock.now())[0]


def worker_of(application: Application) -> Worker:
    """Return the worker of a new process."""
    return Worker(application, ResolverLoop(application))


def state_of(application: Application, number: int) -> MailState:
    """Return the state of a mail."""
    mail = application.post.get(number)
    assert mail is not None
    return mail.state


class Died(BaseException):
    """Simulated crash of a process."""


def die(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start a process that crashes at the first mail it processes."""
    def dies(*given: object, **more: object) -> None:
        raise Died

    application = opened()
    with monkeypatch.context() as patch, pytest.raises(Died):
        patch.setattr(Dispatcher, "handle", dies)
        worker_of(application).work_one()
    application.store.close()


def test_crashing_mail_is_shunted_and_retry_resets_its_count(
    open_again: Opened, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = open_again()
    deadly, other = accept(application, "deadly"), accept(application, "other")
    for _ in range(MAX_DEATHS):
        die(open_again, monkeypatch)
    worker = worker_of(open_again())
    while worker.work_one():
        pass
    assert state_of(application, deadly) is MailState.SHUNTED
    assert state_of(application, other) is MailState.DONE
    assert application.post.unshunt(deadly, MailState.NEW, "", clock.now())
    assert worker_of(open_again()).work_one()
    assert state_of(application, deadly) is MailState.DONE


@pytest.mark.parametrize("url", [
    pytest.param("postgres", marks=ON_POSTGRES),
], indirect=True)
def test_crashes_do_not_count_for_a_claimed_mail(
    open_again: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other processes may crash over other mails at the same time."""
    application, busy = open_again(), open_again()
    slow, deadly = accept(application, "slow"), accept(application, "deadly")
    assert busy.store.lock_keys((f"mail {slow}", "person slow@x.org"))
    for _ in range(MAX_DEATHS):
        die(open_again, monkeypatch)
    assert worker_of(open_again()).work_one()
    assert state_of(application, deadly) is MailState.SHUNTED
    assert state_of(application, slow) is MailState.NEW
    busy.store.release_keys()
    assert worker_of(open_again()).work_one() and state_of(application, slow) is MailState.DONE


def test_storage_failures_of_a_mail_are_counted_by_all_workers(
    open_again: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object, **more: object) -> None:
        raise StoreError("it does not fit")

    application = open_again()
    number = accept(application, "ann")
    workers = [worker_of(open_again()) for _ in range(MAX_TRIES)]
    with monkeypatch.context() as patch:
        patch.setattr(Dispatcher, "handle", fails)
        for worker in workers[:-1]:
            with pytest.raises(StoreError):
                worker.work_one()
        assert state_of(application, number) is MailState.NEW
        assert workers[-1].work_one() and state_of(application, number) is MailState.SHUNTED


def queue(application: Application, *names: str) -> None:
    """Queue a letter to each address."""
    application.post.queue_all([
        Outgoing(0, f"{name}@{name}.org", "j@x", f"<{name}>", b"x\r\n", NOW, NOW) for name in names
    ])


def test_pause_of_an_unreachable_server_is_shared(open_again: Opened, clock: FixedClock) -> None:
    queue(open_again(), "ann", "bob")
    lame, whole = Server(), Server()
    lame.faults["*"] = Unreachable("refused")
    one, other = DeliveryLoop(open_again(), lame), DeliveryLoop(open_again(), whole)
    one.drain()
    assert len(lame.tried) == 1 and other.drain() == 0 == len(whole.taken)
    clock.advance(seconds=16)
    one.drain()
    clock.advance(seconds=16)
    assert other.drain() == 0, "the second rest is longer, for all"
    clock.advance(seconds=16)
    assert other.drain() == 2
    queue(open_again(), "eve")
    lame.faults.clear()
    assert one.drain() == 1, "it takes letters again"
    one.close()
    other.close()


def test_letter_fails_in_parallel_with_other_writers(open_again: Opened) -> None:
    application, busy = open_again(), open_again()
    if not busy.store.allows_parallel_writers:
        pytest.skip("one writes at a time")
    server = Server()
    server.faults["*"] = NoSuchAddress("unknown")
    sending = DeliveryLoop(application, server)
    assert sending.drain() == 0, "its number is taken alone"
    queue(application, "ann")
    application.store.patience = 0.2
    assert busy.store.lock_keys(("game 7",))
    busy.store.run_concurrently(lambda: sending.drain())
    busy.store.release_keys()
    letter = newest_out(application.post, 1)[0]
    assert letter.state is DeliveryState.FAILED and letter.tries == 1
    sending.close()


def test_picture_workers_render_different_pictures(open_again: Opened) -> None:
    """A worker that finds a picture claimed goes on to the next one."""
    application = open_again()
    sketches = [PictureRequest("diplomacy", f"board {n}", "marco") for n in range(6)]
    application.pictures.request_pictures(dict.fromkeys(sketches, False), NOW)
    drawn: list[str] = []
    painters: list[PictureWorker] = []

    class Nested(Easel):
        """Easel that runs another picture worker while it renders."""

        def draw(self, sketch: PictureRequest, *given: object) -> bytes:  # type: ignore[override]
            """Record the picture and run the next worker."""
            assert sketch.key not in drawn
            drawn.append(sketch.key)
            if len(drawn) < 3:
                painters[len(drawn)].draw_one()
            return b"picture"

    painters += [PictureWorker(open_again(), Nested()) for _ in range(3)]
    assert painters[0].draw_one()
    assert len(set(drawn)) == 3
    for painter in painters:
        painter.drain()
        painter.close()
    assert sorted(drawn) == sorted(sketch.key for sketch in sketches)


def test_cleanup_runs_in_one_process_once_an_hour(
    open_again: Opened, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(Retention, "_reduce_mails", lambda self, before: done.append("tidied"))
    one, other = Retention(open_again()), Retention(open_again())
    busy = open_again().store.engine.numbers("tidying")
    assert busy is not None and busy.take(1)
    one.run_once(clock.now())
    assert not done, "another is at it"
    busy.close()
    one.run_once(clock.now())
    other.run_once(clock.now())
    Retention(open_again()).run_once(clock.now())
    assert done == ["tidied"]
    clock.advance(seconds=(retention.HOURLY - timedelta(seconds=1)).total_seconds())
    other.run_once(clock.now())
    assert done == ["tidied"]
    clock.advance(seconds=1)
    other.run_once(clock.now())
    one.run_once(clock.now())
    assert done == ["tidied"] * 2
