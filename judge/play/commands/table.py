"""All commands of the judge."""

from judge.play.commands import audit_log
from judge.play.commands.asking import help, history, inquiries, maps, own_games
from judge.play.commands.gm import (
    bots,
    dummies,
    forking,
    invitations,
    making,
    masters,
    rollback,
    running,
)
from judge.play.commands.gm.rows import COMMANDS as MASTERING
from judge.play.commands.orders import ahead, excusing, ordering, voting
from judge.play.commands.orders.rows import COMMANDS as ORDERS
from judge.play.commands.press import diary
from judge.play.commands.press.rows import COMMANDS as PRESS
from judge.play.commands.row import DECLARED
from judge.play.commands.seats import aliases, leaving, persons, signup, sitting, takeover
from judge.play.commands.seats.rows import COMMANDS as SEATS

MODULES = (
    ahead, aliases, audit_log, bots, diary, dummies, excusing, forking, help, history,
    inquiries, invitations, leaving, making, maps, masters, ordering, own_games, persons,
    rollback, running, signup, sitting, takeover, voting,
)
"""The modules that declare commands."""

COMMANDS = (*SEATS, *ORDERS, *PRESS, *MASTERING, *DECLARED)
