"""A power's sheet: the orders it has on file, and how new ones are laid over them.

A sheet is stored as JSON text: a list of canonical order texts.
"""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from judge.board.map import Map
from judge.games.diplomacy.orders import Build, Disband, Order, Waive, order_text, parse_order
from judge.words.reason import Reason, because


def load_sheet(text: str, board: Map) -> tuple[Order, ...]:
    """Read back what `dump_sheet` wrote; an empty text is an empty sheet."""
    return tuple(parse_order(order, board) for order in json.loads(text or "[]"))


def dump_sheet(orders: Iterable[Order]) -> str:
    """Return orders as the text of a sheet."""
    return json.dumps([order_text(order) for order in orders])


class Merged(NamedTuple):
    """A sheet after a new order was laid over it, and what there is to say about it."""

    orders: tuple[Order, ...]
    notes: tuple[Reason, ...] = ()


def lay_over(sheet: Sequence[Order], order: Order, owed: int | None = None) -> Merged:
    """Return a sheet with one new order: it replaces the one for the same unit or build place.

    `owed` counts the builds (above 0) or removals (below 0) a power has in an adjustment phase,
    and is None in other phases. The last ones given win, the earliest are dropped with a note.
    """
    place = _place(order)
    kept = [old for old in sheet if not place or _place(old) != place]
    kept.append(order)
    surplus = 0 if owed is None else len(kept) - abs(owed)
    if owed is None or surplus <= 0:
        return Merged(tuple(kept))
    notes = tuple(
        because(
            "dropped-build" if owed > 0 else "dropped-removal",
            order=order_text(old),
            allowed=abs(owed),
        )
        for old in kept[:surplus]
    )
    return Merged(tuple(kept[surplus:]), notes)


def _place(order: Order) -> str:
    """Return what a later order must name to replace this one; empty: never replaced."""
    return "" if isinstance(order, Waive) else order.unit.province


def units_ordered(sheet: Iterable[Order]) -> frozenset[str]:
    """Return the provinces whose unit has an order on the sheet."""
    return frozenset(order.unit.province for order in sheet if not isinstance(order, Build | Waive))


def builds_used(sheet: Iterable[Order]) -> int:
    """Return how many builds a sheet gives or waives."""
    return sum(isinstance(order, Build | Waive) for order in sheet)


def removals_given(sheet: Iterable[Order]) -> int:
    """Return how many removals a sheet gives."""
    return sum(isinstance(order, Disband) for order in sheet)
