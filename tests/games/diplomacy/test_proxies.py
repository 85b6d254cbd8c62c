"""Proxies: the right to order, the sheets involved and the order that counts."""

import json
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import DICE

from judge.board.position import parse_phase
from judge.dice import Dice
from judge.games.capabilities import ProxyGrant
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.language.future_orders import read_ahead
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.diplomacy.views.adjudicate_json import adjudicate_line
from judge.games.system import Viewer, ViewerRole
from judge.model.incoming import Line

LENT = {"France": '["A PAR PROXY ENGLAND"]'}


def standard(**options: object) -> DiplomacyTable:
    opening = SYSTEM.initial_position("standard", {}, Dice(bytes(32), 1))
    return SYSTEM.table("standard", opening, {"proxy": "on", **options})


def after(sheets: Mapping[str, str], *orders: tuple[str, str]) -> dict[str, str]:
    """Return the sheets after lines of several powers, one after the other."""
    now = dict(sheets)
    for power, text in orders:
        read = standard().read_orders([Line(1, text)], power or None, now)
        assert all(line.complaint is None for line in read.lines), read.lines
        now |= read.sheets
    return now


@pytest.mark.parametrize(
    ("text", "filed"),
    [
        ("A Par PROXY England", "A PAR PROXY ENGLAND"),
        ("PROXY A Par TO England", "A PAR PROXY ENGLAND"),
        ("army paris -> proxy to the english", "A PAR PROXY ENGLAND"),
        ("Par p Eng", "A PAR PROXY ENGLAND"),
        ("A Par PROXY E", "A PAR PROXY ENGLAND"),
        ("A Par P to F", "A PAR NO PROXY"),
        ("France: A Par proxy Germany", "A PAR PROXY GERMANY"),
        ("A Par NO PROXY", "A PAR NO PROXY"),
        ("NO PROXY A Par", "A PAR NO PROXY"),
        ("unproxy paris", "A PAR NO PROXY"),
        ("A Par PROXY nobody", "A PAR NO PROXY"),
        ("A Par PROXY France", "A PAR NO PROXY"),
    ],
)
def test_a_proxy_is_read_in_the_forms_of_other_judges(text: str, filed: str) -> None:
    (line,) = standard().read_orders([Line(1, text)], "France", {}).lines
    assert line.complaint is None
    assert line.filed == (filed,)
    planned = standard().plan_orders([Line(1, text)], "France", "F1903M", "").plan
    again = standard().carry_out(planned, "France", {})
    assert [one.filed for one in again.lines] == [(filed,)]


def test_a_misspelt_proxy_word_is_repaired() -> None:
    (line,) = standard().read_orders([Line(1, "A Par proxi England")], "France", {}).lines
    assert line.filed == ("A PAR PROXY ENGLAND",)
    assert [note.code for note in line.notes] == ["read-as", "proxy-given"]


def test_a_misspelt_proxy_power_is_only_suggested() -> None:
    """The named power would get the right to order the unit."""
    (line,) = standard().read_orders([Line(1, "A Par PROXY Englnd")], "France", {}).lines
    assert line.complaint and line.complaint.suggestions == ("A PAR PROXY ENGLAND",)


@pytest.mark.parametrize(("text", "filed", "choices"), [
    ("A Par proxi England", ("A PAR PROXY ENGLAND",), ()),
    ("A Par PROXY Englnd", (), ("A PAR PROXY ENGLAND",)),
    ("A Pra PROXY England", (), ("A PAR PROXY ENGLAND", "A PRU PROXY ENGLAND")),
])
def test_misspelt_future_proxies_are_repaired_or_suggested(
    text: str, filed: Sequence[str], choices: Sequence[str]
) -> None:
    rules = Rules(proxy=True)
    found = read_ahead(Line(1, text), board("standard"), parse_phase("F1901M"), "France", rules)
    assert tuple(order.text for order in found.orders) == tuple(filed)
    assert tuple(one for each in found.complaints for one in each.suggestions) == tuple(choices)


