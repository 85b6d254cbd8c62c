"""Games of random legal orders, phase by phase the same as the `diplomacy` package plays them."""

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
    """Return how many phases were played, and what explains where they differ."""
    phases, explained = 0, Counter[str]()
    for seed in seeds:
        found = play(package.Game(), seed, most)
        assert not found.unexplained
        assert set(found.possible) <= POSSIBLE, found.possible
        phases += found.phases
        explained += found.explained
    return phases, explained


POSSIBLE = {
    # We list the convoys of every fleet that hangs together with those of a route.
    "ours alone: F x C A x - x",
    # A support of a fleet needs no coast; theirs lists it with each coast besides.
    "theirs alone: A x S F x - x",
    "theirs alone: F x S F x - x",
    # After a dislodgement by a convoyed army, the package lists fewer retreats than its state has.
    "ours alone: A x R x",
    "ours alone: F x R x",
    "ours alone: F x D",
}
"""Orders that one of the two lists and the other does not; both take all of them."""

CHOICES = {"fallback=land", "6.D.12", "6.H.6"}
"""What explains differences: the package lets an army walk that was sent by sea without a whole
convoy (DATC 4.A.3), and has two faults with convoyed armies, which `beside_package` tells."""


def test_a_few_games() -> None:
    phases, explained = compare(range(2), most=20)
    assert phases > 30 and set(explained) <= CHOICES


@pytest.mark.slow
def test_two_hundred_games() -> None:
    phases, explained = compare(range(200))
    assert phases > 10_000 and set(explained) <= CHOICES


@pytest.mark.parametrize("rules", [[], ["DONT_SKIP_PHASES"]])
def test_a_game_the_package_saved_is_replayed(rules: list[str]) -> None:
    """Only what it calls void where a support is directed at a unit of one's own differs.

    Public games have the phases in which no one had anything to order, too.
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
