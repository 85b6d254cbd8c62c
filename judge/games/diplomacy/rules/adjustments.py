"""Adjustments: builds, removals and civil disorder (DATC 4.D, 6.I, 6.J)."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from judge.board.map import ARMY, FLEET, Map, Unit, province_of
from judge.board.position import Position
from judge.games.diplomacy.rules.orders import (
    Build,
    Disband,
    Order,
    Outcome,
    Verdict,
    Waive,
    order_text,
)
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.phrase import Phrase, phrase

FAR = 1_000_000
"""Distance of a unit that cannot reach any centre."""


def by_distance(
    board: Map, position: Position, power: str, units: Iterable[Unit], rules: Rules
) -> list[Unit]:
    """Return units in the order in which civil disorder removes them.

    First the unit farthest from the nearest centre that its power owns, where every border by land
    or water counts as one step for every unit. Then fleets before armies, then by the full name of
    the province. With the rules before 2023 (`disorder` is "home") distances are to home centres,
    and fleets move by water only.
    """
    if rules.disorder == "home":
        goals = {p.abbr for p in board.provinces.values() if p.is_centre and p.home == power}
        water = {place: frozenset(places) for place, places in _waters(board).items()}
        ashore, afloat = _steps(board.near, goals), _steps(water, _berths(board, goals))
    else:
        ashore = afloat = _steps(board.near, set(position.centres(power)))

    def key(unit: Unit) -> tuple[int, bool, str]:
        if unit.kind is FLEET:
            steps = afloat.get(unit.place, afloat.get(unit.province, FAR))
        else:
            steps = ashore.get(unit.province, FAR)
        return -steps, unit.kind is ARMY, board.provinces[unit.province].name

    return sorted(units, key=key)


def _waters(board: Map) -> dict[str, list[str]]:
    """Return place of a fleet → places that a fleet reaches from it."""
    return {
        place: [goal for goals in ways.values() for goal in goals]
        for place, ways in board.sail.items()
    }


def _berths(board: Map, goals: AbstractSet[str]) -> set[str]:
    """Return the places of fleets in the given provinces."""
    return {place for place in board.sail if province_of(place) in goals}


def _steps(beside: Mapping[str, AbstractSet[str]], goals: AbstractSet[str]) -> dict[str, int]:
    """Return place → steps to the nearest goal, without places that reach none."""
    found = dict.fromkeys(goals, 0)
    edge, steps = set(goals), 0
    while edge:
        steps += 1
        edge = {place for here in edge for place in beside[here] if place not in found}
        found.update(dict.fromkeys(edge, steps))
    return found


def builds_due(board: Map, position: Position, power: str) -> int:
    """Return the builds due to a power or, below 0, the removals: centres less units.

    Neutral powers have neither.
    """
    if power in board.neutral:
        return 0
    return len(position.centres(power)) - len(position.units.get(power, ()))


def buildable(
    board: Map, position: Position, power: str, rules: Rules = Rules()
) -> tuple[str, ...]:
    """Return the empty centres a power owns in which it may build, sorted."""
    occupied = {unit.province for units in position.units.values() for unit in units}
    return tuple(
        centre
        for centre in position.centres(power)
        if centre not in occupied
        and not explain_barred_build(board, position, power, centre, rules)
    )


def explain_barred_build(
    board: Map, position: Position, power: str, place: str, rules: Rules
) -> Phrase | None:
    """Return why a power may not build in a province, or None.

    Units in the province are not considered.
    """
    home = board.provinces[place].home
    if home != power and (rules.builds == "home" or not board.provinces[place].is_centre):
        return phrase("not-home", place=place, power=power)
    if position.owners.get(place) != power:
        return phrase("not-owned", place=place)
    if home != power and rules.builds == "one":
        if all(board.provinces[centre].home != power for centre in position.centres(power)):
            return phrase("no-home-owned", place=place, power=power)
    return None


def adjustment_count(board: Map, position: Position, power: str, rules: Rules = Rules()) -> int:
    """Return the number of units a power can build or, below 0, must remove."""
    due = builds_due(board, position, power)
    return min(due, len(buildable(board, position, power, rules))) if due > 0 else due


def adjust(
    board: Map, position: Position, orders: Mapping[str, Sequence[Order]], rules: Rules
) -> tuple[Position, dict[str, tuple[Verdict, ...]]]:
    """Return the position after builds and removals, and the verdict on each order.

    Civil disorder chooses the missing removals, each with a verdict.
    """
    units: dict[str, tuple[Unit, ...]] = {}
    verdicts: dict[str, tuple[Verdict, ...]] = {}
    for power in dict.fromkeys((*position.units, *position.owners.values(), *orders)):
        own = _Own(board, position, power, rules)
        given = orders.get(power, ())
        if builds_due(board, position, power) >= 0:
            after, found = _build(own, given)
        else:
            after, found = _remove(own, given)
        if after or power in position.units:
            units[power] = board.sort_units(after)
        if found:
            verdicts[power] = tuple(found)
    after_all = Position(position.phase, units, position.owners, quiet_falls=position.quiet_falls)
    return after_all, verdicts


class _Own(NamedTuple):
    """Adjustment phase of one power."""

    board: Map
    position: Position
    power: str
    rules: Rules

    @property
    def units(self) -> list[Unit]:
        return list(self.position.units.get(self.power, ()))

    @property
    def due(self) -> int:
        return abs(builds_due(self.board, self.position, self.power))


def _build(own: _Own, orders: Sequence[Order]) -> tuple[list[Unit], list[Verdict]]:
    """Carry out builds until there are enough (DATC 4.D.4, 4.D.5).

    They count in the order given unless `extra_builds` says otherwise. A waived build is one of
    them.
    """
    free = set(buildable(own.board, own.position, own.power, own.rules))
    built: list[Unit] = []
    verdicts: list[Verdict | None] = [None] * len(orders)
    left = own.due
    choice = own.rules.extra_builds
    if choice == "none" and sum(isinstance(order, Build | Waive) for order in orders) > own.due:
        left = 0
    numbers = range(len(orders))
    for number in reversed(numbers) if choice == "last" else numbers:
        order = orders[number]
        fault = _explain_illegal_build(own, order, free)
        if not fault and not left:
            fault = phrase("builds-used-up", power=own.power, due=own.due)
        if fault:
            verdicts[number] = Verdict(order, (Outcome.VOID,), fault)
            continue
        left -= 1
        verdicts[number] = Verdict(order, (Outcome.SUCCEEDS,))
        if isinstance(order, Build):
            built.append(order.unit)
            free.discard(order.unit.province)
    return own.units + built, [verdict for verdict in verdicts if verdict]


def _explain_illegal_build(own: _Own, order: Order, free: set[str]) -> Phrase | None:
    """Return why a build is illegal, or None.

    It needs an empty centre in which the power may build and which takes such a unit.
    """
    if isinstance(order, Waive):
        return None
    if isinstance(order, Disband):
        return phrase("no-removals-due", power=own.power)
    if not isinstance(order, Build):
        return phrase("wrong-phase", order=order_text(order), phase="adjustment")
    board, unit = own.board, order.unit
    place = unit.province
    province = board.provinces[place]
    barred = explain_barred_build(board, own.position, own.power, place, own.rules)
    if barred:
        return barred
    if place not in free:
        return phrase("occupied", place=place)
    if unit.kind is ARMY:
        if province.terrain.takes_armies:
            return None
        return phrase("at-sea", unit=str(unit), place=place)
    if place == board.icebreaker and not own.rules.icebreaker:
        return phrase("no-icebreaker", place=place)
    places = board.fleet_places(place)
    if not places:
        return phrase("inland", unit=str(unit), place=place)
    return None if unit.place in places else phrase("which-coast", place=place, open=places)


def _remove(own: _Own, orders: Sequence[Order]) -> tuple[list[Unit], list[Verdict]]:
    """Carry out removals until there are enough (DATC 4.D.6).

    They count in the order given unless `extra_removals` says otherwise. Unknown and repeated ones
    are void (6.J.1, 6.J.2). Civil disorder chooses the missing ones.
    """
    standing = {unit.province: unit for unit in own.units}
    verdicts: list[Verdict | None] = [None] * len(orders)
    left = own.due
    choice = own.rules.extra_removals
    wanted = {order.unit.province for order in orders if isinstance(order, Disband)}
    too_many = choice == "disorder" and len(wanted & set(standing)) > own.due
    numbers = range(len(orders))
    for number in reversed(numbers) if choice == "last" else numbers:
        order = orders[number]
        fault = _explain_illegal_removal(own, order, standing)
        if not fault and (too_many or not left):
            fault = phrase("removals-used-up", power=own.power, due=own.due)
        if fault:
            verdicts[number] = Verdict(order, (Outcome.VOID,), fault)
            continue
        left -= 1
        verdicts[number] = Verdict(order, (Outcome.DISBANDED,))
        standing.pop(_get_province(order))
    found = [verdict for verdict in verdicts if verdict]
    taken = by_distance(own.board, own.position, own.power, standing.values(), own.rules)
    for unit in taken[:left]:
        reason = phrase("removed-unasked", unit=str(unit))
        found.append(Verdict(Disband(unit), (Outcome.DISBANDED, Outcome.NO_ORDER), reason))
        standing.pop(unit.province)
    return list(standing.values()), found


def _get_province(order: Order) -> str:
    return "" if isinstance(order, Waive) else province_of(order.unit.place)


def _explain_illegal_removal(
    own: _Own, order: Order, standing: Mapping[str, Unit]
) -> Phrase | None:
    if isinstance(order, Build | Waive):
        return phrase("no-builds-due", power=own.power)
    if not isinstance(order, Disband):
        return phrase("wrong-phase", order=order_text(order), phase="adjustment")
    if order.unit.province not in standing:
        return phrase("no-unit", place=order.unit.province)
    return None
