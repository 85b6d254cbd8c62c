"""Export and replay of games: `judge export`, `judge replay`."""

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
from judge.games.added_maps import use_source
from judge.model.record import GameRecord, GameState
from judge.play.archive.gamefile import Archived, archive_stored, write_archive
from judge.play.archive.importing import replay
from judge.play.archive.map_of_game import map_in, names_added_map
from judge.play.archive.orderlists import order_list, read_game_file
from judge.play.clocks.phases import seeds_since_start
from judge.play.people.power_allocation import find_allocation
from judge.store.database import Store
from judge.store.games import Games
from judge.store.maps import Maps
from judge.textfiles import read_text


def export_game(config: Config, name: str, orders: bool, with_map: bool = False) -> str:
    """Return the public part of a game as JSON, or its orders as a list.

    *with_map* includes the files of an added map.

    Raises:
        JudgeError: There is no such game, or it has not begun.
        StoreError: There is no database, or it cannot be used.
    """
    archived = _with_game(config, name, archive_stored)
    return order_list(archived) if orders else write_archive(archived, with_map=with_map)


class Replayed(NamedTuple):
    """Result of replaying a game."""

    phases: int
    differences: list[str]
    commitments: tuple[str, ...] = ()
    """SHA-256 of each known seed, as shown in letters, the first one first."""
    allotted: bool = False
    """True if the allocation of powers was repeated too."""
    draws: int = 0
    """Number of random draws compared, apart from the allocation."""


def replay_game(config: Config, what: str, now: datetime) -> Replayed:
    """Adjudicate a game again. Return its phases and the differences.

    *what* is the name of a stored game or the path of a file.

    Raises:
        JudgeError: There is no such game, or the file has none.
        OSError: The file cannot be read.
        StoreError: There is no database, or it cannot be used.
    """
    if os.path.isfile(what) or not what.isalnum():
        text = read_text(Path(what))
        if saved := _replay_saved_game(text):
            return saved
        archived = _read_file(config, text, now)
    else:
        archived = _with_game(config, what, _load_archived)
    seeds = seeds_since_start(archived.game.seed, archived.events)
    return Replayed(
        len(archived.turns),
        list(replay(archived)),
        tuple(Dice(seed, 0).commitment() for seed in seeds if seed),
        bool(seeds[0]) and find_allocation(archived.events) is not None,
        sum(len(turn.draws) for turn in archived.turns),
    )


def _read_file(config: Config, text: str, now: datetime) -> Archived:
    """Return the game of a file.

    Its map may be one that was added here, or be in the file.
    """
    found = map_in(text)
    if found is not None or not names_added_map(text):
        use_source(found)
        return read_game_file(text, now)
    with Store(config.store.url).keep_open() as store:
        use_source(Maps(store))
        return read_game_file(text, now)


def _replay_saved_game(text: str) -> Replayed | None:
    """Adjudicate a saved game of the `diplomacy` package again.

    Return None if the text has another format.

    Raises:
        DataError: It has this format, but a part of it is invalid.
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


def _load_archived(games: Games, game: GameRecord) -> Archived:
    return Archived(game, tuple(games.turns(game.id)), tuple(games.events(game.id)))


def _with_game(config: Config, name: str, job: Callable[[Games, GameRecord], Archived]) -> Archived:
    with Store(config.store.url).keep_open() as store:
        use_source(Maps(store))
        games = Games(store)
        game = games.find(name.lower())
        if game is None:
            raise JudgeError(f"there is no game {name!r}")
        if game.state is GameState.FORMING:
            raise JudgeError(f"{game.name} has not begun")
        return job(games, game)
