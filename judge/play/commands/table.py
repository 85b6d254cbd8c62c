"""All commands of the judge, subject by subject."""

from judge.play.commands.asking.rows import COMMANDS as ASKING
from judge.play.commands.gm.rows import COMMANDS as MASTERING
from judge.play.commands.orders.rows import COMMANDS as ORDERS
from judge.play.commands.press.rows import COMMANDS as PRESS
from judge.play.commands.seats.rows import COMMANDS as SEATS

COMMANDS = (*SEATS, *ORDERS, *PRESS, *ASKING, *MASTERING)
