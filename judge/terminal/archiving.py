"""Games as files, and played again: `judge export`, `judge replay`."""

import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from judge.config import Config
from judge.dice import Dice
from judge.diplomacy import InputError, read_game
from judge.diplomacy import replay as replay_saved
from judge.errors import DataError, JudgeError
from judge.model.record import GameRecord, GameState
from judge.play.archive.gamefile import Archived, archive_stored, write_archive
from judge.play.archive.importing import replay
from judge.play.archive.orderlists import order_list, read_game_file
from judge.play.clocks.phases import seeds_since_start
from judge.play.people.allotment import allotment_in
from judge.store.database import Store
from judge.store.games import Games
from judge.textfiles import read_text


def exported(config: Config, name: str, orders: bool) -> str:
    """Return a game as JSON, or its orders as a list; as much of it as everybody may know.

    Raises:
        JudgeError: there is no such game, or it has not begun.
        StoreError: there is no database, or it cannot be used.
    """
    archived = _with_game(config, name, archive_stored)
    return order_list(archived) if orders else write_archive(archived)


class Replayed(NamedTuple):
    """What came of a game played again."""

    phases: int
    differences: list[str]
    commitments: tuple[str, ...] = ()
    """SHA-256 of each known seed, as letters show it, the first one first."""
    allotted: bool = False
    """The powers were given out again too."""
    draws: int = 0
    """How many draws of chance were compared, apart from those."""


def replayed(config: Config, what: str, now: datetime) -> Replayed:
    """Adjudicate a stored game, or that of a file, again; return its phases and what differs.

    Raises:
        JudgeError: there is no such game, or the file holds none.
        OSError: the file cannot be read.
        StoreError: there is no database, or it cannot be used.
    """
    if os.path.isfile(what) or not what.isalnum():
        text = read_text(Path(what))
        if saved := _replay_saved_game(text):
            return saved
        archived = read_game_file(text, now)
    else:
        archived = _with_game(config, what, _stored)
    seeds = seeds_since_start(archived.game.seed, archived.events)
    return Replayed(
        len(archived.turns),
        list(replay(archived)),
        tuple(Dice(seed, 0).commitment() for seed in seeds if seed),
        bool(seeds[0]) and allotment_in(archived.events) is not None,
        sum(len(turn.draws) for turn in archived.turns),
    )


def _replay_saved_game(text: str) -> Replayed | None:
    """Adjudicate a saved game of the `diplomacy` package again; None if the text is none.

    Raises:
        DataError: it has such a form, and a part of it cannot be read.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or "phases" not in data:
        return None
    try:
        game = read_game(data)
        return Replayed(max(0, len(game.phases) - 1), list(map(str, replay_saved(game))))
    except InputError as fault:
        raise DataError(str(fault)) from fault


def _stored(games: Games, game: GameRecord) -> Archived:
    """Return a game with all that is stored of it."""
    return Archived(game, tuple(games.turns(game.id)), tuple(games.events(game.id)))


def _with_game(
    config: Config, name: str, job: Callable[[Games, GameRecord], Archived]
) -> Archived:
    store = Store(config.store.url)
    store.open(create=False)
    try:
        games = Games(store)
        game = games.find(name.lower())
        if game is None:
            raise JudgeError(f"there is no game {name!r}")
        if game.state is GameState.FORMING:
            raise JudgeError(f"{game.name} has not begun")
        return job(games, game)
    finally:
        store.close()
