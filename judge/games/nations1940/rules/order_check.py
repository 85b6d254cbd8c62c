"""What the rooms that look at orders share of one nation's orders, as `legality` lays it out."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from judge.games.nations1940.rules.orders import Order
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import Node
from judge.model.phrase import Fact, Phrase


class Redundant(NamedTuple):
    """An order that asks for what is so already, in whole or in part.

    It is no fault. `rest` is what of it is filed, None if it is nothing.
    """

    note: Phrase
    rest: Order | None = None


class OrderCheck(Protocol):
    """One nation's orders under examination."""

    world: World
    nation: str
    orders: Sequence[Order]
    taken: Counter[tuple[str, int | str]]
    seen: frozenset[Node]

    def no(self, code: str, **facts: Fact) -> Phrase:
        """Return a refusal of the order at hand."""

    def place(self, place: int | str) -> str:
        """Return a place with its number and name."""

    def take(self, what: str, place: int | str, count: int) -> int | Phrase:
        """Take units of a place."""

    def enemy(self, n: int, *, neutral: bool = True) -> Phrase | None:
        """Return why a province may not be attacked."""

    def limit(self) -> int:
        """Return how many improvements the nation may build this turn."""
