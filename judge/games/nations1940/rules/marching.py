"""Step 4: movement of armies in up to four impulses, and combat (N-40 to N-55)."""

from collections.abc import Mapping, Sequence

from judge.games.nations1940.rules.assaults import Assaults
from judge.games.nations1940.rules.bands import (
    ArmyBand,
    find_closed_reason,
    muster,
    rail_is_whole,
    split,
    survive,
)
from judge.games.nations1940.rules.bonuses import CombatBonuses
from judge.games.nations1940.rules.combat import Fighter, Rolls, fight
from judge.games.nations1940.rules.escorts import Escorts
from judge.games.nations1940.rules.orders import Order, Rail
from judge.games.nations1940.rules.outcomes import movement_outcomes
from judge.games.nations1940.rules.retreating import nearest
from judge.games.nations1940.rules.world import World

IMPULSES = 4


def march(world: World, orders: Mapping[str, Sequence[Order]], escorts: Escorts) -> None:
    """Move all armies and Mobile HQs and resolve their combat."""
    ArmyMovement(world, orders, escorts).run()


class ArmyMovement:
    """Movement of armies in one turn."""

    def __init__(
        self, world: World, orders: Mapping[str, Sequence[Order]], escorts: Escorts
    ) -> None:
        self.world = world
        self.escorts = escorts
        self.ground = CombatBonuses(world)
        self.bands = muster(world, orders)
        self._ordered = [band for band in self.bands if band.order]
        self.retreating: list[ArmyBand] = []
        for band in self.bands:
            if isinstance(band.order, Rail) and not rail_is_whole(world, band):
                self._halt(band, "rail", band.steps[0])

    def run(self) -> None:
        """Execute the impulses.

        The first is executed even if no band moves, since a war may have begun between armies in
        one province (N-54).
        """
        for impulse in range(1, IMPULSES + 1):
            if impulse > 1 and not any(band.next for band in self.bands):
                break
            self._step(impulse)
            Assaults(self.world, self.ground, self.bands, self.retreating, impulse).run()
            self._retreat()
            self._settle()
        for band in self._ordered:
            arrived = not band.steps and band.here == _goal(band)
            became = movement_outcomes(band.became, band.count, arrived=arrived, fought=band.fought)
            self.world.note(band.order, *became)

    def _step(self, impulse: int) -> None:
        """Test the steps, fight the clashes, and move the bands (N-41 a to c)."""
        movers = []
        for band in list(self.bands):
            band.entered = False
            if (goal := band.next) is None:
                continue
            if why := find_closed_reason(self.world, band, goal):
                self._halt(band, why, goal)
            elif not band.ferries or self._embark(band, goal):
                movers.append(band)
        self._clashes(movers, impulse)
        for band in movers:
            if band.count:
                self._enter(band)
        if impulse == 1:
            for band in self.bands:
                if not band.entered and not band.hq and self._is_enemy(band):
                    band.entered = band.surprised = True

    def _is_enemy(self, band: ArmyBand) -> bool:
        """Return whether a band is in the land of an enemy (N-54)."""
        owner = self.world.provinces[band.here].owner
        return bool(owner) and self.world.is_at_war(band.nation, owner)

    def _halt(self, band: ArmyBand, why: str, goal: int) -> None:
        band.halt()
        band.became.append("halted")
        self.world.record_event(
            "halt", only=(band.nation,), nation=band.nation, count=band.count, at=band.here,
            goal=goal, why=why, hq=band.hq,
        )  # fmt: skip

    def _embark(self, band: ArmyBand, goal: int) -> bool:
        """Return whether a band, or part of it, is ferried (N-58, N-59).

        The rest is split off and stays.
        """
        seas = band.order.seas  # type: ignore[union-attr]
        over = self.escorts.carry(band.nation, band.here, goal, seas, band.count)
        if over < band.count:
            band.became.append("unescorted")
            self.world.record_event(
                "no-escort", only=(band.nation,), nation=band.nation, count=band.count - over,
                at=band.here, goal=goal, seas=list(seas),
            )  # fmt: skip
            if over == 0:
                band.halt()
                return False
            split(band, band.count - over, self.bands)
        return True

    def _enter(self, band: ArmyBand) -> None:
        goal = band.steps.pop(0)
        ferried = band.ferries
        band.link = "" if ferried else self.world.board.roads[band.here][goal]
        band.trail.append(goal)
        band.entered = True

    def _clashes(self, movers: Sequence[ArmyBand], impulse: int) -> None:
        """Fight on borders where enemies exchange provinces over one link (N-53)."""
        on_link: dict[tuple[int, int], list[ArmyBand]] = {}
        for band in movers:
            if not band.ferries and not band.hq:
                on_link.setdefault((band.here, band.steps[0]), []).append(band)
        for (a, b), low in sorted(on_link.items()):
            high = on_link.get((b, a), [])
            if a < b and high:
                for one, other in _sides(self.world, low, high):
                    self._clash((a, b), impulse, one, other)

    def _clash(
        self, link: tuple[int, int], impulse: int, low: Sequence[ArmyBand], high: Sequence[ArmyBand]
    ) -> None:
        world = self.world
        kind = world.board.roads[link[0]][link[1]]
        fighters = {
            band: Fighter(
                band.nation, band.count,
                self.ground.attack(band.nation, band.here, band.steps[0], kind, clashes=True),
                band.here,
            )  # fmt: skip
            for band in (*low, *high)
        }
        tag = f"clash:{link[0]}-{link[1]}:{impulse}"
        sides = [[fighters[band] for band in side if band.count] for side in (low, high)]
        fought = fight(world, Rolls(f"{tag}:A", f"{tag}:D"), *sides, both_leave=True)
        world.record_event("clash", link=list(link), impulse=impulse, **fought.facts())
        for band, fighter in fighters.items():
            survive(band, fighter, self.retreating, on_way=True)

    def _retreat(self) -> None:
        """Move back the armies that left a fight, or disband them (N-50)."""
        for band in self.retreating:
            goal = next(
                (n for n in reversed(band.trail) if self.world.is_friendly(band.nation, n)), None
            )
            if goal is None and band.surprised:
                goal = nearest(self.world, band.nation, band.here)
            self.world.record_event(
                "retreat" if goal else "disbanded", nation=band.nation, count=band.count,
                goal=goal or 0, at=band.here,
            )  # fmt: skip
            if not goal:
                band.became.append("disbanded")
            else:
                self.bands.append(ArmyBand(band.nation, band.count, [goal], fought=True))
        self.retreating.clear()

    def _settle(self) -> None:
        """Write the bands into the provinces.

        Mobile HQs without cover are destroyed (N-39).
        """
        self.bands = [band for band in self.bands if band.count]
        armies: dict[int, dict[str, int]] = {}
        for band in self.bands:
            if not band.hq:
                at = armies.setdefault(band.here, {})
                at[band.nation] = at.get(band.nation, 0) + band.count
        for band in self.bands:
            if band.hq and self._overrun(band, armies.get(band.here, {})):
                self.world.record_event("hq-overrun", nation=band.nation, at=band.here)
                band.became.append("destroyed")
                band.count = 0
        self.bands = [band for band in self.bands if band.count]
        columns: dict[int, dict[str, int]] = {}
        for band in self.bands:
            if band.hq:
                at = columns.setdefault(band.here, {})
                at[band.nation] = at.get(band.nation, 0) + band.count
        for n, province in self.world.provinces.items():
            now, hqs = armies.get(n, {}), columns.get(n, {})
            if now != province.armies or hqs != province.mobile_hq:
                self.world.change(n, armies=now, mobile_hq=hqs)

    def _overrun(self, band: ArmyBand, armies: Mapping[str, int]) -> bool:
        world = self.world
        if any(world.is_allied(band.nation, other) for other in armies):
            return False
        return any(world.is_at_war(band.nation, other) for other in armies)


def _goal(band: ArmyBand) -> int:
    assert band.order is not None
    return band.order.path[-1]


def _sides(
    world: World, low: Sequence[ArmyBand], high: Sequence[ArmyBand]
) -> list[tuple[list[ArmyBand], list[ArmyBand]]]:
    """Return the pairs of sides that clash on a border.

    All fight together if every pair of nations across it is at war, else nation by nation in the
    order of codes.
    """
    ones, others = ({band.nation for band in side} for side in (low, high))
    ones = {one for one in ones if any(world.is_at_war(one, other) for other in others)}
    others = {other for other in others if any(world.is_at_war(one, other) for one in ones)}
    pairs = [(one, other) for one in sorted(ones) for other in sorted(others)]
    if all(world.is_at_war(*pair) for pair in pairs):
        groups = [(ones, others)] if pairs else []
    else:
        groups = [({one}, {other}) for one, other in pairs if world.is_at_war(one, other)]
    return [
        (
            [band for band in low if band.nation in left],
            [band for band in high if band.nation in right],
        )
        for left, right in groups
    ]
