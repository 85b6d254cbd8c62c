"""The head of a results letter of Nations: the viewer's own results first."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from judge.dice import Dice
from judge.games.letter_facts import Brief
from judge.games.nations1940.rules.endings import Victory
from judge.games.nations1940.rules.orders import Missile, order_text
from judge.games.nations1940.rules.resolve import resolve
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.visibility import apply_fog
from judge.games.nations1940.rules.world import World, WorldEvent
from judge.games.nations1940.views.brief import brief_facts
from judge.games.nations1940.views.record import NationsRecord, read_record, write_record
from judge.games.nations1940.views.report import TurnReport
from judge.games.nations1940.views.wording import EventWording
from judge.games.system import Viewer, ViewerRole
from judge.phrases import phrasebook
from tests.games.nations1940.board_of_cases import BOARD, MAP, SEED, laid_out
from tests.games.nations1940.test_rules import rules
from tests.games.nations1940.test_secrets import three_years

WORDING = EventWording(MAP, BOARD)


@pytest.fixture(scope="module")
def records() -> list[NationsRecord]:
    """Return stored records of two years with a war."""
    found = []
    for turn in three_years()[:26]:
        orders = {
            code: tuple(order_text(order, BOARD) for order in given)
            for code, given in sorted(turn.orders.items())
        }
        found.append(read_record(write_record(turn.before, turn.resolved, Settings(), orders)))
    return found


def title(brief: Brief) -> str:
    return phrasebook("nations1940").render(brief.title)


def rows(brief: Brief) -> list[str]:
    say = phrasebook("nations1940").render
    return [
        " ".join([say(fate.what), "|", say(fate.verdict), *map(say, fate.why)])
        for fate in brief.fates
    ]


def elsewhere(brief: Brief) -> str:
    return "; ".join(map(phrasebook("nations1940").render, brief.elsewhere))


def find_owned_provinces(record: NationsRecord, nation: str) -> tuple[set[str], set[str]]:
    before, after = (
        {WORDING.place(n) for n, p in state.provinces.items() if p.owner == nation}
        for state in (record.before, record.after)
    )
    return before, after


@pytest.mark.slow
@rules("N-162")
def test_the_count_of_failed_orders_is_that_of_the_list(records: list[NationsRecord]) -> None:
    counted = 0
    for record in records:
        for nation in record.before.alive:
            brief = brief_facts(record, WORDING, nation)
            orders = record.orders.get(nation, ())
            listed = sum(fate.is_lost and fate.what in orders for fate in brief.fates)
            said = next((one for one in brief.gist if one.code.startswith("gist-failed")), None)
            assert said is None or said.facts.get("failed", 1) == listed
            counted += listed
    assert counted > 20


@rules("N-162")
def test_lost_land_is_listed_before_the_orders(records: list[NationsRecord]) -> None:
    lost = 0
    for record in records:
        for nation in record.before.alive:
            before, after = find_owned_provinces(record, nation)
            told = rows(brief_facts(record, WORDING, nation))
            gone = [row for row in told if "| LOST to" in row]
            assert {row.partition(" |")[0] for row in gone} == before - after
            assert told[: len(gone)] == gone
            lost += len(gone)
    assert lost > 5, "a game in which little changes hands shows little"


@rules("N-162")
def test_every_own_order_is_listed_once_with_its_outcome(
    records: list[NationsRecord],
) -> None:
    for record in records:
        for nation, texts in record.orders.items():
            told = [fate.what for fate in brief_facts(record, WORDING, nation).fates]
            for text in texts:
                assert told.count(text) == texts.count(text), text


@rules("N-159")
def test_a_failure_is_listed_with_its_order(records: list[NationsRecord]) -> None:
    wrong = reasons = 0
    for record in records:
        for nation in record.before.alive:
            for row in rows(brief_facts(record, WORDING, nation)):
                order, _, rest = row.partition(" | ")
                if "X-SITE  build" in rest:
                    place = rest.rpartition(" in ")[2].partition(":")[0]
                    reasons += 1
                    wrong += not order.startswith("BUILD") or place not in order
    assert reasons and not wrong


@rules("N-156")
def test_a_head_contains_no_hidden_facts(records: list[NationsRecord]) -> None:
    """The head is the same without the facts hidden from the viewer.

    These are orders, private events, armies and technologies of others.
    """
    for record in records:
        for nation in record.before.alive:
            bare = replace(
                record,
                before=apply_fog(World(BOARD, record.before), record.before, nation),
                after=apply_fog(World(BOARD, record.after), record.after, nation),
                events=tuple(e for e in record.events if not e.only or nation in e.only),
                orders={nation: record.orders.get(nation, ())},
                became={nation: record.became.get(nation, ())},
                rolls=(),
            )
            whole, known = (brief_facts(one, WORDING, nation) for one in (record, bare))
            assert whole == known, nation


def test_an_observer_receives_the_public_facts(records: list[NationsRecord]) -> None:
    for record in records:
        public = replace(
            record, events=tuple(e for e in record.events if not e.only), orders={}, became={}
        )
        brief = brief_facts(record, WORDING, "")
        assert brief == brief_facts(public, WORDING, "")
        assert not brief.power and not brief.fates


def quiet(record: NationsRecord, **changes: object) -> NationsRecord:
    """Return a turn without changes of owner, with some fields replaced."""
    still: Mapping[str, object] = {
        "before": record.before, "after": record.before, "events": (), "orders": {}, "became": {},
    }  # fmt: skip
    return replace(record, **{**still, **changes})  # type: ignore[arg-type]


def test_the_sentence_sums_up_the_turn_for_the_viewer(records: list[NationsRecord]) -> None:
    first = records[1]
    war = WorldEvent("war", {"nation": "EGY", "to": "BRI", "broken": []})
    done = {"orders": {"BRI": ("HOLD #4 London",)}, "became": {"BRI": (("holds",),)}}
    halted = {
        "orders": {"BRI": ("MOVE 1 #4 London -> #3 Yorkshire",)},
        "became": {"BRI": (("halted",),)},
        "events": (
            WorldEvent("halt", {"why": "peace", "at": 4, "goal": 3, "count": 1}, ("BRI",)),
        ),
    }  # fmt: skip
    won = Victory("domination", ("BRI",), (("BRI", 40, 9, 9),))
    both = Victory("landing", ("BRI", "EGY"), (("BRI", 40, 9, 9),))
    drawn = Victory("stagnation", (), (("BRI", 40, 9, 9),))
    head = "BRITAIN, Turn 1 (1940.1): "
    for changes, nation, said in (
        ({}, "BRI", head + "you sent no orders."),
        (done, "BRI", head + "none of your orders failed."),
        ({"events": (war,), **done}, "BRI",
         head + "Egypt declared war on you; none of your orders failed."),
        (halted, "BRI", head + "your order failed or cost you units."),
        ({"events": (war,)}, "", "Turn 1 (1940.1): Egypt declared war on Britain."),
        ({}, "", "Turn 1 (1940.1): no war was declared and no province changed hands."),
        ({"victory": won, **done}, "BRI", head + "you have won; none of your orders failed."),
        ({"victory": won}, "EGY", "EGYPT, Turn 1 (1940.1): Britain has won; you sent no orders."),
        ({"victory": both}, "",
         "Turn 1 (1940.1): Britain and Egypt have won."),
        ({"victory": drawn}, "", "Turn 1 (1940.1): the game is over."),
    ):  # fmt: skip
        assert title(brief_facts(quiet(first, **changes), WORDING, nation)) == said
    assert rows(brief_facts(quiet(first, **halted), WORDING, "BRI")) == [
        "MOVE 1 #4 London -> #3 Yorkshire | is halted X-PEACE  1 of your units stayed in "
        "#4 London: #3 Yorkshire belonged to no partner, and they could not attack it."
    ]
    told = brief_facts(quiet(first, events=(war,)), WORDING, "ITA")
    assert elsewhere(told) == "Egypt declared war on Britain"


def test_battle_reports_are_german_in_german(records: list[NationsRecord]) -> None:
    battles = [event for record in records for event in record.events if "attackers" in event.facts]
    told = " ".join(
        phrasebook("nations1940", "de").render(WORDING.describe_event(each)) for each in battles
    )
    assert any(german in told for german in ("Deutschland", "Ägypten", "Donauland", "Türkei"))
    english = {"Germany", "Egypt", "Danubia", "Turkey", "Britain", "Castile"}
    assert not english & set(told.split())


@rules("N-84", "N-162")
def test_strike_on_own_land_is_reported_to_its_nation() -> None:
    quiet = Settings(events=False)
    state = laid_out(
        ("WAR DAN UKR", "DAN techs=Nuclear_Missiles", "#38 improvements=SIL",
         "#20 armies=UKR:2 improvements=ACA"), 7, quiet,
    )
    orders = {"DAN": (Missile(1, 20),), "UKR": ()}
    found = resolve(BOARD, state, orders, quiet, Dice(SEED, 7))
    text = write_record(state, found, quiet, {"DAN": ("MISSILE 1 #20 Kiev",), "UKR": ()})
    told = TurnReport(MAP, read_record(text)).results(Viewer(ViewerRole.POWER, "Ukraine"), "UKR")
    [mine] = [piece.facts for piece in told.pieces if piece.template == "fortunes"]
    assert any("missile" in one.code for one in mine["rest"])  # type: ignore[index]
    brief = brief_facts(read_record(text), EventWording(MAP, BOARD), "UKR")
    assert "gist-armies-lost" in [one.code for one in brief.gist]


@rules("N-159", "N-162")
def test_orders_counted_as_failed_come_first_with_a_reason(records: list[NationsRecord]) -> None:
    """Lost land has its own rows above them."""
    lacking = []
    for record in records:
        for nation in record.orders:
            brief = brief_facts(record, WORDING, nation)
            fates = [fate for fate in brief.fates if fate.what in record.orders[nation]]
            flags = [fate.is_lost for fate in fates]
            assert flags == sorted(flags, reverse=True)
            failed = next((c.facts["failed"] for c in brief.gist if c.code == "gist-failed"), None)
            assert failed in (None, sum(flags))
            lacking += [(fate.what, fate.verdict) for fate in fates
                        if fate.is_lost and not fate.why]
    assert not lacking
