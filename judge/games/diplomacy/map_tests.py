"""Tests of a map: reading its orders back, and playing games on it.

They need the rules, the language and the pictures. The checks of the tables alone are in
`judge.board.mapcheck`.
"""

from collections.abc import Iterator
from functools import cache

from judge.board.map import ARMY, FLEET, Map, Unit
from judge.board.mapcheck import MAX_FAULTS
from judge.board.mapfile import Fault, spellings_of
from judge.board.position import MOVEMENT, SPRING, Phase, Position
from judge.dice import BotRandom, Dice
from judge.drawing.svg import draw_svg
from judge.errors import DataError
from judge.games.diplomacy.boards import FAULTS, opening_on
from judge.games.diplomacy.bots import bot_orders
from judge.games.diplomacy.language.grammar import spellings_of_verbs
from judge.games.diplomacy.language.lexicon import lexicon
from judge.games.diplomacy.language.order_reader import read_lines
from judge.games.diplomacy.language.wording import short_words
from judge.games.diplomacy.rules.adjudicate import adjudicate
from judge.games.diplomacy.rules.orders import Hold, Move, Order, order_text
from judge.games.diplomacy.rules.possible import orders_open_to
from judge.games.diplomacy.rules.ruleset import Rules, rules_from
from judge.games.diplomacy.rules.seasons import find_ordering_powers
from judge.games.diplomacy.trial_games import play_trial, position_faults
from judge.games.diplomacy.views.examples import examples_on
from judge.games.diplomacy.views.pictures import standing_picture
from judge.model.incoming import Line

TRIAL_GAMES, TRIAL_YEARS = 5, 5
"""Number and length of the games of random orders."""
MAX_ORDERS = 4000
"""Maximum orders of the first phase that are read back."""


@cache
def words_of_orders() -> frozenset[str]:
    """Return the words of the order language."""
    return frozenset(word for _, word in spellings_of_verbs())


@cache
def _words_for_units() -> tuple[str, ...]:
    """Return the words before a place in an order, each with a blank behind it."""
    kinds = ("ARMY", "FLEET", "_UNIT")
    return tuple(f"{word} " for kind, word in spellings_of_verbs() if kind in kinds)


def run_map_tests(board: Map) -> list[Fault]:
    """Return the faults that a map shows in play, `MAX_FAULTS` at most."""
    found: list[Fault] = []
    tests = (_test_opening, _test_spellings, _test_random_games, _test_bots, _test_examples,
             _test_picture)
    for test in tests:
        try:
            found += [Fault("", 0, text) for text in test(board)]
        except FAULTS as fault:
            # The map is the test case, and each fault of it is reported.
            found.append(Fault("", 0, f"{test.__name__[6:].replace('_', ' ')}: {fault!r}"[:300]))
        if found:
            # A later test would report the same faults.
            break
    return found[:MAX_FAULTS]


def _rules(board: Map) -> Rules:
    return rules_from({"builds": board.builds})


def _test_opening(board: Map) -> Iterator[str]:
    opening = opening_on(board)
    if not find_ordering_powers(board, opening, _rules(board)):
        yield f"no power can order anything in {opening.phase}"
    yield from position_faults(board, opening)
    try:
        lexicon(board)
    except DataError as fault:
        yield f"names: {fault}"


def _test_spellings(board: Map) -> Iterator[str]:
    """Read back first orders, and a hold in each place, each in three spellings."""
    opening = opening_on(board)
    left = MAX_ORDERS
    for power in board.powers:
        for orders in orders_open_to(board, opening, power.name, _rules(board)).values():
            for order in orders[:left]:
                yield from _unread_spellings(board, opening, power.name, order)
            left -= len(orders[:left])
    name = next(power.name for power in board.powers if power.plays)
    phase = Phase(board.first_year, SPRING, MOVEMENT)
    for unit in _units(board):
        position = Position(phase, {name: (unit,)}, {})
        yield from _unread_spellings(board, position, name, Hold(unit))
        yield from _misread_names(board, phase, name, unit)


