"""Texts in winmail.dat and S/MIME: cases beyond the corpus, and resource limits."""

import time
import zlib
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from struct import pack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.mail.inbound import embedded_bodies
from judge.mail.inbound.embedded_bodies import (
    BODY,
    CODE_PAGE,
    COUNTED,
    ENCRYPTED,
    HTML,
    INTERNET_PAGE,
    MANY,
    MAX_TEXT,
    MAX_WRAP_DEPTH,
    NAMED,
    PROPERTIES,
    RTF,
    SIGNATURE,
    SIGNED,
    SIZES,
    TEXT,
    TnefBody,
    content_of,
    decompress_rtf,
    is_encrypted,
    text_of_rtf,
    unpack_tnef,
)
from judge.mail.inbound.mime import Entity
from tests.journeys.rig import Rig, squeeze_text, text_of
from tests.mail.test_reader import read

CORPUS = Path(__file__).parent / "corpus"
PACKED = {
    name: (CORPUS / f"{name}.eml").read_bytes()
    for name in ("tnef-rtf-only", "tnef-whole", "smime-opaque", "smime-opaque-streamed")
}
TNEF = Entity(PACKED["tnef-whole"]).octets()
CMS = [Entity(PACKED[name]).octets() for name in ("smime-opaque", "smime-opaque-streamed")]


@pytest.mark.parametrize("name", ["smime-encrypted", "pgp-mime-encrypted", "pgp-inline-encrypted"])
def test_the_sender_of_an_encrypted_mail_is_informed(name: str) -> None:
    rig = Rig()
    rig.take((CORPUS / f"{name}.eml").read_bytes(), "ann@example.org")
    told = squeeze_text(text_of(rig.letter("ann@example.org")))
    rig.close()
    assert "This mail is encrypted and I have no key for it, so nothing was done" in told
    assert "Send it again without encryption" in told


def test_a_pgp_block_next_to_a_text_hides_nothing() -> None:
    mail = read(
        b"From: ann@example.org\n\nA Par H\n-----BEGIN PGP MESSAGE-----\nA Mar H\n"
        b"-----END PGP MESSAGE-----\nF Bre H\n"
    )
    assert [line.text for line in mail.lines] == ["A Par H", "F Bre H"]
    assert not mail.sealed


def test_a_file_next_to_a_text_is_not_opened() -> None:
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
    (r"{\rtf1 \uc0\u8594 x}", "→x"), (r"{\rtf1 \uc-1\u8594 xy}", "→xy"),
    (r"{\rtf1 \uc9\u8594 123456789x}", "→x"), (r"{\rtf1 \uc12\u8594 123456789ax}", "→ax"),
    (r"{\rtf1 {\uc0 a}\u8594 ?x}", "a→x"), (r"{\uc0 a}}\u8594 ?y", "a→y"),
    (r"{\pict{a}b}c", "c"), (r"{\*\a b}c", "c"), (r"a{\b c}d", "acd"), (r"a}b", "ab"),
    (r"{\pict \u8594 ?}a", "a"), (r"{\pict \tab\'41}a", "a"), (r"\'41\'c3\'a9", "Aé"),
    (r"{\b \pict a}", "a"), (r"{\pict a}{\b c}", "c"), (r"{\uc2\u8594\'41 \'42\'43 x}", "→BC x"),
    (r"{\rtf1 \{ \\ \} \~x}}}} y", "{ \\ } \xa0x y"),
])
def test_the_visible_text_of_rtf_is_read(rtf: str, text: str) -> None:
    assert text_of_rtf(rtf) == text


def test_decompressed_rtf_is_limited() -> None:
    # Each pair of octets copies seventeen.
    grown = decompress_rtf(bytes(8) + b"LZFu" + bytes(4) + b"\0aaaaaaaa" + b"\xff" * 3_000_000)
    assert len(grown) <= MAX_TEXT


