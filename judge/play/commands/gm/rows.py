"""Commands of masters, and about whole games."""

from judge.games.capabilities import Arranging, Bots
from judge.model.command import BlockForm, Form, Log, Shown, Waits, Who
from judge.model.mastering import (
    Announce,
    Become,
    Bot,
    Dummy,
    Eject,
    Export,
    Fork,
    Import,
    Pause,
    Process,
    Promote,
    Release,
    Rename,
    Resume,
    Revive,
    RollBack,
    RollForward,
    SetUp,
    Start,
    Terminate,
    Unstart,
)
from judge.play.commands.asking import history
from judge.play.commands.gm import (
    become,
    bots,
    dummies,
    forking,
    importing,
    making,
    masters,
    rollback,
    running,
    setup,
)
from judge.play.commands.row import Row
from judge.play.commands.seats import leaving

COMMANDS = (
    Row(
        value=Start, run=running.start, who=Who.MASTER, rule="begin",
        forms=(
            Form("START, FORCE BEGIN, FORCE START", "START"),
            Form("START WITH BOTS", "START WITH BOTS"),
        ), told=True,
    ),
    Row(
        value=Process, run=running.process, who=Who.MASTER,
        forms=(Form("PROCESS", "PROCESS", Shown.ALL),), told=True,
    ),
    Row(
        value=Pause, run=running.pause, who=Who.MASTER,
        forms=(Form("PAUSE, SUSPEND", "PAUSE", Shown.ALL),),
    ),
    Row(
        value=Resume, run=running.resume, who=Who.MASTER,
        forms=(Form("RESUME, UNPAUSE", "RESUME"),),
    ),
    Row(
        value=Eject, run=leaving.eject, who=Who.MASTER,
        forms=(Form("EJECT", "EJECT power"),),
    ),
    Row(
        value=Terminate, run=running.terminate, who=Who.MASTER,
        forms=(Form("TERMINATE", "TERMINATE", Shown.ALL),), told=True,
    ),
    Row(
        value=Release, run=running.release, who=Who.MASTER,
        forms=(Form("RELEASE", "RELEASE", Shown.ALL),), told=True,
    ),
    Row(
        value=RollBack, run=rollback.roll_back, who=Who.MASTER, rule="roll_back",
        forms=(Form("ROLLBACK, ROLL BACK", "ROLLBACK", Shown.ALL),), told=True,
    ),
    Row(
        value=RollForward, run=rollback.roll_forward, who=Who.MASTER, rule="roll_forward",
        forms=(Form("ROLLFORWARD, ROLL FORWARD", "ROLLFORWARD", Shown.ALL),), told=True,
    ),
    Row(
        value=SetUp, run=setup.set_up, who=Who.MASTER,
        forms=(Form("SETUP", "SETUP", Shown.ALL, BlockForm(
            "ENDSETUP", r"end\s*(setup)?", head=r"setup(?!\s+[b-t]{6}[\s.!]*$).*",
            max_lines=200,
        )),),
        told=True,
        needs=Arranging,
    ),
    Row(
        value=Export, run=history.export, who=Who.ANYBODY,
        forms=(Form("EXPORT", "EXPORT marco"),), waits=Waits.LONG, log=Log.NOTHING,
    ),
    Row(
        value=Import, run=importing.import_game, who=Who.ANYBODY, rule="bring_in",
        forms=(Form(
            "IMPORT", "IMPORT trial marco",
            # Before anything else than the text of a game it asks for a copy.
            block=BlockForm("ENDIMPORT", r"end\s*import", first=r"\s*((game|map)\s+\S|\{)"),
        ),),
        waits=Waits.SEATED, log=Log.NOTHING, makes=True,
    ),
    Row(
        value=Fork, run=forking.fork,
        forms=(Form("FORK", "FORK marco S1901M", Shown.ALL),), log=Log.NOTHING, makes=True,
    ),
    Row(
        value=Become, run=become.become,
        forms=(Form("BECOME", "BECOME power", Shown.SEAT),), shuts=True,
        log=Log.STANCE, as_power=True,
    ),
    Row(
        value=Promote, run=masters.promote, who=Who.MASTER,
        forms=(
            Form("PROMOTE", "PROMOTE ann@example.org"), Form("DEMOTE", "DEMOTE ann@example.org"),
        ),
    ),
    Row(
        value=Announce, run=running.announce, who=Who.MASTER,
        forms=(Form(
            "OFFICIAL", "OFFICIAL subject",
            block=BlockForm("ENDOFFICIAL", r"end\s*(official|press|broadcast)"),
        ),),
        told=True, most_alike=1,
    ),
    Row(
        value=Dummy, run=dummies.dummy, who=Who.MASTER,
        forms=(Form("DUMMY", "DUMMY power"),),
    ),
    Row(
        value=Bot, run=bots.bot, who=Who.MASTER,
        forms=(Form("BOT", "BOT power"),), needs=Bots,
    ),
    Row(
        value=Revive, run=dummies.revive, who=Who.MASTER,
        forms=(Form("REVIVE", "REVIVE power"),),
    ),
    Row(
        value=Unstart, run=making.unstart, who=Who.MASTER,
        forms=(Form("UNSTART", "UNSTART"),),
    ),
    Row(
        value=Rename, run=making.rename, who=Who.MASTER,
        forms=(Form("RENAME", "RENAME polo"),),
    ),
)
