"""Bounces, counted: which addresses letters reach; one that fails too often rests.

Addresses are kept and compared in lower case.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from judge.store.database import Store
from judge.store.schema import BOUNCES, OUTGOING, Bounces
from judge.store.table import Rows, among

SUSPENDED_AT = 6
"""Points at which an address gets no more letters."""
FORGOTTEN = timedelta(days=30)
"""After so long without a bounce the counting begins anew."""


class BounceCounts:
    """What is remembered of letters that came back."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._bounces = Rows(store, BOUNCES)
        self._letters = Rows(store, OUTGOING)

    def bounced(self, address: str, points: int, now: datetime) -> bool:
        """Count a letter that came back; return whether the address is suspended by this."""
        low = address.lower()
        with self._store.transaction():
            known = self._bounces.one(address=low)
            if known is not None and now - known.last >= FORGOTTEN:
                known = None
            points += known.points if known else 0
            before = known.suspended if known else None
            suspended = before or (now if points >= SUSPENDED_AT else None)
            self._bounces.put(Bounces(low, points, now, suspended))
        return before is None and suspended is not None

    def suspend(self, address: str, now: datetime) -> None:
        """Send nothing more to an address until somebody writes from it."""
        self.bounced(address, SUSPENDED_AT, now)

    def letter_named(self, message_ids: Sequence[str]) -> int:
        """Return the number of the letter of ours with one of these Message-IDs; 0: there is none.
        """
        known = f"{among('message_id', message_ids)} LIMIT 1"
        found = self._letters.pick("id", known, *message_ids)
        return int(found[0][0]) if found else 0

    def is_suspended(self, address: str) -> bool:
        """Tell whether no letters are sent to an address."""
        return bool(self.suspended([address]))

    def suspended(self, addresses: Collection[str]) -> frozenset[str]:
        """Return to which of some addresses no letters are sent; those in lower case."""
        if not addresses:
            return frozenset()
        low = sorted({address.lower() for address in addresses})
        wanted = f"{among('address', low)} AND suspended IS NOT NULL"
        return frozenset(address for (address,) in self._bounces.pick("address", wanted, *low))

    def restore(self, address: str) -> bool:
        """Forget the bounces of an address somebody wrote from; return whether it was suspended."""
        found = self._bounces.one(address=address.lower())
        if found is None:
            return False
        self._bounces.remove(address=address.lower())
        return found.suspended is not None
