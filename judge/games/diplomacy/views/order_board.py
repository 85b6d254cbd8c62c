"""Facts of the page on which a player points at units and gets order lines.

Everything here is public, and the same for all players: units, and the orders that the rules let
them be given. Sets of places are stored once and named by their number, since many units have the
same ones. The script of the page (`mailtemplates/diplomacy/order.js`) reads these values.
"""

from collections.abc import Iterable, Mapping, Sequence

from judge.board.map import Map, Unit
from judge.board.position import PhaseKind, Position
from judge.games.diplomacy.rules.adjustments import buildable, builds_due
from judge.games.diplomacy.rules.orders import Convoy, Move, Order, Retreat, Support
from judge.games.diplomacy.rules.possible import possible_orders
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.geometry import base

HERE = "="
"""Goal of a support to hold."""


class _Sets:
    """Numbers of sets of places."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, places: Iterable[str]) -> int:
        """Return the number of a set of places, 0 for the empty one."""
        text = " ".join(places).upper()
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def order_board_values(board: Map, position: Position, rules: Rules) -> dict[str, object]:
    """Return units, their orders, powers and places for the script of the page."""
    sets = _Sets()
    sets.number(())
    kind = position.phase.kind
    able = possible_orders(board, position, rules)
    standing = [(name, unit) for name, own in able.items() for unit in own]
    # Units of neutral powers get no orders, but support.
    others = () if kind is not PhaseKind.MOVEMENT else board.neutral & position.units.keys()
    standing += [(name, unit) for name in sorted(others) for unit in position.units[name]]
    numbers = {unit: at for at, (_, unit) in enumerate(standing)}
    letters = {power.name: power.letter for power in board.powers}
    units = []
    for name, unit in standing:
        orders = able.get(name, {}).get(unit, ())
        units.append([str(unit), letters[name], *_describe_orders(orders, numbers, sets)])
    return {
        "phase": str(position.phase),
        "kind": {PhaseKind.MOVEMENT: "M", PhaseKind.RETREAT: "R"}.get(kind, "B"),
        "sides": [
            [power.letter, power.name, _count_due(board, position, power.name, rules)]
            for power in board.powers if power.name in able
        ],
        "sets": sets.texts,
        "units": units,
        "places": _places(board),
        "bends": {
            f"{start}-{to}".upper(): [round(bend.pull.x), round(bend.pull.y)]
            for (start, to), bend in base(board.name).bends.items()
        } if kind is PhaseKind.MOVEMENT else {},
    }


def _count_due(board: Map, position: Position, power: str, rules: Rules) -> list[int]:
    """Return the builds due (negative: removals) and the possible ones."""
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return [0, 0]
    due = builds_due(board, position, power)
    return [due, len(buildable(board, position, power, rules)) if due > 0 else -due]


def _describe_orders(
    orders: Sequence[Order], numbers: Mapping[Unit, int], sets: _Sets
) -> list[object]:
    """Return the sets of moves, moves by convoy, supports and convoys of a unit.

    A retreat is like a move. Supports and convoys are pairs of a unit's number and a set.
    Trailing empty values are left out.
    """
    moves = [order.to for order in orders if isinstance(order, Move) and not order.via]
    moves += [order.to for order in orders if isinstance(order, Retreat)]
    by_sea = [order.to for order in orders if isinstance(order, Move) and order.via]
    supports: dict[int, list[str]] = {}
    convoys: dict[int, list[str]] = {}
    for order in orders:
        if isinstance(order, Support):
            supports.setdefault(numbers[order.helped], []).append(order.to or HERE)
        elif isinstance(order, Convoy):
            convoys.setdefault(numbers[order.army], []).append(order.to)
    found: list[object] = [
        sets.number(moves), sets.number(by_sea), _pairs(supports, sets), _pairs(convoys, sets)
    ]
    while found and not found[-1]:
        found.pop()
    return found


def _pairs(goals: Mapping[int, Sequence[str]], sets: _Sets) -> list[int]:
    return [number for unit, places in goals.items() for number in (unit, sets.number(places))]


def _places(board: Map) -> dict[str, list[object]]:
    """Return place → its position on the picture and its name."""
    drawn = base(board.name)
    found: dict[str, list[object]] = {}
    for abbr in board.provinces:
        for place in (abbr, *board.fleet_places(abbr)):
            if abbr in drawn.areas or abbr in drawn.frames:
                x, y = drawn.spot(place)
                found[place.upper()] = [round(x), round(y), board.place_name(place)]
    return found
