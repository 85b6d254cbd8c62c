"""Damaged corpus mails: quoted text never counts after any change.

The mails are those of `test_corpus`. The invariants hold for every mail: each line that counts is
the sender's, and nothing below a quote opens a seat.
"""

import re
from base64 import encodebytes
from quopri import encodestring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.mail.inbound.reader import read_mail
from judge.model.incoming import Incoming
from judge.model.record import StoredMail
from judge.play.commands.seats.signup import SignOn
from tests.language import read_sheet
from tests.mail.test_corpus import CORPUS, NOW, OURS
from tests.mail.test_corpus import list_commands as commands_in

MAILS = {path.stem: path.read_bytes() for path in CORPUS}
PLAIN = {
    name: raw
    for name, raw in MAILS.items()
    if b"\nContent-Type: text/plain; charset=utf-8\n" in raw
    and b"Content-Transfer-Encoding: 8bit" in raw
    and b"multipart" not in raw
}
"""Mails of one plain part in UTF-8, which must read the same in other encodings."""


def read(raw: bytes) -> Incoming:
    return read_mail(StoredMail(7, NOW, "ann@example.org", ("judge@example.org",), raw), OURS)


def signs_on(mail: Incoming) -> bool:
    return any(isinstance(command, SignOn) for command in read_sheet(mail.lines).commands)


def body_of(raw: bytes) -> tuple[bytes, bytes]:
    head, _, body = raw.partition(b"\n\n")
    return head, body


def test_the_corpus_has_enough_plain_mails() -> None:
    assert len(PLAIN) > 80


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_encodings_do_not_change_the_result(name: str) -> None:
    raw = PLAIN[name]
    head, body = body_of(raw)
    as_sent = read(raw)
    for called, coded in (("base64", encodebytes(body)), ("quoted-printable", encodestring(body))):
        mail = read(head.replace(b"8bit", called.encode()) + b"\n\n" + coded)
        assert (mail.lines, mail.ignored) == (as_sent.lines, as_sent.ignored)
    wide = encodebytes(body.decode().encode("utf-16"))
    mail = read(head.replace(b"8bit", b"base64").replace(b"utf-8", b"utf-16") + b"\n\n" + wide)
    assert mail.lines == as_sent.lines


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_a_part_of_a_multipart_is_read_as_a_single_one(name: str) -> None:
    raw = PLAIN[name]
    head, body = body_of(raw)
    kind = b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit"
    flowed = b"; format=flowed" if b"format=flowed" in head else b""
    whole = b"From: ann@example.org\nContent-Type: multipart/mixed; boundary=outer\n\n--outer\n"
    whole += kind.replace(b"utf-8", b"utf-8" + flowed) + b"\n\n" + body + b"\n--outer--\n"
    assert read(whole).lines == read(raw).lines


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_a_letter_quoted_below_adds_nothing(name: str) -> None:
    quote = (
        b"\n\nOn Mon, Jan 5, 2026 at 10:12 AM The Judge <judge@example.org> wrote:\n\n"
        b"> SIGNON Nmarco secret\n> A Cal H\n"
    )
    raw = PLAIN[name]
    assert commands_in(read(raw + quote)) == commands_in(read(raw))


OCTETS = st.binary(min_size=1, max_size=6)
HARMLESS = st.sampled_from(
    ["\u00a0", "\u200b", "\ufeff", " ", "\u2009", "\u200e", "\u2060", "\t", "\u00ad"]
)


@given(st.sampled_from(sorted(MAILS)), st.lists(st.tuples(st.floats(0, 1), OCTETS), max_size=4))
def test_spoiled_mails_are_read_to_their_end(name: str, spoils: list[tuple[float, bytes]]) -> None:
    raw = bytearray(MAILS[name])
    for place, octets in spoils:
        at = int(place * len(raw))
        raw[at:at + len(octets)] = octets
    mail = read(bytes(raw))
    commands_in(mail)
    numbers = [line.number for line in mail.lines]
    assert numbers == sorted(numbers)


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from(sorted(PLAIN)), st.floats(0, 1))
def test_a_truncated_mail_adds_no_command(name: str, place: float) -> None:
    head, body = body_of(PLAIN[name])
    lines = body.splitlines(keepends=True)
    short = b"".join(lines[: int(place * len(lines))])
    done = [one for one in commands_in(read(head + b"\n\n" + short)) if not one.startswith("!")]
    assert set(done) <= set(commands_in(read(PLAIN[name])))


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from(sorted(PLAIN)), st.data())
def test_quoted_sign_ons_never_count_with_added_blanks(name: str, data: st.DataObject) -> None:
    """Relays and clients insert blanks, some of them invisible, at the ends of lines."""
    head, body = body_of(PLAIN[name])
    lines = body.decode().split("\n")
    changed = [
        data.draw(HARMLESS) + line if line.startswith(">") and data.draw(st.booleans()) else line
        for line in lines
    ]
    changed = [line + data.draw(HARMLESS) if line and line != "-- " else line for line in changed]
    mail = read(head + b"\n\n" + "\n".join(changed).encode())
    assert signs_on(mail) == signs_on(read(PLAIN[name]))


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_wrapped_lines_lose_no_order(name: str) -> None:
    """Programs without format=flowed break lines at blanks. Orders are joined again."""
    head, _ = body_of(PLAIN[name])
    own = "\n".join(text for _, text in read(PLAIN[name]).lines)
    filed = {one for one in commands_in(read(head + b"\n\n" + own.encode())) if one[0] != "!"}
    for width in range(62, 79):
        wrapped = re.sub(rf"([^\n]{{{width - 12},{width}}}) (?=\S)", r"\1\n", own)
        if wrapped != own:
            assert filed <= set(commands_in(read(head + b"\n\n" + wrapped.encode()))), width
