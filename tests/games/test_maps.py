"""The shipped maps agree with the rules of their games."""

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.board.map import Map, Terrain, Unit, UnitKind, province_of
from judge.errors import DataError
from judge.games.diplomacy import boards
from judge.games.diplomacy.boards import MAP_NAMES, board

FOLDER = Path(boards.__file__).parent / "maps"


class Facts(NamedTuple):
    """Facts of one map, counted by hand from its rules and three independent files."""

    terrain: dict[str, int]
    homes: dict[str, int]
    neutral: int
    coasts: dict[str, str]
    shut: str
    seabound: str
    """Coastal provinces without an adjacent sea area."""
    islands: tuple[str, ...]
    """Groups of provinces that armies can walk between, without the largest."""
    start: str
    pairs: tuple[int, int, int]
    """Numbers of pairs of places: an army walks, a fleet sails, either."""


FACTS = {
    "youngstown": Facts(
        terrain={
            "land": 32, "coast": 94, "sea": 42, "box-sea": 8, "box-coast": 2, "box-inland": 2,
            "shut": 4,
        },
        homes={
            "Austria": 4, "China": 3, "England": 4, "France": 4, "Germany": 4, "India": 3,
            "Italy": 4, "Japan": 3, "Russia": 6, "Turkey": 4,
        },
        neutral=33,
        coasts={
            "Bul": "ec sc", "Egy": "ec nc", "Jor": "nc wc", "Nej": "ec wc", "Spa": "nc sc",
            "StP": "nc sc", "Tha": "ec wc",
        },
        shut="ACi Cas Him Swi",
        seabound="Oms",
        islands=(
            "Aki Fuj Kyo Kyu Osa Tok", "Cly Edi Lon Lvp Wal Yor", "Bor Bru", "Kar Sak", "Cey",
            "For", "Hok", "Ire", "Jav", "Phi", "Sum",
        ),
        start="Austria: A BUD, A KLU, A VIE, F TRI; China: A HAN, A PEK, F CAN; "
        "England: F EDI, F JOH, F LON, F LVP; France: A MAR, A PAR, F BRE, F SAI; "
        "Germany: A BER, A MUN, A POS, F KIE; India: A CAL, A DEL, F MAD; "
        "Italy: A ROM, A VEN, F MOG, F NAP; Japan: F KYO, F OSA, F TOK; "
        "Russia: A MOS, A OMS, A WAR, F SEV, F STP/SC, F VLA; "
        "Turkey: A BAG, A CON, A SMY, F ANK",
        pairs=(248, 350, 527),
    ),
    "standard": Facts(
        terrain={"land": 14, "coast": 42, "sea": 19, "shut": 1},
        homes={
            "Austria": 3, "England": 3, "France": 3, "Germany": 3, "Italy": 3, "Russia": 4,
            "Turkey": 3,
        },
        neutral=12,
        coasts={"Bul": "ec sc", "Spa": "nc sc", "StP": "nc sc"},
        shut="Swi",
        seabound="",
        islands=("Cly Edi Lon Lvp Wal Yor", "NAf Tun"),
        start="Austria: A BUD, A VIE, F TRI; England: A LVP, F EDI, F LON; "
        "France: A MAR, A PAR, F BRE; Germany: A BER, A MUN, F KIE; "
        "Italy: A ROM, A VEN, F NAP; Russia: A MOS, A WAR, F SEV, F STP/SC; "
        "Turkey: A CON, A SMY, F ANK",
        pairs=(111, 141, 218),
    ),
}  # fmt: skip

BOXES = {
    "ObA": ("NAt", "BL"), "ObB": ("MAO", "ACKL"), "ObC": ("SAO", "BDHIJK"),
    "ObD": ("Mor", "CEFG"), "ObE": ("Sah", "DG"), "ObF": ("Sud", "DG"), "ObG": ("EAf", "DEFH"),
    "ObH": ("Som", "CGI"), "ObI": ("WIO", "CH"), "ObJ": ("Tim", "CK"), "ObK": ("SPO", "BCJL"),
    "ObL": ("NPa", "ABK"),
}  # fmt: skip
"""Box → the area it is drawn in, and the letters shown in it."""

