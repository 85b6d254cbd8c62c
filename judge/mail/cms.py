"""S/MIME: the message inside a signature that is wrapped around it (RFC 8551, 3.5; RFC 5652, 5).

The signature is not verified: who speaks is told by a password or token. What is encrypted is for
a key we do not have.
"""

from typing import NamedTuple

SIGNED = bytes.fromhex("2a864886f70d010702")
ENCRYPTED = (
    bytes.fromhex("2a864886f70d010703"),
    bytes.fromhex("2a864886f70d0109100117"),
)
"""Enveloped data, with and without authentication."""
SEQUENCE, OBJECT, OCTETS, FIRST = 0x30, 0x06, 0x04, 0xA0
CONSTRUCTED = 0x20
DEEPEST = 8
MOST_PIECES = 100_000


class Field(NamedTuple):
    """One value in BER: its tag and where its content stands; an end of -1 is marked by zeros."""

    tag: int
    start: int
    end: int


def content_of(octets: bytes) -> bytes | None:
    """Return the message inside a signature, None where there is none to be had."""
    try:
        return _Reader(octets).content()
    except ValueError:
        return None


def is_encrypted(octets: bytes) -> bool:
    """Tell whether octets are a message for the owner of a key.

    >>> is_encrypted(bytes.fromhex("300b06092a864886f70d010703"))
    True
    """
    try:
        return _Reader(octets).kind() in ENCRYPTED
    except ValueError:
        return False


class _Reader:
    """Goes from field to field (X.690, 8.1); signers' programs write lengths in both ways."""

    def __init__(self, octets: bytes) -> None:
        self._octets = octets
        self._pieces = 0

    def kind(self) -> bytes:
        """Return the object identifier of the whole."""
        return self._value(self._field(self._field(0, SEQUENCE).start, OBJECT))

    def content(self) -> bytes | None:
        """Walk to the content that is signed."""
        outer = self._field(0, SEQUENCE)
        kind = self._field(outer.start, OBJECT)
        if self._value(kind) != SIGNED:
            return None
        data = self._field(self._field(kind.end, FIRST).start, SEQUENCE)
        version = self._field(data.start)
        algorithms = self._field(version.end)
        inner = self._field(self._after(algorithms), SEQUENCE)
        held = self._field(inner.start, OBJECT)
        return self._whole(self._field(self._field(held.end, FIRST).start))

    def _field(self, at: int, tag: int | None = None) -> Field:
        octets = self._octets
        if len(octets) < at + 2 or tag not in (None, octets[at]) or octets[at] & 31 == 31:
            raise ValueError("no BER")
        length, start = octets[at + 1], at + 2
        if length == 0x80:
            return Field(octets[at], start, -1)
        if length > 0x80:
            many = length & 0x7F
            if many > 4:
                raise ValueError("no BER")
            length = int.from_bytes(octets[start:start + many], "big")
            start += many
        if tag == OBJECT and start + length > len(octets):
            raise ValueError("no BER")
        return Field(octets[at], start, start + length)

    def _value(self, field: Field) -> bytes:
        return self._octets[field.start:field.end] if field.end >= 0 else b""

    def _after(self, field: Field, depth: int = 0) -> int:
        """Return where the next field begins."""
        if field.end >= 0:
            return field.end
        at = field.start
        while self._octets[at:at + 2] != b"\0\0":
            self._count(depth)
            at = self._after(self._field(at), depth + 1)
        return at + 2

    def _whole(self, field: Field, depth: int = 0) -> bytes:
        """Return octets that may come in pieces (X.690, 8.7); what is cut off ends early."""
        if not field.tag & CONSTRUCTED:
            return self._value(field)
        pieces, at = [], field.start
        while at < len(self._octets) and (
            at < field.end if field.end >= 0 else self._octets[at:at + 2] != b"\0\0"
        ):
            self._count(depth)
            piece = self._field(at)
            pieces.append(self._whole(piece, depth + 1))
            at = self._after(piece)
        return b"".join(pieces)

    def _count(self, depth: int) -> None:
        self._pieces += 1
        if depth > DEEPEST or self._pieces > MOST_PIECES:
            raise ValueError("no BER")
