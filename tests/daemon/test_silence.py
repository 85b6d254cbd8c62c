"""Masters of whom nothing is heard: asked, their games offered, and at what cost."""

from collections.abc import Iterator

import pytest

from judge.daemon.resolving import Resolving
from judge.play.gm import inactive_gm
from tests.journeys.bench import Bench, squeezed, text_of

GM, ANN = "gm@example.org", "ann@example.org"


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A game that Ann watches."""
    made = Bench()
    made.mail(GM, "CREATE ?marco gmsecret standard")
    made.mail(ANN, "OBSERVE marco")
    made.boxes.clear()
    yield made
    made.close()


def look(bench: Bench, days: float) -> list[str]:
    """Let days pass, look about once, and return who got letters."""
    bench.boxes.clear()
    bench.clock.forward(days=days)
    Resolving(bench.works).tick(bench.clock.now())
    bench.run()
    return sorted(address for address, box in bench.boxes.items() if box)


def looks(bench: Bench) -> int:
    """Return how many silent masters would be looked at now."""
    return len(bench.works.resolver.silent(bench.clock.now(), 1000))


def test_a_silent_master_is_asked_then_his_game_is_offered_once(bench: Bench) -> None:
    assert look(bench, 52) == []
    assert look(bench, 2) == [GM]
    assert "for 54 days" in squeezed(text_of(bench.newest[GM]))
    assert look(bench, 5) == [] and look(bench, 2) == [ANN]
    assert "TAKEOVER Mmarco newpassword" in text_of(bench.newest[ANN])
    assert look(bench, 100) == []


def test_a_question_put_late_still_leaves_a_week_to_answer(bench: Bench) -> None:
    """The judge was off on day 53."""
    assert look(bench, 80) == [GM]
    assert look(bench, 6) == [] and look(bench, 2) == [ANN]


def test_a_master_who_writes_is_asked_anew_after_his_next_silence(bench: Bench) -> None:
    look(bench, 54)
    look(bench, 8)
    bench.mail(GM, "SIGNON Mmarco gmsecret\nSTATUS")
    assert look(bench, 52) == [] and look(bench, 2) == [GM] and look(bench, 8) == [ANN]


def test_a_game_nobody_could_take_is_looked_at_again_much_later(bench: Bench) -> None:
    bench.reply(ANN, "UNSUBSCRIBE")
    look(bench, 54)
    assert look(bench, 8) == []
    bench.mail(ANN, "OBSERVE marco")
    assert look(bench, 20) == [] and look(bench, 11) == [ANN]


def test_what_is_settled_costs_nothing(bench: Bench) -> None:
    """Neither masters who write nor games offered long ago are looked at."""
    assert looks(bench) == 0
    look(bench, 54)
    assert looks(bench) == 0
    look(bench, 8)
    bench.clock.forward(days=200)
    assert looks(bench) == 0


def test_one_that_fails_holds_up_no_other(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.daemon.resolving._HEEDED", 1)
    bench.mail(GM, "CREATE ?polo gmsecret standard")
    real = inactive_gm.heed

    def heed(office: object, number: int, now: object) -> object:
        return 1 / 0 if number == 1 else real(office, number, now)  # type: ignore[arg-type]

    monkeypatch.setattr("judge.play.resolver.heed", heed)
    bench.clock.forward(days=54)
    resolving = Resolving(bench.works)
    for _ in range(3):
        resolving.tick(bench.clock.now())
    bench.run()
    assert str(bench.boxes[GM][-1]["Subject"]) == "polo - S1901M reminder"
