"""Fixtures of the journeys: a judge for each test."""

from collections.abc import Iterator

import pytest

from tests.journeys.rig import Rig


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge in memory with a fixed clock. Some modules have a begun game instead."""
    made = Rig()
    yield made
    made.close()


@pytest.fixture
def rig(begun: Rig) -> Iterator[Rig]:
    """A copy of `begun` for one test."""
    made = begun.again()
    yield made
    made.close()
