"""The clock's work: every due game in a transaction of its own."""

import logging
import traceback
from dataclasses import replace
from datetime import datetime

from judge.daemon.works import Works
from judge.errors import StoreError
from judge.play.resolver import OUTAGE
from judge.words.record import GameState

log = logging.getLogger("judge.resolver")

_ALL = 1_000_000
"""More games than can be due at once."""


class Resolving:
    """Attends to the games that are due."""

    def __init__(self, works: Works) -> None:
        self._works = works

    def tick(self, now: datetime) -> int:
        """Attend to each game due by `now` once; return how many were attended to.

        A game waits while a mail accepted by the instant it is due is not worked yet: that mail
        counts for its deadline.

        Raises:
            StoreError: the database cannot be used now; what is due stays due.
        """
        attended = 0
        for game_id in self._works.resolver.due(now):
            game = self._works.games.get(game_id)
            if game.due is not None and self._works.post.new_before(game.due):
                continue
            try:
                self._attend(game_id, now)
            except StoreError:
                raise
            except Exception:
                # One game that we cannot adjudicate must not stop the others.
                self._pause(game_id, traceback.format_exc(), now)
            attended += 1
        return attended

    def awake(self, now: datetime) -> None:
        """Note that the judge is awake; after an outage, give deadlines that passed a new time.

        Raises:
            StoreError: the database cannot be used now.
        """
        last = self._works.memory.heartbeat()
        if last is not None and now - last > OUTAGE:
            log.warning("an outage since %s", last)
            for game_id in self._works.resolver.due(now, _ALL):
                with self._works.store.transaction():
                    letters = self._works.resolver.after_outage(game_id, last, now)
                    self._works.queue(letters)
        self._works.memory.beat(now)

    def _attend(self, game_id: int, now: datetime) -> None:
        """Have a game moved on; "due" and what is done about it change in one transaction."""
        with self._works.store.transaction():
            letters = self._works.resolver.attend(game_id, now)
            many = self._works.queue(letters)
        game = self._works.games.get(game_id)
        log.info("game %s is at %s, %d letters", game.name, game.phase, many)

    def _pause(self, game_id: int, story: str, now: datetime) -> None:
        """Stop a game whose adjudication failed, and tell the keeper."""
        with self._works.store.transaction():
            game = self._works.games.get(game_id)
            self._works.games.save(replace(game, state=GameState.PAUSED, due=None))
            self._works.tell_keeper(
                f"game {game.name} is paused",
                f"The judge could not adjudicate {game.phase} of {game.name} and has paused it;"
                " nothing was changed. Once the fault is mended, the master's RESUME lets it go"
                f" on.\n\n{story}",
                now,
            )
        log.error("game %s is paused\n%s", game.name, story)
