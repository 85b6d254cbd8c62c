"""The players' chance: seeded, so that a demo can be seen again."""

from collections.abc import Sequence
from typing import TypeVar

from judge.dice import Dice

T = TypeVar("T")


class Luck:
    """A run of draws that depends only on the seed, the phase and the player.

    >>> Luck(1, 0, "India").pick("abc") == Luck(1, 0, "India").pick("abc")
    True
    """

    def __init__(self, seed: int, turn: int, name: str) -> None:
        self._dice = Dice(seed.to_bytes(32, "big", signed=True), turn)
        self._name = name
        self._drawn = 0

    def pick(self, things: Sequence[T]) -> T:
        """Return one of the things."""
        return things[self._draw(len(things)) - 1]

    def weighted(self, things: Sequence[tuple[int, T]]) -> T:
        """Return one of the things, each as likely as its weight says."""
        left = self._draw(sum(weight for weight, _ in things))
        for weight, thing in things:
            left -= weight
            if left <= 0:
                return thing
        return things[-1][1]

    def chance(self, of: int) -> bool:
        """Tell yes once in so many times."""
        return self._draw(of) == 1

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return the things in a drawn order."""
        self._drawn += 1
        return self._dice.shuffled(f"{self._name}:{self._drawn}", things)

    def _draw(self, sides: int) -> int:
        self._drawn += 1
        return self._dice.draw(self._name, self._drawn, sides)
