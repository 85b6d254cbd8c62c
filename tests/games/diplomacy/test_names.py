"""Unknown words, German names and missing units in orders."""

import json
from pathlib import Path

import pytest
from english import in_english
from scenes import position

from judge.board.map import Map
from judge.board.mapfile import NAMES, read_rows, spellings_of
from judge.board.position import Position
from judge.dice import Dice
from judge.games.diplomacy import SYSTEM, boards
from judge.games.diplomacy.boards import MAP_NAMES, board
from judge.games.diplomacy.language.lexicon import lexicon, places_near
from judge.games.diplomacy.language.order_reader import ParsedLine, read_lines
from judge.games.diplomacy.rules.orders import order_text
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.diplomacy.views.record import dump_text
from judge.games.system import Viewer, ViewerRole
from judge.model.incoming import Line
from judge.model.phrase import Phrase

STANDARD, YOUNGSTOWN = board("standard"), board("youngstown")


def read(text: str, power: str | None, on: Map, at: Position) -> ParsedLine:
    return read_lines([Line(1, text)], on, at, power, Rules())[0]


def read_filed_orders(seen: ParsedLine) -> list[str]:
    return [order_text(order) for _, order in seen.orders]


@pytest.mark.parametrize("map_name", MAP_NAMES)
def test_every_german_name_is_read_with_umlauts_and_without(map_name: str) -> None:
    on = board(map_name)
    folder = Path(boards.__file__).parent / "maps" / map_name
    rows = read_rows(folder, NAMES)
    assert len(rows) > 50
    for row in rows:
        for name in row["names"].split(";"):
            for spelling in (name, name.upper(), *spellings_of(name)):
                seen = read(f"France: A {spelling} H", None, on, position(on, "M", "start"))
                told = [complaint.reason.facts.get("place") for complaint in seen.complaints]
                said = told or [read_filed_orders(seen)[0].split()[1].capitalize()]
                assert said == [row["place"]], (spelling, seen)


@pytest.mark.parametrize("map_name", MAP_NAMES)
def test_places_have_a_german_name_or_the_english_one(map_name: str) -> None:
    """These places have the English name or its abbreviation in German too."""
    on, known = board(map_name), lexicon(board(map_name))
    for word in ("Paris", "Kiel", "Wales", "Rom", "Warschau", "München", "Muenchen", "Wien",
                 "Moskau", "Nordsee", "Ostsee", "Ärmelkanal", "Burgund", "Neapel", "Venedig"):
        assert any(spelling in known.places for spelling in spellings_of(word)), (on.name, word)


@pytest.mark.parametrize(
    ("text", "power", "on", "units", "orders"),
    [
        ("A War - Liv", "Russia", YOUNGSTOWN, "Russia: A WAR", ["A WAR - LVN"]),
        ("A War - Liv", "Russia", STANDARD, "Russia: A WAR", ["A WAR - LVN"]),
        ("A Mos S A War - Liv", "Russia", YOUNGSTOWN, "Russia: A WAR, A MOS",
         ["A MOS S A WAR - LVN"]),
        ("A Yor - Liv", "England", YOUNGSTOWN, "England: A YOR", ["A YOR - LVP"]),
        ("F Bal - Liv", "Germany", YOUNGSTOWN, "Germany: F BAL", ["F BAL - LVN"]),
        ("A München - Burgund", "Germany", STANDARD, "Germany: A MUN", ["A MUN - BUR"]),
        ("A Muenchen - Tirol", "Germany", YOUNGSTOWN, "Germany: A MUN", ["A MUN - TYR"]),
        ("A Warschau S A Moskau - Livland", "Russia", STANDARD, "Russia: A WAR, A MOS",
         ["A WAR S A MOS - LVN"]),
        ("F Ärmelkanal - Nordsee", "England", STANDARD, "England: F ENG", ["F ENG - NTH"]),
    ],
)
def test_an_ambiguous_word_is_read_as_the_intended_place(
    text: str, power: str, on: Map, units: str, orders: list[str]
) -> None:
    assert read_filed_orders(read(text, power, on, position(on, "M", units))) == orders


