"""Default orders: simple players for the demo, balance trials and vacant seats.

They know the rules and the position, plan at most one turn ahead, and use no chance.
"""

from collections.abc import Sequence

from judge.games.yorktown.default_orders import allies, garrison
from judge.games.yorktown.default_orders.gunners import fire_orders
from judge.games.yorktown.default_orders.posts import posts
from judge.games.yorktown.rules.board import FA
from judge.games.yorktown.rules.orders import Order
from judge.games.yorktown.rules.state import SiegePosition, Step


def orders_of(position: SiegePosition) -> Sequence[Order]:
    """Return the default orders of the side whose step it is."""
    match position.moment.step:
        case Step.SETUP:
            return posts(position.moment.side)
        case Step.FIRE:
            return fire_orders(position, position.moment.side)
    if position.moment.side == FA:
        return allies.moves(position)
    return garrison.moves(position)
