"""Texts in winmail.dat and in S/MIME: what a corpus mail does not show, and what it costs."""

import time
import zlib
from pathlib import Path
from struct import pack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.mail.inbound.mime import Entity
from judge.mail.inbound.packed import (
    MOST_TEXT,
    SIGNED,
    content_of,
    is_encrypted,
    loosened,
    text_of_rtf,
    unpacked,
)
from tests.journeys.rig import Rig, squeezed, text_of
from tests.mail.test_reader import read
from tests.rows import every

CORPUS = Path(__file__).parent / "corpus"
PACKED = {
    name: (CORPUS / f"{name}.eml").read_bytes()
    for name in ("tnef-rtf-only", "tnef-whole", "smime-opaque", "smime-opaque-streamed")
}
TNEF = Entity(PACKED["tnef-whole"]).octets()
CMS = [Entity(PACKED[name]).octets() for name in ("smime-opaque", "smime-opaque-streamed")]


@pytest.mark.parametrize(
    "name", ["smime-encrypted", "pgp-mime-encrypted", "pgp-inline-encrypted"]
)
def test_of_encrypted_mail_its_sender_hears_why_nothing_was_done(name: str) -> None:
    rig = Rig()
    rig.take((CORPUS / f"{name}.eml").read_bytes(), "ann@example.org")
    told = squeezed(text_of(rig.letter("ann@example.org")))
    rig.close()
    assert "This mail is encrypted, and I have no key to read it with" in told
    assert "Send it again without encryption" in told


def test_a_block_of_pgp_beside_a_text_hides_nothing() -> None:
    mail = read(
        b"From: ann@example.org\n\nA Par H\n-----BEGIN PGP MESSAGE-----\nA Mar H\n"
        b"-----END PGP MESSAGE-----\nF Bre H\n"
    )
    assert [line.text for line in mail.lines] == ["A Par H", "F Bre H"]
    assert not mail.sealed


def test_a_file_beside_a_text_is_not_opened() -> None:
    part = PACKED["tnef-whole"].partition(b"\nContent-Type")[2]
    mail = read(
        b"From: ann@example.org\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nF Bre H\n--x\n"
        b"Content-Type" + part + b"\n--x--\n"
    )
    assert [line.text for line in mail.lines] == ["F Bre H"]


@pytest.mark.parametrize("rtf, text", [
    (r"{\rtf1 A Par {\b - Bur}\par F Bre\tab H}", "A Par - Bur\nF Bre\tH"),
    (r"{\rtf1\ansicpg1251 \'cf\'e0\'f0 - Bur}", "Пар - Bur"),
    (r"{\rtf1\ansicpg932 \'83\'70 H}", "パ H"),
    (r"{\rtf1\uc2 \u8594\'81\'a8 Bur \u-10179\'3f\'3f\u-8704??x}", "→ Bur 😀x"),
    (r"{\rtf1\ansi\fromhtml1 {\*\htmltag64 <p>}A Par H{\*\htmltag72 </p>}\par{\pict 0a0b}}",
     "A Par H\n"),
    (r"{\rtf1 \{ \\ \} \~x}}}} y", "{ \\ } \xa0x y"),
])
def test_rtf_is_read_as_its_reader_sees_it(rtf: str, text: str) -> None:
    assert text_of_rtf(rtf) == text


def test_a_little_rtf_does_not_grow_without_end() -> None:
    # Each pair of octets copies seventeen.
    grown = loosened(bytes(8) + b"LZFu" + bytes(4) + b"\0aaaaaaaa" + b"\xff" * 3_000_000)
    assert len(grown) <= MOST_TEXT


DEEP = b"\x30\x80" * 50_000
NESTED = CMS[1][:60] + b"\x24\x80" * 100_000
MANY = pack("<I", 2**32 - 1) + pack("<HHI", 0x101E, 0x1000, 2**32 - 1) + bytes(500_000)


@every("octets", [
    DEEP, NESTED, b"\x30\x84\xff\xff\xff\xff" * 20_000, CMS[1][:70] + b"\x04\0" * 500_000,
    TNEF[:6] + pack("<BII", 1, 0x00069003, len(MANY)) + MANY,
    TNEF[:6] + pack("<BII", 1, 0, 0) * 100_000, TNEF[:6] + b"\xff" * 500_000,
    b"{" * 1_000_000, b"\\'41" * 250_000, b"\\u1 ?" * 200_000, zlib.compress(bytes(1_000_000)),
], ids=lambda octets: f"{octets[:4]!r}")
def test_hostile_files_are_read_to_their_end(octets: bytes) -> None:
    began = time.process_time()
    content_of(octets)
    is_encrypted(octets)
    unpacked(octets)
    loosened(octets)
    text_of_rtf(octets.decode("latin-1"))
    assert time.process_time() - began < 8


@settings(max_examples=settings.default.max_examples * 3 // 2, deadline=None)
@given(st.sampled_from([TNEF, *CMS]), st.floats(0, 1), st.binary(max_size=5), st.floats(0, 1))
def test_spoiled_files_are_read_to_their_end(
    octets: bytes, place: float, new: bytes, end: float
) -> None:
    at = int(place * len(octets))
    spoiled = (octets[:at] + new + octets[at + len(new):])[: int((1 + end) * len(octets))]
    for one in (spoiled, octets[:at], octets[at:]):
        content_of(one)
        is_encrypted(one)
        unpacked(one)
        loosened(one)


def _field(tag: int, octets: bytes) -> bytes:
    assert len(octets) < 128
    return bytes((tag, len(octets))) + octets


@pytest.mark.parametrize("pieces", [(b"",), (b"A Par H",), (b"A Par H\n", b"F Bre H")])
def test_octets_in_pieces_end_where_their_length_says(pieces: tuple[bytes, ...]) -> None:
    """X.690, 8.7.3: the pieces are those inside; what stands behind them is something else."""
    inside = _field(0x24, b"".join(_field(0x04, each) for each in pieces))
    kind = _field(0x06, bytes.fromhex("2a864886f70d010701"))
    signed = _field(0x02, b"\1") + _field(0x31, b"") + _field(0x30, kind + _field(0xA0, inside))
    behind = _field(0x04, b"a signature")
    whole = _field(0x06, SIGNED) + _field(0xA0, _field(0x30, signed))
    assert content_of(_field(0x30, whole) + behind) == b"".join(pieces)
