"""A bench for each test of a module in which one has begun."""

from collections.abc import Iterator

import pytest

from tests.journeys.rig import Rig


@pytest.fixture
def rig(begun: Rig) -> Iterator[Rig]:
    """What the module begins with, for one test alone."""
    made = begun.again()
    yield made
    made.close()
