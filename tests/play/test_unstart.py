"""A start that is taken back leaves nothing of the game that was under way."""

from judge.play.orders import KEPT
from tests.journeys.rig import Rig

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
