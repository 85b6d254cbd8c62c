"""The system's interface: filing orders, missing orders and receipts."""

import json
from dataclasses import fields

import pytest
from english import in_english, pieces_of
from scenes import unit
from tables import DICE, YOUNGSTOWN, position, read, table

from judge.board.position import Dislodged, Position
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.rules.ruleset import Rules, rules_from
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.diplomacy.views.record import load_text
from judge.games.system import Viewer, ViewerRole
from judge.model.phrase import ComplaintKind


def sheet(at: DiplomacyTable, power: str, *texts: str, on: str = "") -> str:
    """Return a power's sheet after a mail."""
    told = read(at, power, *texts, sheets={power: on} if on else {})
    return told.sheets.get(power, on)


BUILDING = position(
    "F1901A",
    {"India": "F BEN, A NEP, A KAS", "France": "A PAR"},
    {"India": "Cal Del Mad Brm Cey", "France": "Par"},
)
"""A Fall in which India has two builds, in Calcutta, Delhi or Madras."""

REMOVING = position("F1901A", {"India": "F BEN, A NEP, A KAS"}, {"India": "Del"})

RETREATING = position(
    "S1901R",
    {"India": "A DEL", "China": "A KAS, A NEP"},
    dislodged={"India": [Dislodged(unit("F MAD", YOUNGSTOWN), "Cey")]},
)


def test_the_system_lists_its_maps_and_powers() -> None:
    assert [*SYSTEM.maps()] == [
        "standard", "youngstown", "evt", "fga", "fleetrome", "fva", "fvj", "gvi", "gvr", "ier",
        "shiftr", "v1898", "chaos", "ychaos",
    ]
    assert [side.letter for side in SYSTEM.powers("youngstown", {})] == list("ACEFGNIJRT")


def test_a_game_opens_with_a_unit_in_each_home_centre() -> None:
    found = load_text(SYSTEM.initial_position("youngstown", {}, DICE))
    assert sum(map(len, found.units.values())) == 39
    assert {u.province for units in found.units.values() for u in units} == set(found.owners)
    assert str(found.phase) == "S1901M"


def test_every_rule_is_an_explained_option_with_its_default() -> None:
    options = {option.name: option for option in SYSTEM.options("youngstown")}
    settled = {"extra_builds", "extra_removals"}
    assert set(options) == {field.name for field in fields(Rules)} - settled
    for name, option in options.items():
        assert in_english(option.help)
        says = [in_english(said) for said in option.says]
        assert all(said.endswith(".") for said in says)
        if not option.values:
            assert "98765" in in_english(option.describe_number("98765"))
            assert option.least <= option.most
            continue
        assert rules_from({name: option.values[0]}) == Rules()
        chosen = [getattr(rules_from({name: value}), name) for value in option.values]
        assert len(set(chosen)) == len(option.values) == len(set(says))
        assert set(option.also.values()) <= {"", *option.values}


def test_all_powers_must_order_in_a_movement_phase() -> None:
    at = table()
    assert in_english(at.phase) == ("S1901M", "move", "Spring of 1901", "Movement")
    assert at.powers_due() == frozenset(at.powers_alive())
    assert at.missing_orders("India", "") == ("A CAL", "A DEL", "F MAD")


def test_orders_are_filed_and_no_longer_missing() -> None:
    at = table()
    told = read(at, "India", "A CAL - BRM", "F MAD H")
    assert [line.filed for line in told.lines] == [("A CAL - BRM",), ("F MAD H",)]
    assert list(told.sheets) == ["India"]
    assert at.missing_orders("India", told.sheets["India"]) == ("A DEL",)


def test_a_new_order_replaces_the_old_one_for_its_unit_only() -> None:
    at = table()
    first = sheet(at, "India", "A CAL - BRM", "A DEL - KAS")
    second = sheet(at, "India", "A CAL - NEP", on=first)
    assert sorted(json.loads(second)) == ["A CAL - NEP", "A DEL - KAS"]


def test_the_last_order_for_a_unit_in_one_mail_counts() -> None:
    assert json.loads(sheet(table(), "India", "A CAL - BRM", "A CAL H")) == ["A CAL H"]


