"""Letters of a turn: strikes, fallout, events, offers, void orders."""

from collections.abc import Mapping
from typing import Any

import pytest

from judge.dice import Dice
from judge.games.letter_facts import Results
from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.language.reading import read_lines
from judge.games.nations1940.rules.orders import order_text
from judge.games.nations1940.rules.resolve import resolve
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.world import World, WorldEvent
from judge.games.nations1940.views.brief import brief_facts
from judge.games.nations1940.views.record import NationsRecord, read_record, write_record
from judge.games.nations1940.views.report import TurnReport
from judge.games.nations1940.views.standing import offers_facts
from judge.games.nations1940.views.wording import EventWording
from judge.games.system import Viewer, ViewerRole
from judge.model.incoming import Line
from judge.phrases import phrasebook
from tests.games.nations1940.board_of_cases import BOARD, MAP, SEED, laid_out
from tests.games.nations1940.test_rules import rules

QUIET = Settings(events=False)
WORDING = EventWording(MAP, BOARD)
NAMES = {"UKR": "Ukraine", "DAN": "Danubia", "EGY": "Egypt", "OTT": "Turkey"}


def play_turn(before: tuple[str, ...], **orders: tuple[str, ...]) -> NationsRecord:
    """Return the record of a turn played from a position with these orders."""
    state = laid_out(before, 7, QUIET)
    world = World(BOARD, state, QUIET)
    given = {}
    for nation, lines in orders.items():
        numbered = [Line(number, text) for number, text in enumerate(lines, 1)]
        reading = read_lines(world, lexicon(MAP), nation, numbered, ())
        assert not any(each.complaint for each in reading.verdicts), reading.verdicts
        given[nation] = reading.orders
    found = resolve(BOARD, state, given, QUIET, Dice(SEED, 7))
    texts = {
        nation: tuple(order_text(order, BOARD) for order in each) for nation, each in given.items()
    }
    return read_record(write_record(state, found, QUIET, texts))


def results(record: NationsRecord, nation: str) -> Results:
    return TurnReport(MAP, record).results(Viewer(ViewerRole.POWER, NAMES[nation]), nation)


def fortunes(record: NationsRecord, nation: str) -> Mapping[str, Any]:
    [found] = [p.facts for p in results(record, nation).pieces if p.template == "fortunes"]
    assert isinstance(found, Mapping)
    return found


def render(lines: Any, language: str = "") -> list[str]:
    book = phrasebook("nations1940", language) if language else phrasebook("nations1940")
    return list(map(book.render, lines))


NUKED = ("WAR DAN UKR", "DAN techs=Nuclear_Missiles", "#38 improvements=SIL",
         "#20 armies=UKR:2 improvements=ACA", "#19 armies=UKR:1")  # fmt: skip


@rules("N-84", "N-130", "N-162")
def test_missile_on_own_land_names_what_it_destroyed() -> None:
    record = play_turn(NUKED, DAN=("MISSILE 1 #20",), UKR=())
    rest = render(fortunes(record, "UKR")["rest"])
    assert (
        "NUCLEAR MISSILE of Danubia on #20 Kiev: Academy and an army of Ukraine destroyed,"
        " fallout +6. The people flee: #20 Kiev is no longer populous."
    ) in rest
    assert any("Fallout on your land" in line and "#20 Kiev (6)" in line for line in rest)
    german = render(fortunes(record, "UKR")["rest"], "de")
    assert any("eine Armee von Ukraine" in line and "fliehen" in line for line in german)


@rules("N-137", "N-162")
def test_epidemic_on_own_land_is_reported_until_its_end() -> None:
    record = play_turn(("#20 epidemic=yes armies=-",), UKR=())
    rest = render(fortunes(record, "UKR")["rest"])
    assert any("epidemic" in line and "#20 Kiev" in line for line in rest)


@rules("N-139")
@pytest.mark.parametrize(("name", "target", "told"), [
    ("Epidemic", 20, "An epidemic breaks out in #20 Kiev: no new armies appear there"),
    ("Population Boom", 19, "#19 Minsk is populous now"),
    ("Emigration", 20, "#20 Kiev is no longer populous"),
    ("Volunteers", "UKR", "Ukraine gets an extra army in its capital"),
    ("General Strike", "UKR", "Ukraine can build one improvement fewer next turn"),
    ("Storm", "S16", "A storm rages in S16 Ionian Sea"),
])  # fmt: skip
def test_random_event_has_its_effect(name: str, target: Any, told: str) -> None:
    event = WorldEvent("event", {"name": name, "target": target})
    assert told in phrasebook("nations1940").render(WORDING.describe_event(event))


