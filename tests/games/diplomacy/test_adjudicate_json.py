"""`judge adjudicate`: one JSON object per input line, one per output line."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.games.diplomacy.views.adjudicate_json import adjudicate_line, options_line, read_case

CASE: dict[str, object] = {
    "id": "x",
    "map": "standard",
    "phase": "S1901M",
    "units": {"England": ["F NTH", "A LON"], "France": ["A BUR"], "Germany": ["A MUN", "A RUH"]},
}


def _answer(orders: Mapping[str, object] | None = None, **more: object) -> dict[str, Any]:
    answer = json.loads(adjudicate_line(json.dumps({**CASE, "orders": orders or {}, **more})))
    assert isinstance(answer, dict)
    return answer


def _verdict(answer: Mapping[str, Any], power: str, order: str) -> dict[str, Any]:
    found = [told for told in answer["orders"][power] if told["order"] == order]
    assert len(found) == 1
    verdict = found[0]
    assert isinstance(verdict, dict)
    return verdict


def test_a_result_has_all_its_keys() -> None:
    answer = _answer({"England": ["F NTH C A LON - NWY", "A LON - NWY"]})
    assert list(answer) == ["id", "units", "dislodged", "contested", "centers", "orders", "next"]
    assert answer["id"] == "x" and answer["next"] == "F1901M"
    assert answer["units"] == {
        "England": ["A NWY", "F NTH"],
        "France": ["A BUR"],
        "Germany": ["A MUN", "A RUH"],
    }
    assert _verdict(answer, "England", "A LON - NWY") == {
        "order": "A LON - NWY",
        "outcome": ["succeeds"],
    }
    assert _verdict(answer, "France", "A BUR H")["outcome"] == ["no order"]


def test_a_dislodged_unit_is_listed_separately_with_retreats() -> None:
    answer = _answer({"Germany": ["A RUH - BUR", "A MUN S A RUH - BUR"]})
    retreats = ["BEL", "GAS", "MAR", "PAR", "PIC"]
    entry = {"unit": "A BUR", "from": "RUH", "via": False, "retreats": retreats}
    assert answer["dislodged"] == {"France": [entry]}
    assert "France" not in answer["units"]
    assert answer["next"] == "S1901R"
    verdict = _verdict(answer, "France", "A BUR H")
    assert verdict["outcome"] == ["dislodged", "no order"]
    assert verdict["because"] == "Dislodged by Germany's A RUH, 2 against 1."
    assert verdict["reason"]["code"] == "dislodged"


@pytest.mark.parametrize(
    "order,code",
    [
        ("A BUR - Xyzzy", "unknown-place"),
        ("A MUN - KIE", "not-your-unit"),
        ("lorem ipsum", "unknown-place"),
        ("A BUR - LON", "cannot-reach"),
        ("A BUR - MOS", "cannot-reach"),
    ],
)
def test_an_impossible_order_is_void_and_its_unit_holds(order: str, code: str) -> None:
    answer = _answer({"France": [order]})
    verdict = _verdict(answer, "France", order)
    assert verdict["outcome"] == ["void"] and verdict["because"]
    assert verdict["reason"]["code"] == code
    assert answer["units"]["France"] == ["A BUR"]


def test_impossible_orders_of_every_power_are_reported() -> None:
    """Valid orders of the same power still count."""
    told = _answer({
        "England": ["A LON - MOS", "F NTH - NWY"], "France": ["A BUR - LON"], "Germany": ["x"],
    })
    assert told["units"]["England"] == ["A LON", "F NWY"]
    void = {
        power: [one["order"] for one in verdicts if one["outcome"] == ["void"]]
        for power, verdicts in told["orders"].items()
    }
    assert void == {"England": ["A LON - MOS"], "France": ["A BUR - LON"], "Germany": ["x"]}


def test_orders_are_read_in_every_spelling_of_the_tables() -> None:
    answer = _answer({"France": ["Burgundy -> marseilles"]})
    assert answer["units"]["France"] == ["A MAR"]


def test_retreats_follow_the_rules_or_the_options_given() -> None:
    beaten: dict[str, object] = {"unit": "A BUR", "from": "MUN"}
    common = {"phase": "S1901R", "units": {"France": ["A PAR"]}, "contested": ["GAS"]}
    for place, entry, outcome in (
        ("PIC", beaten, ["succeeds"]),
        ("MUN", beaten, ["void", "disbanded"]),
        ("GAS", beaten, ["void", "disbanded"]),
        ("MUN", {"unit": "A BUR"}, ["succeeds"]),
        ("MUN", {**beaten, "via": True}, ["succeeds"]),
        ("GAS", {**beaten, "options": ["GAS"]}, ["succeeds"]),
        ("PIC", {**beaten, "options": ["GAS"]}, ["void", "disbanded"]),
    ):
        answer = _answer({"France": [f"A BUR - {place}"]}, dislodged={"France": [entry]}, **common)
        assert [told["outcome"] for told in answer["orders"]["France"]] == [outcome], (place, entry)


def test_adjustments_and_centres_come_out() -> None:
    answer = _answer(
        {"France": ["build F Bre", "build A StP"]},
        phase="W1901A",
        units={"France": ["A PAR"]},
        centers={"France": ["PAR", "BRE", "MAR"]},
    )
    assert answer["units"] == {"France": ["A PAR", "F BRE"]}
    assert answer["centers"] == {"France": ["BRE", "MAR", "PAR"]}
    assert answer["next"] == "S1902M"


def test_options_are_the_rules_of_the_game() -> None:
    units = {"Russia": ["F STP/NC"]}
    for value, place in (("on", "F OMS"), ("off", "F STP/NC")):
        answer = _answer(
            {"Russia": ["F StP/nc - Oms"]}, map="youngstown", units=units,
            options={"icebreaker": value},
        )  # fmt: skip
        assert answer["units"]["Russia"] == [place]


def test_orders_are_listed_of_every_power_and_unit() -> None:
    units = {"France": ["A PAR", "F BRE"], "Germany": ["A MUN"]}
    asked = {"id": 1, "map": "standard", "phase": "S1901M", "units": units, "centers": {}}
    orders = json.loads(options_line(json.dumps(asked)))["orders"]
    assert {power: list(units) for power, units in orders.items()} == {
        "France": ["A PAR", "F BRE"], "Germany": ["A MUN"],
    }


@pytest.mark.parametrize(
    "change,error",
    [
        ({"map": "mars"}, "no map 'mars'"),
        ({"map": None}, "no map"),
        ({"phase": "X1901M"}, "no phase: 'X1901M'"),
        ({"phase": 7}, "no phase"),
        ({"units": {"Mordor": ["A LON"]}}, "no power: 'Mordor'"),
        ({"units": {"France": ["A PAR"], "Italy": ["A PAR"]}}, "two units in Par"),
        ({"units": {"France": ["F PAR"]}}, "no fleet can stand in PAR"),
        ({"units": {"France": ["A NTH"]}}, "no army can stand in NTH"),
        ({"units": {"France": ["F STP"]}}, "no fleet can stand in STP"),
        ({"units": {"France": ["A MOON"]}}, "no place: 'MOON'"),
        ({"units": {"France": ["F BRE/NC"]}}, "no coast: 'BRE/NC'"),
        ({"units": {"France": ["PAR"]}}, "no unit: 'PAR'"),
        ({"units": {"France": [7]}}, "no text: 7"),
        ({"units": {"France": "A PAR"}}, "no list: 'A PAR'"),
        ({"units": []}, "units: no object"),
        ({"units": ["A PAR"]}, "units: no object"),
        ({"centers": {"France": ["BUR"]}}, "no supply centre: Bur"),
        ({"centers": {"France": ["PAR"], "Italy": ["PAR"]}}, "two owners of Par"),
        ({"dislodged": {"France": ["A BUR"]}}, "no dislodged unit: 'A BUR'"),
        ({"dislodged": {"France": [{}]}}, "no text: None"),
        ({"contested": "GAS"}, "no list: 'GAS'"),
        ({"orders": {"France": [None]}}, "no text: None"),
        ({"options": 7}, "options: no object"),
    ],
)
def test_an_invalid_position_is_answered_by_an_error(
    change: Mapping[str, object], error: str
) -> None:
    assert _answer(**change) == {"id": "x", "error": error}


def test_a_position_without_units_is_an_error() -> None:
    bare = {name: value for name, value in CASE.items() if name != "units"}
    assert json.loads(adjudicate_line(json.dumps(bare))) == {"id": "x", "error": "no units"}


@pytest.mark.parametrize("line", ["", "[1]", "7", "null", "{", '{"id": 3}', "[" * 100_000])
def test_a_line_without_an_object_is_answered_too(line: str) -> None:
    assert "error" in json.loads(adjudicate_line(line))


def test_the_map_may_be_named_once_for_all_lines() -> None:
    line = json.dumps({key: value for key, value in CASE.items() if key != "map"})
    assert json.loads(adjudicate_line(line))["error"] == "no map"
    assert json.loads(adjudicate_line(line, "standard"))["next"] == "F1901M"


def test_a_result_is_accepted_as_input() -> None:
    answer = _answer({"Germany": ["A RUH - BUR", "A MUN S A RUH - BUR"]})
    again = {**answer, "map": "standard", "phase": answer["next"]}
    again["orders"] = {"France": ["A BUR - GAS"]}
    assert json.loads(adjudicate_line(json.dumps(again)))["units"]["France"] == ["A GAS"]


def test_a_case_is_read_without_being_adjudicated() -> None:
    board, position, orders, rules = read_case({**CASE, "orders": {"France": ["A BUR H", "?"]}})
    assert board.name == "standard" and str(position.phase) == "S1901M"
    assert len(orders["France"]) == 1 and rules.paradox == "szykman"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = ("map", "phase", "units", "dislodged", "contested", "centers", "orders", "options")


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from(KEYS), JSON)
def test_any_line_is_answered_without_an_exception(key: str, value: object) -> None:
    answer = json.loads(adjudicate_line(json.dumps({**CASE, key: value})))
    assert ("error" in answer) != ("next" in answer)
