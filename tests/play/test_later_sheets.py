"""What is on file for phases still to come."""

from types import SimpleNamespace
from typing import cast

from judge.model.record import Plan
from judge.play.game import Game
from judge.play.orders import file_later


def test_every_sheet_of_every_phase_is_kept_with_the_wish_to_wait_that_stood_there() -> None:
    filed: list[Plan] = []
    was = [Plan(7, "F1901M", "France", "old", wait=True), Plan(7, "S1902M", "Italy", "old")]
    game = cast(Game, SimpleNamespace(id=7, plans=lambda: was, file_plan=filed.append))
    file_later(game, {
        "F1901M": {"France": "a", "Italy": "b"}, "S1902M": {"France": "", "Italy": "c"},
    })
    assert filed == [
        Plan(7, "F1901M", "France", "a", wait=True), Plan(7, "F1901M", "Italy", "b"),
        Plan(7, "S1902M", "France", ""), Plan(7, "S1902M", "Italy", "c"),
    ]
