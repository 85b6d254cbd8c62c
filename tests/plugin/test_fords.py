"""A game system in a package of its own, played by mail: `tests/plugin/fords`.

It is the game that `docs/build/systems.md` builds, file by file. Features without a place in that
tutorial or in the judge's games are in `tests/race`.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.games import all_systems, broken_systems, find_map, find_system
from judge.games.contract import check_all_options
from judge.terminal import checking
from judge.terminal.checking import faulty_systems
from tests.journeys.rig import walk
from tests.plugin.fords_installed import FORDS, install_system

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(autouse=True, scope="module")
def fords(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Install the system for every test of this module."""
    with install_system(tmp_path_factory.mktemp("installed")):
        yield


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(HERE.glob("journeys/*.txt")), ids=lambda file: file.stem)
def test_fords_is_played_by_mail(file: Path) -> None:
    walk(file)


def test_fords_keeps_the_contract() -> None:
    system = find_map("fords")
    assert system is not None and system is find_system("fords")
    assert not broken_systems()
    assert [*check_all_options(system)] == []


SPOILT = (
    ("texts/phrases.tsv", "river-in-turn\t", "river-at\t", "no sentence for"),
    ("texts/phrases.tsv", "clock-turn\t", "clock-turns\t", "no sentence for"),
    ("texts/river.txt", "camp.left", "camp.gone", "has no attribute 'gone'"),
    ("texts/river.txt", "{% endfor %}", "", "endfor"),
    ("table.py", "alive()})", "alive()}) - {*CAMPS}", "nobody has anything to decide"),
    ("table.py", "if owes else ()", "if not owes else ()", "is due and misses nothing"),
    ("table.py", 'else "PASS"', "else None", "are final before there are any"),
    ("table.py", "river.turn + 1", "river.turn", "T1 follows T1"),
    ("table.py", "record = {", "record = {'now': id(after), ", "different results"),
    ("river.py", '"camp": TROOPS', '"home": TROOPS', "cannot be told"),
    ("__init__.py", "def turn", "def turned", "cannot be imported"),
    ("texts/mine.txt", "", "{{ piece.facts }}", "mine.txt takes the place of one of the judge's"),
)


@pytest.mark.parametrize(("file", "was", "now", "why"), SPOILT)
def test_defect_of_a_system_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, was: str, now: str, why: str
) -> None:
    copy, place = tmp_path / "copy", tmp_path / "spoilt"
    place.mkdir()
    shutil.copytree(FORDS, copy)
    spoilt = copy / "judge_fords" / file
    text = spoilt.read_text("utf-8") if spoilt.exists() else ""
    assert was in text
    spoilt.write_text(text.replace(was, now, 1) if was else now, "utf-8")
    with install_system(place, source=copy):
        # The other systems are checked in other tests.
        alone = tuple(system for system in all_systems() if system.name == "fords")
        monkeypatch.setattr(checking, "all_systems", lambda: alone)
        said = [*faulty_systems()]
        assert any(why in line for line in said), said


@pytest.mark.parametrize("folder", ["judge", "grammar", "mailtemplates"])
def test_judge_does_not_name_fords(folder: str) -> None:
    texts = [file for file in (ROOT / folder).rglob("*") if file.is_file()]
    assert texts
    naming = [file for file in texts if b"fords" in file.read_bytes().lower()]
    assert not [file for file in naming if file.suffix != ".pyc"]


WRITTEN = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""Pattern of a file in the tutorial: its name and contents."""


def test_tutorial_contains_every_file_unchanged() -> None:
    shown = dict(WRITTEN.findall((ROOT / "docs/build/systems.md").read_text("utf-8")))
    assert "pyproject.toml" in shown
    files = [each for each in FORDS.rglob("*.*") if each.is_file() and each.suffix != ".pyc"]
    assert shown == {str(each.relative_to(FORDS)): each.read_text("utf-8") for each in files}
