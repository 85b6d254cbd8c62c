"""What became of an order: outcomes and verdicts. Deciding happens elsewhere."""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

from judge.games.diplomacy.orders import Order
from judge.words.reason import Reason


class Outcome(Enum):
    """What a result says of an order, in the words of its JSON form; an order may earn several."""

    SUCCEEDS = "succeeds"
    BOUNCE = "bounce"
    CUT = "cut"
    VOID = "void"
    """Illegal, or not matched by the order it refers to; of no effect."""
    DISLODGED = "dislodged"
    DISBANDED = "disbanded"
    NO_CONVOY = "no convoy"
    NO_ORDER = "no order"


Why = Callable[[], Reason | None]
"""Finds a reason, when somebody asks for it."""


class Verdict:
    """An order, what became of it, and why; None where a success says everything.

    It never changes. The reason is worked out when it is first asked for, since most adjudications
    are of positions nobody will ever read about.
    """

    __slots__ = ("_order", "_outcomes", "_why")

    def __init__(
        self, order: Order, outcomes: tuple[Outcome, ...], why: Reason | Why | None = None
    ) -> None:
        self._order = order
        self._outcomes = outcomes
        self._why = why

    @property
    def order(self) -> Order:
        """The order; of a unit that had none, to hold."""
        return self._order

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What became of it."""
        return self._outcomes

    @property
    def reason(self) -> Reason | None:
        """Why, if there is more to say than the outcomes do."""
        why = self._why
        if why is not None and not isinstance(why, Reason):
            why = self._why = why()
        return why

    def with_reason(self, reason: Reason | None) -> "Verdict":
        """Return the same verdict for another reason."""
        return Verdict(self._order, self._outcomes, reason)

    def __iter__(self) -> Iterator[Any]:
        return iter((self._order, self._outcomes, self.reason))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Verdict) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Verdict({self._order!r}, {self._outcomes!r}, {self.reason!r})"

    def __reduce__(self) -> tuple[type["Verdict"], tuple[object, ...]]:
        return Verdict, tuple(self)
