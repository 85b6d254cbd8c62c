"""Games of random legal orders, compared with the `diplomacy` package.

Each phase has the same result in both programs.
"""

import json
import random
import warnings
from collections import Counter
from typing import Any

import pytest
from beside_package import play

from judge import diplomacy

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    package: Any = pytest.importorskip("diplomacy", reason="the test extra is not installed")
    export: Any = pytest.importorskip("diplomacy.utils.export")


def compare(seeds: range, most: int = 60) -> tuple[int, Counter[str]]:
    """Return the number of phases played and the explanations of differences."""
    phases, explained = 0, Counter[str]()
    for seed in seeds:
        found = play(package.Game(), seed, most)
        assert not found.unexplained
        assert set(found.possible) <= POSSIBLE, found.possible
        phases += found.phases
        explained += found.explained
    return phases, explained


POSSIBLE = {
    # The judge lists the convoys of every connected group of fleets, the package those of a route.
    "ours alone: F x C A x - x",
    # The package lists the support of a fleet with each coast too, although it needs none.
    "theirs alone: A x S F x - x",
    "theirs alone: F x S F x - x",
    # After a dislodgement by a convoyed army, the package lists fewer retreats than its state has.
    "ours alone: A x R x",
    "ours alone: F x R x",
    "ours alone: F x D",
}
"""Orders that only one of the two programs lists, although both accept them."""

CHOICES = {"fallback=land", "6.D.12", "6.H.6"}
"""Explanations of differences in state.

The package lets an army walk that was sent by sea without a whole convoy (DATC 4.A.3), and has two
faults with convoyed armies, which `beside_package` describes.
"""


def test_a_few_games() -> None:
    phases, explained = compare(range(2), most=20)
    assert phases > 30 and set(explained) <= CHOICES


@pytest.mark.slow
def test_many_games() -> None:
    phases, explained = compare(range(80))
    assert phases > 4_000 and set(explained) <= CHOICES


@pytest.mark.parametrize("rules", [[], ["DONT_SKIP_PHASES"]])
def test_a_game_the_package_saved_is_replayed(rules: list[str]) -> None:
    """The package voids a support against the supporter's own unit.

    This is the only difference. Public games also have the phases in which no one had anything to
    order.
    """
    luck, game = random.Random(1), package.Game(game_id="theirs")
    for rule in rules:
        game.add_rule(rule)
    while not game.is_game_done and game.get_current_phase() != "S1908M":
        able = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            game.set_orders(power, [luck.choice(sorted(able[loc])) for loc in places if able[loc]])
        game.process()
    saved = json.loads(json.dumps(export.to_saved_game_format(game), default=str))
    record = diplomacy.read_game(saved)
    assert (record.id, len(record.phases) > 14) == ("theirs", True)
    assert diplomacy.read_game(diplomacy.write_game(record)) == record
    assert bool(rules) == ("S1901R" in {phase.name for phase in record.phases})
    for found in diplomacy.replay(record, fallback="land"):
        assert (found.what, found.recorded, found.ours) == ("order", "void", ""), found
        assert " S " in found.order
