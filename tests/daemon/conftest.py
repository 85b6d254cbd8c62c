"""What all tests of this room hold to."""

from collections.abc import Iterator

import pytest

from tests.store.wholeness import watched


@pytest.fixture(autouse=True)
def wholeness() -> Iterator[None]:
    """What a function of the daemon does in several statements is one transaction."""
    with watched():
        yield
