"""Blind games: facts for a viewer depend only on what the viewer sees."""

import json
import random
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest
from english import in_english
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import random_case
from tables import DICE
from test_played import orders_of
from test_report import letter_text

from judge.board.map import Map, Province, Terrain, Unit, UnitKind, province_of
from judge.board.position import Dislodged, Position, parse_phase
from judge.drawing.picture import Sample
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.rules.orders import parse_order
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.diplomacy.views.order_sheet import dump_sheet
from judge.games.diplomacy.views.record import dump_text, load_text
from judge.games.diplomacy.views.visibility import places_of, seen_position, visible_provinces
from judge.games.letter_facts import Brief
from judge.games.system import Viewer, ViewerRole
from judge.model.incoming import Line

BLIND = {"blind": "on", "quiet_falls": "off"}
MASTER, OBSERVER = Viewer(ViewerRole.MASTER), Viewer(ViewerRole.OBSERVER)


def power_reader(power: str) -> Viewer:
    return Viewer(ViewerRole.POWER, power)


def context(seed: int) -> tuple[Map, Position, str]:
    """Return a board, a crowded position with owners and retreats, and a power."""
    chance = random.Random(seed)
    on, at, _ = random_case(seed, most=24)
    powers = [power for power, units in at.units.items() if units]
    owners = {c: chance.choice([*powers, ""]) for c in on.centres}
    power = chance.choice(powers)
    kind = chance.choice(("S1901M", "F1901R", "F1901A"))
    dislodged: dict[str, tuple[Dislodged, ...]] = {}
    if kind == "F1901R":
        taken = {unit.province for units in at.units.values() for unit in units}
        for owner, units in at.units.items():
            beaten = [Dislodged(u, chance.choice(sorted(taken))) for u in units[:2]]
            dislodged[owner] = tuple(beaten)
    at = replace(
        at,
        phase=parse_phase(kind),
        owners={c: owner for c, owner in owners.items() if owner},
        dislodged=dislodged,
        units={o: u[len(dislodged.get(o, ())):] for o, u in at.units.items()},
        contested=frozenset(chance.sample(sorted(on.walk), 3)) if dislodged else frozenset(),
    )
    return on, at, power


def twin(on: Map, at: Position, power: str, seed: int) -> Position:
    """Return a position that differs in everything the power does not see."""
    chance, sight = random.Random(seed), visible_provinces(on, at, power)
    units: dict[str, list[Unit]] = {}
    others = [side.name for side in on.powers if side.name != power]
    for owner, found in at.units.items():
        units[owner] = [unit for unit in found if unit.province in sight]
    for province in on.provinces.values():
        if province.abbr not in sight and province.terrain.takes_armies and chance.random() < 0.4:
            unit = Unit(UnitKind.ARMY, province.abbr)
            units.setdefault(chance.choice(others), []).append(unit)
    owners = {c: o for c, o in at.owners.items() if o == power}
    for centre in on.centres:
        if centre not in owners and chance.random() < 0.5:
            owners[centre] = chance.choice(others)
    beaten = {
        owner: tuple(
            one if owner == power and one.origin in sight else one._replace(origin="")
            for one in found if one.unit.province in sight
        )
        for owner, found in at.dislodged.items()
    }
    hidden = sorted(set(on.walk) - sight)
    return Position(
        at.phase, {owner: on.sort_units(found) for owner, found in units.items()}, owners, beaten,
        (at.contested & sight) | frozenset(chance.sample(hidden, min(2, len(hidden)))),
        chance.randint(0, 2),
    )


def lines_of(on: Map, at: Position, power: str, seed: int) -> list[Line]:
    """Return order lines about places everywhere, spelled well and badly."""
    chance, places = random.Random(seed), sorted(on.provinces)
    own = [*at.units.get(power, ()), *(one.unit for one in at.dislodged.get(power, ()))]
    names = [p.name for p in on.provinces.values()]
    texts = []
    for unit in own[:4]:
        one, two = chance.choice(places), chance.choice(places)
        near = chance.choice(sorted(on.near[unit.province]) or places)
        texts += [
            f"{unit} - {near}", f"{unit} S {one} - {near}", f"{unit} S {near}", f"{unit} {near}",
            f"{unit} C {one} - {two}", f"{one} - {two}", f"{unit.place} - {one} via convoy",
            f"{unit} R {near}", f"build A {one}", f"remove {one}",
            f"{unit.place} - {chance.choice(names)[:-1]}x",
        ]
    return [Line(number, text) for number, text in enumerate(texts, 1)]


