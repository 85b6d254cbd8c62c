"""States of a game, their possible orders, and results of adjudication.

All objects are immutable: a `State` yields a `Result`, and that the next `State`. An order that can
be read but not be carried out is no error: it is void, with its reason, as in the rules. An order
that cannot be read, or is filed under a power that is not on the map, raises `InputError`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property

from judge.board.map import Map, Unit
from judge.board.position import Phase, PhaseKind, Position, Season
from judge.diplomacy.fault import InputError
from judge.errors import DataError
from judge.games.diplomacy.boards import all_names, board_under, opening_on, rules_on
from judge.games.diplomacy.language.order_reader import read_exact
from judge.games.diplomacy.rules import orders as forms
from judge.games.diplomacy.rules.adjudicate import AdjudicationResult, adjudicate, ending_of
from judge.games.diplomacy.rules.orders import Order, Proxy, Verdict, parse_order, unit_of
from judge.games.diplomacy.rules.possible import may_waive, possible_orders, possible_texts
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.rules.seasons import find_ordering_powers
from judge.games.diplomacy.views.adjudicate_json import (
    position_values,
    read_position,
    result_values,
)
from judge.games.diplomacy.views.causes import full_reason
from judge.games.system import Ending
from judge.model.phrase import Complaint
from judge.phrases import phrasebook

Orders = Mapping[str, Iterable[str | Order]]
"""Power → its orders, as texts or values."""

_KEYS = {"id", "map", "phase", "units", "dislodged", "contested", "centers", "quiet_falls",
         "options", "orders"}  # fmt: skip

_USUAL = {field.name: field.default for field in fields(Rules)}
"""Option → its default value."""


def map_names() -> tuple[str, ...]:
    """Return the names of the maps and of their presets.

    >>> map_names()[:4]
    ('standard', 'youngstown', 'evt', 'fga')
    """
    return all_names()


def board(name: str = "standard", rules: Rules = Rules()) -> Map:
    """Return a map by name, modified by the rules of a game.

    >>> sorted(board().walk["Par"]), board("youngstown").victory
    (['Bre', 'Bur', 'Gas', 'Pic'], 37)

    Raises:
        InputError: there is no such map.
    """
    _require_map(name)
    return board_under(name, rules)


def _require_map(name: str) -> None:
    if name not in all_names():
        raise InputError(f"no map {name!r}: there are {', '.join(all_names())}")


def opening(map: str = "standard", **options: str | int | bool) -> "State":
    """Return the first state of a game.

    The options are those of a game by mail (`HELP OPTIONS`).

    >>> opening(paradox="1982", last_year=1908).rules.last_year
    1908

    Raises:
        InputError: there is no such map or option, or an option has no such value.
    """
    rules = _rules(map, options)
    on = board(map, rules)
    found = opening_on(on)
    if rules.blank_board:
        winter = Phase(on.first_year - 1, Season.FALL, PhaseKind.ADJUSTMENT)
        found = replace(found, phase=winter, units={})
    return State(on, found, rules)


def from_json(data: Mapping[str, object]) -> "State":
    """Return the state of a JSON object.

    `State.to_json` writes that form, and `judge adjudicate` reads it.

    Raises:
        InputError: the position is not possible; the message gives the reason.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"no position, which is a JSON object: {shorten_value(data)}")
    if unknown := sorted(map(str, set(data) - _KEYS)):
        raise InputError(f"no such key of a position: {unknown[0]!r}")
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise InputError("options: no object")
    name = str(data.get("map", "standard"))
    rules = _rules(name, options)
    on = board(name, rules)
    try:
        position = read_position(on, data)
    except (ValueError, DataError) as fault:
        raise InputError(str(fault)) from fault
    if data.get("dislodged") and not position.dislodged:
        raise InputError(f"dislodged units in {position.phase}, which is no retreat phase")
    return State(on, position, rules)


def _rules(name: str, options: Mapping[str, object]) -> Rules:
    _require_map(name)
    rules = rules_on(name, options)
    for name, value in options.items():
        if name not in _USUAL:
            raise InputError(f"no option {name!r}")
        if getattr(rules, name) != value:
            raise InputError(f"option {name!r} cannot be {value!r}")
    return rules


