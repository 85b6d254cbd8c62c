"""Fixtures of the daemon tests."""

from collections.abc import Iterator

import pytest

from tests.journeys.rig import Rig
from tests.store.wholeness import watch_transactions


@pytest.fixture(scope="module", autouse=True)
def wholeness() -> Iterator[None]:
    """Check that a daemon function runs several statements in one transaction."""
    with watch_transactions():
        yield


@pytest.fixture
def rig(begun: Rig) -> Iterator[Rig]:
    """Copy of the module's rig for one test."""
    made = begun.again()
    yield made
    made.close()
