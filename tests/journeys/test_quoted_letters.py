"""Replies to letters with third-party text, which never counts as commands.

Two former attacks are repeated by real SMTP, then in every quotation style, and for every kind of
letter that contains third-party text.
"""

from collections.abc import Callable, Iterator
from email.message import EmailMessage
from html import escape
from pathlib import Path

import pytest

from judge.mail.inbound.html_text import read_html
from judge.mail.outbound.third_party_text import is_cited
from tests.journeys.pages import page_of
from tests.journeys.postal import PostalBench
from tests.journeys.rig import Rig, squeeze_text, text_of
from tests.mail.quoting import (
    HABITS,
    LISTED,
    Habit,
    broken_below_a_head,
    filled_without_head,
    first_piece_marked,
    html_paragraphs,
    unmarked_below_a_head,
    unmarked_without_head,
)

ANN, BOB, EVE, GM = "ann@example.org", "bob@example.org", "eve@example.org", "gm@example.org"
EVIL = "x@evil.example"
FIRST, SECOND = "a" * 70, "b" * 70
ATTACKS = (
    "A Vie - Tyr", f"SET ADDRESS {EVIL}", "VOTE DRAW", "SET WAIT", "RESIGN", "A Vie H; RESIGN",
)
STAIRS = "\n".join(f"{FIRST} {SECOND} {attack}" for attack in ATTACKS)
"""Lines that a program breaks into three pieces, of which the last is a command."""
PLAIN = "\n".join(ATTACKS)
Answer = Callable[[Rig, Habit, str, str], str]


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game with Ann as Austria, Bob as France and Eve as an observer."""
    made = Rig()
    begin(made)
    yield made
    made.close()


@pytest.fixture(params=[Rig, PostalBench], ids=["bench", "post"])
def rig(request: pytest.FixtureRequest, begun: Rig, tmp_path: Path) -> Iterator[Rig]:
    """A copy for one test. With the postal rig the whole game is played by SMTP."""
    if request.param is Rig:
        made = begun.again()
    else:
        made = PostalBench(begun.config, tmp_path)
        begin(made)
    yield made
    made.close()


def begin(made: Rig) -> None:
    """Start the game and clear all boxes."""
    made.mail(GM, "CREATE ?marco gmsecret standard\nSET COMMENT Quiet\nSET POSTAL PRESS")
    made.mail(ANN, "JOIN austria@marco annsecret")
    made.mail(BOB, "JOIN france@marco bobsecret")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.mail(EVE, "OBSERVE marco evesecret")
    made.boxes.clear()


def results(rig: Rig, *texts: str) -> EmailMessage:
    """Write postal press as Bob, and return Ann's results letter."""
    for text in texts:
        rig.mail(BOB, f"SIGNON Fmarco bobsecret\nPOSTAL PRESS\n{text}\nENDPRESS")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    letter = rig.newest[ANN]
    assert letter["X-Judge-Kind"] == "results"
    rig.boxes.clear()
    return letter


def answer(
    rig: Rig, letter: EmailMessage, habit: Habit, above: str = "", below: str = "",
    width: int = 76, to: str = "", named: bool = True,
) -> None:
    """Reply to a letter as Ann, in a quotation style."""
    quote = habit(text_of(letter).splitlines(), width)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = ANN, "judge@localhost", "Re: your letter"
    mail["Message-ID"] = f"<{len(rig.boxes)}-{rig.mails}@answer.example>"
    rig.mails += 1
    if named:
        mail["In-Reply-To"] = letter["Message-ID"]
    own = [above, *quote.lines, below]
    if quote.is_html:
        own = [f"<div>{escape(line)}</div>" if line in (above, below) else line for line in own]
        mail.set_content("".join(own), subtype="html")
    else:
        mail.set_content("\n".join(own) + "\n")
        if quote.flowed:
            mail.set_param("format", "flowed")
    rig.take(bytes(mail), ANN, to or str(letter["Reply-To"]))


