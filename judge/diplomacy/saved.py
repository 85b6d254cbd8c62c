"""Saved games in the JSON form of the public game sets, read, written, replayed.

One object for each game: `id`, `map`, `rules`, and `phases`, each with `name`, `state`, `orders`,
`results` and `messages`, as the `diplomacy` package saves them. Internal data of the package
(hashes, timestamps, earlier places of units) is neither read nor written.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from judge.board.position import Phase, PhaseKind
from judge.diplomacy.fault import InputError
from judge.diplomacy.state import Result, State, from_json
from judge.games.diplomacy.rules.adjudicate import adjustment_count, buildable
from judge.games.diplomacy.rules.orders import (
    Build,
    Move,
    Order,
    Outcome,
    Verdict,
    Waive,
    order_text,
    unit_of,
)
from judge.textfiles import TextFileError, decode_text

COMPLETED = "COMPLETED"
"""Name of the last phase of a finished game."""


class SavedPhase(NamedTuple):
    """A phase in the form of saved games: power names in upper case, orders as texts."""

    name: str
    """"S1901M", "F1901R", "W1901A", or "COMPLETED"."""
    state: Mapping[str, Any]
    """`units` (those that must retreat with a star), `retreats`, `centers` and more, by power."""
    orders: Mapping[str, Sequence[str] | None] = {}
    results: Mapping[str, Sequence[str]] = {}
    """Unit → results of its order; an empty list means success."""
    messages: Sequence[object] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the phase as JSON values."""
        return {
            "name": self.name,
            "state": dict(self.state),
            "orders": {power: given and list(given) for power, given in self.orders.items()},
            "results": {unit: list(found) for unit, found in self.results.items()},
            "messages": list(self.messages),
        }


@dataclass(frozen=True)
class SavedGame:
    """A saved game."""

    id: str
    map: str
    phases: tuple[SavedPhase, ...]
    rules: tuple[str, ...] = field(default=())

    def to_json(self) -> dict[str, object]:
        """Return the game as a JSON object."""
        phases = [phase.to_dict() for phase in self.phases]
        return {"id": self.id, "map": self.map, "rules": list(self.rules), "phases": phases}

    def state(self, phase: SavedPhase, **options: object) -> State:
        """Return the state at the beginning of one of the game's phases.

        Raises:
            InputError: the position is not possible.
        """
        return state_of(phase.state, self.map, phase.name, options)


def read_game(saved: str | bytes | Mapping[str, Any]) -> SavedGame:
    """Read a saved game from a JSON object, its text or the bytes of its file.

    Raises:
        InputError: it is not a saved game; the message names the wrong part.
    """
    if isinstance(saved, (str, bytes)):
        try:
            text = decode_text(saved, "saved game") if isinstance(saved, bytes) else saved
            saved = json.loads(text.removeprefix("\ufeff"))
        except TextFileError as fault:
            raise InputError(str(fault)) from fault
        except ValueError as fault:
            raise InputError(f"no JSON: {fault}") from fault
    if not isinstance(saved, Mapping):
        raise InputError("no saved game: no JSON object")
    phases = saved.get("phases")
    if not isinstance(phases, list):
        raise InputError("no saved game: it has no list of phases")
    found = tuple(_phase(number, one) for number, one in enumerate(phases, start=1))
    rules = tuple(str(rule) for rule in saved.get("rules") or ())
    return SavedGame(str(saved.get("id", "")), str(saved.get("map", "standard")), found, rules)


def _phase(number: int, saved: object) -> SavedPhase:
    if not isinstance(saved, Mapping) or not isinstance(saved.get("state"), Mapping):
        raise InputError(f"phase {number} of the saved game has no state")
    name = saved.get("name") or saved["state"].get("name")
    if not isinstance(name, str):
        raise InputError(f"phase {number} of the saved game has no name")
    for key in ("orders", "results"):
        if not isinstance(saved.get(key) or {}, Mapping):
            raise InputError(f"{key} of {name} in the saved game are no object")
    _check_lists(name, "orders", saved.get("orders") or {})
    for key in ("units", "centers"):
        _check_lists(name, key, saved["state"].get(key) or {})
    retreats = saved["state"].get("retreats") or {}
    if not isinstance(retreats, Mapping):
        raise InputError(f"retreats of {name} in the saved game are no object")
    for power, places in retreats.items():
        if not isinstance(places or {}, Mapping):
            raise InputError(f"retreats of {power} in {name} of the saved game are no object")
        _check_lists(name, "retreats", places or {})
    return SavedPhase(
        name,
        saved["state"],
        saved.get("orders") or {},
        saved.get("results") or {},
        saved.get("messages") or (),
    )


def _check_lists(name: str, key: str, told: object) -> None:
    """Raise InputError unless each power has a list of texts, or null."""
    if not isinstance(told, Mapping):
        raise InputError(f"{key} of {name} in the saved game are no object")
    for power, listed in told.items():
        is_list = isinstance(listed, (list, tuple)) and all(isinstance(x, str) for x in listed)
        if listed is not None and not is_list:
            raise InputError(f"{key} of {power} in {name} of the saved game are no list of texts")


