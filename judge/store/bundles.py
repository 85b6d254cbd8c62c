"""What subscribers have not been told yet, as they want it in one letter: since when, and until.

Only the span is kept; the letter is made of what HISTORY knows of that time.
"""

from datetime import datetime
from typing import NamedTuple

from judge.store.database import Store
from judge.store.peopletables import BundleRow


class Bundle(NamedTuple):
    """What a seat has not been told since an instant; `due` is None where no hour ends it."""

    seat: int
    since: datetime
    due: datetime | None


class Bundles:
    """All bundles of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, bundle: Bundle) -> None:
        """Begin a bundle, unless the seat has one: what is new then belongs to that."""
        with self._store.transaction():
            if self.get(bundle.seat) is None:
                self._store.run(BundleRow.insert(bundle._asdict()))

    def get(self, seat: int) -> Bundle | None:
        """Return a seat's bundle, or None."""
        rows = self._store.rows(BundleRow.select().where(BundleRow.seat == seat))
        return Bundle(**rows[0]) if rows else None

    def drop(self, seat: int) -> None:
        """Forget a seat's bundle: it is told, or nobody wants it any more."""
        self._store.run(BundleRow.delete().where(BundleRow.seat == seat))

    def hasten(self, seat: int, due: datetime) -> None:
        """Have a seat's bundle, if there is one, told at another instant."""
        self._store.run(BundleRow.update(due=due).where(BundleRow.seat == seat))

    def due(self, now: datetime, limit: int = 100) -> list[Bundle]:
        """Return the bundles to be told by an instant."""
        query = BundleRow.select().where(BundleRow.due <= now).order_by(BundleRow.due).limit(limit)
        return [Bundle(**row) for row in self._store.rows(query)]