def nothing_happened(rig: Rig, own: str = "") -> None:
    """Check that Ann keeps her seat and address, with only her own order on file."""
    assert EVIL not in rig.boxes
    for to, box in rig.boxes.items():
        assert to in (ANN, "postmaster@localhost"), [str(letter["Subject"]) for letter in box]
    rig.boxes.clear()
    rig.mail(ANN, "SIGNON Amarco annsecret\nSTATUS")
    told = squeeze_text(text_of(rig.letter(ANN, "receipt")))
    assert "Army Vienna, No Order" in told
    assert ("Fleet Trieste, HOLD." in told) == bool(own)
    assert "Army Budapest, No Order" in told
    assert "asked to WAIT" not in told and "DRAW" not in told
    rig.boxes.clear()


def test_the_third_piece_of_a_quoted_line_is_no_order(rig: Rig) -> None:
    """First attack: one line of press, broken at 76 columns, with one marked piece."""
    letter = results(rig, STAIRS)
    answer(rig, letter, first_piece_marked, "F Tri H")
    nothing_happened(rig, "F Tri H")


@pytest.mark.parametrize("rig", [PostalBench], indirect=True)
@pytest.mark.slow
def test_text_far_down_in_a_long_letter_is_no_order(rig: Rig) -> None:
    """Second attack: three texts of press in an unmarked quote.

    Real orders still count.
    """
    padding = "\n".join(f"{number}{' and so on, and on' * 3}" for number in range(560))
    letter = results(rig, padding, padding, f"{PLAIN}\n{PLAIN}")
    assert len(text_of(letter)) > 64 * 1024
    for habit in (unmarked_below_a_head, broken_below_a_head, html_paragraphs):
        answer(rig, letter, habit)
        nothing_happened(rig)
    for habit in (unmarked_below_a_head, unmarked_without_head, html_paragraphs):
        answer(rig, letter, habit, "F Tri H")
        nothing_happened(rig, "F Tri H")
    rig.mail(ANN, "SIGNON Amarco annsecret\nCLEAR")
    rig.boxes.clear()
    answer(rig, letter, first_piece_marked, below="F Tri H")
    nothing_happened(rig, "F Tri H")


@pytest.mark.slow
@pytest.mark.parametrize("rig", [Rig], indirect=True)
@pytest.mark.parametrize("width", [32, 76])
def test_no_quotation_style_makes_press_an_order(rig: Rig, width: int) -> None:
    letter = results(rig, STAIRS, PLAIN, "|| " + PLAIN.replace("\n", "\n> "))
    for habit in HABITS:
        answer(rig, letter, habit, width=width)
        # The letter is unknown without its Message-ID, or after its removal from the store.
        answer(rig, letter, habit, width=width, named=False)
    nothing_happened(rig)
    assert rig.application.store.database.execute_sql("DELETE FROM outgoing").rowcount
    for habit in HABITS:
        answer(rig, letter, habit, width=width)
    nothing_happened(rig)


@pytest.mark.parametrize("rig", [Rig], indirect=True)
def test_press_quoted_in_reply_to_another_letter_is_no_order(rig: Rig) -> None:
    """A press letter may be quoted below orders, in the reply to another letter."""
    rig.mail(BOB, f"SIGNON Fmarco bobsecret\nPRESS TO A\n{STAIRS}\nENDPRESS")
    press = rig.newest[ANN]
    assert press["X-Judge-Kind"] == "press"
    rig.mail(ANN, "SIGNON Amarco annsecret\nSTATUS")
    status = rig.newest[ANN]
    rig.boxes.clear()
    answer(rig, press, first_piece_marked, "F Tri H", to=str(status["Reply-To"]), named=False)
    nothing_happened(rig, "F Tri H")


@pytest.mark.parametrize("rig", [Rig], indirect=True)
@pytest.mark.parametrize("text", ["PRESS TO A", "BROADCAST"])
@pytest.mark.slow
def test_press_quoted_to_the_plain_address_is_no_order(rig: Rig, text: str) -> None:
    rig.mail(BOB, f"SIGNON Fmarco bobsecret\n{text}\n{PLAIN}\nENDPRESS")
    press = rig.newest[ANN]
    assert press["X-Judge-Kind"] == "press"
    rig.boxes.clear()
    for habit in (*HABITS, *LISTED):
        for named in (True, False):
            answer(rig, press, habit, "SIGNON Amarco annsecret\nF Tri H", to="judge@localhost",
                   named=named)
    nothing_happened(rig, "F Tri H")


