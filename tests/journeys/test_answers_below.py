"""Replies in or below a letter that a mail program quotes without any mark."""

from collections.abc import Iterator
from email.message import EmailMessage
from html import escape

import pytest

from tests.journeys.rig import Rig, squeeze_text, text_of

ANN, GM = "ann@example.org", "gm@example.org"
HEAD = """
From: Judge <judge@localhost>
Sent: Monday, January 5, 2026 12:00 PM
To: ann@example.org
Subject: marco - S1901M orders

"""


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game with Ann as India and a letter to answer."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.boxes.clear()
    yield made
    made.close()


def answer(rig: Rig, text: str) -> str:
    """Reply as Ann, and return the receipt."""
    rig.reply(ANN, text)
    return squeeze_text(text_of(rig.letter(ANN, "receipt")))


def test_an_order_below_the_letter_counts(rig: Rig) -> None:
    told = answer(rig, HEAD + text_of(rig.newest[ANN]) + "\n\nA Del - Kas\nF Mad - Ben\n")
    assert "India: Army Delhi -> Kashmir." in told
    assert "India: Fleet Madras -> Bengal." in told or "Fleet Madras ->" in told
    assert "may be yours" not in told


def test_an_order_between_the_quoted_lines_counts_alone(rig: Rig) -> None:
    letter = text_of(rig.newest[ANN])
    start, sign, end = letter.partition("Reply with one order")
    assert sign and "SIGNON Nmarco yourpassword" in end
    told = answer(rig, HEAD + start + "A Cal - Nep\n\n" + sign + end)
    assert "India: Army Calcutta -> Nepal." in told
    assert "not carried out" not in told


def test_an_answer_in_html_counts_too(rig: Rig) -> None:
    """Word writes a paragraph for each line, and the head without a separate element."""
    letter = rig.newest[ANN]
    lines = [*HEAD.splitlines(), *text_of(letter).splitlines(), "A Del - Kas"]
    shown = (f"<p class=MsoNormal>{escape(line) or '&nbsp;'}<o:p></o:p></p>" for line in lines)
    mail = EmailMessage()
    mail["From"], mail["In-Reply-To"] = ANN, letter["Message-ID"]
    mail.set_content(f"<html><body>{''.join(shown)}</body></html>", subtype="html")
    rig.take(bytes(mail), ANN, str(letter["Reply-To"]))
    assert "India: Army Delhi -> Kashmir." in squeeze_text(text_of(rig.letter(ANN, "receipt")))


def test_a_changed_quoted_line_is_reported(rig: Rig) -> None:
    letter = text_of(rig.newest[ANN]).replace("Reply with one order", "A Del - Kas")
    told = answer(rig, HEAD + letter)
    assert "Kashmir" not in told
    assert "One of the quoted lines may be yours" in told


def test_the_letter_alone_does_nothing(rig: Rig) -> None:
    told = answer(rig, HEAD + text_of(rig.newest[ANN]))
    assert "held nothing but a quoted letter" in told or "Ignored:" in told
    assert "may be yours" not in told and "not carried out" not in told


def test_an_unknown_letter_below_does_nothing(rig: Rig) -> None:
    other = "You have no orders yet.\n\nA Del - Kas\nSIGNON Nmarco annsecret\n"
    told = answer(rig, "STATUS\n" + HEAD + other)
    assert "Kashmir" not in told


def test_a_second_letter_below_does_nothing(rig: Rig) -> None:
    letter = text_of(rig.newest[ANN])
    told = answer(rig, "STATUS\n" + HEAD + letter + HEAD + "A Del - Kas\n")
    assert "Kashmir" not in told


def test_a_quoted_line_broken_in_two_is_quoted_whole(rig: Rig) -> None:
    lines = text_of(rig.newest[ANN]).splitlines()
    long = next(line for line in lines if len(line) > 62)
    half = long.rindex(" ")
    quoted = f"On 5 Jan 2026 12:00, Judge wrote:\n> {long[:half]}\n{long[half:].strip()}\n> x\n"
    told = answer(rig, "A Del - Kas\n\n" + quoted)
    assert "like no order" not in told and "not carried out" not in told
    assert "Ignored: 4 quoted lines." in told


def test_lines_below_an_unknown_letter_are_counted_in_the_reply(rig: Rig) -> None:
    """The lines are not repeated, as they may be a letter of another person."""
    rig.mail(ANN, "SIGNON Nmarco annsecret\nA Del H\n" + HEAD + "Dear Ann,\n\nA Cal - Nep\n")
    told = squeeze_text(text_of(rig.letter(ANN, "receipt")))
    assert "India: Army Delhi, HOLD." in told
    assert (
        'The 2 lines below "From: …" (line 4 of your mail) were taken as a quoted letter and'
        " not read." in told
    )
    assert "Nep" not in told and "Dear Ann" not in told


def test_lines_below_a_forwarded_letter_are_not_read(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Nmarco annsecret\n\nBegin forwarded message:\n\nA Del - Kas\n")
    told = squeeze_text(text_of(rig.letter(ANN, "receipt")))
    assert 'The line below "Begin forwarded message:" (line 3 of your mail) was taken' in told
