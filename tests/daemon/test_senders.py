"""Several senders of one database: each letter is sent by exactly one of them."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from judge.clock import FixedClock
from judge.config import Config, StoreSection
from judge.daemon.application import Application, open_application
from judge.daemon.delivery_loop import DeliveryLoop
from judge.errors import StoreError
from judge.model.record import Outgoing
from judge.store import locks
from judge.store.database import Store
from judge.store.locks import SenderNumber
from tests import postgres
from tests.daemon.test_sending import NOW, Server, die
from tests.machine import HAS_POSTGRES, ON_POSTGRES
from tests.outbox import counts


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=ON_POSTGRES)])
def url(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """A database that several senders can open at once."""
    return f"sqlite:///{tmp_path}/x" if request.param == "sqlite" else postgres.judge_url()


@pytest.fixture(autouse=True)
def skip_settling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test server has just been started, so no settling time applies."""
    monkeypatch.setattr(locks, "RECONNECT_SECONDS", 0)


class Held(Server):
    """Server that blocks every letter until `let_go` is set."""

    max_concurrent = of_a_domain = 4

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()

    def deliver(self, letter: Outgoing) -> None:
        """Accept a letter."""
        self.let_go.wait(120)
        self.taken.append(letter.to)


class Awaiting(Server):
    """Server that blocks all its letters until another server has its first one."""

    max_concurrent = 4

    def __init__(self, both: threading.Barrier) -> None:
        super().__init__()
        self._both = both
        self._first = threading.Lock()
        self._started = threading.Event()

    def deliver(self, letter: Outgoing) -> None:
        """Accept a letter."""
        if self._first.acquire(blocking=False):
            self._both.wait(120)
            self._started.set()
        assert self._started.wait(120)
        self.taken.append(letter.to)


Opened = Callable[[], Application]


@pytest.fixture
def clock() -> FixedClock:
    """The clock of all senders."""
    return FixedClock(NOW)


@pytest.fixture
def open_again(url: str, clock: FixedClock) -> Iterator[Opened]:
    """Function that opens the database once more, as another process does."""
    made: list[Application] = []

    def opening() -> Application:
        config = Config(store=StoreSection(url))
        made.append(open_application(config, clock, create=True))
        return made[-1]

    yield opening
    for one in made:
        one.store.close()


def queue(application: Application, many: int) -> None:
    """Queue letters to different addresses."""
    application.post.queue_all([
        Outgoing(0, f"s{n}@slow{n}.org", "j@x", f"<{n}>", b"x\r\n", NOW, NOW) for n in range(many)
    ])


def test_letters_of_an_exited_sender_are_released_at_once(
    open_again: Opened, clock: FixedClock
) -> None:
    hangs, server = Held(), Server()
    queue(open_again(), 1)
    dead, other = DeliveryLoop(open_again(), hangs), DeliveryLoop(open_again(), server)
    assert dead.run_once(0.0) and not other.run_once(0.0) and server.taken == []
    dead_number = dead.owner_lock.number
    die(dead)
    other.owner_lock.take()
    until_dead(other.owner_lock, dead_number)
    clock.advance(seconds=1)
    assert not other.run_once(0.0), "it looks every two seconds"
    clock.advance(seconds=1)
    assert other.drain() == 1
    other.close()
    hangs.let_go.set()


def test_new_sender_with_a_stale_number_releases_its_letters(open_again: Opened) -> None:
    hangs, server = Held(), Server()
    queue(open_again(), 1)
    first = DeliveryLoop(open_again(), hangs)
    assert first.run_once(0.0)
    die(first)
    second = DeliveryLoop(open_again(), server)
    until_dead(second.owner_lock, 1)
    assert second.drain() == 1 and len(server.taken) == 1
    assert second.owner_lock.number == 1
    second.close()
    hangs.let_go.set()


