"""Excused delays in rolled back, exported and transferred games."""

from collections.abc import Iterator

import pytest

from judge.model.record import GameRecord
from tests.journeys.rig import Rig, read_span, text_of

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game for two with two excused delays each: Ann is Austria, Bob France."""
    made = Rig()
    made.mail(GM, "CREATE ?calm gmsecret fva\nSET EXCUSES 2")
    made.mail(ANN, "JOIN calm annsecret\nSET PREFERENCE A")
    made.mail(BOB, "JOIN calm bobsecret\nSET PREFERENCE F")
    yield made
    made.close()


def find_game(rig: Rig, name: str = "calm") -> GameRecord:
    game = rig.application.games.find(name)
    assert game
    return game


def excuse(rig: Rig) -> str:
    return rig.mail(ANN, "SIGNON Acalm annsecret\nEXCUSE")


def says(rig: Rig, line: str, who: str = ANN, seat: str = "Acalm annsecret") -> str:
    rig.boxes.clear()
    rig.mail(who, f"SIGNON {seat}\n{line}")
    return " ".join(text_of(rig.letter(who, "receipt")).split())


def process(rig: Rig) -> None:
    rig.mail(GM, f"SIGNON Mcalm gmsecret\nPROCESS {find_game(rig).phase}")


def test_a_rollback_returns_the_excuse_of_the_phase(rig: Rig) -> None:
    excuse(rig)
    process(rig)
    excuse(rig)
    assert "You have 0 of 2 excused delays left" in says(rig, "STATUS")
    rig.mail(GM, f"SIGNON Mcalm gmsecret\nROLLBACK calm {find_game(rig).phase} TO S1901M")
    assert find_game(rig).phase == "S1901M"
    assert "You have 2 of 2 excused delays left" in says(rig, "STATUS")
    rig.mail(GM, "SIGNON Mcalm gmsecret\nROLLFORWARD calm S1901M TO F1901M")
    assert find_game(rig).phase == "F1901M"
    said = says(rig, "STATUS")
    assert "You have 1 of 2 excused delays left" in said, "that of the phase that is played again"
    assert "Austria takes an excused delay" in says(rig, "EXCUSE")
    assert "You have 0 of 2 excused delays left" in says(rig, "STATUS")


def test_an_excuse_can_be_used_again_in_a_replayed_phase(rig: Rig) -> None:
    excuse(rig)
    process(rig)
    rig.mail(GM, f"SIGNON Mcalm gmsecret\nROLLBACK calm {find_game(rig).phase} TO S1901M")
    assert "Austria takes an excused delay" in says(rig, "EXCUSE")
    assert "You have 1 of 2 excused delays left" in says(rig, "STATUS")


def test_excuses_do_not_count_against_a_player(rig: Rig) -> None:
    excuse(rig)
    rig.mail(ANN, "SIGNON Acalm annsecret\nA Vie H\nA Bud H\nF Tri H")
    rig.mail(BOB, "SIGNON Fcalm bobsecret\nA Par H\nA Mar H\nF Bre H")
    rig.clock.set(rig.clock.now() + read_span("1h"))
    rig.run()
    assert find_game(rig).phase == "F1901M"
    figures = rig.application.context.register.figures(ANN)
    assert (figures.on_time, figures.late, figures.excused) == (1, 0, 1)
    assert (figures.on_time_share, figures.dedication, figures.due) == (100, 3, 1)


def test_a_new_player_has_excuses_of_their_own(rig: Rig) -> None:
    excuse(rig)
    rig.resign(ANN, "SIGNON Acalm annsecret")
    rig.clock.set(rig.clock.now() + read_span("1h"))
    rig.mail("eve@example.org", "TAKEOVER Acalm evesecret")
    mine = says(rig, "STATUS\nEXCUSE", "eve@example.org", "Acalm evesecret")
    assert "You have 2 of 2 excused delays left" in mine
    assert "Austria takes an excused delay" in mine


def test_the_excuse_setting_is_exported_with_the_game(rig: Rig) -> None:
    excuse(rig)
    process(rig)
    rig.mail(GM, "SIGNON Mcalm gmsecret\nTERMINATE calm F1901M")
    rig.mail(GM, "SIGNON Mcalm gmsecret\nIMPORT again calm")
    assert find_game(rig, "again").settings["excuses"] == 2


def test_an_excused_deadline_is_on_an_allowed_day(rig: Rig) -> None:
    rig.mail(GM, "SIGNON Mcalm gmsecret\nSET MOVE DAYS -MTWT--\nSET EXCUSE TIME 30")
    excuse(rig)
    # Thursday noon and 30 hours are Friday evening. The next allowed day is Monday.
    assert str(find_game(rig).deadline)[:10] == "2026-01-12"
