"""Movement of land units and commanders, in the order written (Y-16, Y-20–33)."""

from collections.abc import Sequence

from judge.games.yorktown.rules.board import FA, Counter, CounterKind, counters, key_of
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import SIDES, distance, on_edge, side_to
from judge.games.yorktown.rules.orders import Enter, HoldOrder, JoinOrder, MarchOrder, Order, Stay
from judge.games.yorktown.rules.state import LEFT, OFF
from judge.games.yorktown.rules.walking import (
    entry_hexes,
    find_path,
    find_stacking_fault,
    step_cost,
    stopped_by,
    terrain_fault,
    wall_fault,
)
from judge.model.phrase import Phrase, phrase

Movement = MarchOrder | Enter | HoldOrder | JoinOrder | Stay
SECTION = "movement"
ENTRY_FACES = {"US": 0, "FR": 1}
"""Facing of a unit that enters into one hex only: away from the map edge."""


class Mover:
    """The movement phase of one side."""

    def __init__(self, field: StepState, orders: Sequence[Order], shipped: Sequence[str]) -> None:
        """Initialise for a side's orders.

        *shipped* are the units that boarded or landed this turn, which do not move (Y-56).
        """
        self._field = field
        self._orders = [o for o in orders if isinstance(o, Movement)]
        self._shipped = shipped
        self._pending = {self._key(o.unit) for o in self._orders if _walks(o)}
        self._walked: set[str] = set()
        self._left_by: dict[str, str] = {}
        """Commander → the unit that left without it."""

    def carry_out(self) -> None:
        """Carry out all moves. Afterwards, give every commander left alone a unit (Y-32)."""
        staying = {self._key(o.unit) for o in self._orders if isinstance(o, Stay)}
        for order in self._orders:
            key = self._key(order.unit)
            fault = self._fault(order, key)
            if fault:
                self._field.record_event(SECTION, "not-moved", unit=order.unit)
                self._field.record_reason(fault)
            else:
                self._do(order, key, staying)
            self._pending.discard(key)
        self._gather()

    def _key(self, order_id: str) -> str:
        return key_of(self._field.side, order_id)

    def _do(self, order: Movement, key: str, staying: set[str]) -> None:
        match order:
            case MarchOrder(_, path, face, leaves):
                self._leave_behind(key, staying, path)
                self._march(key, path, face, leaves)
            case Enter(_, path, face):
                self._enter(key, path, face)
            case JoinOrder(_, other):
                self._join(key, self._key(other))
            case HoldOrder() | Stay():
                pass

    def _fault(self, order: Movement, key: str) -> Phrase | None:
        """Return why a unit may not be given this order at all, or None."""
        field, unit, counter = self._field, self._field.units[key], counters()[key]
        if isinstance(order, HoldOrder):
            return None
        if not unit.in_play:
            return phrase("ye31", unit=counter.order_id)
        if isinstance(order, Enter):
            return None if unit.at == OFF else phrase("ye32", unit=counter.order_id, at=unit.at)
        if isinstance(order, JoinOrder | Stay) and counter.kind is CounterKind.CMD:
            other = field.units.get(unit.attached)
            if unit.tied and other and other.marked:
                on = counters()[unit.attached].order_id
                return phrase("ye33", unit=counter.order_id, other=on)
            return None
        if not unit.on_map:
            return phrase("ye34", unit=counter.order_id)
        if isinstance(order, MarchOrder) and (order.path or order.leaves):
            if unit.shots:
                return phrase("ye12", unit=counter.order_id)
            if key in self._shipped:
                return phrase("ye35", unit=counter.order_id)
        return None

    def _leave_behind(self, key: str, staying: set[str], path: Sequence[str]) -> None:
        staff = self._field.commander_with(key)
        if staff in staying and path and not self._field.units[staff].tied:
            self._field.update_unit(staff, attached="")
            self._left_by[staff] = key

    def _march(self, key: str, path: Sequence[str], face: int | None, leaves: str) -> None:
        field, counter = self._field, counters()[key]
        unit = field.units[key]
        if path and path[0] == unit.at:
            path = path[1:]
        if counter.kind is CounterKind.CMD:
            self._ride(key, path)
            return
        gone, spent, why = self._walk(key, unit.at, path)
        if len(gone) > 1:
            field.place(key, gone[-1])
            self._walked.add(key)
            field.told.ways.append((key, tuple(gone)))
        if face is not None:
            field.update_unit(key, facing=face)
        if leaves and not why and self._exit(key, leaves):
            return
        if path or why or face is not None:
            self._report_move(key, gone, spent, turned=face is not None)
        if why:
            self._field.record_reason(why)

    def _report_move(self, key: str, gone: Sequence[str], spent: int, *, turned: bool) -> None:
        counter, facing = counters()[key], self._field.units[key].facing
        if len(gone) < 2 and not turned:
            self._field.record_event(SECTION, "not-moved", unit=counter.order_id)
            return
        code = "moved" if len(gone) > 1 else "turned"
        self._field.record_event(
            SECTION,
            code,
            unit=counter.order_id,
            path="-".join(gone),
            spent=spent,
            points=counter.move,
            face=SIDES[facing],
        )

    def _walk(
        self, key: str, start: str, path: Sequence[str]
    ) -> tuple[list[str], int, Phrase | None]:
        """Return the path a unit can walk, its cost, and why it stops early, if it does.

        *start* is empty for a unit that enters. A step that cannot be made ends the path (Y-93).
        """
        field, counter = self._field, counters()[key]
        gone, spent = [start] if start else [], 0
        for number, to in enumerate(path):
            before = gone[-1] if gone else ""
            is_last = number == len(path) - 1
            fault = (
                terrain_fault(field, counter, before, to)
                or (wall_fault(field, before, to, is_first=number == 0) if before else None)
                or find_stacking_fault(field, counter, to, is_last=is_last)
            )
            cost = 0 if fault else step_cost(field, before, to)
            if not fault and spent + cost > counter.move:
                fault = phrase(
                    "ye05", unit=counter.order_id, need=spent + cost, points=counter.move
                )
            if fault:
                return gone, spent, self._with_order(fault, to)
            gone, spent = [*gone, to], spent + cost
            owner = stopped_by(field, key, to, self._pending)
            if owner and not is_last:
                of = counters()[owner].order_id
                return gone, spent, phrase("ye11", unit=counter.order_id, at=to, other=of)
        return gone, spent, None

    def _with_order(self, fault: Phrase, at: str) -> Phrase:
        """Return a fault, with another code if a later line may vacate the hex."""
        waits = any(key in self._pending for key in self._field.units_in(at))
        return Phrase("ye06-later", fault.facts) if fault.code == "ye06" and waits else fault

    def _exit(self, key: str, edge: str) -> bool:
        """Remove a unit by an edge. Return whether it left.

        It must have begun its turn in that edge hex (Y-33).
        """
        field, counter = self._field, counters()[key]
        unit = field.units[key]
        if counter.side == FA or edge == "N" or not on_edge(unit.at, edge):
            self._explain_refusal(key, phrase("ye26-edge", unit=counter.order_id, edge=edge))
            return False
        if field.began[key].at != unit.at or key in self._walked:
            self._explain_refusal(key, phrase("ye26-began", unit=counter.order_id))
            return False
        field.record_event(SECTION, "left-map", unit=counter.order_id, at=unit.at, edge=edge)
        field.remove(key, LEFT)
        return True

    def _explain_refusal(self, key: str, fault: Phrase) -> None:
        self._field.record_event(SECTION, "not-moved", unit=counters()[key].order_id)
        self._field.record_reason(fault)

    def _enter(self, key: str, path: Sequence[str], face: int | None) -> None:
        field, counter = self._field, counters()[key]
        open_to = entry_hexes(field, counter)
        if not path or path[0] not in open_to:
            at = path[0] if path else ""
            where = open_to if len(open_to) < 3 else (open_to[0], open_to[-1])
            self._explain_refusal(key, phrase("ye36", unit=counter.order_id, at=at, entries=where))
            return
        if counter.kind is CounterKind.CMD:
            self._ride(key, path)
            return
        gone, spent, why = self._walk(key, "", path)
        if gone:
            field.place(key, gone[-1])
            last = side_to(gone[-2], gone[-1]) if len(gone) > 1 else None
            ahead = ENTRY_FACES[counter.nation] if last is None else last
            field.update_unit(key, facing=ahead if face is None else face)
            field.told.ways.append((key, tuple(gone)))
            self._report_entry(counter, gone, spent)
        else:
            field.record_event(SECTION, "not-moved", unit=counter.order_id)
        if why:
            self._field.record_reason(why)

    def _report_entry(self, counter: Counter, gone: Sequence[str], spent: int) -> None:
        self._field.record_event(
            SECTION,
            "entered",
            unit=counter.order_id,
            path="-".join(gone),
            spent=spent,
            points=counter.move,
            face=SIDES[self._field.units[counter.key].facing],
        )

    def _ride(self, key: str, path: Sequence[str]) -> None:
        """Move a commander without a unit, to a unit at the end of the path."""
        field, counter = self._field, counters()[key]
        unit = field.units[key]
        start = unit.at if unit.on_map else ""
        gone, _, why = self._walk(key, start, path)
        there = self._hosts(gone[-1], key) if gone else []
        if not there or why:
            self._explain_refusal(key, why or phrase("ye37", unit=counter.order_id, at=gone[-1]))
            return
        self._settle(key, there[0], gone)

    def _hosts(self, at: str, key: str) -> list[str]:
        """Return the units in a hex that a commander may join.

        They are friendly combat units without another commander.
        """
        field = self._field
        return [
            other
            for other in field.units_in(at)
            if counters()[other].side == counters()[key].side
            and field.commander_with(other) in ("", key)
        ]

    def _join(self, key: str, other: str) -> None:
        """Move a commander to a unit by the cheapest path (Y-32)."""
        field, counter, host = self._field, counters()[key], counters().get(other)
        if counter.kind is not CounterKind.CMD or not host or not host.kind.is_combat:
            self._explain_refusal(key, phrase("ye38", unit=counter.order_id))
            return
        unit, goal = field.units[key], field.units[other]
        if field.commander_with(other) not in ("", key):
            self._explain_refusal(key, phrase("ye39", unit=host.order_id))
            return
        if unit.at == goal.at and (unit.on_map or unit.at == OFF):
            self._settle(key, other, ())
            return
        path: tuple[str, ...] = ()
        if goal.on_map and not unit.ship and key not in self._walked:
            starts = (unit.at,) if unit.on_map else entry_hexes(field, counter)
            path = find_path(
                field, counter, starts, lambda n: n == goal.at, counter.move, self._pending
            )
        if not path:
            self._explain_refusal(key, phrase("ye40", unit=counter.order_id, other=host.order_id))
            return
        self._settle(key, other, (unit.at, *path) if unit.on_map else path)

    def _settle(self, key: str, host: str, gone: Sequence[str]) -> None:
        field = self._field
        before = field.units[key].attached
        at = field.units[host].at
        field.update_unit(key, at=at, attached=host, tied=False)
        self._left_by.pop(key, None)
        if gone:
            self._walked.add(key)
            field.told.ways.append((key, tuple(gone)))
        if before != host:
            field.record_event(
                SECTION,
                "staff-joins",
                unit=counters()[key].order_id,
                name=counters()[key].name,
                other=counters()[host].order_id,
            )

    def _gather(self) -> None:
        """Give every commander left alone a unit.

        It is one in the same hex, else the unit that left the commander behind, else the nearest.
        """
        field = self._field
        for key, left_by in self._left_by.items():
            at = field.units[key].at
            hosts = self._hosts(at, key) or [h for h in (left_by,) if self._is_host(h)]
            if not hosts:
                side = counters()[key].side
                hosts = sorted(
                    (c.key for c, u in field.on_map(side) if self._is_host(c.key)),
                    key=lambda host: distance(field.units[host].at, at),
                )
            if hosts:
                host = hosts[0]
                field.update_unit(key, at=field.units[host].at, attached=host)
                field.record_event(
                    SECTION,
                    "taken-along",
                    name=counters()[key].name,
                    other=counters()[host].order_id,
                )

    def _is_host(self, key: str) -> bool:
        field = self._field
        return (
            field.units[key].on_map
            and counters()[key].kind.is_combat
            and not field.commander_with(key)
        )


def _walks(order: Movement) -> bool:
    return isinstance(order, MarchOrder) and bool(order.path or order.leaves)