@pytest.mark.slow
@pytest.mark.skipif(not HAS_POSTGRES, reason="no PostgreSQL server")
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_stale_sender_number_releases_letters_later(
    open_again: Opened, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not release the letters that it claimed itself under that number."""
    hangs, slow = Held(), Held()
    slow.max_concurrent = slow.of_a_domain = 1  # type: ignore[misc]
    application = open_again()
    queue(application, 1)
    first, second = DeliveryLoop(open_again(), hangs), DeliveryLoop(open_again(), slow)
    assert first.run_once(0.0)
    die(first)
    until_dead(second.owner_lock, 1)
    monkeypatch.setattr(locks, "RECONNECT_SECONDS", 10**6)
    queue(application, 2)
    assert second.run_once(0.0) and second.owner_lock.number == 1
    monkeypatch.setattr(locks, "RECONNECT_SECONDS", 0)
    clock.advance(seconds=2)
    assert second.run_once(0.0)
    in_hand = "SELECT id FROM outgoing WHERE claimed IS NOT NULL ORDER BY id"
    assert [number for (number,) in application.store.select_sql(in_hand, ())] == [2, 3]
    slow.let_go.set()
    second.drain()
    assert sorted(slow.taken) == ["s0@slow0.org", "s0@slow0.org", "s1@slow1.org"]
    second.close()
    hangs.let_go.set()


def until_dead(owner: SenderNumber, number: int) -> None:
    """Wait until a server has noticed that the process with a number has exited."""
    until = time.monotonic() + 30
    is_dead = False
    while not is_dead:
        assert time.monotonic() < until
        with owner.check_owner_exited(number) as is_dead:
            pass


def test_number_belongs_to_one_sender_until_released(url: str) -> None:
    with closing(Store(url)) as one, closing(Store(url)) as other:
        first, second, third = (
            SenderNumber(store.engine.numbers("sender")) for store in (one, other, other)
        )
        assert first.take() and second.take() and not first.take()
        assert (first.number, second.number) == (1, 2)
        with second.check_owner_exited(1) as is_dead:
            assert not is_dead, "it lives"
        with second.check_owner_exited(2) as is_dead:
            assert not is_dead, "it is ourselves"
        assert not first.is_lost()
        first.close()
        until_dead(second, 1)
        with second.check_owner_exited(1) as is_dead:
            assert is_dead and third.take() and third.number == 3, "nobody takes it meanwhile"
        second.close()
        third.close()


def test_two_senders_send_each_of_many_letters_once(open_again: Opened) -> None:
    queue(open_again(), 150)
    both = threading.Barrier(2)
    servers = Awaiting(both), Awaiting(both)

    def send(server: Server) -> None:
        application = open_again()
        sending = DeliveryLoop(application, server)
        sending.drain()
        sending.close()
        application.store.close()

    threads = [threading.Thread(target=send, args=(server,)) for server in servers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = [*servers[0].taken, *servers[1].taken]
    assert sorted(taken) == sorted({f"s{n}@slow{n}.org" for n in range(150)})
    assert all(server.taken for server in servers)


def cut_locks(store: Store) -> None:
    """Terminate the sessions that lock numbers, as a server restart does."""
    asked = (
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks"
        " WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid() AND database ="
        " (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    assert store.select_sql(asked, ())


@pytest.mark.slow
@pytest.mark.skipif(not HAS_POSTGRES, reason="no PostgreSQL server")
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_sender_that_lost_its_lock_leaves_unstarted_letters(
    open_again: Opened, clock: FixedClock
) -> None:
    application = open_again()
    queue(application, 9)
    slow, server = Held(), Server()
    cut, other = DeliveryLoop(application, slow), DeliveryLoop(open_again(), server)
    assert cut.run_once(0.0)
    begun = len(cut._flying)
    assert 0 < begun < 9 and cut._waiting
    cut_locks(application.store)
    cut.run_once(0.0)
    clock.advance(seconds=2)
    assert not cut._waiting or not other.drain()
    slow.let_go.set()
    until = time.monotonic() + 60
    while cut.run_once(0.1) or other.run_once(0.1):
        assert time.monotonic() < until
    assert sorted([*slow.taken, *server.taken]) == sorted({f"s{n}@slow{n}.org" for n in range(9)})
    cut.close()
    other.close()


@pytest.mark.slow
@pytest.mark.skipif(not HAS_POSTGRES, reason="no PostgreSQL server")
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_server_restart_gives_senders_time_to_reconnect(
    open_again: Opened, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "RECONNECT_SECONDS", 10**6)
    application = open_again()
    queue(application, 1)
    slow, server = Held(), Server()
    cut, other = DeliveryLoop(application, slow), DeliveryLoop(open_again(), server)
    other.owner_lock.take()
    assert cut.run_once(0.0)
    cut_locks(application.store)
    assert other.owner_lock.is_lost() and other.owner_lock.take()
    clock.advance(seconds=2)
    assert other.drain() == 0 and cut.run_once(0.0)
    monkeypatch.setattr(locks, "RECONNECT_SECONDS", 0)
    clock.advance(seconds=2)
    assert other.drain() == 0, "it is back"
    slow.let_go.set()
    cut.drain()
    assert slow.taken == ["s0@slow0.org"] and server.taken == []
    cut.close()
    other.close()


@pytest.mark.slow
@pytest.mark.skipif(not HAS_POSTGRES, reason="no PostgreSQL server")
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_no_delivery_starts_while_the_database_is_unreachable(
    open_again: Opened, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = open_again()
    queue(application, 9)
    slow = Held()
    sending = DeliveryLoop(application, slow)
    assert sending.run_once(0.0)
    begun = len(sending._flying)
    cut_locks(application.store)
    with monkeypatch.context() as patch:
        def refuse_connection() -> object:
            raise psycopg.OperationalError("connection refused")

        patch.setattr(sending.owner_lock._numbers, "_connect", refuse_connection)
        for _ in range(2):
            with pytest.raises(StoreError, match="connection refused"):
                sending.run_once(0.0)
    assert len(sending._flying) == begun and not sending._waiting
    slow.let_go.set()
    clock.advance(seconds=1)
    assert counts(application.post).queued == 9
    sending.drain()
    assert len(slow.taken) == 9 == len(set(slow.taken))
    sending.close()
