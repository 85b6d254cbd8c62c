"""A player of our own for powers without one: it plays by rule, one phase at a time.

In the manner of the bots that programs of the field began with: each centre has a value, values
spread over the map from place to place, units go where it is best, and those that have nothing
better to do support and carry the others. It makes no plans, believes nobody and writes no press.

What it orders is always among the legal orders of `rules.possible`. It knows the position that it
is given and no more (of a blind game what its power sees), and chance is the luck handed in: the
same position and the same luck give the same orders.
"""

from judge.board.map import Map
from judge.board.position import PhaseKind, Position
from judge.dice import Luck
from judge.games.diplomacy.rules.orders import Order
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.standins.moving import movement_orders
from judge.games.diplomacy.standins.winter import adjustment_orders, retreat_orders


def bot_orders(
    board: Map, position: Position, power: str, rules: Rules, luck: Luck
) -> list[Order]:
    """Return the orders of a power for the phase of a position."""
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return movement_orders(board, position, power, rules, luck)
        case PhaseKind.RETREAT:
            return retreat_orders(board, position, power, rules)
        case PhaseKind.ADJUSTMENT:
            return adjustment_orders(board, position, power, rules)