DEEP = b"\x30\x80" * 50_000
NESTED = CMS[1][:60] + b"\x24\x80" * 100_000
ENDLESS = pack("<I", 2**32 - 1) + pack("<HHI", 0x101E, 0x1000, 2**32 - 1) + bytes(500_000)


@pytest.mark.parametrize("octets", [
    DEEP, NESTED, b"\x30\x84\xff\xff\xff\xff" * 20_000, CMS[1][:70] + b"\x04\0" * 500_000,
    TNEF[:6] + pack("<BII", 1, 0x00069003, len(ENDLESS)) + ENDLESS,
    TNEF[:6] + pack("<BII", 1, 0, 0) * 100_000, TNEF[:6] + b"\xff" * 500_000,
    b"{" * 1_000_000, b"\\'41" * 250_000, b"\\u1 ?" * 200_000, zlib.compress(bytes(1_000_000)),
], ids=lambda octets: f"{octets[:4]!r}")
@pytest.mark.slow
def test_hostile_files_are_read_to_their_end(octets: bytes) -> None:
    began = time.process_time()
    content_of(octets)
    is_encrypted(octets)
    unpack_tnef(octets)
    decompress_rtf(octets)
    text_of_rtf(octets.decode("latin-1"))
    assert time.process_time() - began < 8


@settings(max_examples=settings.default.max_examples * 3 // 2, deadline=None)
@given(st.sampled_from([TNEF, *CMS]), st.floats(0, 1), st.binary(max_size=5), st.floats(0, 1))
def test_damaged_files_are_read_to_their_end(
    octets: bytes, place: float, new: bytes, end: float
) -> None:
    at = int(place * len(octets))
    spoiled = (octets[:at] + new + octets[at + len(new):])[: int((1 + end) * len(octets))]
    for one in (spoiled, octets[:at], octets[at:]):
        content_of(one)
        is_encrypted(one)
        unpack_tnef(one)
        decompress_rtf(one)


def _field(tag: int, octets: bytes) -> bytes:
    assert len(octets) < 128
    return bytes((tag, len(octets))) + octets


def _long_field(tag: int, octets: bytes, many: int) -> bytes:
    """Return the same field with its length in *many* octets."""
    return bytes((tag, 0x80 | many)) + len(octets).to_bytes(many, "big") + octets


def _open_field(tag: int, octets: bytes) -> bytes:
    """Return the same field with an end marked by zeros."""
    return bytes((tag, 0x80)) + octets + b"\0\0"


def _sign_content(
    inside: bytes, algorithms: bytes = _field(0x31, b""), kind: bytes = SIGNED
) -> bytes:
    """Return a signed message around octets, followed by its signature."""
    data = _field(0x06, bytes.fromhex("2a864886f70d010701"))
    signed = _field(0x02, b"\1") + algorithms + _open_field(0x30, data + _open_field(0xA0, inside))
    whole = _field(0x06, kind) + _open_field(0xA0, _open_field(0x30, signed))
    return _open_field(0x30, whole) + _field(0x04, b"a signature")


@pytest.mark.parametrize("pieces", [(b"",), (b"A Par H",), (b"A Par H\n", b"F Bre H")])
def test_octets_in_pieces_have_their_declared_length(pieces: tuple[bytes, ...]) -> None:
    """X.690, 8.7.3: only the pieces inside belong to it."""
    inside = b"".join(_field(0x04, each) for each in pieces)
    assert content_of(_sign_content(_field(0x24, inside))) == b"".join(pieces)
    assert content_of(_sign_content(_open_field(0x24, inside))) == b"".join(pieces)


@pytest.mark.parametrize("inside, found", [
    *((_long_field(0x04, b"A Par H", many), b"A Par H" if many < 5 else None)
      for many in range(1, 7)),
    (b"\x04\0", b""), (b"\x1f\x01x", None), (b"\x04\x05A", b"A\0\0\0\0"),
    (b"\x04\x80A", b""),
])
def test_a_length_has_at_most_four_octets(inside: bytes, found: bytes | None) -> None:
    assert content_of(_sign_content(inside)) == found


def _nest_field(wrap: Callable[[int, bytes], bytes], tag: int, deep: int, inner: bytes) -> bytes:
    for _ in range(deep):
        inner = wrap(tag, inner)
    return inner


def test_nested_pieces_are_limited() -> None:
    for wrap in (_field, _open_field):
        inner = _field(0x04, b"A Par H")
        assert (
            content_of(_sign_content(_nest_field(wrap, 0x24, MAX_WRAP_DEPTH + 1, inner)))
            == b"A Par H"
        )
        assert (
            content_of(_sign_content(_nest_field(wrap, 0x24, MAX_WRAP_DEPTH + 2, inner))) is None
        )


def test_fields_before_the_content_are_skipped_up_to_a_depth() -> None:
    inside = _field(0x04, b"A Par H")
    for deep, found in ((MAX_WRAP_DEPTH + 2, b"A Par H"), (MAX_WRAP_DEPTH + 3, None)):
        algorithms = _nest_field(_open_field, 0x31, deep, b"")
        assert content_of(_sign_content(inside, algorithms)) == found


def test_the_number_of_pieces_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_bodies, "MAX_PIECES", 3)
    piece = _field(0x04, b"A")
    assert content_of(_sign_content(_field(0x24, piece * 3))) == b"AAA"
    assert content_of(_sign_content(_field(0x24, piece * 4))) is None