@pytest.mark.parametrize("rig", [Rig], indirect=True)
def test_a_reply_to_press_is_sent_in_any_quotation_style(rig: Rig) -> None:
    rig.mail(BOB, f"SIGNON Fmarco bobsecret\nPRESS TO A\nShall we?\n{STAIRS}\nENDPRESS")
    press = rig.newest[ANN]
    for habit in HABITS:
        rig.boxes.clear()
        answer(rig, press, habit, "We shall.")
        told = text_of(rig.letter(BOB, "press"))
        assert "|| We shall." in told and told.count("|| ") == 1, told


@pytest.mark.parametrize("rig", [Rig], indirect=True)
def test_press_to_a_player_without_tokens_is_marked(rig: Rig) -> None:
    """A reply to the bare address is no press: with a sign-on it contains orders."""
    rig.mail(ANN, "SIGNON Amarco annsecret\nSET TOKEN OFF")
    rig.mail(BOB, f"SIGNON Fmarco bobsecret\nPRESS TO A\n{STAIRS}\nENDPRESS")
    press = rig.newest[ANN]
    rig.boxes.clear()
    assert press["X-Judge-Kind"] == "press"
    assert squeeze_text(STAIRS) not in squeeze_text(text_of(press))
    for habit in (first_piece_marked, unmarked_below_a_head, filled_without_head):
        answer(rig, press, habit, "SIGNON Amarco annsecret", named=False)
        answer(rig, press, habit, "SIGNON Amarco annsecret")
    nothing_happened(rig)


SAID = "Others said so"


def other_letters(rig: Rig) -> Iterator[tuple[str, EmailMessage]]:
    """Yield each letter that contains third-party text."""
    rig.mail(
        GM,
        f"SIGNON Mmarco gmsecret\nSET COMMENT {SAID}\nOFFICIAL {SAID}\n{SAID}\n"
        f"ENDOFFICIAL\nBROADCAST\n{SAID}\nENDPRESS",
    )
    for letter in rig.boxes.pop(ANN):
        yield "notice", letter
    rig.mail(BOB, f"SIGNON Fmarco bobsecret\nSET NAME {SAID}\nDIARY\n{SAID}\nENDPRESS\n"
                  f"PRESS TO A E\n{SAID}\nENDPRESS")
    yield "press", rig.newest[ANN]
    yield "copy of press", rig.newest[GM]
    rig.mail(ANN, "SIGNON Amarco annsecret\nREPLACE\nA Vie H; " + SAID)
    for line in ("LIST", "LIST marco", "LOG marco", "HISTORY marco", "WHO marco"):
        rig.mail(ANN, f"SIGNON Amarco annsecret\n{line}")
        yield line, rig.newest[ANN]
    rig.mail(BOB, "INFO PLAYER")
    yield "INFO PLAYER", rig.newest[BOB]
    rig.mail(ANN, SAID)
    yield "error", rig.newest[ANN]
    rig.mail(BOB, "SIGNON Fmarco bobsecret\nDIARY READ 1")
    yield "DIARY", rig.newest[BOB]
    yield "results", results(rig, SAID)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nTERMINATE marco F1901M")
    yield "end", rig.newest[ANN]
    rig.mail(BOB, f"SIGNON Fmarco bobsecret\nSTATEMENT\n{SAID}\nENDPRESS")
    for line in ("HISTORY marco", "SUMMARY marco", "LIST marco"):
        rig.mail(ANN, f"SIGNON Amarco annsecret\n{line}")
        yield f"{line} after the end", rig.newest[ANN]


@pytest.mark.parametrize("rig", [Rig], indirect=True)
def test_every_line_of_third_party_text_is_marked(rig: Rig) -> None:
    found = []
    for what, letter in other_letters(rig):
        lines = [line for line in text_of(letter).splitlines() if SAID in line]
        if what not in ("notice", "WHO marco", "end", "SUMMARY marco after the end"):
            assert lines, what
        assert all(is_cited(line) for line in lines), (what, lines)
        shown = [line for line in read_html(page_of(letter)).lines if SAID in line[0]]
        shown = [line for line in shown if not line[0].startswith("marco - ")]
        assert not page_of(letter) or len(shown) == len(lines), (what, shown)
        assert all(is_cited(line) for line, _ in shown), (what, shown)
        found += lines
    assert len(found) > 10
