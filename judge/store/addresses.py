"""Banned and bouncing addresses."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from judge.store.database import Store
from judge.store.schema import BANS, BOUNCES, HEARD, Ban, Bounces, MasterActivity
from judge.store.table import EPOCH, Rows, in_condition


class Bans:
    """Activity of masters, and banned addresses."""

    def __init__(self, store: Store) -> None:
        self._heard = Rows(store, HEARD)
        self._bans = Rows(store, BANS)

    def record_activity(self, seat: int, now: datetime) -> None:
        """Record activity of a master and clear any pending inquiry."""
        self._heard.upsert(MasterActivity(seat, now))

    def record_inquiry(self, seat: int, now: datetime) -> None:
        """Record that a master was asked whether they are still active."""
        self._heard.change("seat = ?", seat, asked=now)

    def recheck_at(self, seat: int, at: datetime | None) -> None:
        """Set when to check an inactive master again.

        With None they are not checked before their next activity.
        """
        self._heard.change("seat = ?", seat, again=at)

    def has_inquiry(self, seat: int) -> bool:
        """Return whether a master was asked since their last activity."""
        return self._heard.exists("seat = ? AND asked IS NOT NULL", seat)

    def delete_activity(self, seat: int) -> None:
        """Delete the activity of a master who lost the role or whose game is over."""
        self._heard.remove(seat=seat)

    def inactive_masters(self, since: datetime, now: datetime, limit: int) -> Sequence[int]:
        """Return the seats of masters to check, at most *limit*.

        These are masters inactive since *since*, and those whose next check is due by *now*. Both
        queries use an index, so that active masters cost nothing.
        """
        again = "again > ? AND again <= ? ORDER BY again, seat LIMIT ?"
        fresh = "again = ? AND at < ? ORDER BY at, seat LIMIT ?"
        found = [
            *self._heard.select("seat", again, EPOCH, now, limit),
            *self._heard.select("seat", fresh, EPOCH, since, limit),
        ]
        return [seat for (seat,) in found][:limit]

    def last_activity(self, seat: int) -> datetime | None:
        """Return the last activity of a master, or None for a seat that is no master's."""
        heard = self._heard.find_one(seat=seat)
        return None if heard is None else heard.at

    def ban(self, address: str, now: datetime) -> bool:
        """Ban an address, or a domain given as "@domain".

        Return False if it was banned already.
        """
        return self._bans.add_new(Ban(address.lower(), now))

    def unban(self, address: str) -> bool:
        """Lift the ban of an address. Return whether it was banned."""
        return bool(self._bans.remove(address=address.lower()))

    def is_banned(self, *addresses: str) -> bool:
        """Return whether one of these addresses, or its domain, is banned."""
        lows = [address.lower() for address in addresses if address]
        wanted = [name for low in lows for name in (low, f"@{low.rpartition('@')[2]}")]
        return bool(wanted) and self._bans.exists(in_condition("address", wanted), *wanted)

    def bans(self) -> list[tuple[str, datetime]]:
        """Return the banned addresses, each with the time of its ban."""
        return [(ban.address, ban.at) for ban in self._bans.find()]


SUSPEND_THRESHOLD = 6
"""Number of bounce points at which an address is suspended."""
BOUNCE_MEMORY = timedelta(days=30)
"""Time without a bounce after which the count restarts at zero."""


class BounceCounts:
    """Bounce points and suspensions of addresses."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._bounces = Rows(store, BOUNCES)

    def count_bounce(self, address: str, points: int, now: datetime) -> bool:
        """Count a bounce. Return whether the address becomes suspended by it."""
        low = address.lower()
        with self._store.transaction():
            recent = "address = ? AND last > ?"
            found = self._bounces.find_where(recent, low, now - BOUNCE_MEMORY)
            known = found[0] if found else Bounces(low, 0, now, None)
            points += known.points
            suspended = known.suspended or (now if points >= SUSPEND_THRESHOLD else None)
            self._bounces.upsert(Bounces(low, points, now, suspended))
        return known.suspended is None and suspended is not None

    def suspend(self, address: str, now: datetime) -> None:
        """Suspend an address until a mail arrives from it."""
        self.count_bounce(address, SUSPEND_THRESHOLD, now)

    def find_suspended(self, addresses: Collection[str]) -> frozenset[str]:
        """Return the suspended ones of these addresses, in lower case."""
        if not addresses:
            return frozenset()
        low = sorted({address.lower() for address in addresses})
        wanted = f"{in_condition('address', low)} AND suspended IS NOT NULL"
        return frozenset(address for (address,) in self._bounces.select("address", wanted, *low))

    def restore(self, address: str) -> bool:
        """Clear the bounces of an address. Return whether it was suspended."""
        found = self._bounces.find_one(address=address.lower())
        if found is None:
            return False
        self._bounces.remove(address=address.lower())
        return found.suspended is not None
