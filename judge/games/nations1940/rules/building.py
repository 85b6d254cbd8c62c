"""Step 6: improvements and units built and removed (N-38, N-56, N-93 to N-98)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from judge.games.nations1940.rules.orders import (
    ArmyDisband,
    Commission,
    Dismantle,
    Form,
    ImprovementBuild,
    Order,
    Scuttle,
    tag_of,
)
from judge.games.nations1940.rules.world import World

HQ_ARMIES = 2
"""Armies disbanded for a Military HQ (N-97)."""


class Built(NamedTuple):
    """Provinces whose new improvements work only from the next turn on (N-26, N-87)."""

    headquarters: frozenset[int] = frozenset()
    academies: frozenset[int] = frozenset()


def build(
    world: World, orders: Mapping[str, Sequence[Order]], owned_before: Mapping[int, str]
) -> Built:
    """Carry out step 6 and return the new headquarters and Academies.

    A site must have been the nation's own at the start of the turn and still be so (N-95).
    """
    crew = _Crew(world, owned_before)
    for kind, work in (
        (Dismantle, crew.dismantle), (ImprovementBuild, crew.build), (Form, crew.form),
        (Commission, crew.commission), (Scuttle, crew.scuttle), (ArmyDisband, crew.disband),
    ):  # fmt: skip
        for nation in world.alive:
            for order in orders.get(nation, ()):
                if isinstance(order, kind):
                    work(nation, order)
    return Built(
        *(frozenset(n for kind, n in crew.built if kind == what) for what in ("HQ", "ACA"))
    )


class _Crew:
    """Execution of one turn's building orders."""

    def __init__(self, world: World, owned_before: Mapping[int, str]) -> None:
        self._world = world
        self._owned_before = owned_before
        self.built: set[tuple[str, int]] = set()

    def _tell(self, nation: str, kind: str, order: Any, **facts: Any) -> None:
        self._world.record_event(kind, only=(nation,), nation=nation, at=order.province, **facts)
        self._world.note(order, "undone" if kind == "not-done" else "done")

    def _fails(self, nation: str, order: Any, why: str, what: str = "") -> None:
        kind = getattr(order, "kind", what)
        self._tell(nation, "not-done", order, why=why, what=kind, do=tag_of(type(order)).lower())

    def _is_site(self, nation: str, n: int) -> bool:
        return self._world.provinces[n].owner == nation == self._owned_before[n]

    def dismantle(self, nation: str, order: Any) -> None:
        there = self._world.provinces[order.province].improvements
        if not self._is_site(nation, order.province):
            self._fails(nation, order, "site")
        elif order.kind not in there:
            self._fails(nation, order, "gone")
        else:
            self._world.change(order.province, improvements=there - {order.kind})
            self._tell(nation, "dismantled", order, what=order.kind)

    def build(self, nation: str, order: Any) -> None:
        world, n = self._world, order.province
        there = world.provinces[n].improvements
        if not self._is_site(nation, n):
            return self._fails(nation, order, "site")
        if order.kind in there:
            return self._fails(nation, order, "dup")
        if order.kind == "HQ":
            if world.nations[nation].capital == n:
                return self._fails(nation, order, "site")
            if world.provinces[n].armies.get(nation, 0) < HQ_ARMIES:
                return self._fails(nation, order, "army")
            world.add("armies", n, nation, -HQ_ARMIES)
        self.built.add((order.kind, n))
        world.change(n, improvements=there | {order.kind})
        self._tell(nation, "built", order, what=order.kind)

    def form(self, nation: str, order: Any) -> None:
        world, n = self._world, order.province
        is_hq = "HQ" in world.provinces[n].improvements or world.nations[nation].capital == n
        self._raise(nation, order, "mobile_hq", is_hq, "HQ")

    def commission(self, nation: str, order: Any) -> None:
        has_port = "POR" in self._world.provinces[order.province].improvements
        self._raise(nation, order, "fleets", has_port, "POR")

    def _raise(self, nation: str, order: Any, what: str, has_place: bool, place: str) -> None:
        """Convert one army into a Mobile HQ or a fleet."""
        world, n = self._world, order.province
        if not self._is_site(nation, n):
            self._fails(nation, order, "site", what)
        elif not has_place:
            self._fails(nation, order, "place", place)
        elif not world.provinces[n].armies.get(nation):
            self._fails(nation, order, "army", what)
        else:
            world.add("armies", n, nation, -1)
            world.add(what, n, nation)
            self._tell(nation, "raised", order, what=what)

    def scuttle(self, nation: str, order: Any) -> None:
        self._give_up(nation, order, "fleets", self._world.is_friendly(nation, order.province))

    def disband(self, nation: str, order: Any) -> None:
        self._give_up(nation, order, "armies", True)

    def _give_up(self, nation: str, order: Any, what: str, may: bool) -> None:
        there = getattr(self._world.provinces[order.province], what).get(nation, 0) if may else 0
        count = min(there, order.count or there)
        if not count:
            return self._fails(nation, order, "count", what)
        self._world.add(what, order.province, nation, -count)
        self._tell(nation, "given-up", order, what=what, count=count)
