"""Interface between `legality` and the modules that check single orders."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from judge.games.nations1940.rules.orders import Order
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import Node
from judge.model.phrase import Fact, Phrase


class Redundant(NamedTuple):
    """An order that is filed with a note, in part, or not at all, without a fault.

    It asks for what is already so, or has an effect worth a warning. `rest` is what is filed, None
    if nothing is.
    """

    note: Phrase
    rest: Order | None = None


class OrderCheck(Protocol):
    """Check of one nation's orders, as implemented in `legality`."""

    world: World
    nation: str
    orders: Sequence[Order]
    taken: Counter[tuple[str, int | str]]
    seen: frozenset[Node]

    def make_refusal(self, code: str, **facts: Fact) -> Phrase:
        """Return a refusal of the current order, or a warning about it."""

    def place(self, place: int | str) -> str:
        """Return a place with its number and name."""

    def take_units(self, what: str, place: int | str, count: int) -> int | Phrase:
        """Take units of a place and return their number, or a refusal."""

    def enemy(self, n: int, *, neutral: bool = True) -> Phrase | None:
        """Return a refusal if a province may not be attacked, else None."""

    def limit(self) -> int:
        """Return the number of improvements that the nation may build this turn."""
