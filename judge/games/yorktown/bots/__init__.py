"""Bots of Yorktown: a player of the judge's own for each side.

They know the rules and the position, plan no more than a few turns ahead, and roll nothing. The
older and weaker players of `standins` defend a side that nobody plays.
"""

from collections.abc import Sequence

from judge.games.yorktown.bots import besieger, defender
from judge.games.yorktown.bots.fire import battery_fire
from judge.games.yorktown.rules.board import AP, FA
from judge.games.yorktown.rules.orders import Order
from judge.games.yorktown.rules.state import Position, Step
from judge.games.yorktown.standins.gunners import fire_orders
from judge.games.yorktown.standins.posts import posts


def bot_orders(position: Position) -> Sequence[Order]:
    """Return the orders of the side whose step it is."""
    match position.moment.step:
        case Step.SETUP:
            return posts(position.moment.side)
        case Step.FIRE if position.moment.side == FA:
            return battery_fire(position)
        case Step.FIRE:
            return fire_orders(position, AP)
    if position.moment.side == FA:
        return besieger.moves(position)
    return defender.moves(position)
