"""Digits are ASCII digits, tested by `judge.digits` alone or as `[0-9]`."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.syntax import nodes_of

ROOT = Path(__file__).parents[2]
ASKS = frozenset({"isdigit", "isdecimal", "isnumeric"})
RECOGNISED = "judge/mail/inbound/quote_patterns.py"
"""File of patterns of dates in any script, of which no number is ever read."""
LETTER = r"[^\W\d_"
"""Start of a pattern for "a letter of any script"."""
READERS = ("judge/mail/", "judge/play/")
"""Packages that read numbers people write.

Games get them from the grammar, or compute them.
"""
COMPUTED = frozenset({"judge/mail/inbound/embedded_bodies.py", "judge/play/rating.py"})
"""Modules that give `int` and `float` numbers, or matches of a pattern."""
FILES = [
    str(path.relative_to(ROOT))
    for pattern in ("judge/**/*.py", "mapmaking/**/*.py") for path in sorted(ROOT.glob(pattern))
    if str(path.relative_to(ROOT)) != "judge/digits.py"
]


def nodes() -> Iterator[tuple[str, ast.AST]]:
    """Yield all nodes of the code, with the name of their file."""
    for name in FILES:
        for node in nodes_of(ROOT / name):
            yield name, node


@pytest.mark.slow
def test_no_module_tests_digits_by_itself() -> None:
    assert not [
        f"{name}:{node.lineno}" for name, node in nodes()
        if isinstance(node, ast.Attribute) and node.attr in ASKS
    ], "judge.digits.is_number"


@pytest.mark.slow
def test_patterns_name_the_ascii_digits() -> None:
    assert not [
        f"{name}:{node.lineno}" for name, node in nodes()
        if name != RECOGNISED and isinstance(node, ast.Constant) and isinstance(node.value, str)
        and re.search(r"\\d", node.value.replace(LETTER, ""), re.IGNORECASE)
    ], "[0-9]"


def test_grammars_name_the_ascii_digits() -> None:
    for grammar in (ROOT / "grammar").glob("*.lark"):
        assert "\\d" not in grammar.read_text("utf-8"), grammar.name


@pytest.mark.slow
def test_user_input_is_checked_before_it_is_read_as_a_number() -> None:
    """A number may come from a pattern or the grammar, or be checked by `is_number`."""
    assert not [
        f"{name}:{call.lineno}" for name, node in nodes()
        if name.startswith(READERS) and name not in COMPUTED and isinstance(node, ast.FunctionDef)
        for call in find_unchecked_calls(node)
    ], "judge.digits.is_number"


def find_unchecked_calls(scope: ast.FunctionDef) -> Iterator[ast.Call]:
    """Yield the calls of int and float in a function on unchecked texts."""
    found = calls(scope)
    asked = {ast.dump(call.args[0]) for call in found["is_number"] if call.args}
    tokens = {
        each.arg for each in scope.args.args
        if isinstance(each.annotation, ast.Name) and each.annotation.id in ("Token", "Typed")
    }
    for call in (*found["int"], *found["float"]):
        match call.args:
            case [ast.Name(id=word)] if word not in tokens and ast.dump(call.args[0]) not in asked:
                yield call
            case [ast.Attribute()] if ast.dump(call.args[0]) not in asked:
                yield call


def calls(scope: ast.AST) -> defaultdict[str, list[ast.Call]]:
    """Return the calls in a function by the called name."""
    found = defaultdict[str, list[ast.Call]](list)
    for node in ast.walk(scope):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found[node.func.id].append(node)
    return found
