"""Commands about orders, now and later, about readiness, and votes."""

from judge.games.capabilities import DryRuns, Menus, OrdersAhead
from judge.model.command import BlockForm, Form, Log, Shown, Who
from judge.model.orders import (
    Clear,
    Conditional,
    Drop,
    Excuse,
    ForPhase,
    GiveOrders,
    Heading,
    Options,
    Preview,
    Ready,
    Replace,
    Status,
    Unvote,
    Vote,
)
from judge.play.commands.orders import ahead, excusing, ordering, voting
from judge.play.commands.row import Row

COMMANDS = (
    Row(
        value=GiveOrders, run=ordering.give_orders, who=Who.ANYBODY,
        log=Log.UNITS, as_power=True, frozen="orders",
    ),
    Row(value=Heading, run=ordering.heading, who=Who.ANYBODY),
    Row(
        value=Clear, run=ordering.clear, forms=(Form("CLEAR", "CLEAR"),),
        as_power=True, frozen="orders",
    ),
    Row(
        value=Drop, run=ordering.drop, forms=(Form("DROP", "DROP"),),
        as_power=True, frozen="orders",
    ),
    Row(
        value=Status, run=ordering.status, forms=(Form("STATUS", "STATUS"),),
        log=Log.LOOK, as_power=True,
    ),
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
    Row(
        value=Replace, run=ahead.replace_all, forms=(Form("REPLACE", "REPLACE"),),
        as_power=True, frozen="orders",
    ),
    Row(
        value=Options, run=ahead.options,
        forms=(Form("OPTIONS", "OPTIONS A Par", Shown.ALL),), log=Log.NOTHING, as_power=True,
        needs=Menus,
    ),
    Row(
        value=Preview, run=ahead.preview,
        forms=(
            Form("PREVIEW", "PREVIEW", Shown.ALL, BlockForm(
                "ENDPREVIEW", r"end\s*preview", max_lines=300,
            )),
            Form("PREDICT", "PREVIEW", Shown.ALL),
        ),
        log=Log.LOOK, as_power=True,
        needs=DryRuns,
    ),
    Row(
        value=Ready, run=ordering.ready,
        forms=(Form("READY", "READY"), Form("UNREADY, NOTREADY, NOT READY", "NOT READY")),
        as_power=True, frozen="orders",
    ),
    Row(
        value=Excuse, run=excusing.excuse, forms=(Form("EXCUSE", "EXCUSE"),),
        frozen="orders",
    ),
    Row(
        value=Vote, run=voting.vote, forms=(Form("VOTE", "VOTE DRAW", Shown.ALL),),
        log=Log.WORD, as_power=True, frozen="votes",
    ),
    Row(
        value=Unvote, run=voting.unvote, forms=(Form("UNVOTE", "UNVOTE"),),
        log=Log.WORD, as_power=True, frozen="votes",
    ),
)
