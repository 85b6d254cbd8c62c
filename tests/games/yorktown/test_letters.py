"""Letters of a move: the board and the units once, without repetition."""

import re
from collections.abc import Iterator

import pytest

from tests.journeys.rig import Rig, text_of

ANN, BOB = "ann@example.org", "bob@example.org"
BOARD = re.compile(r"^    01  02  03 ", re.MULTILINE)


@pytest.fixture(scope="module")
def siege() -> Iterator[Rig]:
    """A game after set-up and two turns. Its master wants the board as text."""
    rig = Rig()
    rig.mail("gm@example.org", "CREATE ?siege gmsecret yorktown\nSET MAP TEXT")
    rig.mail(ANN, "JOIN siege annsecret\nSET PREFERENCE F")
    rig.mail(BOB, "JOIN siege bobsecret")
    rig.mail(BOB, "SIGNON Asiege bobsecret\nFRIG 1 at 1508 1608\ndone")
    rig.mail(ANN, "SIGNON Fsiege annsecret\nINF 14 at 1404\ndone")
    rig.mail(ANN, "SIGNON Fsiege annsecret\nINF 7 enters 1624\nINF 9 enters 1724\ndone")
    rig.mail(BOB, "SIGNON Asiege bobsecret\nFRIG 1: fire 1404\nINF 2: 1704\ndone fire\ndone move")
    rig.mail(BOB, "SIGNON Asiege bobsecret\ndone")
    yield rig
    rig.close()


def results(rig: Rig, address: str, label: str) -> str:
    """Return the text of the results letter of a step."""
    (letter,) = [
        each for each in rig.boxes[address]
        if each["X-Judge-Kind"] == "results" and f" {label} results" in str(each["Subject"])
    ]
    return text_of(letter).replace("\r\n", "\n")


@pytest.mark.parametrize(("address", "label", "has_units"), [
    (ANN, "AP0S", True), (BOB, "AP0S", False), (ANN, "FA0S", True), (ANN, "FA1M", False),
    (BOB, "FA1M", True), (ANN, "AP1F and AP1M", True), (BOB, "AP1F and AP1M", False),
    ("gm@example.org", "FA1M", True),
])
def test_board_and_units_are_in_the_letter_that_asks_for_orders(
    siege: Rig, address: str, label: str, has_units: bool
) -> None:
    """Players have the board in a picture, the master has it as text."""
    text = results(siege, address, label)
    is_player = address in (ANN, BOB)
    assert len(BOARD.findall(text)) == (not is_player)
    assert ("\nPicture" in text) == is_player
    assert text.count("Anglo-Prussian (AP)") == has_units
    assert ("\n    STATUS\n" in text) != has_units


def test_letter_of_two_steps_counts_the_days_once(siege: Rig) -> None:
    text = results(siege, ANN, "AP1F and AP1M")
    assert text.count("Day 1 of 18") == 1 and text.count("FA units in Yorktown") == 1
    assert "FRIG 1 at 1404" in text
    assert "the orders of AP1F and AP1M with their results" in " ".join(text.split())


def test_commander_without_an_order_is_listed_with_a_unit(siege: Rig) -> None:
    text = results(siege, ANN, "FA0S")
    assert "Without an order, WASHINGTON is with INF 10" in text
    assert "INF 10 (with WASHINGTON (CMD 1))" in text and ", CMD 1" not in text


def test_receipt_groups_moves_that_end_as_ordered(siege: Rig) -> None:
    (receipt,) = [
        text_of(each) for each in siege.boxes[ANN]
        if each["X-Judge-Kind"] == "receipt" and "INF 9 enters 1724" in text_of(each)
    ]
    assert "As ordered, hex and facing: INF 7 1624 N, INF 9 1724 N" in receipt
