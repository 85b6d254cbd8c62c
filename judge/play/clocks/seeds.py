"""Random seeds of a game: a new one once the present one is published."""

import json
from collections.abc import Sequence
from datetime import datetime

from judge.dice import Dice, fresh_seed
from judge.games import find_system
from judge.model.letter import Kind
from judge.model.phrase import Phrase, phrase
from judge.model.record import Event
from judge.play.game import Game
from judge.play.letters.letter_factory import record

_RENEWED = ("seed-renewed", "seed-renewed-stream")
"""Codes of the event that stores the seed before it; the second adds the hash of numbered dice."""


def renew_seed(game: Game, now: datetime) -> Phrase:
    """Give a game a new random seed, and return the sentence with its hash for all players.

    HISTORY stores it with the seed before, which is published. Turns already played keep theirs.
    """
    was = game.seed
    game.change(seed=fresh_seed())
    dice = Dice(game.seed, 0)
    facts = {"game": game.name, "commitment": dice.commitment(), "was": was.hex()}
    news = phrase(_RENEWED[0], **facts)
    if find_system(game.system).numbered_dice:
        news = phrase(_RENEWED[1], **facts, stream=dice.stream_commitment())
    record(game, news, now)
    return news


def seeds_since_start(present: bytes, events: Sequence[Event]) -> list[bytes]:
    """Return the seeds of a game from its last start on, the present one last.

    One that is not known here is empty.
    """
    seeds = [present]
    for event in reversed(events):
        if event.kind == Kind.START.value:
            break
        told = json.loads(event.text)
        if told.get("code") in _RENEWED:
            seeds.insert(0, bytes.fromhex(str(told["was"])))
    return seeds
