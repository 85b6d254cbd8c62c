"""Chance that can be audited: every draw of a game comes from its own secret seed.

Rule N-15 of our Nations 1940 specification, used for every game system: the value of a draw
depends only on turn, tag and number, never on the order in which the code asks.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def fresh_seed() -> bytes:
    """Return 32 unguessable bytes, the seed of a new game: the only chance of the machine's."""
    return secrets.token_bytes(32)


class Dice:
    """The draws of one turn of one game.

    >>> Dice(bytes(range(32)), 7).draw("battle:37:1:A", 1, 8)
    7
    >>> Dice(bytes(range(32)), 7).commitment()[:8]
    '630dcd29'
    """

    def __init__(self, seed: bytes, turn: int) -> None:
        self._seed = seed
        self._turn = turn

    def draw(self, tag: str, n: int, sides: int) -> int:
        """Return the n-th draw under a tag: 1 to `sides`, every side equally likely (N-15)."""
        k = 0
        limit = 2**64 - 2**64 % sides
        while True:
            message = f"{self._turn}|{tag}|{n}|{k}".encode("ascii")
            value = int.from_bytes(hmac.digest(self._seed, message, "sha256")[:8], "big")
            if value < limit:
                return value % sides + 1
            k += 1

    def shuffled(self, tag: str, things: Sequence[T]) -> list[T]:
        """Return the things in a drawn order (Fisher-Yates, one draw a place)."""
        rest = list(things)
        order = []
        for n in range(1, len(things) + 1):
            order.append(rest.pop(self.draw(tag, n, len(rest)) - 1))
        return order

    def commitment(self) -> str:
        """Return the SHA-256 of the seed in hex, which may be shown before the seed is (N-14)."""
        return hashlib.sha256(self._seed).hexdigest()
