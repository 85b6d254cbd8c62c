"""Many games between the two bots: winners and endings.

`python -m tests.games.yorktown.balance 200` prints the endings. A second number sets the days.
"""

import sys
from collections import Counter

from judge.dice import derive_die
from judge.games.yorktown.bots import bot_orders
from judge.games.yorktown.rules.state import blank
from judge.games.yorktown.rules.turn import DAYS, End, YorktownRules, play_step


def play(seed: int, rules: YorktownRules) -> End:
    """Play one game and return its end."""
    position = blank()
    while True:
        orders = bot_orders(position)
        played = play_step(position, orders, {}, rules, lambda k: derive_die(f"balance {seed}", k))
        if played.end:
            return played.end
        position = played.after


def main(games: int, days: int) -> None:
    """Play *games* games and print their endings."""
    rules = YorktownRules(days)
    ends = Counter(
        f"{end.winner} {end.reason.code}" for end in (play(n, rules) for n in range(games))
    )
    for end, number in ends.most_common():
        print(f"{number:5}  {end}")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:3]]
    main(*(numbers + [200, DAYS][len(numbers):]))
