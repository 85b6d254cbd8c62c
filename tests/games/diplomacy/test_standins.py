"""Orders of bots: legal, reproducible from the dice and mostly sensible."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from random_boards import random_case
from scenes import position as placed

from judge.board.map import Map, Unit, UnitKind
from judge.board.position import Dislodged, Position, parse_phase
from judge.dice import BotRandom, Dice
from judge.games.diplomacy.boards import MAP_NAMES, all_names, board, board_under
from judge.games.diplomacy.bots import bot_orders
from judge.games.diplomacy.rules.orders import order_text
from judge.games.diplomacy.rules.ruleset import Rules
from tests.games.diplomacy.bot_games import Played, contest, faults, game, houses_of, trial

STANDARD = board("standard")

ANYWHERE = 40
"""Number of random boards for bots, in two seasons.

Bots move among other units there.
"""

SCENES = (
    # The columns are phase, power, units, dislodged units, foreign centres, orders of which the bot
    # must give one, and the reason.
    ("S1901M", "France", "France: A Mar; Italy: A Rom", "", "nobody: Spa; Italy: Rom",
     "A MAR - SPA", "a centre of nobody's beside it"),
    ("F1901M", "France", "France: A Spa; Italy: A Rom", "", "nobody: Spa, Por; Italy: Rom",
     "A SPA H", "in the Fall it stays where it takes a centre"),
    ("F1905M", "France", "France: A Bur, A Ruh; Germany: A Mun", "", "Germany: Mun",
     "A BUR S A RUH - MUN|A RUH S A BUR - MUN", "two against one: one goes, the other supports"),
    ("F1905M", "England", "England: A Yor, F Nth", "", "Germany: Den",
     "F NTH C A YOR - DEN|F NTH - DEN", "nothing is left at home"),
    ("S1905M", "England", "England: A Lon, F Nth, F Nwg; Russia: A Nwy", "", "Russia: Nwy, Swe",
     "F NTH C A LON - NWY|F NWG S F NTH - NWY|F NTH S F NWG - NWY", "an army goes by sea, or help"),
    ("F1905R", "France", "Germany: A Par, A Bur", "France: A Gas < Par", "Germany: Par, Bre",
     "A GAS R SPA|A GAS R MAR|A GAS R BRE", "a retreat to a centre"),
    ("F1905A", "France", "France: A Spa", "", "Germany: Mun",
     "BUILD A MAR|BUILD A PAR", "a build that is due"),
    ("F1905A", "Italy", "Italy: A Bre, A Swe, A Hol", "",
     "Germany: Bel, Bre, Bul, Den, Kie, Lon, Mar, Mos, Nwy, Rum, Smy, Spa, Swe, Tri, War",
     "BUILD F VEN", "with armies alone it builds fleets"),
    ("F1905A", "Italy", "Italy: A Rom, A Naf; Austria: A Apu", "",
     f"Austria: {', '.join(set(STANDARD.centres) - {'Rom'})}",
     "A NAF D", "what stands farthest off goes"),
)


def units_in(text: str) -> dict[str, tuple[Unit, ...]]:
    found = (part.split(": ") for part in text.split("; ") if part)
    return {
        power: STANDARD.sort_units([
            Unit(UnitKind(kind), places[place.upper()])
            for kind, place in (each.split() for each in units.split(", "))
        ])
        for power, units in found
    }


places = {abbr.upper(): abbr for abbr in STANDARD.provinces}


def scene(phase: str, power: str, units: str, beaten: str, others: str) -> Position:
    dislodged = {}
    if beaten:
        whose, rest = beaten.split(": ")
        unit, origin = rest.split(" < ")
        kind, place = unit.split()
        dislodged[whose] = (Dislodged(Unit(UnitKind(kind), place), origin),)
    owned = dict.fromkeys(STANDARD.centres, power)
    for part in others.split("; "):
        owner, found = part.split(": ")
        owned |= dict.fromkeys(found.split(", "), owner)
    owned = {centre: owner for centre, owner in owned.items() if owner != "nobody"}
    return Position(parse_phase(phase), units_in(units), owned, dislodged)


def texts(on: Map, position: Position, power: str, seed: int, rules: Rules = Rules()) -> list[str]:
    luck = BotRandom(Dice(bytes([seed] * 32), 1), "bot")
    return [order_text(order) for order in bot_orders(on, position, power, rules, luck)]


@pytest.mark.parametrize("phase, power, units, beaten, others, wanted, why", SCENES)
def test_a_bot_gives_the_obvious_order(
    phase: str, power: str, units: str, beaten: str, others: str, wanted: str, why: str
) -> None:
    position = scene(phase, power, units, beaten, others)
    for seed in range(5):
        assert set(wanted.split("|")) & set(texts(STANDARD, position, power, seed)), why


@pytest.mark.slow
def test_bot_orders_are_legal_and_reproducible_from_the_seed() -> None:
    for name, number, rules in (
        (each, *house) for each in all_names() for house in enumerate(houses_of(each))
    ):
        on = board_under(name, rules)
        everybody = [power.name for power in on.powers]
        played = [*game(on, everybody, number, rules=rules, years=1)]
        wrong = [fault for each in played for fault in faults(on, each, rules)]
        assert wrong == [], name
        assert [*game(on, everybody, number, rules=rules, years=1)] == played, name


def test_other_dice_give_another_game() -> None:
    everybody = [power.name for power in STANDARD.powers]
    ends = {
        str([*game(STANDARD, everybody, seed, years=2)][-1].position.units) for seed in range(4)
    }
    assert len(ends) > 1


@pytest.mark.slow
def test_bots_beat_holding_and_random_players() -> None:
    found = contest(STANDARD, 3)
    assert sum(found.bots) > 2 * sum(found.others), found.format_means()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "piece"),
    [(name, piece) for name in all_names() for piece in range(4 if name in MAP_NAMES else 1)],
)
def test_bot_orders_are_legal_in_many_phases(name: str, piece: int) -> None:
    """Tested in four parts of 500 phases each, or in one of 200 for a preset.

    Several workers share the parts.
    """
    phases, number = 0, 100 * piece
    while phases < (500 if name in MAP_NAMES else 200):
        played, wrong = trial(name, number)
        assert wrong == []
        phases, number = phases + played, number + 1


@pytest.mark.slow
@pytest.mark.parametrize("name, games", [("standard", 80), ("youngstown", 30)])
def test_bots_own_twice_as_much_in_many_games(name: str, games: int) -> None:
    found = contest(board(name), games)
    assert sum(found.bots) >= 2 * sum(found.others), found.format_means()


def test_bots_order_legally_on_random_boards() -> None:
    """Many armies and fleets are mixed, so supports and conflicting goals occur."""
    kinds: Counter[str] = Counter()
    for seed in range(ANYWHERE):
        on, at = afloat(seed) if seed % 2 else random_case(seed, 14)[:2]
        sides = [*sorted(at.units), "nobody", "nobody"]
        owners = {centre: sides[n % len(sides)] for n, centre in enumerate(on.centres)}
        season = parse_phase(("S1902M", "F1902M")[seed // 2 % 2])
        here = replace(at, phase=season, owners=owners)
        orders = {
            power: bot_orders(on, here, power, Rules(), BotRandom(Dice(bytes(32), seed), power))
            for power in sorted(at.units)
        }
        assert faults(on, Played(here, orders), Rules()) == [], seed
        kinds += Counter(type(order).__name__ for own in orders.values() for order in own)
    assert {"Hold", "Move", "Support"} <= kinds.keys()


def afloat(seed: int) -> tuple[Map, Position]:
    """Return a position with English armies on their island and fleets to carry them."""
    luck = Random(seed)
    armies = luck.sample(["LON", "YOR", "EDI", "WAL", "LVP", "CLY"], 3)
    fleets = luck.sample(["NTH", "NWG", "ENG", "IRI", "NAO", "SKA", "HEL", "MAO", "WES", "BAR"], 6)
    of_germany = luck.sample(["DEN", "KIE", "HOL", "BEL", "PIC", "NWY", "SWE", "STP"], 2)
    mine = ", ".join([*(f"A {at}" for at in armies), *(f"F {at}" for at in fleets)])
    theirs = ", ".join(f"A {at}" for at in of_germany)
    return STANDARD, placed(STANDARD, "M", f"England: {mine}; Germany: {theirs}")
