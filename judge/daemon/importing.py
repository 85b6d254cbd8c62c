"""A game taken from a file into the database: `judge import`."""

from judge.clock import Clock
from judge.config import Config
from judge.daemon.works import open_works
from judge.play.archive.importing import bring_in
from judge.play.archive.orderlists import read_order_list
from judge.play.archive.unpacking import read_archive
from judge.words.record import GameRecord


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
