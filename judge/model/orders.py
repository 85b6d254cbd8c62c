"""Commands about orders, for now and for later, about readiness, and votes."""

from dataclasses import dataclass

from judge.model.command import Command
from judge.model.incoming import Choice, Line


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveOrders(Command):
    """Lines that are no command: orders, as far as anybody knows here.

    Consecutive order lines of a mail are one value; the game system reads each by itself.
    """

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading(Command):
    """The name of a phase above orders, or before an order on the same line.

    `words` are those of the line, and empty for "next turn". Whether the open game calls a phase so
    is for that game to know; where it does not, the line is one of its orders. *rest* is the order
    behind the name, as it was written.
    """

    words: str = ""
    rest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForPhase(Command):
    """`PHASE F1905M`: the orders that follow are for that phase.

    `phase` is empty where nobody could read it: what follows is then for no phase at all.
    """

    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditional(Command):
    """An IF block, after PHASE."""

    choice: Choice



def matter_meant(word: str) -> str:
    """Return what is voted on; DIAS is the draw of all survivors, as VOTE DRAW is."""
    low = word.lower().rstrip(".!")
    return "draw" if low == "dias" else low
