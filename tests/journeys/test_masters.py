"""Changes of masters, as far as they need random words of letters."""

import re
from collections.abc import Iterator
from email.message import EmailMessage

import pytest

from judge.play.gm.masters import MAX
from tests.journeys.rig import Rig, text_of

ANN, BOB, EVE, GM = "ann@example.org", "bob@example.org", "eve@example.org", "gm@example.org"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game with Ann as France, and Bob asked to be a master."""
    made = Rig()
    made.mail(GM, "CREATE ?two gmsecret standard")
    made.mail(ANN, "JOIN two annsecret\nSET PREFERENCE F")
    made.mail(GM, "SIGNON Mtwo gmsecret\nSTART\nPROMOTE bob@example.org")
    yield made
    made.close()


def line_for(rig: Rig, address: str) -> str:
    """Return the line of the letter that asks an address to be a master."""
    found = re.search(r"TAKEOVER Mtwo yourpassword \w+", text_of(rig.newest[address]))
    assert found
    return found[0]


def test_the_line_of_the_letter_makes_a_master(rig: Rig) -> None:
    rig.mail(BOB, line_for(rig, BOB).replace("yourpassword", "bobsecret") + "\nPAUSE")
    assert "You are now a master of 'two'" in text_of(rig.letter(BOB) and rig.letter(BOB))
    rig.mail(BOB, "SIGNON Mtwo bobsecret\nRESUME")
    assert "'two' continues" in text_of(rig.newest[ANN])
    rig.mail(GM, "SIGNON Mtwo gmsecret\nLOG")
    assert "Master 2: PAUSE" in text_of(rig.newest[GM])


@pytest.mark.parametrize("sender, days", [(EVE, 0), (BOB, 8)], ids=["another", "too late"])
def test_the_line_is_for_its_recipient_and_expires(rig: Rig, sender: str, days: int) -> None:
    rig.clock.advance(days=days)
    rig.mail(sender, line_for(rig, BOB))
    assert "works only with the word from" in text_of(rig.newest[sender])


def test_a_second_request_replaces_the_word_of_the_first(rig: Rig) -> None:
    old = line_for(rig, BOB)
    rig.mail(GM, "SIGNON Mtwo gmsecret\nPROMOTE bob@example.org")
    rig.mail(BOB, old)
    assert "works only with the word from" in text_of(rig.newest[BOB])


def test_the_number_of_masters_is_limited(rig: Rig) -> None:
    for number in range(MAX):
        rig.mail(f"o{number}@example.org", "OBSERVE two")
    more = "\n".join(f"PROMOTE o{number}@example.org" for number in range(MAX))
    # Bob has not answered, and counts until the request is withdrawn.
    rig.mail(GM, f"SIGNON Mtwo gmsecret\nDEMOTE bob@example.org\n{more}")
    told = [text_of(letter) for letter in rig.boxes[GM]]
    assert any(f"'two' can have at most {MAX} masters" in text for text in told)
    game = rig.application.games.find("two")
    assert game
    masters = [s for s in rig.application.games.seats(game.id) if s.role.value == "master"]
    assert len(masters) == MAX


def test_a_pending_master_is_asked_again_at_the_limit(rig: Rig) -> None:
    more = "\n".join(f"PROMOTE o{number}@example.org" for number in range(MAX - 2))
    rig.mail(GM, f"SIGNON Mtwo gmsecret\n{more}")
    rig.mail(GM, "SIGNON Mtwo gmsecret\nPROMOTE late@example.org")
    assert f"'two' can have at most {MAX} masters" in text_of(rig.newest[GM])
    rig.mail(GM, "SIGNON Mtwo gmsecret\nPROMOTE bob@example.org")
    assert f"can have at most {MAX} masters" not in text_of(rig.newest[GM])
    assert "bob@example.org has been asked" in text_of(rig.newest[GM])


def test_the_second_master_succeeds_the_first(rig: Rig) -> None:
    rig.mail(BOB, line_for(rig, BOB).replace("yourpassword", "bobsecret"))
    rig.mail(EVE, "OBSERVE two")
    rig.mail(BOB, "SIGNON Mtwo bobsecret\nPROMOTE eve@example.org")
    rig.resign(GM, "SIGNON Mtwo gmsecret")
    assert "You have left" in text_of(rig.newest[GM])
    rig.mail(BOB, "SIGNON Mtwo bobsecret\nDEMOTE eve@example.org\nRESIGN")
    said = text_of(rig.newest[BOB])
    assert "one fewer master" in said and "You cannot resign" in said


def test_questions_and_own_settings_of_a_master_are_not_logged(rig: Rig) -> None:
    asked = "LIST\nSUMMARY\nHISTORY\nHELP\nVERSION\nMAP\nOPTIONS A Par\nEXPORT two\nINFO PLAYER F"
    own = "SET NAME George\nSET PASSWORD other\nIAMALSO gm@work.example\nPRESS TO F\nHi\nENDPRESS"
    rig.mail(GM, f"SIGNON Mtwo gmsecret\nPAUSE\n{asked}\n{own}\nRESUME")
    rig.mail(ANN, "LOG two")
    acts = text_of(rig.newest[ANN]).split("Log of the masters")[1].splitlines()[2:]
    lines = [line.rpartition("The master")[2] for line in acts if "The master" in line]
    assert lines == [": START", ": PROMOTE ***", ": PAUSE", ": RESUME"]


def test_a_receipt_of_a_masters_orders_hides_the_masters_mail(rig: Rig) -> None:
    """A letter to the player must not contain the Message-ID of the master's mail."""
    sent = rig.mail(GM, "SIGNON Mtwo gmsecret\nBECOME F\nA Par - Bur")
    letter = rig.newest[ANN]
    assert letter["X-Judge-Kind"] == "receipt" and letter["X-Judge-Power"] == "France"
    assert sent not in bytes(letter).decode()
    assert rig.newest[GM]["In-Reply-To"] == sent
    assert rig.newest[GM]["X-Judge-Power"] == "Master"
    assert rig.newest[GM]["Reply-To"] != letter["Reply-To"]
    rig.reply(GM, "PAUSE")
    assert "is paused" in text_of(rig.newest[ANN])


