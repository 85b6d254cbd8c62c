"""Reply tokens: the unguessable part of a Reply-To address that opens one seat.

A token says what it is for, which seat, and which phase its letter was written in; a message
authentication code under a key of the database makes it unguessable. It is lower case, because
mail servers may fold the local part, and short enough for the 64 octets of RFC 5321 4.5.3.1.1.
A seat's epoch stands inside: a new password, address or player raises it, and every older token
is dead. A token alone opens nothing; the From must be registered for the seat.
"""

import base64
import binascii
import hashlib
import hmac
import struct
from enum import Enum
from typing import NamedTuple

_LAYOUT = ">cIHHI"
_MAC = 10
"""Octets of the code kept: 80 bits cannot be guessed through a mail server."""


class Purpose(Enum):
    """What a reply to a letter means."""

    COMMANDS = b"c"
    PRESS = b"p"
    """Press to the writer of the letter; `extra` is the press event."""
    UNSUBSCRIBE = b"u"


class Token(NamedTuple):
    """What a token says."""

    purpose: Purpose
    seat: int
    epoch: int
    turn: int
    """Turn number of the phase its letter was written in."""
    extra: int = 0


class Tokens:
    """Makes and reads tokens.

    >>> tokens = Tokens(b"k" * 32)
    >>> text = tokens.write(Token(Purpose.COMMANDS, 7, 1, 3))
    >>> tokens.read(text) == tokens.read(text.upper()) == Token(Purpose.COMMANDS, 7, 1, 3)
    True
    >>> tokens.read(text[:-1] + "a"), len(text)
    (None, 37)
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def write(self, token: Token) -> str:
        """Return a token as text of the local part: letters and digits, lower case."""
        packed = struct.pack(
            _LAYOUT, token.purpose.value, token.seat, token.epoch, token.turn, token.extra
        )
        text = base64.b32encode(packed + self._code(packed)).decode("ascii")
        return text.rstrip("=").lower()

    def read(self, text: str) -> Token | None:
        """Return what a token says, or None if it is not ours or was changed."""
        padded = text.upper() + "=" * (-len(text) % 8)
        try:
            raw = base64.b32decode(padded)
        except (binascii.Error, ValueError):
            return None
        packed, code = raw[:-_MAC], raw[-_MAC:]
        if len(packed) != struct.calcsize(_LAYOUT):
            return None
        if not hmac.compare_digest(code, self._code(packed)):
            return None
        purpose, seat, epoch, turn, extra = struct.unpack(_LAYOUT, packed)
        return Token(Purpose(purpose), seat, epoch, turn, extra)

    def _code(self, packed: bytes) -> bytes:
        return hmac.digest(self._key, b"reply" + packed, hashlib.sha256)[:_MAC]
