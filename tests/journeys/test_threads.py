"""References and attachments of letters, as mail programs thread and show them."""

from collections.abc import Iterator
from email.message import EmailMessage

import pytest

from tests.journeys.rig import Rig

GM, ANN, BOB = "gm@example.org", "ann@example.org", "bob@example.org"
MASTER = "SIGNON Mmarco gmsecret\n"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game with every kind of letter, from an invitation to the end, with digests."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(GM, f"{MASTER}INVITE {BOB} E")
    made.mail(ANN, "TAKEOVER Fmarco annsecret\nSET FORMAT TEXT")
    made.mail(BOB, "TAKEOVER Emarco bobsecret\nSET DIGEST 20:00")
    made.mail(ANN, "SIGNON Fmarco annsecret\nPRESS TO E\nHello.\nENDPRESS\nVOTE DRAW")
    made.mail(GM, f"{MASTER}SET DEADLINE +50h")
    made.mail(GM, f"{MASTER}PROCESS S1901M")
    for _ in range(4):
        made.clock.advance(hours=24)
        made.run()
    made.resign(BOB, "SIGNON Emarco bobsecret")
    yield made
    made.close()


def letters(rig: Rig) -> list[EmailMessage]:
    return [letter for box in rig.boxes.values() for letter in box]


def test_every_letter_about_a_game_is_in_its_thread(rig: Rig) -> None:
    about = [each for each in letters(rig) if "marco" in str(each["Subject"])]
    kinds = {str(each["X-Judge-Kind"]) for each in about}
    assert {"receipt", "start", "notice", "press", "reminder", "results", "vote"} <= kinds
    apart = [
        str(each["Subject"]) for each in about
        if not str(each["References"]).startswith("<marco.game@localhost> <marco.")
    ]
    assert not apart


def test_calendar_file_is_no_text_part(rig: Rig) -> None:
    """The program mutt prints each text part with any disposition."""
    files = [
        part for letter in letters(rig) for part in letter.walk()
        if str(part.get_filename()).endswith(".ics")
    ]
    assert files
    for part in files:
        assert part.get_content_type() == "application/ics"
        assert part.get_content_disposition() == "attachment"
    for letter in letters(rig):
        for part in letter.walk():
            if part.get_content_maintype() == "text":
                assert "BEGIN:VCALENDAR" not in str(part.get_content())
