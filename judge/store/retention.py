"""Retention: letters that are done with, and questions nobody can answer, are kept no longer.

All in small pieces: nobody else can write while one goes.
"""

from collections import Counter
from datetime import datetime

from judge.model.record import OutState
from judge.store.database import Store
from judge.store.key_values import KeyValues
from judge.store.schema import LINKS, OUTGOING
from judge.store.table import Rows, among

BATCH_SIZE = 200
_DROPPED = "dropped "


class Expiry:
    """Drops what is old, a piece at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key_values = KeyValues(store)
        self._letters = Rows(store, OUTGOING)
        self._links = Rows(store, LINKS)

    def drop_letters(self, before: datetime) -> int:
        """Drop letters that were sent or given up before an instant; return how many went.

        How many there were is remembered: figures that count them must not fall.
        """
        old = "finished < ? ORDER BY finished LIMIT ?"
        with self._store.transaction():
            found = self._letters.pick("id, state", old, before, BATCH_SIZE)
            for state, many in Counter(state for _, state in found).items():
                was = dropped(self._key_values, state)
                self._key_values.put(_DROPPED + state.value, b"%d" % (was + many))
            numbers = [number for number, _ in found]
            return self._letters.remove_where(among("id", numbers), *numbers)

    def drop_links(self, before: datetime) -> int:
        """Drop what was asked before an instant of whether two addresses are one person's.

        Those that are, are known without it.
        """
        old = "id IN (SELECT id FROM links WHERE asked < ? LIMIT ?)"
        return self._links.remove_where(old, before, BATCH_SIZE)


def dropped(key_values: KeyValues, state: OutState) -> int:
    """Return how many letters that ended in a state are there no more."""
    return int(key_values.get(_DROPPED + state.value) or 0)
