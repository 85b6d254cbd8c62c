"""What is kept no longer: letters that are done with, and questions nobody can answer any more.

All in small pieces: nobody else can write while one goes.
"""

from datetime import datetime

from peewee import fn

from judge.store.database import Store
from judge.store.memory import Memory
from judge.store.peopletables import LinkRow
from judge.store.tables import OutgoingRow
from judge.words.record import OutState

_BATCH = 200
_DROPPED = "dropped "


class Disposal:
    """Drops what is old, a piece at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._memory = Memory(store)

    def drop_letters(self, before: datetime) -> int:
        """Drop letters that were sent or given up before an instant; return how many went.

        How many there were is remembered: figures that count them must not fall.
        """
        old = (
            OutgoingRow.select(OutgoingRow.id)
            .where(OutgoingRow.finished < before)
            .order_by(OutgoingRow.finished)
            .limit(_BATCH)
        )
        with self._store.transaction():
            ids = [row["id"] for row in self._store.rows(old)]
            if not ids:
                return 0
            mine = OutgoingRow.id.in_(ids)
            query = OutgoingRow.select(OutgoingRow.state, fn.COUNT(OutgoingRow.id).alias("many"))
            for row in self._store.rows(query.where(mine).group_by(OutgoingRow.state)):
                name = _DROPPED + row["state"].value
                self._memory.put(name, b"%d" % (dropped(self._memory, row["state"]) + row["many"]))
            self._store.run(OutgoingRow.delete().where(mine))
        return len(ids)

    def drop_links(self, before: datetime) -> int:
        """Drop what was asked before an instant of whether two addresses are one person's.

        Those that are, are known without it.
        """
        old = LinkRow.select(LinkRow.id).where(LinkRow.asked < before).limit(_BATCH)
        return self._store.run(LinkRow.delete().where(LinkRow.id.in_(old)))


def dropped(memory: Memory, state: OutState) -> int:
    """Return how many letters that ended in a state are there no more."""
    return int(memory.get(_DROPPED + state.value) or 0)
