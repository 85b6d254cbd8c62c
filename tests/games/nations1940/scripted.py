"""A game from Turn 0 to its end, played by `players` through reader and resolver."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from judge.dice import Dice
from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.language.reading import read_lines
from judge.games.nations1940.language.verdicts import NationsVerdict
from judge.games.nations1940.rules.opening import opening
from judge.games.nations1940.rules.orders import Order
from judge.games.nations1940.rules.resolve import Resolved, resolve
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import NationsState
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import scenario
from judge.model.incoming import Line
from tests.games.nations1940.players import Temper, lines_of

MAP = "nations1940"
BOARD = scenario(MAP)


class Played(NamedTuple):
    """One turn: its state, the orders, the verdicts on the lines and the result."""

    before: NationsState
    orders: Mapping[str, tuple[Order, ...]]
    verdicts: Mapping[str, tuple[NationsVerdict, ...]]
    resolved: Resolved


def play(
    tempers: Callable[[str], Temper],
    seed: bytes,
    settings: Settings = Settings(),
    *,
    start: NationsState | None = None,
) -> Iterator[Played]:
    """Play turn by turn until the game ends."""
    state = start or opening(BOARD, settings)
    while True:
        world = World(BOARD, state, settings)
        orders, verdicts = {}, {}
        for nation in world.alive:
            texts = lines_of(world, nation, tempers(nation))
            lines = [Line(number, text) for number, text in enumerate(texts, 1)]
            reading = read_lines(world, lexicon(MAP), nation, lines, ())
            orders[nation], verdicts[nation] = reading.orders, reading.verdicts
        resolved = resolve(BOARD, state, orders, settings, Dice(seed, state.turn))
        yield Played(state, orders, verdicts, resolved)
        if resolved.victory:
            return
        state = resolved.after
