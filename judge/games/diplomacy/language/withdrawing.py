"""Lines that take orders off file: parsing of the units and orders they name."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from judge.board.position import PhaseKind
from judge.games.diplomacy.language.future_orders import read_ahead
from judge.games.diplomacy.language.order_reader import read_lines
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import Waive, order_text, unit_of
from judge.model.incoming import Line
from judge.model.withdrawing import order_withdrawn

_UNITS = {
    PhaseKind.MOVEMENT: ("{} h",),
    PhaseKind.RETREAT: ("{} disband",),
    PhaseKind.ADJUSTMENT: ("build {}", "remove {}"),
}
"""Orders as which the name of a unit alone is read."""
_MAX_UNIT_WORDS = 4
_MAX_PARTS = 20
_PARTS = re.compile(r"[,;]|\band\b", re.IGNORECASE)


class Withdrawn(NamedTuple):
    """One order that a line takes off file."""

    power: str
    """The power of the order. Empty where the line does not name it."""
    place: str
    """The province of the unit. Empty for a waived build."""
    order: str = ""
    """The order that the line names. Empty where it names a unit alone."""


_Read = Callable[[Line], Sequence[Withdrawn]]


def read_withdrawn(line: Line, context: OrderContext) -> tuple[Withdrawn, ...]:
    """Return the orders that a line takes off file. Empty for any other line."""
    return tuple(_withdrawn(line, context.kind, lambda part: _in_phase(part, context)))


def read_withdrawn_ahead(line: Line, context: OrderContext) -> tuple[Withdrawn, ...]:
    """Return the orders for a later phase that a line takes off file."""
    return tuple(_withdrawn(line, context.kind, lambda part: _ahead(part, context)))


def _withdrawn(line: Line, kind: PhaseKind, read: _Read) -> Iterator[Withdrawn]:
    named = order_withdrawn(line.text)
    if not named:
        return
    for part in [*filter(str.strip, _PARTS.split(named))][:_MAX_PARTS]:
        found = read(line._replace(text=part))
        if found:
            yield from found
            continue
        for form in _UNITS[kind] if len(part.split()) <= _MAX_UNIT_WORDS else ():
            found = read(line._replace(text=form.format(part.strip())))
            if found:
                yield found[0]._replace(order="")
                break


def _in_phase(line: Line, context: OrderContext) -> list[Withdrawn]:
    """Parse the names of a line as orders of the present phase."""
    [read] = read_lines(
        [line], context.board, context.position, context.power or None, context.rules, context.lent
    )
    found = [
        Withdrawn(power, unit.province if (unit := unit_of(order)) else "", order_text(order))
        for power, order in read.orders
        if unit_of(order) or isinstance(order, Waive)
    ]
    return found or [Withdrawn(context.power, place) for place in read.refused[:1]]


def _ahead(line: Line, context: OrderContext) -> list[Withdrawn]:
    """Parse them as orders for a later phase, when units may be elsewhere."""
    read = read_ahead(line, context.board, context.position.phase, context.power, context.rules)
    return [Withdrawn(context.power, each.place, each.text) for each in read.orders]
