"""Rollbacks: effects of older letters, statistics and identical results."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.model.record import Turn
from tests.journeys.rig import Rig, squeeze_text, text_of

ANN, GM = "ann@example.org", "gm@example.org"
MASTER = "SIGNON Mback gmsecret\n"
FRENCH = "SIGNON Fback annsecret\n"


@pytest.fixture(scope="module")
def vacant() -> Iterator[Rig]:
    """A game on the standard map without players."""
    made = Rig()
    made.mail(GM, "CREATE ?back gmsecret standard\nSTART")
    yield made
    made.close()


@pytest.fixture(scope="module")
def begun(vacant: Rig) -> Iterator[Rig]:
    """The game with Ann as France."""
    made = vacant.again()
    made.mail(ANN, "TAKEOVER Fback annsecret")
    yield made
    made.close()


def turns(rig: Rig) -> list[Turn]:
    game = rig.application.games.find("back")
    assert game
    return rig.application.games.turns(game.id)


def phase(rig: Rig) -> str:
    game = rig.application.games.find("back")
    assert game
    return game.phase


def play(rig: Rig, orders: str) -> None:
    """File orders and adjudicate the phase."""
    rig.mail(GM, f"{MASTER}{orders}\nPROCESS {phase(rig)}")


def turn_back(rig: Rig, to: str, more: str = "") -> None:
    rig.mail(GM, f"{MASTER}ROLLBACK back {phase(rig)} TO {to} {more}")


def test_a_reply_to_a_rolled_back_turn_orders_nothing(rig: Rig) -> None:
    first = rig.newest[ANN]
    play(rig, "A Par - Bur")
    undone = rig.newest[ANN]
    turn_back(rig, "S1901M")
    after = rig.newest[ANN]
    for letter in (first, undone):
        rig.reply(ANN, "A Mar - Spa", letter)
        assert "changed the position after the letter" in squeeze_text(text_of(rig.newest[ANN]))
    rig.reply(ANN, "A Par - Pic", after)
    assert "France: Army Paris -> Picardy." in text_of(rig.newest[ANN])
    play(rig, "A Mun H")
    again = rig.newest[ANN]
    rig.reply(ANN, "A Mar - Spa", undone)
    assert "changed the position after the letter" in squeeze_text(text_of(rig.newest[ANN]))
    rig.reply(ANN, "A Mar - Spa", again)
    assert "France: Army Marseilles -> Spain." in text_of(rig.newest[ANN])


def test_a_rolled_back_phase_counts_only_after_a_rollforward(rig: Rig) -> None:
    def figures() -> tuple[int, int]:
        found = rig.application.context.register.figures(ANN)
        return found.on_time, found.missed

    rig.mail(ANN, f"{FRENCH}A Par - Bur\nA Mar H\nF Bre H")
    assert figures() == (1, 0) and phase(rig) == "F1901M"
    for _ in range(2):
        rig.clock.advance(hours=73)
        rig.run()
    assert figures() == (1, 1) and phase(rig) != "F1901M"
    turn_back(rig, "S1901M")
    assert figures() == (0, 0)
    rig.mail(GM, f"{MASTER}ROLLFORWARD back S1901M TO F1901M")
    assert figures() == (1, 0)
    turn_back(rig, "S1901M")
    rig.mail(ANN, f"{FRENCH}A Par - Bur\nA Mar H\nF Bre H")
    assert figures() == (1, 0)


ORDERS = st.lists(
    st.sampled_from(
        ["A Par - Bur", "A Mar - Bur", "F Bre - Mao", "A Mun - Bur", "A Mun - Ruh", "A Ber - Kie",
         "F Kie - Den", "A Ven - Pie", "F Lon - Eng", "F Bre - Eng", "A Mar S A Par - Bur"]
    ),
    max_size=6,
)


@pytest.mark.slow
@settings(max_examples=max(5, settings.default.max_examples // 20),
          suppress_health_check=list(HealthCheck))
@given(phases=st.lists(ORDERS, min_size=1, max_size=3), back=st.integers(0, 2))
def test_the_same_orders_have_the_same_result_after_a_rollback(
    vacant: Rig, phases: list[list[str]], back: int
) -> None:
    rig = vacant.again()
    try:
        for orders in phases:
            play(rig, "\n".join(orders))
        before = turns(rig)
        number = min(back, len(before) - 1)
        turn_back(rig, before[number].phase)
        assert turns(rig) == before[:number]
        rig.mail(GM, f"{MASTER}ROLLFORWARD back {phase(rig)} TO {before[-1].phase}")
        rig.mail(GM, f"{MASTER}PROCESS {before[-1].phase}")
        turn_back(rig, before[number].phase, "RESTORE")
        while len(turns(rig)) < len(before):
            at = len(turns(rig))
            for power, sheet in before[at].orders.items():
                rig.application.games.file_sheets(before[at].game, phase(rig), {power: sheet})
            play(rig, "")
        for one, other in zip(before, turns(rig), strict=True):
            assert one.__class__(**{**as_values(one), "at": other.at}) == other
    finally:
        rig.close()


def as_values(turn: Turn) -> dict[str, object]:
    return {name: getattr(turn, name) for name in turn.__slots__}


def test_each_rolled_forward_turn_counts_again(rig: Rig) -> None:
    def state() -> tuple[int, list[str]]:
        found = turns(rig)
        undone = rig.application.context.archive.turns(found[0].game if found else 1)
        return rig.application.context.register.figures(ANN).on_time, [
            turn.phase for _, turn in undone
        ]

    for orders in ("A Par - Bur\nA Mar H\nF Bre H", "A Bur H\nA Mar H\nF Bre H"):
        rig.mail(ANN, f"{FRENCH}{orders}")
    assert state() == (2, []) and phase(rig) == "S1902M"
    turn_back(rig, "S1901M")
    assert state() == (0, ["S1901M", "F1901M"])
    rig.mail(GM, f"{MASTER}ROLLFORWARD back S1901M TO S1902M")
    assert state() == (2, []) and phase(rig) == "S1902M"
