"""A short demo: years by real mail, from CREATE to the end of the last."""

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.demo import play
from judge.demo.judge_process import DemoFault, Mailroom
from judge.demo.play import DemoPlayer, run_demo
from judge.games import find_map


@pytest.mark.slow
@pytest.mark.parametrize("map_name, last, words", [
    ("standard", "1902", "The last year, 1902, is over"),
    ("nations1940", "T2", "Stagnation"),
    ("yorktown", "M", "has won"),
])
def test_demo_plays_by_mail_to_the_end(
    map_name: str, last: str, words: str, tmp_path: Path
) -> None:
    said: list[str] = []
    (tmp_path / "demo-T9.png").touch()
    figures = run_demo(map_name, years=2, turns=2, seed=7, say=said.append, keep=tmp_path)
    assert not (tmp_path / "demo-T9.png").exists(), "the picture of an earlier game"
    assert figures.letters > figures.mails > figures.phases > 2
    assert last in said[-2].split()[0]
    assert words in figures.report and "a bot" in figures.report
    picture, _, size = figures.picture.partition(", ")
    assert picture.startswith(f"demo-{figures.last_phase}") and size.endswith(" kB")
    assert f'src="{picture}"' in (tmp_path / "letter.html").read_text("utf-8")
    assert (tmp_path / picture).stat().st_size > 50_000
    # A siege can be won before its last day. Its board then comes by MAP.
    is_early = "the reply to MAP" in said[-1]
    assert is_early or words in (tmp_path / "letter.txt").read_text("utf-8")


@pytest.mark.slow
def test_game_that_ends_early_still_shows_its_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit, _ = play._last_phases(find_map("yorktown"), "yorktown", 1, 2)
    monkeypatch.setattr(play, "_last_phases", lambda *_: (limit, "never"))
    figures = run_demo("yorktown", years=1, turns=2, seed=7, say=print, keep=tmp_path)
    assert "has won" in figures.report
    assert figures.picture.startswith(f"demo-{figures.last_phase}")


@pytest.mark.slow
def test_players_without_orders_end_the_phase(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """READY alone in a new mail does not count when a phase has just begun."""
    monkeypatch.setattr(play.DemoGame, "_orders", lambda *_: ["READY"])
    figures = run_demo("nations1940", years=2, turns=2, seed=7, say=print, keep=tmp_path)
    assert figures.phases > 2


def test_demo_refuses_an_unknown_map(tmp_path: Path) -> None:
    with pytest.raises(DemoFault, match="there is no map 'atlantis'"):
        run_demo("atlantis", years=1, turns=1, seed=1, say=print, keep=tmp_path)


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
    text = "Not done:\n\n  MOVE 9 #20 -> #21\n    E-COUNT  only 3 armies\n"
    with pytest.raises(DemoFault, match="MOVE 9 #20 -> #21\nREADY[^|]*only 3 armies"):
        DemoPlayer("ann@example.org", "secret").sign_on(
            OneAnswer(text), "U", "MOVE 9 #20 -> #21", "READY"
        )
    DemoPlayer("ann@example.org", "secret").sign_on(OneAnswer("On file."), "U", "HOLD #20")
