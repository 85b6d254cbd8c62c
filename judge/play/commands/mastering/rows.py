"""Commands of masters, and about whole games."""

from judge.play.commands.asking import exporting
from judge.play.commands.mastering import (
    arranging,
    becoming,
    copying,
    dummies,
    masters,
    releasing,
    running,
    turning,
    unstarting,
)
from judge.play.commands.press import announcing
from judge.play.commands.row import Row
from judge.play.commands.seats import leaving
from judge.words.commandkind import Form, Log, Shown, Waits, Who
from judge.words.mastering import (
    Announce,
    Become,
    Dummy,
    Eject,
    Export,
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

COMMANDS = (
    Row(
        value=Start, run=running.start, who=Who.MASTER,
        forms=(Form("START, FORCE BEGIN, FORCE START", "START"),), told=True,
    ),
    Row(
        value=Process, run=running.process, who=Who.MASTER,
        forms=(Form("PROCESS", "PROCESS", Shown.ALL),), told=True,
    ),
    Row(
        value=Pause, run=running.pause, who=Who.MASTER,
        forms=(Form("PAUSE, SUSPEND", "PAUSE"),),
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
        value=Release, run=releasing.release, who=Who.MASTER,
        forms=(Form("RELEASE", "RELEASE", Shown.ALL),), told=True,
    ),
    Row(
        value=RollBack, run=turning.roll_back, who=Who.MASTER,
        forms=(Form("ROLLBACK, ROLL BACK", "ROLLBACK", Shown.ALL),), told=True,
    ),
    Row(
        value=RollForward, run=turning.roll_forward, who=Who.MASTER,
        forms=(Form("ROLLFORWARD, ROLL FORWARD", "ROLLFORWARD", Shown.ALL),), told=True,
    ),
    Row(
        value=SetUp, run=arranging.set_up, who=Who.MASTER,
        forms=(Form("SETUP", "SETUP", Shown.ALL),), told=True,
    ),
    Row(
        value=Export, run=exporting.export, who=Who.ANYBODY,
        forms=(Form("EXPORT", "EXPORT marco"),), waits=Waits.LONG, log=Log.NOTHING,
    ),
    Row(
        value=Import, run=copying.import_game, who=Who.ANYBODY,
        forms=(Form("IMPORT", "IMPORT trial marco"),),
        waits=Waits.SEATED, log=Log.NOTHING, makes=True,
    ),
    Row(
        value=Become, run=becoming.become,
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
        value=Announce, run=announcing.announce, who=Who.MASTER,
        forms=(Form("OFFICIAL", "OFFICIAL subject"),), told=True, most_alike=1,
    ),
    Row(
        value=Dummy, run=dummies.dummy, who=Who.MASTER,
        forms=(Form("DUMMY", "DUMMY power"),),
    ),
    Row(
        value=Revive, run=dummies.revive, who=Who.MASTER,
        forms=(Form("REVIVE", "REVIVE power"),),
    ),
    Row(
        value=Unstart, run=unstarting.unstart, who=Who.MASTER,
        forms=(Form("UNSTART", "UNSTART"),),
    ),
    Row(
        value=Rename, run=unstarting.rename, who=Who.MASTER,
        forms=(Form("RENAME", "RENAME polo"),),
    ),
)
