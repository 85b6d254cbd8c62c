"""What the README tells a newcomer to type works, word for word, against a running judge."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.demo.household import Household

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"(?:^ {4,}\S.*\n(?:^(?: {4,}.*)?\n)*)", re.MULTILINE)


def commands() -> list[str]:
    """Return the shell commands of the README's first game, as they stand there."""
    text = (ROOT / "README.md").read_text("utf-8")
    chapter = text.partition("## A first game, alone")[2].partition("\n## ")[0]
    found = []
    for block in BLOCK.findall(chapter):
        lines = [line.strip() for line in block.strip().splitlines()]
        # Blocks are indented by four under a heading and by eight in a list.
        if lines[0].startswith((".venv/bin/judge", "printf")):
            found.append("\n".join(lines))
    return found


@pytest.fixture
def household(tmp_path: Path) -> Iterator[Household]:
    """A running judge with a folder of its own."""
    with Household(tmp_path) as made:
        yield made


def test_the_first_game_of_the_readme_runs_to_the_end_of_spring_1901(household: Household) -> None:
    """The commands are typed as they stand; only the port and the place of `judge` differ."""
    (household.folder / ".venv").mkdir()
    (household.folder / ".venv/bin").symlink_to(Path(sys.executable).parent)
    said = []
    typed = commands()
    assert len(typed) == 5
    for command in typed:
        command = command.replace("127.0.0.1:2525", household.place)
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=household.folder,
            env=os.environ | household.settings() | {"JUDGE_LISTEN_SMTP": household.place},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}\n{household.log()}"
        said.append(done.stdout)
    made, ordered, processed, report, _ = said
    assert "marco" in made
    for order in ("Army Paris -> Burgundy", "Fleet London -> North Sea"):
        assert order in ordered
    assert "S1901M" in processed
    assert "Movement results for Spring of 1901." in report
    assert "(*bounce*)" in report and "why: " in report