MISSILES = ("WAR DAN UKR", "DAN techs=Nuclear_Missiles", "#38 improvements=SIL",
            "#19 armies=UKR:1")  # fmt: skip


@rules("N-159")
@pytest.mark.parametrize(("before", "orders", "nation", "why"), [
    (MISSILES, {"DAN": ("MISSILE 1 #19",), "UKR": ("MOVE 1 #19 -> #18",)}, "UKR",
     "destroyed before they could move"),
    (("NAP DAN UKR",), {"DAN": ("WAR UKR",), "UKR": ("CANCEL NAP DAN",)}, "UKR",
     "It had already ended."),
    ((), {"DAN": ("WAR UKR",), "UKR": ("TREATY NAP DAN",)}, "UKR", "Danubia declares war"),
])  # fmt: skip
def test_order_without_effect_has_a_reason(
    before: tuple[str, ...], orders: Mapping[str, tuple[str, ...]], nation: str, why: str
) -> None:
    record = play_turn(before, **orders)
    [fate] = [f for f in brief_facts(record, WORDING, nation).fates if f.why]
    assert why in " ".join(render(fate.why))
    master = TurnReport(MAP, record).results(Viewer(ViewerRole.MASTER, ""), "")
    [group] = [group for group in master.groups if group.power == NAMES[nation]]
    assert why in " ".join(render(deed.reason for deed in group.lines if deed.reason))


@rules("N-109", "N-102")
def test_open_offers_are_listed_with_the_line_that_accepts() -> None:
    record = play_turn((), EGY=("DEAL UKR GIVE #83 FOR #19", "TREATY NAP UKR"), UKR=())
    offers = offers_facts(record.after, WORDING, "UKR")
    assert render(one["offer"] for one in offers) == [
        "Egypt offers you NAP. To accept:",
        "Egypt offers you #83 Tobruk for #19 Minsk. To accept:",
    ]
    lines = [Line(n, one["line"]) for n, one in enumerate(offers, 1)]
    world = World(BOARD, record.after, QUIET)
    read = read_lines(world, lexicon(MAP), "UKR", lines, ())
    assert len(read.orders) == len(lines) == 2
    told = [piece.template for piece in results(record, "UKR").pieces]
    assert told.index("offers") == told.index("fortunes") + 1
    assert "offers" not in [piece.template for piece in results(record, "EGY").pieces]


def test_capture_is_listed_after_its_fight() -> None:
    record = play_turn(("#38 armies=DAN:6",), DAN=("MOVE 6 #38 -> #37",))
    [land] = [
        section for piece in results(record, "DAN").pieces if piece.template == "gazette"
        for section in piece.facts if section["name"] == "land"  # type: ignore[attr-defined]
    ]
    [fight] = land["entries"]
    assert "captures #37 Bulgaria" in " ".join(render(fight["after"]))
    assert fight["powers"] == ["Danubia", "Neutral"]


@rules("N-102", "N-107")
def test_unanswered_announcement_is_reported_at_its_end() -> None:
    first = play_turn((), UKR=("TREATY NAP EGY",), EGY=())
    assert not any("expired" in line for line in render(fortunes(first, "UKR")["rest"]))
    found = resolve(BOARD, first.after, {"UKR": (), "EGY": ()}, QUIET, Dice(SEED, 8))
    second = read_record(write_record(first.after, found, QUIET, {"UKR": (), "EGY": ()}))
    told = " ".join(render(fortunes(second, "UKR")["rest"]))
    assert "Your NAP offer to Egypt expired without an answer." in told
    assert "To repeat it, send TREATY NAP Egypt." in told
    assert not any("expired" in line for line in render(fortunes(second, "EGY")["rest"]))


