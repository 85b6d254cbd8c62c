"""The few things the judge remembers about itself."""

from datetime import datetime, timedelta

from judge.dice import fresh_seed
from judge.store.database import Store
from judge.store.tables import EPOCH, MemoryRow, micros

SECRET = "secret"
HEARTBEAT = "heartbeat"


class Memory:
    """Small values by name."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, name: str) -> bytes | None:
        """Return a value, None when there is none."""
        rows = self._store.rows(MemoryRow.select().where(MemoryRow.name == name))
        return bytes(rows[0]["value"]) if rows else None

    def put(self, name: str, value: bytes) -> None:
        """Keep a value in place of the earlier one."""
        with self._store.transaction():
            self._store.run(MemoryRow.delete().where(MemoryRow.name == name))
            self._store.run(MemoryRow.insert(name=name, value=value))

    def secret(self) -> bytes:
        """Return the key of this judge's tokens: 32 bytes, drawn once and kept."""
        with self._store.transaction():
            known = self.get(SECRET)
            if known is None:
                known = fresh_seed()
                self.put(SECRET, known)
        return known

    def heartbeat(self) -> datetime | None:
        """Return when the judge was last known to be alive, None when it never was."""
        found = self.get(HEARTBEAT)
        return None if found is None else EPOCH + timedelta(microseconds=int(found))

    def beat(self, now: datetime) -> None:
        """Note that the judge is alive."""
        self.put(HEARTBEAT, b"%d" % micros(now))
