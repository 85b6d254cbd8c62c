"""Third-party text in a letter never counts as the sender's, however quoted."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from html import escape, unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.mail.address import JudgeAddresses
from judge.mail.inbound.quoted_letter import letters_and_digits
from judge.mail.inbound.reader import read_mail
from judge.mail.outbound.layout import (
    BREAK,
    CELL,
    ENGLISH,
    FIGURES,
    normalize,
    strip_controls,
    verbatim,
)
from judge.mail.outbound.text_to_html import to_html
from judge.mail.outbound.third_party_text import (
    CONTINUATION_MARK,
    THIRD_PARTY_MARK,
    WIDTH,
    is_cited,
    mark_third_party,
)
from judge.model.incoming import Incoming
from judge.model.record import StoredMail
from tests.mail.quoting import HABITS, Habit, escape_lines

NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
OURS = JudgeAddresses("judge@localhost", "keeper@localhost")
OWN = "A Del - Kas"
ABOVE = """:: Judge: Judge  Game: marco  Variant: Youngstown
:: Deadline: F1901M Mon Jan 12 2026 08:00:00 +0000

Movement results for Spring of 1901.

India: Army Delhi, No Order Processed.
Germany: Army Munich -> Burgundy.  (*bounce*)
      why: Bounced with France's A PAR at strength 1 against 2.

Press with the results:

Message from France to India:
"""
BELOW = """
Due now: movement orders for Fall of 1901
    Missing: A DEL, F MAD

To give orders, reply with one order a line, or begin a mail with

    SIGNON Nmarco yourpassword
    A DEL ...
