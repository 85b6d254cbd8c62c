"""The facts of a receipt: what each unit of a power will do, what is owed, what may be chosen."""

from collections.abc import Mapping, Sequence

from judge.board.map import Map, UnitKind
from judge.board.phase import PhaseKind
from judge.board.position import Dislodged, Position
from judge.games.diplomacy.adjudicate import buildable, builds_due
from judge.games.diplomacy.drafting import draft_lines
from judge.games.diplomacy.filing import builds_used, orders_of
from judge.games.diplomacy.orders import Entry, Proxy, Waive
from judge.games.diplomacy.rules import Rules
from judge.games.diplomacy.warnings import warnings
from judge.games.diplomacy.wording import dislodged_line, idle_line, order_line

CLOCKS = {PhaseKind.MOVEMENT: "move", PhaseKind.RETREAT: "retreat", PhaseKind.ADJUSTMENT: "adjust"}
"""Phase → the clock that runs in it, as the contract names them."""

Retreating = Sequence[tuple[Dislodged, tuple[str, ...]]]
"""Dislodged units of a power, each with the places open to it."""


def receipt_facts(
    board: Map,
    position: Position,
    power: str,
    entries: Sequence[Entry],
    *,
    missing: Sequence[str],
    retreating: Retreating,
    rules: Rules,
) -> Mapping[str, object]:
    """Return the facts of one power's sheet.

    `lines` are nJudge's, one for every unit that has something to decide; `owed` is what is
    still missing; `warnings` are reasons; `draft` are lines to send.
    """
    phase, orders = position.phase, orders_of(entries)
    adjective = board.power(power).adjective
    return {
        "power": power,
        "clock": CLOCKS[phase.kind],
        "title": f"{phase.kind.title} orders for {phase.title}.",
        "lines": _lines(board, position, power, entries, retreating),
        "warnings": list(warnings(board, position, power, orders, rules)),
        "draft": draft_lines(
            board, position, power, entries, [beaten.unit for beaten, _ in retreating], rules
        ),
        "owed": list(missing),
        "retreats": [
            dislodged_line(adjective, beaten, goals, board) for beaten, goals in retreating
        ],
        "builds": _builds(board, position, power, rules),
    }


def _lines(
    board: Map, position: Position, power: str, entries: Sequence[Entry], retreating: Retreating
) -> list[str]:
    kind, orders = position.phase.kind, orders_of(entries)
    if kind is PhaseKind.ADJUSTMENT:
        lines = [order_line(power, order, board, removing=True) for order in orders]
        unused = builds_due(board, position, power) - builds_used(orders)
        if unused > 0:
            lines.append(f"{power}: {unused} unused build{'s' if unused > 1 else ''} pending.")
        return lines
    if kind is PhaseKind.MOVEMENT:
        units = list(position.units.get(power, ()))
    else:
        units = [beaten.unit for beaten, _ in retreating]
    by_place = {order.unit.province: order for order in orders if not isinstance(order, Waive)}
    lent = {entry.unit.province: entry for entry in entries if isinstance(entry, Proxy)}
    lines = []
    for unit in sorted(units, key=str):
        own = by_place.get(unit.province)
        line = order_line(power, own, board) if own else idle_line(power, unit, board)
        proxy = lent.get(unit.province)
        if proxy:
            lines.append(order_line(power, proxy, board))
            line = f"{line}  (if {proxy.power} gives no order)"
        lines.append(line)
    return lines


def _builds(
    board: Map, position: Position, power: str, rules: Rules
) -> Mapping[str, object] | None:
    """Return what is to be built or removed; None in other phases and when nothing is."""
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return None
    due = builds_due(board, position, power)
    if not due:
        return None
    free = buildable(board, position, power, rules)
    examples = [f"{'A' if _kinds(board, c)[0] == 'army' else 'F'} {c.upper()}" for c in free]
    if due < 0:
        examples = [str(unit) for unit in sorted(position.units[power], key=str)]
    return {
        "example": examples[0] if examples else "",
        "due": due,
        "usable": min(due, len(free)),
        "where": "home centre" if rules.builds == "home" else "own centre",
        "places": [
            f"{board.place_name(c)} ({' or '.join(_kinds(board, c))})" for c in free
        ],
    }


def _kinds(board: Map, province: str) -> list[str]:
    """Return what may be built in a centre: "army", "fleet"."""
    kinds = []
    if board.provinces[province].terrain.takes_armies:
        kinds.append(UnitKind.ARMY.title.lower())
    if board.fleet_places(province):
        kinds.append(UnitKind.FLEET.title.lower())
    return kinds
