"""What all tests of this room hold to."""

from collections.abc import Iterator

import pytest

from tests.journeys.rig import Rig
from tests.store.wholeness import watched


@pytest.fixture(scope="module", autouse=True)
def wholeness() -> Iterator[None]:
    """What a function of the daemon does in several statements is one transaction."""
    with watched():
        yield


@pytest.fixture
def rig(begun: Rig) -> Iterator[Rig]:
    """What the tests of a module begin with, for one test alone."""
    made = begun.again()
    yield made
    made.close()