@pytest.mark.parametrize(
    ("power", "text", "options", "code"),
    [
        ("France", "A Par PROXY England", {"proxy": "off"}, "proxy-off"),
        ("France", "A Mun PROXY England", {}, "not-your-unit"),
        ("France", "A Bur PROXY England", {}, "no-unit"),
        ("England", "A Par PROXY Germany", {}, "not-your-unit"),
        ("Germany", "A Par - Bur", {}, "not-your-unit"),
        ("England", "A Mar - Bur", {}, "not-your-unit"),
        ("England", "F Par - Bur", {}, ""),
        ("England", "A Par - Bur", {}, ""),
        ("England", "France: A Par - Bur", {}, ""),
        ("England", "Germany: A Par - Bur", {}, "not-your-power"),
        ("", "A Par - Bur", {}, ""),
    ],
)
def test_only_the_holder_of_the_proxy_orders_the_unit(
    power: str, text: str, options: Mapping[str, object], code: str
) -> None:
    (line,) = standard(**options).read_orders([Line(1, text)], power or None, LENT).lines
    assert (line.complaint.reason.code if line.complaint else "") == code


@pytest.mark.parametrize(
    ("lines", "sheet", "note"),
    [
        (["A Par - Bur", "A Par PROXY England"], ["A PAR - BUR", "A PAR PROXY ENGLAND"],
         "proxy-given"),
        (["A Par PROXY England", "A Par - Bur"], ["A PAR - BUR"], "proxy-ended"),
        (["A Par - Bur", "A Par P England", "A Par P Italy"], ["A PAR - BUR", "A PAR PROXY ITALY"],
         "proxy-given"),
        (["A Par - Bur", "A Par P England", "A Par NO PROXY"], ["A PAR - BUR"], "proxy-back"),
        (["A Par - Bur", "A Par NO PROXY"], ["A PAR - BUR"], "proxy-none"),
    ],
)
def test_an_order_revokes_a_proxy_but_not_the_reverse(
    lines: Sequence[str], sheet: Sequence[str], note: str
) -> None:
    numbered = [Line(number, text) for number, text in enumerate(lines)]
    read = standard().read_orders(numbered, "France", {})
    assert json.loads(read.sheets["France"]) == sheet
    assert read.lines[-1].notes[-1].code == note


@pytest.mark.parametrize(
    ("orders", "line", "by"),
    [
        ([], "France: Army Paris, No Order Processed.", ""),
        ([("France", "A Par - Bur"), ("France", "A Par P England")],
         "France: Army Paris -> Burgundy.", ""),
        ([("England", "A Par - Pic")], "France: Army Paris -> Picardy.", "England"),
        ([("France", "A Par - Bur"), ("France", "A Par P England"), ("England", "A Par - Pic")],
         "France: Army Paris -> Picardy.", "England"),
        ([("England", "A Par - Pic"), ("France", "A Par NO PROXY")],
         "France: Army Paris, No Order Processed.", ""),
        ([("England", "A Par - Pic"), ("France", "A Par P Italy")],
         "France: Army Paris, No Order Processed.", ""),
        ([("England", "A Par - Pic"), ("", "A Par - Gas")], "France: Army Paris -> Gascony.", ""),
    ],
)
def test_a_proxy_order_counts_before_the_owners(
    orders: Sequence[tuple[str, str]], line: str, by: str
) -> None:
    done = standard().adjudicate(after(LENT, *orders), DICE)
    told = SYSTEM.turn("standard", done.record).results(Viewer(ViewerRole.OBSERVER))
    groups = {group.power: group.lines for group in told.groups}
    (paris,) = [one for one in groups["France"] if "Paris" in one.text]
    assert (paris.text, paris.by) == (line, by)
    assert "Paris" not in str(groups["England"])


def test_a_lent_unit_is_never_missing_and_shown_to_both_sides() -> None:
    sheets = after(LENT, ("England", "A Par - Pic"), ("France", "F Bre H"), ("France", "A Mar H"))
    at = standard()
    assert at.missing_orders("France", sheets["France"]) == ()
    assert at.missing_orders("England", sheets["England"]) == ("A LVP", "F EDI", "F LON")
    assert at.proxy_grants(sheets) == (ProxyGrant("France", "England", "A PAR", "A PAR - PIC"),)
    assert at.known_to("England", sheets) == {"England": '["A PAR - PIC"]', **LENT}
    assert at.known_to("Germany", sheets) == {}
    assert at.known_to("France", sheets) == {"France": sheets["France"]}


