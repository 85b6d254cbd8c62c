"""Allotment of the powers at the start."""

import hashlib
import hmac
import json
import subprocess
from itertools import permutations
from shutil import which

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.dice import Dice
from judge.games import find_system
from judge.play.archive.gamefile import archive_stored, read_archive, write_archive
from judge.play.archive.importing import replay
from judge.play.people.power_allocation import assign_min_cost, rank_power
from tests.journeys.rig import Rig, text_of

COSTS = st.integers(1, 5).flatmap(
    lambda rows: st.lists(
        st.lists(st.integers(0, 9), min_size=5, max_size=5), min_size=rows, max_size=rows
    )
)


@given(COSTS)
def test_the_sum_of_ranks_is_minimal(costs: list[list[int]]) -> None:
    found = assign_min_cost(costs, 5)
    assert len(set(found)) == len(costs)
    best = min(
        sum(row[place] for row, place in zip(costs, places))
        for places in permutations(range(5), len(costs))
    )
    assert sum(row[place] for row, place in zip(costs, found)) == best


def test_wishes_are_ranked_in_their_sequence() -> None:
    assert [rank_power("NFR", letter, 10) for letter in "NFRT"] == [0, 1, 2, 10]
    assert [rank_power("[nf]r", letter, 10) for letter in "NFRT"] == [0, 0, 1, 10]
    assert [rank_power("", letter, 10) for letter in "NF"] == [0, 0]
    assert [rank_power("*", letter, 10) for letter in "NF"] == [0, 0]


@given(COSTS)
def test_ties_of_sums_prefer_first_places_and_later_rows(
    costs: list[list[int]],
) -> None:
    ways = list(permutations(range(5), len(costs)))
    least = min(sum(row[at] for row, at in zip(costs, way)) for way in ways)
    equal = [w for w in ways if sum(row[at] for row, at in zip(costs, w)) == least]
    first = min(sorted(way) for way in equal)
    told = max((way for way in equal if sorted(way) == first), key=lambda way: way[::-1])
    assert assign_min_cost(costs, 5) == list(told)


def test_a_place_for_each_of_many_players_is_found_quickly() -> None:
    costs = [[(7 * row + 3 * place) % 34 for place in range(34)] for row in range(34)]
    found = assign_min_cost(costs, 34)
    assert sorted(found) == list(range(34))
    assert sum(row[place] for row, place in zip(costs, found)) == 0


def by_hand(seed: bytes, name: str, things: list[str]) -> list[str]:
    """Shuffle a list by the method of HELP CHANCE."""
    rest, shuffled = list(things), []
    for n in range(1, len(things) + 1):
        digest = hmac.new(seed, f"0|{name}|{n}|0".encode(), hashlib.sha256).hexdigest()
        shuffled.append(rest.pop(int(digest[:16], 16) % len(rest)))
    return shuffled


def test_the_allotment_is_reproducible_after_the_end() -> None:
    rig = Rig()
    rig.mail("gm@example.org", "CREATE ?luck gmsecret standard")
    wishes = {"ann": "FE", "bob": "F", "cat": "", "dan": "[FE]G"}
    for name, wish in wishes.items():
        rig.mail(f"{name}@example.org", f"JOIN luck {name}secret\nSET PREFERENCE {wish}")
    rig.mail("gm@example.org", "SIGNON Mluck gmsecret\nSTART")
    running = rig.application.games.find("luck")
    assert running
    assert '"FE"' not in write_archive(archive_stored(rig.application.games, running))
    rig.mail("gm@example.org", "SIGNON Mluck gmsecret\nTERMINATE luck S1901M")
    game = rig.application.games.find("luck")
    assert game
    letter = text_of(rig.newest["ann@example.org"])
    told = json.loads(write_archive(archive_stored(rig.application.games, game)))
    start = next(event["told"] for event in told["events"] if event["kind"] == "start")
    players = start["allotment"]["players"]
    assert [wish for wish, _ in players] == list(wishes.values())
    names = {side.letter: side.name for side in find_system("diplomacy").powers("standard", {})}
    for wish, power in players:
        assert f"{power}: {'wished for 1. ' if wish else 'had no wish'}" in letter
        assert all(names[each] in letter for each in wish if each.isalpha())
    seed = bytes.fromhex(told["seed"])
    assert told["seed"] in letter.replace("\n", "")
    assert hashlib.sha256(seed).hexdigest() == Dice(seed, 0).commitment()
    sides = {side.name: side.letter for side in find_system("diplomacy").powers("standard", {})}
    powers = by_hand(seed, "allot:powers", sorted(sides))
    order = by_hand(seed, "allot:players", list("0123"))
    costs = [[rank_power(players[int(at)][0], sides[power], 7) for power in powers] for at in order]
    ways = list(permutations(range(7), 4))
    least = min(sum(row[at] for row, at in zip(costs, way)) for way in ways)
    equal = [w for w in ways if sum(row[at] for row, at in zip(costs, w)) == least]
    first = min(sorted(way) for way in equal)
    won = max((way for way in equal if sorted(way) == first), key=lambda way: way[::-1])
    assert [players[int(at)][1] for at in order] == [powers[place] for place in won]
    rig.close()


def test_a_changed_allotment_is_detected_by_replay() -> None:
    rig = Rig()
    rig.mail("gm@example.org", "CREATE ?luck gmsecret standard")
    for name in ("ann", "bob"):
        rig.mail(f"{name}@example.org", f"JOIN luck {name}secret\nSET PREFERENCE F")
    rig.mail("gm@example.org", "SIGNON Mluck gmsecret\nSTART")
    rig.mail("gm@example.org", "SIGNON Mluck gmsecret\nTERMINATE luck S1901M")
    game = rig.application.games.find("luck")
    assert game
    told = json.loads(write_archive(archive_stored(rig.application.games, game)))
    assert list(replay(read_archive(json.dumps(told)))) == []
    start = next(event["told"] for event in told["events"] if event["kind"] == "start")
    players = start["allotment"]["players"]
    players[0][1], players[1][1] = players[1][1], players[0][1]
    assert list(replay(read_archive(json.dumps(told)))) == [
        f"start: player 1 was given {players[0][1]}, chance gives {players[1][1]}",
        f"start: player 2 was given {players[1][1]}, chance gives {players[0][1]}",
    ]
    rig.close()


@pytest.mark.skipif(not which("openssl"), reason="no openssl here")
def test_the_openssl_draw_of_the_help_text_agrees() -> None:
    seed = bytes(range(32))
    line = ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", f"hexkey:{seed.hex()}"]
    told = subprocess.run(line, input=b"0|allot:powers|1|0", capture_output=True, check=True)
    digits = told.stdout.decode().split()[-1][:16]
    assert int(digits, 16) % 7 + 1 == Dice(seed, 0).draw("allot:powers", 1, 7)
