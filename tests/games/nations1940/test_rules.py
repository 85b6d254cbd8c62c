"""Rules of Nations 1940 without case files: odds, sums, dates, endings and texts.

Each test names its rules in a mark, as the case files do in RULES. `test_rule_table` compares the
table in the documentation with them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import sqrt
from types import SimpleNamespace
from typing import cast

import pytest

from judge.dice import Dice
from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.language.reading import read_lines
from judge.games.nations1940.rules.combat import Fighter, Fought, Rolls, fight
from judge.games.nations1940.rules.diplomacy import _go_to_war
from judge.games.nations1940.rules.invariants import broken
from judge.games.nations1940.rules.limits import max_army, research_points
from judge.games.nations1940.rules.opening import opening
from judge.games.nations1940.rules.orders import ArmyMove
from judge.games.nations1940.rules.resolve import resolve
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import (
    NationsState,
    bond,
    dump_state,
    label_of,
    load_state,
)
from judge.games.nations1940.rules.visibility import seen_by
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.views.receipt import warnings
from judge.games.system import Viewer, ViewerRole
from judge.model.incoming import Line
from judge.model.phrase import Phrase, phrase
from tests.games.nations1940.board_of_cases import BOARD, MAP, SEED, LoadedDice, laid_out

QUIET = Settings(events=False)
Own = Mapping[str, Sequence[Phrase]]
"""Results of a nation's own units, by section of its report."""


def world_of(*lines: str, turn: int = 1, settings: Settings = QUIET) -> World:
    """Return a world described by lines of case files."""
    return World(BOARD, laid_out(lines, turn, settings), settings, Dice(SEED, turn))


def rules(*names: str):  # type: ignore[no-untyped-def]
    """Return a mark with the rules that a test covers."""
    return pytest.mark.rules(*names)


VECTORS = [
    ("battle:37:1:A", 1, 8, 7), ("battle:37:1:A", 2, 8, 5), ("battle:37:1:D", 1, 8, 3),
    ("battle:37:1:D", 2, 8, 7), ("aa:50", 1, 100, 69), ("loyal:90:RUS", 1, 100, 7),
    ("newcap:RUS", 1, 5, 3), ("event", 1, 100, 28),
]  # fmt: skip


@rules("N-14", "N-15", "N-16", "N-18")
@pytest.mark.parametrize(("tag", "n", "sides", "value"), VECTORS)
def test_dice_match_the_specification(tag: str, n: int, sides: int, value: int) -> None:
    assert Dice(SEED, 8).of_turn(7).draw(tag, n, sides) == value
    told = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert Dice(SEED, 7).commitment() == told


@pytest.mark.slow
@rules("N-15")
def test_every_side_of_a_die_is_equally_likely() -> None:
    """80,000 rolls of a d8: each side within three standard deviations."""
    dice, throws = Dice(SEED, 1), 80_000
    counts = [0] * 8
    for n in range(1, throws + 1):
        counts[dice.draw("frequency", n, 8) - 1] += 1
    bound = 3 * sqrt(throws * (1 / 8) * (7 / 8))
    assert all(abs(count - throws / 8) <= bound for count in counts), counts


@rules("N-1", "N-2", "N-55")
def test_the_map_agrees_with_the_scenario() -> None:
    assert (len(BOARD.lands), len(BOARD.seas), len(BOARD.nations)) == (90, 28, 12)
    kinds = [kind for near in BOARD.roads.values() for kind in near.values()]
    assert [kinds.count(kind) // 2 for kind in ("land", "mountain-pass", "water-crossing")] == [
        129, 28, 15,
    ]  # fmt: skip
    neutral = [n for n, land in BOARD.lands.items() if land.neutral]
    assert neutral == [2, 6, 16, 17, 18, 29, 35, 37, 41, 43, 48, 52, 53, 60, 72]
    assert [*BOARD.lands] == [*range(1, 91)]
    assert [*BOARD.seas] == [f"S{n}" for n in range(1, 29)]
    wet = [(place, near) for place, found in BOARD.waters.items() for near in found]
    assert len(wet) == 2 * 152 and {*BOARD.roads, *BOARD.waters} <= {*BOARD.lands, *BOARD.seas}
    assert BOARD.coasts(38) == ("S22",) and BOARD.coasts(88) == ()


