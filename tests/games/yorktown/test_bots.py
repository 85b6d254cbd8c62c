"""The bots of Yorktown: their orders are read, and they beat the default orders."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pytest

from judge.dice import Dice, derive_die
from judge.games import find_system
from judge.games.capabilities import Bots
from judge.games.painting import paint
from judge.games.yorktown.bots import bot_orders
from judge.games.yorktown.default_orders import orders_of
from judge.games.yorktown.rules.board import FA
from judge.games.yorktown.rules.orders import Order, order_text
from judge.games.yorktown.rules.state import SiegePosition, blank, load
from judge.games.yorktown.rules.turn import DAYS, FIRST_DAYS, End, YorktownRules, play_step
from judge.games.yorktown.views.moments import POWERS
from judge.games.yorktown.views.pictures import front_sketch, join_sketches, turn_sketch
from judge.games.yorktown.views.record import read_record, write_record
from judge.model.incoming import Line
from judge.model.letter import PictureFormat, PictureRequest
from judge.model.record import GameState
from tests.journeys.rig import Rig, text_of

Player = Callable[[SiegePosition], Sequence[Order]]
GM = "gm@example.org"
MAX_STEP_SECONDS = 1.0
GAMES, WANTED = 40, 32
"""Games, and those of them that each bot must win against the default orders."""


def steps(
    seed: int, allies: Player, crown: Player, days: int = DAYS
) -> Iterator[tuple[SiegePosition, End | None, float]]:
    """Yield each position of a game, its end if any, and the seconds for the orders."""
    position = blank()
    while True:
        began = time.process_time()
        orders = (allies if position.moment.side == FA else crown)(position)
        took = time.process_time() - began
        played = play_step(
            position, orders, {}, YorktownRules(days), lambda k: derive_die(f"balance {seed}", k)
        )
        yield position, played.end, took
        if played.end:
            return
        position = played.after


@pytest.mark.slow
def test_bots_play_a_game_in_readable_lines() -> None:
    system = find_system("yorktown")
    position = system.initial_position("yorktown", {}, Dice(bytes(32), 0))
    for number in range(1, 25):
        table = system.table("yorktown", position, {})
        side = load(position).moment.side
        lines = [Line(n, t) for n, t in enumerate(map(order_text, bot_orders(load(position))), 1)]
        read = table.read_orders(lines, POWERS[side], {})
        assert [line.complaint for line in read.lines if line.complaint] == []
        assert isinstance(table, Bots)
        dice = Dice(bytes(32), number)
        sheets = {POWERS[side]: table.bot_sheet(POWERS[side], "", dice)}
        position = table.adjudicate(sheets, dice).after
    assert load(position).moment.day > 4


@pytest.mark.slow
def test_bot_step_is_quick() -> None:
    found = [took for _, _, took in steps(1, bot_orders, bot_orders)]
    assert max(found) <= MAX_STEP_SECONDS
    assert sorted(found)[len(found) // 2] <= 0.05


def test_bot_sheet_keeps_the_orders_on_file() -> None:
    system = find_system("yorktown")
    table = system.table(
        "yorktown", system.initial_position("yorktown", {}, Dice(bytes(32), 0)), {}
    )
    assert isinstance(table, Bots)
    sheet = "@AP0S\nINF 1 at 1612"
    assert table.bot_sheet(POWERS["AP"], sheet, Dice(bytes(32), 1)) == sheet
    assert table.bot_sheet(POWERS["FA"], "", Dice(bytes(32), 1)) == ""


@pytest.mark.slow
@pytest.mark.parametrize("letter", ["F", "A"])
def test_game_for_one_is_played_against_a_bot(letter: str) -> None:
    rig = Rig()
    rig.mail(GM, f"CREATE ?siege gmsecret yorktown\nSET PREFERENCE {letter}\nSTART WITH BOTS")
    for _ in range(4):
        rig.mail(GM, f"SIGNON {letter}siege gmsecret\ndone")
    found = rig.application.games.find("siege")
    assert found and found.state is GameState.RUNNING and found.phase[2] in "1234"
    told = "\n".join(map(text_of, rig.boxes[GM]))
    assert ("enters" if letter == "A" else "INF 1 in") in told
    rig.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("allies", "crown", "winner"), [(bot_orders, orders_of, "FA"), (orders_of, bot_orders, "AP")]
)
def test_bot_beats_the_default_orders(allies: Player, crown: Player, winner: str) -> None:
    won: Counter[str] = Counter()
    for seed in range(GAMES):
        for _, end, _ in steps(seed, allies, crown, FIRST_DAYS):
            won[end.winner if end else ""] += 1
    assert won[winner] >= WANTED


@pytest.mark.slow
def test_pictures_of_a_letter_leave_it_below_250_kilobytes() -> None:
    """The turn is the busiest of a week, with the whole board and the front.

    Base64 makes them a third larger, and the text and page have about 20 kB.
    """
    records = []
    position = blank()
    while position.moment.day < 8:
        orders = bot_orders(position)
        played = play_step(
            position, orders, {}, YorktownRules(), lambda k: derive_die("pictures", k)
        )
        records.append(read_record(write_record(position, played, {})))
        position = played.after
    busy = max(records, key=lambda record: len(record.told.shots))
    after = records[records.index(busy) + 1]
    sketches = {
        PictureFormat.PNG: [turn_sketch(each, tried=False) for each in (busy, after)],
        PictureFormat.FRONT: [front_sketch(each.after, each, FA) for each in (busy, after)],
    }
    octets = sum(
        len(paint(PictureRequest("yorktown", join_sketches(*sources), "siege", form)))
        for form, sources in sketches.items()
    )
    assert octets <= 170_000
