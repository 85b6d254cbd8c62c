"""Search of routes for orders that name only the goal of a unit.

Movements are carried out in the sequence on file, so each route is searched on the board as the
orders before it leave it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from judge.games.yorktown.rules.board import Counter, CounterKind, counters, key_of
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import distance, is_hex, neighbours
from judge.games.yorktown.rules.orders import Enter, JoinOrder, MarchOrder, Order
from judge.games.yorktown.rules.setup import to_place
from judge.games.yorktown.rules.state import OFF, SiegePosition
from judge.games.yorktown.rules.walking import (
    entry_hexes,
    room_fault,
    step_cost,
    stopped_by,
    terrain_fault,
    wall_fault,
    ways_within,
)
from judge.model.phrase import Phrase, phrase

_FAR = 99
"""Movement points that suffice to reach every hex a unit can come to."""


class Route(NamedTuple):
    """Order with its whole route, or the reason why it has no route."""

    order: MarchOrder | Enter | JoinOrder
    found: Phrase | None = None
    """Note that the judge found the route."""
    cut: Phrase | None = None
    """Reason why the route ends before the named hex."""
    refused: Phrase | None = None


class RoutePlanner:
    """Planner of a side's movements on the board as earlier orders leave it.

    *before* has the orders that are carried out first.
    """

    def __init__(self, position: SiegePosition, side: str, before: Sequence[Order] = ()) -> None:
        self._field = StepState(position)
        self._side = side
        for order in before:
            self._carry_out(order)

    def _carry_out(self, order: Order) -> None:
        """Move a unit to the end of its path, as if nothing could stop it."""
        if isinstance(order, MarchOrder | Enter) and order.path and is_hex(order.path[-1]):
            counter = counters().get(key_of(self._side, order.unit))
            if counter and counter.kind is not CounterKind.CMD:
                self._field.place(counter.key, order.path[-1])

    def plan(self, order: MarchOrder | Enter, *, near: bool) -> Route:
        """Return an order with its route, if it names one hex not next to the unit.

        A commander joins the unit in the named hex. `near`: several units go there together, and
        each takes the nearest hex that it can reach.
        """
        field, key = self._field, key_of(self._side, order.unit)
        unit, counter = field.units[key], counters()[key]
        if counter.kind is CounterKind.CMD:
            return self._with_host(order, counter)
        if unit.at == OFF and isinstance(order, MarchOrder) and self._comes_in(order, counter):
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

    def _with_host(self, order: MarchOrder | Enter, counter: Counter) -> Route:
        """Return a commander's order to join the unit that will be in the named hex."""
        if isinstance(order, Enter) or len(order.path) != 1 or not is_hex(order.path[0]):
            return Route(order)
        at = order.path[0]
        for key in self._field.units_in(at):
            if counters()[key].side == self._side:
                return Route(JoinOrder(order.unit, counters()[key].order_id))
        here = self._field.units[counter.key].at
        if is_hex(here) and at in (here, *neighbours(here)):
            return Route(order)
        return Route(order, refused=phrase("ye37", unit=counter.order_id, at=at))

    def _describe_unit_in(self, counter: Counter, goal: str) -> Phrase | None:
        """Return why a hex has no room for a unit, or None.

        If another unit takes the hex, the reason names it, and whether it only goes there.
        """
        fault = room_fault(self._field, counter, goal, is_last=True)
        if fault is None or fault.code != "ye06":
            return fault
        key = next(
            key for key in self._field.all_in(goal) if counters()[key].kind is not CounterKind.CMD
        )
        goes = self._field.began[key].at != goal
        code = "ye46-goes" if goes else "ye46-stands"
        return phrase(code, unit=counter.order_id, at=goal, other=counters()[key].order_id)

    def _describe_closed(self, counter: Counter, goal: str, reached: Collection[str]) -> Phrase:
        """Return why no route leads into a hex from those that a unit can reach."""
        field, here = self._field, self._field.units[counter.key].at
        water = terrain_fault(field, counter, "", goal)
        if water and water.code == "ye09":
            return water
        for at in neighbours(goal):
            if at not in reached:
                continue
            if fault := terrain_fault(field, counter, at, goal):
                return fault
            if fault := wall_fault(field, at, goal, is_first=at == here):
                return fault
            if at != here and (other := stopped_by(field, counter.key, at, ())):
                name = counters()[other].order_id
                return phrase("ye11", unit=counter.order_id, at=at, other=name)
        return phrase("ye46", unit=counter.order_id, at=goal)

    def _comes_in(self, order: MarchOrder, counter: Counter) -> bool:
        """Return whether a movement of a unit off the map is its entry."""
        if not order.path or _is_placed(counter):
            return False
        return len(order.path) == 1 or order.path[0] in entry_hexes(self._field, counter)

    def _names_goal(self, order: MarchOrder | Enter, counter: Counter) -> bool:
        """Return whether an order names only the goal of its unit, not the route."""
        here = self._field.units[counter.key].at
        path = [name for name in order.path if name != here]
        if isinstance(order, Enter):
            opens = entry_hexes(self._field, counter)
            if len(path) == 2 and path[0] in opens and is_hex(path[1]):
                return path[1] not in neighbours(path[0])
            return len(path) == 1 and path[0] not in opens
        if len(path) != 1:
            return False
        return path[0] not in neighbours(here) if is_hex(here) else False

    def _starts(self, order: MarchOrder | Enter, counter: Counter) -> tuple[str, ...]:
        here = self._field.units[counter.key].at
        if is_hex(here):
            return (here,)
        opens = entry_hexes(self._field, counter)
        return (order.path[0],) if len(order.path) > 1 and order.path[0] in opens else opens

    def _search(
        self, order: MarchOrder | Enter, counter: Counter, goal: str, *, near: bool
    ) -> Route:
        field, here = self._field, self._field.units[counter.key].at
        starts = self._starts(order, counter)
        points = counter.move if near else _FAR
        ways = {at: way for at, way in ways_within(field, counter, starts, points) if way}
        if near:
            return self._nearest(order, counter, goal, ways)
        if goal not in ways:
            closed = self._describe_unit_in(counter, goal)
            if not closed and not is_hex(here) and len(starts) == 1:
                closed = self._describe_unit_in(counter, starts[0])
            closed = closed or self._describe_closed(counter, goal, {*ways, here})
            return Route(order, refused=closed)
        way = ways[goal]
        reach = self._count_paid_steps(counter, way)
        if not reach:
            return Route(order, refused=phrase("ye46", unit=counter.order_id, at=goal))
        route = self._make_route(order, counter, way[:reach])
        if reach == len(way):
            return route
        need = self._cost(counter, way)
        cut = phrase("ye05", unit=counter.order_id, need=need, points=counter.move)
        return route._replace(found=None, cut=cut)

    def _nearest(
        self,
        order: MarchOrder | Enter,
        counter: Counter,
        goal: str,
        ways: Mapping[str, tuple[str, ...]],
    ) -> Route:
        """Return the route of one of several units to its hex nearest to the goal."""
        here = self._field.units[counter.key].at
        best = min(ways, key=lambda at: (distance(at, goal), len(ways[at])), default="")
        if not best or is_hex(here) and distance(here, goal) <= distance(best, goal):
            closed = None if goal in ways else self._describe_unit_in(counter, goal)
            nearer = phrase("ye46-near", unit=counter.order_id, at=goal)
            return Route(order, refused=closed or nearer)
        route = self._make_route(order, counter, ways[best])
        if best == goal:
            return route
        spent = self._cost(counter, ways[best])
        code = "way-near" if self._describe_unit_in(counter, goal) else "way-short"
        return route._replace(found=phrase(
            code, unit=counter.order_id, at=goal, to=best, spent=spent, points=counter.move
        ))

    def _make_route(
        self, order: MarchOrder | Enter, counter: Counter, way: tuple[str, ...]
    ) -> Route:
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

    def _count_paid_steps(self, counter: Counter, way: tuple[str, ...]) -> int:
        """Return how many steps of a route a unit's points allow, to a hex with room."""
        reach = len(way)
        while reach and (
            self._cost(counter, way[:reach]) > counter.move
            or reach < len(way) and self._field.all_in(way[reach - 1])
        ):
            reach -= 1
        return reach


def _is_placed(counter: Counter) -> bool:
    """Return whether a unit is placed in the set-up, so never enters by movement."""
    return counter in to_place(counter.side)
