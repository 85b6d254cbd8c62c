"""Proxies: units that one power lets another order for a phase (nJudge, DPjudge).

A proxy stands on the sheet of whoever owns the unit, the order on the sheet of whoever holds the
proxy. Where the holder gives none, the owner's own order counts. What is adjudicated is each
unit's order under its owner, whoever wrote it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.games.diplomacy.filing import orders_of
from judge.games.diplomacy.orders import Entry, Order, Proxy, order_text, unit_of
from judge.games.system import Trust

Sheets = Mapping[str, Sequence[Entry]]


class Settled(NamedTuple):
    """The orders that count, by the owner of the unit, and which of them came by proxy."""

    orders: dict[str, tuple[Order, ...]]
    by: dict[str, str]
    """Province → the power that ordered the unit there for its owner."""


def lent_units(sheets: Sheets) -> dict[str, str]:
    """Return province of a unit → the power that may order it by proxy."""
    return {entry.unit.province: entry.power for _, entry in _proxies(sheets)}


def _proxies(sheets: Sheets) -> list[tuple[str, Proxy]]:
    return [
        (owner, entry)
        for owner, entries in sheets.items()
        for entry in entries
        if isinstance(entry, Proxy)
    ]


def settle(position: Position, sheets: Sheets) -> Settled:
    """Return every unit's order under its owner, proxies resolved.

    An order for a unit that is no longer lent is left out. Only movement knows proxies.
    """
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return Settled({power: orders_of(entries) for power, entries in sheets.items()}, {})
    owners = {unit.province: power for power, units in position.units.items() for unit in units}
    orders: dict[str, tuple[Order, ...]] = {
        power: tuple(
            order
            for order in orders_of(entries)
            if (unit := unit_of(order)) is None or owners.get(unit.province, power) == power
        )
        for power, entries in sheets.items()
    }
    by: dict[str, str] = {}
    for owner, proxy in _proxies(sheets):
        given = order_by_proxy(proxy, sheets)
        if given:
            place = proxy.unit.province
            own = [order for order in orders[owner] if _place(order) != place]
            orders[owner] = (*own, given)
            by[place] = proxy.power
    return Settled(orders, by)


def order_by_proxy(proxy: Proxy, sheets: Sheets) -> Order | None:
    """Return the order that the holder of a proxy has given to its unit, or None."""
    found = [o for o in orders_of(sheets.get(proxy.power, ())) if _place(o) == proxy.unit.province]
    return found[-1] if found else None


def _place(order: Order) -> str:
    unit = unit_of(order)
    return unit.province if unit else ""


def trusts_in(sheets: Sheets) -> tuple[Trust, ...]:
    """Return who lets whom order which unit, and what was ordered."""
    found = []
    for owner, proxy in _proxies(sheets):
        given = order_by_proxy(proxy, sheets)
        text = order_text(given) if given else ""
        found.append(Trust(owner, proxy.power, str(proxy.unit), text))
    return tuple(sorted(found))


def published_entries(position: Position, sheets: Sheets) -> dict[str, tuple[Entry, ...]]:
    """Return the sheets without proxies nobody used and without orders that did not count."""
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return {power: tuple(entries) for power, entries in sheets.items()}
    used = [(owner, p) for owner, p in _proxies(sheets) if order_by_proxy(p, sheets)]
    holders = {proxy.unit.province: proxy.power for _, proxy in used}
    owners = {unit.province: power for power, units in position.units.items() for unit in units}

    def counts(power: str, entry: Entry) -> bool:
        if isinstance(entry, Proxy):
            return (power, entry) in used
        place = _place(entry)
        return not place or holders.get(place, owners.get(place, power)) == power

    return {
        power: tuple(entry for entry in entries if counts(power, entry))
        for power, entries in sheets.items()
    }


def known_entries(power: str, sheets: Sheets) -> dict[str, tuple[Entry, ...]]:
    """Return what a power may know: its own sheet, and of others what they let it order."""
    return {
        owner: tuple(
            entry
            for entry in entries
            if owner == power or isinstance(entry, Proxy) and entry.power == power
        )
        for owner, entries in sheets.items()
    }
