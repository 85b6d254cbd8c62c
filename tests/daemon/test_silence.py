"""Inactive masters: inquiries, offers of their games, and their cost."""

from collections.abc import Iterator
from datetime import timedelta
from unittest.mock import Mock

import pytest

from judge.daemon.resolver_loop import ResolverLoop
from judge.play.gm import masters
from judge.play.resolver import Resolver
from tests.journeys.rig import Rig, squeeze_text, text_of

GM, ANN = "gm@example.org", "ann@example.org"


@pytest.fixture
def rig() -> Iterator[Rig]:
    """A game that Ann observes."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard")
    made.mail(ANN, "OBSERVE marco")
    made.boxes.clear()
    yield made
    made.close()


def look(rig: Rig, days: float) -> list[str]:
    """Advance the clock, run the resolver once, and return the addressees of letters."""
    rig.boxes.clear()
    rig.clock.advance(days=days)
    ResolverLoop(rig.application).tick(rig.clock.now())
    rig.run()
    return sorted(address for address, box in rig.boxes.items() if box)


def looks(rig: Rig) -> int:
    """Return how many inactive masters would be checked now."""
    return len(rig.application.resolver.inactive_masters(rig.clock.now(), 1000))


def test_inactive_master_gets_an_inquiry_before_an_offer(rig: Rig) -> None:
    assert look(rig, 52) == []
    assert look(rig, 2) == [GM]
    assert "for 54 days" in squeeze_text(text_of(rig.newest[GM]))
    assert look(rig, 5) == [] and look(rig, 2) == [ANN]
    assert "TAKEOVER Mmarco newpassword" in text_of(rig.newest[ANN])
    assert look(rig, 100) == []


def test_a_question_put_late_still_leaves_a_week_to_answer(rig: Rig) -> None:
    """The judge was off on day 53."""
    assert look(rig, 80) == [GM]
    assert look(rig, 6) == [] and look(rig, 2) == [ANN]


def test_mail_of_a_master_restarts_the_inquiry(rig: Rig) -> None:
    look(rig, 54)
    look(rig, 8)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nSTATUS")
    assert look(rig, 52) == [] and look(rig, 2) == [GM] and look(rig, 8) == [ANN]


def test_game_without_candidates_is_offered_again_much_later(rig: Rig) -> None:
    rig.reply(ANN, "UNSUBSCRIBE")
    look(rig, 54)
    assert look(rig, 8) == []
    rig.mail(ANN, "OBSERVE marco")
    assert look(rig, 20) == [] and look(rig, 11) == [ANN]


def test_active_masters_and_offered_games_are_not_checked(rig: Rig) -> None:
    """Neither active masters nor games offered long ago are checked."""
    assert looks(rig) == 0
    look(rig, 54)
    assert looks(rig) == 0
    look(rig, 8)
    rig.clock.advance(days=200)
    assert looks(rig) == 0


@pytest.mark.parametrize(("heeded", "minutes"), [
    (20, [(0, 1), (59, 1), (60, 2), (61, 2), (119, 2), (120, 3)]),
    # More masters may be inactive than were checked.
    (0, [(0, 1), (0.5, 1), (1, 2), (1.5, 2), (2, 3)]),
    # The clock was put back.
    (20, [(60, 1), (59, 2), (60, 2)]),
])
def test_inactive_masters_are_checked_once_an_hour(
    rig: Rig, heeded: int, minutes: list[tuple[float, int]]
) -> None:
    looked = Mock(return_value=[])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Resolver, "inactive_masters", looked)
        patch.setattr("judge.daemon.resolver_loop.MAX_ASKED_MASTERS", heeded)
        resolving, begun = ResolverLoop(rig.application), rig.clock.now()
        for passed, many in minutes:
            resolving.tick(begun + timedelta(minutes=passed))
            assert looked.call_count == many, passed


def test_failing_inquiry_blocks_no_other(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.daemon.resolver_loop.MAX_ASKED_MASTERS", 1)
    rig.mail(GM, "CREATE ?polo gmsecret standard")
    real = masters.handle_inactive_master

    def heed(context: object, number: int, now: object) -> object:
        return 1 / 0 if number == 1 else real(context, number, now)  # type: ignore[arg-type]

    monkeypatch.setattr("judge.play.resolver.handle_inactive_master", heed)
    rig.clock.advance(days=54)
    resolving = ResolverLoop(rig.application)
    for _ in range(3):
        resolving.tick(rig.clock.now())
        rig.clock.advance(minutes=1)
    rig.run()
    assert str(rig.boxes[GM][-1]["Subject"]) == "polo - S1901M reminder"
