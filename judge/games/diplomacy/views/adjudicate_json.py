"""Positions and orders as JSON lines: `judge adjudicate`, `judge options`.

Each line is one object. Only an invalid position gives an error. An order that is unreadable or for
another power's unit is void, as an illegal one is, and its unit holds.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from judge.board.map import Map, Unit, UnitKind
from judge.board.position import Dislodged, PhaseKind, Position, parse_phase
from judge.errors import DataError
from judge.games.diplomacy.boards import board_under, rules_on
from judge.games.diplomacy.language.lexicon import lexicon
from judge.games.diplomacy.language.order_reader import read_exact
from judge.games.diplomacy.rules.adjudicate import AdjudicationResult, adjudicate
from judge.games.diplomacy.rules.orders import Entry, Order, Outcome, Verdict, order_text, unit_of
from judge.games.diplomacy.rules.possible import may_waive, possible_texts
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.causes import full_reason
from judge.games.diplomacy.views.order_sheet import lent_units, settle
from judge.model.phrase import Complaint
from judge.phrases import phrasebook


def result_values(
    board: Map, adjudged: AdjudicationResult, by: Mapping[str, str] | None = None
) -> dict[str, object]:
    """Return an adjudicated phase as JSON values.

    Abbreviations are in upper case, and lists are sorted. *by* maps the province of a unit to the
    power that ordered it by proxy.
    """
    after = adjudged.position
    return {
        "units": {
            power.name: sorted(str(unit) for unit in after.units.get(power.name, ()))
            for power in board.powers
            if after.units.get(power.name)
        },
        "dislodged": {
            power.name: sorted(
                (_beaten(found) for found in adjudged.dislodged[power.name]),
                key=lambda entry: str(entry["unit"]),
            )
            for power in board.powers
            if adjudged.dislodged.get(power.name)
        },
        "contested": sorted(province.upper() for province in adjudged.contested),
        "centers": {
            power.name: sorted(centre.upper() for centre in after.centres(power.name))
            for power in board.powers
            if after.centres(power.name)
        },
        "orders": {
            power.name: [
                _dump_verdict(verdict, by or {}) for verdict in adjudged.verdicts[power.name]
            ]
            for power in board.powers
            if adjudged.verdicts.get(power.name)
        },
        "next": str(after.phase),
    }


def _beaten(found: Dislodged) -> Mapping[str, object]:
    return {
        "unit": str(found.unit),
        "from": found.origin.upper(),
        "via": found.by_convoy,
        "retreats": sorted(place.upper() for place in found.retreats or ()),
    }


def _dump_verdict(verdict: Verdict, by: Mapping[str, str]) -> Mapping[str, object]:
    told: dict[str, object] = {
        "order": order_text(verdict.order),
        "outcome": [outcome.value for outcome in verdict.outcomes],
    }
    unit = unit_of(verdict.order)
    if unit and unit.province in by:
        told["proxy"] = by[unit.province]
    if verdict.reason is not None:
        told["because"] = phrasebook("diplomacy").render(full_reason(verdict.reason))
        told["reason"] = {
            name: list(fact) if isinstance(fact, tuple) else fact
            for name, fact in verdict.reason.as_json().items()
        }
    return told


Case = tuple[Map, Position, dict[str, tuple[Order, ...]], Rules]


class _Found(NamedTuple):
    """Content of one object: a case, complaints by power, and orders by proxy."""

    case: Case
    refused: dict[str, list[Complaint]]
    by: dict[str, str]


_UNIT = re.compile(r"\s*([AF])\s+(.+?)\s*", re.IGNORECASE)


def adjudicate_line(text: str, default_map: str = "") -> str:
    """Return the result of one line as one line, or its `error`.

    >>> adjudicate_line('{"id": 7, "map": "mars"}')
    '{"id": 7, "error": "no map \\'mars\\'"}'
    """
    return _answer_line(text, default_map, _adjudicate_case)


def options_line(text: str, default_map: str = "") -> str:
    """Return the possible orders in the position of one line, or its `error`.

    >>> line = '{"map": "standard", "phase": "S1901M", "units": {"France": ["A PAR"]}}'
    >>> options_line(line)[:68]
    '{"id": null, "orders": {"France": {"A PAR": ["A PAR H", "A PAR - BRE'
    """
    return _answer_line(text, default_map, _options)


def _answer_line(
    text: str, default_map: str, answer: Callable[[Mapping[str, object]], Mapping[str, object]]
) -> str:
    try:
        text.encode("utf-8")
        data = json.loads(text)
    except UnicodeEncodeError:
        return json.dumps({"id": None, "error": "no UTF-8 text"})
    except (ValueError, RecursionError) as fault:
        return json.dumps({"id": None, "error": f"no JSON: {fault}"})
    if not isinstance(data, dict):
        return json.dumps({"id": None, "error": "no JSON object"})
    name = data.get("id")
    try:
        return json.dumps({"id": name, **answer({"map": default_map} | data)})
    except (ValueError, DataError) as fault:
        return json.dumps({"id": name, "error": str(fault)})


def _adjudicate_case(data: Mapping[str, object]) -> dict[str, object]:
    found = _read(data)
    values = result_values(found.case[0], adjudicate(*found.case), found.by)
    told = values["orders"]
    assert isinstance(told, dict)
    for power, complaints in found.refused.items():
        if complaints:
            told.setdefault(power, []).extend(map(_void, complaints))
    return values


def _options(data: Mapping[str, object]) -> dict[str, object]:
    """Return power → unit → its orders, with `WAIVE` for powers that have builds."""
    rules = rules_on(_text(data, "map"), _object(data, "options"))
    board = board_under(_text(data, "map"), rules)
    position = read_position(board, data)
    told: dict[str, dict[str, Sequence[str]]] = {}
    for power, units in possible_texts(board, position, rules).items():
        told[power] = {str(unit): texts for unit, texts in units.items()}
    for power in {*position.owners.values()}:
        if may_waive(board, position, power):
            told.setdefault(power, {})["WAIVE"] = ("WAIVE",)
    listed = [power.name for power in board.powers]
    return {"orders": {name: told[name] for name in listed if told.get(name)}}


def read_case(data: Mapping[str, object]) -> Case:
    """Return map, position, orders and rules of one object.

    Unreadable orders are left out.

    Raises:
        ValueError: it is no valid position.
        DataError: it names no map.
    """
    return _read(data).case


def _void(complaint: Complaint) -> dict[str, object]:
    return {
        "order": complaint.text, "outcome": [Outcome.VOID.value],
        "because": phrasebook("diplomacy").render(complaint.reason),
        "reason": complaint.reason.as_json(),
    }


def _read(data: Mapping[str, object]) -> _Found:
    rules = rules_on(_text(data, "map"), _object(data, "options"))
    board = board_under(_text(data, "map"), rules)
    position = read_position(board, data)
    typed = {
        power: list(map(_require_text, texts)) for power, texts in _by_power(board, data, "orders")
    }

    def read(lent: Mapping[str, str]) -> dict[str, list[Entry | Complaint]]:
        return {
            power: [read_exact(text, board, position, power, rules, lent) for text in texts]
            for power, texts in typed.items()
        }

    told = read({})
    if rules.proxy:
        told = read(lent_units(_understood(told)))
    orders, by = settle(position, _understood(told))
    refused = {
        power: [entry for entry in entries if isinstance(entry, Complaint)]
        for power, entries in told.items()
    }
    return _Found((board, position, orders, rules), refused, by)


def _understood(
    told: Mapping[str, Sequence[Entry | Complaint]],
) -> dict[str, tuple[Entry, ...]]:
    return {
        power: tuple(entry for entry in entries if not isinstance(entry, Complaint))
        for power, entries in told.items()
    }


def position_values(board: Map, position: Position) -> dict[str, object]:
    """Return a position as JSON values that `read_position` can parse."""
    powers = [power.name for power in board.powers]
    told: dict[str, object] = {
        "phase": str(position.phase),
        "units": {
            name: [str(unit) for unit in position.units[name]]
            for name in powers
            if position.units.get(name)
        },
        "centers": {
            name: [centre.upper() for centre in centres]
            for name in powers
            if (centres := position.centres(name))
        },
    }
    if position.dislodged:
        told["dislodged"] = {
            name: [_retreating(one) for one in position.dislodged[name]]
            for name in powers
            if position.dislodged.get(name)
        }
    if position.contested:
        told["contested"] = sorted(place.upper() for place in position.contested)
    if position.quiet_falls:
        told["quiet_falls"] = position.quiet_falls
    return told


def _retreating(found: Dislodged) -> dict[str, object]:
    told: dict[str, object] = {"unit": str(found.unit), "from": found.origin.upper()}
    if found.by_convoy:
        told["via"] = True
    if found.retreats is not None:
        told["options"] = [place.upper() for place in found.retreats]
    return told


def read_position(board: Map, data: Mapping[str, object]) -> Position:
    """Parse the position of one object.

    Raises:
        ValueError: it is no possible position.
    """
    phase = parse_phase(_text(data, "phase"))
    if "units" not in data:
        raise ValueError("no units")
    units = {
        power: board.sort_units([_unit(board, text) for text in texts])
        for power, texts in _by_power(board, data, "units")
    }
    dislodged = {
        power: tuple(_read_dislodged(board, entry) for entry in entries)
        for power, entries in _by_power(board, data, "dislodged")
    }
    _only_once("two units in", (unit.province for found in units.values() for unit in found))
    beaten = (one.unit for found in dislodged.values() for one in found)
    _only_once("two dislodged units in", (unit.province for unit in beaten))
    owned = [
        (_place(board, text), power)
        for power, texts in _by_power(board, data, "centers")
        for text in texts
    ]
    _only_once("two owners of", (centre for centre, _ in owned))
    for centre, _ in owned:
        if centre not in board.centres:
            raise ValueError(f"no supply centre: {centre}")
    return Position(
        phase=phase,
        units=units,
        owners=dict(owned),
        dislodged=dislodged if phase.kind is PhaseKind.RETREAT else {},
        contested=frozenset(_place(board, text) for text in _list(data.get("contested", []))),
        quiet_falls=_count(data.get("quiet_falls", 0)),
    )


def _count(found: object) -> int:
    if not isinstance(found, int) or found < 0:
        raise ValueError(f"no count: {found!r}")
    return found


def _read_dislodged(board: Map, entry: object) -> Dislodged:
    """Parse {"unit", "from", "via", "options"}, where only the unit is required."""
    if not isinstance(entry, dict):
        raise ValueError(f"no dislodged unit: {entry!r}")
    origin = entry.get("from")
    options = entry.get("options")
    return Dislodged(
        unit=_unit(board, entry.get("unit")),
        origin=_place(board, origin).partition("/")[0] if origin else "",
        by_convoy=entry.get("via") is True,
        retreats=None if options is None else tuple(_place(board, x) for x in _list(options)),
    )


def _unit(board: Map, text: object) -> Unit:
    """Parse a unit such as "F STP/NC", which must be of a kind that its place allows."""
    found = _UNIT.fullmatch(_require_text(text))
    if not found:
        raise ValueError(f"no unit: {text!r}")
    kind, place = UnitKind(found[1].upper()), _place(board, found[2])
    unit = Unit(kind, place)
    if kind is UnitKind.FLEET and place not in board.fleet_places(unit.province):
        raise ValueError(f"no fleet can stand in {found[2]}")
    if kind is UnitKind.ARMY and not board.provinces[unit.province].terrain.takes_armies:
        raise ValueError(f"no army can stand in {found[2]}")
    # Return the map's own object, which it finds again at once.
    return board.stations[unit if kind is UnitKind.FLEET else Unit(kind, unit.province)].unit


def _place(board: Map, text: object) -> str:
    """Parse a place in any spelling of the tables, with its coast as in "StP/nc"."""
    words = lexicon(board)
    name, _, coast = _require_text(text).lower().partition("/")
    province = words.places.get("".join(re.findall(r"[^\W_]+", name)))
    if province is None:
        raise ValueError(f"no place: {text!r}")
    if not coast:
        return province
    place = words.coast_places.get((province, coast.strip()))
    if place is None:
        raise ValueError(f"no coast: {text!r}")
    return place


def _by_power(
    board: Map, data: Mapping[str, object], key: str
) -> Iterable[tuple[str, Sequence[object]]]:
    """Yield each power of an object of lists. Full names count in any case."""
    powers = {power.name.lower(): power.name for power in board.powers}
    for name, found in _object(data, key).items():
        if name.lower() not in powers:
            raise ValueError(f"no power: {name!r}")
        yield powers[name.lower()], _list(found)


def _only_once(what: str, provinces: Iterable[str]) -> None:
    seen: set[str] = set()
    for province in provinces:
        if province in seen:
            raise ValueError(f"{what} {province}")
        seen.add(province)


def _text(data: Mapping[str, object], key: str) -> str:
    found = data.get(key)
    if not isinstance(found, str) or not found:
        raise ValueError(f"no {key}")
    return found


def _require_text(text: object) -> str:
    if not isinstance(text, str):
        raise ValueError(f"no text: {text!r}")
    return text


def _object(data: Mapping[str, object], key: str) -> Mapping[str, object]:
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise ValueError(f"{key}: no object")
    return found


def _list(found: object) -> Sequence[object]:
    if not isinstance(found, list):
        raise ValueError(f"no list: {found!r}")
    return found
