"""The letters that were sent, for whoever reads what comes back under an answer."""

from collections.abc import Iterator, Sequence

from judge.store.database import Store
from judge.store.schema import OUTGOING
from judge.store.table import Rows, among

MOST_RECENT = 50
"""Of the letters to an address so many are looked through for one that a mail quotes."""


class SentLetters:
    """The letters of ours, as they were sent, by what they are called and to whom they went."""

    def __init__(self, store: Store) -> None:
        self._letters = Rows(store, OUTGOING)

    def sent_as(self, message_ids: Sequence[str]) -> bytes:
        """Return the message of ours with the first of these Message-IDs that is known; or b""."""
        known = among("message_id", message_ids)
        found = dict(self._letters.pick("message_id, message", known, *message_ids))
        return next((found[one] for one in message_ids if one in found), b"")

    def sent_to(self, address: str) -> Iterator[bytes]:
        """Yield the newest messages of ours to an address, newest first."""
        mine, before = 'LOWER("to") = LOWER(?)', ""
        values: list[object] = [address]
        for _ in range(MOST_RECENT):
            last = f"{mine}{before} ORDER BY id DESC LIMIT 1"
            found = self._letters.pick("id, message", last, *values)
            if not found:
                break
            ((number, message),) = found
            yield message
            before, values = " AND id < ?", [address, number]
