"""The letters that were sent, for whoever reads what comes back under an answer."""

from collections.abc import Iterator, Sequence

from peewee import fn

from judge.store.database import Store
from judge.store.tables import OutgoingRow

MOST_RECENT = 50
"""Of the letters to an address so many are looked through for one that a mail quotes."""


class SentLetters:
    """The letters of ours, as they were sent, by what they are called and to whom they went."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def sent_as(self, message_ids: Sequence[str]) -> bytes:
        """Return the message of ours with the first of these Message-IDs that is known; or b""."""
        query = OutgoingRow.select(OutgoingRow.message_id, OutgoingRow.message).where(
            OutgoingRow.message_id.in_(list(message_ids))
        )
        found = {row["message_id"]: bytes(row["message"]) for row in self._store.rows(query)}
        return next((found[one] for one in message_ids if one in found), b"")

    def sent_to(self, address: str) -> Iterator[bytes]:
        """Yield the newest messages of ours to an address, newest first."""
        mine = OutgoingRow.select(OutgoingRow.id, OutgoingRow.message).where(
            fn.LOWER(OutgoingRow.to) == fn.LOWER(address)
        )
        older = mine
        for _ in range(MOST_RECENT):
            rows = self._store.rows(older.order_by(OutgoingRow.id.desc()).limit(1))
            if not rows:
                break
            yield bytes(rows[0]["message"])
            older = mine.where(OutgoingRow.id < rows[0]["id"])
