"""Artillery: shots of batteries and frigates, and their effects (Y-38 to Y-48)."""

from collections.abc import Mapping, Sequence

from judge.games.yorktown.rules.board import FA, CounterKind, counters, hits_at, key_of
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import distance, is_hex
from judge.games.yorktown.rules.orders import Fire, Standing, WhenHit
from judge.games.yorktown.rules.state import CounterState
from judge.model.phrase import Fact, Phrase, phrase

REACH = 12
SECTION = "fire"
HITS = "hits"
HALF, GONE = 4, 8
"""Hits that halve and that eliminate a unit in the open (Y-42).

Twice as many are needed in a fort hex, and against frigates.
"""
LEAVES = 8
"""Maximum distance, in hexes, for a commander who leaves a unit that was hit (Y-79)."""


def half(number: int) -> int:
    """Return half of a number, rounded up (Y-40).

    >>> half(5), half(7), half(4), half(0)
    (3, 4, 2, 0)
    """
    return (number + 1) // 2


def range_to(unit: CounterState, at: str) -> int:
    """Return the range from a unit to a hex, from a frigate's nearer end (Y-51)."""
    return min(distance(name, at) for name in unit.hexes)


def thresholds(field: StepState, key: str) -> tuple[int, int]:
    """Return the hits that halve a unit and the hits that eliminate it (Y-42)."""
    unit = field.units[key]
    tough = counters()[key].kind is CounterKind.FRIG or (unit.on_map and field.is_fort(unit.at))
    return (2 * HALF, 2 * GONE) if tough else (HALF, GONE)


def target_in(field: StepState, at: str, named: str, side: str) -> str:
    """Return the key of the enemy hit by a shot at a hex, or an empty string (Y-38).

    Of two units it is the one named in the order, else the one with the higher printed factor,
    else the one with the lower id.
    """
    there = field.enemies_in(at, side)
    for key in there:
        if counters()[key].order_id == named:
            return key
    ranks = {key: (-counters()[key].combat, counters()[key].number) for key in there}
    return min(there, key=lambda key: ranks[key], default="")


class Gunnery:
    """Fire of one step: running hits and their effects."""

    def __init__(self, field: StepState, standing: Mapping[str, Sequence[Standing]]) -> None:
        self._field = field
        self._standing = standing
        self._hits: dict[str, int] = {}
        self._marked: set[str] = set()
        self._aimed: dict[str, list[tuple[int, ...]]] = {}

    def ship_fires(self, key: str, at: str) -> Phrase | None:
        """Fire one shot of a frigate, with immediate effect (Y-43).

        Return the reason if it cannot fire.
        """
        why = shot_fault(self._field, key, at)
        if why:
            return why
        self._field.update_unit(key, shots=self._field.units[key].shots + 1)
        target = target_in(self._field, at, "", self._field.side)
        self._shoot(key, at, target)
        if target and not self._field.is_dry:
            self._take_effect(target)
        return None

    def batteries_fire(self, orders: Sequence[Fire]) -> None:
        """Fire all batteries: targets first, then dice, then results (Y-38, Y-43)."""
        field = self._field
        aimed: list[tuple[str, Fire, str]] = []
        for order in orders:
            key = key_of(field.side, order.unit)
            why = shot_fault(field, key, order.at)
            target = target_in(field, order.at, order.target, field.side)
            if why or not target:
                field.record_event(SECTION, "not-fired", unit=order.unit, at=order.at)
                field.record_reason(why or phrase("ye14", at=order.at))
                continue
            field.update_unit(key, shots=field.units[key].shots + 1)
            aimed.append((key, order, target))
        for key, order, target in aimed:
            self._shoot(key, order.at, target)
        if not field.is_dry:
            for target in dict.fromkeys(target for _, _, target in aimed):
                self._take_effect(target)

    def _shoot(self, key: str, at: str, target: str) -> None:
        """Roll for one shot and add up its hits (Y-39 to Y-41).

        Without dice, only record the shot for `finish`.
        """
        field, shooter = self._field, counters()[key]
        reach = range_to(field.units[key], at)
        field.told.shots.append((field.units[key].at, at))
        if not target:
            field.record_event(SECTION, "shot-lost", unit=shooter.order_id, at=at)
            return
        facts: dict[str, Fact] = {"unit": shooter.order_id, "at": at, "range": reach}
        facts["target"] = counters()[target].order_id
        row, weak = hits_at(reach), bool(field.units[key].marked)
        if weak:
            row = tuple(map(half, row))
        needs, gone = thresholds(field, target)
        if field.is_dry:
            field.record_event(SECTION, "aim", table=tuple(map(str, row)), **facts)
            self._aimed.setdefault(target, []).append(row)
            return
        number, die = field.roll()
        hits = row[die - 1]
        self._hits[target] = self._hits.get(target, 0) + hits
        total = self._hits[target]
        code = "shot-halved" if weak else "shot"
        limit = needs if total < needs else gone
        field.record_event(
            SECTION, code, number=number, die=die, hits=hits, total=total, limit=limit, **facts
        )

    def _take_effect(self, target: str) -> None:
        """Mark or eliminate a unit by the hits it has taken so far (Y-42 to Y-48)."""
        field, counter = self._field, counters()[target]
        unit = field.units[target]
        needs, gone = thresholds(field, target)
        total = self._hits.get(target, 0)
        if not unit.on_map:
            return
        facts: dict[str, Fact] = {"unit": counter.order_id, "at": unit.at, "total": total}
        if total >= gone:
            field.record_event(HITS, "shot-dead", **facts)
            field.told.fought.append((unit.at, target))
            for passenger in field.aboard(target):
                lost = counters()[passenger].order_id
                field.record_event(HITS, "went-down", unit=lost, ship=counter.order_id)
                eliminate(field, passenger, HITS)
            eliminate(field, target, HITS)
        elif total >= needs and target not in self._marked:
            self._marked.add(target)
            field.record_event(HITS, "halved", **facts)
            field.update_unit(target, marked=_owners_day(field), still=0)
            self._staff_hit(target)

    def _staff_hit(self, target: str) -> None:
        """Apply the choice of a commander whose unit was halved (Y-45, Y-79)."""
        field = self._field
        staff = field.commander_with(target)
        if not staff:
            return
        name = counters()[staff].name
        for host_id in self._find_preferences(staff):
            host = key_of(counters()[staff].side, host_id)
            if may_host(field, staff, host):
                at = field.units[host].at
                field.update_unit(staff, at=at, attached=host)
                field.record_event(HITS, "staff-left", name=name, other=counters()[host].order_id)
                return
        field.update_unit(staff, tied=True)
        field.record_event(HITS, "staff-stays", name=name, other=counters()[target].order_id)

    def finish(self) -> None:
        """Report targets without effect, or the chances if nothing was rolled."""
        for target, total in self._hits.items():
            unit = self._field.units[target]
            if total < thresholds(self._field, target)[0] and unit.on_map:
                name = counters()[target].order_id
                self._field.record_event(HITS, "no-effect", unit=name, at=unit.at, total=total)
        for target, rows in self._aimed.items():
            needs, gone = thresholds(self._field, target)
            self._field.record_event(
                SECTION,
                "chances",
                unit=counters()[target].order_id,
                at=self._field.units[target].at,
                shots=len(rows),
                halved=chance(rows, needs),
                eliminated=chance(rows, gone),
            )

    def _find_preferences(self, staff: str) -> tuple[str, ...]:
        counter = counters()[staff]
        for order in self._standing.get(counter.side, ()):
            if isinstance(order, WhenHit) and order.unit == counter.order_id:
                return order.to
        return ()


