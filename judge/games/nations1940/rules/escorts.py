"""Escorts of armies over sea regions (N-58 to N-61).

A fleet carries `escort_capacity` armies a turn over one sea region. This is the region where the
fleet began the turn or the one where it ended it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from judge.games.nations1940.rules.orders import Escort, Order
from judge.games.nations1940.rules.world import World


class Ship(NamedTuple):
    """One fleet that may escort, with the sea regions where it may."""

    nation: str
    regions: frozenset[str]


class Escorts:
    """Fleets free to escort, bound in the order of the requests."""

    def __init__(
        self, world: World, ships: Iterable[Ship], orders: Mapping[str, Sequence[Order]]
    ) -> None:
        self._world = world
        self._ships = list(ships)
        self._lent: list[tuple[Escort, str, int]] = []
        for nation in world.alive:
            for order in orders.get(nation, ()):
                if isinstance(order, Escort) and world.is_allied(nation, order.nation):
                    free = sum(
                        ship.nation == nation and order.sea in ship.regions for ship in self._ships
                    )
                    count = min(order.count or free, free)
                    if not count and world.rules >= 3:
                        world.note(order, "void")
                    for _ in range(count):
                        self._take(nation, order.sea)
                    room = count * world.strength(nation, "escort_capacity")
                    self._lent.append((order, nation, room))
        self._spare: dict[tuple[str, str], int] = {}

    def _take(self, nation: str, sea: str) -> bool:
        """Bind one fleet to a sea region and return whether one was free.

        Fleets with the fewest regions are bound first.
        """
        fit = [ship for ship in self._ships if ship.nation == nation and sea in ship.regions]
        if not fit:
            return False
        self._ships.remove(min(fit, key=lambda ship: len(ship.regions)))
        return True

    def carry(self, nation: str, start: int, goal: int, seas: Sequence[str], count: int) -> int:
        """Bind fleets and return how many of *count* armies cross."""
        over = min([count, *(self._count_room(nation, start, goal, sea, count) for sea in seas)])
        for sea in seas:
            self._use(nation, start, goal, sea, over)
        return over

    def _count_room(self, nation: str, start: int, goal: int, sea: str, want: int) -> int:
        """Return the number of armies for which there is room over a sea region.

        Fleets are bound only until *want* is reached.
        """
        room = self._spare.get((nation, sea), 0) + self._count_lent_room(nation, start, goal, sea)
        while room < want and self._take(nation, sea):
            each = self._world.strength(nation, "escort_capacity")
            self._spare[nation, sea] = self._spare.get((nation, sea), 0) + each
            room += each
        return room

    def _count_lent_room(self, nation: str, start: int, goal: int, sea: str) -> int:
        return sum(room for order, _, room in self._lent if _fits(order, nation, start, goal, sea))

    def _use(self, nation: str, start: int, goal: int, sea: str, count: int) -> None:
        own = min(count, self._spare.get((nation, sea), 0))
        if own:
            self._spare[nation, sea] -= own
        count -= own
        for at, (order, lender, room) in enumerate(self._lent):
            if count and _fits(order, nation, start, goal, sea):
                used = min(count, room)
                if used:
                    self._world.note(order, "carries")
                self._lent[at] = (order, lender, room - used)
                count -= used


def _fits(order: Escort, nation: str, start: int, goal: int, sea: str) -> bool:
    """Return whether an escort was lent for this ferry."""
    return (order.nation, order.sea, order.start, order.goal) == (nation, sea, start, goal)
