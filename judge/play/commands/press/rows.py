"""Commands about press, and about notes for oneself."""

from judge.model.command import BlockForm, Form, Log, Shown
from judge.model.press import SendPress
from judge.play.commands.press import press
from judge.play.commands.row import Row

_ENDS = r"end\s*(press|broadcast)"

COMMANDS = (
    Row(
        value=SendPress, run=press.send_press,
        forms=(
            Form("PRESS", "PRESS TO F I", Shown.ALL, BlockForm("ENDPRESS", _ENDS)),
            Form("BROADCAST", "BROADCAST", Shown.ALL, BlockForm("ENDBROADCAST", _ENDS)),
            Form("POSTAL PRESS", "POSTAL PRESS", Shown.ALL, BlockForm("ENDPRESS", _ENDS)),
        ),
        log=Log.PRESS, as_power=True,
    ),
)
