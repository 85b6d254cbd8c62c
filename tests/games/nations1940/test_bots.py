"""Bots of Nations 1940 give legal orders and beat random players."""

from collections import Counter

import pytest

from judge.games.nations1940.rules.settings import Settings, settings_on
from tests.games.nations1940.bot_games import play

SHORT = Settings(events=False, last_turn=60)
BLITZ = settings_on("blitz", {})
MAX_SECONDS = 0.02
"""Maximum processor time of one nation's orders, in seconds."""


@pytest.mark.slow
def test_bots_give_no_illegal_order_and_are_quick() -> None:
    found = play(1, SHORT, turns=30)
    assert found.illegal == 0
    assert found.seconds[len(found.seconds) // 2] <= MAX_SECONDS
    assert sum(not one.owner for one in found.state.provinces.values()) <= 6, (
        "they take neutral land"
    )


def test_bots_are_deterministic() -> None:
    assert play(2, SHORT, turns=8).state == play(2, SHORT, turns=8).state


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "nation"), [(0, "GER"), (1, "EGY"), (2, "BRI")])
def test_bot_wins_against_random_players(seed: int, nation: str) -> None:
    assert play(seed, SHORT, {nation}, turns=40).first == (nation,)


def test_bots_play_a_short_game_of_six() -> None:
    found = play(0, BLITZ, turns=12)
    assert sorted(found.state.nations) == ["BRI", "EGY", "GER", "ITA", "OTT", "RUS"]
    assert sum(bool(one.owner) for one in found.state.provinces.values()) > 50


@pytest.mark.slow
def test_bots_play_whole_blitz_games_legally() -> None:
    """The full measurement is `python -m tests.games.nations1940.bot_games 100`."""
    games = [play(seed, BLITZ) for seed in range(12)]
    assert sum(game.illegal for game in games) == 0
    wins = Counter(nation for game in games for nation in game.first)
    assert len(wins) >= 3, wins


@pytest.mark.slow
def test_bots_win_nine_of_ten_blitz_games_against_random_players() -> None:
    nations = ("BRI", "EGY", "GER", "ITA", "OTT", "RUS")
    games = [(nation, play(seed, BLITZ, {nation})) for seed, nation in enumerate(2 * nations)]
    assert sum(game.illegal for _, game in games) == 0
    assert sum(game.first == (nation,) for nation, game in games) >= 11
