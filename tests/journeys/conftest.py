"""A bench for each test that asks for one."""

from collections.abc import Iterator

import pytest

from tests.journeys.rig import Rig


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge in memory, its clock standing still; in some modules people have mailed already."""
    made = Rig()
    yield made
    made.close()


@pytest.fixture
def rig(begun: Rig) -> Iterator[Rig]:
    """The same, for one test alone."""
    made = begun.again()
    yield made
    made.close()
