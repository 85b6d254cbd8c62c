"""Replies to press are press to its writer, unless meant for the judge."""

import pytest

from judge.model.incoming import Line
from judge.model.press_commands import GROUP, WRITER, SendPress
from judge.model.seat_commands import SignOff
from tests.language import read_sheet


def lines_of(*texts: str) -> list[Line]:
    """Return the numbered lines of a mail."""
    return [Line(number, text) for number, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    ("texts", "body"),
    [
        (["", "Agreed.", "", "Ann", ""], ["Agreed.", "", "Ann"]),
        (["To all of you:", "Agreed."], ["To all of you:", "Agreed."]),
        (["  SET WAIT, I say.", "Ann"], ["  SET WAIT, I say.", "Ann"]),
        (["A Par - Bur", "A Mar - Spa"], ["A Par - Bur", "A Mar - Spa"]),
        (["I will.", "ENDPRESS"], ["I will."]),
        (["Press on!", "List of demands:", "Ready"], ["Press on!", "List of demands:", "Ready"]),
        (["Hello my friend", "how are you?"], ["Hello my friend", "how are you?"]),
    ],
)
def test_a_reply_is_sent_to_the_writer_unchanged(texts: list[str], body: list[str]) -> None:
    sheet = read_sheet(lines_of(*texts), press_reply=True)
    (press,) = sheet.commands
    assert isinstance(press, SendPress)
    assert (press.to, list(press.body), press.all_but) == ((WRITER,), body, False)
    assert not sheet.complaints


def test_to_all_on_top_addresses_the_whole_group() -> None:
    (press,) = read_sheet(lines_of("", "to all:", "", "Agreed.", "Ann"), press_reply=True).commands
    assert isinstance(press, SendPress)
    assert (press.to, press.body, press.line) == ((GROUP,), ("Agreed.", "Ann"), 4)


@pytest.mark.parametrize(
    "texts",
    [
        ["SIGNON Nmarco annsecret", "A Del - Kas"],
        ["Sure.", "SIGNON Nmarco annsecret"],
        ["Sure; LOGIN Nmarco annsecret"],
        ["Sure.", "SET PW annsecret"],
        ["Sure.", "PRES TO I", "He is lying."],
        ["SET PASSWORD annsecret"],
        ["PRESS TO I", "He is lying.", "ENDPRESS"],
        ["PRESS TO I", "He is lying."],
        ["He is lying.", "ENDPRESS", "A Del - Kas"],
        ["STATUS"],
        ["SET WAIT", "", "VOTE DRAW"],
    ],
)
def test_commands_in_a_press_reply_are_not_sent_as_press(texts: list[str]) -> None:
    sheet = read_sheet(lines_of(*texts), press_reply=True)
    assert not sheet.commands
    (complaint,) = sheet.complaints
    assert complaint.reason.code == "press-or-commands"
    assert "annsecret" not in repr(complaint)
    assert sheet.unread == len([text for text in texts if text])


def test_signoff_ends_a_reply_and_the_rest_is_counted() -> None:
    sheet = read_sheet(lines_of("Agreed.", "SIGNOFF", "", "Ann", "Chair"), press_reply=True)
    press, end = sheet.commands
    assert isinstance(press, SendPress) and press.body == ("Agreed.",)
    assert isinstance(end, SignOff)
    assert sheet.unread == 2


@pytest.mark.parametrize("texts", [[], ["", "  "], ["ENDPRESS"], ["TO ALL"]])
def test_an_empty_reply_sends_nothing(texts: list[str]) -> None:
    assert read_sheet(lines_of(*texts), press_reply=True).commands == ()
