"""A game system that is a package of its own, played by mail: `tests/plugin/fords`."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.games import broken, find_map, find_system
from judge.games.contract import look_closely
from tests.journeys.rig import walk
from tests.plugin.fords_installed import FORDS, installed

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(autouse=True)
def fords(tmp_path: Path) -> Iterator[None]:
    """Have the system installed in every test of this file."""
    with installed(tmp_path):
        yield


@pytest.mark.parametrize("file", sorted(HERE.glob("journeys/*.txt")), ids=lambda file: file.stem)
def test_it_is_played_by_mail(file: Path) -> None:
    walk(file)


def test_it_keeps_the_contract() -> None:
    system = find_map("fords")
    assert system is not None and system is find_system("fords")
    assert not broken()
    assert [*look_closely(system)] == []


@pytest.mark.parametrize("folder", ["judge", "grammar", "mailtemplates"])
def test_nothing_of_the_judge_names_it(folder: str) -> None:
    texts = [file for file in (ROOT / folder).rglob("*") if file.is_file()]
    assert texts
    naming = [file for file in texts if b"fords" in file.read_bytes().lower()]
    assert not [file for file in naming if file.suffix != ".pyc"]


WRITTEN = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A file in the tutorial: its name, and what stands in it."""


def test_the_tutorial_has_every_file_as_it_is() -> None:
    shown = dict(WRITTEN.findall((ROOT / "docs/systems.md").read_text("utf-8")))
    assert "pyproject.toml" in shown
    files = [each for each in FORDS.rglob("*.*") if each.is_file() and each.suffix != ".pyc"]
    assert shown == {str(each.relative_to(FORDS)): each.read_text("utf-8") for each in files}
