"""A power's sheet: the orders it has on file, and how new ones are laid over them.

A sheet is stored as JSON text: a list of canonical order texts.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from judge.board.map import Map
from judge.games.diplomacy.orders import (
    Build,
    Disband,
    Entry,
    Order,
    Proxy,
    Waive,
    order_text,
    parse_entry,
)
from judge.words.incoming import Line
from judge.words.reason import Reason, because


@lru_cache(maxsize=256)
def load_sheet(text: str, board: Map) -> tuple[Entry, ...]:
    """Read back what `dump_sheet` wrote; an empty text is an empty sheet.

    It is kept a while: each mail asks for the same few sheets many times.
    """
    return tuple(parse_entry(order, board) for order in json.loads(text or "[]"))


@lru_cache(maxsize=256)
def load_orders(text: str, board: Map) -> tuple[Order, ...]:
    """Read back the orders of a sheet, without its proxies; kept as long as `load_sheet` is."""
    return orders_of(load_sheet(text, board))


def dump_sheet(orders: Iterable[Entry]) -> str:
    """Return orders as the text of a sheet."""
    return json.dumps([order_text(order) for order in orders])


class Merged(NamedTuple):
    """A sheet after a new order was laid over it, and what there is to say about it."""

    orders: tuple[Entry, ...]
    notes: tuple[Reason, ...] = ()


def lay_over(sheet: Sequence[Entry], order: Entry, owed: int | None = None) -> Merged:
    """Return a sheet with one new order: it replaces the one for the same unit or build place.

    A proxy replaces a proxy only: the unit's own order stays, in case the other power gives none.
    An order takes back a proxy given before.

    `owed` counts the builds (above 0) or removals (below 0) a power has in an adjustment phase,
    and is None in other phases. The last ones given win, the earliest are dropped with a note.
    """
    if isinstance(order, Proxy):
        return _with_proxy(sheet, order)
    place = _place(order)
    kept, ended = list[Entry](), list[Proxy]()
    for old in sheet:
        if not place or _place(old) != place:
            kept.append(old)
        elif isinstance(old, Proxy):
            ended.append(old)
    kept.append(order)
    surplus = 0 if owed is None else len(kept) - abs(owed)
    if owed is None or surplus <= 0:
        notes = tuple(
            because("proxy-ended", unit=str(old.unit), power=old.power, order=order_text(order))
            for old in ended
        )
        return Merged(tuple(kept), notes)
    notes = tuple(
        because(
            "dropped-build" if owed > 0 else "dropped-removal",
            order=order_text(old),
            allowed=abs(owed),
        )
        for old in kept[:surplus]
    )
    return Merged(tuple(kept[surplus:]), notes)


def _with_proxy(sheet: Sequence[Entry], proxy: Proxy) -> Merged:
    """Return a sheet on which a unit is lent to a power or, if that is empty, to nobody."""
    others = [
        old for old in sheet if not isinstance(old, Proxy) or _place(old) != _place(proxy)
    ]
    if proxy.power:
        note = because("proxy-given", power=proxy.power, unit=str(proxy.unit))
        return Merged((*others, proxy), (note,))
    code = "proxy-none" if len(others) == len(sheet) else "proxy-back"
    return Merged(tuple(others), (because(code, unit=str(proxy.unit)),))


def _place(order: Entry) -> str:
    """Return what a later order must name to replace this one; empty: never replaced."""
    return "" if isinstance(order, Waive) else order.unit.province


def kept_orders(
    refused: Mapping[Line, Sequence[str]],
    before: Mapping[str, Sequence[Entry]],
    after: Mapping[str, Sequence[Entry]],
) -> dict[Line, tuple[str, ...]]:
    """Return which orders from before still count, for each line that would have changed them."""
    if not refused:
        return {}
    standing = {
        order.unit.province: order_text(order)
        for power, entries in before.items()
        for order in orders_of(entries)
        if not isinstance(order, Build | Waive) and order in after.get(power, entries)
    }
    return {
        line: tuple(dict.fromkeys(standing[place] for place in places if place in standing))
        for line, places in refused.items()
    }


def orders_of(sheet: Iterable[Entry]) -> tuple[Order, ...]:
    """Return the orders on a sheet, without its proxies."""
    return tuple(entry for entry in sheet if not isinstance(entry, Proxy))


def units_ordered(sheet: Iterable[Entry]) -> frozenset[str]:
    """Return the provinces whose unit has an order on the sheet."""
    return frozenset(order.unit.province for order in sheet if not isinstance(order, Build | Waive))


def builds_used(sheet: Iterable[Entry]) -> int:
    """Return how many builds a sheet gives or waives."""
    return sum(isinstance(order, Build | Waive) for order in sheet)


def removals_given(sheet: Iterable[Entry]) -> int:
    """Return how many removals a sheet gives."""
    return sum(isinstance(order, Disband) for order in sheet)
