"""Commands about orders, now and later, about readiness, and votes."""

from judge.play.commands.row import Row
from judge.play.orders import foresight, ordering
from judge.play.votes import voting
from judge.words import command as words
from judge.words import foresight as foreseen
from judge.words.commandkind import Form, Log, Shown, Who

COMMANDS = (
    Row(
        value=words.GiveOrders, run=ordering.give_orders, who=Who.ANYBODY,
        log=Log.UNITS, as_power=True, frozen="orders",
    ),
    Row(value=words.Heading, run=foresight.heading, who=Who.ANYBODY),
    Row(
        value=words.Clear, run=ordering.clear, forms=(Form("CLEAR", "CLEAR"),),
        as_power=True, frozen="orders",
    ),
    Row(
        value=words.Status, run=ordering.status, forms=(Form("STATUS", "STATUS"),),
        log=Log.LOOK, as_power=True,
    ),
    Row(
        value=foreseen.ForPhase, run=foresight.for_phase, rule="for_phase",
        forms=(Form("PHASE", "PHASE F1905M", Shown.ALL),),
        log=Log.STANCE, as_power=True, frozen="orders",
    ),
    Row(
        value=foreseen.Conditional, run=foresight.conditional,
        forms=(Form("IF", "IF A Bur THEN A Par H ELSE A Par - Bur ENDIF"),),
        log=Log.UNITS, as_power=True, frozen="orders",
    ),
    Row(
        value=foreseen.Replace, run=foresight.replace_all, forms=(Form("REPLACE", "REPLACE"),),
        as_power=True, frozen="orders",
    ),
    Row(
        value=foreseen.Options, run=foresight.options,
        forms=(Form("OPTIONS", "OPTIONS A Par", Shown.ALL),), log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=foreseen.Preview, run=foresight.preview,
        forms=(Form("PREVIEW, PREDICT", "PREVIEW", Shown.ALL),), log=Log.LOOK, as_power=True,
    ),
    Row(
        value=words.Ready, run=ordering.ready,
        forms=(Form("READY", "READY"), Form("UNREADY, NOTREADY, NOT READY", "NOT READY")),
        as_power=True, frozen="orders",
    ),
    Row(
        value=words.Vote, run=voting.vote, forms=(Form("VOTE", "VOTE DRAW", Shown.ALL),),
        log=Log.WORD, as_power=True, frozen="votes",
    ),
    Row(
        value=words.Unvote, run=voting.unvote, forms=(Form("UNVOTE", "UNVOTE"),),
        log=Log.WORD, as_power=True, frozen="votes",
    ),
)
