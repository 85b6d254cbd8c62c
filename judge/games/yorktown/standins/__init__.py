"""Sides that play by rule: for the demo, for trials of balance, and for seats without a player.

They know the rules and the position, plan no more than a turn ahead, and roll nothing.
"""

from collections.abc import Sequence

from judge.games.yorktown.rules.board import FA
from judge.games.yorktown.rules.orders import Order
from judge.games.yorktown.rules.state import Position, Step
from judge.games.yorktown.standins import allies, garrison
from judge.games.yorktown.standins.gunners import fire_orders
from judge.games.yorktown.standins.posts import posts


def orders_of(position: Position) -> Sequence[Order]:
    """Return the orders of the side whose step it is."""
    match position.moment.step:
        case Step.SETUP:
            return posts(position.moment.side)
        case Step.FIRE:
            return fire_orders(position, position.moment.side)
    if position.moment.side == FA:
        return allies.moves(position)
    return garrison.moves(position)
