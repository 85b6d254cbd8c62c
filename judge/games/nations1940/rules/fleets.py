"""Step 3: movement of fleets and naval combat (N-57, N-61 to N-64)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from judge.games.nations1940.rules.combat import Bonuses, Fighter, Rolls, fight
from judge.games.nations1940.rules.escorts import Ship
from judge.games.nations1940.rules.orders import Order, Sail
from judge.games.nations1940.rules.outcomes import movement_outcomes
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import Node, in_order

IMPULSES = 3
FLIGHT = "flee"
"""Replacement of the impulse in dice tags of displaced fleets (N-66)."""


@dataclass(eq=False)
class Squadron:
    """Fleets of one nation that take the same path in a turn."""

    nation: str
    count: int
    trail: list[Node]
    steps: list[Node] = field(default_factory=list)
    entered: bool = False
    out: bool = False
    """True if the squadron had to go back and takes no part in combat this turn."""
    fought: bool = False
    order: Sail | None = None
    became: list[str] = field(default_factory=list)
    """Outcome codes of the order so far."""

    @property
    def here(self) -> Node:
        """The present place."""
        return self.trail[-1]

    @property
    def origin(self) -> Node:
        """The place before the last step, or the present one without a step."""
        return self.trail[-2] if len(self.trail) > 1 else self.trail[-1]


def sail(world: World, orders: Mapping[str, Sequence[Order]]) -> list[Ship]:
    """Move all fleets, fight, and return those that may escort (N-59, N-61)."""
    return Sailing(world, orders).run()


class Sailing:
    """Naval movement of one turn."""

    def __init__(self, world: World, orders: Mapping[str, Sequence[Order]]) -> None:
        self.world = world
        self.fleets: list[Squadron] = []
        rest: dict[Node, dict[str, int]] = {
            **{n: dict(province.fleets) for n, province in world.provinces.items()},
            **{sea: dict(found) for sea, found in world.seas.items()},
        }
        for nation in world.alive:
            for order in orders.get(nation, ()):
                if isinstance(order, Sail):
                    there = rest[order.path[0]].get(nation, 0)
                    count = min(there, order.count or there)
                    if count:
                        rest[order.path[0]][nation] = there - count
                        start, *steps = order.path
                        self.fleets.append(
                            Squadron(nation, count, [start], list(steps), order=order)
                        )
        self._ordered = list(self.fleets)
        for place, left in rest.items():
            self.fleets += [
                Squadron(code, left[code], [place]) for code in sorted(left) if left[code]
            ]

    def run(self) -> list[Ship]:
        """Execute the impulses and write the fleets back into seas and ports.

        The result has one `Ship` for each fleet that may escort.
        """
        for impulse in range(1, IMPULSES + 1):
            if impulse > 1 and not any(one.steps for one in self.fleets):
                break
            self._move(impulse)
            _Contacts(self, impulse).run()
        self._settle()
        for one in self._ordered:
            arrived = one.order is not None and one.here == one.order.path[-1]
            became = movement_outcomes(one.became, one.count, arrived=arrived, fought=one.fought)
            self.world.note(one.order, *became)
        return [
            Ship(one.nation, frozenset(
                place for place in (one.trail[0], one.here) if isinstance(place, str)
            ))
            for one in self.fleets
            if not one.out
            for _ in range(one.count)
        ]  # fmt: skip

    def _move(self, impulse: int) -> None:
        movers = []
        for fleet in self.fleets:
            fleet.entered = False
            if fleet.steps and self._may_go(fleet, fleet.steps[0]):
                movers.append(fleet)
            elif fleet.steps:
                self.world.record_event(
                    "halt", only=(fleet.nation,), nation=fleet.nation, count=fleet.count,
                    at=fleet.here, goal=fleet.steps[0], why="port", hq=False,
                )  # fmt: skip
                fleet.steps.clear()
                fleet.became.append("halted")
        self._clashes(movers, impulse)
        for fleet in movers:
            if fleet.count and not fleet.out:
                fleet.trail.append(fleet.steps.pop(0))
                fleet.entered = True
                if fleet.fought:
                    fleet.steps.clear()
        self.fleets = [fleet for fleet in self.fleets if fleet.count]

    def _may_go(self, fleet: Squadron, goal: Node) -> bool:
        """Return whether a step is open (N-57).

        A linked sea region is always open, a linked province only if it is friendly and has a Port.
        """
        if goal not in self.world.board.waters.get(fleet.here, ()):
            return False
        if isinstance(goal, str):
            return True
        port = "POR" in self.world.provinces[goal].improvements
        return port and self.world.is_friendly(fleet.nation, goal)

    def _clashes(self, movers: Sequence[Squadron], impulse: int) -> None:
        """Fight where enemy fleets cross on one link (N-53, N-62)."""
        ways: dict[tuple[Node, Node], list[Squadron]] = {}
        for fleet in movers:
            ways.setdefault((fleet.here, fleet.steps[0]), []).append(fleet)
        for (a, b), low in sorted(ways.items(), key=lambda way: tuple(map(in_order, way[0]))):
            high = ways.get((b, a), [])
            if high and in_order(a) < in_order(b):
                for one, other in combinations(sorted({f.nation for f in (*low, *high)}), 2):
                    self._clash((a, b), impulse, low, high, (one, other))

    def _clash(
        self,
        link: tuple[Node, Node],
        impulse: int,
        low: Sequence[Squadron],
        high: Sequence[Squadron],
        nations: tuple[str, str],
    ) -> None:
        if not self.world.is_at_war(*nations):
            return
        for one, other in (nations, nations[::-1]):
            sides = (_fit(low, one), _fit(high, other))
            if all(sides):
                tag = f"clash:{link[0]}-{link[1]}:{impulse}"
                self.battle("clash", link[0], impulse, Rolls(f"{tag}:A", f"{tag}:D"), sides, "both")

    def battle(
        self,
        kind: str,
        place: Node,
        impulse: int | str,
        rolls: Rolls,
        sides: tuple[Sequence[Squadron], Sequence[Squadron]],
        attack: str,
    ) -> None:
        """Fight at sea (N-62, N-63).

        *attack* is `both` if both sides attack, else only the first side does.
        """
        world = self.world
        keys = ("fleet_att", "fleet_att" if attack == "both" else "fleet_def")
        fighters = [
            {
                fleet: Fighter(
                    fleet.nation, fleet.count, _bonus(world, fleet.nation, key), fleet.origin
                )
                for fleet in side
            }
            for side, key in zip(sides, keys, strict=True)
        ]  # fmt: skip
        fought = fight(
            world, rolls, [*fighters[0].values()], [*fighters[1].values()],
            both_leave=attack == "both",
        )  # fmt: skip
        world.record_event(kind, at=place, impulse=impulse, sea=True, **fought.facts())
        for side in fighters:
            for fleet, fighter in side.items():
                self._survive(fleet, fighter, on_way=kind == "clash")

    def _survive(self, fleet: Squadron, fighter: Fighter, *, on_way: bool) -> None:
        """Update a squadron after a fight.

        Fleets that left it after a tie return to where they came from.
        """
        fleet.fought = True
        if fighter.lost:
            fleet.became.append("losses" if fighter.count + fighter.left else "destroyed")
        if fighter.left:
            fleet.became.append("retreats")
        fleet.count = fighter.count
        if not on_way:
            fleet.steps.clear()
        if fighter.left:
            back = list(fleet.trail) if on_way or len(fleet.trail) < 2 else fleet.trail[:-1]
            self.fleets.append(Squadron(fleet.nation, fighter.left, back, fought=True, out=True))
            self.world.record_event(
                "fleet-back", nation=fleet.nation, count=fighter.left, at=fleet.here, goal=back[-1]
            )

    def _settle(self) -> None:
        world = self.world
        self.fleets = [fleet for fleet in self.fleets if fleet.count]
        found: dict[Node, dict[str, int]] = {}
        for fleet in self.fleets:
            at = found.setdefault(fleet.here, {})
            at[fleet.nation] = at.get(fleet.nation, 0) + fleet.count
        for sea in world.seas:
            world.seas[sea] = found.get(sea, {})
        for n, province in world.provinces.items():
            if province.fleets != found.get(n, {}):
                world.change(n, fleets=found.get(n, {}))


def _fit(fleets: Sequence[Squadron], nation: str) -> list[Squadron]:
    """Return the squadrons of a nation that can still fight."""
    return [one for one in fleets if one.nation == nation and one.count and not one.out]


class _Contacts:
    """Meetings of enemies in sea regions after an impulse."""

    def __init__(self, sailing: Sailing, impulse: int) -> None:
        self._sailing = sailing
        self._world = sailing.world
        self._impulse = impulse
        self._at: dict[str, list[Squadron]] = {}
        for fleet in sorted(sailing.fleets, key=lambda one: (one.nation, in_order(one.origin))):
            if isinstance(fleet.here, str) and not fleet.out:
                self._at.setdefault(fleet.here, []).append(fleet)

    def run(self) -> None:
        """Fight in each region, newcomers first with each other, then with the others."""
        for sea, here in sorted(self._at.items(), key=lambda one: in_order(one[0])):
            moved = [fleet for fleet in here if fleet.entered]
            there = [fleet for fleet in here if not fleet.entered]
            self._pairs(sea, moved)
            if self._impulse == 1:
                self._pairs(sea, there)
            self._assault(sea, moved, there)

    def _pairs(self, sea: str, fleets: Sequence[Squadron]) -> None:
        """Fight all pairs of nations at war, both attacking (N-62).

        Either both moved in, or war was declared between fleets in one region.
        """
        for pair in combinations(sorted({fleet.nation for fleet in fleets}), 2):
            one, other = ([f for f in fleets if f.nation == code and f.count] for code in pair)
            if one and other and self._world.is_at_war(*pair):
                self._fight(sea, (one, other), "both")

    def _assault(self, sea: str, moved: Sequence[Squadron], there: Sequence[Squadron]) -> None:
        """Fight newcomers against the fleets already there.

        All fight together if every pair of nations is at war, else pair by pair.
        """
        enemies = [
            (one, other)
            for one in sorted({fleet.nation for fleet in moved if fleet.count})
            for other in sorted({fleet.nation for fleet in there if fleet.count})
            if self._world.is_at_war(one, other)
        ]
        ones, others = ({pair[side] for pair in enemies} for side in (0, 1))
        if len(enemies) == len(ones) * len(others):
            groups = [(ones, others)] if enemies else []
        else:
            groups = [({one}, {other}) for one, other in enemies]
        for left, right in groups:
            sides = (
                [fleet for fleet in moved if fleet.count and fleet.nation in left],
                [fleet for fleet in there if fleet.count and fleet.nation in right],
            )
            if all(sides):
                self._fight(sea, sides, "one")

    def _fight(
        self, sea: str, sides: tuple[Sequence[Squadron], Sequence[Squadron]], attack: str
    ) -> None:
        tag = f"naval:{sea}:{self._impulse}"
        rolls = Rolls(f"{tag}:A", f"{tag}:D")
        self._sailing.battle("naval", sea, self._impulse, rolls, sides, attack)


def meet_displaced(world: World, sea: str, nation: str, count: int) -> None:
    """Fight the enemies that meet fleets displaced from a port (N-66).

    The displaced fleets attack. After a tie all fleets stay and the fighting ends.
    """
    enemies = sorted(code for code in world.seas[sea] if world.is_at_war(nation, code))
    for enemy in enemies:
        mine = Fighter(nation, count, _bonus(world, nation, "fleet_att"), sea)
        theirs = Fighter(enemy, world.seas[sea][enemy], _bonus(world, enemy, "fleet_def"), sea)
        tag = f"naval:{sea}:{FLIGHT}"
        fought = fight(world, Rolls(f"{tag}:A", f"{tag}:D"), [mine], [theirs], until_tie=True)
        world.record_event("naval", at=sea, impulse=FLIGHT, sea=True, **fought.facts())
        for fighter in (mine, theirs):
            if fighter.lost:
                world.add_at_sea(sea, fighter.nation, -fighter.lost)
        count = mine.count
        if not count or fought.ends_tied:
            return


def _bonus(world: World, nation: str, key: str) -> Bonuses:
    """Return the bonus of a nation's fleets, from technologies only (N-63)."""
    gives = world.strength(nation, key)
    return (("tech", gives),) if gives else ()
