"""Reply tokens: the unguessable part of a Reply-To address that opens one seat.

Some open none, but say yes to a question we mailed: is this address yours, do you want your seat
moved (or moved back), do you want a new password.

A token says what it is for, which seat, and which phase its letter was written in; a message
authentication code under a key of the database makes it unguessable. What it says is sealed under
the key as well, with the code in the nonce's place (as in RFC 5297): numbers of seats, letters and
press, read by others, would count what they are not told. Tokens of earlier versions, which were
not sealed, are read as long as their key is. A token is lower case, because mail servers may fold
the local part, and short enough for the 64 octets of RFC 5321 4.5.3.1.1.
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
_UNSEALED = b"reply"
"""What codes of tokens were made for that say openly what they say."""


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
    RESIGN = b"r"
    """Yes, I give up this seat."""
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
        code = _code(self._keys[0], b"sealed", packed)
        sealed = _masked(self._keys[0], code, packed) + code
        return base64.b32encode(sealed).decode("ascii").rstrip("=").lower()

    def alias(self, *what: object) -> str:
        """Return what stands for something in a header, and tells nothing of it.

        It is the same as long as the oldest key is kept.

        >>> tokens = Tokens(lambda: [b"k" * 32])
        >>> tokens.alias("talk", 1, 7) == tokens.alias("talk", 1, 7) != tokens.alias("talk", 1, 8)
        True
        """
        return _code(self._keys[-1], b"alias", repr(what).encode()).hex()

    def read(self, text: str) -> Token | None:
        """Return what a token says, or None if it is not ours or was changed."""
        padded = text.upper() + "=" * (-len(text) % 8)
        try:
            raw = base64.b32decode(padded)
        except (binascii.Error, ValueError):
            return None
        sealed, code = raw[:-_MAC], raw[-_MAC:]
        if len(sealed) != struct.calcsize(_LAYOUT):
            return None
        packed = self._opened(sealed, code)
        if packed is None:
            # Another process may have drawn a key meanwhile.
            self.refresh()
            packed = self._opened(sealed, code)
            if packed is None:
                return None
        purpose, seat, epoch, turn, extra = struct.unpack(_LAYOUT, packed)
        return Token(Purpose(purpose), seat, epoch, turn, extra)

    def _opened(self, sealed: bytes, code: bytes) -> bytes | None:
        """Return what a code of one of our keys stands for, or None."""
        found = None
        for key in self._keys:
            packed = _masked(key, code, sealed)
            if hmac.compare_digest(code, _code(key, b"sealed", packed)):
                found = packed
            if hmac.compare_digest(code, _code(key, _UNSEALED, sealed)):
                found = sealed
        return found


def _code(key: bytes, what_for: bytes, text: bytes) -> bytes:
    return hmac.digest(key, what_for + text, hashlib.sha256)[:_MAC]


def _masked(key: bytes, code: bytes, text: bytes) -> bytes:
    """Return a text sealed, or opened again."""
    mask = hmac.digest(key, b"mask" + code, hashlib.sha256)
    return bytes(one ^ other for one, other in zip(text, mask))
