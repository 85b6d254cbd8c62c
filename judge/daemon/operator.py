"""What the operator does from his terminal to games, in one transaction with the letters it causes.

What the keeper does from his terminal: in one transaction, with the letters it causes.

A game taken from a file into the database: `judge import`.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from judge.clock import Clock
from judge.config import Config
from judge.daemon.application import open_works
from judge.model.letter import Letter
from judge.model.record import GameRecord
from judge.play.archive.gamefile import read_archive
from judge.play.archive.importing import bring_in
from judge.play.archive.orderlists import read_order_list
from judge.play.game import Office
from judge.play.notification_filter import sift

Deed = Callable[[Office, datetime], tuple[str, Sequence[Letter]]]
"""Does something and returns what to say at the terminal, and the letters it causes."""


def keep(config: Config, clock: Clock, deed: Deed) -> str:
    """Carry a deed of the keeper out beside the running judge, all of it or nothing.

    Raises:
        StoreError: there is no database, or it cannot be used now.
        JudgeError: it cannot be done, and why.
    """
    works = open_works(config, clock, create=False)
    try:
        with works.store.transaction():
            with works.office.work() as office:
                said, letters = deed(office, works.clock.now())
                letters = sift(office, letters, works.clock.now())
            works.queue(letters)
        return said
    finally:
        works.store.close()


def import_once(
    config: Config, clock: Clock, text: str, name: str, master: str, *, force: bool
) -> GameRecord:
    """Make the game of a file, or of a list of orders, and queue its master's letter.

    Raises: JudgeError saying why it cannot be; nothing is changed then.
    """
    is_file_of_ours = text.lstrip().startswith("{")
    archived = read_archive(text) if is_file_of_ours else read_order_list(text, clock.now())
    works = open_works(config, clock, create=False)
    try:
        with works.store.transaction():
            keeper = config.judge.keeper
            with works.office.work() as office:
                game, letters = bring_in(
                    office, archived, name, master or keeper, works.clock.now(), force=force
                )
            works.queue(letters)
        return game.record
    finally:
        works.store.close()
