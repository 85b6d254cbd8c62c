"""Stores for the tests of this room: one in memory, one in a file."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from judge.errors import StoreLost
from judge.model.clockstate import ClockState
from judge.model.record import GameRecord, GameState
from judge.store.database import Store
from tests.store.wholeness import watched

START = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def wholeness() -> Iterator[None]:
    """What a function of the store does in several statements is one transaction."""
    with watched():
        yield


@pytest.fixture
def store() -> Iterator[Store]:
    """A fresh store in memory."""
    fresh = Store("sqlite:///:memory:")
    fresh.open(create=True)
    yield fresh
    fresh.close()


@pytest.fixture
def told(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What other processes are told of the store in memory."""
    found: list[str] = []
    monkeypatch.setattr(store, "announce", found.append)
    return found


@pytest.fixture
def file_store(tmp_path: Path) -> Iterator[Store]:
    """A fresh store in a file, for tests with several threads or connections."""
    fresh = Store(f"sqlite:///{tmp_path}/var/judge.sqlite3")
    fresh.open(create=True)
    yield fresh
    # A test may have taken the files away.
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
    """Tells how the database goes about each statement of some work."""
    connection: Any = cast(Any, store.database).connection()

    def plans_of(work: Callable[[], object]) -> list[str]:
        seen: list[str] = []
        connection.set_trace_callback(seen.append)
        work()
        connection.set_trace_callback(None)
        found = [connection.execute("EXPLAIN QUERY PLAN " + one).fetchall() for one in seen]
        return [", ".join(str(step[3]) for step in plan) for plan in found]

    return plans_of
