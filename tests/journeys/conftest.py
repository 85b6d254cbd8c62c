"""A bench for each test that asks for one."""

from collections.abc import Iterator

import pytest

from tests.journeys.bench import Bench


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A judge in memory, its clock standing still."""
    made = Bench()
    yield made
    made.close()
