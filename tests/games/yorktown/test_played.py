"""Whole games through the order language: scripted sides, to each ending."""

from collections.abc import Sequence

import pytest

from judge.dice import Dice, derive_die
from judge.games import find_system
from judge.games.system import Viewer, ViewerRole
from judge.games.yorktown.default_orders import orders_of
from judge.games.yorktown.rules.orders import order_text
from judge.games.yorktown.rules.state import load
from judge.games.yorktown.views.record import read_record
from judge.model.incoming import Line
from tests.games.yorktown import scripted

POWERS = {"FA": "Franco-American", "AP": "Anglo-Prussian"}


def play_game(
    seed: int, steps: int, options: dict[str, object] | None = None
) -> tuple[str, str, int]:
    """Play a game line by line.

    Return the last position, the code of the end and the number of steps.
    """
    system, given = find_system("yorktown"), options or {}
    position = system.initial_position("yorktown", given, Dice(bytes(32), 0))
    sheets: dict[str, str] = {}
    for number in range(1, steps + 1):
        table = system.table("yorktown", position, given)
        side = load(position).moment.side
        lines = [*map(order_text, orders_of(load(position))), "done"]
        read = table.read_orders(
            [Line(n, text) for n, text in enumerate(lines, 1)], POWERS[side], sheets
        )
        assert [line.complaint for line in read.lines if line.complaint] == []
        sheets = {**sheets, **read.sheets}
        assert table.missing_orders(POWERS[side], sheets[POWERS[side]]) == ()
        found = table.adjudicate(sheets, Dice(seed.to_bytes(32, "big"), number))
        again = table.adjudicate(
            table.select_public_orders(sheets), Dice(seed.to_bytes(32, "big"), number)
        )
        assert again.record == found.record
        for quality in (ViewerRole.MASTER, ViewerRole.OBSERVER):
            system.turn("yorktown", found.record).results(Viewer(quality))
        position, sheets = found.after, dict(found.carried)
        if found.ending:
            return position, found.ending.reason.code, number
    return position, "", steps


def test_future_orders_are_not_part_of_the_record_of_a_step() -> None:
    system = find_system("yorktown")
    opening = system.initial_position("yorktown", {}, Dice(bytes(32), 0))
    table = system.table("yorktown", opening, {})
    sheets = {POWERS["FA"]: "@FA0S\nINF 14 at 1404", POWERS["AP"]: "@AP0S\nINF 1 at 1612"}
    found = table.adjudicate(sheets, Dice(bytes(32), 1))
    assert (
        table.adjudicate(table.select_public_orders(sheets), Dice(bytes(32), 1)).record
        == found.record
    )
    assert found.carried == {POWERS["FA"]: "@FA0S\nINF 14 at 1404"}


def test_a_short_game_is_played_line_by_line() -> None:
    position, end, steps = play_game(1, 12)
    assert end == "" and load(position).moment.day == 3


def test_y95_y96_dice_are_numbered_and_listed_with_their_table() -> None:
    system = find_system("yorktown")
    assert system.numbered_dice
    assert [derive_die("yorktown-test", k) for k in range(1, 13)] == [
        6, 5, 3, 1, 4, 1, 5, 4, 3, 4, 4, 3,
    ]
    position, _, _ = play_game(1, 16)
    assert load(position).drawn > 0


def test_y101_a_record_is_read_back_unchanged() -> None:
    system = find_system("yorktown")
    opening = system.initial_position("yorktown", {}, Dice(bytes(32), 0))
    found = system.table("yorktown", opening, {}).adjudicate({}, Dice(bytes(32), 1))
    record = read_record(found.record)
    assert record.after == load(found.after)
    assert record.told.events[0][1].code == "placed"


@pytest.mark.parametrize(
    ("allies", "crown", "options", "end", "winner"),
    [
        (scripted.idle, scripted.marching_out, {}, "end-exits", "Anglo-Prussian"),
        (scripted.idle, scripted.idle, {"days": 10}, "end-held", "Anglo-Prussian"),
        (scripted.marching_in, scripted.leaving_the_town, {}, "end-yorktown", "Franco-American"),
    ],
)
def test_y82_y83_a_scripted_game_reaches_each_ending(
    allies: scripted.Script, crown: scripted.Script, options: dict[str, object], end: str,
    winner: str,
) -> None:
    found = scripted.play({"FA": allies, "AP": crown}, options)
    assert (found.end, found.winners) == (end, (winner,))


ENDINGS: Sequence[tuple[int, dict[str, object], set[str]]] = [
    (seed, {"days": days}, {"end-held", "end-yorktown", "end-gloucester", "end-nobody-left"})
    for seed in (1, 2, 3)
    for days in (10, 22, 40)
]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "options", "ends"), ENDINGS)
def test_a_whole_game_reaches_its_end(
    seed: int, options: dict[str, object], ends: set[str]
) -> None:
    _, end, _ = play_game(seed, 170, options)
    assert end in ends
