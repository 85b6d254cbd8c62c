"""Reply tokens: the unguessable part of a Reply-To address that opens one seat.

Some open no seat but confirm a question that was mailed: the ownership of an address, an
address change (or its undoing), a new password.

A token names its purpose, its seat and the phase its letter was written in. A message
authentication code under a key of the database makes it unguessable. Its content is encrypted
under that key as well, with the code as the nonce (as in RFC 5297), since readable numbers of
seats, letters and press would reveal how many there are. Unencrypted tokens of earlier versions
are read as long as their key exists. A token is lower case, because mail servers may fold the
local part, and short enough for the 64 octets of RFC 5321 4.5.3.1.1.

A token includes the seat's epoch. A new password, address or player raises the epoch, which
makes every older token invalid. A token alone opens nothing: the From must be registered for
the seat.

There are several keys, newest first. Letters are written with the newest, and an older one is
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
from operator import xor
from typing import NamedTuple

_LAYOUT = ">cIHHI"
_MAC = 10
"""Octets of the authentication code.

80 bits cannot be guessed through a mail server.
"""
_UNSEALED = b"reply"
"""Domain of the authentication codes of unencrypted tokens."""


class Purpose(Enum):
    """Meaning of a reply to a letter."""

    COMMANDS = b"c"
    """Commands and orders.

    `extra` is the branch of the game the letter was written in.
    """
    PRESS = b"p"
    """Press to the writer of the letter. `extra` is the press event."""
    UNSUBSCRIBE = b"u"
    CONFIRM = b"a"
    """Confirmation that an address wrote the mail.

    `seat` is the number of the address.
    """
    MOVE = b"m"
    """Confirmation of a seat's new address. `seat` is the number of the move."""
    ALSO = b"l"
    """Confirmation that both addresses are the sender's.

    `seat` is the number of the link, `epoch` the side that confirms.
    """
    UNDO = b"z"
    """Request to undo an address change. `seat` is the number of the move."""
    SIT = b"s"
    """Agreement to be the sitter of this seat."""
    RESIGN = b"r"
    """Confirmation that the player resigns from this seat."""
    PASSWORD = b"n"
    """A new password for the seat, and nothing else."""
    BOUNCE = b"b"
    """Return path of a letter, for bounces. `seat` is the number of the letter."""


class ReplyToken(NamedTuple):
    """Content of a token."""

    purpose: Purpose
    seat: int
    epoch: int
    turn: int
    """Turn number of the phase in which the letter was written."""
    extra: int = 0

    @property
    def written(self) -> datetime:
        """UTC time at which the token was written, if it was made by `at`."""
        return datetime.fromtimestamp(self.extra, UTC)

    @classmethod
    def at(cls, now: datetime, purpose: Purpose, number: int, epoch: int = 0) -> "ReplyToken":
        """Return a token that contains its time of writing, so that it can expire.

        >>> noon = datetime(2026, 1, 5, 12, tzinfo=UTC)
        >>> ReplyToken.at(noon, Purpose.CONFIRM, 7).written == noon
        True
        """
        return cls(purpose, number, epoch, 0, int(now.timestamp()))


class Tokens:
    """Writer and reader of tokens. `load` returns the keys, newest first.

    >>> tokens = Tokens(lambda: [b"k" * 32])
    >>> text = tokens.write(ReplyToken(Purpose.COMMANDS, 7, 1, 3))
    >>> tokens.read(text) == tokens.read(text.upper()) == ReplyToken(Purpose.COMMANDS, 7, 1, 3)
    True
    >>> tokens.read(text[:-1] + "a"), len(text)
    (None, 37)
    """

    def __init__(self, load: Callable[[], Sequence[bytes]]) -> None:
        self._load = load
        self._keys = tuple(load())

    def refresh(self) -> None:
        """Load the keys again, as there may be new ones."""
        self._keys = tuple(self._load())

    def write(self, token: ReplyToken) -> str:
        """Return a token as text of the local part: letters and digits, lower case."""
        packed = struct.pack(
            _LAYOUT, token.purpose.value, token.seat, token.epoch, token.turn, token.extra
        )
        code = _code(self._keys[0], b"sealed", packed)
        sealed = _apply_mask(self._keys[0], code, packed) + code
        return base64.b32encode(sealed).decode("ascii").rstrip("=").lower()

    def opaque_id(self, *what: object) -> str:
        """Return an opaque identifier of *what* for a header.

        It is the same as long as the oldest key is kept.

        >>> tokens = Tokens(lambda: [b"k" * 32])
        >>> (tokens.opaque_id("talk", 1, 7) == tokens.opaque_id("talk", 1, 7)
        ...  != tokens.opaque_id("talk", 1, 8))
        True
        """
        return _code(self._keys[-1], b"alias", repr(what).encode()).hex()

    def read(self, text: str) -> ReplyToken | None:
        """Return the content of a token, or None if it is not the judge's or was changed."""
        padded = text.upper() + "=" * (-len(text) % 8)
        try:
            raw = base64.b32decode(padded)
        except (binascii.Error, ValueError):
            return None
        sealed, code = raw[:-_MAC], raw[-_MAC:]
        if len(sealed) != struct.calcsize(_LAYOUT):
            return None
        packed = self._unseal(sealed, code)
        if packed is None:
            # Another process may have added a key since.
            self.refresh()
            packed = self._unseal(sealed, code)
            if packed is None:
                return None
        purpose, seat, epoch, turn, extra = struct.unpack(_LAYOUT, packed)
        return ReplyToken(Purpose(purpose), seat, epoch, turn, extra)

    def _unseal(self, sealed: bytes, code: bytes) -> bytes | None:
        """Return the content if its code is valid under one of the keys, else None."""
        found = None
        for key in self._keys:
            packed = _apply_mask(key, code, sealed)
            if hmac.compare_digest(code, _code(key, b"sealed", packed)):
                found = packed
            if hmac.compare_digest(code, _code(key, _UNSEALED, sealed)):
                found = sealed
        return found


def _code(key: bytes, what_for: bytes, text: bytes) -> bytes:
    return hmac.digest(key, what_for + text, hashlib.sha256)[:_MAC]


def _apply_mask(key: bytes, code: bytes, text: bytes) -> bytes:
    """Return a text encrypted, or decrypted again."""
    mask = hmac.digest(key, b"mask" + code, hashlib.sha256)
    return bytes(map(xor, text, mask))
