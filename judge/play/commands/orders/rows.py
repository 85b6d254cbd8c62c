"""Commands about orders, now and later, about readiness, and votes."""

from judge.games.capabilities import OrdersAhead
from judge.model.command import BlockForm, Form, Log, Shown, Who
from judge.model.orders import Conditional, ForPhase, GiveOrders, Heading
from judge.play.commands.orders import ahead, ordering
from judge.play.commands.row import Row

COMMANDS = (
    Row(
        value=GiveOrders, run=ordering.give_orders, who=Who.ANYBODY,
        log=Log.UNITS, as_power=True, frozen="orders",
    ),
    Row(value=Heading, run=ordering.heading, who=Who.ANYBODY),
    Row(
        value=ForPhase, run=ahead.for_phase, rule="for_phase",
        forms=(Form("PHASE", "PHASE F1905M", Shown.ALL),),
        log=Log.STANCE, as_power=True, frozen="orders",
    ),
    Row(
        value=Conditional, run=ahead.conditional, rule="condition",
        forms=(Form(
            "IF", "IF A Bur THEN A Par H ELSE A Par - Bur ENDIF",
            block=BlockForm("ENDIF", r"end\s*if"),
        ),),
        log=Log.UNITS, as_power=True, frozen="orders", needs=OrdersAhead,
    ),
)
