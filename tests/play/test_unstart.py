"""Starts that are taken back or never come: nothing of the game is left, nobody had a power."""

from judge.play.orders import KEPT
from tests.journeys.rig import Rig, text_of

GM = "gm@example.org"


def test_nothing_that_was_sent_waits_for_the_next_start() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?marco gmsecret standard\nSTART\nA Par - Bur")
    games = rig.application.games
    game = games.find("marco")
    assert game and games.orders(game.id, "S1901M")
    games.file_orders(game.id, KEPT, "France", "A Bur - Mun")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nUNSTART S1901M")
    assert games.orders(game.id, "S1901M") == games.orders(game.id, KEPT) == {}
    rig.close()


def test_of_a_game_that_never_began_no_powers_are_told() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?marco gmsecret standard")
    rig.mail("ann@example.org", "JOIN marco annsecret")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nTERMINATE marco S1901M")
    told = text_of(rig.boxes["ann@example.org"][-1])
    assert "is over" in told and "The players at the end" not in told
    rig.close()
