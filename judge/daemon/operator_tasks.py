"""Operator's actions on games and the database, from the terminal.

An action on games is one transaction with the letters it causes.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from judge.clock import Clock
from judge.config import Config
from judge.daemon.application import use_application
from judge.errors import StoreError
from judge.model.letter import Letter
from judge.model.record import GameRecord
from judge.play.archive.importing import import_game
from judge.play.archive.map_of_game import add_map_in
from judge.play.archive.orderlists import read_game_file
from judge.play.game import Context
from judge.play.notification_filter import filter_notifications
from judge.store.copy_store import CopiedTable, move
from judge.store.database import Store
from judge.store.locks import lock_instance
from judge.store.rescue import Restored, restore

OperatorAction = Callable[[Context, datetime], tuple[str, Sequence[Letter]]]
"""Action of the operator, which returns its terminal message and its letters."""


def run_action(config: Config, clock: Clock, deed: OperatorAction) -> str:
    """Run an operator's action in one transaction, next to a running judge.

    Return its message.

    Raises:
        StoreError: there is no database, or it cannot be used now.
        JudgeError: the action is refused, with the reason.
    """
    with use_application(config, clock) as application, application.store.transaction():
        with application.context.unit_of_work() as context:
            said, letters = deed(context, application.clock.now())
            letters = filter_notifications(context, letters, application.clock.now())
        application.queue(letters)
    return said


def migrate_store(config: Config, url: str) -> list[CopiedTable]:
    """Move the store to another database. Return the number of rows of each table.

    A judge that runs on the old one accepts no mail from then on, until it is started on the new
    one.

    Raises:
        StoreError: there is no database here, or it cannot be moved; nothing is changed then.
    """
    with Store(config.store.url).keep_open() as source, Store(url).keep_open(create=True) as target:
        return move(source, target)


def restore_store(config: Config, clock: Clock, source: Path) -> Restored:
    """Replace the judge's database by a copy of a file. Move the old files aside.

    Raises:
        JudgeError: a judge runs on it, or the file is no usable database.
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
    """Import a game from an archive file or a list of orders.

    The map in the file is stored for imported games only. The letter to its master is queued.

    Raises: JudgeError with the reason if it cannot be imported; nothing is changed then.
    """
    with use_application(config, clock) as application, application.store.transaction():
        add_map_in(application.context, text, application.clock.now())
        archived = read_game_file(text, clock.now())
        master = master or config.judge.keeper
        with application.context.unit_of_work() as context:
            now = application.clock.now()
            game, letters = import_game(context, archived, name, master, now, force=force)
        application.queue(letters)
    return game.record
