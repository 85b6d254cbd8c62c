"""Blind games: the results of a phase for each viewer, from `blind-results.txt`."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from english import in_english, pieces_of
from scenes import unit
from tables import DICE
from test_blind import BLIND, power_reader

from judge.board.position import Dislodged, Position, parse_phase
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.diplomacy.views.record import dump_text, read_record
from judge.games.diplomacy.views.visibility import (
    apply_fog_to_record,
    seen_position,
    visible_provinces,
)
from judge.games.system import Adjudication
from judge.model.incoming import Line

STANDARD = board("standard")


class Told(NamedTuple):
    """A scene of the file: its position, its orders and the lines for each viewer."""

    name: str
    units: Mapping[str, str]
    owners: Mapping[str, str]
    orders: Mapping[str, str]
    letters: Mapping[str, tuple[str, ...]]


def told_scenes() -> Iterator[Told]:
    """Read the file. Its head describes the format."""
    text = Path(__file__).with_name("blind-results.txt").read_text("ascii")
    for part in text.split("\n== ")[1:]:
        name, *lines = [line for line in part.splitlines() if line.strip()]
        found: dict[str, dict[str, Any]] = {"units": {}, "owners": {}, "orders": {}, "letters": {}}
        reader = ""
        for line in lines:
            if line.startswith("    "):
                letter = found["letters"][reader]
                found["letters"][reader] = (*letter, line.strip())
            elif line.endswith(" is told"):
                reader = line.removesuffix(" is told")
                found["letters"][reader] = ()
            else:
                kind, power, what = line.split(" ", 2)
                found[kind][power] = what
        yield Told(name, **found)


def table(context: Told) -> DiplomacyTable:
    """Return the table at the start of a scene."""
    _, _, phase = context.name.rpartition(" ")
    owners = {c: power for power, centres in context.owners.items() for c in centres.split()}
    units = {
        power: tuple(unit(one, STANDARD) for one in listed.split(", "))
        for power, listed in context.units.items()
    }
    position = Position(parse_phase(phase), units, owners, quiet_falls=1)
    return SYSTEM.table("standard", dump_text(position), {**BLIND, **OPTIONS})


OPTIONS = {"proxy": "on", "quiet_falls": "3"}


def file_and_adjudicate(
    at: DiplomacyTable, orders: Mapping[str, str]
) -> tuple[dict[str, str], Adjudication]:
    """File the orders of one power after the other, and adjudicate the phase."""
    sheets: dict[str, str] = {}
    for power, texts in orders.items():
        lines = [Line(number, text) for number, text in enumerate(texts.split("; "), 1)]
        read = at.read_orders(lines, power, sheets)
        assert all(line.complaint is None for line in read.lines), read.lines
        sheets |= read.sheets
    return sheets, at.adjudicate(sheets, DICE)


def _format_counts(power: str, centres: int, units: int, builds: int) -> str:
    """Return the expected line of a power's counts."""
    ends = ["" if abs(count) == 1 else "s" for count in (centres, units, builds)]
    verb = "Removes" if builds < 0 else "Builds"
    return (f"{power}: {centres} Supply center{ends[0]}, {units} Unit{ends[1]}:"
            f" {verb} {abs(builds)} unit{ends[2]}.")


def letter(record: str, power: str) -> Iterator[str]:
    """Yield the lines of a phase's results for a power."""
    told = SYSTEM.turn("standard", record).results(power_reader(power))
    for group in told.groups:
        for line in group.lines:
            reason = f" ({line.reason.code})" if line.reason else ""
            by = f" by {line.by}" if line.by else ""
            yield " ".join(f"{line.text}{by}{reason}".split())
    pieces = pieces_of(told)
    beaten = pieces["dislodged"].units if "dislodged" in pieces else ()
    yield from (in_english(one.told) for one in beaten)
    yield from (f"Changed hands: {line}" for line in in_english(pieces.get("changes", ())))
    if "ownership" in pieces:
        for row in pieces["ownership"].rows:
            yield f"{in_english(row.who)} owns {', '.join(row.what)}"
        for row in pieces["ownership"].tally:
            if row.centres or row.units:
                yield _format_counts(row.power, row.centres, row.units, row.builds)
    for notice in told.notices:
        yield f"Notice: {notice.code} {' '.join(map(str, in_english(notice.facts).values()))}"


@pytest.mark.parametrize("context", list(told_scenes()), ids=lambda context: context.name)
def test_results_for_each_viewer_are_those_of_the_file(context: Told) -> None:
    _, done = file_and_adjudicate(table(context), context.orders)
    for reader, lines in context.letters.items():
        assert tuple(letter(done.record, reader)) == lines, reader


def test_a_seen_record_contains_only_the_visible_changes() -> None:
    context = next(each for each in told_scenes() if each.name.startswith("centres won"))
    _, done = file_and_adjudicate(table(context), context.orders)
    for power, gained in (
        ("France", {"Spa": "France", "Mar": "Italy"}),
        ("Germany", {"Bel": "Germany", "Vie": "Germany"}),
        ("Austria", {"Vie": "Germany", "Bud": "Russia"}),
        ("Turkey", {}),
    ):
        seen = apply_fog_to_record(
            STANDARD, read_record(done.record, STANDARD), power_reader(power)
        )
        assert seen.adjudged.gained == gained
        # The number of quiet falls is hidden until it ends the game.
        assert (seen.quiet_limit, seen.adjudged.position.quiet_falls) == (0, 0)


