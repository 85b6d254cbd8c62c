"""What comes of orders drawn by lot, what bots order and what is shown, is as it was.

WRITE_DIGESTS=1 has the table written anew.
"""

from collections.abc import Iterator
from pathlib import Path

from judge.dice import numbered
from judge.games.yorktown.language.sheets import Sheet, join_sheets, write_sheet
from judge.games.yorktown.rules.orders import order_text
from judge.games.yorktown.rules.state import dump
from judge.games.yorktown.rules.turn import Rules, play_step
from judge.games.yorktown.standins import orders_of
from judge.games.yorktown.table import YorktownTable
from judge.games.yorktown.views.brief import brief_facts
from judge.games.yorktown.views.moments import POWERS
from judge.games.yorktown.views.pictures import front_sketch, picture_of, turn_sketch
from judge.games.yorktown.views.record import read_record, write_record
from judge.games.yorktown.views.report import result_facts, result_values
from judge.games.yorktown.views.standing import standing_facts
from tests.digests import hold_to
from tests.games.yorktown.scattered import drawn_orders, drawn_standing, strewn

KEPT = Path(__file__).parent / "kept" / "scattered.tsv"
MANY, BY_BOTS, SHOWN = 24, 12, 4
"""Positions that are played, those of them that bots play, and whose boards are shown."""


def comes() -> Iterator[tuple[str, str]]:
    """Yield the name of each case, and what came of it or is shown."""
    for seed in range(MANY):
        at = strewn(seed)
        orders, standing = drawn_orders(seed, at), drawn_standing(seed, at)
        played = play_step(at, orders, standing, Rules(), lambda drawn: numbered("strewn", drawn))
        yield f"{seed} played", f"{dump(played.after)} {played.told} {played.end}"
        record = read_record(write_record(at, played, {}))
        for power in POWERS.values():
            yield f"{seed} {power}", str(brief_facts(record, power))
        yield f"{seed} results", f"{result_facts(record)} {result_values(record)}"
        yield f"{seed} picture", drawn(turn_sketch(record, tried=False))
        power = POWERS[at.moment.side]
        own = write_sheet(Sheet(tuple(orders), standing[at.moment.side]))
        shown = YorktownTable(at, Rules()).show_sheet(power, join_sheets({at.moment: own}))
        yield f"{seed} sheet", str(shown)
        if seed < BY_BOTS:
            yield f"{seed} bots", "; ".join(map(order_text, orders_of(at)))
        if seed < SHOWN:
            fronts = [front_sketch(record.after, record, side) for side in POWERS]
            yield f"{seed} board", f"{standing_facts(at)} {fronts}"


def drawn(sketch: str) -> str:
    """Return what a picture shows, in words that are the same in every process."""
    board = picture_of(sketch, "siege")
    tiles = [(name, tile.works) for name, tile in board.tiles.items()]
    return f"{board.counters} {board.ways} {board.shots} {board.fallen} {board.window} {tiles}"


def test_whatever_may_be_ordered_comes_to_what_it_did_and_is_told_alike() -> None:
    hold_to(KEPT, dict(comes()))
