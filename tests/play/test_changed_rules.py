"""Changes of rules in a running game, by its master or by a vote of all players."""

from collections.abc import Iterator

import pytest

from judge.play.game import Game
from tests.journeys.rig import Rig, squeeze_text, text_of

GM, ANN, BOB = "gm@example.org", "ann@example.org", "bob@example.org"
ORDERS = "SIGNON Rmarco annsecret\nF Sib - Oms\nA Oms - Mos\nREADY"
NO_ICE = "Fleets may not use the coast of Omsk."
OFF_FILE = (
    "Your order F SIB - OMS is no longer possible and was dropped. "
    "Fleets cannot use the coast of Omsk"
)


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game on the Youngstown map with a Russian fleet next to Omsk and a Japan."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret youngstown\nSTART")
    made.mail(ANN, "TAKEOVER Rmarco annsecret")
    made.mail(BOB, "TAKEOVER Jmarco bobsecret")
    made.mail(ANN, "SIGNON Rmarco annsecret\nF Vla - Sib")
    made.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    made.mail(ANN, ORDERS)
    yield made
    made.close()


def game_of(rig: Rig) -> Game:
    """Return the game as stored."""
    with rig.application.context.unit_of_work():
        found = rig.application.context.games.find("marco")
        assert found
        return found


def take_letters(rig: Rig, address: str) -> str:
    """Return all new letters to an address, and empty its box."""
    return " ".join(squeeze_text(text_of(letter)) for letter in rig.boxes.pop(address, ()))


def change_by_master(rig: Rig) -> None:
    """Forbid icebreakers as the master."""
    rig.boxes.clear()
    rig.mail(GM, "SIGNON Mmarco gmsecret\nSET NO ICEBREAKER")


def change_by_vote(rig: Rig) -> None:
    """Forbid icebreakers by a vote of all players."""
    rig.mail(ANN, "SIGNON Rmarco annsecret\nVOTE RULE NO ICEBREAKER")
    rig.boxes.clear()
    rig.mail(BOB, "SIGNON Jmarco bobsecret\nVOTE ICEBREAKER OFF")


@pytest.mark.parametrize("change", [change_by_master, change_by_vote])
def test_a_changed_rule_is_announced_and_drops_orders(rig: Rig, change: object) -> None:
    assert callable(change)
    change(rig)
    letters = {address: take_letters(rig, address) for address in (GM, ANN, BOB)}
    assert all(NO_ICE in letter for letter in letters.values())
    assert OFF_FILE in letters[ANN] and "A OMS - MOS is no longer possible" not in letters[ANN]
    assert "F SIB" not in letters[GM] + letters[BOB]
    rig.mail(ANN, "SIGNON Rmarco annsecret\nSTATUS")
    answer = take_letters(rig, ANN)
    assert "Russia: Fleet Siberia, No Order Processed." in answer
    assert "Russia: Army Omsk -> Moscow." in answer and "You are READY" not in answer
    rig.mail(ANN, "SIGNON Rmarco annsecret\nF Sib - Oms")
    assert "Fleets cannot use the coast of Omsk in this game" in take_letters(rig, ANN)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS F1901M")
    with rig.application.context.unit_of_work():
        marco = rig.application.context.games.find("marco")
        assert marco
        options = [turn.options for turn in marco.turns()]
    assert [each and each.get("icebreaker") for each in options] == [{}, "off"]


def test_the_author_of_a_rule_change_is_announced(rig: Rig) -> None:
    change_by_master(rig)
    assert "The master has changed the rules of 'marco':" in take_letters(rig, BOB)
    rig.mail(ANN, "SIGNON Rmarco annsecret\nVOTE RULE ICEBREAKER")
    assert "If all remaining players vote for the same line, that rule" in take_letters(rig, BOB)
    rig.mail(BOB, "SIGNON Jmarco bobsecret\nVOTE RULE ICEBREAKER ON")
    news = "The players voted to change a rule of 'marco': Fleets may use the coast of"
    assert news in take_letters(rig, ANN) and news in take_letters(rig, GM)


def test_ejecting_a_non_voter_carries_a_rule_vote(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Rmarco annsecret\nVOTE RULE NO ICEBREAKER")
    rig.boxes.clear()
    rig.mail(GM, "SIGNON Mmarco gmsecret\nEJECT Japan")
    letters = take_letters(rig, ANN)
    assert f"voted to change a rule of 'marco': {NO_ICE}" in letters and OFF_FILE in letters


@pytest.mark.parametrize(("line", "answer"), [
    ("VOTE RULE NO ICEBREAKER", "VOTE RULE ICEBREAKER OFF"),
    ("VOTE SET NO ICEBREAKER", "You have voted: VOTE RULE ICEBREAKER OFF. 1 of 2 has voted"),
    ("VOTE RULE LAST YEAR 1910", "VOTE RULE LAST YEAR 1910"),
    ("VOTE NO ICEBREAKER", "Send instead: VOTE RULE NO ICEBREAKER"),
    ("VOTE RULE ICEBREAKER", "ICEBREAKER is already set: Fleets may use the coast of Omsk."),
    ("VOTE RULE BUILDS ANY", "QUIET FALLS, PROXY and ICEBREAKER"),
    ("VOTE RULE MOVE NEXT 24", "QUIET FALLS, PROXY and ICEBREAKER"),
    ("VOTE RULE", "QUIET FALLS, PROXY and ICEBREAKER"),
    ("VOTE ICEBREAKER MAYBE", "There is no vote on ICEBREAKER"),
    ("SET NO ICEBREAKER", "Send instead: VOTE RULE NO ICEBREAKER"),
])
def test_votes_on_rules_are_answered(rig: Rig, line: str, answer: str) -> None:
    rig.boxes.clear()
    rig.mail(BOB, f"SIGNON Jmarco bobsecret\n{line}")
    assert answer in take_letters(rig, BOB)


def test_master_is_informed_that_a_rule_is_set_already(rig: Rig) -> None:
    change_by_master(rig)
    rig.boxes.clear()
    rig.mail(GM, "SIGNON Mmarco gmsecret\nSET NO ICEBREAKER")
    assert "ICEBREAKER is already set: Fleets may not use the coast of" in take_letters(rig, GM)
    assert not rig.boxes.get(ANN) and not rig.boxes.get(BOB)


@pytest.mark.parametrize("line", ["SET VICTORY 30", "SET ICEBREAKER", "SET PROXY"])
def test_a_rule_that_permits_all_orders_drops_none(rig: Rig, line: str) -> None:
    rig.mail(GM, f"SIGNON Mmarco gmsecret\n{line}")
    rig.boxes.clear()
    rig.mail(ANN, "SIGNON Rmarco annsecret\nSTATUS")
    assert "Russia: Fleet Siberia -> Omsk." in take_letters(rig, ANN)
