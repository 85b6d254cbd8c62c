"""Letters to people who have not asked for any: who had them sent, to whom, and when they may go.

Somebody is invited, asked to sit in, or said to have a new address. The letter may wait in the
queue for its day; until it is gone, whoever had it sent can take it back.
"""

from datetime import datetime
from typing import NamedTuple

from judge.store.database import Store
from judge.store.schema import OUTGOING, OUTREACH, Arranged
from judge.store.table import Rows, among
from judge.words.record import OutState


class Planned(NamedTuple):
    """One such letter: what it is about, and from when on it may go."""

    id: int
    address: str
    due: datetime


class Outreach:
    """The book of letters that somebody has others sent."""

    def __init__(self, store: Store) -> None:
        self._outreach = Rows(store, OUTREACH)
        self._outgoing = Rows(store, OUTGOING)

    def plan(self, asker: str, address: str, about: str, due: datetime) -> int:
        """Note a letter that may go then, and return its number here."""
        return self._outreach.add(Arranged(0, asker.lower(), address.lower(), about, due))

    def queued(self, number: int, letter: int) -> None:
        """Note which outgoing message it became."""
        self._outreach.change("id = ?", number, letter=letter)

    def to(self, address: str, since: datetime) -> list[Planned]:
        """Return the letters to an address that went after an instant, or will, the last first."""
        return self._planned("address", address, since)

    def of(self, asker: str, since: datetime) -> list[Planned]:
        """Return the letters that somebody had sent after an instant, or will, the last first."""
        return self._planned("asker", asker, since)

    def _planned(self, whose: str, address: str, since: datetime) -> list[Planned]:
        wanted = f"{whose} = ? AND due > ? ORDER BY due DESC, id DESC"
        found = self._outreach.where(wanted, address.lower(), since)
        return [Planned(one.id, one.address, one.due) for one in found]

    def take_back(self, about: str, now: datetime) -> frozenset[int]:
        """Have letters about something that still wait not sent; return their numbers here."""
        gone = frozenset(
            one.id
            for one in self._outreach.find(about=about)
            if not one.letter or one.due > now and self._is_dropped(one.letter)
        )
        if gone:
            self._outreach.remove_where(among("id", gone), *gone)
        return gone

    def _is_dropped(self, letter: int) -> bool:
        """Drop an outgoing message that nobody has tried to send; tell whether it could be."""
        waits = "id = ? AND state = ? AND tries = 0 AND claimed IS NULL"
        return self._outgoing.remove_where(waits, letter, OutState.QUEUED) == 1

    def forget(self, before: datetime) -> None:
        """Drop what no rule looks at any more."""
        self._outreach.remove_where("due < ?", before)
