"""Turns undone: what letters of before may still do, whom the undone phase counts for, and that
the same orders have the same result again."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.model.record import Turn
from tests.journeys.bench import Bench, text_of

ANN, GM = "ann@example.org", "gm@example.org"
MASTER = "SIGNON Mback gmsecret\n"
FRENCH = "SIGNON Fback annsecret\n"


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A game on the standard map in which Ann plays France."""
    made = Bench()
    made.mail(GM, "CREATE ?back gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fback annsecret")
    yield made
    made.close()


def turns(bench: Bench) -> list[Turn]:
    game = bench.works.games.find("back")
    assert game
    return bench.works.games.turns(game.id)


def phase(bench: Bench) -> str:
    game = bench.works.games.find("back")
    assert game
    return game.phase


def play(bench: Bench, orders: str) -> None:
    """Give orders and have the phase adjudicated."""
    bench.mail(GM, f"{MASTER}{orders}\nPROCESS {phase(bench)}")


def turn_back(bench: Bench, to: str, more: str = "") -> None:
    bench.mail(GM, f"{MASTER}ROLLBACK back {phase(bench)} TO {to} {more}")


def test_a_reply_to_a_letter_of_an_undone_turn_orders_nothing(bench: Bench) -> None:
    first = bench.newest[ANN]
    play(bench, "A Par - Bur")
    undone = bench.newest[ANN]
    turn_back(bench, "S1901M")
    after = bench.newest[ANN]
    for letter in (first, undone):
        bench.reply(ANN, "A Mar - Spa", letter)
        assert "a letter of before the master of 'back'" in text_of(bench.newest[ANN])
    bench.reply(ANN, "A Par - Pic", after)
    assert "France: Army Paris -> Picardy." in text_of(bench.newest[ANN])
    play(bench, "A Mun H")
    again = bench.newest[ANN]
    bench.reply(ANN, "A Mar - Spa", undone)
    assert "of before the master of 'back'" in text_of(bench.newest[ANN])
    bench.reply(ANN, "A Mar - Spa", again)
    assert "France: Army Marseilles -> Spain." in text_of(bench.newest[ANN])


def test_an_undone_phase_counts_for_nobody_until_it_is_brought_back(bench: Bench) -> None:
    def figures() -> tuple[int, int]:
        found = bench.works.office.register.figures(ANN)
        return found.on_time, found.missed

    bench.mail(ANN, f"{FRENCH}A Par - Bur\nA Mar H\nF Bre H")
    assert figures() == (1, 0) and phase(bench) == "F1901M"
    for _ in range(2):
        bench.clock.forward(hours=73)
        bench.run()
    assert figures() == (1, 1) and phase(bench) != "F1901M"
    turn_back(bench, "S1901M")
    assert figures() == (0, 0)
    bench.mail(GM, f"{MASTER}ROLLFORWARD back S1901M TO F1901M")
    assert figures() == (1, 0)
    turn_back(bench, "S1901M")
    bench.mail(ANN, f"{FRENCH}A Par - Bur\nA Mar H\nF Bre H")
    assert figures() == (1, 0)


ORDERS = st.lists(
    st.sampled_from(
        ["A Par - Bur", "A Mar - Bur", "F Bre - Mao", "A Mun - Bur", "A Mun - Ruh", "A Ber - Kie",
         "F Kie - Den", "A Ven - Pie", "F Lon - Eng", "F Bre - Eng", "A Mar S A Par - Bur"]
    ),
    max_size=6,
)


@settings(max_examples=settings.default.max_examples // 20,
          suppress_health_check=list(HealthCheck))
@given(phases=st.lists(ORDERS, min_size=1, max_size=3), back=st.integers(0, 2))
def test_the_same_orders_have_the_same_result_after_a_rollback(
    phases: list[list[str]], back: int
) -> None:
    bench = Bench()
    try:
        bench.mail(GM, "CREATE ?back gmsecret standard\nSTART")
        for orders in phases:
            play(bench, "\n".join(orders))
        before = turns(bench)
        number = min(back, len(before) - 1)
        turn_back(bench, before[number].phase)
        assert turns(bench) == before[:number]
        bench.mail(GM, f"{MASTER}ROLLFORWARD back {phase(bench)} TO {before[-1].phase}")
        bench.mail(GM, f"{MASTER}PROCESS {before[-1].phase}")
        turn_back(bench, before[number].phase, "RESTORE")
        while len(turns(bench)) < len(before):
            at = len(turns(bench))
            for power, sheet in before[at].orders.items():
                bench.works.games.file_orders(before[at].game, phase(bench), power, sheet)
            play(bench, "")
        for one, other in zip(before, turns(bench), strict=True):
            assert one.__class__(**{**as_values(one), "at": other.at}) == other
    finally:
        bench.close()


def as_values(turn: Turn) -> dict[str, object]:
    return {name: getattr(turn, name) for name in turn.__slots__}


def test_each_turn_that_is_brought_back_counts_again_and_is_undone_no_longer(bench: Bench) -> None:
    def state() -> tuple[int, list[str]]:
        found = turns(bench)
        undone = bench.works.office.archive.turns(found[0].game if found else 1)
        return bench.works.office.register.figures(ANN).on_time, [turn.phase for _, turn in undone]

    for orders in ("A Par - Bur\nA Mar H\nF Bre H", "A Bur H\nA Mar H\nF Bre H"):
        bench.mail(ANN, f"{FRENCH}{orders}")
    assert state() == (2, []) and phase(bench) == "S1902M"
    turn_back(bench, "S1901M")
    assert state() == (0, ["S1901M", "F1901M"])
    bench.mail(GM, f"{MASTER}ROLLFORWARD back S1901M TO S1902M")
    assert state() == (2, []) and phase(bench) == "S1902M"
