"""Commands of masters, and about whole games."""

from judge.model.command import BlockForm, Form, Who
from judge.model.mastering import Announce
from judge.play.commands.gm import (
    running,
)
from judge.play.commands.row import Row

COMMANDS = (
    Row(
        value=Announce, run=running.announce, who=Who.MASTER,
        forms=(Form(
            "OFFICIAL", "OFFICIAL subject",
            block=BlockForm("ENDOFFICIAL", r"end\s*(official|press|broadcast)"),
        ),),
        told=True, most_alike=1,
    ),
)
