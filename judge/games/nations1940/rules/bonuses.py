"""Bonuses to the rolls of armies (N-49).

They follow the ground at the start of step 4, after step 2 took effect. A captured improvement
works for its captor from the next turn on (N-51).
"""

from collections.abc import Iterable

from judge.games.nations1940.rules.combat import Bonuses
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import PASS


class CombatBonuses:
    """Headquarters, Airfields and provinces as at the start of step 4."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._provinces = dict(world.provinces)
        self._headquarters: dict[int, set[str]] = {}
        self._cover: dict[int, dict[str, int]] = {}
        for number, province in world.provinces.items():
            if has := self._find_headquarters_owners(number):
                self._headquarters[number] = has
            if province.owner and "AIR" in province.improvements:
                self._spread(number, province.owner)

    def _find_headquarters_owners(self, number: int) -> set[str]:
        """Return the nations with headquarters in a province.

        These are its owner, by a Military HQ or the capital, and the owners of Mobile HQs.
        """
        province = self._provinces[number]
        found = set(province.mobile_hq)
        if province.owner and (
            "HQ" in province.improvements
            or self._world.nations[province.owner].capital == number
        ):
            found.add(province.owner)
        return found

    def _spread(self, number: int, owner: str) -> None:
        """Record the cover of an Airfield.

        Its range and bonus come from its owner's technologies (N-75).
        """
        reach, gives = (self._world.strength(owner, key) for key in ("air_range", "air_bonus"))
        for place in self._world.board.within(number, reach):
            if isinstance(place, int):
                cover = self._cover.setdefault(place, {})
                cover[owner] = max(gives, cover.get(owner, 0))

    def attack(
        self, nation: str, start: int, goal: int, link: str, *, clashes: bool = False
    ) -> Bonuses:
        """Return the bonuses of an army attacking from one province to another (N-49).

        An Airfield helps if the start is in its range. In a clash on the border, and in version 1
        of the rules, the goal must be in its range (N-53).
        """
        by_goal = clashes or self._world.rules == 1
        found = [("tech", self._world.strength(nation, "att_army"))]
        if self._helps(nation, self._headquarters.get(start, ())):
            found.append(("hq", 1))
        guarded = "AAB" in self._provinces[goal].improvements and not self._works(nation, goal)
        if not guarded:
            found.append(("air", self._air(nation, goal if by_goal else start)))
        if link == PASS:
            found.append(("pass", self._world.strength(nation, "pass_penalty")))
        return tuple(one for one in found if one[1])

    def defence(self, nation: str, at: int) -> Bonuses:
        """Return the bonuses of an army defending a province.

        A neutral army (*nation* empty) has +2 and nothing else.
        """
        if not nation:
            return (("neutral", 2),)
        world = self._world
        built = self._provinces[at].improvements if self._works(nation, at) else frozenset()
        near = (at, *world.board.roads.get(at, ()))
        found = [
            ("tech", world.strength(nation, "def_army")),
            ("fort", int("FOR" in built)),
            ("hq", int(any(self._helps(nation, self._headquarters.get(n, ())) for n in near))),
            ("air", self._air(nation, at)),
            ("silo", int("SIL" in built)),
            ("dictatorship", int(world.nations[nation].government == "Dictatorship")),
            ("fallout", -int(self._provinces[at].fallout > 0)),
        ]
        return tuple(one for one in found if one[1])

    def _works(self, nation: str, at: int) -> bool:
        """Return whether a province's improvements work for a nation this turn."""
        owner = self._provinces[at].owner
        return bool(owner) and self._world.is_allied(nation, owner)

    def _helps(self, nation: str, owners: Iterable[str]) -> bool:
        return any(self._world.is_allied(nation, owner) for owner in owners)

    def _air(self, nation: str, at: int) -> int:
        """Return the highest bonus of an allied Airfield in range (only one counts)."""
        cover = self._cover.get(at, {})
        found = (n for owner, n in cover.items() if self._world.is_allied(nation, owner))
        return max(found, default=0)
