"""Commands about press, and about notes for oneself."""

from judge.model.command import BlockForm, Form, Log, Shown
from judge.model.press import SendPress, WriteDiary, WriteStatement
from judge.play.commands.press import diary, press, statements
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
    Row(
        value=WriteDiary, run=diary.write_diary,
        forms=(Form(
            "DIARY", "DIARY LIST", Shown.ALL,
            BlockForm(
                "ENDPRESS", r"end\s*(press|diary)", head=r"diary(?!\s+(list|read|delete)\b).*",
            ),
        ),),
        log=Log.NOTHING,
    ),
    Row(
        value=WriteStatement, run=statements.write_statement,
        forms=(Form(
            "STATEMENT, EOG", "STATEMENT", Shown.ALL,
            # With more on its line such a word begins a sentence.
            BlockForm(
                "ENDPRESS", r"end\s*(press|statement|eog)", head=r"(statement|eog)[ .:]*",
            ),
        ),),
        log=Log.NOTHING,
    ),
)
