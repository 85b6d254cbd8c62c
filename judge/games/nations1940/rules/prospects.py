"""Odds of attacks by the armies, HQs and Airfields that a nation sees.

Technologies of others are hidden in fog and count as none.
"""

from collections.abc import Iterable
from functools import cached_property
from math import prod

from judge.games.nations1940.rules.bonuses import CombatBonuses
from judge.games.nations1940.rules.combat import Bonuses
from judge.games.nations1940.rules.odds import Groups, joint_chance
from judge.games.nations1940.rules.orders import ArmyMove
from judge.games.nations1940.rules.visibility import apply_fog, seen_by
from judge.games.nations1940.rules.world import World

MAX_ARMIES = 200
MAX_STATES = 4000
"""States of a fight above which each side counts with the mean of its bonuses."""
Group = tuple[int, int, Bonuses]
"""Armies of one order in an attack: their number, province of origin and bonuses."""


class Prospects:
    """Fights that a nation's marches lead to, as far as the nation knows."""

    def __init__(self, world: World, nation: str) -> None:
        self._nation = nation
        self._is_open = world.settings.fog == "open"
        if not self._is_open:
            known = apply_fog(world, world.freeze(world.turn), nation)
            world = World(world.board, known, world.settings)
        self._world = world
        self._seen = seen_by(world, nation)

    @cached_property
    def _ground(self) -> CombatBonuses:
        return CombatBonuses(self._world)

    def attack(self, move: ArmyMove, step: int) -> Bonuses:
        """Return the bonuses of a move's armies in one of its steps."""
        start, goal = move.path[step - 1], move.path[step]
        link = "" if move.leg == step else self._world.board.roads[start][goal]
        return self._ground.attack(self._nation, start, goal, link)

    def defenders(self, n: int) -> list[tuple[str, int, Bonuses]] | None:
        """Return the nations that defend a province, with armies and bonuses.

        None if the nation does not see into the province. A neutral army has an empty code.
        """
        if n not in self._seen:
            return None
        world, province = self._world, self._world.provinces[n]
        sides = [("", province.neutral)] if province.neutral else []
        sides += [
            (code, count) for code, count in sorted(province.armies.items())
            if count and (code == province.owner or world.is_at_war(code, self._nation))
        ]  # fmt: skip
        return [(code, count, self._ground.defence(code, n)) for code, count in sides]

    def percent(self, groups: Iterable[Group], n: int) -> int | None:
        """Return the chance in per cent that groups of armies take a province.

        None if the nation does not see into it, or there are more than `MAX_ARMIES`.
        """
        defenders = self.defenders(n)
        if defenders is None:
            return None
        attack = _sum_bonuses((count, adds) for count, _, adds in groups)
        defence = _sum_bonuses((count, adds) for _, count, adds in defenders)
        if sum(count for count, _ in (*attack, *defence)) > MAX_ARMIES:
            return None
        if prod(count + 1 for count, _ in (*attack, *defence)) > MAX_STATES:
            attack, defence = _average(attack), _average(defence)
        return round(100 * joint_chance(attack, defence))

    def percent_of(self, move: ArmyMove) -> int | None:
        """Return the odds of the last step of a move alone, None if it is no attack."""
        goal = move.path[-1]
        if move.hq or not self._world.is_hostile(self._nation, goal):
            return None
        step = len(move.path) - 1
        return self.percent([(move.count, move.path[-2], self.attack(move, step))], goal)


def _average(side: Groups) -> Groups:
    """Merge armies, each with the mean of their bonuses."""
    count = sum(each for each, _ in side)
    return ((count, round(sum(each * adds for each, adds in side) / count)),) if count else ()


def _sum_bonuses(sides: Iterable[tuple[int, Bonuses]]) -> Groups:
    """Return armies grouped by the sum of their bonuses."""
    found: dict[int, int] = {}
    for count, bonuses in sides:
        adds = sum(gives for _, gives in bonuses)
        found[adds] = found.get(adds, 0) + count
    return tuple(sorted((count, adds) for adds, count in found.items()))
