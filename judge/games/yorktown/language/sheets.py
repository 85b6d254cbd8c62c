"""Sheets: orders on file for a step, as lines that can be parsed (Y-77, Y-90)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from judge.games.yorktown.language.grammar import Done, clean, parse
from judge.games.yorktown.language.merging import Entry, Gap, orders_in
from judge.games.yorktown.rules.board import key_of
from judge.games.yorktown.rules.orders import (
    Losses,
    Order,
    RetreatAll,
    RetreatPreference,
    Standing,
    WhenHit,
    order_text,
    replaces,
)
from judge.games.yorktown.rules.state import Moment, SiegePosition, parse_moment

DONE = "done"


_GAP = "?"
"""First character of a sheet line that keeps the place of a refused line."""


class YorktownSheet(NamedTuple):
    """Sheet as values: entries of a step, standing orders, and whether it is final."""

    entries: tuple[Entry, ...] = ()
    """Orders of the step, with gaps in the places of refused lines."""
    standing: tuple[Standing, ...] = ()
    done: bool = False

    @property
    def orders(self) -> tuple[Order, ...]:
        """Orders of the step without the gaps."""
        return orders_in(self.entries)


def without_gaps(text: str) -> str:
    """Return one or more sheets without the gaps of refused lines, for viewers."""
    return "\n".join(line for line in text.splitlines() if not line.startswith(_GAP))


@lru_cache(maxsize=64)
def read_sheet(text: str) -> YorktownSheet:
    """Parse the text of a sheet.

    Raises:
        ValueError: a line is no order.
    """
    entries: list[Entry] = []
    standing: list[Standing] = []
    done = False
    for line in text.splitlines():
        if line.startswith(_GAP):
            entries.append(Gap(line[1:].strip()))
            continue
        match parse(clean(line)):
            case Done():
                done = True
            case tuple():
                raise ValueError(f"a sheet holds {line!r}")
            case order if isinstance(order, Standing):
                standing.append(order)
            case order:
                entries.append(order)
    return YorktownSheet(tuple(entries), tuple(standing), done)


def write_sheet(sheet: YorktownSheet) -> str:
    """Return a sheet as text, one line an order.

    >>> write_sheet(read_sheet("Retreat all s, se.\\nDONE"))
    'retreat all S SE\\ndone'
    """
    lines = [
        f"{_GAP} {entry.unit}" if isinstance(entry, Gap) else order_text(entry)
        for entry in (*sheet.entries, *sheet.standing)
    ]
    return "\n".join([*lines, *([DONE] if sheet.done else [])])


def amend_standing_orders(
    standing: Sequence[Standing], new: Iterable[Standing]
) -> tuple[Standing, ...]:
    """Return standing orders with new ones in place of those that they replace."""
    kept = list(standing)
    for order in new:
        kept = [other for other in kept if not replaces(order, other)]
        kept.append(order)
    return tuple(kept)


def read_standing(lines: Sequence[str]) -> tuple[Standing, ...]:
    """Parse the standing orders stored in a position."""
    return read_sheet("\n".join(lines)).standing


def standing_in_force(position: SiegePosition, side: str) -> tuple[Standing, ...]:
    """Return a side's standing orders, without units that are no longer in play."""

    def living(units: Iterable[str]) -> tuple[str, ...]:
        return tuple(u for u in units if position.units[key_of(side, u)].in_play)

    found: list[Standing] = []
    for order in read_standing(position.standing.get(side, ())):
        match order:
            case Losses(units):
                found += [Losses(living(units))] if living(units) else []
            case WhenHit(unit, to) if to:
                found += [WhenHit(unit, living(to))] if living([unit]) and living(to) else []
            case WhenHit(unit) | RetreatPreference(unit):
                found += [order] if living([unit]) else []
            case RetreatAll():
                found.append(order)
    return tuple(found)


def write_standing(standing: Iterable[Standing]) -> tuple[str, ...]:
    """Return standing orders as a position stores them."""
    return tuple(map(order_text, standing))


def split_sheets(text: str) -> dict[Moment, str]:
    """Return the text of each sheet of a side, by the moment of its step.

    >>> split_sheets("@FA6F\\ndone\\n@FA6M\\nINF 3 holds")[parse_moment("FA6M")]
    'INF 3 holds'
    """
    found: dict[Moment, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("@") and (moment := parse_moment(line[1:])):
            lines = found.setdefault(moment, [])
        else:
            lines.append(line)
    return {moment: "\n".join(lines) for moment, lines in found.items()}


def join_sheets(sheets: Mapping[Moment, str]) -> str:
    """Return sheets of several steps as one text, without empty ones."""
    told = sorted(sheets, key=lambda moment: moment.rank)
    return "\n".join(f"@{moment}\n{sheets[moment]}" for moment in told if sheets[moment])
