"""Adjudication of a phase: position and orders in, the next position and all verdicts out."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.board.map import Map
from judge.board.position import Dislodged, Position
from judge.games.diplomacy.orders import Order
from judge.games.diplomacy.outcome import Verdict
from judge.games.diplomacy.rules import Rules


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
    """The survivors who share a draw by quiet Falls, or nobody."""


def adjudicate(
    board: Map, position: Position, orders: Mapping[str, Sequence[Order]], rules: Rules
) -> Adjudged:
    """Decide a phase of any kind."""
