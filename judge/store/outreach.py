"""Letters to people who have not asked for any: who had them sent, to whom, and when they may go.

Somebody is invited, asked to sit in, or said to have a new address. The letter may wait in the
queue for its day; until it is gone, whoever had it sent can take it back.
"""

from datetime import datetime
from typing import NamedTuple

from judge.store.database import Store
from judge.store.outreachtables import OutreachRow
from judge.store.tables import OutgoingRow
from judge.words.record import OutState


class Planned(NamedTuple):
    """One such letter: what it is about, and from when on it may go."""

    id: int
    address: str
    due: datetime


class Outreach:
    """The book of letters that somebody has others sent."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def plan(self, asker: str, address: str, about: str, due: datetime) -> int:
        """Note a letter that may go then, and return its number here."""
        values = {"asker": asker.lower(), "address": address.lower(), "about": about, "due": due}
        return self._store.run(OutreachRow.insert({**values, "letter": 0}))

    def queued(self, number: int, letter: int) -> None:
        """Note which outgoing message it became."""
        self._store.run(OutreachRow.update(letter=letter).where(OutreachRow.id == number))

    def to(self, address: str, since: datetime) -> list[Planned]:
        """Return the letters to an address that went after an instant, or will, the last first."""
        return self._planned(OutreachRow.address == address.lower(), since)

    def of(self, asker: str, since: datetime) -> list[Planned]:
        """Return the letters that somebody had sent after an instant, or will, the last first."""
        return self._planned(OutreachRow.asker == asker.lower(), since)

    def _planned(self, wanted: object, since: datetime) -> list[Planned]:
        query = OutreachRow.select().where(wanted, OutreachRow.due > since)
        rows = self._store.rows(query.order_by(OutreachRow.due.desc(), OutreachRow.id.desc()))
        return [Planned(row["id"], row["address"], row["due"]) for row in rows]

    def take_back(self, about: str, now: datetime) -> frozenset[int]:
        """Have letters about something that still wait not sent; return their numbers here."""
        found = self._store.rows(OutreachRow.select().where(OutreachRow.about == about))
        gone = frozenset(
            row["id"]
            for row in found
            if not row["letter"] or row["due"] > now and self._is_dropped(row["letter"])
        )
        if gone:
            self._store.run(OutreachRow.delete().where(OutreachRow.id.in_(gone)))
        return gone

    def _is_dropped(self, letter: int) -> bool:
        """Drop an outgoing message that nobody has tried to send; tell whether it could be."""
        waits = (
            OutgoingRow.id == letter,
            OutgoingRow.state == OutState.QUEUED,
            OutgoingRow.tries == 0,
            OutgoingRow.claimed.is_null(),
        )
        return self._store.run(OutgoingRow.delete().where(*waits)) == 1

    def forget(self, before: datetime) -> None:
        """Drop what no rule looks at any more."""
        self._store.run(OutreachRow.delete().where(OutreachRow.due < before))
