"""What the keeper does from his terminal: in one transaction, with the letters it causes."""

from collections.abc import Callable, Sequence
from datetime import datetime

from judge.clock import Clock
from judge.config import Config
from judge.daemon.works import open_works
from judge.play.game import Office
from judge.play.digests.sifting import sift
from judge.words.letter import Letter

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
