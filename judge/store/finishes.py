"""How games ended: worked out once from their records, and kept beside them.

Nothing here is known that the records do not tell, so that all of it may be forgotten at any time.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from judge.store.database import Store
from judge.store.finishtables import FinishRow
from judge.store.tables import GameRow
from judge.words.figures import Finish, Finished, Score
from judge.words.record import GameState


class Finishes:
    """How the games of a store ended."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def ended(self) -> dict[int, datetime]:
        """Return every game that is over, and since when; the order of time."""
        query = (
            GameRow.select(GameRow.id, GameRow.ended)
            .where(GameRow.state == GameState.ENDED, GameRow.ended.is_null(False))
            .order_by(GameRow.ended, GameRow.id)
        )
        return {row["id"]: row["ended"] for row in self._store.rows(query)}

    def kept(self) -> dict[int, tuple[datetime, Finished | None]]:
        """Return what was worked out: game → when it had ended, and how; None for no result."""
        rows = self._store.rows(FinishRow.select())
        return {row["game"]: (row["ended"], _read(row)) for row in rows}

    def keep(self, game: int, ended: datetime, finished: Finished | None) -> None:
        """Keep how a game ended."""
        row = {"game": game, "ended": ended, "told": _told(finished)}
        self._store.run(FinishRow.insert(row).on_conflict_replace())

    def forget(self, games: Sequence[int]) -> None:
        """Forget what was worked out of some games."""
        self._store.run(FinishRow.delete().where(FinishRow.game.in_(list(games))))


def _told(finished: Finished | None) -> dict[str, object] | None:
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


def _read(row: dict[str, Any]) -> Finished | None:
    told = row["told"]
    if told is None:
        return None
    scores = (
        Score(power, Finish(finish), centres, player, tuple(left))
        for power, finish, centres, player, left in told["scores"]
    )
    years = ((year, tuple(counts)) for year, counts in told["years"])
    return Finished(
        row["game"], told["map"], told["system"], row["ended"], told["secret"], told["rated"],
        tuple(scores), tuple(years),
    )
