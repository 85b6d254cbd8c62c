"""The queues as an operator sees them: what waits, for how long, and what was given up."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from peewee import Expression, fn

from judge.store.database import Store
from judge.store.post import MAIL_FIELDS, OUT_FIELDS
from judge.store.tables import MailRow, OutgoingRow
from judge.words.record import MailState, Outgoing, OutState, StoredMail

_QUEUED = (OutgoingRow.state == OutState.QUEUED,)
_DEFERRED = (OutgoingRow.state == OutState.QUEUED, OutgoingRow.tries > 0)

_CLAIMED = (OutgoingRow.claimed.is_null(False), OutgoingRow.state == OutState.QUEUED)


class Waiting(NamedTuple):
    """What waits in the two queues."""

    mails: int
    oldest_mail: datetime | None
    """When the oldest of them was accepted."""
    letters: int
    oldest_letter: datetime | None
    """When the oldest of them was queued."""
    deferred: int
    """Letters that were tried and put off."""
    for_picture: int
    """Letters that wait for a picture to be drawn."""


class Queues:
    """Both queues, to be looked at and put in order."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def waiting(self) -> Waiting:
        """Return how much waits, and since when."""
        new = (MailRow.state == MailState.NEW,)
        mails, oldest_mail = self._many(MailRow.id, MailRow.accepted, new)
        letters, oldest_letter = self._many(OutgoingRow.id, OutgoingRow.queued, _QUEUED)
        return Waiting(
            mails, oldest_mail, letters, oldest_letter,
            self._many(OutgoingRow.id, OutgoingRow.queued, _DEFERRED)[0],
            self._many(OutgoingRow.id, OutgoingRow.queued, (*_QUEUED, OutgoingRow.waits))[0],
        )

    def _many(
        self, number: object, instant: object, wanted: Sequence[object]
    ) -> tuple[int, datetime | None]:
        table = MailRow if instant is MailRow.accepted else OutgoingRow
        query = table.select(fn.COUNT(number).alias("many"), fn.MIN(instant).alias("oldest"))
        row = self._store.rows(query.where(*wanted))[0]
        return int(row["many"]), row["oldest"]

    def new_mails(self, limit: int) -> list[StoredMail]:
        """Return mails that are not worked yet, in their order."""
        query = MailRow.select(*MAIL_FIELDS).where(MailRow.state == MailState.NEW)
        rows = self._store.rows(query.order_by(MailRow.id).limit(limit))
        return [StoredMail(**row) for row in rows]

    def letters(self, state: OutState, limit: int) -> list[Outgoing]:
        """Return letters that wait, the next to be tried first, or that were given up lately."""
        query = OutgoingRow.select(*OUT_FIELDS).where(OutgoingRow.state == state)
        if state is OutState.QUEUED:
            query = query.order_by(OutgoingRow.due, OutgoingRow.id)
        else:
            query = query.order_by(OutgoingRow.id.desc())
        return [Outgoing(**row) for row in self._store.rows(query.limit(limit))]

    def retry_deferred(self, now: datetime) -> int:
        """Have every letter that was put off tried now; return how many there were.

        Those that a sender has in hand are being tried already.
        """
        return self._store.run(OutgoingRow.update(due=now).where(*_DEFERRED, _is_free(now)))

    def owners(self) -> list[int]:
        """Return the numbers of the senders that have messages in hand."""
        query = OutgoingRow.select(OutgoingRow.owner).distinct().where(*_CLAIMED)
        return sorted(row["owner"] for row in self._store.rows(query) if row["owner"])

    def free(self, owner: int, now: datetime) -> int:
        """Give back what a sender had in hand that is no more; return how many there were."""
        change = OutgoingRow.update(due=now, claimed=None, owner=0)
        return self._store.run(change.where(*_CLAIMED, OutgoingRow.owner == owner))

    def is_in_hand(self, out_id: int, now: datetime) -> bool:
        """Tell whether a sender has a letter in hand: it may be on its way this instant."""
        mine = (OutgoingRow.id == out_id, OutgoingRow.state == OutState.QUEUED, ~_is_free(now))
        return bool(self._store.rows(OutgoingRow.select(OutgoingRow.id).where(*mine)))

    def retry(self, out_id: int, now: datetime) -> bool:
        """Have a letter tried now that waits or was given up; False for one that was sent.

        Nor one that a sender has in hand: another would send it a second time.
        """
        return self._change(out_id, (OutgoingRow.state != OutState.SENT, _is_free(now)), {
            "state": OutState.QUEUED, "due": now, "finished": None, "claimed": None,
        })

    def drop(self, out_id: int, note: str, now: datetime) -> bool:
        """Give up a letter that waits; False if it does not, or a sender has it in hand."""
        return self._change(out_id, (OutgoingRow.state == OutState.QUEUED, _is_free(now)), {
            "state": OutState.FAILED, "error": note, "finished": now,
        })

    def _change(
        self, out_id: int, wanted: Sequence[Expression], values: dict[str, object]
    ) -> bool:
        change = OutgoingRow.update(values).where(OutgoingRow.id == out_id, *wanted)
        return self._store.run(change) == 1


def _is_free(now: datetime) -> Expression:
    """Return the condition that no sender has a letter in hand."""
    return OutgoingRow.claimed.is_null() | (OutgoingRow.claimed <= now)
