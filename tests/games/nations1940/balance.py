"""Win statistics: `python -m tests.games.nations1940.balance [GAMES]`.

In each game every nation gets a random strategy, so that each has each over many games. Nothing is
asserted. The figures show whether a nation or a technology is hopeless or decides alone.
"""

import sys
from collections import Counter

from judge.dice import Dice
from tests.games.nations1940.board_of_cases import BOARD
from tests.games.nations1940.players import (
    AIRMAN,
    CONQUEROR,
    FARMER,
    HEADLONG,
    HEDGEHOG,
    LEVELLER,
    RACER,
    RULER,
)
from tests.games.nations1940.scripted import play

TEMPERS = {
    "racer": RACER, "ruler": RULER, "conqueror": CONQUEROR, "farmer": FARMER, "headlong": HEADLONG,
    "airman": AIRMAN, "hedgehog": HEDGEHOG, "leveller": LEVELLER,
}  # fmt: skip


def main(games: int) -> None:
    """Play *games* games and print their statistics."""
    hows: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    tempers_won: Counter[str] = Counter()
    survived: Counter[str] = Counter()
    provinces: Counter[str] = Counter()
    techs: Counter[str] = Counter()
    known: Counter[str] = Counter()
    played: Counter[str] = Counter()
    lengths = []
    for number in range(games):
        seed = number.to_bytes(32, "big")
        dice = Dice(seed, 0)
        lot = {
            code: list(TEMPERS)[dice.draw(f"temper:{code}", 1, len(TEMPERS)) - 1]
            for code in BOARD.nations
        }
        last = None
        for last in play(lambda code, lot=lot: TEMPERS[lot[code]], seed):  # type: ignore[misc]
            pass
        assert last and last.resolved.victory
        won = last.resolved.victory
        played.update(lot.values())
        lengths.append(last.before.turn)
        hows[won.how] += 1
        first = won.winners or (won.ranking[0][0],)
        for code in first:
            wins[code] += 1
            tempers_won[lot[code]] += 1
        for code, nation in last.resolved.after.nations.items():
            survived[code] += nation.alive
            known.update(nation.techs)
            if code in first:
                techs.update(nation.techs)
        for code, count, _, _ in won.ranking:
            provinces[code] += count
    print(f"{games} games: {dict(hows)}; turns {min(lengths)} to {max(lengths)}, "
          f"mean {sum(lengths) / games:.0f}")
    for temper in TEMPERS:
        print(f"{temper:10s} played {played[temper]:4d}  won {tempers_won[temper]:3d}")
    for code in BOARD.nations:
        print(f"{code}  won {wins[code]:3d}  alive {survived[code]:3d}  "
              f"provinces {provinces[code] / games:5.1f}")
    print("known to winners / to all:")
    for tech in BOARD.techs:
        print(f"  {tech:28s} {techs[tech]:4d} {known[tech]:5d}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
