"""Which addresses letters reach: bounces are counted, and an address that fails too often rests.

Addresses are kept and compared in lower case.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from judge.store.database import Store
from judge.store.tables import BounceRow, OutgoingRow

SUSPENDED_AT = 6
"""Points at which an address gets no more letters."""
FORGOTTEN = timedelta(days=30)
"""After so long without a bounce the counting begins anew."""


class Reach:
    """What is remembered of letters that came back."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def bounced(self, address: str, points: int, now: datetime) -> bool:
        """Count a letter that came back; return whether the address is suspended by this."""
        low = address.lower()
        with self._store.transaction():
            rows = self._store.rows(BounceRow.select().where(BounceRow.address == low))
            known = rows[0] if rows and now - rows[0]["last"] < FORGOTTEN else None
            points += known["points"] if known else 0
            before = known["suspended"] if known else None
            suspended = before or (now if points >= SUSPENDED_AT else None)
            self._store.run(BounceRow.delete().where(BounceRow.address == low))
            values = {"address": low, "points": points, "last": now, "suspended": suspended}
            self._store.run(BounceRow.insert(values))
        return before is None and suspended is not None

    def suspend(self, address: str, now: datetime) -> None:
        """Send nothing more to an address until somebody writes from it."""
        self.bounced(address, SUSPENDED_AT, now)

    def letter_named(self, message_ids: Sequence[str]) -> int:
        """Return the number of the letter of ours with one of these Message-IDs; 0: there is none.
        """
        known = OutgoingRow.message_id.in_(list(message_ids))
        rows = self._store.rows(OutgoingRow.select(OutgoingRow.id).where(known).limit(1))
        return int(rows[0]["id"]) if rows else 0

    def is_suspended(self, address: str) -> bool:
        """Tell whether no letters are sent to an address."""
        suspended = "address = ? AND suspended IS NOT NULL"
        return bool(self._store.look_up(BounceRow, suspended, address.lower()))

    def restore(self, address: str) -> bool:
        """Forget the bounces of an address somebody wrote from; return whether it was suspended."""
        rows = self._store.look_up(BounceRow, "address = ?", address.lower())
        if rows:
            self._store.run(BounceRow.delete().where(BounceRow.address == address.lower()))
        return any(row["suspended"] is not None for row in rows)
