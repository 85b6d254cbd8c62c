"""Mail parsing of random texts, with many more in `make test-all`.

Findings of such runs are stored as an `@example`, or in the corpus.
"""

import time
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from judge.mail.inbound.html_text import LineOrigin
from judge.mail.inbound.mime import (
    decode_base64,
    decode_header,
    decode_quoted_printable,
    decode_text,
)
from judge.mail.inbound.quote_stripper import strip_quotes
from judge.mail.inbound.quoted_letter import QuotedLetter
from judge.mail.inbound.reader import read_mail
from judge.model.incoming import Line
from judge.model.record import StoredMail
from tests.language import read_sheet
from tests.mail.test_corpus import CORPUS, NOW, OURS, TABLE
from tests.mail.test_corpus import list_commands as commands_in

HERE = Path(__file__).parent
MAILS = [path.read_bytes() for path in CORPUS]
SHEETS = [
    row.split("\t")[0].replace(" ⏎ ", "\n")
    for row in (HERE / "sheets.tsv").read_text(encoding="utf-8").splitlines()
    if "\t" in row
]
ORDERS = [
    row.split("\t")[0]
    for row in (HERE.parent / "games/diplomacy/order-lines.tsv").read_text("utf-8").splitlines()
    if row.count("\t") > 3 and not row.startswith("#")
]
PHRASES = st.sampled_from([
    "On 5 Jan 2026 10:12, Ann <a@b.org> wrote:", "wrote:", "Am 5.1.2026 um 10:12 schrieb Ann:",
    "From: Ann <a@b.org>", "Sent: Monday, January 5, 2026 10:12 AM", "To: judge", "Subject: x",
    "Od: a@b.org", "_" * 30, "-----Original Message-----", "---- On 2026 a@b.org wrote ----",
    "> A Del H", "| A Del H", "J> A Del H", "|| A Del - Kas",
    "-- ", "--", "Sent from my iPhone", "", " ",
    "begin 644 x", "end",
    "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----", "Hash: SHA1",
    "-----END PGP SIGNATURE-----", "CAUTION: external e-mail", "This e-mail is confidential" * 4,
    "A Del - Kas", "SIGNON Nmarco pw", "ENDPRESS", "Dip mailing list", "\u200f> x", "»", "::", "：",
])
TEXTS = st.lists(
    st.tuples(PHRASES | st.text(max_size=30), st.sampled_from(LineOrigin)), max_size=25
)


def spoil_text(draw: st.DrawFn, whole: str | bytes) -> str | bytes:
    """Return a text with some parts removed, doubled or replaced."""
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(whole)))
        end = min(start + draw(st.integers(0, 8)), len(whole))
        if isinstance(whole, bytes):
            whole = whole[:start] + draw(st.binary(max_size=4)) + whole[draw(
                st.sampled_from([start, end])):]
        else:
            new = draw(st.text(max_size=3) | st.sampled_from(" ,;#\"'-/>().\t\n"))
            whole = whole[:start] + new + whole[draw(st.sampled_from([start, end])):]
    return whole


@st.composite
def spoiled_mails(draw: st.DrawFn) -> bytes:
    mail = spoil_text(draw, draw(st.sampled_from(MAILS)))
    assert isinstance(mail, bytes)
    return mail


@st.composite
def spoiled_texts(draw: st.DrawFn, texts: list[str]) -> str:
    text = spoil_text(draw, draw(st.sampled_from(texts)))
    assert isinstance(text, str)
    return text


def mails_are_read(raw: bytes) -> None:
    began = time.process_time()
    mail = read_mail(StoredMail(7, NOW, "ann@example.org", ("judge@example.org",), raw), OURS)
    assert time.process_time() - began < 60
    commands_in(mail)
    assert not set("".join(line.text for line in mail.lines)) & set("\r\n\0")
    assert mail.subject.isprintable() and mail.message_id.isascii()


class OneLetter:
    """Store of one letter, the one that a mail answers."""

    def __init__(self, letter: str) -> None:
        self._echo = QuotedLetter(letter)

    def find_answered_letter(self) -> QuotedLetter:
        return self._echo

    def letters_containing(self, line: str) -> list[QuotedLetter]:
        return []