def _units(board: Map) -> Iterator[Unit]:
    """Yield an army in each province that takes one, or else its fleets."""
    for province in board.provinces.values():
        if province.terrain.takes_armies:
            yield Unit(ARMY, province.abbr)
        for place in board.fleet_places(province.abbr):
            if "/" in place or not province.terrain.takes_armies:
                yield Unit(FLEET, place)


def _unread_spellings(
    board: Map, position: Position, power: str, order: Order
) -> Iterator[str]:
    text = order_text(order)
    texts = [text, text.lower()]
    if not (isinstance(order, Move) and order.via):
        hold = " H" if isinstance(order, Hold) else ""
        texts.append(f"{short_words(order, board)}{hold}")
    for number, typed in enumerate(texts):
        if not _is_read(board, position, power, typed, order):
            form = ("", " in small letters", " with full names")[number]
            yield f"the order {typed!r}{form} is not read as {text}"
            break


def _misread_names(board: Map, phase: Phase, power: str, unit: Unit) -> Iterator[str]:
    """Yield the names of a unit's province that are read as other words of an order."""
    province, places = board.provinces[unit.province], lexicon(board).places
    other = next((found for found in _units(board) if unit.place in board.stations[found].there),
                 unit)
    position = Position(phase, {power: tuple(dict.fromkeys((unit, other)))}, {})
    alone = Position(phase, {power: (other,)}, {})
    for name in (province.abbr, province.name, *province.aliases):
        [low, *_] = spellings_of(name)
        parts = [low.removeprefix(word) for word in _words_for_units() if low.startswith(word)]
        meant = {places.get("".join(part.split()), "") for part in parts} - {"", province.abbr}
        if meant:
            yield f"{name!r} is read as a unit in {min(meant)}"
        elif parts or low in words_of_orders():
            texts = [f"{name} H", f"{unit.kind.value} {name} H"]
            yield from (_describe_misread(typed, Hold(unit)) for typed in texts
                        if not _is_read(board, position, power, typed, Hold(unit)))
            typed, move = f"{other} - {name}", Move(other, unit.place)
            if other is not unit and not _is_read(board, alone, power, typed, move):
                yield _describe_misread(typed, move)


def _describe_misread(typed: str, order: Order) -> str:
    return f"the order {typed!r} is not read as {order_text(order)}"


def _is_read(board: Map, position: Position, power: str, typed: str, order: Order) -> bool:
    [read] = read_lines([Line(1, typed)], board, position, power, _rules(board))
    return [order_text(found) for _, found in read.orders] == [order_text(order)] and (
        not read.complaints
    )


def _test_random_games(board: Map) -> Iterator[str]:
    for number in range(TRIAL_GAMES):
        game = play_trial(board, _rules(board), TRIAL_YEARS, number)
        yield from (f"random game {number}: {fault}" for fault in game.faults)


def _test_bots(board: Map) -> Iterator[str]:
    """Play one game of bots, whose orders must be legal."""
    position, rules, turn = opening_on(board), _rules(board), 0
    last = position.phase.year + TRIAL_YEARS
    while position.phase.year < last:
        turn += 1
        orders = {
            power.name: bot_orders(
                board, position, power.name, rules, BotRandom(Dice(bytes(32), turn), power.letter)
            )
            for power in board.powers if power.plays
        }
        found = adjudicate(board, position, orders, rules)
        position = found.position
        for fault in position_faults(board, position):
            yield f"game of bots, {position.phase}: {fault}"
        if found.winner or found.drawn:
            break


def _test_examples(board: Map) -> Iterator[str]:
    """Make the examples of letters, which name places and powers of the map."""
    powers = {power.letter for power in board.powers if power.plays}
    examples = examples_on(board)
    if not {examples["example-leader"], examples["example-other"]} <= powers:
        yield "the examples of letters name no power"


def _test_picture(board: Map) -> Iterator[str]:
    svg = draw_svg(standing_picture(board, opening_on(board)))
    if not svg.startswith("<svg"):
        yield "the picture is none"