@pytest.mark.parametrize(
    ("text", "power", "on", "code", "suggested"),
    [
        ("F Lon - Wls", "England", STANDARD, "did-you-mean", ("F LON - WAL",)),
        ("A Lvp - Wls", "England", STANDARD, "did-you-mean", ("A LVP - WAL",)),
        ("A Wls - Lvp", "England", STANDARD, "unknown-place", ()),
        ("A Cal - Bma", "India", YOUNGSTOWN, "did-you-mean", ("A CAL - BRM",)),
        ("A Del - Bma", "India", YOUNGSTOWN, "unknown-place", ()),
        ("A Bur - Mar", None, STANDARD, "no-unit-there", ()),
        ("A Bur H", None, STANDARD, "no-unit-there", ()),
        ("A Bur", None, STANDARD, "no-unit-there", ()),
        ("France: A Bur - Mar", None, STANDARD, "no-unit-there", ()),
        ("A Bur - Mar", "France", STANDARD, "no-unit", ()),
        ("A Lon - Bel", "England", STANDARD, "other-unit-there", ()),
        ("F Lvp - Par", "England", STANDARD, "other-unit-there", ()),
        ("F Lon - Bel", "England", STANDARD, "cannot-reach", ()),
    ],
)
def test_an_impossible_line_is_refused_for_the_right_reason(
    text: str, power: str | None, on: Map, code: str, suggested: tuple[str, ...]
) -> None:
    seen = read(text, power, on, position(on, "M", "start"))
    (complaint,) = seen.complaints
    assert (complaint.reason.code, complaint.suggestions) == (code, suggested)
    assert not seen.orders and not seen.notes
    for line in suggested:
        assert read_filed_orders(read(line, power, on, position(on, "M", "start"))) == [line]


def test_a_convoy_without_fleets_names_the_replaced_order() -> None:
    opening = SYSTEM.initial_position("standard", {}, Dice(bytes(32), 1))
    table = SYSTEM.table("standard", opening, {})
    before = table.read_orders([Line(1, "A Lvp - Yor")], "England", {}).sheets
    read = table.read_orders([Line(1, "A Lvp - Tun")], "England", before)
    (line,) = read.lines
    assert line.filed == ("A LVP - TUN VIA",)
    assert [(n.code, dict(n.facts)) for n in line.notes] == [
        ("order-replaced", {"order": "A LVP - TUN VIA", "before": "A LVP - YOR"})
    ]
    again = table.read_orders([Line(1, "A Lvp - Wal")], "England", read.sheets)
    assert again.lines[0].notes == ()


def test_an_unknown_name_in_a_setup_gets_suggestions() -> None:
    opening = SYSTEM.initial_position("standard", {}, Dice(bytes(32), 1))
    table = SYSTEM.table("standard", opening, {})
    lines = ["England: A Londn, F München", "Frnace: A Par", "England centres: Edinburg, Lvrpool"]
    read = table.set_up_position([Line(n, text) for n, text in enumerate(lines, 1)]).lines
    told = [(r.complaint.reason.code, r.complaint.suggestions) for r in read if r.complaint]
    assert told == [
        ("unknown-place-near", ("England: A London, F München",)),
        ("inland", ()),
        ("setup-no-power-near", ("France: A Par",)),
        ("unknown-place-near", ("England centres: Edinburg, Liverpool",)),
    ]
    assert places_near("Xanadu", STANDARD) == ()


def blind(at: Position) -> DiplomacyTable:
    return SYSTEM.table(STANDARD.name, dump_text(at), {"blind": "on", "proxy": "on"})


def test_proxy_orders_are_listed_in_blind_games() -> None:
    at = position(STANDARD, "M", "England: F LON; Turkey: A SMY, F ANK; Russia: A ARM")
    sheets = {"Turkey": json.dumps(["A SMY PROXY ENGLAND"])}
    alone = blind(at).menus("England", "", {})
    assert not isinstance(alone, Phrase)
    assert [in_english(menu.title) for menu in alone] == ["Fleet London"]
    for words, titles in (("", ["Fleet London", "Army Smyrna, of Turkey"]),
                          ("A Smy", ["Army Smyrna, of Turkey"])):
        found = blind(at).menus("England", words, sheets)
        assert not isinstance(found, Phrase)
        assert [in_english(menu.title) for menu in found] == titles
        # The units next to the lent unit become visible with it, and no others.
        assert "A SMY S F ANK" in found[-1].orders
        assert "A SMY - ARM" in found[-1].orders
        for text in found[-1].orders:
            (line,) = blind(at).read_orders([Line(1, text)], "England", sheets).lines
            assert (line.filed, line.complaint) == ((text,), None)
    hidden = blind(at).menus("England", "F Ank", sheets)
    assert isinstance(hidden, Phrase) and hidden.code == "not-your-unit"


def test_a_blind_preview_knows_the_units_ordered_by_proxy() -> None:
    at = position(STANDARD, "M", "England: F LON; Turkey: A SMY, F ANK")
    sheets = {"Turkey": json.dumps(["A SMY PROXY ENGLAND"])}
    seen = blind(at).as_seen_by(Viewer(ViewerRole.POWER, "England"), sheets)
    (line,) = seen.read_orders([Line(1, "A Smy - Con")], None, sheets).lines
    assert line.filed == ("A SMY - CON",)
