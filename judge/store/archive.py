"""Turns that were undone: kept as they were, so that they can be brought back."""

from collections.abc import Sequence
from datetime import datetime

from judge.store.database import Store
from judge.store.schema import CONDUCT, ORDERS, TURNS, UNDONE, UNDONE_TURNS
from judge.store.table import Rows, among
from judge.words.person import Deed
from judge.words.record import GameRecord, Turn, Undone

_OF_PHASES = (Deed.ON_TIME, Deed.LATE, Deed.MISSED)
"""The deeds that are undone with a phase; who took a seat or gave it up has done so all the same.
"""
_DEEDS = f"game = ? AND phase = ? AND at <= ? AND {among('deed', _OF_PHASES)}"


class Archive:
    """What was undone in all games of a store."""

    def __init__(self, store: Store) -> None:
        self._orders = Rows(store, ORDERS)
        self._turns = Rows(store, TURNS)
        self._undone = Rows(store, UNDONE)
        self._undone_turns = Rows(store, UNDONE_TURNS)
        self._conduct = Rows(store, CONDUCT)

    def undo(self, game: GameRecord, first: int, now: datetime) -> None:
        """Put a game's turns from number `first` on aside, with all orders on file and the deeds.

        The caller sets the game itself to where it shall be then.
        """
        undone = self._undone.add(self._standing(game, now))
        mine = "game = ? AND number >= ?"
        turns = self._turns.where(f"{mine} ORDER BY number", game.id, first)
        self._undone_turns.add_all(turns, undone=undone)
        for turn in turns:
            self._mark(turn, True)
        self._turns.remove_where(mine, game.id, first)
        self._orders.remove(game=game.id)

    def _standing(self, game: GameRecord, now: datetime) -> Undone:
        orders: dict[str, dict[str, str]] = {}
        for sheet in self._orders.find(game=game.id):
            orders.setdefault(sheet.phase, {})[sheet.power] = sheet.text
        return Undone(
            id=0, game=game.id, at=now, turn=game.turn, phase=game.phase, position=game.position,
            orders=orders, state=game.state.value, ended=game.ended, result=game.result,
        )

    def undone(self, game_id: int) -> list[Undone]:
        """Return the rollbacks of a game, the latest first."""
        return self._undone.where("game = ? ORDER BY id DESC", game_id)

    def turns(self, game_id: int) -> list[tuple[int, Turn]]:
        """Return the turns of a game that were undone, each with its rollback, the latest first."""
        columns = ", ".join(("undone", *UNDONE_TURNS.own))
        found = self._undone_turns.pick(
            columns, "game = ? ORDER BY undone DESC, number", game_id
        )
        return [(undone, Turn(*turn)) for undone, *turn in found]

    def redo(self, chain: Sequence[tuple[int, Turn]]) -> None:
        """Write turns that were undone into the history of their game again, with their deeds."""
        self._turns.add_all([turn for _, turn in chain])
        for undone, turn in chain:
            self._undone_turns.remove(undone=undone, number=turn.number)
            self._mark(turn, False)

    def forget(self, game_id: int) -> None:
        """Drop all that was undone in a game: it is to begin anew."""
        self._undone_turns.remove(game=game_id)
        self._undone.remove(game=game_id)

    def _mark(self, turn: Turn, undone: bool) -> None:
        """Have the deeds of a phase count no longer, or count again.

        Those of another time the same phase was played came later than this turn.
        """
        self._conduct.change(_DEEDS, turn.game, turn.phase, turn.at, *_OF_PHASES, undone=undone)