def test_the_number_of_quiet_falls_is_hidden() -> None:
    context = next(told_scenes())
    _, done = file_and_adjudicate(table(context), context.orders)
    seen = apply_fog_to_record(STANDARD, read_record(done.record, STANDARD), power_reader("France"))
    assert (seen.quiet_limit, seen.adjudged.position.quiet_falls) == (0, 0)


def test_owners_and_leaders_are_hidden_from_others() -> None:
    context = Told(
        "owned S1901M",
        {"France": "A BUR", "Germany": "A KIE"},
        {"France": "Par", "Germany": "Kie Mun"},
        {},
        {},
    )
    places: Any = table(context).places(power_reader("France"))
    rows = {row.place: row.owner for part in places.regions for row in part.rows}
    assert rows["Paris (Par)"] == "France"
    assert rows["Munich (Mun)"] == rows["London (Lon)"] == "?"
    assert table(context).leaders() == ("France", "Germany")


def test_a_dislodged_unit_is_seen_without_its_attackers_origin() -> None:
    beaten = {
        power: tuple(Dislodged(unit(text, STANDARD), origin) for text, origin in found)
        for power, found in {
            "France": (("A BUR", "Mun"), ("F BRE", "Mos")),
            "Italy": (("A MAR", "Pie"), ("A VEN", "Tyr")),
        }.items()
    }
    units = {"Germany": (unit("A RUH", STANDARD),), "Russia": (unit("A GAL", STANDARD),)}
    at = Position(parse_phase("F1901R"), units, {}, beaten, frozenset({"Bel", "Tyr"}))
    assert visible_provinces(STANDARD, at, "France") >= {"Bur", "Ruh", "Mar", "Bre", "Eng"}
    seen = seen_position(STANDARD, at, power_reader("France"))
    assert seen.units == {"Germany": units["Germany"]}
    assert [(one.unit.place, one.origin) for one in seen.dislodged["France"]] == [
        ("Bur", "Mun"), ("Bre", ""),
    ]
    assert [(one.unit.place, one.origin) for one in seen.dislodged["Italy"]] == [("Mar", "")]
    assert seen.contested == {"Bel"}


def lent() -> tuple[DiplomacyTable, dict[str, str]]:
    """Return a table with two proxies: France to England and Russia to Turkey."""
    context = Told(
        "lent S1901M",
        {"France": "A GAS, F BRE", "England": "F LON", "Italy": "A MAR", "Russia": "A WAR",
         "Turkey": "A CON", "Germany": "A SIL"},
        {}, {"France": "A Gas PROXY England", "Russia": "A War PROXY Turkey"}, {},
    )
    sheets, _ = file_and_adjudicate(table(context), context.orders)
    return table(context), sheets


def test_a_proxy_holder_sees_the_surroundings_of_the_unit() -> None:
    at, sheets = lent()
    rows: Any = at.as_seen_by(power_reader("England"), sheets).position_facts(
        power_reader("England")
    )
    assert {row.who: list(in_english(row.what)) for row in rows.rows if row.what} == {
        "England": ["Fleet London"], "France": ["Army Gascony", "Fleet Brest"],
        "Italy": ["Army Marseilles"],
    }
    rows = at.as_seen_by(power_reader("Turkey"), sheets).position_facts(power_reader("Turkey"))
    assert {row.who: list(in_english(row.what)) for row in rows.rows if row.what} == {
        "Germany": ["Army Silesia"], "Russia": ["Army Warsaw"], "Turkey": ["Army Constantinople"],
    }


def test_proxy_orders_are_read_with_the_units_surroundings() -> None:
    at, sheets = lent()
    (line,) = at.read_orders([Line(1, "A Gas S Bre")], "England", sheets).lines
    assert line.filed == ("A GAS S F BRE",)
    plan = '[{"if": "F Bre", "then": [{"order": "A Gas S Bre"}], "else": []}]'
    assert [x.filed for x in at.carry_out(plan, "England", sheets).lines] == [("A GAS S F BRE",)]
    assert "A GAS S F BRE" in repr(at.menus("England", "Gas", sheets))
    # The proxy of Turkey reveals nothing to England.
    plan = '[{"if": "A Sil", "then": [{"order": "F Lon H"}], "else": []}]'
    assert not at.carry_out(plan, "England", sheets).lines
    assert at.carry_out(plan.replace("F Lon", "A Con"), "Turkey", sheets).lines


@pytest.mark.parametrize(
    ("order", "warned"),
    [
        ("A Mar S A Pie", "support-of-nobody"),
        ("A Mar S A Ven - Pie", "nobody-in-sight"),
        ("F Eng C A Wal - Bre", "convoy-of-nobody"),
        ("F Eng C A Nwy - Bre", "nobody-in-sight"),
        ("A Bre - Nwy", "no-convoy-in-sight"),
        ("F Eng C A Bre - Swe", "no-chain-in-sight"),
    ],
)
def test_warnings_concern_only_visible_units(order: str, warned: str) -> None:
    context = Told(
        "warned S1901M", {"France": "A MAR, F ENG, A BRE", "Germany": "F NTH, A VEN"}, {}, {}, {}
    )
    more = "; A Bre - Swe" if "C A Bre" in order else ""
    sheets, _ = file_and_adjudicate(table(context), {"France": order + more})
    warnings: Any = table(context).show_sheet("France", sheets["France"]).warnings
    assert warned in [warning.code for warning in warnings]
