"""Positions set up by a master: valid and invalid lines."""

import json

import pytest
from english import in_english, pieces_of

from judge.dice import Dice
from judge.games import find_map
from judge.games.capabilities import SetupResult
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.system import Viewer, ViewerRole
from judge.model.incoming import Line


def table(map_name: str = "standard") -> DiplomacyTable:
    system = find_map(map_name)
    assert system
    return system.table(map_name, system.initial_position(map_name, {}, Dice(b"", 0)), {})


def arrange_lines(*lines: str, map_name: str = "standard") -> SetupResult:
    return table(map_name).set_up_position([Line(n, text) for n, text in enumerate(lines, 1)])


def faults(*lines: str, map_name: str = "standard") -> list[tuple[int, str]]:
    return [
        (read.line.number, read.complaint.reason.code)
        for read in arrange_lines(*lines, map_name=map_name).lines
        if read.complaint
    ]


def read_complaint_facts(line: str) -> list[str]:
    """Return the facts of a line's complaint."""
    return [
        str(fact) for read in arrange_lines(line).lines if read.complaint
        for fact in read.complaint.reason.facts.values()
    ]


def units(found: SetupResult, power: str) -> list[str]:
    return list(json.loads(found.position)["units"].get(power, []))


def centres(found: SetupResult, power: str) -> list[str]:
    owners = json.loads(found.position)["owners"]
    return sorted(centre for centre, owner in owners.items() if owner == power)


def test_the_lines_of_a_position_letter_restore_it() -> None:
    for name in ("standard", "youngstown"):
        stands = in_english(table(name).position_facts(Viewer(ViewerRole.MASTER)))
        lines = [f"{row.who}: {', '.join(row.what)}." for row in stands.rows]
        lines += ["Ownership of supply centers (18 win the game):"]
        owned = pieces_of(stands)["ownership"].rows
        lines += [f"{row.who}: {', '.join(row.what)}." for row in owned]
        found = arrange_lines(*lines, map_name=name)
        assert not [read for read in found.lines if read.complaint]
        system = find_map(name)
        assert system
        assert found.position == system.initial_position(name, {}, Dice(b"", 0))


def test_a_fleet_is_set_up_on_any_coast() -> None:
    for coast in ("nc", "sc"):
        assert units(arrange_lines(f"Russia: F StP/{coast}"), "Russia") == [f"F StP/{coast}"]


def test_a_named_power_gets_new_lists_and_others_stay() -> None:
    found = arrange_lines("France: A Bur, Fleet Spain (south coast)", "  a gascony", "F: Bel, Spa",
                     "Turkey: none", "PHASE f1903m")
    assert units(found, "France") == ["A Bur", "A Gas", "F Spa/sc"]
    assert centres(found, "France") == ["Bel", "Spa"]
    assert units(found, "Turkey") == [] and centres(found, "Turkey") == ["Ank", "Con", "Smy"]
    assert units(found, "Italy") == units(arrange_lines("Turkey: none"), "Italy")
    assert json.loads(found.position)["phase"] == "F1903M"
    assert [note.code for note in found.notes] == ["setup-more-units"]
    winter = arrange_lines("France: A Bur, A Gas, A Par", "F: Bel, Spa", "PHASE W1903A")
    assert [note.code for note in winter.notes] == [], "those above the number are removed then"


def test_a_centre_set_up_changes_its_owner() -> None:
    found = arrange_lines("Germany centres: Kie, Mun, Ber, Bre", "Unowned: Par")
    assert centres(found, "Germany") == ["Ber", "Bre", "Kie", "Mun"]
    assert centres(found, "France") == ["Mar"]


def test_an_empty_board_is_filled() -> None:
    found = arrange_lines("CLEAR", "England: F StP/nc, own StP, control Nwy")
    assert json.loads(found.position)["owners"] == {"Nwy": "England", "StP": "England"}
    assert units(found, "England") == ["F StP/nc"] and units(found, "France") == []


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (["France: A Xanadu"], (1, "unknown-place")),
        (["France: Xanadu"], (1, "unknown-place")),
        (["France: F Par"], (1, "inland")),
        (["France: A Eng"], (1, "at-sea")),
        (["France: F Spa"], (1, "setup-which-coast")),
        (["France: F Spa/ec"], (1, "setup-no-coast")),
        (["France: Bur"], (1, "setup-no-centre")),
        (["France: Bel", "Germany: Bel"], (2, "setup-two-owners")),
        (["France: A Bur", "Germany: A Bur"], (0, "setup-two-units")),
        (["France: A Bur, A Bur"], (0, "setup-two-units")),
        (["Ruritania: A Bur"], (1, "setup-no-power")),
        (["A Bur"], (1, "setup-whose")),
        (["Unowned: A Bur"], (1, "setup-nobodys-unit")),
        (["PHASE S1899M"], (1, "no-such-phase")),
        (["PHASE tomorrow"], (1, "no-such-phase")),
        (["CLEAR"], (0, "setup-nothing-to-do")),
        (["PHASE S1901R"], (0, "setup-nothing-to-do")),
        (["PHASE F1901A"], (0, "setup-nothing-to-do")),
    ],
)
def test_an_invalid_setup_line_is_refused(lines: list[str], fault: tuple[int, str]) -> None:
    assert faults(*lines) == [fault]


@pytest.mark.parametrize("line", ["France: A {}", "Unowned: A Bur {}"])
def test_unknown_words_are_quoted_up_to_60_characters(line: str) -> None:
    assert [len(fact) for fact in read_complaint_facts(line.format("x" * 80))] == [60]


def test_a_position_set_up_is_playable() -> None:
    found = arrange_lines("PHASE F1905A", "France: none", "France centres: Par, Mar, Spa")
    system = find_map("standard")
    assert system
    again = system.table("standard", found.position, {})
    assert again.phase.label == "F1905A" and again.powers_due() == {"France"}
    assert in_english(again.missing_orders("France", "")) == ("2 builds",)
