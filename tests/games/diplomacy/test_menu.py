"""OPTIONS: every possible order, and no impossible one."""

import json
from collections.abc import Iterator
from random import Random

import pytest
from english import in_english
from random_boards import random_case
from scenes import position
from slips import possible_orders, random_position
from tables import read, table
from test_table import BUILDING, REMOVING, RETREATING

from judge.board.map import ARMY, FLEET, Unit
from judge.board.position import Position
from judge.games.capabilities import Menu
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.rules.legality import explain_illegality_here
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import Convoy, Hold, Move, Order, Support, order_text
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.diplomacy.views.menu import menus
from judge.games.diplomacy.views.record import dump_text
from judge.model.incoming import Line
from judge.model.phrase import Phrase


def list_menus(at: DiplomacyTable, power: str | None, words: str = "") -> tuple[Menu, ...]:
    found = at.menus(power, words, {})
    assert not isinstance(found, Phrase), found
    return found


def texts(menus: tuple[Menu, ...]) -> list[str]:
    return [text for menu in menus for text in menu.orders]


@pytest.mark.parametrize("seed", range(12))
def test_every_listed_order_is_filed_without_a_note(seed: int) -> None:
    on, at, _ = random_case(seed)
    here = SYSTEM.table(on.name, dump_text(at), {})
    for power in sorted(at.units):
        for text in texts(list_menus(here, power)):
            (line,) = here.read_orders([Line(1, text)], power, {}).lines
            assert (line.filed, line.notes, line.complaint) == ((text,), (), None)


@pytest.mark.parametrize("on", ["standard", "youngstown"])
def test_no_possible_order_is_missing_from_the_list(on: str) -> None:
    rng = Random(5)
    at = random_position(board(on), rng, 20)
    here = SYSTEM.table(on, dump_text(at), {})
    wanted = [
        (power, order_text(order))
        for power in sorted(at.units)
        for order in possible_orders(board(on), at, power, rng)
        if isinstance(order, Move | Support)
    ]
    assert len(wanted) > 20
    for power, text in wanted:
        menus = list_menus(here, power, " ".join(text.split()[:2]))
        assert text in texts(menus)


def test_every_convoy_over_connected_fleets_is_listed() -> None:
    units = "England: F NTH, F NWG; France: A BEL, A LON; Italy: F ION"
    at = position(board("standard"), "M", units)
    here = SYSTEM.table("standard", dump_text(at), {})
    found = [text for text in texts(list_menus(here, "England", "F Nth")) if " C " in text]
    goals = ("BEL", "CLY", "DEN", "EDI", "HOL", "LON", "NWY", "YOR")
    assert found == [
        f"F NTH C A {army} - {goal}" for army in ("BEL", "LON") for goal in goals if goal != army
    ]


def test_sixty_orders_of_each_of_several_units_are_listed() -> None:
    on, at, _ = random_case(26)
    many = [menu for menu in list_menus(DiplomacyTable(on, at, Rules()), "Turkey") if menu.more]
    assert many and {len(menu.orders) for menu in many} == {60}


def test_the_list_of_several_units_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list_menus(table(), "India", "F Mad")[0].orders
    monkeypatch.setattr("judge.games.diplomacy.views.menu.MAX_OF_MANY", 4)
    many = {in_english(menu.title): menu for menu in list_menus(table(), "India")}
    assert many["Fleet Madras"].orders == whole[:4]
    assert many["Fleet Madras"].more == len(whole) - 4
    assert list_menus(table(), "India", "F Mad")[0].orders == whole


@pytest.mark.parametrize(
    ("found", "orders"),
    [
        (
            BUILDING,
            ["BUILD A CAL", "BUILD F CAL", "BUILD A DEL", "BUILD A MAD", "BUILD F MAD", "WAIVE"],
        ),
        (REMOVING, ["A KAS D", "A NEP D", "F BEN D"]),
    ],
)
def test_builds_and_removals_are_listed_by_what_is_due(found: Position, orders: list[str]) -> None:
    at = table(found)
    assert texts(list_menus(at, "India")) == orders
    for text in orders:
        assert json.loads(read(at, "India", text).sheets["India"]) == [text]


def test_retreats_are_listed_with_disbanding() -> None:
    at = table(RETREATING)
    found = texts(list_menus(at, "India"))
    assert found[-1] == "F MAD D" and len(found) > 2
    assert all(text.startswith("F MAD ") for text in found)
    assert texts(list_menus(at, "China")) == []


