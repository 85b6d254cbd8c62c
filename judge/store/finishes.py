"""How games ended: worked out once from their records, and kept beside them.

Nothing here is known that the records do not tell, so that all of it may be forgotten at any time.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from judge.store.database import Store
from judge.store.schema import FINISHES, GAMES, Ending
from judge.store.table import Rows, among
from judge.words.figures import Finish, Finished, Score
from judge.words.record import GameState


class Finishes:
    """How the games of a store ended."""

    def __init__(self, store: Store) -> None:
        self._games = Rows(store, GAMES)
        self._finishes = Rows(store, FINISHES)

    def ended(self) -> dict[int, datetime]:
        """Return every game that is over, and since when; the order of time."""
        over = "state = ? AND ended IS NOT NULL ORDER BY ended, id"
        return dict(self._games.pick("id, ended", over, GameState.ENDED))

    def kept(self) -> dict[int, tuple[datetime, Finished | None]]:
        """Return what was worked out: game → when it had ended, and how; None for no result."""
        return {one.game: (one.ended, _read(one)) for one in self._finishes.find()}

    def keep(self, game: int, ended: datetime, finished: Finished | None) -> None:
        """Keep how a game ended."""
        self._finishes.put(Ending(game, ended, _told(finished)))

    def forget(self, games: Sequence[int]) -> None:
        """Forget what was worked out of some games."""
        self._finishes.remove_where(among("game", games), *games)


def _told(finished: Finished | None) -> dict[str, Any] | None:
    if finished is None:
        return None
    return {
        "map": finished.map,
        "system": finished.system,
        "secret": finished.secret,
        "rated": finished.rated,
        "scores": [
            [score.power, score.finish.value, score.centres, score.player, list(score.left)]
            for score in finished.scores
        ],
        "years": [[year, list(counts)] for year, counts in finished.years],
    }


def _read(ending: Ending) -> Finished | None:
    told = ending.told
    if told is None:
        return None
    scores = (
        Score(power, Finish(finish), centres, player, tuple(left))
        for power, finish, centres, player, left in told["scores"]
    )
    years = ((year, tuple(counts)) for year, counts in told["years"])
    return Finished(
        ending.game, told["map"], told["system"], ending.ended, told["secret"], told["rated"],
        tuple(scores), tuple(years),
    )
