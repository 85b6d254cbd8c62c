"""Simple stand-ins, used until adjudication and reading have landed; then this file goes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from judge.board.map import Map, province_of
from judge.board.phase import PhaseKind
from judge.board.position import Dislodged, Position
from judge.games.diplomacy.adjudicate import Adjudged
from judge.games.diplomacy.orders import Hold, Move, Order, parse_order, unit_of
from judge.games.diplomacy.outcome import Outcome, Verdict
from judge.games.diplomacy.rules import Rules
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.incoming import Line
from judge.words.reason import Reason, because


@dataclass(frozen=True, slots=True)
class Understood:
    line: Line
    orders: tuple[tuple[str, Order], ...] = ()
    notes: tuple[Reason, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    ignored: bool = False


def read_lines(
    lines: Sequence[Line], board: Map, position: Position, power: str | None, rules: Rules
) -> tuple[Understood, ...]:
    found = []
    for line in lines:
        try:
            order = parse_order(" ".join(line.text.upper().split()), board)
        except (ValueError, KeyError, IndexError):
            no = Complaint(ComplaintKind.UNREADABLE, line.number, line.text, because("unreadable"))
            found.append(Understood(line, complaints=(no,)))
            continue
        unit = unit_of(order)
        owner = power
        for name, units in position.units.items():
            if unit in units:
                owner = name if power is None else power
        found.append(Understood(line, ((owner or "", order),)))
    return tuple(found)


def builds_due(board: Map, position: Position, power: str) -> int:
    return len(position.centres(power)) - len(position.units.get(power, ()))


def buildable(board: Map, position: Position, power: str) -> tuple[str, ...]:
    return tuple(
        c for c in position.centres(power)
        if board.provinces[c].home == power and position.unit_at(c) is None
    )


def open_retreats(
    board: Map, position: Position, beaten: Dislodged, rules: Rules
) -> tuple[str, ...]:
    return beaten.retreats or ()


def who_orders(board: Map, position: Position) -> frozenset[str]:
    if position.phase.kind is PhaseKind.MOVEMENT:
        return frozenset(p for p, units in position.units.items() if units)
    return frozenset()


def adjudicate(
    board: Map, position: Position, orders: Mapping[str, Sequence[Order]], rules: Rules
) -> Adjudged:
    verdicts: dict[str, tuple[Verdict, ...]] = {}
    units = {}
    taken = {u.province for us in position.units.values() for u in us}
    for power, own in position.units.items():
        given = {o.unit: o for o in orders.get(power, ()) if unit_of(o)}
        seen, after = [], []
        for unit in own:
            order = given.get(unit, Hold(unit))
            if isinstance(order, Move) and province_of(order.to) not in taken:
                taken.add(province_of(order.to))
                after.append(unit._replace(place=order.to))
                seen.append(Verdict(order, (Outcome.SUCCEEDS,)))
            elif isinstance(order, Move):
                after.append(unit)
                seen.append(Verdict(order, (Outcome.BOUNCE,)))
            else:
                after.append(unit)
                no = Outcome.SUCCEEDS if unit in given else Outcome.NO_ORDER
                seen.append(Verdict(order, (no,)))
        verdicts[power], units[power] = tuple(seen), tuple(after)
    phase = position.phase.after()
    while phase.kind is not PhaseKind.MOVEMENT:
        phase = phase.after()
    after_all = replace(position, phase=phase, units=units)
    return Adjudged(after_all, verdicts, {}, frozenset(), {}, "", ())


def warnings(
    board: Map, position: Position, power: str, orders: Sequence[Order]
) -> tuple[Reason, ...]:
    return ()
