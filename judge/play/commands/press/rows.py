"""Commands about press, and about notes for oneself."""

from judge.model.command import Form, Log, Shown
from judge.model.press import (
    DeleteDiary,
    ListDiary,
    ReadDiary,
    SendPress,
    WriteDiary,
    WriteStatement,
)
from judge.play.commands.press import diary, press, statements
from judge.play.commands.row import Row

COMMANDS = (
    Row(
        value=SendPress, run=press.send_press,
        forms=(
            Form("PRESS", "PRESS TO F I", Shown.ALL),
            Form("BROADCAST", "BROADCAST", Shown.ALL),
            Form("POSTAL PRESS", "POSTAL PRESS", Shown.ALL),
        ),
        log=Log.PRESS, as_power=True,
    ),
    Row(
        value=WriteDiary, run=diary.write_diary,
        forms=(Form("DIARY", "DIARY LIST", Shown.ALL),), log=Log.NOTHING,
    ),
    Row(
        value=WriteStatement, run=statements.write_statement,
        forms=(Form("STATEMENT, EOG", "STATEMENT", Shown.ALL),), log=Log.NOTHING,
    ),
    Row(
        value=ListDiary, run=diary.list_diary, rule="list_diary", log=Log.NOTHING,
    ),
    Row(value=ReadDiary, run=diary.read_diary, log=Log.NOTHING),
    Row(value=DeleteDiary, run=diary.delete_diary, log=Log.NOTHING),
)
