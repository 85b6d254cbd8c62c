"""What bots order in the midst of games, and what comes of it, is as it was.

`kept/positions.tsv` has the positions; WRITE_DIGESTS=1 has the games played and both tables written
anew.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from judge.dice import numbered
from judge.games.yorktown.rules.orders import order_text
from judge.games.yorktown.rules.state import blank, dump, load
from judge.games.yorktown.rules.turn import Rules, play_step
from judge.games.yorktown.standins import orders_of
from tests.digests import hold_to

KEPT = Path(__file__).parent / "kept"
MOMENTS = {
    1: "AP0S FA0S FA1M AP1F AP1M FA5F FA5M FA8M AP9F",
    2: "FA12F FA12M FA13M AP13F FA14M AP14M FA15M AP15F",
    3: "FA12M FA14M FA15M FA16M FA18M FA20M AP20F AP21M",
}
"""At the beginning, before the walls, and when the town is stormed."""


def positions() -> Iterator[tuple[str, str]]:
    """Yield positions of games between bots, by game and moment."""
    for seed, moments in MOMENTS.items():
        position, end = blank(), None
        while not end:
            if str(position.moment) in moments.split():
                yield f"{seed} {position.moment}", dump(position)
            played = play_step(position, orders_of(position), {}, Rules(), dice_of(seed))
            position, end = played.after, played.end


def dice_of(seed: int):  # type: ignore[no-untyped-def]
    return lambda number: numbered(f"balance {seed}", number)


def test_bots_order_what_they_did_and_it_comes_to_the_same() -> None:
    file = KEPT / "positions.tsv"
    if os.environ.get("WRITE_DIGESTS"):
        file.write_text("".join(f"{name}\t{text}\n" for name, text in positions()), "utf-8")
    found = {}
    for row in file.read_text("utf-8").splitlines():
        name, text = row.split("\t")
        position = load(text)
        orders = orders_of(position)
        found[f"{name} orders"] = "; ".join(map(order_text, orders))
        played = play_step(position, orders, {}, Rules(), dice_of(7))
        found[f"{name} played"] = f"{dump(played.after)} {played.told} {played.end}"
    hold_to(KEPT / "bots.tsv", found)
