"""The random event of a turn (N-136, N-139)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from judge.games.nations1940.rules.capitals import flee
from judge.games.nations1940.rules.research import project_of
from judge.games.nations1940.rules.state import ProvinceState
from judge.games.nations1940.rules.world import World

FIRST_TURN = 2
STORM = 50


def happen(world: World) -> None:
    """Execute the events that a master ordered, then draw a random event.

    Ordered events whose target is no longer possible are skipped.
    """
    for name, target in world.ordered:
        if target in EVENTS[name].targets(world):
            _strike(world, name, target)
    settings = world.settings
    if not settings.events or world.turn < FIRST_TURN:
        return
    if not world.succeeds("event", settings.event_chance):
        return
    roll = world.draw("eventwhat", 100)
    row = next(one for one in world.board.events if one.low <= roll <= one.high)
    kind = EVENTS[row.name]
    targets = kind.targets(world)
    if not targets:
        world.record_event("event-nowhere", name=row.name)
        return
    target = world.pick("eventwhere", targets)
    _strike(world, row.name, target)


def _strike(world: World, name: str, target: Any) -> None:
    world.record_event("event", name=name, target=target)
    EVENTS[name].effect(world, target)


@dataclass(frozen=True)
class EventKind:
    """A kind of event: its possible targets, in order, and its effect."""

    targets: Callable[[World], list[Any]]
    effect: Callable[[World, Any], None]


def _provinces(fits: Callable[[World, int, ProvinceState], bool]) -> Callable[[World], list[Any]]:
    def find_provinces(world: World) -> list[Any]:
        return [n for n, province in sorted(world.provinces.items()) if fits(world, n, province)]

    return find_provinces


def _epidemic(world: World, n: int) -> None:
    world.change(n, epidemic=True)


def _boom(world: World, n: int) -> None:
    world.change(n, populous=True)


def _emigration(world: World, n: int) -> None:
    world.change(n, populous=False)


def _volunteers(world: World, nation: str) -> None:
    world.add("armies", world.nations[nation].capital, nation)


def _breakthrough(world: World, nation: str) -> None:
    """Add this turn's points to the current project once more.

    Its completion is checked next turn.
    """
    project = project_of(world, nation)
    if project:
        done = world.nations[nation].progress
        more = {project: done.get(project, 0) + world.points[nation]}
        world.reform(nation, progress={**done, **more})


def _general_strike(world: World, nation: str) -> None:
    world.reform(nation, pi_malus=1)


def _accident(world: World, nation: str) -> None:
    all_of = [
        (n, kind)
        for n in sorted(world.list_owned(nation))
        for kind in sorted(world.provinces[n].improvements)
    ]
    n, kind = world.pick("eventwhere", all_of)
    world.change(n, improvements=world.provinces[n].improvements - {kind})
    world.record_event("accident", nation=nation, at=n, what=kind)


def _storm(world: World, sea: str) -> None:
    for nation in sorted(world.seas[sea]):
        lost = sum(world.succeeds(f"storm:{sea}", STORM) for _ in range(world.seas[sea][nation]))
        if lost:
            world.add_at_sea(sea, nation, -lost)
        world.record_event("storm", nation=nation, sea=sea, count=lost)


def _uprising(world: World, n: int) -> None:
    owner = world.provinces[n].owner
    world.change(n, owner="", due_to="", neutral=1)
    world.record_event("uprising", nation=owner, at=n)
    flee(world)


def _is_restless(world: World, n: int, province: ProvinceState) -> bool:
    """Return whether an owned province, no capital, has no armies or Mobile HQs."""
    if not province.owner or province.armies or province.mobile_hq:
        return False
    return world.nations[province.owner].capital != n


def _builders(world: World) -> list[Any]:
    return [
        code for code in world.alive
        if any(world.provinces[n].improvements for n in world.list_owned(code))
    ]  # fmt: skip


def _living(world: World) -> list[Any]:
    return list(world.alive)


def _seas(world: World) -> list[Any]:
    return list(world.board.seas)


EVENTS: Mapping[str, EventKind] = {
    "Epidemic": EventKind(_provinces(lambda world, n, province: True), _epidemic),
    "Population Boom": EventKind(
        _provinces(lambda world, n, province: not province.populous and not province.fallout), _boom
    ),
    "Emigration": EventKind(_provinces(lambda world, n, province: province.populous), _emigration),
    "Volunteers": EventKind(_living, _volunteers),
    "Breakthrough": EventKind(_living, _breakthrough),
    "General Strike": EventKind(_living, _general_strike),
    "Industrial Accident": EventKind(_builders, _accident),
    "Storm": EventKind(_seas, _storm),
    "Uprising": EventKind(_provinces(_is_restless), _uprising),
}
"""Kinds of events by their names in the table of events."""
