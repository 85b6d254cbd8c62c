"""Bands of armies of one nation that take the same path in a turn (N-28 to N-32).

A band without steps stays. Each impulse checks again whether a step is legal, since owners change
during the movement (N-41).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from judge.games.nations1940.rules.combat import Fighter
from judge.games.nations1940.rules.orders import ArmyMove, Order, Rail
from judge.games.nations1940.rules.world import World


@dataclass(eq=False)
class ArmyBand:
    """Armies or Mobile HQs of one nation on one path.

    `trail` lists the provinces passed. Its last one is the present province.
    """

    nation: str
    count: int
    trail: list[int]
    steps: list[int] = field(default_factory=list)
    order: ArmyMove | Rail | None = None
    hq: bool = False
    entered: bool = False
    """True if the band entered its province in this impulse.

    This is also set for foreign troops that fight the owner of their province (N-54).
    """
    link: str = ""
    """Type of the link of the last step, empty after a ferry."""
    fought: bool = False
    became: list[str] = field(default_factory=list)
    """Outcome codes of the order so far.

    Armies that leave the band in a fight share the list.
    """
    surprised: bool = False
    """True if the band was in the land of a nation that is now an enemy (N-54)."""

    @property
    def here(self) -> int:
        """The present province."""
        return self.trail[-1]

    @property
    def origin(self) -> int:
        """The province before the last step, or the present one without a step."""
        return self.trail[-2] if len(self.trail) > 1 else self.trail[-1]

    @property
    def next(self) -> int | None:
        """The next province, None at the end of the path or after a fight."""
        return self.steps[0] if self.steps and not self.fought else None

    @property
    def ferries(self) -> bool:
        """True if the next step is the ferry leg of the order."""
        return isinstance(self.order, ArmyMove) and self.order.leg == len(self.trail)

    def halt(self) -> None:
        """Drop the remaining steps."""
        self.steps.clear()


def muster(world: World, orders: Mapping[str, Sequence[Order]]) -> list[ArmyBand]:
    """Return all bands of the map, with and without orders."""
    bands = []
    rest = {
        (what, n): dict(getattr(province, what))
        for n, province in world.provinces.items()
        for what in ("armies", "mobile_hq")
    }
    for nation in world.alive:
        for order in orders.get(nation, ()):
            if not isinstance(order, ArmyMove | Rail):
                continue
            left = rest["mobile_hq" if order.hq else "armies", order.path[0]]
            there = left.get(nation, 0)
            count = min(there, 1 if order.hq else order.count or there)
            if count:
                left[nation] = there - count
                start, *steps = order.path
                bands.append(ArmyBand(nation, count, [start], list(steps), order, order.hq))
    for (what, n), left in rest.items():
        for nation in sorted(left):
            if left[nation]:
                bands.append(ArmyBand(nation, left[nation], [n], hq=what == "mobile_hq"))
    return bands


def find_closed_reason(world: World, band: ArmyBand, goal: int) -> str:
    """Return the code of the reason a step is closed now, or an empty string.

    The rules are N-29, N-32, N-39 and N-112.
    """
    province = world.provinces[goal]
    if province.owner == band.nation and province.due_to:
        return "due"
    if isinstance(band.order, Rail):
        here, there = (world.provinces[n] for n in (band.here, goal))
        if not world.is_friendly(band.nation, goal) or not world.is_friendly(
            band.nation, band.here
        ):
            return "rail"
        return "" if "RAI" in here.improvements & there.improvements else "rail"
    if world.is_friendly(band.nation, goal):
        return ""
    return "" if world.is_hostile(band.nation, goal) and not band.hq else "peace"


def rail_is_whole(world: World, band: ArmyBand) -> bool:
    """Return whether a rail route is open from end to end before the movement (N-29)."""
    return all(
        world.is_friendly(band.nation, n) and "RAI" in world.provinces[n].improvements
        for n in (*band.trail, *band.steps)
    )


def split(band: ArmyBand, count: int, bands: list[ArmyBand]) -> None:
    """Split off *count* units as a band without steps, appended to *bands*."""
    if count:
        bands.append(
            ArmyBand(band.nation, count, list(band.trail), hq=band.hq, entered=band.entered,
                 link=band.link, fought=band.fought)
        )  # fmt: skip
        band.count -= count


def survive(
    band: ArmyBand, fighter: Fighter, retreating: list[ArmyBand], *, on_way: bool = False
) -> None:
    """Update a band after a fight (N-42, N-50).

    Units that left the fight alive are added to *retreating*. With *on_way* the band has not made
    its step yet, and they retreat from its present province.
    """
    band.fought = True
    if fighter.lost:
        band.became.append("losses" if fighter.count + fighter.left else "destroyed")
    band.count = fighter.count
    if fighter.left:
        band.became.append("retreats")
        trail = band.trail if on_way else band.trail[:-1] or band.trail
        retreating.append(
            ArmyBand(band.nation, fighter.left, list(trail), fought=True, surprised=band.surprised,
                 became=band.became)
        )  # fmt: skip
