"""Legality of movement by land, rail and sea (N-28 to N-32, N-57 to N-61)."""

from dataclasses import replace

from judge.games.nations1940.rules.order_check import OrderCheck
from judge.games.nations1940.rules.orders import (
    ArmyHold,
    ArmyMove,
    Deploy,
    Escort,
    Order,
    Rail,
    Sail,
)
from judge.games.nations1940.rules.railways import through
from judge.games.nations1940.scenario import Node, format_node
from judge.model.phrase import Phrase


class Routes:
    """Checks of the movement orders."""

    def __init__(self, check: OrderCheck) -> None:
        self._check = check

    def check(self, order: Order) -> Order | Phrase:
        """Return an order as filed, or a refusal."""
        match order:
            case ArmyMove():
                return self._move(order)
            case Rail():
                return self._rail(order)
            case Sail():
                return self._sail(order)
            case Escort():
                return self._escort(order)
            case Deploy():
                return self._deploy(order)
            case ArmyHold(province):
                there = self._check.take_units("armies", province, 1)
                if isinstance(there, int):
                    self._check.taken["armies", province] -= 1
                    return order
                return there
        raise AssertionError(order)

    def _strength(self, key: str) -> int:
        return self._check.world.strength(self._check.nation, key)

    def _move(self, order: ArmyMove) -> Order | Phrase:
        most = self._strength("army_move")
        if len(order.path) - 1 > most:
            return self._too_far(len(order.path) - 1, most)
        for at in range(1, len(order.path)):
            start, goal = order.path[at - 1 : at + 1]
            fault = (
                self._ferry(order, start, goal) if at == order.leg else self._link(start, goal)
            ) or self._refuse_entry(goal, order.hq)
            if fault:
                return fault
        return self._take_units(order)

    def _take_units(self, order: ArmyMove | Rail) -> Order | Phrase:
        count = self._check.take_units(
            "mobile_hq" if order.hq else "armies", order.path[0], order.count
        )
        return count if isinstance(count, Phrase) else replace(order, count=count)

    def _too_far(self, steps: int, most: int) -> Phrase:
        return self._check.make_refusal("e-range", steps=steps, most=most)

    def _link(self, start: int, goal: int) -> Phrase | None:
        near = self._check.world.board.roads.get(start, {})
        if goal in near:
            return None
        return self._no_link(start, goal, tuple(sorted(near)))

    def _no_link(self, start: Node, goal: Node, near: tuple[Node, ...]) -> Phrase:
        check = self._check
        return check.make_refusal(
            "e-adj", start=check.place(start), goal=check.place(goal),
            near=tuple(map(format_node, near)),
        )  # fmt: skip

    def _refuse_entry(self, goal: int, hq: bool) -> Phrase | None:
        """Return a refusal if a province may not be entered (N-32, N-39, N-112)."""
        check = self._check
        province = check.world.provinces[goal]
        if province.owner == check.nation and province.due_to:
            return check.make_refusal(
                "e-owner-sold", place=check.place(goal), nation=province.due_to
            )
        if check.world.is_friendly(check.nation, goal):
            return None
        return (
            check.make_refusal("e-peace-hq", place=check.place(goal)) if hq else check.enemy(goal)
        )

    def _ferry(self, order: ArmyMove, start: int, goal: int) -> Phrase | None:
        """Return a refusal of a ferry leg if a link or a fleet is missing.

        A nation with a Military Pact may rely on its partners' fleets.
        """
        check = self._check
        chain: tuple[Node, ...] = (start, *order.seas, goal)
        for here, there in zip(chain, chain[1:], strict=False):
            near = check.world.board.waters.get(here, frozenset())
            if there not in near:
                return self._no_link(here, there, tuple(sorted(near, key=str)))
        if any(one.kind == "PACT" and one.joins(check.nation) for one in check.world.bonds):
            return None
        for sea in order.seas:
            room = self._fleets_for(sea) * self._strength("escort_capacity")
            left = room - check.taken["ferry", sea]
            wanted = order.count or check.world.provinces[start].armies.get(check.nation, 0)
            if left < max(wanted, 1):
                return check.make_refusal("e-sea", place=check.place(sea), left=max(left, 0))
        for sea in order.seas:
            check.taken["ferry", sea] += order.count
        return None

    def _fleets_for(self, sea: str) -> int:
        """Return the number of own fleets that start in a sea region or are sent to it."""
        check = self._check
        there = check.world.seas[sea].get(check.nation, 0)
        for order in check.orders:
            if isinstance(order, Sail) and order.path[-1] == sea and order.path[0] != sea:
                start = order.path[0]
                counts = (
                    check.world.seas[start] if isinstance(start, str)
                    else check.world.provinces[start].fleets
                )
                there += order.count or counts.get(check.nation, 0)
        return there

    def _rail(self, order: Rail) -> Order | Phrase:
        check = self._check
        world = check.world

        def opens(n: int) -> bool:
            if not world.is_friendly(check.nation, n) or world.provinces[n].due_to:
                return False
            return n not in check.seen or "RAI" in world.provinces[n].improvements

        shut = [n for n in order.path if not opens(n)]
        if shut:
            return check.make_refusal("e-rail", places=tuple(map(check.place, shut)))
        way = through(world, opens, order.path)
        if way is None:
            return check.make_refusal(
                "e-rail-way", start=check.place(order.path[0]), goal=check.place(order.path[-1])
            )
        most = self._strength("rail_move")
        if len(way) - 1 > most:
            return self._too_far(len(way) - 1, most)
        return self._take_units(replace(order, path=way))

    def _sail(self, order: Sail) -> Order | Phrase:
        check = self._check
        most = self._strength("fleet_move")
        if len(order.path) - 1 > most:
            return self._too_far(len(order.path) - 1, most)
        for here, goal in zip(order.path, order.path[1:], strict=False):
            near = check.world.board.waters.get(here, frozenset())
            if goal not in near:
                return self._no_link(here, goal, tuple(sorted(near, key=str)))
            if isinstance(goal, int) and not self._has_port(goal):
                return check.make_refusal("e-port", place=check.place(goal))
        count = check.take_units("fleets", order.path[0], order.count)
        return count if isinstance(count, Phrase) else replace(order, count=count)

    def _has_port(self, goal: int) -> bool:
        """Return whether a province is friendly and can have a Port.

        A province that the nation does not see into is assumed to have one.
        """
        check = self._check
        if not check.world.is_friendly(check.nation, goal):
            return False
        return goal not in check.seen or "POR" in check.world.provinces[goal].improvements

    def _escort(self, order: Escort) -> Order | Phrase:
        check = self._check
        if order.nation == check.nation:
            return check.make_refusal("e-self")
        if not check.world.is_allied(check.nation, order.nation):
            return check.make_refusal("e-treaty-pact", nation=order.nation)
        fleets = self._fleets_for(order.sea)
        left = fleets - check.taken["escort", order.sea]
        if left < max(order.count, 1):
            return check.make_refusal("e-sea", place=check.place(order.sea), left=max(left, 0))
        count = order.count or left
        check.taken["escort", order.sea] += count
        return replace(order, count=count)

    def _deploy(self, order: Deploy) -> Order | Phrase:
        check = self._check
        if check.world.provinces[order.goal].owner != check.nation:
            return check.make_refusal("e-owner", place=check.place(order.goal))
        count = check.take_units("armies", order.start, order.count)
        return count if isinstance(count, Phrase) else replace(order, count=count)
