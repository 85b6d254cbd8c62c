"""Interface of the `diplomacy` package on top of this engine.

A program that plays with `diplomacy.Game` mostly needs nothing but another import:

>>> game = Game()
>>> game.set_orders("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR"])
>>> game.process().results["A PAR"], game.get_current_phase()
([], 'F1901M')

Unlike a `State`, a `Game` is mutable: `process` advances it to the next phase. Phases in
which no power has a choice are skipped. Players, passwords, votes, messages and the network are
left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from judge.board.map import Map as Board
from judge.board.map import Terrain, Unit, UnitKind, province_of
from judge.diplomacy import drawing
from judge.diplomacy.fault import InputError
from judge.diplomacy.saved import (
    COMPLETED,
    SavedGame,
    SavedPhase,
    phase_name,
    read_game,
    saved_phase,
    saved_state,
    saved_text,
    state_of,
)
from judge.diplomacy.state import State, board, opening
from judge.games.diplomacy.rules.legality import explain_illegality_here
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import Order, unit_of
from judge.games.diplomacy.rules.possible import possible_texts
from judge.games.system import Ending
from judge.phrases import phrasebook

_SEASONS = {"S": "SPRING", "F": "FALL", "W": "WINTER"}
_KINDS = {"M": "MOVEMENT", "R": "RETREATS", "A": "ADJUSTMENTS"}


class Map:
    """A map with the interface of `diplomacy.Map`.

    Places are in upper case.
    """

    def __init__(self, name: str = "standard") -> None:
        self.name = name
        self.board: Board = board(name)
        provinces = self.board.provinces.values()
        self.powers = [power.name.upper() for power in self.board.powers]
        self.scs = [centre.upper() for centre in self.board.centres]
        self.homes = {
            power.name.upper(): [p.abbr.upper() for p in provinces if p.home == power.name]
            for power in self.board.powers
        }
        self.centers = self.homes
        self.units = {
            power.upper(): [str(unit) for unit in units]
            for power, units in self.board.start.items()
        }
        self.first_year = self.board.first_year
        self.victory = [self.board.victory]
        self.locs = [place for p in provinces for place in self.find_coasts(p.abbr.upper())]
        self.loc_type = {place: self.area_type(place) for place in self.locs}
        self.loc_name = {p.name.upper(): p.abbr.upper() for p in provinces}

    def find_coasts(self, loc: str) -> list[str]:
        """Return a province and its coasts.

        >>> Map().find_coasts("SPA"), Map().find_coasts("PAR")
        (['SPA', 'SPA/NC', 'SPA/SC'], ['PAR'])
        """
        found = self._province(loc)
        coasts = self.board.provinces[found].coasts
        return [found.upper(), *(f"{found}/{coast}".upper() for coast in coasts)]

    def area_type(self, loc: str) -> str:
        """Return the type of a place: LAND, COAST, WATER or SHUT (impassable)."""
        match self.board.provinces[self._province(loc)].terrain:
            case Terrain.SEA | Terrain.BOX_SEA:
                return "WATER"
            case Terrain.COAST | Terrain.BOX_COAST:
                return "COAST"
            case Terrain.SHUT:
                return "SHUT"
        return "LAND"

    def abut_list(self, site: str, incl_no_coast: bool = False) -> list[str]:
        """Return the places next to a place, by land or water.

        With `incl_no_coast`, the provinces of places on a coast are included too.

        >>> Map().abut_list("PAR"), Map().abut_list("STP/SC")
        (['BRE', 'BUR', 'GAS', 'PIC'], ['BOT', 'FIN', 'LVN'])
        """
        place = self._place(site)
        sail = self.board.sail.get(place)
        found = {goal for places in (sail or {}).values() for goal in places}
        if "/" not in place:
            found |= self.board.near[place] if sail is None else self.board.walk.get(place, set())
        if incl_no_coast:
            found |= {province_of(goal) for goal in found}
        return sorted(goal.upper() for goal in found)

    def abuts(self, unit_type: str, unit_loc: str, order_type: str, other_loc: str) -> bool:
        """Return whether a unit reaches a place for an order ("-" or "S").

        Convoys do not count.
        """
        unit = Unit(UnitKind(unit_type), self._place(unit_loc))
        if unit not in self.board.stations:
            return False
        station, goal = self.board.stations[unit], self._place(other_loc)
        if order_type == "S" or unit.kind is UnitKind.ARMY:
            return province_of(goal) in station.reach
        return goal in station.there or station.reach.get(goal, ()) != ()

    def is_valid_unit(self, unit: str) -> bool:
        """Return whether a unit can be in its place: "F STP/SC"."""
        try:
            state_of({"units": {self.powers[0]: [unit]}}, self.name, "S1901M")
        except InputError:
            return False
        return True

    def _place(self, loc: str) -> str:
        for place in (*self.board.provinces, *self.board.sail):
            if place.upper() == loc.upper():
                return place
        raise InputError(f"no place {loc!r}")

    def _province(self, loc: str) -> str:
        return province_of(self._place(loc))


class Power:
    """A power of a game, in the game's present state."""

    def __init__(self, game: "Game", name: str) -> None:
        self._game = game
        self.name = name
        self.abbrev = name[0]
        self.homes = game.map.homes[name]

    @property
    def units(self) -> list[str]:
        """Its units, except those that must retreat."""
        units: list[str] = self._game.get_state()["units"][self.name]
        return [unit for unit in units if not unit.startswith("*")]

    @property
    def retreats(self) -> dict[str, list[str]]:
        """Its units that must retreat → the places open to them."""
        found: dict[str, list[str]] = self._game.get_state()["retreats"][self.name]
        return found

    @property
    def centers(self) -> list[str]:
        """The supply centres it owns."""
        found: list[str] = self._game.get_state()["centers"][self.name]
        return found

    @property
    def orders(self) -> dict[str, str]:
        """Unit → the rest of its order, as in `orders` of a movement phase."""
        split = (text.split(" ", 2) for text in self._game.get_orders(self.name) if " " in text)
        return {" ".join(words[:2]): words[2] for words in split}

    def is_eliminated(self) -> bool:
        """Return whether it has neither units nor centres."""
        return not (self.units or self.centers or self.retreats)


