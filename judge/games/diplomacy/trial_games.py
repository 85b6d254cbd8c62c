"""Games of random legal orders, which test a map: `judge map play`.

Every order that the rules offer can be chosen, so that rare ways of a map are used too. After each
phase the position is checked.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from judge.board.map import Map, Unit
from judge.board.mapfile import may_stand
from judge.board.position import PhaseKind, Position
from judge.dice import BotRandom, Dice
from judge.games.diplomacy.boards import FAULTS, opening_on
from judge.games.diplomacy.rules.adjudicate import adjudicate
from judge.games.diplomacy.rules.adjustments import adjustment_count
from judge.games.diplomacy.rules.orders import Order
from judge.games.diplomacy.rules.possible import possible_orders
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.record import dump_text, load_text

MAX_FAULTS = 5
"""Number of faults of one game after which it is not continued."""


class TrialGame(NamedTuple):
    """A game of random orders: its phases, its end and the faults that were found."""

    phases: int
    last: str
    """Label of the phase in which it ended."""
    winner: str
    faults: tuple[str, ...]


def play_trial(board: Map, rules: Rules, years: int, number: int) -> TrialGame:
    """Play one game for a number of years, or until a power wins.

    Games of the same map and number are the same.
    """
    position = opening_on(board)
    first, phases, faults = position.phase.year, 0, list(position_faults(board, position))
    while position.phase.year < first + years and len(faults) < MAX_FAULTS:
        orders = _random_orders(board, position, rules, number, phases)
        phases += 1
        label = str(position.phase)
        try:
            after = adjudicate(board, position, orders, rules).after
        except FAULTS as fault:
            # A map may show a fault of the rules, which is reported with its phase.
            faults.append(f"{label}: {fault!r}")
            break
        position = after.position
        faults += [f"{label}: {fault}" for fault in position_faults(board, position)]
        if after.winner:
            return TrialGame(phases, label, after.winner, tuple(faults[:MAX_FAULTS]))
    return TrialGame(phases, str(position.phase), "", tuple(faults[:MAX_FAULTS]))


def _random_orders(
    board: Map, position: Position, rules: Rules, number: int, phase: int
) -> dict[str, tuple[Order, ...]]:
    seed = number.to_bytes(32, "big")
    return {
        power: tuple(_choose(
            board, position, power, units,
            BotRandom(Dice(seed, phase), board.power(power).letter), rules,
        ))
        for power, units in possible_orders(board, position, rules).items()
    }


def _choose(
    board: Map, position: Position, power: str, units: dict[Unit, tuple[Order, ...]],
    random: BotRandom, rules: Rules,
) -> Iterator[Order]:
    """Yield a random order for each unit, or as many builds or removals as are due.

    Half of the units that can move do so, as most orders on a crowded board are supports.
    """
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        due = abs(adjustment_count(board, position, power, rules))
        yield from _choose_adjustments(units, due, random)
        return
    for orders in units.values():
        yield random.pick(_moves(orders) if random.chance(2) else orders)


def _moves(orders: Sequence[Order]) -> Sequence[Order]:
    kind = type(orders[min(1, len(orders) - 1)])
    return [order for order in orders if type(order) is kind]


def _choose_adjustments(
    units: dict[Unit, tuple[Order, ...]], due: int, random: BotRandom
) -> Iterator[Order]:
    taken: set[str] = set()
    for unit in random.shuffle(list(units)):
        if unit.province not in taken and len(taken) < due:
            taken.add(unit.province)
            yield units[unit][0]


def position_faults(board: Map, position: Position) -> Iterator[str]:
    """Yield what no position of a map can be."""
    powers = {power.name for power in board.powers}
    units = [unit for own in position.units.values() for unit in own]
    for province, count in Counter(unit.province for unit in units).items():
        if count > 1:
            yield f"{count} units are in {province}"
    for unit in units:
        if not may_stand(unit, board.provinces[unit.province], board):
            yield f"{unit} cannot be there"
    for centre, owner in position.owners.items():
        if centre not in board.centres or owner not in powers:
            yield f"{owner} owns {centre}"
    if not {*position.units} <= powers:
        yield f"units of no power: {', '.join(sorted({*position.units} - powers))}"
    if load_text(dump_text(position)) != position:
        yield "the stored position is another one"
