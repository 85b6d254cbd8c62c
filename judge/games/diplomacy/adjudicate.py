"""Adjudication of a phase: position and orders in, the next position and all verdicts out.

A pure function of its arguments, for movement, retreats and adjustments alike. Orders that are
readable but illegal are taken as they stand: they come out void, with the rule they break.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.board.map import Map, Unit
from judge.board.phase import PhaseKind
from judge.board.position import Dislodged, Position
from judge.games.diplomacy.adjustments import adjust, adjustment_count, buildable, builds_due
from judge.games.diplomacy.aftermath import position_after, verdicts_on
from judge.games.diplomacy.movement import settle_movement
from judge.games.diplomacy.orders import Order
from judge.games.diplomacy.outcome import Verdict
from judge.games.diplomacy.retreats import open_retreats, retreat
from judge.games.diplomacy.rules import Rules
from judge.games.diplomacy.seasons import advance, who_orders

__all__ = [
    "Adjudged",
    "adjudicate",
    "adjustment_count",
    "buildable",
    "builds_due",
    "open_retreats",
    "who_orders",
]


class Adjudged(NamedTuple):
    """One adjudicated phase."""

    position: Position
    """In the next phase in which somebody has a choice."""
    verdicts: Mapping[str, tuple[Verdict, ...]]
    """Power → a verdict on each of its orders, and on each unit that had none."""
    dislodged: Mapping[str, tuple[Dislodged, ...]]
    """All units dislodged in this phase, with `retreats` filled in, also those with none."""
    contested: frozenset[str]
    gained: Mapping[str, str]
    """Centre → its new owner, where ownership changed."""
    winner: str
    """The power that won, or empty."""
    drawn: tuple[str, ...]
    """Those who share a game that quiet Falls or its last year ended, or nobody."""
    removed: Mapping[str, tuple[Unit, ...]] = {}
    """Power without any centre → its units that left in an adjustment phase nobody had a choice
    in, and which was therefore passed over."""
    is_last: bool = False
    """The last year is over: those in `drawn` share the game, or the one in it has won."""


def adjudicate(
    board: Map, position: Position, orders: Mapping[str, Sequence[Order]], rules: Rules
) -> Adjudged:
    """Decide a phase of any kind.

    A unit without an order holds; when it is dislodged it disbands; removals nobody ordered are
    chosen by civil disorder. Nothing depends on the order of units or orders, but that of several
    orders for one unit the last counts, and of too many builds or removals the first.
    """
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            field = settle_movement(board, position, orders, rules)
            after, verdicts = position_after(field, position), verdicts_on(field)
        case PhaseKind.RETREAT:
            after, verdicts = retreat(board, position, orders, rules)
        case PhaseKind.ADJUSTMENT:
            after, verdicts = adjust(board, position, orders, rules)
    found = advance(board, after, rules)
    return Adjudged(
        position=found.position,
        verdicts=verdicts,
        dislodged=after.dislodged,
        contested=after.contested,
        gained=found.gained,
        winner=found.winner,
        drawn=found.drawn,
        removed=found.removed,
        is_last=found.is_last,
    )
