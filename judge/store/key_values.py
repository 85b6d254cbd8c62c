"""Named values of the judge itself."""

from datetime import datetime, timedelta

from judge.clock import ClockReading
from judge.dice import new_seed
from judge.store.database import Store
from judge.store.schema import MEMORY, KeyValueRow
from judge.store.table import Rows, instant_of, micros

SECRET = "secret"
HEARTBEAT = "heartbeat"
"""Time of the last heartbeat of a judge that serves or listens."""
LAST_RUN = "resolved"
"""Time when all due games were last processed."""
CLOCK = "clock"
LAST_CLEANUP = "tidied"
DELIVERY_PAUSE = "rest"
KEY_LIFE = timedelta(days=90)
"""Time for which letters are written with one key."""


class KeyValues:
    """Store of small values by name."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._values = Rows(store, MEMORY)

    def get(self, name: str) -> bytes | None:
        """Return a value, or None."""
        found = self._values.find_one(name=name)
        return None if found is None else found.value

    def put(self, name: str, value: bytes) -> None:
        """Store a value, replacing an earlier one."""
        self._values.upsert(KeyValueRow(name, value))

    def keys(self, now: datetime) -> list[bytes]:
        """Return the keys of this judge's tokens, newest first.

        The first key is drawn by this call.
        """
        if not self._key_names():
            with self._store.transaction():
                if not self._key_names():
                    self.put(f"{SECRET} {micros(now)}", new_seed())
        values = map(self.get, self._key_names())
        return [value for value in values if value is not None]

    def rotate(self, now: datetime, needed: datetime) -> bool:
        """Draw a new key when the newest is too old. Drop those replaced before *needed*.

        Return whether the keys have changed.
        """
        with self._store.transaction():
            names = self._key_names()
            births = [_key_created(name) for name in names]
            fresh = bool(births) and now - births[0] >= KEY_LIFE
            replaced = [now, *births] if fresh else births
            idle = [name for name, at in zip(names[not fresh:], replaced) if at < needed]
            for name in idle:
                self._values.remove(name=name)
            if fresh:
                self.put(f"{SECRET} {micros(now)}", new_seed())
        return fresh or bool(idle)

    def _key_names(self) -> list[str]:
        found = self._values.select("name", "name LIKE ?", f"{SECRET}%")
        return sorted((name for (name,) in found), key=_key_created, reverse=True)

    def instant(self, name: str) -> datetime | None:
        """Return a value that is an instant, or None."""
        found = self.get(name)
        return None if found is None else instant_of(int(found))

    def put_instant(self, name: str, instant: datetime) -> None:
        """Store an instant."""
        self.put(name, b"%d" % micros(instant))

    def last_reading(self) -> ClockReading | None:
        """Return the last reading of the clock that was believed, or None."""
        found = self.get(CLOCK)
        if found is None:
            # A judge that stored no reading was running at its heartbeat, on an unknown machine.
            beaten = self.instant(HEARTBEAT)
            return None if beaten is None else ClockReading(beaten, "", 0.0)
        at, since, boot = found.decode("ascii").split(" ")
        return ClockReading(instant_of(int(at)), boot, int(since) / 1e6)

    def save_reading(self, reading: ClockReading) -> None:
        """Store a reading of the clock that is believed."""
        since = int(reading.since * 1e6)
        self.put(CLOCK, f"{micros(reading.at)} {since} {reading.boot}".encode("ascii"))

    def delivery_pause(self, where: str) -> tuple[datetime | None, int]:
        """Return the end of the pause for a mail server, and its failures in a row.

        Without a pause, return None as the end.
        """
        until, _, many = (self.get(f"{DELIVERY_PAUSE} {where}") or b"0 0").partition(b" ")
        return (instant_of(int(until)) if int(until) else None), int(many)

    def pause_delivery(self, where: str, until: datetime, many: int) -> None:
        """Pause delivery to a mail server until an instant, after *many* failures."""
        self.put(f"{DELIVERY_PAUSE} {where}", b"%d %d" % (micros(until), many))

    def resume_delivery(self, where: str) -> None:
        """Resume delivery to a mail server."""
        self._values.remove(name=f"{DELIVERY_PAUSE} {where}")

    def find_last_pause(self) -> datetime | None:
        """Return the last end of the pauses for all mail servers, or None."""
        found = self._values.find_where("name LIKE ?", f"{DELIVERY_PAUSE} %")
        ends = [int(each.value.partition(b" ")[0]) for each in found]
        return instant_of(max(ends)) if ends else None

    def resume_all_deliveries(self) -> None:
        """Resume delivery to all mail servers."""
        self._values.remove_where("name LIKE ?", f"{DELIVERY_PAUSE} %")


def _key_created(name: str) -> datetime:
    """Return when a key was drawn.

    The only key of the first judges has no instant in its name. It counts as the oldest.
    """
    return instant_of(int(name.removeprefix(SECRET) or 0))