@rules("N-111")
def test_land_given_away_is_not_reported_as_lost() -> None:
    record = play_turn(("#28 armies=-",), OTT=("GIVE #28 TO UKR",), UKR=())
    brief = brief_facts(record, WORDING, "OTT")
    assert "gist-land-handed" in [one.code for one in brief.gist]
    assert [fate.verdict.code for fate in brief.fates][:1] == ["fate-land-handed"]
    waits = play_turn(("#28 armies=OTT:1",), OTT=("GIVE #28 TO UKR",), UKR=())
    [fate] = brief_facts(waits, WORDING, "OTT").fates
    assert fate.what == "GIVE #28 Trabzon TO UKR" and "not yet handed over" in render(fate.why)[0]


def told_fates(record: NationsRecord, nation: str, language: str = "") -> list[str]:
    """Return the head of a letter: each order with its outcome and reason."""
    book = phrasebook("nations1940", language) if language else phrasebook("nations1940")
    fates = brief_facts(record, WORDING, nation).fates
    return [
        " | ".join(
            ["!" if one.is_lost else "", *map(book.render, (one.what, one.verdict, *one.why))]
        )
        for one in fates
    ]


def gazette(record: NationsRecord, nation: str) -> str:
    say = phrasebook("nations1940").render
    [found] = [p.facts for p in results(record, nation).pieces if p.template == "gazette"]
    return " ".join(say(entry["line"]) for section in found for entry in section["entries"])


@rules("N-159", "N-162")
def test_failed_orders_are_at_the_top_with_reasons() -> None:
    record = play_turn(
        ("WAR DAN OTT", "#34 armies=DAN:2", "#25 armies=OTT:9 improvements=FOR",
         "#69 armies=DAN:2", "#37 owner=OTT neutral=0 armies=OTT:9"),
        DAN=("MOVE 2 #34 -> #25", "BUILD FOR 69", "MOVE 1 #69 -> #37", "BUILD RAI 34"),
        OTT=("MOVE 9 #37 -> #34",),
    )  # fmt: skip
    rows = told_fates(record, "DAN")
    failed = [row for row in rows if row.startswith("!")]
    assert rows[: len(failed)] == failed
    assert any("MOVE 2 #34" in row and "Fight for #25 Istanbul against Turkey: you lose" in row
               for row in failed), rows
    assert any("BUILD RAI #34" in row and "X-SITE" in row for row in failed)
    assert "lose 0" not in " ".join(rows)


@rules("N-162")
def test_moved_defenders_are_named_by_their_origin() -> None:
    record = play_turn(
        ("WAR DAN OTT", "#34 armies=DAN:3", "#25 armies=OTT:1", "#27 armies=OTT:2"),
        DAN=("MOVE 3 #34 -> #25",), OTT=("MOVE 2 #27 -> #25",),
    )  # fmt: skip
    assert "against Turkey 1 (#25) and Turkey 2 (#27)" in gazette(record, "DAN")


@rules("N-161")
def test_own_news_is_reported_once() -> None:
    record = play_turn(
        ("NAP DAN UKR",), DAN=("GIVE #34 TO OTT", "TREATY NAP EGY", "WAR UKR"),
        UKR=("TREATY NAP EGY", "TREATY PACT RUS"),
    )  # fmt: skip
    news = gazette(record, "DAN")
    assert "#34" not in news and "Danubia" not in news
    assert "Offers: NAP by Ukraine to Egypt; PACT by Ukraine to Russia." in news
    assert "Danubia declares war on Ukraine" in gazette(record, "EGY")


@rules("N-88")
def test_lost_research_points_are_reported() -> None:
    record = play_turn(("#38 improvements=ACA", "DAN queue=Submachine progress=Submachine:79"),
                       DAN=("HOLD #38",))  # fmt: skip
    assert "RP beyond the cost of Submachine Guns are lost" in " ".join(
        render(fortunes(record, "DAN")["rest"])
    )


@rules("N-45", "N-162")
def test_a_joint_attacker_is_not_listed_as_an_enemy() -> None:
    record = play_turn(
        ("#38 armies=DAN:2", "#25 armies=OTT:2"),
        DAN=("MOVE 2 #38 -> #37",), OTT=("MOVE 2 #25 -> #37",),
    )  # fmt: skip
    told = " ".join([*told_fates(record, "DAN"), *render(fortunes(record, "DAN")["rest"])])
    assert "Fight for #37 Bulgaria against one neutral army" in told
    assert "and Turkey: you" not in told