def test_a_receipt_for_several_powers_has_common_lines_once(rig: Rig) -> None:
    rig.mail(GM, "SIGNON Mtwo gmsecret\nA Mun - Bur\nA Vie - Gal")
    receipt = text_of(rig.newest[GM])
    assert "Germany: Army Munich -> Burgundy." in receipt
    assert "Austria: Army Vienna -> Galicia." in receipt
    assert receipt.count("Movement orders for Spring of 1901.") == 1
    assert receipt.count("Units without an order hold.") == 1


def test_a_receipt_after_process_has_no_empty_sheets(rig: Rig) -> None:
    rig.mail(GM, "SIGNON Mtwo gmsecret\nA Mun - Bur\nPROCESS S1901M")
    receipt = next(text for text in map(text_of, rig.boxes[GM]) if "has been adjudicated." in text)
    assert "No Order Processed" not in receipt


def test_masters_orders_in_reply_to_a_past_phase_are_refused(rig: Rig) -> None:
    old = rig.newest[GM]
    rig.mail(GM, "SIGNON Mtwo gmsecret\nPROCESS S1901M")
    rig.reply(GM, "A Vie - Gal", old)
    answer = text_of(rig.newest[GM])
    assert "You replied to a letter of an earlier phase" in answer
    assert answer.count("SIGNON Mtwo yourpassword") == 2
    rig.reply(GM, "A Vie - Gal")
    assert "Austria: Army Vienna -> Galicia." in text_of(rig.newest[GM])


def test_the_note_on_missing_orders_follows_the_last_such_sheet(
    rig: Rig,
) -> None:
    rig.mail(GM, "SIGNON Mtwo gmsecret\nA Par - Bur\nA Ber H\nA Mun H\nF Kie H")
    told = text_of(rig.newest[GM])
    said = "Units without an order hold."
    assert told.count(said) == 1
    assert told.index("Army Paris") < told.index(said) < told.index("Army Berlin")


def test_letters_to_a_former_master_open_no_seat(rig: Rig) -> None:
    rig.mail(BOB, line_for(rig, BOB).replace("yourpassword", "bobsecret"))
    old = rig.newest[BOB]
    rig.reply(BOB, "PAUSE", old)
    assert "The master paused 'two'" in text_of(rig.newest[BOB])
    rig.mail(GM, "SIGNON Mtwo gmsecret\nDEMOTE bob@example.org")
    rig.reply(BOB, "PRESS TO M\nHello.\nENDPRESS", old)
    assert "The address you replied to does not sign you on" in text_of(rig.newest[BOB])
    rig.reply(BOB, "PRESS TO M\nHello.\nENDPRESS", of_observer(rig))
    assert "Your message was sent to Master" in text_of(rig.newest[BOB])


def of_observer(rig: Rig) -> EmailMessage:
    """Return the newest letter to Bob as an observer."""
    return next(each for each in reversed(rig.boxes[BOB]) if "you observe it" in text_of(each))