def test_a_refused_line_changes_nothing() -> None:
    at = table()
    on = sheet(at, "India", "A CAL - BRM")
    told = read(at, "India", "A CAL - PAR", sheets={"India": on})
    assert told.sheets == {}
    complaint = told.lines[0].complaint
    assert complaint and complaint.kind is ComplaintKind.ILLEGAL and complaint.line == 1


def test_good_lines_count_next_to_bad_ones() -> None:
    told = read(table(), "India", "A CAL - PAR", "A DEL - KAS")
    assert json.loads(told.sheets["India"]) == ["A DEL - KAS"]
    assert [bool(line.complaint) for line in told.lines] == [True, False]


def test_every_complaint_about_a_line_is_reported() -> None:
    told = read(table(), "India", "A CAL - PAR; A DEL - KAS; F MAD - ROM")
    assert [line.complaint is not None for line in told.lines] == [True, True]
    assert told.lines[0].filed == ("A DEL - KAS",)


def test_the_master_orders_units_of_any_power() -> None:
    told = read(table(), None, "A CAL - BRM", "A PAR - BUR")
    assert {power: json.loads(text) for power, text in told.sheets.items()} == {
        "India": ["A CAL - BRM"],
        "France": ["A PAR - BUR"],
    }


def test_builds_accumulate_over_mails() -> None:
    at = table(BUILDING)
    assert at.powers_due() == {"India"}
    assert in_english(at.missing_orders("India", "")) == ("2 builds",)
    first = sheet(at, "India", "BUILD A CAL")
    assert in_english(at.missing_orders("India", first)) == ("1 build",)
    second = sheet(at, "India", "BUILD F MAD", on=first)
    assert json.loads(second) == ["BUILD A CAL", "BUILD F MAD"]
    assert at.missing_orders("India", second) == ()


def test_a_build_for_the_same_place_replaces_the_old_one() -> None:
    at = table(BUILDING)
    assert json.loads(sheet(at, "India", "BUILD A MAD", "BUILD F MAD")) == ["BUILD F MAD"]


def test_the_last_of_too_many_builds_count() -> None:
    told = read(table(BUILDING), "India", "BUILD A CAL", "BUILD A DEL", "BUILD F MAD")
    assert json.loads(told.sheets["India"]) == ["BUILD A DEL", "BUILD F MAD"]
    assert told.lines[0].complaint and told.lines[0].filed == ()
    assert told.lines[0].complaint.reason == (
        "dropped-build", {"order": "BUILD A CAL", "allowed": 2}
    )
    assert told.lines[2].notes == ()


def test_surplus_build_of_a_line_affects_no_other_order() -> None:
    told = read(table(BUILDING), "India", "BUILD A CAL, A DEL, F MAD")
    assert told.lines[0].filed == ("BUILD A DEL", "BUILD F MAD")
    assert told.lines[0].complaint and told.lines[0].complaint.reason.code == "dropped-build"


def test_surplus_build_of_an_earlier_mail_is_noted() -> None:
    on = sheet(table(BUILDING), "India", "BUILD A CAL", "BUILD A DEL")
    told = read(table(BUILDING), "India", "BUILD F MAD", sheets={"India": on})
    assert json.loads(told.sheets["India"]) == ["BUILD A DEL", "BUILD F MAD"]
    assert [note.code for note in told.lines[0].notes] == ["dropped-build"]
    assert told.lines[0].complaint is None


def test_repeated_build_is_not_refused_as_surplus() -> None:
    told = read(
        table(BUILDING), "India", "BUILD A CAL", "BUILD A DEL", "BUILD F MAD", "BUILD A CAL"
    )
    assert json.loads(told.sheets["India"]) == ["BUILD F MAD", "BUILD A CAL"]
    assert [bool(line.complaint) for line in told.lines] == [False, True, False, False]


def test_build_replaces_waive_on_file_that_is_sent_again() -> None:
    at = table(BUILDING)
    on = sheet(at, "India", "WAIVE", "WAIVE")
    told = read(at, "India", "WAIVE", "BUILD A CAL", "BUILD A DEL", sheets={"India": on})
    assert json.loads(told.sheets["India"]) == ["BUILD A CAL", "BUILD A DEL"]
    assert [bool(line.complaint) for line in told.lines] == [True, False, False]


def test_waived_builds_count() -> None:
    at = table(BUILDING)
    given = sheet(at, "India", "WAIVE", "BUILD A CAL")
    assert at.missing_orders("India", given) == ()
    assert json.loads(sheet(at, "India", "WAIVE", on=given)) == ["BUILD A CAL", "WAIVE"]


