"""A short demo: years by real mail, from CREATE to the end of the last."""

from pathlib import Path

import pytest

from judge.demo.nations import run_nations
from judge.demo.run import run_demo


@pytest.mark.parametrize("map_name, years, phases", [
    ("standard", 1, 2), pytest.param("youngstown", 2, 5, marks=pytest.mark.deep),
])
def test_a_game_is_played_by_mail_to_its_end(
    map_name: str, years: int, phases: int, tmp_path: Path
) -> None:
    said: list[str] = []
    figures = run_demo(map_name, years, seed=7, say=said.append, keep=tmp_path)
    assert figures.phases >= phases, "a spring and a fall each year, and builds between them"
    assert figures.refused == 0, "the players order only what their letters allow"
    assert figures.letters > figures.mails
    assert any(line.startswith(f"F{1900 + years}M ") for line in said)
    assert "The last year is over" in figures.report and "a bot" in figures.report
    assert figures.picture.startswith(f"demo-{figures.last_phase}.png, 1")
    assert f'src="demo-{figures.last_phase}.png"' in (tmp_path / "letter.html").read_text("utf-8")
    assert (tmp_path / f"demo-{figures.last_phase}.png").stat().st_size > 50_000
    assert "The last year is over" in (tmp_path / "letter.txt").read_text("utf-8")


@pytest.mark.deep
def test_nations_are_played_by_mail_to_their_last_turn(tmp_path: Path) -> None:
    said: list[str] = []
    figures = run_nations(2, seed=7, say=said.append, keep=tmp_path)
    assert (figures.phases, figures.refused, figures.last_phase) == (3, 0, "T3")
    assert "Stagnation" in figures.report
    assert figures.picture.startswith("demo-T3.png, ")
    assert 50_000 < (tmp_path / "demo-T3.png").stat().st_size < 400_000
