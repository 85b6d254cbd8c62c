"""Pictures of positions and results in the JSON of `judge adjudicate`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.board.map import Map, Unit
from judge.board.position import Dislodged, Phase, PhaseKind, Position, Season, parse_phase
from judge.drawing.picture import Picture
from judge.errors import DataError
from judge.games.diplomacy.boards import all_names
from judge.games.diplomacy.boards import board as board_named
from judge.games.diplomacy.rules import orders
from judge.games.diplomacy.rules.adjudicate import AdjudicationResult, TurnResult, adjudicate
from judge.games.diplomacy.rules.orders import Outcome, Verdict
from judge.games.diplomacy.views.adjudicate_json import read_case
from judge.games.diplomacy.views.pictures import orders_picture, standing_picture

_BY_POWER = ("units", "dislodged", "centers", "orders")


def picture_of_line(text: str, default_map: str = "") -> Picture:
    """Return the picture of one position or result.

    A position without orders is drawn as such. With orders, they are adjudicated and drawn with
    their outcomes, as those of a result are. Results name neither map nor phase: the map is the
    first that has all their powers and places, and the phase is the one before `next`.

    Raises:
        DataError: it is neither a position nor a result.
    """
    try:
        data = json.loads(text)
        if not isinstance(data, dict):
            raise ValueError("no JSON object")
        told = {**data, "map": data.get("map") or default_map or _likely_map(data)}
        if _is_result(told.get("orders")):
            return _result_picture(told)
        board, position, filed, rules = read_case(told)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as fault:
        raise DataError(f"nothing to draw: {fault}") from fault
    game = str(told.get("game", ""))
    if not any(filed.values()):
        return standing_picture(board, position, game)
    return orders_picture(board, position, adjudicate(board, position, filed, rules), game)


def _likely_map(data: Mapping[str, Any]) -> str:
    """Return the first map that has all powers, and all places of units and centres."""
    powers = {power for name in _BY_POWER for power in data.get(name) or ()}
    listed = [text for name in ("units", "centers") for text in _texts(data.get(name))]
    listed += [one["unit"] for one in _texts(data.get("dislodged"))]
    places = {text.split()[-1].partition("/")[0].upper() for text in listed}
    for name in all_names():
        found = board_named(name)
        sides = {power.name for power in found.powers}
        if powers <= sides and places <= {abbr.upper() for abbr in found.provinces}:
            return name
    raise ValueError(f"it names no map, and none of {', '.join(all_names())} has all its places")


def _texts(by_power: Any) -> Iterator[Any]:
    for found in (by_power or {}).values():
        yield from found


def _is_result(filed: object) -> bool:
    """Return whether orders have outcomes, unlike the texts of a position."""
    if not isinstance(filed, dict):
        return False
    return any(isinstance(one, dict) for found in filed.values() for one in found)


def _result_picture(data: Mapping[str, Any]) -> Picture:
    """Return the picture of a result, whose units are those after the phase.

    The units before it follow from the orders: every unit that could be ordered has one.
    """
    board = board_named(str(data["map"]))
    verdicts = {
        power: tuple(_verdict(board, one) for one in found if _is_canonical(board, one))
        for power, found in data["orders"].items()
    }
    after = _after(data)
    before = _before(after, verdicts, data.get("phase"))
    adjudged = AdjudicationResult(verdicts, TurnResult(after))
    return orders_picture(board, before, adjudged, str(data.get("game", "")))


def _is_canonical(board: Map, told: Mapping[str, Any]) -> bool:
    """Return whether an order is canonical, unlike one that could not be read."""
    try:
        orders.parse_order(told["order"], board)
    except (ValueError, KeyError, IndexError):
        return False
    return True


def _verdict(board: Map, told: Mapping[str, Any]) -> Verdict:
    order = orders.parse_order(told["order"], board)
    return Verdict(order, tuple(Outcome(outcome) for outcome in told["outcome"]))


def _after(data: Mapping[str, Any]) -> Position:
    told = {key: data.get(key) for key in ("map", "units", "dislodged", "centers")}
    return read_case({**told, "phase": data["next"]})[1]


def _before(after: Position, verdicts: Mapping[str, Sequence[Verdict]], label: object) -> Position:
    given = [verdict for found in verdicts.values() for verdict in found]
    kind = _kind(given)
    phase = parse_phase(label) if isinstance(label, str) else _phase_before(after.phase, kind)
    units = {power: set(found) for power, found in after.units.items()}
    dislodged: dict[str, tuple[Dislodged, ...]] = {}
    for power, found in verdicts.items():
        own = [unit for unit in map(_find_ordered_unit, found) if unit is not None]
        match kind:
            case PhaseKind.MOVEMENT:
                units[power] = set(own)
            case PhaseKind.RETREAT:
                dislodged[power] = tuple(map(Dislodged, own))
                units.setdefault(power, set()).difference_update(_came(found))
            case PhaseKind.ADJUSTMENT:
                kept = units.setdefault(power, set()) - _came(found)
                units[power] = kept | {u for v in found if (u := _find_removed_unit(v)) is not None}
    listed = {power: tuple(sorted(found, key=str)) for power, found in units.items()}
    return Position(phase, listed, after.owners, dislodged)


def _phase_before(after: Phase, kind: PhaseKind) -> Phase:
    """Return the last phase of *kind* that was played before *after*.

    >>> str(_phase_before(parse_phase("S1902M"), PhaseKind.RETREAT))
    'F1901R'
    >>> str(_phase_before(parse_phase("F1901A"), PhaseKind.MOVEMENT))
    'F1901M'
    """
    if after.kind is not PhaseKind.MOVEMENT:
        return after._replace(kind=kind)
    if after.season is Season.FALL:
        return after._replace(season=Season.SPRING, kind=kind)
    return after._replace(year=after.year - 1, season=Season.FALL, kind=kind)


def _kind(given: Sequence[Verdict]) -> PhaseKind:
    """Return the kind of phase of these orders. Bare disbands are taken as removals."""
    found = {type(verdict.order) for verdict in given}
    if orders.Retreat in found:
        return PhaseKind.RETREAT
    if found & {orders.Build, orders.Disband, orders.Waive}:
        return PhaseKind.ADJUSTMENT
    return PhaseKind.MOVEMENT


def _find_ordered_unit(verdict: Verdict) -> Unit | None:
    return orders.unit_of(verdict.order)


def _came(found: Sequence[Verdict]) -> set[Unit]:
    """Return the units that are in their places because of these orders."""
    came = set()
    for verdict in found:
        match verdict.order:
            case orders.Retreat(unit, to):
                came.add(Unit(unit.kind, to))
            case orders.Build(unit):
                came.add(unit)
            case _:
                pass
    return came


def _find_removed_unit(verdict: Verdict) -> Unit | None:
    if isinstance(verdict.order, orders.Disband) and Outcome.VOID not in verdict.outcomes:
        return verdict.order.unit
    return None
