"""A judge for each test, copied from the judge of its module."""

from collections.abc import Iterator

import pytest

from tests.journeys.rig import Rig


@pytest.fixture
def rig(begun: Rig) -> Iterator[Rig]:
    """A copy of the module's `begun` judge for one test."""
    made = begun.again()
    yield made
    made.close()
