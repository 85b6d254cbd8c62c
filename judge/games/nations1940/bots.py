"""Rule-based bots for nations without a player (BOT, START WITH BOTS).

A bot takes neutral land, then that of its weakest neighbour without a treaty, if the odds known to
it are good. It guards its capital, builds Academies and Factories, researches towards trains and
aircraft, answers offers, and ends a treaty only with notice. It uses only what its nation knows.
The same position and dice give the same orders.
"""

from collections.abc import Iterator, Sequence
from math import ceil

from judge.dice import Dice
from judge.games.nations1940.rules.legality import check_orders
from judge.games.nations1940.rules.limits import improvement_limit, max_army
from judge.games.nations1940.rules.odds import chance
from judge.games.nations1940.rules.orders import (
    ArmyMove,
    Cancel,
    ImprovementBuild,
    Order,
    Research,
    Treaty,
    War,
)
from judge.games.nations1940.rules.possible import can_build, can_enter, researchable
from judge.games.nations1940.rules.state import EXCHANGE, NAP, PEACE, bond
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import PASS

_MIN_ODDS = {"": 0.5, "enemy": 0.6}
"""Least chance for an attack on neutral land and on an enemy's."""
_GOOD_ODDS = 0.85
"""Chance above which no further armies are sent."""
_FIRST_WAR_TURN = 6
_MAX_QUEUE = 3
_MAX_HEADQUARTERS = 3
_PLAN = (
    "Assembly Lines", "Submachine Guns", "National Service", "Electric&Diesel Trains",
    "Motorized Logistics", "Mechanized Agriculture", "Medium Tanks", "Monoplane Fighters",
    "Ground-Attack Aircraft", "Defence in Depth", "Mechanized Infantry", "Reserve System",
    "Anti-Tank Guns", "Synthetic Materials", "Assault Rifles", "Rapid Deployment Force",
)  # fmt: skip
"""Technologies to research first, before the cheapest others."""


def bot_orders(
    world: World, nation: str, dice: Dice, given: Sequence[Order] = ()
) -> tuple[Order, ...]:
    """Return the orders given for a nation and those of its bot."""
    if not world.nations[nation].alive:
        return tuple(given)
    wanted = [order for order in _Bot(world, nation, dice).orders() if order not in given]
    taken = {type(order) for order in given}
    wanted = [one for one in wanted if not (isinstance(one, Research) and Research in taken)]
    found: list[Order] = list(given)
    checked = check_orders(world, nation, [*given, *wanted])[len(given) :]
    found += [one.order for one in checked if one.fault is None and one.is_filed]
    return tuple(found)