@pytest.mark.parametrize(
    ("power", "words", "code"),
    [
        ("India", "A Par", "not-your-unit"),
        ("India", "France", "not-your-power"),
        ("India", "Xyzzy", "unknown-place"),
        ("India", "Brm", "no-unit"),
        ("India", "A Del and A Cal", "options-of-one"),
        (None, "", "whose-options"),
    ],
)
def test_an_invalid_request_is_reported(power: str | None, words: str, code: str) -> None:
    found = table().menus(power, words, {})
    assert isinstance(found, Phrase) and found.code == code


def test_the_master_may_ask_for_any_power() -> None:
    at = table()
    assert list_menus(at, None, "india") == list_menus(at, "India")
    assert in_english(list_menus(at, None, "A Par")[0].title) == "Army Paris"


@pytest.mark.parametrize("seed", range(12))
def test_options_are_the_legal_orders_that_can_have_an_effect(seed: int) -> None:
    rules = Rules(icebreaker=seed % 2 == 0)
    on, at, _ = random_case(seed)
    here = DiplomacyTable(on, at, rules)
    for power, units in at.units.items():
        context = OrderContext(on, at, power, rules)
        for unit in units:
            (menu,) = list_menus(here, power, str(unit))
            wanted = [order_text(one) for one in every_order(unit, context)
                      if not explain_illegality_here(one, power, context)]
            assert menu.orders == tuple(wanted[: len(menu.orders)])
            assert len(wanted) == len(menu.orders) + menu.more


def every_order(unit: Unit, context: OrderContext) -> Iterator[Order]:
    """Yield all orders of a unit to every place and unit.

    Moves by sea are limited to places connected by fleets.
    """
    on, standing = context.board, sorted(context.standing.items())
    places = sorted({*on.provinces, *on.sail})
    fleets = {place for place, (_, one) in standing if one.kind is FLEET and on.may_convoy(place)}
    yield Hold(unit)
    yield from (Move(unit, place) for place in places if place in on.stations[unit].there)
    if unit.kind is ARMY:
        everywhere = on.sea_bits(fleets)
        for goal in on.provinces:
            if on.joins(unit.province, goal, everywhere):
                yield Move(unit, goal, via=True)
    others = on.sea_bits(fleets - {unit.province})
    for place, (_, other) in standing:
        yield Support(unit, other)
        for goal in on.provinces:
            by_sea = other.kind is ARMY and on.joins(place, goal, others)
            if by_sea or goal in on.stations[other].reach:
                yield Support(unit, other, goal)
    chain, seen = {unit.province} & fleets, set[str]()
    while chain > seen:
        seen = chain
        chain = chain | {sea for here in chain for sea in fleets & on.near[here]}
    together = on.sea_bits(chain)
    for place, (_, other) in standing if together else ():
        for goal in on.provinces:
            if on.joins(place, goal, together):
                yield Convoy(unit, other, goal)


def test_proxy_units_are_listed_without_a_power_named() -> None:
    at = position(board("standard"), "M", "France: A PAR; Germany: A MUN, A RUH; Italy: A ROM")
    lent = {"Mun": "France", "Rom": "Germany"}

    def titles(words: str) -> list[str]:
        found = menus(board("standard"), at, "France", words, Rules(), lent)
        assert not isinstance(found, Phrase), found
        return [in_english(menu.title) for menu in found]

    assert titles("") == ["Army Paris", "Army Munich, of Germany"]
    assert titles("France") == ["Army Paris"]
    assert titles("A Mun") == ["Army Munich, of Germany"]
    refused = menus(board("standard"), at, "France", "A Rom", Rules(), lent)
    assert isinstance(refused, Phrase) and refused.code == "not-your-unit"
    assert refused.facts["power"] == "Italy"
    retreats = position(board("standard"), "R", "France: A PAR; dislodged Germany: A MUN")
    assert menus(board("standard"), retreats, "France", "", Rules(), lent) == ()


def test_a_unit_in_winter_gets_the_adjustments_due() -> None:
    def of(power: str, units: str, words: str) -> object:
        at = position(board("standard"), "A", units)
        found = menus(board("standard"), at, power, words, Rules())
        return found.code if isinstance(found, Phrase) else [len(menu.orders) for menu in found]

    assert of("France", "France: A PAR, A BUR", "") == of("France", "France: A PAR, A BUR", "A Par")
    assert of("France", "France: A PAR, A BUR, F MAR", "") == []
    assert of("France", "France: A PAR, A BUR", "A Spa") == [5]
    assert of("", "France: A PAR, A BUR", "A Spa") == "no-unit"
    assert of("", "France: A PAR, A BUR", "A Par") == [5]
