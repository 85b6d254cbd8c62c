"""Reply tokens: the unguessable part of a Reply-To address that opens one seat.

Some open none, but say yes to a question we mailed: is this address yours, do you want your seat
moved (or moved back), do you want a new password.

A token says what it is for, which seat, and which phase its letter was written in; a message
authentication code under a key of the database makes it unguessable. It is lower case, because
mail servers may fold the local part, and short enough for the 64 octets of RFC 5321 4.5.3.1.1.
A seat's epoch stands inside: a new password, address or player raises it, and every older token
is dead. A token alone opens nothing; the From must be registered for the seat.

There are several keys, newest first: letters are written with the newest, and an older one is
still read as long as a game needs it.
"""

import base64
import binascii
import hashlib
import hmac
import struct
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import NamedTuple

_LAYOUT = ">cIHHI"
_MAC = 10
"""Octets of the code kept: 80 bits cannot be guessed through a mail server."""


class Purpose(Enum):
    """What a reply to a letter means."""

    COMMANDS = b"c"
    """Commands and orders; `extra` is the branch of the game its letter was written in."""
    PRESS = b"p"
    """Press to the writer of the letter; `extra` is the press event."""
    UNSUBSCRIBE = b"u"
    CONFIRM = b"a"
    """Yes, this address wrote to you; `seat` is the number of the address."""
    MOVE = b"m"
    """Yes, this shall be the address of a seat; `seat` is the number of the move."""
    ALSO = b"l"
    """Yes, both are my addresses; `seat` is the number of the link, `epoch` which side says so."""
    UNDO = b"z"
    """No, the move shall be undone; `seat` is its number."""
    SIT = b"s"
    """Yes, I sit in for the player of this seat."""
    PASSWORD = b"n"
    """A new password for the seat, and nothing else."""
    BOUNCE = b"b"
    """The way back of a letter that cannot be delivered; `seat` is the number of the letter."""


class Token(NamedTuple):
    """What a token says."""

    purpose: Purpose
    seat: int
    epoch: int
    turn: int
    """Turn number of the phase its letter was written in."""
    extra: int = 0

    @property
    def written(self) -> datetime:
        """When it was written, if `at` wrote it."""
        return datetime.fromtimestamp(self.extra, UTC)

    @classmethod
    def at(cls, now: datetime, purpose: Purpose, number: int, epoch: int = 0) -> "Token":
        """Return a token that knows when it was written, and can be too old therefore.

        >>> noon = datetime(2026, 1, 5, 12, tzinfo=UTC)
        >>> Token.at(noon, Purpose.CONFIRM, 7).written == noon
        True
        """
        return cls(purpose, number, epoch, 0, int(now.timestamp()))


class Tokens:
    """Makes and reads tokens; `load` returns the keys, newest first.

    >>> tokens = Tokens(lambda: [b"k" * 32])
    >>> text = tokens.write(Token(Purpose.COMMANDS, 7, 1, 3))
    >>> tokens.read(text) == tokens.read(text.upper()) == Token(Purpose.COMMANDS, 7, 1, 3)
    True
    >>> tokens.read(text[:-1] + "a"), len(text)
    (None, 37)
    """

    def __init__(self, load: Callable[[], Sequence[bytes]]) -> None:
        self._load = load
        self._keys = tuple(load())

    def refresh(self) -> None:
        """Look for new keys, now that there are some."""
        self._keys = tuple(self._load())

    def write(self, token: Token) -> str:
        """Return a token as text of the local part: letters and digits, lower case."""
        packed = struct.pack(
            _LAYOUT, token.purpose.value, token.seat, token.epoch, token.turn, token.extra
        )
        text = base64.b32encode(packed + _code(self._keys[0], packed)).decode("ascii")
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
        if not self._fits(packed, code):
            # Another process may have drawn a key meanwhile.
            self.refresh()
            if not self._fits(packed, code):
                return None
        purpose, seat, epoch, turn, extra = struct.unpack(_LAYOUT, packed)
        return Token(Purpose(purpose), seat, epoch, turn, extra)

    def _fits(self, packed: bytes, code: bytes) -> bool:
        return any([hmac.compare_digest(code, _code(key, packed)) for key in self._keys])


def _code(key: bytes, packed: bytes) -> bytes:
    return hmac.digest(key, b"reply" + packed, hashlib.sha256)[:_MAC]