SPELLINGS = {
    "youngstown": {
        "Mogadiscio": "Mog", "Magudisco": "Mog", "Vladovostok": "Vla", "Vladivostok": "Vla",
        "St.Petersburg": "StP", "St. Petersburg": "StP", "NAt": "NAt", "nao": "NAt", "npo": "NPa",
        "NPa": "NPa", "SPO": "SPO", "Offboard A": "ObA", "Off Board L": "ObL", "obl": "ObL",
        "Klug": "Klu", "Joharra": "Joh", "Suez": "Sue", "hir": "Aki", "hon": "Kyu",
        "jor/sc": "Jor/wc", "mat": "MAO", "sat": "SAO", "nor": "Nwy", "liv": "Lvp", "tyr": "Tyr",
        "sin": "Sin", "bur": "Bur", "vie": "Vie", "ech": "ECS", "man": "Man",
    },
    "standard": {
        "Par": "Par", "Bla": "Bla", "St. Petersburg": "StP", "nat": "NAO", "mid": "MAO",
        "nor": "Nwy", "ech": "Eng",
    },
}  # fmt: skip

STEPS = """
youngstown F NAt ObA yes      youngstown F ObK SPO yes      youngstown F ObB ObC yes
youngstown F ObH ObG yes      youngstown F ObB ObK yes      youngstown F ObH ObC yes
youngstown F Eas Sue yes      youngstown F Sue Red yes      youngstown F Sue Egy/nc yes
youngstown F Sue Egy/ec yes   youngstown F Sue Jor/nc no    youngstown F Sue Jor/wc no
youngstown F Jor/nc Egy/nc yes  youngstown F Jor/wc Egy/ec yes
youngstown F Jor/nc Egy/ec no   youngstown F Jor/wc Egy/nc no
youngstown F Eas Red no       youngstown A Egy Jor yes      youngstown A Mor ObD yes
youngstown F Mor ObD yes      youngstown A Sah ObE yes      youngstown A Sud ObF yes
youngstown F Sud ObF no       youngstown A EAf ObG yes      youngstown F EAf ObG yes
youngstown F ObD ObG yes      youngstown F ObD ObE no       youngstown A ObD ObE yes
youngstown A ObD ObF yes      youngstown A ObE ObF no       youngstown F ObI ObJ no
youngstown A ObD ObC no       youngstown F ObC ObD yes      youngstown F ObH ObI yes
youngstown F MAO ObC no       youngstown F NPa ObK no       youngstown F StP/nc Oms yes
youngstown F Oms Sib yes      youngstown F StP/sc Oms no    youngstown F Bar Oms no
youngstown A Mun Swi no       youngstown A Tib Him no       youngstown F Sev Cas no
youngstown F Bar ACi no       youngstown A Mar Pie yes      youngstown A Del Nep yes
standard A Par Bur yes        standard A Mar Bur yes        standard A Mun Swi no
standard F Rom Ven no         standard A Rom Ven yes        standard F Spa/nc Wes no
standard F Con Bul/ec yes     standard F Con Bul/sc yes
"""

ROUTES = """
youngstown Tok Ire yes: NPa ObL ObA NAt
youngstown Egy Smy yes: Sue Eas
youngstown Smy Yem yes: Eas Sue Red
youngstown Jor Egy no: Sue
youngstown ObD Por yes: ObC ObB MAO
youngstown ObG ObD yes: ObH ObC
youngstown Mor ObG yes: SAO ObC ObH
youngstown Por ObG no: MAO ObB ObC ObD
standard Ank Sev yes: Bla
standard Gre Sev no: Aeg Con Bla
"""


def steps() -> list[list[str]]:
    words = STEPS.split()
    return [words[n : n + 5] for n in range(0, len(words), 5)]


def army_pairs(on: Map) -> set[frozenset[str]]:
    return {frozenset((a, b)) for a, goals in on.walk.items() for b in goals}


