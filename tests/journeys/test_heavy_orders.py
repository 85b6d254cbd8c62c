"""Mails with excessive requests: clear replies within limits of time and length."""

import time
from collections.abc import Iterator

import pytest

from tests.journeys.rig import Rig, text_of

ANN = "ann@example.org"
SIGNON = "SIGNON Fheavy annsecret\nSET WAIT\n"
KINDS = (("S{}M", "A Par H"), ("S{}R", "A Par D"), ("F{}M", "A Par H"), ("F{}A", "WAIVE"))
PHASES = "\n".join(
    f"PHASE {label.format(year)}\n{order}" for year in range(1901, 1907) for label, order in KINDS
)


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game with Ann as France."""
    made = Rig()
    made.mail("gm@example.org", "CREATE ?heavy gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fheavy annsecret")
    made.boxes.clear()
    yield made
    made.close()


def read_quick_reply(rig: Rig, text: str) -> str:
    """Return the reply to a mail. It must be quick."""
    begun = time.monotonic()
    rig.mail(ANN, SIGNON + text)
    assert time.monotonic() - begun < 120
    return text_of(rig.letter(ANN))


@pytest.mark.parametrize(
    ("text", "said", "most"),
    [
        ("PREVIEW\nSTATUS\n" * 500, "One mail can ask for 8 lists of options and previews.", 6000),
        ("OPTIONS\n" * 1000, "One mail can ask for 8 lists of options and previews.", 8000),
        (PHASES, "You have orders on file for 20 later phases, the most allowed.", 500),
        ("PHASE F1902M\n" + "A Par - Bur\n" * 1000, "A PAR - BUR", 100),
        ("PHASE F1902A\n" + "WAIVE\n" * 1000, "You already have more than 200 orders", 4600),
        ("PHASE F1902M\n" + "IF A Bur\n" * 1000, "This IF has no ENDIF, so 1000 lines that", 100),
        ("IF A Bur THEN A Par H\n" * 1000, "This IF has no ENDIF, so 1 line that", 7200),
        ("IF A Bur\n" * 9 + "A Par H\n" + "ENDIF\n" * 9, "can be nested 8 deep", 100),
        ("PREVIEW\n" + "A Par H\n" * 1000 + "ENDPREVIEW", "A block can have at most 300", 100),
    ],
    ids=["previews", "options", "phases", "orders", "waives", "ifs", "open-ifs", "deep", "block"],
)
def test_excessive_requests_get_short_replies(rig: Rig, text: str, said: str, most: int) -> None:
    answer = read_quick_reply(rig, text)
    assert said in " ".join(answer.split())
    assert answer.count("\n") < most
