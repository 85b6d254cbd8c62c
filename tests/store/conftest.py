"""Stores for the tests: one in memory, one in a file."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from judge.errors import StoreLost
from judge.model.clock_state import ClockState
from judge.model.record import GameRecord, GameState
from judge.store.database import Store
from tests.store.wholeness import watch_transactions

START = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def wholeness() -> Iterator[None]:
    """Check that a store function runs several statements in one transaction."""
    with watch_transactions():
        yield


@pytest.fixture
def store() -> Iterator[Store]:
    """A fresh store in memory."""
    fresh = Store("sqlite:///:memory:")
    fresh.open(create=True)
    yield fresh
    fresh.close()


@pytest.fixture
def wakeups(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Wake-up messages announced by the store in memory."""
    found: list[str] = []
    monkeypatch.setattr(store, "announce", found.append)
    return found


@pytest.fixture
def file_store(tmp_path: Path) -> Iterator[Store]:
    """A fresh store in a file, for tests with several threads or connections."""
    fresh = Store(f"sqlite:///{tmp_path}/var/judge.sqlite3")
    fresh.open(create=True)
    yield fresh
    # A test may have removed the files.
    with suppress(StoreLost):
        fresh.close()


@pytest.fixture
def marco() -> GameRecord:
    """A running game, not stored yet."""
    return GameRecord(
        id=0, name="marco", system="diplomacy", map="youngstown", state=GameState.RUNNING,
        phase="S1901M", turn=1, position="P0", settings={"gunboat": True, "next": [48, "h"]},
        seed=bytes(32), created=START, started=START, due=START, clock=ClockState(put_off="ä"),
    )


@pytest.fixture
def plans(store: Store) -> Callable[[Callable[[], object]], list[str]]:
    """Function that returns the query plan of each statement of some work."""
    connection: Any = cast(Any, store.database).connection()

    def plans_of(work: Callable[[], object]) -> list[str]:
        seen: list[str] = []
        connection.set_trace_callback(seen.append)
        work()
        connection.set_trace_callback(None)
        found = [connection.execute("EXPLAIN QUERY PLAN " + one).fetchall() for one in seen]
        return [", ".join(str(step[3]) for step in plan) for plan in found]

    return plans_of
