"""Sheets: what is on file for a step, as lines that can be read again (Y-77, Y-90)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from judge.games.yorktown.language.grammar import Done, clean, parse
from judge.games.yorktown.rules.orders import Order, Standing, order_text, replaces
from judge.games.yorktown.rules.state import Moment, parse_moment

DONE = "done"


class Sheet(NamedTuple):
    """A sheet as values: orders of the step, standing orders, and whether they are final."""

    orders: tuple[Order, ...] = ()
    standing: tuple[Standing, ...] = ()
    done: bool = False


@lru_cache(maxsize=64)
def read_sheet(text: str) -> Sheet:
    """Read a sheet back."""
    orders: list[Order] = []
    done = False
    for line in text.splitlines():
        match parse(clean(line)):
            case Done():
                done = True
            case tuple():
                raise ValueError(f"a sheet holds {line!r}")
            case order:
                orders.append(order)
    moves = tuple(order for order in orders if not isinstance(order, Standing))
    return Sheet(moves, tuple(o for o in orders if isinstance(o, Standing)), done)


def write_sheet(sheet: Sheet) -> str:
    """Return a sheet as text, one line an order.

    >>> write_sheet(read_sheet("Retreat all s, se.\\nDONE"))
    'retreat all S SE\\ndone'
    """
    lines = [order_text(order) for order in (*sheet.orders, *sheet.standing)]
    return "\n".join([*lines, *([DONE] if sheet.done else [])])


def amended(standing: Sequence[Standing], new: Iterable[Standing]) -> tuple[Standing, ...]:
    """Return standing orders with new ones in place of those about the same."""
    kept = list(standing)
    for order in new:
        kept = [other for other in kept if not replaces(order, other)]
        kept.append(order)
    return tuple(kept)


def read_standing(lines: Sequence[str]) -> tuple[Standing, ...]:
    """Read standing orders as a position keeps them."""
    return read_sheet("\n".join(lines)).standing


def write_standing(standing: Iterable[Standing]) -> tuple[str, ...]:
    """Return standing orders as a position keeps them."""
    return tuple(map(order_text, standing))


def split_sheets(text: str) -> dict[Moment, str]:
    """Return what a side has on file, by the step it is for.

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
    """Return sheets of several steps as one text; empty ones are left out."""
    told = sorted(sheets, key=lambda moment: moment.rank)
    return "\n".join(f"@{moment}\n{sheets[moment]}" for moment in told if sheets[moment])
