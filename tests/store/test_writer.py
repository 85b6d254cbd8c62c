"""The thread that stores what arrives."""

import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from judge.clock import FixedClock
from judge.errors import StoreError
from judge.model.incoming import Arrival
from judge.store.database import Store
from judge.store.mail_queues import Post
from judge.store.mail_writer import Writer
from tests.guarded import guard
from tests.outbox import next_new

NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
SOON = 120.0


def arrival(raw: bytes) -> Arrival:
    return Arrival(raw, "ann@example.org", ("judge@example.org",))


@pytest.fixture
def writer(file_store: Store) -> Iterator[Writer]:
    writer = Writer(file_store, FixedClock(NOW))
    yield writer
    writer.stop()


def test_acknowledged_mail_is_visible_to_others(file_store: Store, writer: Writer) -> None:
    writer.start()
    number = writer.submit(arrival(b"1")).result(SOON)
    mail = Post(file_store).get(number)
    assert mail is not None
    assert (mail.raw, mail.accepted) == (b"1", NOW)


def test_waiting_mails_are_stored_in_one_commit(file_store: Store, writer: Writer) -> None:
    answers = [writer.submit(arrival(b"%d" % n)) for n in range(20)]
    before = file_store.pragma("data_version")
    writer.start()
    numbers = [answer.result(SOON) for answer in answers]
    assert numbers == sorted(numbers) and len(set(numbers)) == 20
    # Every commit of another connection raises data_version by one.
    assert file_store.pragma("data_version") == before + 1


def test_no_mail_is_acknowledged_before_the_commit(file_store: Store, writer: Writer) -> None:
    writer.start()
    with file_store.transaction():
        answer = writer.submit(arrival(b"1"))
        with pytest.raises(TimeoutError):
            answer.result(0.05)
        assert next_new(Post(file_store)) is None
    assert answer.result(SOON) == 1


def test_the_instant_is_that_of_the_commit_not_of_the_submit(file_store: Store) -> None:
    """A resolver that locks the database at a deadline delays the acceptance time."""
    clock = FixedClock(NOW)
    writer = Writer(file_store, clock)
    writer.start()
    with file_store.transaction():
        answer = writer.submit(arrival(b"1"))
        clock.advance(minutes=1)
    number = answer.result(SOON)
    writer.stop()
    mail = Post(file_store).get(number)
    assert mail is not None and mail.accepted == clock.now()


def test_acceptance_time_is_read_inside_the_transaction(file_store: Store) -> None:
    """Otherwise a resolver at a deadline could miss a mail that was accepted in time."""
    inside: list[bool] = []

    class Watched(FixedClock):
        """Clock that records whether it is read inside a transaction."""

        def now(self) -> datetime:
            inside.append(file_store.database.in_transaction())
            return super().now()

    writer = Writer(file_store, Watched(NOW))
    writer.start()
    writer.submit(arrival(b"1")).result(SOON)
    writer.stop()
    assert inside == [True]


def test_storage_failure_is_reported_and_survived(file_store: Store, writer: Writer) -> None:
    assert file_store.path is not None
    away = file_store.path.with_name("away")
    file_store.close()
    file_store.path.rename(away)
    answers = [writer.submit(arrival(b"1")), writer.submit(arrival(b"2"))]
    writer.start()
    for answer in answers:
        with pytest.raises(StoreError):
            answer.result(SOON)
    away.rename(file_store.path)
    assert writer.submit(arrival(b"3")).result(SOON) == 1


def test_full_disk_is_reported_and_survived(file_store: Store, writer: Writer) -> None:
    def allow(pages: int) -> None:
        """Limit the number of pages, as a simulated disk size for later connections."""
        file_store.database.pragma("max_page_count", pages, permanent=True)

    allow(file_store.pragma("page_count") + 1)
    writer.start()
    with pytest.raises(StoreError, match="full"):
        writer.submit(arrival(b"x" * 100_000)).result(SOON)
    allow(1_000_000)
    assert writer.submit(arrival(b"x" * 100_000)).result(SOON) == 1


@pytest.mark.slow
def test_busy_database_is_waited_for_then_reported(file_store: Store, writer: Writer) -> None:
    file_store.database.pragma("busy_timeout", 1500, permanent=True)
    locker = sqlite3.connect(str(file_store.path), isolation_level=None, check_same_thread=False)
    writer.start()
    locker.execute("BEGIN IMMEDIATE")
    short = writer.submit(arrival(b"1"))
    with pytest.raises(TimeoutError):
        short.result(0.05)
    locker.execute("ROLLBACK")
    assert short.result(SOON) == 1
    locker.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked"):
        writer.submit(arrival(b"2")).result(SOON)
    locker.close()
    assert writer.submit(arrival(b"3")).result(SOON) == 2


