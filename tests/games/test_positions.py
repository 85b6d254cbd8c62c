"""Stored positions of Nations and Yorktown: the whole results of each viewer."""

from tests.games.positions import FOLDER, files
from tests.journeys.golden import difference, read_golden


def test_results_of_each_viewer_match_the_golden_files() -> None:
    differs = difference(read_golden(FOLDER), files())
    assert not differs, f"read this, then python -m tests.journeys.golden:\n{differs}"