@pytest.mark.parametrize("kind, is_sealed", [
    (SIGNED, False), *((kind, True) for kind in ENCRYPTED), (SIGNED[:-1], False), (b"", False),
])
def test_only_signed_messages_open_and_enveloped_are_encrypted(
    kind: bytes, is_sealed: bool
) -> None:
    octets = _sign_content(_field(0x04, b"A Par H"), kind=kind)
    assert is_encrypted(octets) is is_sealed
    assert content_of(octets) == (b"A Par H" if kind == SIGNED else None)
    # A message truncated within its type has no type.
    assert not is_encrypted(octets[:2 + 1 + len(kind)])


def _attribute(name: int, value: bytes, level: int = 1) -> bytes:
    """Return an attribute of a winmail.dat, with its checksum, which is not checked."""
    return pack("<BII", level, name, len(value)) + value + b"\0\0"


def _winmail(*attributes: bytes, signature: bytes = SIGNATURE) -> bytes:
    return signature + b"\1\0" + b"".join(attributes)


@pytest.mark.parametrize("octets, content", [
    (_winmail(_attribute(BODY, b"A Par H\0")), "A Par H"),
    (_winmail(_attribute(BODY, b"A Par H"), signature=b"PK\3\4"), None),
    *((_winmail(_attribute(CODE_PAGE, page), _attribute(BODY, b"\xcf\xe0\xf0")), "Пар")
      for page in (pack("<II", 1251, 0), pack("<I", 1251))),
    (_winmail(_attribute(CODE_PAGE, b"\1\1\1"), _attribute(BODY, b"A Par H")), "A Par H"),
    # The first text counts. Those of attachments do not.
    (_winmail(_attribute(BODY, b"A Par H"), _attribute(BODY, b"F Bre H")), "A Par H"),
    (_winmail(_attribute(BODY, b"A Par H", level=2), _attribute(BODY, b"F Bre H")), None),
    (_winmail(_attribute(BODY, b" \0")), None),
    # The file ends within an attribute, or within the length of one.
    (_winmail(_attribute(BODY, b"A Par H")[:-4]), "A Par"),
    (_winmail(_attribute(0, b""), pack("<BII", 1, BODY, 1)[:-1]), None),
])
def test_the_text_of_a_winmail_is_that_of_its_message(octets: bytes, content: str | None) -> None:
    found = unpack_tnef(octets)
    assert (found and found.content) == content