class Game:
    """A game with the interface of `diplomacy.Game`."""

    def __init__(
        self,
        game_id: str | None = None,
        map_name: str = "standard",
        rules: Sequence[str] = (),
        **options: str | int | bool,
    ) -> None:
        """Create a game.

        `options` are those of `judge.diplomacy.opening`.
        """
        self.game_id = game_id or ""
        self.map_name = map_name
        self.map = Map(map_name)
        self.rules = list(rules)
        self.role = "omniscient_type"
        self.note = ""
        self.error: list[str] = []
        self.messages: dict[int, object] = {}
        self.ending: Ending | None = None
        self._options = options
        self._sharing: tuple[str, ...] | None = None
        self._filed: dict[str, dict[str, Order]] = {}
        self._state: State = opening(map_name, **options)
        self.powers = {name: Power(self, name) for name in self.map.powers}
        self._forget()

    def _forget(self) -> None:
        self.state_history: dict[str, dict[str, Any]] = {}
        self.order_history: dict[str, dict[str, list[str]]] = {}
        self.result_history: dict[str, dict[str, list[str]]] = {}
        self.message_history: dict[str, list[object]] = {}

    @property
    def state(self) -> State:
        """The engine's state of the game."""
        return self._state

    @property
    def is_game_done(self) -> bool:
        """True if the game is over."""
        return self.ending is not None or self._sharing is not None

    @property
    def outcome(self) -> list[str]:
        """The phase in which the game ended, followed by its winners.

        Empty if the game is not over.
        """
        if not self.is_game_done:
            return []
        last = next(reversed(self.state_history), self.current_short_phase)
        winners = self.ending.winners if self.ending else self._sharing or ()
        return [last, *(name.upper() for name in winners)]

    @property
    def current_short_phase(self) -> str:
        """Label of the phase: "S1901M", "W1901A", or "COMPLETED"."""
        return COMPLETED if self.is_game_done else phase_name(self._state)

    @property
    def phase(self) -> str:
        """The phase in words: "SPRING 1901 MOVEMENT"."""
        name = self.current_short_phase
        return name if name == COMPLETED else f"{_SEASONS[name[0]]} {name[1:5]} {_KINDS[name[5]]}"

    @property
    def phase_type(self) -> str:
        """Kind of the phase: M, R, A, or a hyphen if the game is over."""
        return "-" if self.is_game_done else self.current_short_phase[-1]

    def get_current_phase(self) -> str:
        """Return the label of the phase: "S1901M"."""
        return self.current_short_phase

    def get_state(self) -> dict[str, Any]:
        """Return the state in the form of saved games."""
        told = saved_state(self._state)
        told |= {"name": self.current_short_phase, "note": self.note}
        return told | {"game_id": self.game_id, "rules": self.rules}

    def set_state(self, state: Mapping[str, Any], clear_history: bool = True) -> None:
        """Set a state, given in the form of saved games.

        Raises:
            InputError: the position is not possible; the game is unchanged.
        """
        name = str(state.get("name", self.current_short_phase))
        found = state_of(state, self.map_name, name, self._options)
        if clear_history:
            self._forget()
        self._state, self.ending, self._sharing, self._filed = found, None, None, {}

    def get_power(self, power_name: str) -> Power:
        """Return a power by its name in any case.

        Raises:
            InputError: there is no such power.
        """
        return self.powers[self._state.power(power_name).upper()]

    def get_units(self, power_name: str | None = None) -> Any:
        """Return the units of a power, or of all powers.

        Units that must retreat are marked with a star.
        """
        units = self.get_state()["units"]
        return units if power_name is None else units[self.get_power(power_name).name]

    def get_centers(self, power_name: str | None = None) -> Any:
        """Return the centres of a power, or of all powers."""
        centers = self.get_state()["centers"]
        return centers if power_name is None else centers[self.get_power(power_name).name]

    def get_orders(self, power_name: str | None = None) -> Any:
        """Return the orders on file of a power, or of all powers."""
        if power_name is None:
            return {name: self.get_orders(name) for name in self.powers}
        filed = self._filed.get(self.get_power(power_name).name, {})
        return list(map(saved_text, filed.values()))

    def get_orderable_locations(self, power_name: str | None = None) -> Any:
        """Return the provinces in which a power, or each power, has an order to give."""
        state = self._state
        able = {} if self.is_game_done else possible_texts(state.board, state.position, state.rules)
        found = {
            power.upper(): sorted({unit.province.upper() for unit in units})
            for power, units in able.items()
        }
        if power_name is None:
            return {name: found.get(name, []) for name in self.powers}
        return found.get(self.get_power(power_name).name, [])

    def get_all_possible_orders(self) -> dict[str, list[str]]:
        """Return place → the orders that can be given there, empty if there are none.

        A unit on one of two coasts is listed under its coast and under the province.
        """
        found: dict[str, list[str]] = {loc: [] for loc in self.map.locs}
        if self.is_game_done:
            return found
        state = self._state
        for units in possible_texts(state.board, state.position, state.rules).values():
            for unit, texts in units.items():
                for loc in {unit.province.upper(), unit.place.upper()}:
                    found[loc] += texts
        if self.phase_type == "A":
            # In builds every order is to build, and the package writes those in other words.
            for loc, given in found.items():
                found[loc] = [f"{one[6:]} B" if one.startswith("BUILD") else one for one in given]
                if found[loc] != given:
                    found[loc].append("WAIVE")
        return found

    def set_orders(
        self,
        power_name: str,
        orders: str | Iterable[str],
        expand: bool = True,
        replace: bool = True,
    ) -> None:
        """File orders of a power.

        A unit's new order replaces its old one, unless `replace` is false. Orders that are
        unreadable or illegal are left out, with the reason in `error`.

        Raises:
            InputError: there is no such power.
        """
        power = self.get_power(power_name).name
        filed = dict(self._filed.get(power, {}))
        state, name = self._state, self._state.power(power)
        context = OrderContext(state.board, state.position, name, state.rules)
        for text in [orders] if isinstance(orders, str) else orders:
            if not text:
                continue
            order = self._read(text, context)
            if isinstance(order, str):
                self.error.append(f"{text}: {order}")
                continue
            unit = unit_of(order)
            key = unit.province if unit else f"WAIVE {len(filed)}"
            if key not in filed or replace:
                filed[key] = order
        self._filed[power] = filed

    def _read(self, text: str, context: OrderContext) -> Order | str:
        """Return an order, or the reason why it cannot be given."""
        try:
            order = self._state.read_order(text, context.power)
        except InputError as fault:
            return str(fault)
        reason = explain_illegality_here(order, context.power, context)
        return phrasebook("diplomacy").render(reason) if reason else order

    def clear_orders(self, power_name: str | None = None) -> None:
        """Delete the orders of a power, or of all powers."""
        for name in [self.get_power(power_name).name] if power_name else list(self.powers):
            self._filed.pop(name, None)

    def process(self) -> SavedPhase:
        """Adjudicate the phase and return it with its orders and results.

        Raises:
            InputError: the game is over.
        """
        if self.is_game_done:
            raise InputError("the game is over")
        orders = self.get_orders()
        result = self._state.adjudicate(self._collect_orders())
        played = saved_phase(result, orders, self.get_state())
        self.state_history[played.name] = dict(played.state)
        self.order_history[played.name] = orders
        self.result_history[played.name] = {unit: list(r) for unit, r in played.results.items()}
        self.message_history[played.name] = []
        self._state, self.ending = result.state, result.ending
        self._filed, self.error = {}, []
        return played

    def _collect_orders(self) -> dict[str, list[Order]]:
        return {power: list(filed.values()) for power, filed in self._filed.items()}

    def draw(self, winners: Iterable[str] | None = None) -> None:
        """End the game as a draw of some powers, or of all survivors."""
        alive = [name for name, power in self.powers.items() if not power.is_eliminated()]
        self._sharing = tuple(alive if winners is None else winners)

    def get_order_status(
        self, power_name: str | None = None, unit: str | None = None, loc: str | None = None
    ) -> Any:
        """Return the results of orders in the last phase: of a unit, place, power or all.

        An empty list of results means success.
        """
        last: dict[str, list[str]] = next(reversed(self.result_history.values()), {})
        if unit:
            return list(last.get(unit, []))
        if loc:
            found = [one for one in last if one.split(" ")[-1][:3] == loc[:3]]
            return (found[0], list(last[found[0]])) if found else (loc, [])
        before: dict[str, Any] = next(reversed(self.state_history.values()), {"units": {}})
        names = [self.get_power(power_name).name] if power_name else list(self.powers)
        told = {
            name: {one.lstrip("*"): list(last.get(one.lstrip("*"), []))
                   for one in before["units"].get(name, ())}
            for name in names
        }
        return told[names[0]] if power_name else told

    def get_phase_data(self) -> SavedPhase:
        """Return the phase to be played."""
        return SavedPhase(self.current_short_phase, self.get_state(), self.get_orders())

    def get_phase_history(self) -> list[SavedPhase]:
        """Return the phases already played."""
        return [
            SavedPhase(
                name, state, self.order_history[name], self.result_history[name],
                self.message_history[name],
            )
            for name, state in self.state_history.items()
        ]

    def render(
        self, incl_orders: bool = True, output_format: str = "svg", output_path: str | None = None
    ) -> str:
        """Return a picture of the board as SVG, with the orders on file.

        Write it to `output_path` too, if given.
        """
        shown: Any = self._state
        if incl_orders and any(self._filed.values()):
            shown = self._state.adjudicate(self._collect_orders())
        drawn = drawing.svg(shown)
        if output_path:
            Path(output_path).write_text(drawn, encoding="utf-8")
        return drawn


def to_saved_game_format(game: Game) -> dict[str, object]:
    """Return a game as the JSON object of a saved game."""
    phases = (*game.get_phase_history(), game.get_phase_data())
    return SavedGame(game.game_id, game.map_name, phases, tuple(game.rules)).to_json()


def from_saved_game_format(saved: Mapping[str, Any]) -> Game:
    """Return the game of a saved game's JSON object, in its last phase.

    Raises:
        InputError: it is not a saved game, or its last phase is over.
    """
    found = read_game(saved)
    game = Game(found.id, found.map, found.rules)
    for phase in found.phases[:-1]:
        game.state_history[phase.name] = dict(phase.state)
        game.order_history[phase.name] = {p: list(o or ()) for p, o in phase.orders.items()}
        game.result_history[phase.name] = {u: list(r) for u, r in phase.results.items()}
        game.message_history[phase.name] = list(phase.messages)
    if found.phases:
        last = found.phases[-1]
        if last.name == COMPLETED:
            raise InputError("the last phase of the saved game is over: there is nothing to play")
        game.set_state({**last.state, "name": last.name}, clear_history=False)
        for power, texts in last.orders.items():
            game.set_orders(power, texts or ())
    return game