def texts_are_cut(lines: list[tuple[str, LineOrigin]], letter: str) -> None:
    clean = [(text.replace("\n", " ").replace("\r", " "), mark) for text, mark in lines]
    kept, left_out = strip_quotes([clean[:9], clean[9:]], OneLetter(letter))
    plain, _ = strip_quotes([clean[:9], clean[9:]])
    for line in kept:
        text, mark = clean[line.number - 1]
        # PGP puts "- " before signed lines.
        assert line.text in (text, text.removeprefix("- "))
        assert mark is not LineOrigin.QUOTED and not line.text.lstrip(" \t").startswith((">", "＞"))
    full = sum(bool(text.strip()) for text, _ in clean)
    many = left_out.quoted + left_out.signature + left_out.footer
    assert many + sum(bool(line.text.strip()) for line in kept) == full
    assert left_out.unsure <= left_out.quoted
    # The letter makes no difference above the first quote.
    known, unknown = ({line for line in one if line.text.strip()} for one in (kept, plain))
    if changed := known ^ unknown:
        above = clean[: min(line.number for line in changed) - 1]
        is_marked = any(mark is LineOrigin.QUOTED for _, mark in above)
        assert is_marked or strip_quotes([above[:9], above[9:]])[1].quoted


def orders_are_read(text: str) -> None:
    lines = [Line(number, one) for number, one in enumerate(text.split("\n"), 1)]
    read = TABLE.read_orders(lines, "India", {})
    filed = [order for line in read.lines for order in line.filed]
    assert all(order.startswith(("A DEL", "A CAL", "F MAD")) for order in filed), filed
    assert set(read.sheets) <= {"India"}


def commands_are_read(text: str) -> None:
    lines = [Line(number, one) for number, one in enumerate(text.split("\n"), 1)]
    for reply in (False, True):
        sheet = read_sheet(lines, press_reply=reply)
        assert all(0 < one.line <= len(lines) for one in sheet.complaints)


def octets_are_decoded(octets: bytes, name: str) -> None:
    assert isinstance(decode_text(octets, name), str)
    assert len(decode_base64(octets)) <= len(octets)
    assert len(decode_quoted_printable(octets)) <= len(octets)
    assert decode_header(octets.decode("latin-1")).isprintable()


CHARSETS = st.sampled_from([
    "", "utf-8", "utf-16", "utf-7", "utf-32", "iso-2022-jp", "hz", "cp932", "gb18030", "big5",
    "koi8-r", "cp-1252", "WINDOWS-9999", "x-mac-roman", "us-ascii", "iso-8859-8-i", "idna", "\0",
])
LETTERS = st.lists(PHRASES, max_size=12).map("\n".join)

@given(spoiled_mails())
def test_spoiled_mails_are_read(raw: bytes) -> None:
    mails_are_read(raw)


@given(TEXTS, LETTERS)
@example([("A", LineOrigin.NONE), ("begin 644 x", LineOrigin.NONE), ("end", LineOrigin.QUOTED)], "")
@example(
    [("wrote:", LineOrigin.QUOTED), ("_" * 30, LineOrigin.NONE), ("wrote:", LineOrigin.NONE)], ""
)
@example([("0", LineOrigin.QUOTED), ("\b", LineOrigin.NONE), ("0", LineOrigin.NONE)], "")
def test_texts_are_split_and_counted(lines: list[tuple[str, LineOrigin]], letter: str) -> None:
    texts_are_cut(lines, letter)


@given(spoiled_texts(ORDERS))
def test_damaged_orders_are_the_senders_own_or_none(text: str) -> None:
    orders_are_read(text)


@given(spoiled_texts(SHEETS))
def test_spoiled_commands_are_read(text: str) -> None:
    commands_are_read(text)


@given(st.binary(max_size=200), CHARSETS)
def test_octets_are_decoded_with_any_charset_name(octets: bytes, name: str) -> None:
    octets_are_decoded(octets, name)
