"""Every journey file beside this one is walked."""

from pathlib import Path

import pytest

from tests.journeys.postal import PostalBench
from tests.journeys.rig import walk

JOURNEYS = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("file", JOURNEYS, ids=lambda file: file.stem)
def test_a_journey_ends_as_it_is_told(file: Path) -> None:
    walk(file)


BY_POST = (
    "first_game", "joining", "orders", "later", "clock", "votes", "history", "press", "replies",
    "observers", "masters", "rollback", "export", "maps",
)
"""A journey of each group of commands that is walked by real SMTP and Maildir as well."""


@pytest.mark.parametrize("name", BY_POST)
def test_a_journey_ends_the_same_by_post(name: str, tmp_path: Path) -> None:
    file = Path(__file__).parent / f"{name}.txt"
    walk(file, lambda config: PostalBench(config, tmp_path))