def test_files_in_a_winmail_are_named() -> None:
    """Outlook sends such files next to a text, or with the text inside."""
    titles = [b"plan.docx\0", b'a"b\r\nBcc: x.pdf\0', b"\0", *[b"x.pdf\0"] * 200]
    winmail = _winmail(_attribute(BODY, b"A Par H"), *(
        _attribute(embedded_bodies.TITLE, title, level=2) for title in titles))
    part = (b'--b\r\nContent-Type: application/ms-tnef; name="winmail.dat"\r\n'
            b"Content-Transfer-Encoding: base64\r\n\r\n" + b64encode(winmail) + b"\r\n--b--\r\n")
    head = b"From: ann@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    for text in (b"", b"--b\r\n\r\nA Par H\r\n"):
        mail = read(head + text + part)
        assert [line.text for line in mail.lines] == ["A Par H"]
        assert mail.files == ("plan.docx", "a b Bcc: x.pdf", "x.pdf")
    assert not read(head + part[:100]).files
    assert read(part[5:]).files == mail.files


def _properties(*values: bytes) -> bytes:
    return _winmail(_attribute(PROPERTIES, pack("<I", len(values)) + b"".join(values)))


def _pack_counted(type_: int, name: int, *values: bytes) -> bytes:
    """Return a property whose values have a length and are padded to four octets."""
    return pack("<HHI", type_, name, len(values)) + b"".join(
        pack("<I", len(value)) + value + b"\0" * (-len(value) % 4) for value in values
    )


PLAIN = _pack_counted(30, TEXT, b"A Par H")
NAMES = bytes(16)
"""Identifier of the set of a named property."""


@pytest.mark.parametrize("before", [
    *(pack("<HH", type_, 1) + bytes(size) for type_, size in SIZES.items()),
    *(pack("<HHI", MANY | type_, 1, 3) + bytes(3 * size) for type_, size in SIZES.items()),
    *(_pack_counted(type_, 1, *values) for type_ in COUNTED
      for values in ((), (b"x",), (b"1234",), (b"12345", b"", b"x" * 9))),
    *(_pack_counted(MANY | type_, 1, b"12345", b"x") for type_ in COUNTED),
    pack("<HH", 3, NAMED) + NAMES + pack("<II", 0, 7) + bytes(4),
    pack("<HH", 3, NAMED + 1) + NAMES + pack("<II", 1, 5) + b"named\0\0\0" + bytes(4),
], ids=repr)
def test_a_property_has_the_length_of_its_type(before: bytes) -> None:
    """The property behind it is found only with the right length."""
    assert unpack_tnef(_properties(before, PLAIN)) == TnefBody("A Par H", "plain")


def test_a_property_of_unknown_type_ends_the_reading() -> None:
    assert unpack_tnef(_properties(PLAIN, pack("<HH", 1, 1))) == TnefBody("A Par H", "plain")
    assert unpack_tnef(_properties(pack("<HH", 1, 1), PLAIN)) is None


def test_the_number_of_properties_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_bodies, "MAX_PROPERTIES", 3)
    number = pack("<HHI", 3, 1, 0)
    assert unpack_tnef(_properties(number, number, PLAIN)) == TnefBody("A Par H", "plain")
    assert unpack_tnef(_properties(number, number, number, PLAIN)) is None


WIDE = "A Pår".encode("utf-16-le")