def test_builds_without_a_free_home_centre_are_not_missing() -> None:
    full = position(
        "F1901A", {"India": "A CAL, A DEL"}, {"India": "Cal Del Brm Cey", "France": "Mad Par"}
    )
    at = table(full)
    assert at.powers_due() == frozenset() or "India" not in at.powers_due()
    assert at.missing_orders("India", "") == ()


def test_removals_are_missing_and_the_last_ones_count() -> None:
    at = table(REMOVING)
    assert in_english(at.missing_orders("India", "")) == ("2 removals",)
    told = read(at, "India", "REMOVE A NEP", "REMOVE F BEN", "REMOVE A KAS")
    assert json.loads(told.sheets["India"]) == ["F BEN D", "A KAS D"]
    assert told.lines[0].complaint and told.lines[0].complaint.reason.code == "dropped-removal"


@pytest.mark.parametrize(
    ("found", "text", "code"),
    [(BUILDING, "REMOVE A NEP", "no-removals-due"), (REMOVING, "WAIVE", "no-builds-due")],
)
def test_adjustments_of_the_wrong_kind_are_refused(found: Position, text: str, code: str) -> None:
    told = read(table(found), "India", text)
    assert told.sheets == {}
    complaint = told.lines[0].complaint
    assert complaint and complaint.reason.code == code


def test_only_units_with_an_open_retreat_miss_orders() -> None:
    at = table(RETREATING)
    assert at.powers_due() == {"India"}
    assert at.missing_orders("India", "") == ("F MAD",)
    assert at.missing_orders("China", "") == ()
    assert at.missing_orders("India", sheet(at, "India", "F MAD R BEN")) == ()


def test_a_receipt_shows_every_unit_in_the_classic_wording() -> None:
    at = table()
    told = at.show_sheet("India", sheet(at, "India", "A DEL - KAS", "F MAD S A CAL"))
    assert in_english(told.title) == "Movement orders for Spring of 1901."
    assert list(told.lines) == [
        "India: Army Calcutta, No Order Processed.",
        "India: Army Delhi -> Kashmir.",
        "India: Fleet Madras SUPPORT Army Calcutta.",
    ]
    assert told.missing == ("A CAL",)


def test_a_receipt_of_a_retreat_shows_the_open_provinces() -> None:
    told = table(RETREATING).show_sheet("India", "")
    assert list(told.lines) == ["India: Fleet Madras, No Order Processed."]
    ((_, line),) = pieces_of(told)["dislodged"].units
    line = in_english(line)
    assert line.startswith("The Indian Fleet in Madras can retreat to ")
    assert "Ceylon" not in line


def test_a_receipt_of_adjustments_shows_builds_and_centres() -> None:
    at = table(BUILDING)
    told = at.show_sheet("India", sheet(at, "India", "BUILD A CAL"))
    assert list(told.lines) == [
        "India: Builds an army in Calcutta.",
        "India: 1 unused build pending.",
    ]
    assert in_english(pieces_of(told)["builds"])._asdict() == {
        "due": 2,
        "usable": 2,
        "where": "home centre",
        "example": "A DEL",
        "places": ("Delhi (army)", "Madras (army or fleet)"),
    }


def test_a_receipt_of_removals_shows_them() -> None:
    at = table(REMOVING)
    told = at.show_sheet("India", sheet(at, "India", "REMOVE A NEP"))
    assert list(told.lines) == ["India: Removes the army in Nepal."]
    assert in_english(told.missing) == ("1 removal",)


def test_position_facts_list_units_and_centres() -> None:
    told = table().position_facts(Viewer(ViewerRole.OBSERVER))
    assert ("India", ("Army Calcutta", "Army Delhi", "Fleet Madras")) in in_english(told.rows)


def test_powers_without_units_and_centres_are_not_alive() -> None:
    assert table(BUILDING).powers_alive() == ("France", "India")


def test_rest_holds_keeps_orders_on_file() -> None:
    on = sheet(table(), "India", "A CAL - BRM")
    filed = json.loads(sheet(table(), "India", "The rest hold", on=on))
    assert "A CAL - BRM" in filed and "A CAL H" not in filed
    assert sum(text.endswith(" H") for text in filed) == len(filed) - 1 > 0
