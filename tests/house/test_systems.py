"""Shared code is independent of the clocks and phases of Diplomacy."""

import ast
import re
from pathlib import Path

import pytest

from judge.games import find_system
from tests.house.syntax import nodes_of

ROOT = Path(__file__).parents[2]
OWN = tuple(ROOT / "judge" / room for room in ("games/diplomacy", "board", "demo", "diplomacy"))
"""Code of the game, its boards, a demonstration, and the library of its rules."""
SHARED = [
    file for file in sorted((ROOT / "judge").rglob("*.py"))
    if not any(file.is_relative_to(own) for own in OWN)
]
CLOCKS = find_system("diplomacy").clocks


def of_room(file: Path) -> str:
    """Return the test id of a file."""
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


@pytest.mark.parametrize(
    "path", sorted((ROOT / "mailtemplates/common").rglob("*.txt")), ids=lambda path: path.stem
)
def test_no_letter_asks_which_clock_of_a_game_runs(path: Path) -> None:
    for kind in CLOCKS:
        assert f'"{kind.name}"' not in path.read_text("utf-8")


@pytest.mark.parametrize("file", SHARED, ids=of_room)
def test_patterns_contain_no_phase_names_of_a_game(file: Path) -> None:
    told = {id(node.value) for node in nodes_of(file) if isinstance(node, ast.Expr)}
    for node in nodes_of(file):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert id(node) in told or not _SEASONS.search(node.value), node.value
        elif isinstance(node, ast.ImportFrom):
            assert "parse_phase" not in {each.name for each in node.names}


_SEASONS = re.compile(r"\[sfw?\]|(?:spring|autumn|winter)\)?\||\|\(?(?:spring|autumn|winter)", re.I)


def test_the_grammar_of_mails_knows_no_phases() -> None:
    grammar = (ROOT / "grammar/mail.lark").read_text("utf-8")
    rules = re.sub(r"//.*", "", grammar)
    assert not re.search("spring|fall|winter|autumn|movement", rules, re.I)
