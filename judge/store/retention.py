"""Deletion of old letters and link requests.

Rows are deleted in small batches, because no other process can write during one.
"""

from collections import Counter
from datetime import datetime

from judge.model.record import DeliveryState
from judge.store.database import Store
from judge.store.key_values import KeyValues
from judge.store.schema import LINKS, OUTGOING
from judge.store.table import Rows, in_condition

BATCH_SIZE = 200
_DROPPED = "dropped "


class Expiry:
    """Deletion of old rows, one batch at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key_values = KeyValues(store)
        self._letters = Rows(store, OUTGOING)
        self._links = Rows(store, LINKS)

    def drop_letters(self, before: datetime) -> int:
        """Delete letters finished before an instant. Return their number.

        The number is also added to a stored total, so that counters do not fall.
        """
        old = "finished < ? ORDER BY finished LIMIT ?"
        with self._store.transaction():
            found = self._letters.select("id, state", old, before, BATCH_SIZE)
            for state, many in Counter(state for _, state in found).items():
                was = count_dropped(self._key_values, state)
                self._key_values.put(_DROPPED + state.value, b"%d" % (was + many))
            numbers = [number for number, _ in found]
            return self._letters.remove_where(in_condition("id", numbers), *numbers)

    def drop_links(self, before: datetime) -> int:
        """Delete requests to link addresses made before an instant. Return their number.

        Links that were made stay, because they are stored as aliases.
        """
        old = "id IN (SELECT id FROM links WHERE asked < ? LIMIT ?)"
        return self._links.remove_where(old, before, BATCH_SIZE)


def count_dropped(key_values: KeyValues, state: DeliveryState) -> int:
    """Return the number of deleted letters that had ended in a state."""
    return int(key_values.get(_DROPPED + state.value) or 0)
