"""Consent: yes, no and unclear replies to the judge's questions."""

import pytest

from judge.mail.language.mail_parser import read_consent
from judge.model.incoming import ConfirmationReply, Line

YES = (
    "yes", "YES!", "Yes, that is me.", "yes, it is me", "* Yes *", "y", "OK", "okay then", "Sure.",
    "Hello,\n\nyes please\n\nAnn", "I confirm this", "That's me", "That\u2019s me", "it was me",
    "Ja", "ja, gern", "Jawohl!", "J", "Das bin ich.", "Das war ich", "ich best\u00e4tige das",
    "\u200byes", "\u00a0Yes", "Stimmt.", "confirmed", "- yes",
)
NO = (
    "NO!! I do not know this person.", "no", "No, thank you", "N", "Nope", "never", "I did not",
    "That was not me!", "that wasn\u2019t me", "I don't know him", "Nein", "nein, danke",
    "Das war ich nicht", "Ich bin das nicht", "Dear judge,\nno.\nAnn", "This is not my address",
)
UNCLEAR = (
    "I say yes", "yesterday I wrote", "who are you?", "Yes? Who is that?",
    "yes, but that is not me",
    "yes\nno", "Hello", "noise", "Norway", "okapi", "A Par - Bur", "ja, aber das bin ich nicht",
    "I am on holiday. In urgent cases, yes, call me.", "Januar", "OK, who is this?", "Thank you",
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        *((text, ConfirmationReply.YES) for text in YES),
        *((text, ConfirmationReply.NO) for text in NO),
        *((text, ConfirmationReply.UNCLEAR) for text in UNCLEAR),
        ("UNDO", ConfirmationReply.UNDO),
        ("undo it, please", ConfirmationReply.UNDO),
        ("Zur\u00fcck!", ConfirmationReply.UNDO),
        ("", ConfirmationReply.NOTHING),
        (" \n\n", ConfirmationReply.NOTHING),
    ],
)
def test_consent_is_read_from_the_beginning_of_a_line(text: str, meant: ConfirmationReply) -> None:
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    assert read_consent(lines) is meant


def test_only_the_beginning_of_a_long_line_is_read() -> None:
    assert read_consent([Line(1, "ich bin " * 100_000)]) is ConfirmationReply.UNCLEAR
    assert read_consent([Line(1, "-_ " * 100_000)] * 1000) is ConfirmationReply.UNCLEAR