@dataclass(frozen=True)
class State:
    """A position of a game on its map, with the rules of the game."""

    board: Map
    position: Position
    rules: Rules = Rules()

    def __repr__(self) -> str:
        """Return a short form, because maps and positions are long."""
        units = sum(map(len, self.units.values()))
        return f"<State {self.board.name} {self.phase}, {units} units>"

    @property
    def phase(self) -> str:
        """Label of the phase to be played: "S1901M", "F1901R", "F1901A"."""
        return str(self.position.phase)

    @property
    def powers(self) -> tuple[str, ...]:
        """All powers of the map."""
        return tuple(power.name for power in self.board.powers)

    @cached_property
    def to_order(self) -> tuple[str, ...]:
        """The powers that have a choice in this phase."""
        able = find_ordering_powers(self.board, self.position, self.rules)
        return tuple(name for name in self.powers if name in able)

    @property
    def units(self) -> dict[str, tuple[str, ...]]:
        """Power → its units, as texts, except those that must retreat."""
        units = self.position.units
        return {name: tuple(map(str, units[name])) for name in self.powers if units.get(name)}

    @property
    def dislodged(self) -> dict[str, tuple[str, ...]]:
        """Power → its units that must retreat, as texts."""
        beaten = self.position.dislodged
        return {
            name: tuple(str(one.unit) for one in beaten[name])
            for name in self.powers
            if beaten.get(name)
        }

    @property
    def centres(self) -> dict[str, tuple[str, ...]]:
        """Power → the supply centres it owns, in upper case."""
        owned = {name: self.position.centres(name) for name in self.powers}
        return {name: tuple(c.upper() for c in found) for name, found in owned.items() if found}

    def legal_orders(self, power: str = "") -> dict[str, tuple[str, ...]]:
        """Return unit → the orders it can be given, as texts.

        Without a power, the units of all powers are included. In builds, each unit that can be
        built has one order, and `WAIVE` is listed under its own name.

        Raises:
            InputError: the map has no such power.
        """
        found = possible_texts(self.board, self.position, self.rules)
        told: dict[str, tuple[str, ...]] = {}
        for name in self._those(power):
            told |= {str(unit): texts for unit, texts in found.get(name, {}).items()}
            if may_waive(self.board, self.position, name):
                told["WAIVE"] = ("WAIVE",)
        return told

    def legal_values(self, power: str = "") -> dict[Unit, tuple[Order, ...]]:
        """Return unit → the orders it can be given, as values, without waived builds.

        Raises:
            InputError: the map has no such power.
        """
        found = possible_orders(self.board, self.position, self.rules)
        told: dict[Unit, tuple[Order, ...]] = {}
        for name in self._those(power):
            told |= found.get(name, {})
        return told

    def _those(self, power: str) -> tuple[str, ...]:
        return (self.power(power),) if power else self.powers

    def power(self, name: str) -> str:
        """Return the map's spelling of a power's name given in any case.

        Raises:
            InputError: the map has no such power.
        """
        found = _names(self.board).get(str(name).casefold())
        if found is None:
            raise InputError(f"no power {name!r}: there are {', '.join(self.powers)}")
        return found

    def read_order(self, text: str, power: str) -> Order:
        """Parse an order of a power.

        Canonical texts, those of the `diplomacy` package, and every other spelling with exactly one
        meaning are accepted.

        >>> opening().read_order("Army Paris to Burgundy", "France")
        Move(unit=Unit(kind=<UnitKind.ARMY: 'A'>, place='Par'), to='Bur', via=False, route=())

        Raises:
            InputError: it cannot be read; the message has the order and the reason.
        """
        power = self.power(power)
        try:
            return parse_order(plain(text), self.board)
        except (ValueError, KeyError, IndexError):
            pass
        found = read_exact(text, self.board, self.position, power, self.rules)
        if isinstance(found, Complaint):
            why = phrasebook("diplomacy").render(found.reason)
            raise InputError(f"no order {text!r} of {power}: {why}")
        if isinstance(found, Proxy):
            raise InputError(f"no order {text!r} of {power}: nobody is asked for a proxy here")
        return found

    def adjudicate(self, orders: Orders) -> "Result":
        """Adjudicate the phase.

        Units without an order hold, disband instead of retreating, and are not built.

        Raises:
            InputError: an order cannot be read, the map has no such power, or a power is given
                twice; nothing is adjudicated.
        """
        if not isinstance(orders, Mapping):
            raise InputError(f"orders are given power by power, not as {shorten_value(orders)}")
        filed: dict[str, tuple[Order, ...]] = {}
        for name, given in orders.items():
            power = self.power(name)
            if power in filed:
                raise InputError(f"the orders of {power} are given twice")
            if isinstance(given, str):
                raise InputError(f"the orders of {power} are one text, not a list: {given!r}")
            if not isinstance(given, Iterable):
                raise InputError(f"the orders of {power} are no list: {shorten_value(given)}")
            filed[power] = tuple(self._read(one, power) for one in given)
        return Result(self, adjudicate(self.board, self.position, filed, self.rules))

    def _read(self, order: str | Order, power: str) -> Order:
        if isinstance(order, str):
            return self.read_order(order, power)
        if not isinstance(order, Order):
            raise InputError(f"no order of {power}: {order!r}")
        unit = unit_of(order)
        if unit is not None and unit not in self.board.ranks:
            raise InputError(f"no place {unit.place!r} in {order!r} of {power}")
        return order

    def to_json(self) -> dict[str, object]:
        """Return the state as a JSON object, which `from_json` reads."""
        options = {
            name: value
            for name, usual in _USUAL.items()
            if (value := getattr(self.rules, name)) != usual
        }
        told = {"map": self.board.name, **position_values(self.board, self.position)}
        return {**told, "options": options} if options else told

    def at(self, position: Position) -> "State":
        """Return the state of the same game at another position."""
        return replace(self, position=position)


