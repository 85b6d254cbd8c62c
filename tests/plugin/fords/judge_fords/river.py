"""The rules of Fords: positions, orders and their outcomes."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from judge.dice import Dice

CAMPS = ("North", "South")
FORDS = ("Upper", "Middle", "Lower")
TROOPS = 6


@dataclass(frozen=True, slots=True)
class Order:
    """One order: "send", "withdraw" or "clear" with troops and a ford, or "pass"."""

    verb: str
    many: int = 0
    ford: str = ""

    def __str__(self) -> str:
        words = (self.verb, str(self.many or ""), self.ford)
        return " ".join(filter(None, words)).upper()


@dataclass(frozen=True, slots=True)
class River:
    """A position: the turn, and the troops of each camp at home and at each ford."""

    turn: int
    troops: Mapping[str, Mapping[str, int]]

    @property
    def mover(self) -> str:
        """The camp whose turn it is."""
        return CAMPS[(self.turn + 1) % 2]

    def left(self, camp: str) -> int:
        """Return the number of troops of a camp."""
        return sum(self.troops[camp].values())

    def count_held_fords(self, camp: str) -> int:
        """Return the number of fords at which a camp has more troops than the other."""
        mine, theirs = self.troops[camp], self.troops[other(camp)]
        return sum(mine[ford] > theirs[ford] for ford in FORDS)

    def move_troops(self, camp: str, many: int, start: str, to: str) -> "River":
        """Return the position with some troops elsewhere, or lost if *to* is empty."""
        mine = dict(self.troops[camp])
        mine[start] -= many
        if to:
            mine[to] += many
        return replace(self, troops={**self.troops, camp: mine})

    def apply_order(self, order: Order) -> "River":
        """Return the position after an order that needs no dice.

        Other orders change nothing.
        """
        if self.lacks(order):
            return self
        match order:
            case Order("send", many, ford):
                return self.move_troops(self.mover, many, "camp", ford)
            case Order("withdraw", many, ford):
                return self.move_troops(self.mover, many, ford, "camp")
        return self

    def lacks(self, order: Order) -> bool:
        """Return whether the camp has too few troops for an order."""
        mine = self.troops[self.mover]
        if order.verb == "send":
            return mine["camp"] < order.many
        wanted = order.many if order.verb == "withdraw" else 1
        return order.verb != "pass" and mine[order.ford] < wanted

    def to_json(self) -> str:
        """Return the position as text."""
        return json.dumps({"turn": self.turn, "troops": self.troops}, sort_keys=True)


def opening() -> River:
    """Return the initial position of every game."""
    at_home = {"camp": TROOPS, **dict.fromkeys(FORDS, 0)}
    return River(1, {camp: at_home for camp in CAMPS})


def read_river(text: str) -> River:
    """Return the position of a text."""
    return River(**json.loads(text))


def other(camp: str) -> str:
    """Return the enemy of a camp."""
    return CAMPS[1 - CAMPS.index(camp)]


def write_orders(orders: Iterable[Order]) -> str:
    """Return orders as the text of a sheet."""
    return json.dumps([[order.verb, order.many, order.ford] for order in orders])


def read_sheet(text: str) -> tuple[Order, ...]:
    """Return the orders of a sheet, none if it is empty."""
    return tuple(Order(*each) for each in json.loads(text or "[]"))


def play(
    river: River, orders: Sequence[Order], dice: Dice
) -> Iterator[tuple[Order, River, list[int]]]:
    """Carry out orders one by one.

    Each is yielded with the position after it and the numbers rolled. CLEAR: each camp rolls a die
    and adds its troops at the ford, and the lower sum loses one of them. An order for troops that
    were lost before it changes nothing.
    """
    for number, order in enumerate(orders, start=1):
        rolled = list[int]()
        if order.verb == "clear" and not river.lacks(order):
            camps = river.mover, other(river.mover)
            rolled = [dice.draw(f"clear:{number}:{camp}", 1, 6) for camp in camps]
            river = fought(river, order.ford, dict(zip(camps, rolled)))
        else:
            river = river.apply_order(order)
        yield order, river, rolled


def fought(river: River, ford: str, rolled: Mapping[str, int]) -> River:
    """Return the position after a fight at a ford."""
    sums = {camp: roll + river.troops[camp][ford] for camp, roll in rolled.items()}
    loser = min(CAMPS, key=sums.__getitem__)
    if sums[loser] == sums[other(loser)] or not river.troops[loser][ford]:
        return river
    return river.move_troops(loser, 1, ford, "")