def all_told(at: DiplomacyTable, map_name: str, power: str, lines: list[Line]) -> list[object]:
    """Return all facts that a table gives a power."""
    reader = power_reader(power)
    read = at.read_orders(lines, power, {})
    sheet = read.sheets.get(power, "")
    seen = at.as_seen_by(reader)
    tried = seen.read_orders(lines, None, {power: sheet})
    preview = seen.adjudicate({power: sheet, **tried.sheets}, DICE)
    plan = json.dumps([
        {"if": f"A {place}", "then": [{"order": line.text}], "else": []}
        for place, line in zip(("Par", "Mun", "Bur", "Mos", "Vie", "Ser"), lines)
    ])
    return [
        at.position_facts(reader), at.places(reader), at.sketch(reader), at.menus(power, "", {}),
        at.menus(power, "Bur", {}), at.missing_orders(power, sheet), at.show_sheet(power, sheet),
        at.sketch_orders({power: sheet}, reader), read, tried, at.carry_out(plan, power, {}),
        SYSTEM.turn(map_name, preview.record).results(reader),
        SYSTEM.turn(map_name, preview.record).sketch(reader, tried=True),
        SYSTEM.sketch_front(at, None, reader), SYSTEM.sketch_front(
            at, SYSTEM.turn(map_name, preview.record), reader
        ),
    ]


