"""What all tests of this room hold to."""

from collections.abc import Iterator

import pytest

from tests.journeys.bench import Bench
from tests.store.wholeness import watched


@pytest.fixture(scope="module", autouse=True)
def wholeness() -> Iterator[None]:
    """What a function of the daemon does in several statements is one transaction."""
    with watched():
        yield


@pytest.fixture
def bench(begun: Bench) -> Iterator[Bench]:
    """What the tests of a module begin with, for one test alone."""
    made = begun.again()
    yield made
    made.close()
