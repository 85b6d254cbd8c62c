"""Games of bots: `python -m tests.games.nations1940.bot_games [GAMES]`.

Plays that number of games of the preset `blitz` among bots, then as many in which one bot plays
against random players, and prints the wins of each nation. `--twelve` plays the first part
with all twelve nations.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from judge.dice import Dice
from judge.games.nations1940.bots import bot_orders
from judge.games.nations1940.rules import possible
from judge.games.nations1940.rules.endings import ranking
from judge.games.nations1940.rules.legality import check_orders
from judge.games.nations1940.rules.opening import opening
from judge.games.nations1940.rules.orders import Order
from judge.games.nations1940.rules.resolve import resolve
from judge.games.nations1940.rules.settings import Settings, settings_on
from judge.games.nations1940.rules.state import NationsState
from judge.games.nations1940.rules.visibility import apply_fog
from judge.games.nations1940.rules.world import World
from tests.games.nations1940.board_of_cases import BOARD


class Played(NamedTuple):
    """Result of one game."""

    state: NationsState
    first: tuple[str, ...]
    """The winners by a victory, else the nation that is ranked first."""
    how: str
    illegal: int
    """Orders of bots that the rules refuse."""
    seconds: Sequence[float]
    """Processor time of each bot's orders, in ascending order."""


def random_orders(world: World, nation: str, chance: random.Random) -> tuple[Order, ...]:
    """Return legal orders drawn at random."""
    found: list[Order] = []
    pools = (
        possible.moves(world, nation), possible.builds(world, nation),
        possible.diplomacy(world, nation), possible.sailings(world, nation),
    )
    for pool in pools:
        every = list(pool)
        found += chance.sample(every, min(3, len(every)))
    checked = check_orders(world, nation, found)
    return tuple(one.order for one in checked if one.fault is None and one.is_filed)


def play(
    seed: int, settings: Settings, bots: Collection[str] | None = None, turns: int = 240
) -> Played:
    """Play a game of bots, or of the nations in *bots* against random players."""
    state, chance = opening(BOARD, settings), random.Random(seed)
    took: list[float] = []
    illegal, how = 0, ""
    first: tuple[str, ...] = ()
    while state.turn <= turns and not how:
        dice = Dice(seed.to_bytes(32, "big"), state.turn)
        sheets: dict[str, tuple[Order, ...]] = {}
        whole = World(BOARD, state, settings)
        for nation in state.alive:
            if bots is not None and nation not in bots:
                sheets[nation] = random_orders(whole, nation, chance) if state.turn else ()
                continue
            began = time.process_time()
            known = World(BOARD, apply_fog(whole, state, nation), settings)
            sheets[nation] = bot_orders(known, nation, dice)
            took.append(time.process_time() - began)
            checked = check_orders(whole, nation, sheets[nation])
            illegal += sum(one.fault is not None for one in checked)
        found = resolve(BOARD, state, sheets, settings, dice)
        state = found.after
        if found.victory:
            how = found.victory.how
            first = found.victory.winners or (found.victory.ranking[0][0],)
    if not how:
        first = (ranking(World(BOARD, state, settings))[0][0],)
    return Played(state, first, how, illegal, sorted(took))


def main(games: int, settings: Settings) -> None:
    """Play the games and print their figures."""
    played = opening(BOARD, settings).alive
    wins: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    provinces: Counter[str] = Counter()
    beaten: Counter[str] = Counter()
    illegal = 0
    took: list[float] = []
    for seed in range(games):
        game = play(seed, settings)
        wins.update(game.first)
        endings[game.how] += 1
        took += game.seconds
        provinces.update(one.owner for one in game.state.provinces.values() if one.owner)
        nation = played[seed % len(played)]
        alone = play(1000 + seed, settings, {nation})
        illegal += game.illegal + alone.illegal
        beaten[nation] += alone.first == (nation,)
    took.sort()
    print(f"{games} games, {dict(endings)}; illegal orders: {illegal};"
          f" {1000 * took[len(took) // 2]:.1f} ms a nation and turn, {1000 * took[-1]:.1f} at most")
    print("wins, mean number of provinces, wins against random players:")
    for nation in played:
        print(f"{nation} {wins[nation]:3d} {provinces[nation] / games:5.1f} {beaten[nation]:3d}")
    print(f"won against random players: {beaten.total()} of {games}")


if __name__ == "__main__":
    counts = [int(word) for word in sys.argv[1:] if word.isdigit()]
    twelve = {"nations": 12} if "--twelve" in sys.argv else {}
    main(counts[0] if counts else 100, settings_on("blitz", twelve))