@pytest.mark.parametrize(
    "properties, found",
    [
        ([_pack_counted(31, TEXT, WIDE)], TnefBody("A Pår", "plain")),
        ([_pack_counted(258, HTML, b"<p>x"), PLAIN], TnefBody("A Par H", "plain")),
        ([_pack_counted(258, HTML, b"<p>x")], TnefBody("<p>x", "html")),
        (
            [_pack_counted(258, HTML, b"\xcf"), pack("<HHI", 3, INTERNET_PAGE, 1251)],
            TnefBody("П", "html"),
        ),
        (
            [_pack_counted(258, HTML, "П".encode()), pack("<HHI", 3, INTERNET_PAGE, 65001)],
            TnefBody("П", "html"),
        ),
        (
            [_pack_counted(258, HTML, b"\xcf"), _pack_counted(258, INTERNET_PAGE, b"\xe3\4")],
            TnefBody("Ï", "html"),
        ),
        ([_pack_counted(258, RTF, bytes(8) + b"MELA" + bytes(4) + b"{x}")], TnefBody("{x}", "rtf")),
        (
            [_pack_counted(30, TEXT, b" "), _pack_counted(258, HTML, b"<p>x")],
            TnefBody("<p>x", "html"),
        ),
        ([_pack_counted(30, 0x1001, b"A Par H")], None),
    ],
)
def test_the_best_text_of_a_message_is_decoded(
    properties: list[bytes], found: TnefBody | None
) -> None:
    assert unpack_tnef(_properties(*properties)) == found


def _pair(start: int, more: int = 0) -> bytes:
    """Return a reference to two octets, and *more*, from a place of the window."""
    return (start << 4 | more).to_bytes(2, "big")


def _rtf(packed_: bytes) -> bytes:
    return decompress_rtf(bytes(8) + b"LZFu" + bytes(4) + packed_)


@pytest.mark.parametrize("octets, found", [
    (b"", b""), (bytes(8) + b"MELA" + bytes(3), b""), (bytes(8) + b"MELA" + bytes(4), b""),
    (bytes(8) + b"MELA" + bytes(4) + b"x", b"x"),
])
def test_rtf_begins_after_sixteen_octets(octets: bytes, found: bytes) -> None:
    assert decompress_rtf(octets) == found


@pytest.mark.parametrize("octets, found", [
    (b"\0abcdefgh", b"abcdefgh"),
    (b"\0abcdefgh\0i", b"abcdefghi"),
    # The reference leads into the initial window: two octets, and seventeen of them.
    (b"\1\0\0", rb"{\rtf1\ansi\mac\deff0"[:2]),
    (b"\1\0\x0f", rb"{\rtf1\ansi\mac\deff0"[:17]),
    # The reference leads into its own output. The window has 207 octets at first.
    (b"\2a" + _pair(207, 3), b"aaaaaa"),
    (b"\4ab" + _pair(207, 3), b"abababa"),
    # A reference to the write position marks the end.
    (b"\2a" + _pair(208) + b"xx", b"a"),
    (b"\x80abcdefg" + _pair(214) + b"xx", b"abcdefg"),
    # The reference continues from the end of the window at its beginning.
    (b"\1\xff\xf1", b" {\\"),
    # The data is truncated before a reference, within one, or before an octet.
    (b"\2a", b"a"), (b"\2a\x0c", b"a"), (b"\6a" + _pair(207), b"aaa"), (b"\0a", b"a"),
])
def test_rtf_is_decompressed_exactly(octets: bytes, found: bytes) -> None:
    assert _rtf(octets) == found


def test_the_decompressed_rtf_is_limited_in_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_bodies, "MAX_TEXT", 8)
    assert _rtf(b"\0abcdefgh" * 2) == _rtf(b"\0abcdefgh\1\0\0") == b"abcdefgh"
    assert decompress_rtf(bytes(8) + b"MELA" + bytes(4) + b"abcdefghi") == b"abcdefgh"


def test_the_window_of_rtf_wraps_around() -> None:
    runs = b"".join(b"\0" + bytes([65 + n % 26]) * 8 for n in range(600))
    out = b"".join(bytes([65 + n % 26]) * 8 for n in range(600))
    # The window had 207 octets, so octet 4096 - 207 of the output is at its beginning.
    assert _rtf(runs + b"\1\0\x0f") == out + out[4096 - 207:][:17]
