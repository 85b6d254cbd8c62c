"""Turns that were undone: kept as they were, so that they can be brought back."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from judge.store.archivetables import UndoneRow, UndoneTurnRow
from judge.store.database import Store
from judge.store.peopletables import ConductRow
from judge.store.tables import OrderRow, TurnRow
from judge.words.archive import Undone
from judge.words.person import Deed
from judge.words.record import GameRecord, Turn

_OF_PHASES = (Deed.ON_TIME, Deed.LATE, Deed.MISSED)
"""The deeds that are undone with a phase; who took a seat or gave it up has done so all the same.
"""


class Archive:
    """What was undone in all games of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def undo(self, game: GameRecord, first: int, now: datetime) -> None:
        """Put a game's turns from number `first` on aside, with all orders on file and the deeds.

        The caller sets the game itself to where it shall be then.
        """
        undone = self._store.run(UndoneRow.insert(self._standing(game, now)))
        mine = (TurnRow.game == game.id, TurnRow.number >= first)
        for row in self._store.rows(TurnRow.select().where(*mine).order_by(TurnRow.number)):
            self._store.run(UndoneTurnRow.insert({**row, "undone": undone}))
            self._mark(Turn(**row), True)
        self._store.run(TurnRow.delete().where(*mine))
        self._store.run(OrderRow.delete().where(OrderRow.game == game.id))

    def _standing(self, game: GameRecord, now: datetime) -> dict[str, object]:
        orders: dict[str, dict[str, str]] = {}
        for row in self._store.rows(OrderRow.select().where(OrderRow.game == game.id)):
            orders.setdefault(row["phase"], {})[row["power"]] = row["text"]
        return {
            "game": game.id, "at": now, "turn": game.turn, "phase": game.phase,
            "position": game.position, "orders": orders, "state": game.state,
            "ended": game.ended, "result": game.result,
        }

    def undone(self, game_id: int) -> list[Undone]:
        """Return the rollbacks of a game, the latest first."""
        query = UndoneRow.select().where(UndoneRow.game == game_id).order_by(UndoneRow.id.desc())
        return [Undone(**{**row, "state": row["state"].value}) for row in self._store.rows(query)]

    def turns(self, game_id: int) -> list[tuple[int, Turn]]:
        """Return the turns of a game that were undone, each with its rollback, the latest first."""
        query = (
            UndoneTurnRow.select()
            .where(UndoneTurnRow.game == game_id)
            .order_by(UndoneTurnRow.undone.desc(), UndoneTurnRow.number)
        )
        return [(row["undone"], _turn(row)) for row in self._store.rows(query)]

    def redo(self, chain: Sequence[tuple[int, Turn]]) -> None:
        """Write turns that were undone into the history of their game again, with their deeds."""
        for undone, turn in chain:
            values = {item.name: getattr(turn, item.name) for item in fields(turn)}
            self._store.run(TurnRow.insert(values))
            mine = (UndoneTurnRow.undone == undone, UndoneTurnRow.number == turn.number)
            self._store.run(UndoneTurnRow.delete().where(*mine))
            self._mark(turn, False)

    def forget(self, game_id: int) -> None:
        """Drop all that was undone in a game: it is to begin anew."""
        for table in (UndoneTurnRow, UndoneRow):
            self._store.run(table.delete().where(table.game == game_id))

    def _mark(self, turn: Turn, undone: bool) -> None:
        """Have the deeds of a phase count no longer, or count again.

        Those of another time the same phase was played came later than this turn.
        """
        deeds = ConductRow.update(undone=undone).where(
            ConductRow.game == turn.game,
            ConductRow.phase == turn.phase,
            ConductRow.deed.in_(_OF_PHASES),
            ConductRow.at <= turn.at,
        )
        self._store.run(deeds)


def _turn(row: Mapping[str, Any]) -> Turn:
    return Turn(**{name: value for name, value in row.items() if name != "undone"})
