"""Random numbers of both specifications, and the record of draws in a turn."""

import hashlib
from subprocess import check_output

import pytest

from judge.dice import Dice, RecordedDice, RecordedDraw, derive_die
from judge.phrases import COMMON

SEED = bytes(range(32))

NAMED = (
    # These values are from Nations 1940, N-18: seed 00 01 … 1f, turn 7.
    ("battle:37:1:A", 1, 8, 7),
    ("battle:37:1:A", 2, 8, 5),
    ("battle:37:1:D", 1, 8, 3),
    ("battle:37:1:D", 2, 8, 7),
    ("aa:50", 1, 100, 69),
    ("loyal:90:RUS", 1, 100, 7),
    ("newcap:RUS", 1, 5, 3),
    ("event", 1, 100, 28),
)


@pytest.mark.parametrize(("tag", "n", "sides", "value"), NAMED)
def test_named_draws_match_the_specification(tag: str, n: int, sides: int, value: int) -> None:
    assert Dice(SEED, 7).draw(tag, n, sides) == value


def test_the_commitment_to_the_seed_matches_the_specification() -> None:
    assert Dice(SEED, 7).commitment() == (
        "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    )


def test_numbered_dice_match_the_specification() -> None:
    # The values are from Yorktown, Y-95.
    found = [derive_die("yorktown-test", k) for k in range(1, 13)]
    assert found == [6, 5, 3, 1, 4, 1, 5, 4, 3, 4, 4, 3]
    assert hashlib.sha256(b"yorktown-test").hexdigest().startswith("ed17b20fbd2dc90b")


def test_numbered_dice_match_the_lines_of_help_chance() -> None:
    seed = SEED.hex()
    lines = ("printf SEED | sha256sum", "printf SEED:1:0 | sha256sum")
    page = (COMMON / "help" / "chance.txt").read_text("utf-8")
    assert all(f"    {line}\n" in page for line in lines)
    commitment, first = (
        check_output(["sh", "-c", line.replace("SEED", seed)], text=True)[:64] for line in lines
    )
    assert commitment == Dice(SEED, 0).stream_commitment()
    assert int(first[:2], 16) <= 251
    assert int(first[:2], 16) % 6 + 1 == Dice(SEED, 0).roll_die(1)


def test_the_stream_of_a_game_is_seeded_with_the_hex_seed() -> None:
    first, later = Dice(SEED, 1), Dice(SEED, 9)
    assert [first.roll_die(k) for k in (1, 2)] == [derive_die(SEED.hex(), k) for k in (1, 2)]
    assert first.roll_die(3) == later.roll_die(3), "the turn has no part in it"
    assert first.stream_commitment() == hashlib.sha256(SEED.hex().encode()).hexdigest()


@pytest.mark.parametrize("sides", (1, 2, 6, 10, 100, 256))
def test_every_side_occurs_and_no_other(sides: int) -> None:
    dice = Dice(SEED, 1)
    many = range(1, sides * 20 + 1)
    assert {dice.draw("any", n, sides) for n in many} == {*range(1, sides + 1)}
    assert {dice.roll_die(k, sides) for k in many} == {*range(1, sides + 1)}


def test_draws_are_recorded_once_in_sequence() -> None:
    dice = Dice(SEED, 7)
    dice.draw("event", 1, 100)
    dice.roll_die(4)
    dice.draw("event", 1, 100)
    assert dice.drawn == (
        RecordedDraw("event", 1, 100, 28), RecordedDraw("numbered", 4, 6, dice.roll_die(4)),
    )


def test_recorded_dice_return_only_the_recorded_values() -> None:
    told = RecordedDice([("event", 1, 100, 99)])
    assert told.draw("event", 1, 100) == 99
    with pytest.raises(LookupError):
        told.draw("event", 2, 100)


@pytest.mark.parametrize(("tag", "sides"), [("a|b", 6), ("é", 6), ("a", 0), ("numbered", 6)])
def test_distinct_draws_have_distinct_tags(tag: str, sides: int) -> None:
    with pytest.raises(ValueError, match="no draw can be"):
        Dice(SEED, 1).draw(tag, 1, sides)


@pytest.mark.parametrize(("k", "sides"), [(0, 6), (1, 0), (1, 257)])
def test_invalid_numbers_and_sides_of_dice_are_refused(k: int, sides: int) -> None:
    with pytest.raises(ValueError, match="no die can be"):
        Dice(SEED, 1).roll_die(k, sides)
