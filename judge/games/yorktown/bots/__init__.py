"""Bots of Yorktown: a computer player for each side.

They know the rules and the position, plan at most a few turns ahead, and use no chance. The older
and weaker players of `standins` give the default orders of a side without a player.
"""

from collections.abc import Sequence

from judge.games.yorktown.bots import besieger, defender
from judge.games.yorktown.bots.fire import battery_fire
from judge.games.yorktown.default_orders.gunners import fire_orders
from judge.games.yorktown.default_orders.posts import posts
from judge.games.yorktown.rules.board import AP, FA
from judge.games.yorktown.rules.orders import Order
from judge.games.yorktown.rules.state import SiegePosition, Step


def bot_orders(position: SiegePosition) -> Sequence[Order]:
    """Return the bot's orders for the side whose step it is."""
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
