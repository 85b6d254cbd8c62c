"""Auditable random numbers, all derived from a game's secret seed.

There are two kinds of draws, and a system uses the one its rules name. Named draws (rule N-15 of
the judge's Nations 1940 specification) depend only on turn, tag and number, never on the sequence
of calls. Numbered dice (rule Y-95 of the judge's Yorktown specification) are one stream through the
whole game: the system keeps the next number in its position. All draws are recorded.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from copy import copy
from typing import NamedTuple, TypeVar

T = TypeVar("T")

NUMBERED = "numbered"
"""Tag under which numbered dice are recorded."""


class RecordedDraw(NamedTuple):
    """A recorded draw, the `n`-th under a tag, with `value` in 1 to `sides`."""

    tag: str
    n: int
    sides: int
    value: int


def derive_die(secret: str, k: int, sides: int = 6) -> int:
    """Return die number `k`, from 1, of the stream of a secret text (Y-95).

    >>> [derive_die("yorktown-test", k) for k in range(1, 13)]
    [6, 5, 3, 1, 4, 1, 5, 4, 3, 4, 4, 3]
    """
    limit, tries = 256 - 256 % sides, 0
    while True:
        octet = hashlib.sha256(f"{secret}:{k}:{tries}".encode()).digest()[0]
        if octet < limit:
            return octet % sides + 1
        tries += 1


def new_seed() -> bytes:
    """Return 32 unguessable bytes as the seed of a new game.

    All other random numbers of the game derive from it.
    """
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
        self._noted: dict[tuple[str, int, int], int] = {}

    @property
    def drawn(self) -> tuple[RecordedDraw, ...]:
        """The recorded draws, each once, in the order of their first use."""
        return tuple(RecordedDraw(*key, value) for key, value in self._noted.items())

    def of_turn(self, turn: int) -> "Dice":
        """Return the draws of a turn, by the system's own numbering of turns.

        Both objects record to the same list. The judge counts turns from 1; in rules with a Turn 0
        the draws start at 0 too.

        >>> Dice(bytes(range(32)), 8).of_turn(7).draw("battle:37:1:A", 1, 8)
        7
        """
        found = copy(self)
        found._turn = turn
        return found

    def draw(self, tag: str, n: int, sides: int) -> int:
        """Return the n-th draw under a tag, uniform in 1 to `sides` (N-15).

        Raises:
            ValueError: there are no such sides, or the tag is not plain ASCII or is reserved.
        """
        if sides < 1 or not tag.isascii() or "|" in tag or tag == NUMBERED:
            raise ValueError(f"no draw can be {tag!r} {n}/{sides}")
        return self._noting(tag, n, sides)

    def roll_die(self, k: int, sides: int = 6) -> int:
        """Return die number `k`, from 1, of the game's stream.

        The secret text of the stream is the seed in hex.

        Raises:
            ValueError: `k` is less than 1, or the die does not have 1 to 256 sides.
        """
        if k < 1 or not 1 <= sides <= 256:
            raise ValueError(f"no die can be number {k} of {sides} sides")
        return self._noting(NUMBERED, k, sides)

    def _noting(self, tag: str, n: int, sides: int) -> int:
        key = tag, n, sides
        if key not in self._noted:
            self._noted[key] = self._value(*key)
        return self._noted[key]

    def _value(self, tag: str, n: int, sides: int) -> int:
        if tag == NUMBERED:
            return derive_die(self._seed.hex(), n, sides)
        k = 0
        limit = 2**64 - 2**64 % sides
        while True:
            message = f"{self._turn}|{tag}|{n}|{k}".encode("ascii")
            value = int.from_bytes(hmac.digest(self._seed, message, "sha256")[:8], "big")
            if value < limit:
                return value % sides + 1
            k += 1

    def shuffle(self, tag: str, things: Sequence[T]) -> list[T]:
        """Return things in a random order (Fisher-Yates, one draw for each place)."""
        rest = list(things)
        order = []
        for n in range(1, len(things) + 1):
            order.append(rest.pop(self.draw(tag, n, len(rest)) - 1))
        return order

    def commitment(self) -> str:
        """Return the SHA-256 of the seed in hex, published before the seed (N-14)."""
        return hashlib.sha256(self._seed).hexdigest()

    def stream_commitment(self) -> str:
        """Return the SHA-256 of the seed in hex as text, for numbered dice (Y-95)."""
        return hashlib.sha256(self._seed.hex().encode()).hexdigest()


class BotRandom:
    """Named sequence of random draws for a bot.

    >>> BotRandom(Dice(bytes(32), 1), "India").pick("abc")
    'b'
    """

    def __init__(self, dice: Dice, name: str) -> None:
        self._dice = dice
        self._name = name
        self._drawn = 0

    def pick(self, things: Sequence[T]) -> T:
        """Return a random one of the things."""
        return things[self._draw(len(things)) - 1]

    def pick_weighted(self, things: Sequence[tuple[int, T]]) -> T:
        """Return a random one of the things, each with a probability by its weight."""
        left = self._draw(sum(weight for weight, _ in things))
        for weight, thing in things:
            left -= weight
            if left <= 0:
                return thing
        return things[-1][1]

    def chance(self, of: int) -> bool:
        """Return True with a probability of 1 in `of`."""
        return self._draw(of) == 1

    def shuffle(self, things: Sequence[T]) -> list[T]:
        """Return the things in a random order."""
        self._drawn += 1
        return self._dice.shuffle(f"{self._name}:{self._drawn}", things)

    def _draw(self, sides: int) -> int:
        self._drawn += 1
        return self._dice.draw(self._name, self._drawn, sides)


class RecordedDice(Dice):
    """Dice with recorded results, for a turn whose seed is unknown."""

    def __init__(self, told: Iterable[tuple[str, int, int, int]]) -> None:
        super().__init__(b"", 0)
        self._told = {(tag, n, sides): value for tag, n, sides, value in told}

    def _value(self, tag: str, n: int, sides: int) -> int:
        """Return the recorded value of a draw.

        Raises:
            LookupError: the draw was not recorded.
        """
        found = self._told.get((tag, n, sides))
        if found is None:
            raise LookupError(f"nobody noted the draw {tag} {n}/{sides}")
        return found
