"""Unclosed press: no text below it and no password is sent."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.language.unclosed_press import Evidence
from judge.mail.language.vocabulary import near_end_of_press
from judge.model.command import ParsedMail
from judge.model.incoming import Line
from judge.model.press_commands import SendPress
from judge.play.commands.press.diary import WriteDiary
from tests.language import read_sheet, swallowed

MARK = "pwq7x"
"""Password of every sign-on here."""

HEADS = ("PRESS TO F", "press to all but f", "BROADCAST", "PRESS GREY TO F I", "POSTAL PRESS",
         "DIARY", "Press to F FAKE TO G")
SECRETS = (
    f"SIGNON Nmarco {MARK}", f"signon india@marco {MARK}", f"  Sign on  Nmarco {MARK}",
    f"SINGON Nmarco {MARK}", f"HELLO Nmarco {MARK}", f"LOGIN N marco {MARK}",
    f"JOIN marco {MARK}", f"SIGNON ?marco {MARK}", f"?marco {MARK}", f"india@marco {MARK}",
    f"TAKEOVER Nmarco {MARK}", f"SET PASSWORD {MARK}", f"set pw {MARK}",
    f"Sure. ; SIGNON Nmarco {MARK}", f"SIGNON\u00a0Nmarco {MARK}",
    f"CREATE ?marco {MARK} standard", f"OBSERVE marco {MARK}", f"RESIGN india@marco {MARK}",
)
LINES = (
    "A Par - Bur", "Hello all,", "Let us join forces now.", "", "  press on!", "SET WAIT", "STATUS",
    "RESIGN", "Hello France my friend", "> A Mar H", "IF A Bur THEN", "ENDIF", "READY", "-- ",
)
ENDS = ("ENDPRESS", "end broadcast.", "SIGNOFF", "ENDPRES", "ENDDIARY")


def sheet_of(lines: list[str], reply: bool = False) -> ParsedMail:
    """Read lines as a mail."""
    return read_sheet([Line(n, text) for n, text in enumerate(lines, 1)], reply)


def texts_of(sheet: ParsedMail) -> list[tuple[str, ...]]:
    """Return the texts that may be sent or stored, if no game has a mentioned name."""
    commands = [c for c in sheet.commands if isinstance(c, SendPress | WriteDiary)]
    return [c.body for c in commands if "marco" not in c.names]


anything = st.one_of(
    st.sampled_from(SECRETS), st.sampled_from(LINES), st.sampled_from(HEADS),
    st.text(max_size=30).map(lambda text: re.sub(r"[\r\n]", " ", text)),
)


@given(head=st.sampled_from(HEADS), below=st.lists(anything, max_size=8))
def test_nothing_below_an_unclosed_head_is_sent_or_stored(head: str, below: list[str]) -> None:
    below = [line for line in below if not near_end_of_press(line.strip())]
    sheet = sheet_of(["SIGNON Nmarco first", "A Del - Kas", head, *below])
    kinds = [type(command).__name__ for command in sheet.commands]
    assert kinds == ["SignOn", "GiveOrders"]
    assert len(sheet.complaints) == 1
    assert MARK not in repr(sheet)


@given(
    head=st.sampled_from(HEADS),
    below=st.lists(st.one_of(anything, st.sampled_from(ENDS)), max_size=10),
)
def test_press_never_contains_a_password(head: str, below: list[str]) -> None:
    sheet = sheet_of(["SIGNON Nmarco first", head, *below])
    assert MARK not in repr(texts_of(sheet))
    assert MARK not in repr(sheet.complaints)


@given(lines=st.lists(st.one_of(anything, st.sampled_from(ENDS)), max_size=8))
def test_a_press_reply_never_contains_a_password(lines: list[str]) -> None:
    sheet = sheet_of(lines, reply=True)
    assert MARK not in repr(texts_of(sheet))
    assert MARK not in repr(sheet.complaints)


@pytest.mark.parametrize("line", SECRETS)
def test_a_sign_on_in_a_closed_text_blocks_it(line: str) -> None:
    sheet = sheet_of(["SIGNON Nmarco first", "PRESS TO F", "Hello.", line, "ENDPRESS"])
    assert texts_of(sheet) == []


@pytest.mark.parametrize(
    "line",
    ["Join us now", "Hello France, friend", "Take over Bulgaria now", "Watch out", "Set a date.",
     "Press on, all of you", "Broadcasts are loud", "Dear diary", "Login is easy",
     "Diary of a fool", "signon", "End it.", "endless press", "mail me at ann@example.org please"],
)
def test_prose_is_no_sign_on(line: str) -> None:
    found = swallowed([line])
    assert found.sign is None
    assert "marco" not in found.names


@pytest.mark.parametrize(
    ("line", "sign"),
    [("PRESS TO G", Evidence.HEAD), ("Press", Evidence.HEAD), ("broadcast", Evidence.HEAD),
     ("DIARY", Evidence.HEAD), ("PRES TO G", Evidence.HEAD), ("ENDPRES", Evidence.END),
     ("ENDPRESS, thanks", Evidence.END), ("SET PASSWORD x", Evidence.SECRET)],
)
def test_signs_of_an_unclosed_text_are_found(line: str, sign: Evidence) -> None:
    assert swallowed(["Hello.", line, "Bye."])[:2] == (sign, 1)
