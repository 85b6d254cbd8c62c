"""Games of bots against each other and against random or holding powers.

`python -m tests.games.diplomacy.bot_games [games] [map]` plays many and prints the mean number of
centres of each side at the end, with the confidence interval. Powers rotate, and the other powers
order at random in one game and hold in the next, which cancels the value of a place on the map and
the activity of the others.
"""

import math
import random
import statistics
import sys
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from judge.board.map import Map
from judge.board.position import Position
from judge.dice import BotRandom, Dice
from judge.games.diplomacy.boards import MAP_NAMES, board, board_under, opening_on, rules_on
from judge.games.diplomacy.bots import bot_orders
from judge.games.diplomacy.rules.adjudicate import adjudicate
from judge.games.diplomacy.rules.legality import explain_illegality
from judge.games.diplomacy.rules.orders import Order, order_text
from judge.games.diplomacy.rules.possible import possible_orders
from judge.games.diplomacy.rules.ruleset import Rules

YEARS = 10


HOUSES = (
    Rules(),
    Rules(blank_board=True, builds="any"),
    Rules(coastal_convoys=True, icebreaker=False, friendly_fire=True),
    Rules(builds="one", retreats=False, missing_coast="illegal"),
)
"""Rules that change the set of legal orders."""


class Played(NamedTuple):
    """One phase of a game: the position at its start and the bots' orders."""

    position: Position
    orders: dict[str, list[Order]]


def game(
    on: Map, bots: Collection[str], seed: int, *, others: str = "hold", rules: Rules = Rules(),
    years: int = YEARS,
) -> Iterator[Played]:
    """Yield the phases of a game of *years* years, then its last position."""
    position, turn, chance = opening_on(on), 0, random.Random(seed)
    last = position.phase.year + years
    while position.phase.year < last:
        turn += 1
        dice = Dice(seed.to_bytes(32, "big"), turn)
        orders = {
            power.name: bot_orders(on, position, power.name, rules, BotRandom(dice, power.letter))
            for power in on.powers
            if power.name in bots
        }
        yield Played(position, orders)
        drawn = _at_random(on, position, rules, chance) if others == "random" else {}
        adjudged = adjudicate(on, position, {**drawn, **orders}, rules)
        position = adjudged.position
        if adjudged.winner or adjudged.drawn:
            break
    yield Played(position, {})


def _at_random(
    on: Map, position: Position, rules: Rules, chance: random.Random
) -> dict[str, list[Order]]:
    """Return random orders of every power, builds in random order."""
    found = {}
    for power, units in possible_orders(on, position, rules).items():
        orders = [chance.choice(able) for able in units.values()]
        chance.shuffle(orders)
        found[power] = orders
    return found


def faults(on: Map, played: Played, rules: Rules = Rules()) -> list[str]:
    """Return the illegal orders of a phase, and powers that order a unit twice."""
    wrong = []
    for power, orders in played.orders.items():
        wrong += [
            f"{played.position.phase} {power} {order_text(order)}"
            for order in orders
            if explain_illegality(order, power, on, played.position, rules)
        ]
        if len({str(getattr(order, "unit", "")) for order in orders}) < len(orders):
            wrong.append(f"{played.position.phase} {power} orders a unit twice")
    return wrong


def houses_of(name: str) -> tuple[Rules, ...]:
    """Return the rules under which bots are tested on a map or preset, game by game."""
    return HOUSES if name in MAP_NAMES else (rules_on(name, {}),)


def trial(name: str, number: int) -> tuple[int, list[str]]:
    """Play one numbered game of bots.

    Return its number of phases and the illegal orders.
    """
    houses = houses_of(name)
    rules = houses[number % len(houses)]
    on = board_under(name, rules)
    played = [*game(on, [power.name for power in on.powers], number, rules=rules)]
    return len(played), [fault for each in played for fault in faults(on, each, rules)]


def try_all(name: str, phases: int, number: int) -> None:
    """Play games until *phases* phases are tested, and print each result.

    The output contains the number of the next game, so that the test can continue later.
    """
    found = 0
    while found < phases:
        played, wrong = trial(name, number)
        found, number = found + played, number + 1
        print(f"{name}: {found} phases, {len(wrong)} illegal; next game {number}", flush=True)
        for fault in wrong:
            print(f"  {fault}", flush=True)


def split(on: Map, number: int) -> list[str]:
    """Return the powers played by bots in a game: every second one, rotated."""
    names = [power.name for power in on.powers]
    start = number % len(names)
    turned = names[start:] + names[:start]
    return turned[number // len(names) % 2 :: 2]


class Contest(NamedTuple):
    """Mean centres of a bot and of another power, game by game."""

    bots: list[float]
    others: list[float]

    def format_means(self) -> str:
        """Return the two means as one line."""
        return f"bots {_interval(self.bots)}, others {_interval(self.others)}"


def contest(on: Map, games: int) -> Contest:
    """Play *games* games in which bots play half of the powers."""
    found = Contest([], [])
    for number in range(games):
        bots = split(on, number)
        others = "random" if number // 2 % 2 else "hold"
        *_, last = game(on, bots, number, others=others)
        counts = {power.name: len(last.position.centres(power.name)) for power in on.powers}
        found.bots.append(statistics.mean(counts[name] for name in bots))
        found.others.append(
            statistics.mean(count for name, count in counts.items() if name not in bots)
        )
    return found


def _interval(figures: Sequence[float]) -> str:
    """Return the mean with its 95% interval."""
    mean = statistics.mean(figures)
    half = 1.96 * statistics.stdev(figures) / math.sqrt(len(figures)) if len(figures) > 1 else 0.0
    return f"{mean:.2f} centres ({mean - half:.2f} to {mean + half:.2f})"


def main() -> None:
    """Play and print the result.

    Arguments: GAMES MAP, or legal MAP PHASES FIRST-GAME.
    """
    if sys.argv[1:2] == ["legal"]:
        name, phases, first = (*sys.argv[2:], *("youngstown", "10000", "0")[len(sys.argv) - 2:])
        try_all(name, int(phases), int(first))
        return
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    name = sys.argv[2] if len(sys.argv) > 2 else "standard"
    found = contest(board(name), games)
    print(f"{name}, {games} games of {YEARS} years: {found.format_means()}")


if __name__ == "__main__":
    main()
