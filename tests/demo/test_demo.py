"""A short demo: years by real mail, from CREATE to the end of the last."""

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.demo.mailroom import DemoFault, Mailroom
from judge.demo.nations import run_nations
from judge.demo.run import run_demo
from judge.demo.table import Person


@pytest.mark.parametrize("map_name, years, phases", [
    pytest.param("standard", 1, 2, marks=pytest.mark.slow),
    pytest.param("youngstown", 2, 5, marks=pytest.mark.slow),
])
def test_a_game_is_played_by_mail_to_its_end(
    map_name: str, years: int, phases: int, tmp_path: Path
) -> None:
    said: list[str] = []
    (tmp_path / "demo-T9.png").touch()
    figures = run_demo(map_name, years, seed=7, say=said.append, keep=tmp_path)
    assert not (tmp_path / "demo-T9.png").exists(), "the picture of an earlier game"
    assert figures.phases >= phases, "a spring and a fall each year, and builds between them"
    assert figures.letters > figures.mails
    assert any(line.startswith(f"F{1900 + years}M ") for line in said)
    assert "The last year is over" in figures.report and "a bot" in figures.report
    assert figures.picture.startswith(f"demo-{figures.last_phase}.png, 1")
    assert f'src="demo-{figures.last_phase}.png"' in (tmp_path / "letter.html").read_text("utf-8")
    assert (tmp_path / f"demo-{figures.last_phase}.png").stat().st_size > 50_000
    assert "The last year is over" in (tmp_path / "letter.txt").read_text("utf-8")


@pytest.mark.slow
def test_nations_are_played_by_mail_to_their_last_turn(tmp_path: Path) -> None:
    said: list[str] = []
    figures = run_nations(2, seed=7, say=said.append, keep=tmp_path)
    assert (figures.phases, figures.last_phase) == (3, "T3")
    assert "Stagnation" in figures.report
    assert figures.picture.startswith("demo-T3.png, ")
    assert 50_000 < (tmp_path / "demo-T3.png").stat().st_size < 400_000


class OneAnswer(Mailroom):
    """A judge that gives the same answer to every mail."""

    def __init__(self, text: str) -> None:
        self._waiting = {}
        self.answer = EmailMessage()
        self.answer["In-Reply-To"] = "<1@demo.example>"
        self.answer.set_content(text)

    def send(self, sender: str, to: str, subject: str, text: str, answers: str = "") -> str:
        """Send nothing."""
        return "<1@demo.example>"

    def next_letter(
        self, address: str, wanted: Callable[[EmailMessage], bool], patience: float
    ) -> EmailMessage | None:
        """Return the answer."""
        return self.answer if wanted(self.answer) else None


def test_refusal_stops_the_demo_at_once() -> None:
    text = "This was not carried out:\n\n  MOVE 9 #20 -> #21\n    E-COUNT  only 3 armies\n"
    with pytest.raises(DemoFault, match="MOVE 9 #20 -> #21\nREADY[^|]*only 3 armies"):
        Person("ann@example.org", "secret").signed(
            OneAnswer(text), "U", "MOVE 9 #20 -> #21", "READY"
        )
    Person("ann@example.org", "secret").signed(OneAnswer("On file."), "U", "HOLD #20")