@settings(max_examples=settings.default.max_examples // 4)
@given(st.integers(0, 10**9))
def test_equal_looking_positions_give_equal_facts(seed: int) -> None:
    on, at, power = context(seed)
    other = twin(on, at, power, seed + 1)
    reader = power_reader(power)
    assert seen_position(on, at, reader) == seen_position(on, other, reader)
    pasts = [
        SYSTEM.with_past(on.name, BLIND, "{}", [dump_text(each), dump_text(at)], reader)
        for each in (at, other)
    ]
    assert pasts[0] == pasts[1]
    lines = lines_of(on, at, power, seed)
    found = [
        all_told(SYSTEM.table(on.name, dump_text(each), BLIND), on.name, power, lines)
        for each in (at, other)
    ]
    for one, two in zip(*found, strict=True):
        assert one == two


@settings(max_examples=settings.default.max_examples // 4)
@given(st.integers(0, 10**9))
def test_visibility_of_a_seen_position_is_unchanged(seed: int) -> None:
    on, at, power = context(seed)
    seen = seen_position(on, at, power_reader(power))
    assert seen_position(on, seen, power_reader(power)) == seen
    assert visible_provinces(on, seen, power) == visible_provinces(on, at, power)
    assert seen_position(on, at, MASTER) == at
    assert not seen_position(on, at, OBSERVER).units


@cache
def longest_first(on: Map) -> list[Province]:
    """Return the provinces of a board, the longest names first."""
    return sorted(on.provinces.values(), key=lambda p: -len(p.name))


def find_named_provinces(on: Map, text: str) -> set[str]:
    """Return the provinces whose names occur in a text.

    Longer names are removed first, so that a name within them does not count.
    """
    found = set()
    text = " ".join(text.split())
    for province in longest_first(on):
        if province.name not in text:
            continue
        pattern = rf"(?<![\w-]){re.escape(province.name)}(?![\w-])"
        rest, many = re.subn(pattern, "", text)
        if many:
            found.add(province.abbr)
            text = " ".join(rest.split())
    return found


def head_of(brief: Brief) -> str:
    """Return all texts of the head of a results letter."""
    said = [brief.title, *brief.gist, *brief.elsewhere]
    for fate in brief.fates:
        said += [fate.what, fate.verdict, *fate.why, fate.by]
    return "\n".join(map(str, in_english(said)))


def find_abbreviations(on: Map, text: str) -> set[str]:
    """Return the provinces whose abbreviations occur in a text, in capitals."""
    words = set(re.findall(r"\b[A-Z]{3}\b", text))
    return {abbr for abbr in on.provinces if abbr.upper() in words}


def words_of(power: str, on: Map, sheet: str) -> set[str]:
    """Return the provinces that a power's own orders mention."""
    texts = json.loads(sheet) if sheet else []
    return {place for text in texts for place in places_of(parse_order(text, on))}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("map_name", ["standard", "youngstown"])
def test_no_letter_of_a_blind_game_names_an_unseen_place(map_name: str, seed: int) -> None:
    chance, on = random.Random(seed), board(map_name)
    position = SYSTEM.initial_position(map_name, BLIND, DICE)
    for _ in range(14):
        at = SYSTEM.table(map_name, position, BLIND)
        now = load_text(position)
        sheets = {
            side.name: dump_sheet(orders_of(side.name, on, now, chance)) for side in on.powers
        }
        done = at.adjudicate(sheets, DICE)
        then = load_text(done.after)
        after = SYSTEM.table(map_name, done.after, BLIND)
        for side in on.powers:
            reader = power_reader(side.name)
            results = SYSTEM.turn(map_name, done.record).results(reader)
            told = letter_text("results", results, at.phase.label)
            told += letter_text("standing", after.position_facts(reader), after.phase.label)
            allowed = visible_provinces(on, now, side.name) | visible_provinces(on, then, side.name)
            allowed |= words_of(side.name, on, sheets[side.name])
            assert find_named_provinces(on, told) <= allowed, (at.phase, side.name, told)
            head = head_of(SYSTEM.turn(map_name, done.record).brief(reader))
            assert find_named_provinces(on, head) | find_abbreviations(on, head) <= allowed, (
                at.phase, head,
            )
            check_front(on, after, done.record, side.name, allowed)
            values = SYSTEM.turn(map_name, done.record).values(reader)
            check_values(on, values, side.name, allowed)
        observed = letter_text(
            "results", SYSTEM.turn(map_name, done.record).results(OBSERVER), at.phase.label
        )
        assert not find_named_provinces(on, observed)
        head = head_of(SYSTEM.turn(map_name, done.record).brief(OBSERVER))
        assert not find_named_provinces(on, head) | find_abbreviations(on, head)
        assert SYSTEM.turn(map_name, done.record).sketch(OBSERVER) == ""
        assert SYSTEM.sketch_front(after, SYSTEM.turn(map_name, done.record), OBSERVER) == ""
        assert after.sketch(OBSERVER) == ""
        position = done.after


@pytest.mark.parametrize("seed", range(12))
def test_a_picture_hides_exactly_the_unseen_provinces(seed: int) -> None:
    on, at, power = context(seed)
    table = SYSTEM.table(on.name, dump_text(at), BLIND)
    shown = SYSTEM.picture(table.sketch(power_reader(power)), "marco").picture
    open_to = {p.abbr for p in on.provinces.values() if p.terrain is not Terrain.SHUT}
    assert shown.unseen == open_to - visible_provinces(on, at, power)
    stands = {province_of(token.place) for token in shown.tokens}
    assert not (stands | {*shown.tints}) & shown.unseen
    assert (Sample.UNSEEN, "not seen") in shown.key
    whole = SYSTEM.picture(table.sketch(MASTER), "marco").picture
    assert whole.unseen == frozenset() and Sample.UNSEEN not in dict(whole.key)


def check_front(
    on: Map, after: DiplomacyTable, record: str, power: str, allowed: frozenset[str]
) -> None:
    """Check that a power's front shows nothing and no move from out of sight."""
    sketch = SYSTEM.sketch_front(after, SYSTEM.turn(on.name, record), power_reader(power))
    if sketch:
        shown = SYSTEM.picture(sketch, "marco").picture
        stands = {province_of(token.place) for token in shown.tokens}
        assert not stands & shown.unseen
        ways = {province_of(place) for one in shown.strokes for place in (one.start, one.to)}
        assert ways <= allowed
        assert {*shown.owners.values()} <= {power}


def check_values(on: Map, values: object, power: str, allowed: frozenset[str]) -> None:
    """Check that the JSON form names nothing out of sight."""
    assert isinstance(values, Mapping)
    known = {abbr.upper(): abbr for abbr in on.provinces}
    told = re.sub(r"\"(because|code)\": \"[^\"]*\"", "", json.dumps(values))
    named = {known[word] for word in re.findall(r"[A-Z0-9]+", told) if word in known}
    assert named <= allowed, (power, named - allowed)
    assert set(values["centers"]) <= {power} | {
        owner for owner, centres in values["centers"].items()
        if {known[c] for c in centres} <= allowed
    }


def blind_table(units: Mapping[str, str], phase: str = "S1901M") -> DiplomacyTable:
    found = {
        power: tuple(
            Unit(UnitKind(text.split()[0]), text.split()[1]) for text in listed.split(", ")
        )
        for power, listed in units.items()
    }
    return SYSTEM.table("standard", dump_text(Position(parse_phase(phase), found, {})), BLIND)


def test_a_power_sees_adjacent_units() -> None:
    at = blind_table({"France": "A Bur", "Germany": "A Mun, A Ber", "Italy": "F WMe"})
    told = letter_text("standing", at.position_facts(power_reader("France")), "S1901M")
    assert "This is a blind game: France sees its own units" in " ".join(told.split())
    assert "Germany: A Munich." in " ".join(told.split())
    assert "Berlin" not in told and "Mediterranean" not in told and "Unowned" not in told


def test_an_unseen_cause_of_a_result_is_not_reported() -> None:
    at = blind_table({"France": "A Gas", "Germany": "A Ruh", "Italy": "A Mar"})
    sheets = {
        "France": at.read_orders([Line(1, "A Gas - Bur")], "France", {}).sheets["France"],
        "Germany": at.read_orders([Line(1, "A Ruh - Bur")], "Germany", {}).sheets["Germany"],
        "Italy": at.read_orders([Line(1, "A Mar S A Ruh - Bur")], "Italy", {}).sheets["Italy"],
    }
    done = at.adjudicate(sheets, DICE)
    told = " ".join(
        letter_text(
            "results", SYSTEM.turn("standard", done.record).results(power_reader("France")),
            "S1901M",
        ).split()
    )
    assert "France: Army Gascony -> Burgundy. (*bounce*) why: You cannot see what" in told
    assert "Italy: Army Marseilles, order leads out of sight." in told
    assert "Ruhr" not in told
    seen = SYSTEM.turn("standard", done.record).results(MASTER)
    assert "Ruhr" in letter_text("results", seen, "S1901M")


def test_a_support_for_an_unseen_unit_ignores_its_type() -> None:
    at = blind_table({"France": "A Mar", "Germany": "F Tus", "Italy": "A Pie"})
    sheets = {
        "France": at.read_orders([Line(1, "Mar S Tus - Pie")], "France", {}).sheets["France"],
        "Germany": at.read_orders([Line(1, "Tus - Pie")], "Germany", {}).sheets["Germany"],
    }
    after = load_text(at.adjudicate(sheets, DICE).after)
    assert after.units["Germany"] == (Unit(UnitKind.FLEET, "Pie"),)


def test_warnings_make_no_claim_about_unseen_units() -> None:
    at = blind_table({"France": "A Mar", "Germany": "A Tyr"})
    read = at.read_orders([Line(1, "A Mar S A Ven - Pie")], "France", {})
    sheet = at.show_sheet("France", read.sheets["France"])
    (warning,) = sheet.warnings
    assert warning.code == "nobody-in-sight"


def test_all_powers_are_leaders_in_a_blind_game() -> None:
    at = blind_table({"France": "A Mar", "Germany": "A Tyr"})
    assert at.leaders() == at.powers_alive() == ("France", "Germany")


def test_a_yearly_table_shows_only_the_viewers_own_count() -> None:
    position = SYSTEM.initial_position("standard", BLIND, DICE)
    turns = [("F1901A", position)]
    mine = SYSTEM.chronicle("standard", BLIND, turns, power_reader("France"))
    assert list(mine.rows[-1].counts) == ["?", "?", 3, "?", "?", "?", "?"]
    assert "   ?   ?   3" in letter_text("chronicle", mine, "S1902M")
    whole = SYSTEM.chronicle("standard", BLIND, turns, MASTER)
    assert list(whole.rows[-1].counts) == [3, 3, 3, 3, 3, 4, 3]


def test_a_blind_table_hides_and_knows_the_missing_orders() -> None:
    units = {"France": "A Mar, A Gas", "Germany": "A Tyr"}
    at = blind_table(units)
    assert (
        at.has_hidden_information and at.as_seen_by(power_reader("France")).has_hidden_information
    )
    assert not SYSTEM.table(
        "standard", SYSTEM.initial_position("standard", {}, DICE), {}
    ).has_hidden_information
    assert at.missing_orders("France", "") == ("A GAS", "A MAR")
    sheet = at.read_orders([Line(1, "A Gas H")], "France", {}).sheets["France"]
    assert at.missing_orders("France", sheet) == ("A MAR",)
    assert at.missing_orders("Germany", "") == ("A TYR",)
