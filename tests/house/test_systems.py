"""What all games share is no single game's: no clock of Diplomacy's is known outside of it."""

import ast
import re
from pathlib import Path

import pytest

from judge.games import find_system
from tests.house.syntax import nodes_of

ROOT = Path(__file__).parents[2]
OWN = (ROOT / "judge/games/diplomacy", ROOT / "judge/demo")
"""The game itself, and a demonstration of it."""
SHARED = [
    file for file in sorted((ROOT / "judge").rglob("*.py"))
    if not any(file.is_relative_to(own) for own in OWN)
]
CLOCKS = find_system("diplomacy").clocks


def of_room(file: Path) -> str:
    """Return what a test of a file is called."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("file", SHARED, ids=of_room)
def test_no_clock_of_a_game_is_tested_for(file: Path) -> None:
    for node in nodes_of(file):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            clock = any(isinstance(each, ast.Attribute) and each.attr == "clock" for each in sides)
            texts = {type(leaf.value) for side in sides for leaf in ast.walk(side)
                     if isinstance(leaf, ast.Constant)}
            assert not (clock and str in texts), ast.unparse(node)


@pytest.mark.parametrize("file", SHARED, ids=of_room)
def test_no_setting_of_a_clock_is_named(file: Path) -> None:
    names = "|".join(kind.name for kind in CLOCKS)
    named = re.compile(rf"(?:{names})\.(?:next|min|clock|days|grace|delay)?")
    for node in nodes_of(file):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not named.fullmatch(node.value), node.value


@pytest.mark.parametrize("path", sorted((ROOT / "mailtemplates/common").rglob("*.txt")),
                         ids=lambda path: path.stem)
def test_no_letter_asks_which_clock_of_a_game_runs(path: Path) -> None:
    for kind in CLOCKS:
        assert f'"{kind.name}"' not in path.read_text("utf-8")
