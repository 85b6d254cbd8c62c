"""What became of an order: outcomes and verdicts. Deciding happens elsewhere."""

from enum import Enum
from typing import NamedTuple

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


class Verdict(NamedTuple):
    """An order, what became of it, and why; None where a success says everything."""

    order: Order
    outcomes: tuple[Outcome, ...]
    reason: Reason | None = None
