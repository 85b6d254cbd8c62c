"""Search of routes for orders that name only the goal of a unit.

Movements are carried out in the sequence on file, so each route is searched on the board as the
orders before it leave it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from judge.games.yorktown.rules.board import CounterKind, counters, key_of
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import distance, is_hex, neighbours
from judge.games.yorktown.rules.orders import Enter, JoinOrder, MarchOrder, Order
from judge.games.yorktown.rules.setup import to_place
from judge.games.yorktown.rules.state import OFF, SiegePosition
from judge.games.yorktown.rules.walking import (
    entry_hexes,
    find_stacking_fault,
    step_cost,
    stopped_by,
    terrain_fault,
    wall_fault,
    ways_within,
)
from judge.model.phrase import Phrase, phrase

_FAR = 99
"""Movement points that suffice to reach every hex a unit can come to."""


class CheckResult(NamedTuple):
    """Order as it would be filed, or the reason why it is refused or not needed.

    `cut` is the reason why the path of a filed order was cut.
    """

    order: Order | None
    refused: Phrase | None = None
    cut: Phrase | None = None
    choices: tuple[str, ...] = ()
    """Suggestions with units that can do it, in place of one that does not exist."""
    found: Phrase | None = None
    """Note on the order: the judge found its route, or it changes nothing."""
    unneeded: Phrase | None = None
    """Note that the order would change nothing. It is neither filed nor refused."""


class RoutePlanner:
    """Planner of one movement on the board as earlier orders of its side leave it.

    *before* has the orders that are carried out first.
    """

    def __init__(
        self, position: SiegePosition, side: str, order: MarchOrder | Enter, before: Sequence[Order]
    ) -> None:
        self._field = StepState(position)
        self._side = side
        self._order = order
        self._counter = counters()[key_of(side, order.unit)]
        for each in before:
            self._carry_out(each)
        self._here = self._field.units[self._counter.key].at

    def _carry_out(self, order: Order) -> None:
        """Move a unit to the end of its path, as if nothing could stop it."""
        if isinstance(order, MarchOrder | Enter) and order.path and is_hex(order.path[-1]):
            counter = counters().get(key_of(self._side, order.unit))
            if counter and counter.kind is not CounterKind.CMD:
                self._field.place(counter.key, order.path[-1])

    def plan(self, *, near: bool) -> CheckResult:
        """Return the order with its route, if it names one hex not next to the unit.

        A commander joins the unit in the named hex. `near`: several units go there together, and
        each takes the nearest hex that it can reach.
        """
        if self._counter.kind is CounterKind.CMD:
            return self._with_host()
        if self._here == OFF and isinstance(self._order, MarchOrder) and self._comes_in():
            self._order = Enter(self._order.unit, self._order.path, self._order.face)
        is_entry = self._here == OFF and isinstance(self._order, Enter)
        if not (near or self._names_goal()) or not (is_entry or is_hex(self._here)):
            return CheckResult(self._order)
        if enemies := self._field.enemies_in(self._order.path[-1], self._side):
            other = counters()[enemies[0]].order_id
            return CheckResult(None, phrase("ye06", at=self._order.path[-1], unit=other))
        return self._search(self._order.path[-1], near=near)

    def _with_host(self) -> CheckResult:
        """Return a commander's order to join the unit that will be in the named hex."""
        order, here = self._order, self._here
        if isinstance(order, Enter) or len(order.path) != 1 or not is_hex(order.path[0]):
            return CheckResult(order)
        at = order.path[0]
        for key in self._field.units_in(at):
            if counters()[key].side == self._side:
                return CheckResult(JoinOrder(order.unit, counters()[key].order_id))
        if is_hex(here) and at in (here, *neighbours(here)):
            return CheckResult(order)
        return CheckResult(None, phrase("ye37", unit=self._counter.order_id, at=at))

    def _describe_unit_in(self, goal: str) -> Phrase | None:
        """Return why a hex has no room for the unit, or None.

        If another unit takes the hex, the reason names it, and whether it only goes there.
        """
        fault = find_stacking_fault(self._field, self._counter, goal, is_last=True)
        if fault is None or fault.code != "ye06":
            return fault
        key = next(
            key for key in self._field.all_in(goal) if counters()[key].kind is not CounterKind.CMD
        )
        goes = self._field.began[key].at != goal
        code = "ye46-goes" if goes else "ye46-stands"
        other = counters()[key].order_id
        return phrase(code, unit=self._counter.order_id, at=goal, other=other)

    def _describe_closed(self, goal: str, reached: Collection[str]) -> Phrase:
        """Return why no route leads into a hex from those that the unit can reach."""
        field, here, counter = self._field, self._here, self._counter
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

    @property
    def _opens(self) -> tuple[str, ...]:
        """Hexes by which the unit may enter."""
        return entry_hexes(self._field, self._counter)

    def _comes_in(self) -> bool:
        """Return whether a movement of a unit off the map is its entry."""
        path = self._order.path
        if not path or self._counter in to_place(self._side):
            return False
        return len(path) == 1 or path[0] in self._opens

    def _names_goal(self) -> bool:
        """Return whether the order names only the goal of its unit, not the route."""
        path = [name for name in self._order.path if name != self._here]
        if not isinstance(self._order, Enter):
            is_in = is_hex(self._here)
            return len(path) == 1 and is_in and path[0] not in neighbours(self._here)
        if len(path) == 2 and path[0] in self._opens and is_hex(path[1]):
            return path[1] not in neighbours(path[0])
        return len(path) == 1 and path[0] not in self._opens

    def _search(self, goal: str, *, near: bool) -> CheckResult:
        counter, here, path = self._counter, self._here, self._order.path
        starts = (here,) if is_hex(here) else self._opens
        if not is_hex(here) and len(path) > 1 and path[0] in starts:
            starts = (path[0],)
        points = counter.move if near else _FAR
        found = ways_within(self._field, counter, starts, points)
        ways = {at: way for at, way in found if way}
        if near:
            return self._nearest(goal, ways)
        if goal not in ways:
            closed = self._describe_unit_in(goal)
            if not closed and not is_hex(here) and len(starts) == 1:
                closed = self._describe_unit_in(starts[0])
            return CheckResult(None, closed or self._describe_closed(goal, {*ways, here}))
        way = ways[goal]
        reach = self._count_paid_steps(way)
        if not reach:
            return CheckResult(None, phrase("ye46", unit=counter.order_id, at=goal))
        if reach == len(way):
            return self._make_route("way-found", way)
        cut = phrase("ye05", unit=counter.order_id, need=self._cost(way), points=counter.move)
        return CheckResult(replace(self._order, path=way[:reach]), cut=cut)

    def _nearest(self, goal: str, ways: Mapping[str, tuple[str, ...]]) -> CheckResult:
        """Return the route of one of several units to its hex nearest to the goal."""
        here = self._here
        best = min(ways, key=lambda at: (distance(at, goal), len(ways[at])), default="")
        if not best or is_hex(here) and distance(here, goal) <= distance(best, goal):
            closed = None if goal in ways else self._describe_unit_in(goal)
            nearer = phrase("ye46-near", unit=self._counter.order_id, at=goal)
            return CheckResult(None, closed or nearer)
        if best == goal:
            return self._make_route("way-found", ways[best])
        code = "way-near" if self._describe_unit_in(goal) else "way-short"
        return self._make_route(code, ways[best], at=goal, to=best)

    def _make_route(self, code: str, way: tuple[str, ...], **facts: str) -> CheckResult:
        """Return the order along a route, with a note on the points it costs."""
        points = {"spent": self._cost(way), "points": self._counter.move}
        note = Phrase(code, {"unit": self._counter.order_id, **facts, **points})
        return CheckResult(replace(self._order, path=way), found=note)

    def _cost(self, way: tuple[str, ...]) -> int:
        starts = (self._here if is_hex(self._here) else "", *way)
        return sum(step_cost(self._field, before, to) for before, to in pairwise(starts))

    def _count_paid_steps(self, way: tuple[str, ...]) -> int:
        """Return how many steps of a route the unit's points allow, to a hex with room."""
        reach = len(way)
        while reach and (
            self._cost(way[:reach]) > self._counter.move
            or reach < len(way) and self._field.all_in(way[reach - 1])
        ):
            reach -= 1
        return reach