def test_read_only_database_is_reported_and_survived(file_store: Store, writer: Writer) -> None:
    assert file_store.path is not None
    usual = file_store.database.database
    file_store.database.init(f"{file_store.path.as_uri()}?mode=ro", uri=True)
    writer.start()
    with pytest.raises(StoreError, match="readonly"):
        writer.submit(arrival(b"1")).result(SOON)
    file_store.database.init(usual, uri=True)
    assert writer.submit(arrival(b"2")).result(SOON) == 1


def test_results_of_a_batch_are_passed_on_in_one_call(file_store: Store) -> None:
    told: list[Callable[[], None]] = []
    writer = Writer(file_store, FixedClock(NOW), told.append)
    answers = [writer.submit(arrival(b"%d" % n)) for n in range(20)]
    writer.start()
    writer.stop()
    assert len(told) == 1 and not any(answer.done() for answer in answers)
    told[0]()
    assert [answer.result(0) for answer in answers] == list(range(1, 21))


def test_stopping_does_not_wait_for_ever_for_a_busy_database(
    file_store: Store, writer: Writer
) -> None:
    locker = sqlite3.connect(str(file_store.path), isolation_level=None)
    writer.start()
    locker.execute("BEGIN IMMEDIATE")
    answer = writer.submit(arrival(b"1"))
    assert not writer.stop(0.05)
    assert not answer.done()
    locker.close()
    assert writer.stop(SOON) and answer.result(SOON) == 1


def test_invalid_mail_does_not_affect_the_others(writer: Writer) -> None:
    good = writer.submit(arrival(b"1"))
    bad = writer.submit(Arrival(b"2", "\udc80", ()))
    last = writer.submit(arrival(b"3"))
    writer.start()
    with pytest.raises(UnicodeEncodeError):
        bad.result(SOON)
    assert {good.result(SOON), last.result(SOON)} == {1, 2}


def test_mail_of_a_cancelled_session_is_not_stored(file_store: Store, writer: Writer) -> None:
    gone = writer.submit(arrival(b"1"))
    assert gone.cancel()
    writer.start()
    writer.submit(arrival(b"2")).result(SOON)
    mail = next_new(Post(file_store))
    assert mail is not None and mail.raw == b"2"


def test_stopping_stores_what_was_submitted(file_store: Store, writer: Writer) -> None:
    answers = [writer.submit(arrival(b"%d" % n)) for n in range(1200)]
    writer.start()
    writer.stop()
    assert [answer.result(0) for answer in answers] == list(range(1, 1201))
    with pytest.raises(StoreError, match="stopped"):
        writer.submit(arrival(b"late")).result(0)


def test_writer_refuses_mails_after_its_stop(writer: Writer) -> None:
    """A mail after the end of the queue would never be stored or answered."""
    guard(writer, "_open", lock="_lock")
    writer.start()
    answer = writer.submit(arrival(b"1"))
    assert writer.stop(SOON) and answer.result(0) == 1
    with pytest.raises(StoreError, match="has stopped"):
        writer.submit(arrival(b"2")).result(0)


def test_mails_in_one_commit_are_limited(file_store: Store) -> None:
    told: list[Callable[[], None]] = []
    writer = Writer(file_store, FixedClock(NOW), told.append, most=3)
    answers = [writer.submit(arrival(b"%d" % n)) for n in range(7)]
    writer.start()
    writer.stop()
    for tell in told:
        tell()
    assert len(told) == 3 and [answer.result(0) for answer in answers] == list(range(1, 8))


def test_a_loop_that_is_closed_stops_no_writer(file_store: Store) -> None:
    def raise_closed(news: Callable[[], None]) -> None:
        raise RuntimeError("Event loop is closed")

    writer = Writer(file_store, FixedClock(NOW), raise_closed)
    writer.start()
    writer.submit(arrival(b"1"))
    writer.submit(arrival(b"2"))
    assert writer.stop(SOON)
    assert Post(file_store).get(2) is not None


def test_a_database_that_cannot_be_closed_stops_no_writer(
    file_store: Store, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = 0

    def close(kind: str = "") -> None:
        nonlocal closed
        closed += 1
        raise StoreError("busy")

    monkeypatch.setattr(file_store, "close", close)
    writer.start()
    assert writer.submit(arrival(b"1")).result(SOON) == 1
    assert writer.submit(arrival(b"2")).result(SOON) == 2
    with monkeypatch.context() as patch:
        patch.setattr(file_store, "transaction", close)
        with pytest.raises(StoreError, match="busy"):
            writer.submit(arrival(b"3")).result(SOON)
    assert writer.submit(arrival(b"3")).result(SOON) == 3
    assert writer.stop(SOON) and closed == 3
    monkeypatch.undo()
