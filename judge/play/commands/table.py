"""All commands of the judge."""

from judge.play.commands import audit_log
from judge.play.commands.asking import help, history, inquiries, maps, own_games
from judge.play.commands.gm import (
    become,
    bots,
    dummies,
    forking,
    importing,
    invitations,
    making,
    masters,
    rollback,
    running,
    setup,
)
from judge.play.commands.gm.rows import COMMANDS as MASTERING
from judge.play.commands.orders import ahead, excusing, ordering, voting
from judge.play.commands.orders.rows import COMMANDS as ORDERS
from judge.play.commands.press import diary, statements
from judge.play.commands.press.rows import COMMANDS as PRESS
from judge.play.commands.row import DECLARED
from judge.play.commands.seats import (
    aliases,
    leaving,
    passwords,
    persons,
    signup,
    sitting,
    takeover,
)
from judge.play.commands.seats.rows import COMMANDS as SEATS

MODULES = (
    ahead, aliases, audit_log, become, bots, diary, dummies, excusing, forking, help, history,
    importing, inquiries, invitations, leaving, making, maps, masters, ordering, own_games,
    passwords, persons, rollback, running, setup, signup, sitting, statements, takeover,
    voting,
)
"""The modules that declare commands."""

COMMANDS = (*SEATS, *ORDERS, *PRESS, *MASTERING, *DECLARED)
