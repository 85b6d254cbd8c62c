"""Banned and bouncing addresses."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from judge.store.database import Store
from judge.store.schema import BANS, BOUNCES, HEARD, OUTGOING, Ban, Bounces, Heard
from judge.store.table import EPOCH, Rows, among


class Bans:
    """Masters and banned addresses of a store."""

    def __init__(self, store: Store) -> None:
        self._heard = Rows(store, HEARD)
        self._bans = Rows(store, BANS)

    def hear(self, seat: int, now: datetime) -> None:
        """Note that a master was heard of; an earlier question whether he is there is answered."""
        self._heard.put(Heard(seat, now))

    def ask(self, seat: int, now: datetime) -> None:
        """Note that a master was asked whether he is still there."""
        self._heard.change("seat = ?", seat, asked=now)

    def look_again(self, seat: int, at: datetime | None) -> None:
        """Have a silent master looked at again then; None: not before something is heard of him."""
        self._heard.change("seat = ?", seat, again=at)

    def was_asked(self, seat: int) -> bool:
        """Tell whether a master was asked since he was last heard of."""
        return self._heard.there_is("seat = ? AND asked IS NOT NULL", seat)

    def forget(self, seat: int) -> None:
        """Look out for a master no longer: he is none any more, or his game is over."""
        self._heard.remove(seat=seat)

    def silent(self, since: datetime, now: datetime, limit: int) -> Sequence[int]:
        """Return seats of masters to look at: not heard of since an instant, or to be looked at
        again by now. Both are found by an index: masters who write cost nothing."""
        again = "again > ? AND again <= ? ORDER BY again, seat LIMIT ?"
        fresh = "again = ? AND at < ? ORDER BY at, seat LIMIT ?"
        found = [
            *self._heard.pick("seat", again, EPOCH, now, limit),
            *self._heard.pick("seat", fresh, EPOCH, since, limit),
        ]
        return [seat for (seat,) in found][:limit]

    def last_heard(self, seat: int) -> datetime | None:
        """Return when a master was last heard of, None for whoever is none."""
        heard = self._heard.one(seat=seat)
        return None if heard is None else heard.at

    def ban(self, address: str, now: datetime) -> bool:
        """Take no more mail from an address, or "@" and a domain; False if none is taken now."""
        return self._bans.add_new(Ban(address.lower(), now))

    def lift(self, address: str) -> bool:
        """Take mail from an address again; tell whether it was banned."""
        return bool(self._bans.remove(address=address.lower()))

    def is_banned(self, *addresses: str) -> bool:
        """Tell whether no mail is taken from one of these: it is banned, or its domain is."""
        lows = [address.lower() for address in addresses if address]
        wanted = [name for low in lows for name in (low, f"@{low.rpartition('@')[2]}")]
        return bool(wanted) and self._bans.there_is(among("address", wanted), *wanted)

    def bans(self) -> list[tuple[str, datetime]]:
        """Return who is banned, and since when."""
        return [(ban.address, ban.at) for ban in self._bans.find()]


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
