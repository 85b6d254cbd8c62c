"""Step 2: bombs, atomic bombs and missiles (N-75 to N-86, N-130, N-131).

All launches take place, even from an Airfield that is hit in the same turn. Launchers and defences
are those of the state before the step (N-21, N-78, N-80).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.games.nations1940.rules.orders import AtomicBomb, Bomb, Missile, Order
from judge.games.nations1940.rules.world import World

FALLOUT = 6
ATOMIC_IMPROVEMENTS = 2


class Launch(NamedTuple):
    """One launched bomb or missile."""

    target: int
    nation: str
    base: int
    """Province of the Airfield, or 0 for a missile, which comes from any silo."""
    kind: str
    """`bomb`, `atom` or `missile`."""
    wish: str = ""
    """Kind of the improvement that a bomb is meant for, empty if none is named."""


def strike(world: World, orders: Mapping[str, Sequence[Order]]) -> set[int]:
    """Carry out all strikes and return the provinces hit by nuclear weapons."""
    before = dict(world.provinces)
    launches = [
        launch
        for nation in world.alive
        for launch in _launches(world, nation, orders.get(nation, ()))
    ]
    fighters: Counter[int] = Counter()
    hit = set()
    for launch, order in sorted(launches, key=lambda found: found[0]):
        target = before[launch.target]
        stopped = ""
        has_field = launch.kind != "missile" and "AIR" in target.improvements
        if has_field and _try_intercept(world, launch.target, fighters, target.owner):
            stopped = "fighters"
        elif "AAB" in target.improvements and _shot_down(world, launch, target.owner):
            stopped = "aa"
        if stopped:
            world.record_event("strike", **launch._asdict(), stopped=stopped)
            world.note(order, "stopped")
        elif launch.kind == "bomb":
            world.note(order, "hits" if _bomb(world, launch) else "misses")
        else:
            _nuke(world, launch)
            world.note(order, "hits")
            hit.add(launch.target)
    return hit


def _launches(world: World, nation: str, orders: Sequence[Order]) -> list[tuple[Launch, Order]]:
    """Return a nation's launches, each with its order.

    Orders whose target may no longer be struck are skipped (N-86).
    """
    found: list[tuple[Launch, Order]] = []
    for order in orders:
        if not isinstance(order, Bomb | AtomicBomb | Missile):
            continue
        if not may_hit(world, nation, order.target, is_nuclear=not isinstance(order, Bomb)):
            world.record_event(
                "no-strike", only=(nation,), nation=nation, target=order.target, why="peace"
            )
            world.note(order, "withheld")
            continue
        match order:
            case Bomb(target, base, wish):
                found.append((Launch(target, nation, base, "bomb", wish), order))
            case AtomicBomb(target, base):
                found.append((Launch(target, nation, base, "atom"), order))
            case Missile(count, target):
                found += [(Launch(target, nation, 0, "missile"), order)] * count
    return found


def may_hit(world: World, nation: str, target: int, *, is_nuclear: bool) -> bool:
    """Return whether a province may be struck (N-77, N-84).

    An enemy's may. Neutral land may only with nuclear weapons, if the option allows it.
    """
    owner = world.provinces[target].owner
    if owner:
        return world.is_at_war(nation, owner)
    return is_nuclear and world.settings.nuke_neutrals


def _try_intercept(world: World, target: int, fighters: Counter[int], owner: str) -> bool:
    """Return whether fighters of the target's own Airfield stop an action (N-79).

    They stop the first actions of a turn, without a roll.
    """
    if not owner or fighters[target] >= world.strength(owner, "intercepts"):
        return False
    fighters[target] += 1
    return True


def _shot_down(world: World, launch: Launch, owner: str) -> bool:
    """Return whether AA Batteries stop an action (N-79).

    They stop missiles only with late technologies (N-83).
    """
    if not owner:
        return False
    key = "missile_aa_chance" if launch.kind == "missile" else "aa_chance"
    chance = world.strength(owner, key)
    return chance > 0 and world.succeeds(f"aa:{launch.target}", chance)


def _bomb(world: World, launch: Launch) -> str:
    """Destroy one improvement and return its kind, empty without improvements (N-76).

    It is the kind named in the order if it is there, else one drawn by the dice.
    """
    there = world.provinces[launch.target].improvements
    lost = ""
    if launch.wish in there:
        lost = launch.wish
    elif there:
        lost = world.pick(f"bomb:{launch.target}", sorted(there))
    world.change(launch.target, improvements=there - {lost})
    world.record_event("strike", **launch._asdict(), stopped="", lost=[lost] if lost else [])
    return lost


def _nuke(world: World, launch: Launch) -> None:
    """Destroy up to two improvements and one army, and add fallout (N-84, N-85)."""
    province = world.provinces[launch.target]
    left = sorted(province.improvements)
    lost: list[str] = []
    while left and len(lost) < ATOMIC_IMPROVEMENTS:
        gone = world.pick(f"nuke:{launch.target}", left)
        left.remove(gone)
        lost.append(gone)
    victim = _victim(world, launch.target)
    if victim:
        world.add("armies", launch.target, victim, -1)
    world.change(
        launch.target,
        improvements=frozenset(left),
        neutral=0 if victim == "" else province.neutral,
        fallout=province.fallout + FALLOUT,
        populous=False,
    )
    world.record_event(
        "strike", **launch._asdict(), stopped="", lost=lost, victim=victim or "",
        killed=victim is not None, fled=province.populous,
    )  # fmt: skip


def _victim(world: World, target: int) -> str | None:
    """Return the nation whose army is hit, None if there is no army (N-84).

    It is the owner, else one of the foreign nations there. A neutral army has an empty code.
    """
    province = world.provinces[target]
    if not province.owner:
        return "" if province.neutral else None
    if province.armies.get(province.owner):
        return province.owner
    guests = sorted(province.armies)
    if len(guests) < 2:
        return guests[0] if guests else None
    return world.pick(f"nuke:{target}", guests)
