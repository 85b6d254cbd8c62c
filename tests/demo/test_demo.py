"""A short demo: two years by real mail, from CREATE to a draw by vote."""

from judge.demo.run import run_demo


def test_a_game_of_two_years_is_played_by_mail_to_its_end() -> None:
    said: list[str] = []
    figures = run_demo("youngstown", 2, seed=7, say=said.append)
    assert figures.phases >= 6, "two springs, two falls, and builds after each"
    assert figures.refused == 0, "the players order only what their letters allow"
    assert figures.letters > figures.mails
    assert any(line.startswith("F1902M ") for line in said)
    assert "draw" in figures.report
    assert figures.picture.startswith(f"demo-{figures.last_phase}.png, 1")
