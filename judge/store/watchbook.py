"""What the judge keeps an eye on: masters last heard of, addresses it takes no mail from.

Addresses are kept and compared in lower case.
"""

from collections.abc import Sequence
from datetime import datetime

from judge.store.database import Store
from judge.store.tables import EPOCH
from judge.store.watchtables import BanRow, HeardRow


class Watchbook:
    """Masters and banned addresses of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def hear(self, seat: int, now: datetime) -> None:
        """Note that a master was heard of; an earlier question whether he is there is answered."""
        row = HeardRow.insert(seat=seat, at=now, asked=None, again=EPOCH)
        self._store.run(row.on_conflict_replace())

    def ask(self, seat: int, now: datetime) -> None:
        """Note that a master was asked whether he is still there."""
        self._store.run(HeardRow.update(asked=now).where(HeardRow.seat == seat))

    def look_again(self, seat: int, at: datetime | None) -> None:
        """Have a silent master looked at again then; None: not before something is heard of him."""
        self._store.run(HeardRow.update(again=at).where(HeardRow.seat == seat))

    def was_asked(self, seat: int) -> bool:
        """Tell whether a master was asked since he was last heard of."""
        rows = self._store.rows(HeardRow.select(HeardRow.asked).where(HeardRow.seat == seat))
        return any(row["asked"] is not None for row in rows)

    def forget(self, seat: int) -> None:
        """Look out for a master no longer: he is none any more, or his game is over."""
        self._store.run(HeardRow.delete().where(HeardRow.seat == seat))

    def silent(self, since: datetime, now: datetime, limit: int) -> Sequence[int]:
        """Return seats of masters to look at: not heard of since an instant, or to be looked at
        again by now. Both are found by an index: masters who write cost nothing."""
        fresh = (HeardRow.again == EPOCH, HeardRow.at < since)
        again = (HeardRow.again > EPOCH, HeardRow.again <= now)
        found: list[int] = []
        for wanted, order in ((again, HeardRow.again), (fresh, HeardRow.at)):
            query = HeardRow.select(HeardRow.seat).where(*wanted).order_by(order).limit(limit)
            found += [row["seat"] for row in self._store.rows(query)]
        return found[:limit]

    def last_heard(self, seat: int) -> datetime | None:
        """Return when a master was last heard of, None for whoever is none."""
        rows = self._store.rows(HeardRow.select(HeardRow.at).where(HeardRow.seat == seat))
        return next((row["at"] for row in rows), None)

    def ban(self, address: str, now: datetime) -> bool:
        """Take no more mail from an address, or "@" and a domain; False if none is taken now."""
        if self._row(address.lower()):
            return False
        self._store.run(BanRow.insert(address=address.lower(), at=now))
        return True

    def lift(self, address: str) -> bool:
        """Take mail from an address again; tell whether it was banned."""
        return bool(self._store.run(BanRow.delete().where(BanRow.address == address.lower())))

    def is_banned(self, address: str) -> bool:
        """Tell whether no mail is taken from an address: it is banned, or its domain is."""
        low = address.lower()
        return bool(low) and (self._row(low) or self._row("@" + low.rpartition("@")[2]))

    def bans(self) -> list[tuple[str, datetime]]:
        """Return who is banned, and since when."""
        rows = self._store.rows(BanRow.select().order_by(BanRow.address))
        return [(row["address"], row["at"]) for row in rows]

    def _row(self, address: str) -> bool:
        return bool(self._store.look_up(BanRow, "address = ?", address))
