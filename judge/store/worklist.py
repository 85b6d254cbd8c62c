"""The mails that are not worked yet, in order, and what was answered before them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from peewee import fn

from judge.store.database import Store
from judge.store.tables import EPOCH, OutgoingRow
from judge.words.record import MailState


class Worklist:
    """What the desk looks at before it takes a mail."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def new_numbers(self, limit: int) -> list[tuple[int, datetime]]:
        """Return the messages that wait to be worked, in order: their numbers, and when each was
        accepted."""
        found = self._store.found(
            "SELECT id, accepted FROM mails WHERE state = ? ORDER BY id LIMIT ?",
            (MailState.NEW.value, limit),
        )
        return [(number, EPOCH + timedelta(microseconds=at)) for number, at in found]

    def games_answered(self, addresses: Sequence[str], mail_id: int) -> frozenset[str]:
        """Return the games of which letters to some addresses answered mails later than this one.
        """
        query = OutgoingRow.select(OutgoingRow.game).distinct().where(
            fn.LOWER(OutgoingRow.to).in_([address.lower() for address in addresses]),
            OutgoingRow.answers > mail_id,
            OutgoingRow.game != "",
        )
        return frozenset(row["game"] for row in self._store.rows(query))
