"""The public log of a game: what its masters did, for everybody to read."""

import json
from datetime import datetime

from judge.play.game import Game
from judge.words.reason import Reason
from judge.words.record import Event

KIND = "log"
"""The kind of an event that is an act."""


def log(
    game: Game, reason: Reason, now: datetime, *, told: bool = False, phase: str = ""
) -> None:
    """Keep an act, of the present phase where no other is named; HISTORY leaves out what everybody
    was `told` besides."""
    text = json.dumps({**reason.as_json(), "told": told}, ensure_ascii=False)
    game.add_event(Event(game.id, now, phase or game.phase, KIND, text))