def write_game(game: SavedGame) -> str:
    """Return a saved game as one line of JSON.

    >>> read_game(write_game(SavedGame("7", "standard", ()))).id
    '7'
    """
    return json.dumps(game.to_json())


def state_of(
    state: Mapping[str, Any], map_name: str, phase: str, options: Mapping[str, object] = {}
) -> State:
    """Return the state described by the `state` object of a saved game.

    Raises:
        InputError: the position is not possible.
    """
    for key in ("units", "retreats", "centers"):
        if not isinstance(state.get(key) or {}, Mapping):
            raise InputError(f"{key} of the state of {phase} are no object")
    retreats = state.get("retreats") or {}
    units: dict[str, list[str]] = {}
    dislodged: dict[str, list[dict[str, object]]] = {}
    for power, found in (state.get("units") or {}).items():
        listed = found or ()
        units[power] = [unit for unit in listed if not unit.startswith("*")]
        for unit in (unit[1:] for unit in listed if unit.startswith("*")):
            open_to = (retreats.get(power) or {}).get(unit, [])
            dislodged.setdefault(power, []).append({"unit": unit, "options": open_to})
    data = {
        "map": map_name,
        "phase": phase,
        "units": units,
        "dislodged": dislodged,
        "centers": state.get("centers") or {},
        "options": dict(options),
    }
    return from_json(data)


def phase_name(state: State) -> str:
    """Return the name of a phase in saved games: adjustments are in winter.

    >>> from judge.diplomacy.state import opening
    >>> phase_name(opening()), phase_name(opening(blank_board=True))
    ('S1901M', 'W1900A')
    """
    return _name_of(state.position.phase)


def _name_of(phase: Phase) -> str:
    return f"W{phase.year:04}A" if phase.kind is PhaseKind.ADJUSTMENT else str(phase)


def saved_state(state: State) -> dict[str, Any]:
    """Return a state in the form of saved games."""
    position, board = state.position, state.board
    told: dict[str, Any] = {"name": phase_name(state), "map": board.name}
    parts = ("units", "retreats", "centers", "homes", "civil_disorder", "builds")
    told |= {part: {} for part in parts}
    for power in state.powers:
        name = power.upper()
        # A unit without a place to retreat to counts as disbanded.
        beaten = [one for one in position.dislodged.get(power, ()) if one.retreats != ()]
        told["units"][name] = [str(unit) for unit in position.units.get(power, ())]
        told["units"][name] += [f"*{one.unit}" for one in beaten]
        told["retreats"][name] = {
            str(one.unit): [place.upper() for place in one.retreats or ()] for one in beaten
        }
        told["centers"][name] = [centre.upper() for centre in position.centres(power)]
        told["homes"][name] = [p.abbr.upper() for p in board.provinces.values() if p.home == power]
        told["civil_disorder"][name] = 0
        told["builds"][name] = _builds(state, power)
    return told


def _builds(state: State, power: str) -> dict[str, object]:
    if state.position.phase.kind is not PhaseKind.ADJUSTMENT:
        return {"count": 0, "homes": []}
    count = adjustment_count(state.board, state.position, power, state.rules)
    homes = buildable(state.board, state.position, power, state.rules) if count > 0 else ()
    return {"count": count, "homes": [home.upper() for home in homes]}


def saved_text(order: Order) -> str:
    """Return an order in the form of saved games.

    >>> from judge.board.map import Unit, UnitKind
    >>> saved_text(Build(Unit(UnitKind.ARMY, "Par")))
    'A PAR B'
    """
    match order:
        case Build(unit):
            return f"{unit} B"
        case Move(unit, to, True, _):
            return f"{unit} - {to.upper()} VIA"
        case _:
            return order_text(order)


def saved_results(result: Result) -> dict[str, list[str]]:
    """Return unit → results of its order, in the words of saved games."""
    told: dict[str, list[str]] = {}
    for verdict in _verdicts(result):
        unit = "WAIVE" if isinstance(verdict.order, Waive) else str(unit_of(verdict.order))
        told[unit] = _list_outcome_words(verdict, result)
    return told


def _verdicts(result: Result) -> Iterator[Verdict]:
    for power in result.before.powers:
        yield from result.verdicts.get(power, ())


def _list_outcome_words(verdict: Verdict, result: Result) -> list[str]:
    """Return the results of an order that saved games have words for.

    A removal is a success there; a unit that does not retreat is disbanded.
    """
    words = {Outcome.SUCCEEDS: "", Outcome.NO_ORDER: "", Outcome.DISBANDED: "disband"}
    if result.before.position.phase.kind is PhaseKind.ADJUSTMENT:
        words[Outcome.DISBANDED] = ""
    said = [words.get(outcome, outcome.value) for outcome in verdict.outcomes]
    return [word for word in said if word]