def test_default_orders_use_only_units_without_a_proxy() -> None:
    sheet = standard().complete_sheet("France", LENT["France"])
    orders = json.loads(sheet)
    assert orders[0] == "A PAR PROXY ENGLAND"
    assert not any(order.startswith("A PAR") for order in orders[1:])


def test_proxies_on_file_are_void_once_the_rule_is_off() -> None:
    at = standard(proxy="off")
    sheets = {"France": '["A PAR - BUR", "A PAR PROXY ENGLAND"]', "England": '["A PAR - PIC"]'}
    assert at.proxy_grants(sheets) == ()
    assert at.known_to("England", sheets) == {"England": '["A PAR - PIC"]'}
    turn = SYSTEM.turn("standard", at.adjudicate(sheets, DICE).record)
    told = turn.results(Viewer(ViewerRole.OBSERVER))
    lines = [line.text for group in told.groups for line in group.lines]
    assert "France: Army Paris -> Burgundy." in lines
    assert not any("Picardy" in line for line in lines)
    assert "PROXY" not in str(at.show_sheet("France", sheets["France"]).lines)


def test_json_results_name_the_power_that_ordered() -> None:
    case = {
        "map": "standard", "phase": "S1901M", "options": {"proxy": True},
        "units": {"France": ["A PAR"], "England": ["F LON"]},
        "orders": {"England": ["A PAR - BUR", "F LON H"], "France": ["A PAR PROXY ENGLAND"]},
    }
    told = json.loads(adjudicate_line(json.dumps(case)))
    assert told["orders"]["France"] == [
        {"order": "A PAR - BUR", "outcome": ["succeeds"], "proxy": "England"}
    ]
    assert told["units"]["France"] == ["A BUR"]
    del case["options"]
    told = json.loads(adjudicate_line(json.dumps(case)))
    assert told["units"]["France"] == ["A PAR"]


_LINES = st.lists(
    st.tuples(
        st.sampled_from(["England", "France", "Germany"]),
        st.sampled_from([
            f"{unit} {rest}"
            for unit in ("A Par", "F Lon", "A Mun")
            for rest in ("H", "P England", "P France", "P Germany", "NO PROXY")
        ]),
    ),
    max_size=12,
)


@given(_LINES)
def test_with_any_proxies_every_unit_has_at_most_one_order(lines: list[tuple[str, str]]) -> None:
    at, sheets = standard(), dict[str, str]()
    for power, text in lines:
        sheets |= at.read_orders([Line(1, text)], power, sheets).sheets
    done = at.adjudicate(sheets, DICE)
    told = SYSTEM.turn("standard", done.record).results(Viewer(ViewerRole.OBSERVER))
    for group in told.groups:
        assert not any("void" in line.text for line in group.lines)
        assert len(group.lines) == (4 if group.power == "Russia" else 3)
    for trust in at.proxy_grants(sheets):
        assert trust.owner != trust.holder


@pytest.mark.parametrize(
    ("orders", "published"),
    [
        ([("France", "A Par - Bur"), ("France", "A Par P England")], {"France": ["A PAR - BUR"]}),
        ([("France", "A Par - Bur"), ("France", "A Par P England"), ("England", "A Par - Pic")],
         {"France": ["A PAR PROXY ENGLAND"], "England": ["A PAR - PIC"]}),
        ([("England", "A Par - Pic"), ("France", "A Par - Bur")],
         {"France": ["A PAR - BUR"], "England": []}),
    ],
)
def test_published_orders_are_the_counted_ones_and_used_proxies(
    orders: Sequence[tuple[str, str]], published: Mapping[str, Sequence[str]]
) -> None:
    found = standard().select_public_orders(after(LENT, *orders))
    assert {power: json.loads(sheet or "[]") for power, sheet in found.items()} == published