@rules("N-3")
def test_a_state_survives_its_text_form() -> None:
    state = laid_out(("WAR DAN UKR", "S16 SIC:2", "#20 fallout=3 populous=no", "DUE #40 EGY",
                      "DAN techs=Radar queue=Sonar progress=Sonar:3"), 9, QUIET)  # fmt: skip
    assert load_state(dump_state(state)) == state


@rules("N-7", "N-8")
def test_dates_of_turns_are_computed() -> None:
    assert [label_of(turn) for turn in (0, 1, 12, 13, 240)] == [
        "Pre-1940", "1940.1", "1940.12", "1941.1", "1959.12",
    ]  # fmt: skip


CAPS = {
    "BRI": 9, "BUR": 9, "CAS": 9, "DAN": 10, "EGY": 10, "GER": 9, "ITA": 9, "KAL": 9, "OTT": 10,
    "RUS": 9, "SIC": 8, "UKR": 8,
}  # fmt: skip
POINTS = {
    "BRI": 7, "BUR": 7, "CAS": 7, "DAN": 3, "EGY": 3, "GER": 6, "ITA": 7, "KAL": 7, "OTT": 3,
    "RUS": 6, "SIC": 6, "UKR": 6,
}  # fmt: skip


@rules("N-23", "N-87", "N-145", "N-146")
@pytest.mark.parametrize("nation", CAPS)
def test_nations_start_with_the_values_of_the_scenario(nation: str) -> None:
    world = world_of()
    assert max_army(world, nation) == CAPS[nation]
    assert research_points(world, nation) == POINTS[nation]


@rules("N-23", "N-130", "N-132", "N-145")
def test_max_army_counts_capitals_people_and_fallout() -> None:
    plain = max_army(world_of(), "OTT")
    assert max_army(world_of("OTT capital=26"), "OTT") == plain
    # The populous capital of a monarchy counts five, in fallout one.
    alone = ("#25 owner=EGY", "#27 owner=EGY armies=-", "#28 owner=EGY", "#30 owner=EGY armies=-",
             "#31 owner=EGY", "#25 armies=-")  # fmt: skip
    assert max_army(world_of(*alone, "OTT capital=26"), "OTT") == 5
    fallen = ("#26 fallout=2 populous=no",)
    assert max_army(world_of(*alone, "OTT capital=26", *fallen), "OTT") == 1


@rules("N-23", "N-104", "N-140")
def test_technologies_exchanges_and_traits_count() -> None:
    techs = "DAN techs=Reserve"
    assert max_army(world_of(techs), "DAN") == 15
    assert max_army(world_of("NAP DAN EGY", "EXCHANGE DAN EGY"), "DAN") == 11
    assert max_army(world_of("DAN traits=Levy"), "DAN") == 12
    assert research_points(world_of("NAP DAN EGY", "EXCHANGE DAN EGY"), "DAN") == 5


@rules("N-87", "N-145", "N-146")
def test_research_points_are_summed() -> None:
    one = ("#36 improvements=-", "#39 improvements=-", "#69 improvements=-")
    assert research_points(world_of(*one), "DAN") == 0
    computers = "KAL techs=Advanced"
    assert research_points(world_of(computers), "KAL") == 3 * 3 + 1
    both = "KAL techs=Nuclear_Fission;Satellites"
    assert research_points(world_of(both), "KAL") == 7 + 5 + 12


ODDS = [
    (1, 23), (3, 55), (7, 92),
    *(pytest.param(*odds, marks=pytest.mark.slow) for odds in ((2, 41), (4, 70), (5, 80))),
]


