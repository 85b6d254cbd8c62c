"""Code rules that no linter checks: file sizes, names of systems, libraries.

The contracts of import-linter and the rules of ruff are in pyproject.toml (`make lint`).
"""

import ast
import configparser
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.house.syntax import nodes_of

ROOT = Path(__file__).parents[2]
FILES = {
    ".".join(file.relative_to(home.parent).with_suffix("").parts).removesuffix(".__init__"): file
    for home in (ROOT / "judge", ROOT / "mapmaking/judge_maps")
    for file in sorted(home.rglob("*.py"))
}
"""Modules of the judge and of the tool for maps, from dotted name to file."""

CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
LIBRARIES = frozenset(
    library
    for contract in CONTRACTS["contracts"]
    if contract["name"] == "Each library is imported by one module"
    for library in contract["forbidden_modules"]
)
"""Libraries whose importing modules are listed in the contract."""

PACKAGES = {
    "argon2-cffi": "argon2",
    "beautifulsoup4": "bs4",
    "flufl.bounce": "flufl",
    "pillow": "PIL",
}
"""Distributions whose module has another name."""

SYSTEMS = sorted(p.name for p in (ROOT / "judge/games").iterdir() if (p / "__init__.py").exists())
SYSTEM_MODULES = [
    "judge.games.{system}*",
    "judge.demo.*",
    "judge.diplomacy*",
    "judge.terminal.adjudicating",
]
"""Modules that may name a game system.

They are its own, and those of the tool for one system.
"""

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 50


def texts_of(module: str) -> Iterator[str]:
    """Yield the text constants of a module, without docstrings."""
    nodes = nodes_of(FILES[module])
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in docstrings:
                yield node.value


def test_files_and_functions_are_small() -> None:
    for module, file in FILES.items():
        assert file.read_text("utf-8").count("\n") <= MAX_FILE_LINES, module
        for node in nodes_of(file):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                assert lines <= MAX_FUNCTION_LINES, f"{module}.{node.name}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_game_systems_are_named_in_their_own_modules(system: str) -> None:
    homes = [pattern.format(system=system) for pattern in SYSTEM_MODULES]
    for module in FILES:
        if not any(fnmatchcase(module, home) for home in homes):
            assert system not in set(texts_of(module)), module


@pytest.mark.parametrize("folder", [".", "mapmaking"])
def test_libraries_of_setup_cfg_have_a_contract(folder: str) -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / folder / "setup.cfg")
    lines = setup["options"]["install_requires"].splitlines()
    wanted = {re.split(r"[<>=]", line)[0] for line in lines if line and not line.startswith("#")}
    assert wanted
    assert {PACKAGES.get(name, name) for name in wanted - {"postal-judge"}} <= LIBRARIES


def test_only_the_command_line_reads_from_the_terminal() -> None:
    for module, file in FILES.items():
        for node in nodes_of(file):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "input" or module.startswith("judge.cli."), module


def test_no_path_leaves_the_checkout() -> None:
    for module in FILES:
        assert not [text for text in texts_of(module) if text.startswith("..")], module
