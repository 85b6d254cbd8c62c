"""Every journey file beside this one is walked."""

from pathlib import Path

import pytest

from tests.journeys.bench import walk

JOURNEYS = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("file", JOURNEYS, ids=lambda file: file.stem)
def test_a_journey_ends_as_it_is_told(file: Path) -> None:
    walk(file)
