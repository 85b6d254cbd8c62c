"""Commands about present and future orders, readiness and votes."""

from dataclasses import dataclass

from judge.model.command import Command
from judge.model.incoming import IfBlock, Line


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveOrders(Command):
    """Lines that are no command and so are assumed to be orders.

    Consecutive order lines of a mail are one value. The game system reads each line separately.
    """

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading(Command):
    """Name of a phase above orders, or before an order on the same line.

    `words` are the words of the name, and empty for "next turn". The open game decides whether they
    name one of its phases. If not, the line is one of its orders. `rest` is the order after the
    name, as typed.
    """

    words: str = ""
    rest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForPhase(Command):
    """`PHASE F1905M`: the phase that the following orders are for.

    `phase` is empty if it could not be read. The following orders are then for no phase.
    """

    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditional(Command):
    """An IF block, after PHASE."""

    choice: IfBlock



def matter_meant(word: str) -> str:
    """Return the subject of a vote. DIAS means the draw of all survivors."""
    low = word.lower().rstrip(".!")
    return "draw" if low == "dias" else low
