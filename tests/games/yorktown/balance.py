"""Many games between two sides that play by rule: who wins, and how.

`python -m tests.games.yorktown.balance 200` prints the endings.
"""

import sys
from collections import Counter

from judge.dice import numbered
from judge.games.yorktown.rules.state import blank
from judge.games.yorktown.rules.turn import End, Rules, play_step
from judge.games.yorktown.standins import orders_of


def play(seed: int, rules: Rules) -> End:
    """Play one game to its end."""
    position = blank()
    while True:
        orders = orders_of(position)
        played = play_step(position, orders, {}, rules, lambda k: numbered(f"balance {seed}", k))
        if played.end:
            return played.end
        position = played.after


def main(games: int) -> None:
    """Play so many games and print how they ended."""
    ends = Counter(
        f"{end.winner} {end.reason.code}" for end in (play(n, Rules()) for n in range(games))
    )
    for end, number in ends.most_common():
        print(f"{number:5}  {end}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
