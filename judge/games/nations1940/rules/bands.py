"""Armies on their way: bands of one nation that go the same path in a turn (N-28 to N-32).

A band that stays is one without steps. What is legal for a step is asked again in each impulse,
since owners change on the way (N-41).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from judge.games.nations1940.rules.combat import Fighter
from judge.games.nations1940.rules.orders import Move, Order, Rail
from judge.games.nations1940.rules.world import World


@dataclass(eq=False)
class Band:
    """Armies, or Mobile HQs, of one nation; `trail` are the provinces passed, the last is here."""

    nation: str
    count: int
    trail: list[int]
    steps: list[int] = field(default_factory=list)
    order: Move | Rail | None = None
    hq: bool = False
    entered: bool = False
    """It came to where it is in this impulse."""
    link: str = ""
    """The type of the link it came over; empty after a ferry."""
    fought: bool = False
    became: list[str] = field(default_factory=list)
    """What became of its order so far; those that leave it in a fight note it there too."""
    surprised: bool = False
    """It stood as a guest in the land of who is now an enemy (N-54)."""

    @property
    def here(self) -> int:
        """Where it is."""
        return self.trail[-1]

    @property
    def origin(self) -> int:
        """Where it was before its last step."""
        return self.trail[-2] if len(self.trail) > 1 else self.trail[-1]

    @property
    def next(self) -> int | None:
        """Where its next step leads."""
        return self.steps[0] if self.steps and not self.fought else None

    @property
    def ferries(self) -> bool:
        """Tell whether the next step is its ferry leg."""
        return isinstance(self.order, Move) and self.order.leg == len(self.trail)

    def halt(self) -> None:
        """Go no further."""
        self.steps.clear()


def muster(world: World, orders: Mapping[str, Sequence[Order]]) -> list[Band]:
    """Return all bands of the map: those with orders, and those that stay."""
    bands = []
    rest = {
        (what, n): dict(getattr(province, what))
        for n, province in world.provinces.items()
        for what in ("armies", "mobile_hq")
    }
    for nation in world.alive:
        for order in orders.get(nation, ()):
            if not isinstance(order, Move | Rail):
                continue
            left = rest["mobile_hq" if order.hq else "armies", order.path[0]]
            there = left.get(nation, 0)
            count = min(there, 1 if order.hq else order.count or there)
            if count:
                left[nation] = there - count
                start, *steps = order.path
                bands.append(Band(nation, count, [start], list(steps), order, order.hq))
    for (what, n), left in rest.items():
        for nation in sorted(left):
            if left[nation]:
                bands.append(Band(nation, left[nation], [n], hq=what == "mobile_hq"))
    return bands


def why_closed(world: World, band: Band, goal: int) -> str:
    """Return the code of what closes a step to a band now, or nothing (N-29, N-32, N-39, N-112)."""
    province = world.provinces[goal]
    if province.owner == band.nation and province.due_to:
        return "due"
    if isinstance(band.order, Rail):
        here, there = (world.provinces[n] for n in (band.here, goal))
        if not world.friendly(band.nation, goal) or not world.friendly(band.nation, band.here):
            return "rail"
        return "" if "RAI" in here.improvements & there.improvements else "rail"
    if world.friendly(band.nation, goal):
        return ""
    return "" if world.hostile(band.nation, goal) and not band.hq else "peace"


def rail_is_whole(world: World, band: Band) -> bool:
    """Tell whether a way by rail is open when the movement starts, from end to end (N-29)."""
    return all(
        world.friendly(band.nation, n) and "RAI" in world.provinces[n].improvements
        for n in (*band.trail, *band.steps)
    )


def split(band: Band, count: int, bands: list[Band]) -> None:
    """Leave so many of a band where they are, as a band of its own; the others stay this one."""
    if count:
        bands.append(
            Band(band.nation, count, list(band.trail), hq=band.hq, entered=band.entered,
                 link=band.link, fought=band.fought)
        )  # fmt: skip
        band.count -= count


def survive(band: Band, fighter: Fighter, retreating: list[Band], *, on_way: bool = False) -> None:
    """Take over what a fight left of a band; those that left it retreat (N-42, N-50).

    `on_way`: the band has not made the step yet, and is where it would go back to.
    """
    band.fought = True
    if fighter.lost:
        band.became.append("losses" if fighter.count + fighter.left else "destroyed")
    band.count = fighter.count
    if fighter.left:
        band.became.append("retreats")
        trail = band.trail if on_way else band.trail[:-1] or band.trail
        retreating.append(
            Band(band.nation, fighter.left, list(trail), fought=True, surprised=band.surprised,
                 became=band.became)
        )  # fmt: skip
