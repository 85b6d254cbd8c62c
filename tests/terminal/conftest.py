"""What all tests of this room hold to."""

from collections.abc import Iterator

import pytest

from tests.store.wholeness import watched


@pytest.fixture(autouse=True)
def wholeness() -> Iterator[None]:
    """What is done from a terminal, beside a judge that works, is one transaction."""
    with watched():
        yield
