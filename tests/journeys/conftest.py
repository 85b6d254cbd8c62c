"""A bench for each test that asks for one."""

from collections.abc import Iterator

import pytest

from tests.journeys.bench import Bench


@pytest.fixture(scope="module")
def begun() -> Iterator[Bench]:
    """A judge in memory, its clock standing still; in some modules people have mailed already."""
    made = Bench()
    yield made
    made.close()


@pytest.fixture
def bench(begun: Bench) -> Iterator[Bench]:
    """The same, for one test alone."""
    made = begun.again()
    yield made
    made.close()
