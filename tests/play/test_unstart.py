"""Cancelled starts leave nothing of the game, not even powers of players."""

from judge.play.future_orders import NEXT_MAIN_PHASE
from tests.journeys.rig import Rig, text_of

GM = "gm@example.org"


def test_unstart_removes_all_orders() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?marco gmsecret standard\nSTART\nA Par - Bur")
    games = rig.application.games
    game = games.find("marco")
    assert game and games.orders(game.id, "S1901M")
    games.file_sheets(game.id, NEXT_MAIN_PHASE, {"France": "A Bur - Mun"})
    rig.mail(GM, "SIGNON Mmarco gmsecret\nUNSTART S1901M")
    assert games.orders(game.id, "S1901M") == games.orders(game.id, NEXT_MAIN_PHASE) == {}
    rig.close()


def test_a_game_that_never_began_lists_no_powers() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?marco gmsecret standard")
    rig.mail("ann@example.org", "JOIN marco annsecret")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nTERMINATE marco S1901M")
    told = text_of(rig.boxes["ann@example.org"][-1])
    assert "is over" in told and "The players at the end" not in told
    rig.close()