@cache
def chance(attackers: int) -> float:
    """Return the probability to beat a neutral army, by exact recursion of N-46."""
    if not attackers:
        return 0.0
    ahead = max(0, (attackers - 1) // 3)
    won = sum(a + ahead > d + 2 for a in range(1, 9) for d in range(1, 9)) / 64
    return won + (1 - won) * chance(attackers - 1)


@rules("N-46", "N-55")
@pytest.mark.parametrize(("armies", "percent"), ODDS)
def test_odds_against_a_neutral_match_the_table(armies: int, percent: int) -> None:
    assert round(100 * chance(armies)) == percent
    won = 0
    for turn in range(400):
        world = World(BOARD, laid_out((), turn, QUIET), QUIET, Dice(SEED, turn))
        ours, theirs = Fighter("DAN", armies, ()), Fighter("", 1, (("neutral", 2),))
        fight(world, Rolls("battle:37:1:A", "battle:37:1:D"), [ours], [theirs])
        won += ours.count > 0
    assert abs(won / 4 - percent) < 8


@rules("N-46")
@pytest.mark.parametrize(
    ("ours", "theirs", "bonus"), [(4, 1, (1, 0)), (3, 1, (0, 0)), (1, 7, (0, 2))]
)
def test_superiority_is_one_for_every_three_more(
    ours: int, theirs: int, bonus: tuple[int, int]
) -> None:
    world = World(BOARD, laid_out((), 1, QUIET), QUIET, LoadedDice(1, {"x:A": [1], "x:D": [8]}))
    sides = [Fighter("DAN", ours, ())], [Fighter("UKR", theirs, ())]
    found = fight(world, Rolls("x:A", "x:D"), *sides)
    first = found.rounds[0]
    told = [dict(map(tuple, first[side]["bonuses"])).get("superiority", 0) for side in "ad"]
    assert tuple(told) == bonus


def play_holding_turn(state: NationsState, settings: Settings = QUIET) -> tuple[NationsState, str]:
    """Play a turn in which every nation holds.

    Return the state and the kind of victory, empty if the game continues.
    """
    orders = {nation: () for nation in state.alive}
    found = resolve(BOARD, state, orders, settings, Dice(SEED, state.turn))
    return found.after, found.victory.how if found.victory else ""


def with_provinces(state: NationsState, nation: str, count: int) -> NationsState:
    """Return a state with *count* provinces of a nation.

    All other nations own their capital only.
    """
    capitals = [found.capital for found in state.nations.values()]
    own = [n for n in BOARD.lands if n not in capitals][: count - 1]
    provinces = {
        n: replace(
            province,
            owner=nation if n in own else province.owner if n in capitals else "",
            neutral=0 if n in own or n in capitals else 1,
            armies=province.armies if n in capitals else {},
            fleets=province.fleets if n in capitals else {},
        )
        for n, province in state.provinces.items()
    }
    return replace(state, provinces=provinces)


def test_the_last_roll_names_its_winner_unless_tied() -> None:
    rolls = [{"a": {"nation": "BRI"}, "d": {"nation": "GER"}, "outcome": outcome}
             for outcome in ("won", "lost", "tie")]
    won = [Fought((), (), tuple(rolls[:many])) for many in range(4)]
    assert [fought.last for fought in won] == ["", "BRI", "GER", ""]
    assert [fought.ends_tied for fought in won] == [False, False, False, True]


@rules("N-10")
def test_domination_takes_six_turns_in_a_row() -> None:
    state = replace(opening(BOARD, QUIET), turn=1)
    ends = []
    for count in (46,) * 5 + (45,) + (46,) * 6:
        state, ended = play_holding_turn(with_provinces(state, "GER", count))
        ends.append(ended)
    assert ends == [""] * 11 + ["domination"]


@rules("N-10", "N-12")
def test_the_game_ends_with_its_last_turn() -> None:
    state = replace(opening(BOARD, QUIET), turn=240)
    found = resolve(BOARD, state, {n: () for n in state.alive}, QUIET, Dice(SEED, 240))
    assert found.victory and (found.victory.how, found.victory.winners) == ("stagnation", ())
    figures = [row[1:] for row in found.victory.ranking]
    assert figures == sorted(figures, reverse=True)


@rules("N-10", "N-11", "N-92")
def test_simultaneous_landings_win_together() -> None:
    ready = "techs=Manned;Advanced queue=Lunar progress=Lunar:1299"
    state = laid_out((f"KAL {ready}", f"BRI {ready}"), 50, QUIET)
    found = resolve(BOARD, state, {n: () for n in state.alive}, QUIET, Dice(SEED, 50))
    assert found.victory and found.victory.how == "landing"
    assert found.victory.winners == ("BRI", "KAL")


@rules("N-10", "N-11")
def test_a_landing_and_a_domination_on_one_turn_win_together() -> None:
    state = laid_out(("KAL techs=Manned;Advanced queue=Lunar progress=Lunar:1299",), 50, QUIET)
    state = replace(with_provinces(state, "GER", 46), domination={"GER": 5})
    found = resolve(BOARD, state, {n: () for n in state.alive}, QUIET, Dice(SEED, 50))
    assert found.victory and found.victory.winners == ("GER", "KAL")


@rules("N-13")
def test_the_last_nation_alive_wins() -> None:
    state = laid_out((), 5, QUIET)
    provinces = {
        n: province if province.owner in ("GER", "") else replace(
            province, owner="", neutral=1, armies={}, fleets={}
        )
        for n, province in state.provinces.items()
    }
    nations = {
        code: nation if code == "GER" else replace(nation, alive=False)
        for code, nation in state.nations.items()
    }
    assert play_holding_turn(replace(state, provinces=provinces, nations=nations))[1] == "alone"


@rules("N-20")
def test_the_steps_of_a_turn_have_their_sequence() -> None:
    """The sequence of the lines is irrelevant.

    The turn has an event of each step, in the sequence of the steps.
    """
    lines = (
        "WAR DAN GER", "NAP DAN EGY", "#40 improvements=AIR", "S22 UKR:1", "#38 armies=DAN:4",
        "#20 armies=UKR:1", "#69 armies=-", "#39 epidemic=yes", "DAN queue=Sonar",
    )  # fmt: skip
    given = {
        "DAN": (
            "RESEARCH Sonar", "GIVE #69 TO EGY", "TREATY NAP OTT", "CANCEL NAP EGY",
            "BUILD FAC #34", "MOVE 3 #38 -> #40 ", "FLEET 1 #38 -> S22", "BOMB #20 FROM #40 ACA",
            "WAR UKR",
        ),
        "OTT": ("TREATY NAP DAN",),
        "UKR": ("MOVE 1 #44 -> #40",),
    }  # fmt: skip
    settings = Settings(event_chance=100)
    world = world_of(*lines, turn=7, settings=settings)
    orders = {
        code: read_lines(
            world, lexicon(MAP), code, [Line(n, text) for n, text in enumerate(texts, 1)], ()
        ).orders
        for code, texts in {**dict.fromkeys(world.alive, ()), **given}.items()
    }
    assert [len(orders[code]) for code in given] == [9, 1, 0]
    state = world.freeze(7)
    dice = LoadedDice(7, {"epiend:39": [1], "eventwhat": [21]})
    found = resolve(BOARD, state, orders, settings, dice)
    steps = (
        "war", "announced", "strike", "naval", "built", "handover", "progress", "epidemic-ends",
        "spawned", "event", "cancelled", "treaty",
    )  # fmt: skip
    ours = [
        event.kind for event in found.events
        if event.facts.get("nation") in (None, "DAN") and event.kind in steps
    ]  # fmt: skip
    assert [*dict.fromkeys(ours)] == [*steps]


@rules("N-22")
def test_a_missed_turn_is_counted_and_standing_orders_continue() -> None:
    state = laid_out(("DAN queue=Sonar",), 7, QUIET)
    sent = {nation: () for nation in state.alive if nation != "DAN"}
    missed = []
    for turn in (7, 8, 9):
        found = resolve(BOARD, state, sent, QUIET, Dice(SEED, turn))
        state = found.after
        missed.append(state.nations["DAN"].missed_turns)
        told = [event.facts for event in found.events if event.kind == "missed"]
        assert told == [{"nations": ["DAN"]}]
    assert missed == [1, 2, 3]
    assert state.nations["DAN"].progress == {"Sonar": 9}
    assert state.provinces[38].armies == {"DAN": 6}
    back = resolve(BOARD, state, {**sent, "DAN": ()}, QUIET, Dice(SEED, 10)).after
    assert back.nations["DAN"].missed_turns == 0


WARNED = [
    (("MOVE 3 #38 -> #40",), "w-capital"),
    (("MOVE 1 #34 -> #36",), "w-empty"),
    (("DISBAND ALL #34",), "w-empty"),
    (("BUILD ACA #34",), "w-pi"),
    (("RESEARCH Sonar",), "w-queue"),
    (("HOLD #38",), "w-queue"),
]


@rules("N-89", "N-157")
@pytest.mark.parametrize(("given", "code"), WARNED)
def test_suspicious_orders_have_warnings(given: tuple[str, ...], code: str) -> None:
    world = world_of("DAN progress=Sonar:88")
    assert code in find_warnings(world, *given)


@rules("N-157")
def test_sensible_orders_have_no_warnings() -> None:
    world = world_of("#38 armies=DAN:5")
    lines = ("MOVE 1 #38 -> #40", "RESEARCH Sonar, Radar", "BUILD ACA #34, BUILD ACA #36",
             "BUILD RAI #38")  # fmt: skip
    assert find_warnings(world, *lines) == set()
    assert find_warnings(world_of("#38 armies=DAN:10"), *lines) == {"w-over"}


@rules("N-157")
def test_a_move_into_neutral_land_or_fallout_has_a_warning() -> None:
    world = world_of("#37 fallout=2")
    reading = read_lines(world, lexicon(MAP), "DAN", [Line(1, "MOVE 1 #38 -> #37")], ())
    assert [one.code for one in reading.verdicts[0].notes] == ["w-neutral", "w-fallout"]


def find_warnings(world: World, *texts: str) -> set[str]:
    """Return the codes of the warnings about Danubia's orders, taken together."""
    lines = [Line(number, text) for number, text in enumerate(texts, 1)]
    orders = read_lines(world, lexicon(MAP), "DAN", lines, ()).orders
    return {one.code for one in warnings(world, "DAN", orders)}


@rules("N-176")
def test_a_turn_is_reproducible_from_orders_and_seed() -> None:
    state = laid_out(("WAR DAN UKR",), 7, Settings())
    world = World(BOARD, state, Settings())
    orders = {
        code: read_lines(world, lexicon(MAP), code, [Line(1, text)], ()).orders
        for code, text in (("DAN", "MOVE 3 #38 -> #40"), ("UKR", "MOVE 1 #44 -> #39"))
    }
    one, two = (resolve(BOARD, state, orders, Settings(), Dice(SEED, 7)) for _ in range(2))
    assert one == two
    assert dump_state(one.after) == dump_state(two.after)
    assert one.after != state


@rules("N-160")
def test_a_nation_sees_its_borders_and_the_places_of_its_units() -> None:
    world = world_of("S16 DAN:1")
    seen = seen_by(world, "DAN")
    assert {38, 37, 44, 25, "S22", "S16"} <= seen
    assert not {88, 4, "S1", 65} & seen
    everything = seen_by(world_of(settings=Settings(fog="open")), "DAN")
    assert len(everything) == 118


@rules("N-156", "N-160")
def test_refusals_reveal_nothing_hidden() -> None:
    """Answers do not depend on what is out of sight."""
    lines = [
        "WAR EGY", "BOMB #85 FROM #38", "MOVE 1 #38 -> #37", "RAIL 1 #38 -> #39",
        "FLEET 1 #38 -> S22",
        "BUILD POR #85", "TREATY NAP RUS", "DEAL RUS GIVE #40 FOR Sonar", "GIVE #40 TO RUS",
        "MISSILE 1 #85", "MOVE 1 #38 -> #39 -> #41",
    ]  # fmt: skip
    told = []
    for more in ((), ("#85 armies=- improvements=- fallout=3", "RUS techs=Sonar", "S1 RUS:4",
                      "#88 armies=RUS:1 improvements=AIR", "RUS queue=Radar")):  # fmt: skip
        world = world_of("#38 improvements=AIR,POR", *more)
        numbered = [Line(number, text) for number, text in enumerate(lines, 1)]
        reading = read_lines(world, lexicon(MAP), "DAN", numbered, ())
        told.append([(one.filed, one.notes, one.complaint) for one in reading.verdicts])
    assert told[0] == told[1]


@rules("N-18", "N-160", "N-161", "N-162", "N-163")
def test_each_viewer_receives_own_and_public_results() -> None:
    from judge.games.nations1940 import Nations1940

    system = Nations1940()
    state = laid_out((), 7, QUIET)
    table = system.table(MAP, dump_state(state), {"events": "off"})
    read = table.read_orders(
        [Line(1, "MOVE 3 #38 -> #37"), Line(2, "BUILD RAI #34")], "Danubia", {}
    )
    record = table.adjudicate(read.sheets, Dice(SEED, 8)).record
    turn = system.turn(MAP, record)
    told = {
        who: {piece.template: piece.facts for piece in turn.results(reader).pieces}
        for who, reader in (
            ("dan", Viewer(ViewerRole.POWER, "Danubia")),
            ("rus", Viewer(ViewerRole.POWER, "Russia")),
            ("all", Viewer(ViewerRole.OBSERVER)), ("gm", Viewer(ViewerRole.MASTER)),
        )
    }  # fmt: skip
    own = {who: cast(Own, told[who]["fortunes"]) for who in ("dan", "rus")}
    built = {who: {one.code for told in each.values() for one in told} for who, each in own.items()}
    assert {"ev-built", "ev-capture-bare", "mine-armies"} <= built["dan"]
    assert "ev-built" not in built["rus"]
    assert "fortunes" not in told["all"] and "private" in told["gm"]
    deeds = {
        quality: [
            (one.power, [deed.order for deed in one.lines], one.lines[0].tags)
            for one in system.turn(MAP, record).results(Viewer(quality)).groups
        ]
        for quality in (ViewerRole.MASTER, ViewerRole.OBSERVER)
    }
    assert deeds[ViewerRole.OBSERVER] == [] and deeds[ViewerRole.MASTER] == [(
        "Danubia", ["MOVE 3 #38 Wallachia -> #37 Bulgaria", "BUILD RAI #34 Salonika"],
        (phrase("became-captures"),),
    )]  # fmt: skip
    gazette = told["all"]["gazette"]
    assert gazette == told["rus"]["gazette"]
    land = next(part for part in gazette if part["name"] == "land")  # type: ignore[attr-defined]
    assert "rolls" not in told["all"], "the dice of fights are shown once, with the fights"
    first = land["entries"][0]["rounds"][0]["sides"]
    assert [side["die"] for side in first] == [7, 3]


@rules("N-164")
def test_the_machine_block_has_a_row_for_each_province() -> None:
    from judge.games.nations1940 import Nations1940

    table = Nations1940().table(MAP, dump_state(laid_out((), 7, QUIET)), {})
    rows = {
        who: table.program_rows(reader)
        for who, reader in (
            ("all", Viewer(ViewerRole.OBSERVER)), ("dan", Viewer(ViewerRole.POWER, "Danubia")),
        )  # fmt: skip
    }
    assert rows["all"][37] == "38\tDAN\t0\t0\t0"
    own = "38\tDAN\t0\t0\t0\tDAN:3\t-\tDAN:1\tACA,FOR,POR"
    assert rows["dan"][37] == own
    assert rows["dan"][3] == "4\tBRI\t0\t0\t0"


@rules("N-175")
def test_an_impossible_state_is_reported() -> None:
    faults = [
        ("EXCHANGE DAN UKR",), ("NAP DAN UKR", "WAR DAN UKR"), ("#37 armies=DAN:1",),
        ("#20 fallout=1",), ("DAN capital=20",), ("#40 armies=UKR:1",),
    ]  # fmt: skip
    for lines in faults:
        assert broken(world_of(*lines)), lines
    assert broken(world_of()) == []


@rules("N-17")
def test_lists_are_sorted_before_a_random_choice() -> None:
    world = world_of(turn=7)
    assert world.pick("newcap:RUS", [14, 22, 87, 89, 90]) == 87


@rules("N-16", "N-171")
def test_a_replayed_turn_has_the_same_rolls() -> None:
    """Rolls depend on the turn of the rules, not on the judge's count of turns.

    The two differ after a rollback.
    """
    from judge.games.nations1940 import Nations1940

    table = Nations1940().table(MAP, dump_state(laid_out((), 7, QUIET)), {})
    sheets = table.read_orders([Line(1, "MOVE 3 #38 -> #37")], "Danubia", {}).sheets
    first, again = (table.adjudicate(sheets, Dice(SEED, turn)).record for turn in (8, 30))
    assert first == again and "battle:37:1:A" in first


def test_a_record_is_json() -> None:
    from judge.games.nations1940 import Nations1940

    table = Nations1940().table(MAP, dump_state(laid_out((), 7, QUIET)), {})
    assert json.loads(table.adjudicate({}, Dice(SEED, 8)).record)["victory"] is None


@rules("N-160", "N-165")
def test_the_map_shows_each_viewer_the_visible_facts() -> None:
    from judge.games.nations1940 import Nations1940

    system = Nations1940()
    state = laid_out(("#20 fallout=3 populous=no", "S16 SIC:2"), 7, QUIET)
    table = system.table(MAP, dump_state(state), {})
    shown = {}
    for who, reader in (
        ("all", Viewer(ViewerRole.OBSERVER)), ("dan", Viewer(ViewerRole.POWER, "Danubia")),
        ("gm", Viewer(ViewerRole.MASTER)),
    ):  # fmt: skip
        drawing = system.picture(table.sketch(reader), "n40a")
        sheet = drawing.draw_page()
        things = next(layer for layer in sheet.board if layer.name == "things")
        inks = [part for ink in things.inks for part in getattr(ink, "inks", (ink,))]
        shown[who] = [ink.text for ink in inks if hasattr(ink, "text")]
        assert sheet.height / sheet.width == drawing.proportion
    assert {"D3", "D1", "D CAPITAL ACA FOR POR"} <= {*shown["dan"]}
    assert "S2" not in shown["dan"] and "S2" in shown["gm"]
    assert "fallout 3" in shown["all"] and "D3" not in shown["all"]


def test_a_war_ends_all_agreements_of_the_two_and_no_others() -> None:
    """N-101 covers treaties, offers and deals of the pair, in either direction."""
    def make_pairs(*pairs: tuple[str, str]) -> list[SimpleNamespace]:
        return [SimpleNamespace(by=by, to=to) for by, to in pairs]

    among = [("GER", "UKR"), ("UKR", "GER"), ("GER", "FRA"), ("FRA", "UKR"), ("FRA", "ITA")]
    told: list[object] = []
    world = SimpleNamespace(
        bonds={bond("NAP", "UKR", "GER"), bond("PACT", "GER", "ITA")}, offers=make_pairs(*among),
        deals=make_pairs(*among), record_event=lambda code, **facts: told.append(facts),
    )
    for _ in range(2):
        _go_to_war(cast(World, world), "GER", "UKR")
    assert world.bonds == {bond("WAR", "GER", "UKR"), bond("PACT", "GER", "ITA")}
    assert [(one.by, one.to) for one in world.offers] == among[2:]
    assert [(one.by, one.to) for one in world.deals] == among[2:]
    assert told == [{"nation": "GER", "to": "UKR", "broken": ["NAP"]}], "it is said once"


@rules("N-3", "N-49")
def test_turn_of_older_rules_is_replayed_by_them() -> None:
    lines = ("#40 armies=DAN:1 improvements=AIR", "#38 armies=DAN:1")
    state = laid_out(lines, 1, Settings())
    told = json.loads(dump_state(state))
    del told["rules"]
    older = load_state(json.dumps(told))
    orders = {"DAN": (ArmyMove(1, (38, 37)),)}
    dice = {"battle:37:1:A": (4,), "battle:37:1:D": (3,)}
    found = {
        begun.rules: resolve(BOARD, begun, orders, Settings(), LoadedDice(1, dice)).after
        for begun in (older, state)
    }
    assert {rules: after.provinces[37].owner for rules, after in found.items()} == {1: "", 3: "DAN"}
    assert {after.rules for after in found.values()} == {3}
