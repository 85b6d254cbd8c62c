"""Who has a seat now is asked for no more: of all others the invitation and the question stay."""

from types import SimpleNamespace
from typing import Any, cast

from judge.play.game import Game
from judge.play.people.admission import settle
from tests.rows import every

ANN, BOB = "ann@example.org", "bob@example.org"
BOTH = {ANN: "a", BOB: "b"}


@every(("invited", "asking", "dealt"), [
    (BOTH, BOTH, {"invited": {BOB: "b"}, "asking": {BOB: "b"}}),
    (BOTH, {BOB: "b"}, {"invited": {BOB: "b"}}),
    ({}, BOTH, {"asking": {BOB: "b"}}),
    ({BOB: "b"}, {}, {}),
])
def test_whoever_is_seated_waits_for_nothing(
    invited: dict[str, str], asking: dict[str, str], dealt: dict[str, Any]
) -> None:
    found: dict[str, Any] = {}
    game = SimpleNamespace(
        dealings=SimpleNamespace(invited=invited, asking=asking),
        deal=lambda **named: found.update(named),
    )
    settle(cast(Game, game), "Ann@Example.org")
    assert found == dealt
