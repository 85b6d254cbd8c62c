"""What subscribers have not been told yet, as they want it in one letter: since when, and until.

Only the span is kept; the letter is made of what HISTORY knows of that time.
"""

from datetime import datetime

from judge.store.database import Store
from judge.store.schema import BUNDLES
from judge.store.schema import Bundle as Bundle
from judge.store.table import Rows

DUE = "due <= ?"
"""Which bundles are due, by an instant."""


class Bundles:
    """All bundles of a store."""

    def __init__(self, store: Store) -> None:
        self._bundles = Rows(store, BUNDLES)

    def add(self, bundle: Bundle) -> None:
        """Begin a bundle, unless the seat has one: what is new then belongs to that."""
        self._bundles.add_new(bundle)

    def get(self, seat: int) -> Bundle | None:
        """Return a seat's bundle, or None."""
        return self._bundles.one(seat=seat)

    def drop(self, seat: int) -> None:
        """Forget a seat's bundle: it is told, or nobody wants it any more."""
        self._bundles.remove(seat=seat)

    def hasten(self, seat: int, due: datetime) -> None:
        """Have a seat's bundle, if there is one, told at another instant."""
        self._bundles.change("seat = ?", seat, due=due)

    def due(self, now: datetime, limit: int = 100) -> list[Bundle]:
        """Return the bundles to be told by an instant."""
        return self._bundles.where(f"{DUE} ORDER BY due LIMIT ?", now, limit)