def saved_phase(
    result: Result,
    orders: Mapping[str, Sequence[str]],
    state: Mapping[str, Any] | None = None,
) -> SavedPhase:
    """Return an adjudicated phase in the form of saved games.

    `state` is its state in that form, if the caller has it already.
    """
    before = result.before
    given = {power.upper(): list(orders.get(power.upper(), ())) for power in before.powers}
    told = saved_state(before) if state is None else state
    return SavedPhase(phase_name(before), told, given, saved_results(result))


class Difference(NamedTuple):
    """A difference between a replayed game and its record."""

    phase: str
    what: str
    """"order" (its result), "phase", or "units", "retreats", "centers" after it."""
    power: str
    order: str
    """The order whose result differs, if any."""
    recorded: str
    ours: str

    def __str__(self) -> str:
        about = f"{self.power}: {self.order}" if self.order else f"{self.what} {self.power}".strip()
        return f"{self.phase} {about}: recorded {self.recorded or '-'}, ours {self.ours or '-'}"


def replay(game: SavedGame, **options: object) -> list[Difference]:
    """Adjudicate every phase of a saved game from its recorded state.

    Return the differences from the record. Unreadable orders are left out, as the recording
    programs did. The record may have phases that are skipped here because no power has a choice in
    them.

    Raises:
        InputError: a recorded position is not possible.
    """
    found: list[Difference] = []
    for played, after in zip(game.phases, game.phases[1:]):
        state = game.state(played, **options)
        result = state.adjudicate(readable(state, played.orders))
        if played.results:
            found += _orders_differ(played, result)
        found += _states_differ(played, result, after)
    return found


def readable(state: State, orders: Mapping[str, Sequence[str] | None]) -> dict[str, list[Order]]:
    """Return the readable orders of a record.

    Raises:
        InputError: there is no such power.
    """
    filed: dict[str, list[Order]] = {}
    for power, given in orders.items():
        for text in given or ():
            try:
                filed.setdefault(power, []).append(state.read_order(text, power))
            except InputError:
                state.power(power)
    return filed


_CALLED = {"disrupted": "no convoy"}


def _orders_differ(played: SavedPhase, result: Result) -> Iterator[Difference]:
    for power, verdicts in result.verdicts.items():
        for verdict in verdicts:
            unit = str(unit_of(verdict.order))
            if unit not in played.results or Outcome.NO_ORDER in verdict.outcomes:
                continue
            recorded = {_CALLED.get(str(one), str(one)) for one in played.results[unit]} - {""}
            ours = set(_list_outcome_words(verdict, result))
            if recorded != ours:
                texts = " ".join(sorted(recorded)), " ".join(sorted(ours))
                order = saved_text(verdict.order)
                yield Difference(played.name, "order", power.upper(), order, *texts)


def _states_differ(played: SavedPhase, result: Result, after: SavedPhase) -> Iterator[Difference]:
    ours: Mapping[str, Any] = saved_state(result.state)
    parts = ["units", "retreats", "centers"]
    if after.name == COMPLETED:
        parts = ["centers"]
    elif ours["name"] != after.name:
        passed = _state_in(after.name, result)
        if passed is None:
            yield Difference(played.name, "phase", "", "", after.name, str(ours["name"]))
            return
        ours = passed
    for part in parts:
        for power, told in ours[part].items():
            recorded = _read_recorded(after.state, part, power)
            if _plain(recorded) != _plain(told):
                texts = _plain(recorded), _plain(told)
                yield Difference(played.name, part, power, "", *texts)


def _state_in(name: str, result: Result) -> Mapping[str, Any] | None:
    """Return the state in a phase that was skipped because no power had a choice.

    None if no skipped phase has that name.
    """
    before, found = result.before, result.state
    phase = before.position.phase.after()
    while phase != found.position.phase and phase.kind is not PhaseKind.MOVEMENT:
        if _name_of(phase) == name:
            told = saved_state(found)
            for power, units in result.adjudged.after.removed.items():
                told["units"][power.upper()] += map(str, units)
            if phase.kind is PhaseKind.RETREAT:
                # Centres change hands only after a retreat phase.
                told["centers"] = saved_state(before)["centers"]
            return told | {"retreats": {power: {} for power in told["units"]}}
        phase = phase.after()
    return None


def _read_recorded(state: Mapping[str, Any], part: str, power: str) -> Any:
    """Return a part of a recorded state, without units that have no retreat.

    Records of some programs have such units, and the phase in which they are disbanded.
    """
    told = (state.get(part) or {}).get(power) or []
    retreats = (state.get("retreats") or {}).get(power) or {}
    if part == "units":
        return [unit for unit in told if unit[:1] != "*" or retreats.get(unit[1:])]
    if part == "retreats":
        return {unit: places for unit, places in retreats.items() if places}
    return told


def _plain(part: Any) -> str:
    if isinstance(part, Mapping):
        return "; ".join(f"{unit}: {' '.join(sorted(to))}" for unit, to in sorted(part.items()))
    return ", ".join(sorted(part))
