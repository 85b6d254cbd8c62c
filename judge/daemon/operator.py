"""The operator's work on games from his terminal: one transaction with the letters it causes."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from judge.clock import Clock
from judge.config import Config
from judge.daemon.application import use_application
from judge.errors import StoreError
from judge.model.letter import Letter
from judge.model.record import GameRecord
from judge.play.archive.importing import bring_in
from judge.play.archive.orderlists import read_game_file
from judge.play.game import Context
from judge.play.notification_filter import sift
from judge.store.database import Store
from judge.store.locks import lock_instance
from judge.store.moving import Moved, move
from judge.store.rescue import Restored, restore

Deed = Callable[[Context, datetime], tuple[str, Sequence[Letter]]]
"""Does something and returns what to say at the terminal, and the letters it causes."""


def keep(config: Config, clock: Clock, deed: Deed) -> str:
    """Carry a deed of the keeper out beside the running judge, all of it or nothing.

    Raises:
        StoreError: there is no database, or it cannot be used now.
        JudgeError: it cannot be done, and why.
    """
    with use_application(config, clock) as application, application.store.transaction():
        with application.context.work() as context:
            said, letters = deed(context, application.clock.now())
            letters = sift(context, letters, application.clock.now())
        application.queue(letters)
    return said


def migrated(config: Config, url: str) -> list[Moved]:
    """Move all that the judge keeps to another database; return how many rows of which table.

    A judge that runs on it takes no more mail then, until it is started on the other.

    Raises:
        StoreError: there is no database here, or it cannot be moved; nothing is changed then.
    """
    with Store(config.store.url).keep_open() as source, Store(url).keep_open(create=True) as target:
        return move(source, target)


def restored(config: Config, clock: Clock, source: Path) -> Restored:
    """Make a copy of a file the judge's database; what was there is put aside.

    Raises:
        JudgeError: a judge runs on it, or the file is no database to go on with.
    """
    file = config.store.file
    if file is None:
        raise StoreError("only a database in a file is restored by this command")
    with lock_instance(file, "restore") as lock:
        found = restore(file.resolve(), source, clock.now())
        lock.note_database()
    return found


def import_once(
    config: Config, clock: Clock, text: str, name: str, master: str, *, force: bool
) -> GameRecord:
    """Make the game of a file, or of a list of orders, and queue its master's letter.

    Raises: JudgeError saying why it cannot be; nothing is changed then.
    """
    archived = read_game_file(text, clock.now())
    with use_application(config, clock) as application, application.store.transaction():
        master = master or config.judge.keeper
        with application.context.work() as context:
            now = application.clock.now()
            game, letters = bring_in(context, archived, name, master, now, force=force)
        application.queue(letters)
    return game.record
