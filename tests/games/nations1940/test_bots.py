"""Bots of Nations 1940 give legal orders and beat random players."""

import random
import time
from collections import Counter

from judge.dice import Dice
from judge.games.nations1940.bots import bot_orders
from judge.games.nations1940.rules import possible
from judge.games.nations1940.rules.legality import check_orders
from judge.games.nations1940.rules.opening import opening
from judge.games.nations1940.rules.orders import Order
from judge.games.nations1940.rules.resolve import resolve
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.sight import veiled
from judge.games.nations1940.rules.state import State
from judge.games.nations1940.rules.world import World
from tests.games.nations1940.board_of_cases import BOARD

SHORT = Settings(events=False, last_turn=60)
MAX_SECONDS = 0.02
"""Processor time of one nation's orders."""


def random_orders(world: World, nation: str, chance: random.Random) -> tuple[Order, ...]:
    """Return orders that are legal and mean nothing."""
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


def play(seed: int, bots: set[str] | None = None, turns: int = 60) -> tuple[State, float, int]:
    """Return the end of a game, a bot's median seconds, and its illegal orders."""
    state, chance = opening(BOARD, SHORT), random.Random(seed)
    took: list[float] = []
    illegal = 0
    while state.turn <= turns:
        dice = Dice(seed.to_bytes(32, "big"), state.turn)
        sheets = {}
        whole = World(BOARD, state, SHORT)
        for nation in state.alive:
            if bots is not None and nation not in bots:
                sheets[nation] = () if not state.turn else random_orders(whole, nation, chance)
                continue
            began = time.process_time()
            known = World(BOARD, veiled(whole, state, nation), SHORT)
            sheets[nation] = bot_orders(known, nation, dice)
            took.append(time.process_time() - began)
            checked = check_orders(whole, nation, sheets[nation])
            illegal += sum(one.fault is not None for one in checked)
        found = resolve(BOARD, state, sheets, SHORT, dice)
        state = found.after
        if found.victory:
            break
    return state, sorted(took)[len(took) // 2], illegal


def size(state: State, nation: str) -> int:
    return sum(one.owner == nation for one in state.provinces.values())


def test_bots_give_no_illegal_order_and_are_quick() -> None:
    state, seconds, illegal = play(1, turns=30)
    assert illegal == 0 and seconds <= MAX_SECONDS
    assert sum(not one.owner for one in state.provinces.values()) <= 6, "they take neutral land"


def test_bots_play_the_same_again() -> None:
    assert play(2, turns=8)[0] == play(2, turns=8)[0]


def test_bot_wins_against_random_players() -> None:
    for seed, nation in enumerate(("GER", "EGY", "BRI")):
        state, *_ = play(seed, {nation}, turns=40)
        sizes = Counter({one: size(state, one) for one in state.nations})
        assert sizes.most_common(1)[0][0] == nation, sizes


def test_bots_play_a_short_game_of_six() -> None:
    short = SHORT._replace(nations=6)
    state = opening(BOARD, short)
    assert sorted(state.nations) == ["BRI", "EGY", "GER", "ITA", "OTT", "RUS"]
    while state.turn <= 12:
        dice, whole = Dice(bytes(32), state.turn), World(BOARD, state, short)
        sheets = {
            nation: bot_orders(World(BOARD, veiled(whole, state, nation), short), nation, dice)
            for nation in state.alive
        }
        state = resolve(BOARD, state, sheets, short, dice).after
    assert sum(bool(one.owner) for one in state.provinces.values()) > 50
