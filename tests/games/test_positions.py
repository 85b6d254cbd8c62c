"""Written positions of Nations and Yorktown: what each reader is told of them, whole."""

from tests.games.positions import FOLDER, files
from tests.journeys.golden import difference, stored


def test_what_readers_are_told_is_as_written() -> None:
    differs = difference(stored(FOLDER), files())
    assert not differs, f"read this, then python -m tests.journeys.golden:\n{differs}"
