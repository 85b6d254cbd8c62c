"""Ways that the judge finds for orders that name only where a unit shall go.

A mail's movements are carried out in the order written, so that each way is found on the board as
the lines before it leave it.
"""

from dataclasses import replace
from typing import NamedTuple

from judge.games.yorktown.rules.board import Counter, Kind, counters, key_of
from judge.games.yorktown.rules.field import Field
from judge.games.yorktown.rules.hexes import distance, is_hex, neighbours
from judge.games.yorktown.rules.orders import Enter, March, Order
from judge.games.yorktown.rules.setup import to_place
from judge.games.yorktown.rules.state import OFF, Position
from judge.games.yorktown.rules.walking import entry_hexes, step_cost, ways_within
from judge.model.phrase import Phrase, phrase

_FAR = 99
"""Movement points that lead to every hex that a unit can come to."""


class Route(NamedTuple):
    """An order with its whole way, or why there is none."""

    order: March | Enter
    found: Phrase | None = None
    """A note that the judge found the way."""
    cut: Phrase | None = None
    """Why the way ends before the hex that was named."""
    refused: Phrase | None = None


class RoutePlanner:
    """Finds the ways of one mail's movements, for one side."""

    def __init__(self, position: Position, side: str) -> None:
        self._field = Field(position)
        self._side = side

    def note(self, order: Order) -> None:
        """Take a movement that was filed as carried out, for the ways of the lines after it."""
        if isinstance(order, March | Enter) and order.path and is_hex(order.path[-1]):
            key = key_of(self._side, order.unit)
            if counters()[key].kind is not Kind.CMD:
                self._field.place(key, order.path[-1])

    def plan(self, order: March | Enter, *, near: bool) -> Route:
        """Return an order with its way, if it names one hex that is not next to the unit.

        `near`: several units go there together, and each takes the nearest hex it can reach.
        """
        field, key = self._field, key_of(self._side, order.unit)
        unit, counter = field.units[key], counters()[key]
        if counter.kind is Kind.CMD:
            return Route(order)
        if unit.at == OFF and isinstance(order, March) and self._comes_in(order, counter):
            order = Enter(order.unit, order.path, order.face)
        if not self._names_goal(order, counter) and not near:
            return Route(order)
        if not (unit.on_map or isinstance(order, Enter) and unit.at == OFF):
            return Route(order)
        goal = order.path[-1]
        if enemies := field.enemies_in(goal, self._side):
            other = counters()[enemies[0]].order_id
            return Route(order, refused=phrase("ye06", at=goal, unit=other))
        return self._search(order, counter, goal, near=near)

    def _comes_in(self, order: March, counter: Counter) -> bool:
        """Return whether a movement of a unit off the map is its way in."""
        if not order.path or _is_placed(counter):
            return False
        return len(order.path) == 1 or order.path[0] in entry_hexes(self._field, counter)

    def _names_goal(self, order: March | Enter, counter: Counter) -> bool:
        """Return whether an order names where its unit shall be, and not the way there."""
        here = self._field.units[counter.key].at
        path = [name for name in order.path if name != here]
        if len(path) != 1:
            return False
        if isinstance(order, Enter):
            return path[0] not in entry_hexes(self._field, counter)
        return path[0] not in neighbours(here) if is_hex(here) else False

    def _search(self, order: March | Enter, counter: Counter, goal: str, *, near: bool) -> Route:
        field, here = self._field, self._field.units[counter.key].at
        starts = (here,) if is_hex(here) else entry_hexes(field, counter)
        points = counter.move if near else _FAR
        ways = {at: way for at, way in ways_within(field, counter, starts, points) if way}
        if near and not ways:
            return Route(order, refused=phrase("ye46-near", unit=counter.order_id, at=goal))
        if near:
            best = min(ways, key=lambda at: (distance(at, goal), len(ways[at])))
            if distance(here, goal) <= distance(best, goal) if is_hex(here) else False:
                return Route(order, refused=phrase("ye46-near", unit=counter.order_id, at=goal))
            return self._told(order, counter, ways[best])
        if goal not in ways:
            return Route(order, refused=phrase("ye46", unit=counter.order_id, at=goal))
        way = ways[goal]
        reach = self._reached(counter, way)
        if not reach:
            return Route(order, refused=phrase("ye46", unit=counter.order_id, at=goal))
        route = self._told(order, counter, way[:reach])
        if reach == len(way):
            return route
        need = self._cost(counter, way)
        cut = phrase("ye05", unit=counter.order_id, need=need, points=counter.move)
        return route._replace(found=None, cut=cut)

    def _told(self, order: March | Enter, counter: Counter, way: tuple[str, ...]) -> Route:
        spent = self._cost(counter, way)
        note = phrase("way-found", unit=counter.order_id, spent=spent, points=counter.move)
        return Route(replace(order, path=way), found=note)

    def _cost(self, counter: Counter, way: tuple[str, ...]) -> int:
        here = self._field.units[counter.key].at
        before = here if is_hex(here) else ""
        spent = 0
        for to in way:
            spent += step_cost(self._field, before, to)
            before = to
        return spent

    def _reached(self, counter: Counter, way: tuple[str, ...]) -> int:
        """Return how many steps of a way the unit's points pay for, to a hex with room."""
        reach = len(way)
        while reach and (
            self._cost(counter, way[:reach]) > counter.move
            or reach < len(way) and self._field.all_in(way[reach - 1])
        ):
            reach -= 1
        return reach


def _is_placed(counter: Counter) -> bool:
    """Return whether a unit is set up, so that it does not come in by movement."""
    return counter in to_place(counter.side)
