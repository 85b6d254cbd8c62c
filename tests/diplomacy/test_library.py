"""The engine as a library: its names, its refusals and the modules it loads."""

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from random_boards import random_case

from judge import diplomacy
from judge.board.position import PhaseKind, Position
from judge.diplomacy import drawing
from judge.diplomacy.state import State
from judge.games.diplomacy.rules.ruleset import Rules

PARIS = {"phase": "S1901M", "units": {"France": ["A PAR", "F BRE"]}}


def test_every_exported_name_has_a_docstring() -> None:
    for name in diplomacy.__all__:
        assert getattr(diplomacy, name).__doc__, name


def test_import_loads_no_mail_database_or_page() -> None:
    """`email` and `html` may be loaded, but only by `importlib.metadata`."""
    asked = "import sys; from judge import diplomacy; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    loaded = {".".join(name.split(".")[:2]) for name in done.stdout.split()}
    others = {"aiosmtpd", "argon2", "authres", "bs4", "flufl", "icalendar", "jinja2", "peewee",
              "PIL", "prometheus_client", "resvg_py", "smtplib", "sqlite3"}
    rooms = {f"judge.{room}" for room in ("mail", "store", "play", "site", "daemon", "terminal")}
    assert not loaded & (others | rooms)


REFUSED = [
    ({"map": "mars"}, "no map 'mars'"),
    ({"phase": "X1901M"}, "no phase: 'X1901M'"),
    ({"phase": "S1901A"}, "no adjustments in spring"),
    ({"units": {"Gaul": ["A PAR"]}}, "no power: 'Gaul'"),
    ({"units": {"France": ["A XYZ"]}}, "no place: 'XYZ'"),
    ({"units": {"France": ["B PAR"]}}, "no unit: 'B PAR'"),
    ({"units": {"France": ["A NTH"]}}, "no army can stand in NTH"),
    ({"units": {"France": ["F PAR"]}}, "no fleet can stand in PAR"),
    ({"units": {"France": ["F SPA"]}}, "no fleet can stand in SPA"),
    ({"units": {"France": ["A PAR"], "Italy": ["A PAR"]}}, "two units in Par"),
    ({"units": None}, "units: no object"),
    ({"centers": {"France": ["BUR"]}}, "no supply centre: Bur"),
    ({"centers": {"France": ["PAR"], "Italy": ["PAR"]}}, "two owners of Par"),
    ({"dislodged": {"France": [{"unit": "A MAR"}]}}, "which is no retreat phase"),
    ({"quiet_falls": -1}, "no count: -1"),
    ({"options": {"paradox": "roulette"}}, "option 'paradox' cannot be 'roulette'"),
    ({"options": {"dice": True}}, "no option 'dice'"),
    ({"unit": {}}, "no such key of a position: 'unit'"),
]


@pytest.mark.parametrize(("change", "said"), REFUSED)
def test_an_impossible_position_is_refused_in_words(
    change: Mapping[str, object], said: str
) -> None:
    with pytest.raises(diplomacy.InputError, match=said):
        diplomacy.from_json({**PARIS, **change})


@pytest.mark.parametrize("data", [None, [], "{}", 7, [("phase", "S1901M")]])
def test_a_position_must_be_a_json_object(data: Any) -> None:
    with pytest.raises(diplomacy.InputError, match="no position, which is a JSON object: "):
        diplomacy.from_json(data)


def test_states_and_results_have_distinct_reprs() -> None:
    start = diplomacy.opening()
    assert repr(start) == "<State standard S1901M, 22 units>"
    assert repr(start.adjudicate({})) == "<Result standard S1901M, next F1901M>"


def test_an_order_of_no_power_of_the_map_is_not_read() -> None:
    with pytest.raises(diplomacy.InputError, match="no power 'Gaul'"):
        diplomacy.opening().read_order("A PAR - BUR", "Gaul")


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        (None, "orders are given power by power, not as None"),
        (["A PAR - BUR"], "orders are given power by power, not as "),
        ({"France": ["A PAR - BUR"], "FRANCE": ["A MAR - SPA"]}, "France are given twice"),
        ({"France": None}, "the orders of France are no list: None"),
        ({7: []}, "no power 7"),
        ({"Gaul": []}, "no power 'Gaul'"),
        ({"France": ["A PAR -"]}, "no order 'A PAR -' of France"),
        ({"France": ["A PAR - XYZ"]}, "no order 'A PAR - XYZ' of France"),
        ({"France": "A PAR - BUR"}, "the orders of France are one text"),
        ({"France": [7]}, "no order of France: 7"),
        ({"France": [diplomacy.Hold(diplomacy.Unit(diplomacy.UnitKind.ARMY, "Xyz"))]}, "'Xyz'"),
    ],
)
def test_an_invalid_order_is_named_in_the_error(orders: Any, said: str) -> None:
    state = diplomacy.opening()
    with pytest.raises(diplomacy.InputError, match=said):
        state.adjudicate(orders)


def test_an_illegal_order_is_void_with_a_reason() -> None:
    result = diplomacy.opening().adjudicate({"France": ["A PAR - LON", "F LON - ENG"]})
    (verdict, *_, other) = [v for v in result.verdicts["France"] if v.outcomes[0].value == "void"]
    assert result.why(verdict) == "A PAR cannot reach Lon."
    assert result.why(other) == "The unit in Lon belongs to England."