class _Bot:
    """Orders of one nation's bot in one turn."""

    def __init__(self, world: World, nation: str, dice: Dice) -> None:
        self._world = world
        self._nation = nation
        self._own = world.list_owned(nation)
        self._rival = self._choose_rival(dice)
        self._enemies = {one for one in world.alive if world.is_at_war(nation, one)}
        self._free = {
            n: count for n, province in world.provinces.items()
            if (count := province.armies.get(nation, 0))
        }
        """Armies without an order so far, by province."""

    def _neighbours(self) -> list[str]:
        """Return the nations with land linked to its own, in the order of their codes."""
        world = self._world
        near = {
            world.provinces[n].owner for own in self._own for n in world.board.roads.get(own, ())
        }
        return sorted(near - {"", self._nation})

    def _has_treaty(self, other: str) -> bool:
        kinds = (NAP, "PACT")
        return any(bond(kind, self._nation, other) in self._world.bonds for kind in kinds)

    def _choose_rival(self, dice: Dice) -> str:
        """Return the weakest neighbour without a treaty, by the dice among equals.

        The weakest has the fewest armies on land linked to its own.
        """
        free = [one for one in self._neighbours() if not self._has_treaty(one)]
        if not free:
            return ""
        sizes = {one: self._armies_near(one) for one in free}
        least = [one for one in free if sizes[one] == min(sizes.values())]
        return least[dice.draw(f"bot:{self._nation}", 1, len(least)) - 1]

    def _armies_near(self, other: str) -> int:
        """Return the number of a nation's armies seen on land linked to its own."""
        roads, provinces = self._world.board.roads, self._world.provinces
        near = {n for own in self._own for n in roads.get(own, ())}
        return sum(provinces[n].armies.get(other, 0) for n in near)

    def orders(self) -> Iterator[Order]:
        """Yield the bot's orders, the most important first."""
        yield from self._diplomacy()
        yield from self._research()
        if self._world.turn:
            yield from self._attacks()
            yield from self._marches()
            yield from self._builds()

    def _diplomacy(self) -> Iterator[Order]:
        world, nation = self._world, self._nation
        offers = {(one.kind, one.by) for one in world.offers if one.to == nation}
        mine = {(one.kind, one.to) for one in world.offers if one.by == nation}
        for kind, by in sorted(offers):
            if kind == PEACE or kind == NAP and by != self._rival or kind == EXCHANGE:
                yield Treaty(kind, by)
        for other in self._neighbours():
            if world.is_at_war(nation, other):
                if len(world.list_owned(other)) > len(self._own) and (PEACE, other) not in mine:
                    yield Treaty(PEACE, other)
            elif other != self._rival and not self._has_treaty(other):
                if (NAP, other) not in mine:
                    yield Treaty(NAP, other)
            elif bond(NAP, nation, other) in world.bonds and world.exchanges(nation) < 2:
                if bond(EXCHANGE, nation, other) not in world.bonds:
                    yield Treaty(EXCHANGE, other)
        yield from self._hostilities()

    def _hostilities(self) -> Iterator[Order]:
        """Declare war once no neutral land is near, or end a treaty with notice."""
        world, nation = self._world, self._nation
        if world.turn < _FIRST_WAR_TURN or self._enemies or self._sees_neutral_land():
            return
        if world.armies_of(nation) * 4 < max_army(world, nation) * 3:
            return
        if self._rival:
            self._enemies.add(self._rival)
            yield War(self._rival)
        elif partners := [one for one in self._neighbours() if self._has_treaty(one)]:
            weakest = min(partners, key=lambda one: (len(world.list_owned(one)), one))
            for kind in (NAP, "PACT"):
                if bond(kind, nation, weakest) in world.bonds:
                    yield Cancel(kind, weakest)

    def _sees_neutral_land(self) -> bool:
        roads, provinces = self._world.board.roads, self._world.provinces
        return any(not provinces[n].owner for own in self._own for n in roads.get(own, ()))

    def _research(self) -> Iterator[Order]:
        now, board = self._world.nations[self._nation], self._world.board
        queue = [tech for tech in now.queue if tech not in now.techs]
        if len(queue) >= _MAX_QUEUE - 1:
            return
        wanted = [*queue, *_PLAN, *(tech.name for tech in researchable(self._world, self._nation))]
        found: list[str] = []
        for tech in dict.fromkeys(wanted):
            known = {*now.techs, *found}
            if tech not in known and known.issuperset(board.techs[tech].requires):
                found.append(tech)
        if found:
            yield Research(tuple(found[:_MAX_QUEUE]))

    def _attacks(self) -> Iterator[Order]:
        world = self._world
        targets: dict[int, list[int]] = {}
        for n in sorted(self._free):
            for goal in world.board.roads.get(n, ()):
                if self._may_attack(goal):
                    targets.setdefault(goal, []).append(n)
        for goal in sorted(targets, key=lambda n: (-self._worth(n), n)):
            yield from self._attack(goal, targets[goal])

    def _may_attack(self, goal: int) -> bool:
        owner = self._world.provinces[goal].owner
        return not owner or owner in self._enemies

    def _worth(self, n: int) -> int:
        province = self._world.provinces[n]
        owner = province.owner
        is_capital = bool(owner) and self._world.nations[owner].capital == n
        empty = bool(owner) and not province.armies
        return 4 * is_capital + 3 * empty + 2 * province.populous + len(province.improvements)

    def _attack(self, goal: int, starts: Sequence[int]) -> Iterator[Order]:
        """Yield moves of as few armies as have good odds, or of all if these are fair."""
        province = self._world.provinces[goal]
        spare = {n: self._spare(n) for n in starts}
        total = sum(spare.values())
        defenders = sum(province.armies.values()) if province.owner else province.neutral
        bonus = min((self._attack_bonus(n, goal) for n in starts if spare[n]), default=0)
        guard = self._defence_bonus(goal) if province.owner else 2
        need = next(
            (count for count in range(1, total + 1)
             if not defenders or chance(count, defenders, bonus, guard) >= _GOOD_ODDS), total,
        )  # fmt: skip
        least = _MIN_ODDS["enemy" if province.owner else ""]
        if not need or defenders and chance(need, defenders, bonus, guard) < least:
            return
        for n in sorted(starts, key=lambda one: (-spare[one], one)):
            count = min(spare[n], need)
            if count:
                need -= count
                self._free[n] -= count
                yield ArmyMove(count, (n, goal))

    def _spare(self, n: int) -> int:
        """Return how many armies may leave a province.

        A capital keeps at least one, or as many as threaten it.
        """
        free = self._free.get(n, 0)
        if self._world.nations[self._nation].capital == n:
            return max(0, free - max(1, self._threat(n)))
        return free

    def _threat(self, n: int) -> int:
        """Return how many armies next to a province may attack it.

        Those of nations at peace count half.
        """
        provinces = self._world.provinces
        return ceil(sum(
            count / (1 if other in self._enemies else 2)
            for near in self._world.board.roads.get(n, ())
            for other, count in provinces[near].armies.items()
            if other != self._nation and not self._has_treaty(other)
        ))

    def _attack_bonus(self, start: int, goal: int) -> int:
        world = self._world
        is_pass = world.board.roads[start][goal] == PASS
        return (
            world.strength(self._nation, "att_army")
            + int(start == world.nations[self._nation].capital
                  or "HQ" in world.provinces[start].improvements)
            + (world.strength(self._nation, "pass_penalty") if is_pass else 0)
        )  # fmt: skip

    def _defence_bonus(self, n: int) -> int:
        """Return the certain bonus of a defender, as far as the nation sees."""
        world, province = self._world, self._world.provinces[n]
        owner = world.nations[province.owner]
        near = (n, *world.board.roads.get(n, ()))
        has_hq = any(
            world.provinces[one].owner == owner.code
            and (one == owner.capital or "HQ" in world.provinces[one].improvements)
            for one in near
        )
        return (
            int("FOR" in province.improvements) + int(has_hq)
            + int(owner.government == "Dictatorship") - int(province.fallout > 0)
        )  # fmt: skip

    def _marches(self) -> Iterator[Order]:
        """Yield moves of armies without an order towards the nearest front."""
        fronts = self._fronts()
        for n in sorted(self._free):
            spare = self._spare(n)
            step = self._step_towards(n, fronts) if spare and n not in fronts else None
            if step is not None:
                self._free[n] -= spare
                yield ArmyMove(spare, (n, step))

    def _fronts(self) -> frozenset[int]:
        """Return own provinces next to land to take, or else next to a rival's land."""
        roads, provinces = self._world.board.roads, self._world.provinces
        beside = {
            own: {provinces[n].owner for n in roads.get(own, ())} - {self._nation}
            for own in self._own
        }
        for wanted in ({"", *self._enemies}, {self._rival} - {""}):
            if found := frozenset(own for own, owners in beside.items() if owners & wanted):
                return found
        return frozenset()

    def _step_towards(self, start: int, fronts: frozenset[int]) -> int | None:
        """Return the first step of the shortest way over own land to a front."""
        world = self._world
        first = {start: start}
        edge = [start]
        while edge:
            following: list[int] = []
            for n in edge:
                for near in sorted(world.board.roads.get(n, ())):
                    is_open = can_enter(world, self._nation, near)
                    if near in first or not is_open or world.provinces[near].owner != self._nation:
                        continue
                    first[near] = near if n == start else first[n]
                    if near in fronts:
                        return first[near]
                    following.append(near)
            edge = following
        return None

    def _builds(self) -> Iterator[Order]:
        wanted = [one for one in self._sites() if can_build(self._world, self._nation, *one)]
        for kind, n in list(dict.fromkeys(wanted))[: improvement_limit(self._world, self._nation)]:
            yield ImprovementBuild(kind, n)

    def _sites(self) -> Iterator[tuple[str, int]]:
        """Yield useful improvements with their provinces, the best first."""
        world, nation = self._world, self._nation
        capital = world.nations[nation].capital
        fronts = sorted(self._fronts())
        built = [kind for n in self._own for kind in world.provinces[n].improvements]
        room = max_army(world, nation) - world.armies_of(nation)
        if room >= 4 and built.count("HQ") < _MAX_HEADQUARTERS:
            sites = [n for n in fronts if self._free.get(n, 0) >= 2 and n != capital]
            yield from (("HQ", n) for n in sites[:1])
        if self._threat(capital):
            yield "FOR", capital
        if built.count("ACA") * 2 < len(self._own) * 3 // 2:
            yield from (("ACA", n) for n in (capital, *self._own))
        if built.count("FAC") < max(4, len(self._own) // 2):
            yield from (("FAC", n) for n in self._own)
        if self._enemies:
            yield from (("AIR", n) for n in fronts[:1])
            yield from (("FOR", n) for n in fronts if self._threat(n))
        yield from (("ACA", n) for n in self._own)
        yield from (("RAI", n) for n in self._own)
        yield from (("FAC", n) for n in self._own)
