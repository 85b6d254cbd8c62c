"""Orders on file for later phases."""

from types import SimpleNamespace
from typing import cast

from judge.model.record import Plan
from judge.play.future_orders import file_later
from judge.play.game import Game
from tests.journeys.rig import Rig, squeeze_text, text_of


def test_sheets_for_later_phases_keep_the_wait_flag() -> None:
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


def test_a_wait_without_orders_is_dropped_silently() -> None:
    """The player may have nothing to decide in that phase."""
    gm, ann = "gm@example.org", "ann@example.org"
    rig = Rig()
    rig.mail(gm, "CREATE ?marco gmsecret standard\nSTART")
    rig.mail(ann, "TAKEOVER Fmarco annsecret\nPHASE F1901A\nSET WAIT")
    rig.mail(gm, "SIGNON Mmarco gmsecret\nGermany: A Mun - Ruh\nPROCESS S1901M")
    rig.boxes.clear()
    rig.mail(gm, "SIGNON Mmarco gmsecret\nGermany: A Ruh - Hol\nPROCESS F1901M")
    told = squeeze_text(" ".join(map(text_of, rig.boxes[ann])))
    assert "You have no orders due in this phase" in told
    assert "You asked to WAIT" in told and "were dropped" not in told
    rig.close()
