"""Games as files, and played again: `judge export`, `judge replay`."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from judge.config import Config
from judge.dice import Dice
from judge.errors import JudgeError
from judge.model.record import GameRecord, GameState
from judge.play.archive.gamefile import Archived, archive_stored, read_archive, write_archive
from judge.play.archive.importing import replay
from judge.play.archive.orderlists import order_list
from judge.play.clocks.seeds import seeds_since_start
from judge.play.people.allotment import allotment_in
from judge.store.database import Store
from judge.store.games import Games


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
    commitments: list[str]
    """SHA-256 of each known seed, as letters show it, the first one first."""
    allotted: bool
    """The powers were given out again too."""
    draws: int = 0
    """How many draws of chance were compared, apart from those."""


def replayed(config: Config, what: str) -> Replayed:
    """Play a stored game, or that of a file, again; return its phases and what differs.

    Raises:
        JudgeError: there is neither such a file nor such a game, or the file is none of a game.
        StoreError: there is no database, or it cannot be used.
    """
    path = Path(what)
    if path.is_file():
        archived = read_archive(path.read_text("utf-8"))
    else:
        archived = _with_game(config, what, _stored)
    seeds = seeds_since_start(archived.game.seed, archived.events)
    return Replayed(
        len(archived.turns),
        list(replay(archived)),
        [Dice(seed, 0).commitment() for seed in seeds if seed],
        bool(seeds[0]) and allotment_in(archived.events) is not None,
        sum(len(turn.draws) for turn in archived.turns),
    )


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