def fleet_pairs(on: Map) -> set[frozenset[str]]:
    return {
        frozenset((a, b)) for a, goals in on.sail.items() for ends in goals.values() for b in ends
    }


def groups(nodes: Iterable[str], pairs: Iterable[frozenset[str]]) -> list[set[str]]:
    """Return the connected groups of nodes, largest first."""
    found = [{node} for node in nodes]
    for pair in pairs:
        joined = [group for group in found if group & pair]
        found = [group for group in found if not group & pair] + [set().union(*joined)]
    return sorted(found, key=lambda group: (-len(group), sorted(group)))


@pytest.fixture(params=MAP_NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def on(name: str) -> Map:
    return board(name)


@pytest.fixture
def facts(name: str) -> Facts:
    return FACTS[name]


def test_the_provinces_have_their_terrain(on: Map, facts: Facts) -> None:
    assert Counter(p.terrain.value for p in on.provinces.values()) == facts.terrain
    shut = {p.abbr for p in on.provinces.values() if p.terrain is Terrain.SHUT}
    assert shut == set(facts.shut.split())


def test_home_centres_belong_to_powers_and_others_are_neutral(on: Map, facts: Facts) -> None:
    homes = Counter(on.provinces[centre].home for centre in on.centres)
    assert homes.pop("") == facts.neutral
    assert homes == facts.homes
    assert {p.abbr for p in on.provinces.values() if p.home} <= set(on.centres)
    assert len(on.centres) == {"youngstown": 72, "standard": 34}[on.name]
    assert on.victory == {"youngstown": 37, "standard": 18}[on.name]


def test_the_coasts_of_provinces_are_listed(on: Map, facts: Facts) -> None:
    coasts = {p.abbr: " ".join(p.coasts) for p in on.provinces.values() if p.coasts}
    assert coasts == facts.coasts


def test_the_game_opens_in_the_position_of_the_rules(on: Map, facts: Facts) -> None:
    text = "; ".join(f"{power}: {', '.join(map(str, u))}" for power, u in sorted(on.start.items()))
    assert text == facts.start


def test_each_home_centre_has_one_unit(on: Map) -> None:
    standing = [unit.province for units in on.start.values() for unit in units]
    assert sorted(standing) == sorted(c for c in on.centres if on.provinces[c].home)


def test_powers_sign_on_with_the_letters_of_the_game(on: Map) -> None:
    letters = {
        "Austria": "A", "China": "C", "England": "E", "France": "F", "Germany": "G", "India": "N",
        "Italy": "I", "Japan": "J", "Russia": "R", "Turkey": "T",
    }  # fmt: skip
    assert {power.name: power.letter for power in on.powers} == {
        power: letters[power] for power in FACTS[on.name].homes
    }


def test_borders_are_symmetric(on: Map) -> None:
    assert all(a in on.walk[b] for a, goals in on.walk.items() for b in goals)
    for place, goals in on.sail.items():
        for goal, ends in goals.items():
            assert all(place in on.sail[end][province_of(place)] for end in ends), (place, goal)


def test_the_number_of_borders_is_right(on: Map, facts: Facts) -> None:
    armies, fleets = army_pairs(on), fleet_pairs(on)
    assert (len(armies), len(fleets), len(armies | fleets)) == facts.pairs


def test_units_only_reach_places_they_may_occupy(on: Map) -> None:
    for a, goals in on.walk.items():
        assert all(on.provinces[x].terrain.takes_armies for x in (a, *goals)), a
    for pair in fleet_pairs(on):
        assert all(place in on.fleet_places(province_of(place)) for place in pair), pair


def test_coastal_provinces_touch_a_sea(on: Map, facts: Facts) -> None:
    for province in on.provinces.values():
        if province.terrain.is_coastal:
            has_sea = on.seas_beside[province.abbr] != 0
            assert has_sea != (province.abbr in facts.seabound.split()), province


def test_an_army_walks_where_a_fleet_follows_the_coast(on: Map) -> None:
    for pair in fleet_pairs(on):
        ends = frozenset(map(province_of, pair))
        if all(on.provinces[end].terrain.is_coastal for end in ends):
            assert ends in army_pairs(on), pair


def test_fleets_share_one_sea_and_armies_have_islands(on: Map, facts: Facts) -> None:
    assert len(groups(on.sail, fleet_pairs(on))) == 1
    land = groups(on.walk, army_pairs(on))
    islands = sorted(" ".join(sorted(group)) for group in land[1:])
    assert islands == sorted(facts.islands)


def test_neighbours_are_drawn_near_each_other(on: Map) -> None:
    rows = [line.split("\t") for line in _lines(FOLDER / on.name / "provinces.tsv")]
    lon, lat = rows[0].index("lon"), rows[0].index("lat")
    where = {row[0]: (float(row[lon]), float(row[lat])) for row in rows[1:]}
    for a, near in on.near.items():
        assert -30 <= where[a][0] <= 180 and -20 <= where[a][1] <= 80
        for b in near:
            if not {a[:2], b[:2]} & {"Ob"}:
                width = math.cos(math.radians((where[a][1] + where[b][1]) / 2))
                apart = (where[a][0] - where[b][0]) * width, where[a][1] - where[b][1]
                assert math.hypot(*apart) < 42, (a, b)


def _lines(path: Path) -> list[str]:
    return [x for x in path.read_text(encoding="utf-8").splitlines() if x and x[0] != "#"]


def test_no_spelling_names_two_places(on: Map) -> None:
    owner: dict[str, str] = {}
    for p in on.provinces.values():
        for word in {p.abbr.lower(), p.name.lower(), *p.aliases}:
            assert owner.setdefault(word, p.abbr) == p.abbr, word
    for place, words in on.coast_spellings.items():
        for word in words:
            assert owner.setdefault(word, place) == place, word
    for word, place in SPELLINGS[on.name].items():
        assert owner[word.lower()] == place, word


@pytest.mark.parametrize("word", ["north", "south", "gulf", "sea", "off"])
def test_ambiguous_words_are_no_place_names(on: Map, word: str) -> None:
    for p in on.provinces.values():
        assert word not in {p.abbr.lower(), p.name.lower(), *p.aliases}, p


@pytest.mark.parametrize("box", BOXES)
def test_a_box_borders_its_area_and_the_shown_boxes(box: str) -> None:
    inside, letters = BOXES[box]
    assert board("youngstown").near[box] == {inside, *(f"Ob{letter}" for letter in letters)}


def test_suez_touches_both_seas_and_both_coasts_of_egypt() -> None:
    on = board("youngstown")
    assert {x for ends in on.sail["Sue"].values() for x in ends} == {
        "Eas", "Red", "Egy/nc", "Egy/ec",
    }  # fmt: skip


@pytest.mark.parametrize("on,kind,start,goal,may", list(steps()))
def test_a_step_is_possible_as_listed(on: str, kind: str, start: str, goal: str, may: str) -> None:
    found = board(on)
    if UnitKind(kind) is UnitKind.ARMY:
        reached = goal in found.walk[start]
    else:
        reached = goal in found.sail[start].get(province_of(goal), ())
    assert reached == (may == "yes")


@pytest.mark.parametrize("line", ROUTES.split("\n")[1:-1])
def test_a_route_of_fleets_is_possible_or_not_as_listed(line: str) -> None:
    head, _, fleets = line.partition(": ")
    name, start, goal, may = head.split()
    on = board(name)
    assert on.joins(start, goal, on.sea_bits(fleets.split())) == (may == "yes")


def test_tokyo_and_ireland_need_each_of_four_fleets() -> None:
    on, fleets = board("youngstown"), {"NPa", "ObL", "ObA", "NAt"}
    assert not any(on.joins("Tok", "Ire", on.sea_bits(fleets - {one})) for one in fleets)


def test_boxes_are_no_centres() -> None:
    assert not [c for c in board("youngstown").centres if c.startswith("Ob")]


def test_there_are_only_two_maps() -> None:
    with pytest.raises(DataError, match="no map 'colonial'"):
        board("colonial")


def test_a_unit_has_a_province() -> None:
    assert Unit(UnitKind.FLEET, "StP/sc").province == "StP"
