"""Lookup of game systems: lazy import of declared entry points."""

import subprocess
import sys

import pytest

from judge import plugins
from judge.games import all_systems, find_system, is_installed


@pytest.mark.parametrize("words", [("--version",), ("inbox",), ("queue",)])
def test_commands_without_a_game_import_no_system(words: tuple[str, ...], tmp_path: object) -> None:
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "judge", *words],
        capture_output=True, text=True, cwd=str(tmp_path), check=False,
    )
    assert "import time:" in told.stderr
    assert "judge.games.diplomacy" not in told.stderr


def test_bundled_games_are_found_by_entry_points() -> None:
    points = plugins.entry_points_by_name()
    assert points["diplomacy"].value == "judge.games.diplomacy:SYSTEM"
    assert {system.name for system in all_systems()} <= points.keys()
    assert find_system("diplomacy").texts == plugins.texts_of("diplomacy")


def test_a_system_is_imported_on_first_use() -> None:
    code = "import sys, judge.games as g; print('judge.games.diplomacy' in sys.modules)\n" \
        "g.find_system('diplomacy'); print('judge.games.diplomacy' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", "True"]


def test_a_missing_system_has_a_placeholder() -> None:
    assert not is_installed("halma")
    missing = find_system("halma")
    assert missing.maps()["anything"] == "anything" and missing.powers("anything", {}) == ()
    assert plugins.texts_of("halma") is None
