"""Step 2: bombs, atomic bombs and missiles (N-75 to N-86, N-130, N-131).

All launches happen, even from an Airfield that is hit in the same turn: who may launch and who
defends is read from the state before the step (N-21, N-78, N-80).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.games.nations1940.rules.orders import Atom, Bomb, Missile, Order
from judge.games.nations1940.rules.world import World

FALLOUT = 6
ATOMIC_IMPROVEMENTS = 2


class Launch(NamedTuple):
    """One bomb or missile on its way."""

    target: int
    nation: str
    base: int
    """0 for a missile, which comes from any silo."""
    kind: str
    """`bomb`, `atom` or `missile`."""
    wish: str = ""
    """The improvement a bomb is meant for."""


def strike(world: World, orders: Mapping[str, Sequence[Order]]) -> set[int]:
    """Carry out all strikes; return the provinces that were hit by nuclear weapons."""
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
        if has_field and _intercepted(world, launch.target, fighters, target.owner):
            stopped = "fighters"
        elif "AAB" in target.improvements and _shot_down(world, launch, target.owner):
            stopped = "aa"
        if stopped:
            world.tell("strike", **launch._asdict(), stopped=stopped)
            world.note(order, "stopped")
        elif launch.kind == "bomb":
            world.note(order, "hits" if _bomb(world, launch) else "misses")
        else:
            _nuke(world, launch)
            world.note(order, "hits")
            hit.add(launch.target)
    return hit


def _launches(
    world: World, nation: str, orders: Sequence[Order]
) -> list[tuple[Launch, Order]]:
    """Return what a nation launches; a target that is no enemy's any more is passed over (N-86)."""
    found: list[tuple[Launch, Order]] = []
    for order in orders:
        if not isinstance(order, Bomb | Atom | Missile):
            continue
        if not may_hit(world, nation, order.target, is_nuclear=not isinstance(order, Bomb)):
            world.tell(
                "no-strike", only=(nation,), nation=nation, target=order.target, why="peace"
            )
            world.note(order, "withheld")
            continue
        match order:
            case Bomb(target, base, wish):
                found.append((Launch(target, nation, base, "bomb", wish), order))
            case Atom(target, base):
                found.append((Launch(target, nation, base, "atom"), order))
            case Missile(count, target):
                found += [(Launch(target, nation, 0, "missile"), order)] * count
    return found


def may_hit(world: World, nation: str, target: int, *, is_nuclear: bool) -> bool:
    """Tell whether a province may be struck: an enemy's; a neutral one only with nuclear weapons,
    and where the game allows it (N-77, N-84)."""
    owner = world.provinces[target].owner
    if owner:
        return world.at_war(nation, owner)
    return is_nuclear and world.settings.nuke_neutrals


def _intercepted(world: World, target: int, fighters: Counter[int], owner: str) -> bool:
    """Tell whether the fighters of the target's own Airfield stop an action: the first ones of a
    turn, without a roll (N-79)."""
    if not owner or fighters[target] >= world.strength(owner, "intercepts"):
        return False
    fighters[target] += 1
    return True


def _shot_down(world: World, launch: Launch, owner: str) -> bool:
    """Tell whether AA Batteries stop an action (N-79); missiles only with late techs (N-83)."""
    if not owner:
        return False
    key = "missile_aa_chance" if launch.kind == "missile" else "aa_chance"
    chance = world.strength(owner, key)
    return chance > 0 and world.succeeds(f"aa:{launch.target}", chance)


def _bomb(world: World, launch: Launch) -> str:
    """Destroy one improvement, and return which: the one meant if it is there, else one that is
    drawn (N-76)."""
    there = world.provinces[launch.target].improvements
    lost = ""
    if launch.wish in there:
        lost = launch.wish
    elif there:
        lost = world.pick(f"bomb:{launch.target}", sorted(there))
    world.change(launch.target, improvements=there - {lost})
    world.tell("strike", **launch._asdict(), stopped="", lost=[lost] if lost else [])
    return lost


def _nuke(world: World, launch: Launch) -> None:
    """Destroy up to two improvements and one army, and leave fallout behind (N-84, N-85)."""
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
    world.tell(
        "strike", **launch._asdict(), stopped="", lost=lost, victim=victim or "",
        killed=victim is not None, fled=province.populous,
    )  # fmt: skip


def _victim(world: World, target: int) -> str | None:
    """Return whose army is hit: the owner's, else a guest's; the neutral one is "" (N-84)."""
    province = world.provinces[target]
    if not province.owner:
        return "" if province.neutral else None
    if province.armies.get(province.owner):
        return province.owner
    guests = sorted(province.armies)
    if len(guests) < 2:
        return guests[0] if guests else None
    return world.pick(f"nuke:{target}", guests)
