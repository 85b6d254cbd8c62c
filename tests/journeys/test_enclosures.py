"""Attached files of letters: JSON results and archived games."""

import json
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

import pytest

from judge.play.archive.gamefile import read_archive
from judge.play.archive.importing import replay
from judge.play.archive.orderlists import read_order_list
from tests.journeys.rig import START, Rig

ANN, BOB, EVE, GM = "ann@example.org", "bob@example.org", "eve@example.org", "gm@example.org"
MASTER = "SIGNON Mtrip gmsecret\n"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game of one phase, with a player and an observer."""
    made = Rig()
    made.mail(GM, "CREATE ?trip gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Ftrip annsecret\nSET MAP OFF")
    made.mail(EVE, "OBSERVE trip")
    made.mail(BOB, "TAKEOVER Gtrip bobsecret")
    made.mail(ANN, "SIGNON Ftrip annsecret\nSET JSON ON")
    made.reply(EVE, "SET JSON")
    made.mail(GM, f"{MASTER}SET JSON")
    made.mail(GM, f"{MASTER}A Par - Bur\nA Mun - Bur\nPROCESS S1901M")
    yield made
    made.close()


def files(letter: EmailMessage) -> dict[str, str]:
    """Return the text files of a letter, by name."""
    return {
        str(part.get_filename()): part.get_payload(decode=True).decode()  # type: ignore[union-attr]
        for part in letter.walk()
        if part.get_filename() and part.get_content_maintype() != "image"
        and part.get_content_type() != "application/ics"
    }


def result(letter: EmailMessage) -> dict[str, Any]:
    found = files(letter)
    (name,) = found
    assert name == "trip-S1901M.json"
    values = json.loads(found[name])
    assert isinstance(values, dict)
    return values


def newest_results(rig: Rig, address: str) -> EmailMessage:
    return [each for each in rig.boxes[address] if each["X-Judge-Kind"] == "results"][-1]


def test_the_json_result_is_sent_on_request(rig: Rig) -> None:
    told = [result(newest_results(rig, address)) for address in (ANN, EVE, GM)]
    assert told[0] == told[1] == told[2]
    found = told[0]
    assert (found["id"], found["game"]) == ("trip.S1901M", "trip")
    assert (found["map"], found["phase"], found["next"]) == ("standard", "S1901M", "F1901M")
    assert found["contested"] == ["BUR"]
    paris = found["orders"]["France"][1]
    assert (paris["order"], paris["outcome"]) == ("A PAR - BUR", ["bounce"])
    assert paris["reason"]["code"] and paris["because"]
    assert not files(newest_results(rig, BOB))


def test_a_json_result_is_drawn_by_the_picture_tool(rig: Rig) -> None:
    part = [
        part for part in newest_results(rig, ANN).walk()
        if part.get_content_type() == "application/json"
    ]
    assert len(part) == 1
    assert part[0].get_content_disposition() == "attachment"


def test_no_json_result_is_sent_once_switched_off(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Ftrip annsecret\nSET JSON OFF")
    rig.mail(GM, f"{MASTER}PROCESS F1901M")
    letter = newest_results(rig, ANN)
    assert not files(letter)
    assert files(newest_results(rig, EVE))


def test_a_game_sent_by_mail_is_replayed_equally(rig: Rig) -> None:
    rig.mail(EVE, "EXPORT trip\nEXPORT trip ORDERS")
    found = files(rig.newest[EVE])
    taken = read_archive(found["trip-F1901M.json"])
    assert taken.game.phase == "F1901M" and not list(replay(taken))
    listed = read_order_list(found["trip-F1901M-orders.txt"], START)
    assert listed.game.position == taken.game.position
    for text in found.values():
        assert "@" not in text and "secret" not in text