"""
SIGNS = f"{BREAK}{CELL}{ENGLISH}{FIGURES}"
"""Layout characters of letters, which have no effect in third-party text."""
PAYLOADS = [
    "A Vie - Tyr", "SET ADDRESS x@evil.example", "RESIGN", "VOTE DRAW", "SET WAIT",
    "SET PASSWORD evilpw", "A Bud S A Vie - Tyr", "READY", "PRESS TO ALL", "ENDPRESS", "SIGNOFF",
    "SIGNON Nmarco evilpw", "\u0410 Vie - Tyr", "Ａ Ｖｉｅ － Ｔｙｒ", "A\u00a0Vie\u2003-\u3000Tyr",
    "CLEAR", "YES", "; RESIGN ;", "a Vi\u00e9 - Tyr", "READY READY", "A & B; SET WAIT",
]
MARKS = [
    "||", "|| ", "> ", ">> ", "| ", ": ", "-- ", "--", "***", "On 5 Jan 2026 12:00, Ann wrote:",
    "From: Judge", "-----Original Message-----", "Sent from my iPhone", "{{ 7*7 }}", "<br>", "&lt;",
    "_" * 40, "#", "```", "<blockquote>", "begin 644 x", "\ue001", "\ue000", "\0",
    *SIGNS,
]
WORD = st.one_of(
    st.sampled_from(PAYLOADS), st.sampled_from(MARKS), st.text(max_size=20),
    st.integers(50, 160).map(lambda n: "x" * n), st.sampled_from(["shall", "we", "go", "on?"]),
    st.integers(20, 90).map(lambda n: f"https://example.org/{'y' * n}/RESIGN"),
)
TEXT = st.lists(WORD, min_size=1, max_size=14).flatmap(
    lambda words: st.lists(
        st.sampled_from(["\n", " ", " ", "  ", "\n\n", "\t", "\u00a0", "\u2028", "\x0b", " \n"]),
        min_size=len(words), max_size=len(words),
    ).map(lambda ends: "".join(map("".join, zip(words, ends, strict=True))))
)
STAIRS = st.builds(
    lambda first, second, payload, tail: f"{'a' * first} {'b' * second} {payload} {tail}",
    st.integers(1, 80), st.integers(1, 80), st.sampled_from(PAYLOADS), st.sampled_from(PAYLOADS),
)
"""A line that a program breaks into three, of which the third is an order."""


class Sent:
    """Store of sent letters. `named` is the one with the known Message-ID."""

    def __init__(self, named: bytes, others: Sequence[bytes] = ()) -> None:
        self._named, self._others = named, others

    def sent_as(self, message_ids: Sequence[str]) -> bytes:
        return self._named

    def sent_to(self, address: str) -> Iterator[bytes]:
        return iter(self._others)


def letter_with(text: str, above: str = ABOVE, below: str = BELOW) -> str:
    """Return the text of a letter that quotes third-party text."""
    said = verbatim(mark_third_party(strip_controls(text.replace("\0", ""))))
    return normalize(f"{above}\n{said}\n{below}")


def message(text: str, subtype: str = "plain", **headers: str) -> bytes:
    """Return a mail, formatted by hand because there are many."""
    heads = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in headers.items())
    kind = f"Content-Type: text/{subtype}; charset=utf-8"
    flows = "; format=flowed" if subtype == "flowed" else ""
    kind = kind.replace("flowed", "plain") + flows
    return f"{heads}{kind}\n\n{text}".encode("utf-8", "replace")


def read_reply(
    letter: str, habit: Habit, width: int, above: str, below: str, sent: Sent | None
) -> Incoming:
    """Read a reply to a letter, with own lines above and below the quote."""
    quote = habit(letter.rstrip("\n").split("\n"), width)
    heads = {"From": "ann@example.org", "In_Reply_To": "<1@localhost>"}
    if quote.is_html:
        own = [f"<div>{escape(line) or '<br>'}</div>" for line in (above, below)]
        raw = message(f"{own[0]}{''.join(quote.lines)}{own[1]}", "html", **heads)
    else:
        text = "\n".join([above, *quote.lines, below]) + "\n"
        raw = message(text, "flowed" if quote.flowed else "plain", **heads)
    stored = StoredMail(7, NOW, "ann@example.org", ("judge@localhost",), raw)
    return read_mail(stored, OURS, "", sent)


def foreign_lines(mail: Incoming) -> list[str]:
    """Return the lines that count without being the sender's or the judge's."""
    ours = letters_and_digits(ABOVE + BELOW)
    mine = ("", letters_and_digits(OWN))
    found = [line.text for line in mail.lines if letters_and_digits(line.text) not in mine]
    # A line without ASCII letters was damaged in transit.
    found = [text for text in found if re.search("[A-Za-z0-9]", unescape(text))]
    return [
        text for text in found if letters_and_digits(unescape(text)) not in ours or is_cited(text)
    ]


ANY = (st.one_of(TEXT, STAIRS), st.sampled_from(HABITS), st.integers(12, 100), st.data())


@given(*ANY)
def test_no_third_party_text_counts(
    text: str, habit: Habit, width: int, data: st.DataObject
) -> None:
    only_own_lines_count(text, habit, width, data)


@pytest.mark.slow
@settings(max_examples=4_000)
@given(*ANY)
def test_no_third_party_text_counts_in_many_letters(
    text: str, habit: Habit, width: int, data: st.DataObject
) -> None:
    only_own_lines_count(text, habit, width, data)


def only_own_lines_count(text: str, habit: Habit, width: int, data: st.DataObject) -> None:
    """Check a reply to a letter known by Message-ID, by its recipient or not at all."""
    place = data.draw(st.sampled_from([(ABOVE, BELOW), ("", ABOVE + BELOW), (ABOVE + BELOW, "")]))
    letter = letter_with(text, *place)
    raw = message(letter)
    sent = data.draw(st.sampled_from([Sent(raw), Sent(b"", [raw]), Sent(b""), None]))
    above, below = data.draw(st.sampled_from([(OWN, ""), ("", OWN), (OWN, OWN), ("", "")]))
    mail = read_reply(letter, habit, width, above, below, sent)
    assert foreign_lines(mail) == []
    if above:
        assert mail.lines[0].text == OWN


@pytest.mark.parametrize("sign", "'\"<>&")
@pytest.mark.parametrize("known", [True, False])
def test_the_end_of_a_broken_character_reference_is_no_line(sign: str, known: bool) -> None:
    """A reference to an apostrophe in HTML may be broken within its digits."""
    text = "\n".join(f"A Vie - Tyr\xa0{'x' * many}{sign}0{sign}" for many in range(12))
    letter = letter_with(text)
    for width in range(12, 28):
        mail = read_reply(
            letter, escape_lines, width, OWN, "", Sent(message(letter) if known else b"")
        )
        assert foreign_lines(mail) == [], width
        assert mail.lines[0].text == OWN


@given(TEXT, st.integers(0, 9))
def test_every_cited_line_is_marked_short_and_complete(text: str, indent: int) -> None:
    clean = strip_controls(text.replace("\0", ""))
    lines = mark_third_party(clean, indent).split("\n")
    assert all(is_cited(line) and line.lstrip(" ").startswith(THIRD_PARTY_MARK) for line in lines)
    assert (
        max(len(line.replace(CONTINUATION_MARK, "")) for line in lines)
        <= len(THIRD_PARTY_MARK) + 1 + WIDTH
    )
    said = "".join(line.lstrip(" ").removeprefix(THIRD_PARTY_MARK) for line in lines)
    assert "".join(re.sub(f"[\ue000\ue001{SIGNS}]", "", said).split()) == "".join(
        re.sub(f"[\ue000\ue001{SIGNS}]", "", clean).split()
    )


@pytest.mark.parametrize("sign", SIGNS)
def test_third_party_text_contains_no_layout_characters(sign: str) -> None:
    assert mark_third_party(f"one {sign}two\n{sign}three") == "|| one two\n|| three"


def test_a_link_is_unbroken_in_html() -> None:
    link = f"https://example.org/{'y' * 200}/RESIGN"
    filled = verbatim(mark_third_party(f"See {link} and say yes."))
    assert f"<div>|| {link} and say yes.</div>" in to_html(filled)
    assert max(map(len, normalize(filled).split("\n"))) <= len(THIRD_PARTY_MARK) + 1 + WIDTH


@cache
def longest_letter() -> str:
    """Return the longest letter, which is quoted in every style."""
    lines = (f"{number} bottles, A Vie - Tyr and RESIGN {'x ' * 60}" for number in range(800))
    text = "\n".join(lines)
    return letter_with(f"{text}\nA Vie - Tyr\nSET WAIT")


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: str(habit.__name__))
@pytest.mark.slow
def test_an_order_above_the_longest_letter_counts(habit: Habit) -> None:
    letter = longest_letter()
    assert len(letter) > 128 * 1024
    mail = read_reply(letter, habit, 76, OWN, "", Sent(message(letter)))
    assert foreign_lines(mail) == []
    assert mail.lines[0].text == OWN
