"""The first game of the README works exactly as written, with a running judge."""

import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.demo.judge_process import JudgeProcess

ROOT = Path(__file__).parents[2]


def commands() -> list[str]:
    """Return the unchanged shell commands of the README's first game."""
    text = (ROOT / "README.md").read_text("utf-8")
    chapter = text.partition("## A first game, alone")[2].partition("\n## ")[0]
    paragraphs = [textwrap.dedent(block).strip("\n") for block in chapter.split("\n\n")]
    return [block for block in paragraphs if block.startswith((".venv/bin/judge", "printf"))]


@pytest.fixture
def household(tmp_path: Path) -> Iterator[JudgeProcess]:
    """A running judge with a folder of its own."""
    with JudgeProcess(tmp_path) as made:
        yield made


@pytest.mark.slow
def test_the_first_game_of_the_readme_is_played_against_bots(household: JudgeProcess) -> None:
    """The commands are unchanged except for the port and the path of `judge`."""
    (household.folder / ".venv").mkdir()
    (household.folder / ".venv/bin").symlink_to(Path(sys.executable).parent)
    said = []
    typed = commands()
    assert len(typed) == 4
    has_curl = shutil.which("curl") is not None
    for command in typed if has_curl else typed[:-1]:
        command = command.replace("127.0.0.1:2525", household.place)
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=household.folder,
            env=os.environ | household.settings() | {"JUDGE_LISTEN_SMTP": household.place},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}\n{household.log()}"
        said.append(done.stdout)
    made, ordered, asked = said[:3]
    assert "Welcome to 'marco'. You are France." in made and "Turkey: a bot" in made
    for order in ("Army Paris -> Burgundy", "Fleet Brest -> Mid-Atlantic Ocean"):
        assert order in ordered
    assert "Movement results for Spring of 1901." in ordered
    assert "Fleet Mid-Atlantic Ocean -> Portugal." in asked and "A SPA - MAR" in asked
    if has_curl:
        assert "Played by bots: Austria" in until_told(household)


def until_told(household: JudgeProcess) -> str:
    """Return the newest letter once the mail of curl is answered."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        files = sorted((household.outbox / "new").iterdir(), key=lambda file: file.name)
        if "STATUS" in (text := files[-1].read_text("utf-8")):
            return text
        time.sleep(0.05)
    return ""
