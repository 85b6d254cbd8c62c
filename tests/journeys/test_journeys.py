"""All journey files in this folder, played."""

from pathlib import Path

import pytest

from tests.journeys.pages import has_telling_subject
from tests.journeys.postal import PostalBench
from tests.journeys.rig import Rig, walk

HERE = Path(__file__).parent
JOURNEYS = sorted(HERE.glob("*.txt"))
BY_POST = (
    "first_game", "joining", "orders", "later", "clock", "votes", "history", "press", "replies",
    "observers", "masters", "rollback", "export", "maps",
)
"""A journey of each group of commands that is also played by SMTP and Maildir."""


class Reader(Rig):
    """Rig that checks the subject of every letter."""

    def put(self, address: str, message: bytes) -> None:
        """Put a letter into its box."""
        super().put(address, message)
        subject = str(self.newest[address]["Subject"])
        assert has_telling_subject(subject), subject


@pytest.mark.parametrize("file", JOURNEYS, ids=lambda file: file.stem)
def test_a_journey_has_its_expected_steps(file: Path) -> None:
    walk(file, Reader)


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_POST)
def test_a_journey_has_the_same_steps_by_smtp(name: str, tmp_path: Path) -> None:
    walk(HERE / f"{name}.txt", lambda config: PostalBench(config, tmp_path))