PARADOX = {
    "England": ["F LON S F WAL - ENG", "F WAL - ENG"],
    "France": ["A BRE - LON", "F ENG C A BRE - LON"],
}
BESIEGED = {
    "Germany": ["A MUN - BUR", "A RUH S A MUN - BUR"], "Italy": ["A MAR - BUR"],
    "France": ["A BUR S A PAR H", "A PAR - GAS"],
}
DUEL = {"England": ["A LON - WAL", "A YOR S A LON - WAL"], "France": ["A WAL - LON"]}


@pytest.mark.parametrize(
    ("orders", "rules", "unit", "told"),
    [
        (PARADOX, {}, "F ENG", "Convoy paradox: F ENG could not convoy."
                               " Dislodged by England's F WAL, 2 against 1."),
        (PARADOX, {"paradox": "2000"}, "F ENG", "Dislodged by England's F WAL, 2 against 1."),
        (DUEL, {}, "A WAL", "Dislodged by England's A LON, 2 against 1."),
        (BESIEGED, {}, "A BUR", "France's A PAR was supported to stay, but was ordered to move"
                                " (A PAR - GAS). Dislodged by Germany's A MUN, 2 against 1."),
    ],
)  # fmt: skip
def test_reason_of_a_dislodged_unit_names_the_dislodger(
    orders: dict[str, list[str]], rules: dict[str, Any], unit: str, told: str
) -> None:
    units = {
        power: [" ".join(order.split()[:2]) for order in listed]
        for power, listed in orders.items()
    }
    values = {"phase": "S1901M", "units": units, "centers": {}, "options": rules}
    result = diplomacy.from_json(values).adjudicate(orders)
    assert result.why(result.verdict(unit)) == told
    told_orders: Any = result.to_json()["orders"]
    verdicts = [each for found in told_orders.values() for each in found]
    (because,) = [each["because"] for each in verdicts if each["order"].startswith(unit)]
    assert because == told


@pytest.mark.parametrize(
    "text", ["A PAR - BUR", "a par-bur", "A Paris to Burgundy", "Army Paris -> Bur", "par - bur"]
)
def test_an_order_may_be_spelled_in_any_way_with_one_meaning(text: str) -> None:
    order = diplomacy.opening().read_order(text, "france")
    assert diplomacy.order_text(order) == "A PAR - BUR"


@pytest.mark.parametrize("given", ["A PAR - BUR", None, ["A PAR H"], 7])
def test_order_text_refuses_other_objects(given: object) -> None:
    with pytest.raises(diplomacy.InputError, match="no order: "):
        diplomacy.order_text(given)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(12))
def test_a_state_survives_its_json(seed: int) -> None:
    rules = Rules(paradox="1982", last_year=1910) if seed % 2 else Rules()
    on, at, orders = random_case(seed, 30, rules=rules)
    state = State(diplomacy.board(on.name, rules), at, rules)
    assert _same(state)
    played = state.adjudicate(orders).state
    assert _same(played)


def _same(state: State) -> bool:
    again = diplomacy.from_json(json.loads(json.dumps(state.to_json())))
    return _plain(again.position) == _plain(state.position) and again.rules == state.rules


def _plain(at: Position) -> tuple[object, ...]:
    beaten = {
        power: sorted((str(d.unit), d.origin, d.by_convoy, d.retreats) for d in found)
        for power, found in at.dislodged.items()
        if found and at.phase.kind is PhaseKind.RETREAT
    }
    units = {power: set(found) for power, found in at.units.items() if found}
    return at.phase, units, dict(at.owners), beaten, at.contested, at.quiet_falls


@pytest.mark.parametrize("name", diplomacy.map_names())
def test_a_whole_game_is_played_with_the_first_orders_listed(name: str) -> None:
    state, result = diplomacy.opening(name, last_year=1903), None
    while result is None or not result.winners:
        orders = {
            power: [texts[-1] for texts in state.legal_orders(power).values()]
            for power in state.to_order
        }
        result = state.adjudicate(orders)
        state = result.state
    assert result.ending and set(result.winners) <= set(state.powers)
    assert result.before.position.phase.year == 1903


def test_units_to_build_are_listed_with_the_choice_to_build_none() -> None:
    state = diplomacy.from_json({
        "phase": "F1901A", "units": {"Russia": ["A MOS"]},
        "centers": {"Russia": ["MOS", "STP", "RUM"]},
    })
    assert state.legal_orders("Russia") == {
        "A STP": ("BUILD A STP",),
        "F STP/NC": ("BUILD F STP/NC",),
        "F STP/SC": ("BUILD F STP/SC",),
        "WAIVE": ("WAIVE",),
    }
    after = state.adjudicate({"Russia": ["F STP/NC B", "WAIVE"]}).state
    assert after.units == {"Russia": ("A MOS", "F STP/NC")}


def test_states_and_results_are_drawn() -> None:
    state = diplomacy.opening("youngstown")
    result = state.adjudicate({})
    assert drawing.svg(result, "marco").startswith("<svg")
    assert drawing.png(state, width=300).startswith(b"\x89PNG")
