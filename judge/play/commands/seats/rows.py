"""Commands about seats, who has them, and their settings."""

from judge.model.command import BlockForm, Form, Log, Shown, Waits, Who
from judge.model.seats import (
    ChangeSetting,
    Create,
    Join,
    Observe,
    Register,
    Resign,
    SignOff,
    SignOn,
    Takeover,
    Unsubscribe,
)
from judge.play.commands.gm import making, masters, settings
from judge.play.commands.row import Row
from judge.play.commands.seats import (
    leaving,
    observing,
    persons,
    signup,
)

_END_OF_FIELDS = r"end(register|comment)?"

COMMANDS = (
    Row(
        value=SignOn, run=signup.sign_on, who=Who.ANYBODY, rule="sign_on",
        forms=(Form(
            "SIGNON, SIGNIN, SIGN ON, SIGN IN, LOGIN, LOGON, HELLO", "SIGNON Nmarco password",
            Shown.SEAT,
        ),),
        opens=True, shuts=True, waits=Waits.AFTER, log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=SignOff, run=None, who=Who.ANYBODY,
        forms=(Form("SIGNOFF, SIGN OFF, LOG OFF, LOGOFF, LOGOUT", "SIGNOFF"),), rule="sign_off",
        log=Log.NOTHING,
    ),
    Row(
        value=Join, run=signup.join, who=Who.ANYBODY,
        forms=(Form("JOIN", "JOIN marco password", Shown.SEAT),),
        opens=True, shuts=True, registers="?", waits=Waits.SEATED, log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=Create, run=making.create, who=Who.ANYBODY,
        forms=(Form("CREATE", "CREATE ?marco password youngstown", Shown.SEAT),),
        opens=True, shuts=True, registers="m", waits=Waits.SEATED, log=Log.NOTHING, as_power=True,
        makes=True,
    ),
    Row(
        value=Observe, run=observing.observe, who=Who.ANYBODY,
        forms=(
            Form("OBSERVE", "OBSERVE marco", Shown.SEAT),
            Form("WATCH", "WATCH marco", Shown.SEAT),
            Form("MONITOR", "MONITOR marco", Shown.SEAT),
        ),
        opens=True, registers="o", waits=Waits.SEATED, log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=Takeover, run=masters.takeover_mastership, who=Who.ANYBODY,
        forms=(Form("TAKEOVER, TAKE OVER", "TAKEOVER Nmarco password", Shown.SEAT),),
        opens=True, shuts=True, registers="who", waits=Waits.SEATED, log=Log.NOTHING,
        as_power=True,
    ),
    Row(
        value=Resign, run=leaving.resign,
        forms=(
            # No line is shown that gives up whichever seat is open.
            Form("RESIGN", "RESIGN Fmarco password", Shown.SEAT),
            Form("WITHDRAW", "RESIGN Fmarco password"),
        ),
    ),
    Row(
        value=Unsubscribe, run=leaving.unsubscribe, who=Who.ANYBODY,
        forms=(Form("UNSUBSCRIBE, UNOBSERVE, UNWATCH, UNMONITOR", "UNSUBSCRIBE"),),
        waits=Waits.PERSON,
    ),
    Row(
        value=ChangeSetting, run=settings.change_setting,
        forms=(
            Form("SET", "SET WAIT", Shown.NOTHING, BlockForm(
                "END", _END_OF_FIELDS, head=r"set\s+comment\s+begin\b.*", name="SET COMMENT",
                max_lines=100,
            )),
            Form("WAIT", "SET WAIT"),
            Form("NOWAIT", "SET NO WAIT"),
            Form("FREEZE", "FREEZE"),
            Form("UNFREEZE", "UNFREEZE"),
        ),
        log=Log.SETTING,
    ),
    Row(
        value=Register, run=persons.register, who=Who.ANYBODY,
        forms=(
            Form("REGISTER", "REGISTER", block=BlockForm("END", _END_OF_FIELDS, max_lines=100)),
            Form("NAME, NICKNAME", "NAME Ann Example"),
        ),
        waits=Waits.PERSON, log=Log.NOTHING, personal=True,
    ),
)
