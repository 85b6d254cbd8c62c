"""All commands of the judge, subject by subject."""

from judge.play.commands import asking, mastering, orders, press, seats

COMMANDS = (
    *seats.COMMANDS, *orders.COMMANDS, *press.COMMANDS, *asking.COMMANDS, *mastering.COMMANDS,
)