def order_text(order: Order) -> str:
    """Return the canonical text of an order.

    >>> order_text(opening().read_order("army paris to burgundy", "France"))
    'A PAR - BUR'

    Raises:
        InputError: the value is not an order. `State.read_order` parses texts.
    """
    if not isinstance(order, Order):
        raise InputError(f"no order: {shorten_value(order)}")
    return forms.order_text(order)


def shorten_value(value: object) -> str:
    """Return the beginning of an invalid value's `repr`, at most 40 characters.

    >>> shorten_value(["A PAR - BUR"] * 9)
    "['A PAR - BUR', 'A PAR - BUR', 'A PAR -…"
    """
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def plain(text: str) -> str:
    """Return the judge's canonical form of an order.

    The `diplomacy` package differs from it in builds.

    >>> plain("a par b"), plain("F STP/SC B"), plain(" A  PAR  -  BUR ")
    ('BUILD A PAR', 'BUILD F STP/SC', 'A PAR - BUR')
    """
    words = text.upper().split()
    if len(words) == 3 and words[2] == "B":
        return f"BUILD {words[0]} {words[1]}"
    return " ".join(words)


_NAMES: dict[str, dict[str, str]] = {}


def _names(on: Map) -> dict[str, str]:
    """Return each power's name in lower case → its name, cached for each map."""
    if on.name not in _NAMES:
        _NAMES[on.name] = {power.name.casefold(): power.name for power in on.powers}
    return _NAMES[on.name]


@dataclass(frozen=True)
class Result:
    """Result of an adjudicated phase."""

    before: State
    adjudged: AdjudicationResult

    def __repr__(self) -> str:
        return f"<Result {self.before.board.name} {self.before.phase}, next {self.state.phase}>"

    @cached_property
    def state(self) -> State:
        """The state in the next phase in which a power has a choice."""
        return self.before.at(self.adjudged.position)

    @property
    def verdicts(self) -> Mapping[str, tuple[Verdict, ...]]:
        """Power → a verdict on each of its orders and on each unit without one."""
        return self.adjudged.verdicts

    def verdict(self, unit: str) -> Verdict:
        """Return the verdict on the order of a unit: "A PAR".

        Raises:
            InputError: there is no such unit.
        """
        for verdicts in self.verdicts.values():
            for verdict in verdicts:
                if str(unit_of(verdict.order)) == unit.upper():
                    return verdict
        raise InputError(f"no unit {unit!r} in {self.before.phase}")

    @staticmethod
    def why(verdict: Verdict) -> str:
        """Return the reason of a verdict in words, empty for a plain success.

        For a dislodged unit it names the dislodging unit, after the reason why its order failed.
        """
        return phrasebook("diplomacy").render(full_reason(verdict.reason)) if verdict.reason else ""

    @property
    def ending(self) -> Ending | None:
        """Winners and reason if the game ended with this phase, else None."""
        return ending_of(self.adjudged, self.before.position.phase.year)

    @property
    def winners(self) -> tuple[str, ...]:
        """Powers that won or share a game ended with this phase, else empty."""
        return self.ending.winners if self.ending else ()

    def to_json(self) -> dict[str, object]:
        """Return the result as a JSON object, in the form of `judge adjudicate`."""
        return result_values(self.before.board, self.adjudged)
