"""Commands of masters, and about whole games."""

from judge.games.capabilities import Arranging
from judge.model.command import BlockForm, Form, Log, Shown, Waits, Who
from judge.model.mastering import Announce, Become, Import, SetUp
from judge.play.commands.gm import (
    become,
    importing,
    running,
    setup,
)
from judge.play.commands.row import Row

COMMANDS = (
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
        value=Import, run=importing.import_game, who=Who.ANYBODY, rule="bring_in",
        forms=(Form(
            "IMPORT", "IMPORT trial marco",
            # Before anything else than the text of a game it asks for a copy.
            block=BlockForm("ENDIMPORT", r"end\s*import", first=r"\s*((game|map)\s+\S|\{)"),
        ),),
        waits=Waits.SEATED, log=Log.NOTHING, makes=True,
    ),
    Row(
        value=Become, run=become.become,
        forms=(Form("BECOME", "BECOME power", Shown.SEAT),), shuts=True,
        log=Log.STANCE, as_power=True,
    ),
    Row(
        value=Announce, run=running.announce, who=Who.MASTER,
        forms=(Form(
            "OFFICIAL", "OFFICIAL subject",
            block=BlockForm("ENDOFFICIAL", r"end\s*(official|press|broadcast)"),
        ),),
        told=True, most_alike=1,
    ),
)