def chance(rows: Sequence[Sequence[int]], least: int) -> int:
    """Return the chance that shots score at least *least* hits together, in per cent.

    Each row has the hits of one shot for each die. The result is 0 or 100 only where that is
    certain.

    >>> chance([hits_at(6)] * 4, 4), chance([hits_at(6)] * 4, 8)
    (96, 62)
    >>> chance([hits_at(6)] * 9, 4)
    99
    """
    ways = {0: 1}
    for row in rows:
        more: dict[int, int] = {}
        for total, number in ways.items():
            for hits in row:
                more[total + hits] = more.get(total + hits, 0) + number
        ways = more
    wanted = sum(number for total, number in ways.items() if total >= least)
    every = sum(ways.values())
    if wanted in (0, every):
        return 100 * (wanted == every)
    return min(max(round(100 * wanted / every), 1), 99)


def may_host(field: StepState, staff: str, host: str) -> bool:
    """Return whether a commander may leave for a unit (Y-79).

    It must be a combat unit on the map, without a commander, at most `LEAVES` hexes away.
    """
    if host not in field.units or not counters()[host].kind.is_combat:
        return False
    unit = field.units[host]
    if not unit.on_map or field.commander_with(host):
        return False
    return distance(unit.at, field.units[staff].at) <= LEAVES


def shot_fault(field: StepState, key: str, at: str) -> Phrase | None:
    """Return why a battery or a frigate cannot fire at a hex, or None.

    The hex may be empty.
    """
    counter, unit = counters()[key], field.units[key]
    if not counter.shots:
        return phrase("ye43", unit=counter.order_id)
    if not unit.on_map:
        return phrase("ye34", unit=counter.order_id)
    if not is_hex(at):
        return phrase("ye03", word=at)
    if unit.shots >= counter.shots:
        return phrase("ye15", unit=counter.order_id, fired=unit.shots, shots=counter.shots)
    reach = range_to(unit, at)
    if reach > REACH:
        return phrase("ye13", unit=counter.order_id, range=reach)
    return None


def eliminate(field: StepState, key: str, section: str) -> None:
    """Remove an eliminated unit and report the commander lost with it (Y-46, Y-47)."""
    staff = field.commander_with(key)
    field.remove(key)
    if staff:
        counter = counters()[staff]
        field.record_event(section, "commander-fell", name=counter.name, nation=counter.nation)


def _owners_day(field: StepState) -> int:
    """Return the day of the owner's turn that ends a hit marker (Y-44)."""
    return field.moment.day + (field.moment.side != FA)
