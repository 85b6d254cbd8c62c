"""Bots for powers without a player, which play by rule, one phase at a time.

They work as classic Diplomacy bots do: each centre has a value, values spread over the map from
place to place, units go where the value is highest, and units without a good goal support and
convoy the others. Bots make no plans, trust no promises and write no press.

Their orders are always among the legal orders of `rules.possible`. They know only the position they
are given (in a blind game the part their power sees), and chance is the *luck* argument: the same
position and the same luck give the same orders.
"""

from judge.board.map import Map
from judge.board.position import PhaseKind, Position
from judge.dice import BotRandom
from judge.games.diplomacy.bots.moving import movement_orders
from judge.games.diplomacy.bots.winter import adjustment_orders, retreat_orders
from judge.games.diplomacy.rules.orders import Order
from judge.games.diplomacy.rules.ruleset import Rules


def bot_orders(
    board: Map, position: Position, power: str, rules: Rules, luck: BotRandom
) -> list[Order]:
    """Return the orders of a power for the phase of a position."""
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return movement_orders(board, position, power, rules, luck)
        case PhaseKind.RETREAT:
            return retreat_orders(board, position, power, rules)
        case PhaseKind.ADJUSTMENT:
            return adjustment_orders(board, position, power, rules)
