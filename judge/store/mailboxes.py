"""Mailboxes that mail is fetched from, their mails and complete looks."""

from collections.abc import Collection
from datetime import datetime, timedelta

from judge.model.incoming import MailboxPlace
from judge.store.database import Store
from judge.store.mail_queues import NEW_MAILS
from judge.store.schema import FETCHED, MAILBOXES, MailboxState
from judge.store.table import Rows


class Mailboxes:
    """States of the mailboxes, and the mails fetched from them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._fetched = Rows(store, FETCHED)
        self._states = Rows(store, MAILBOXES)

    def state(self, box: str) -> MailboxState:
        """Return the state of a mailbox, which need not be known."""
        return self._states.find_one(box=box) or MailboxState(box)

    def record_look(
        self, box: str, began: datetime, left_alone: int, outage: timedelta
    ) -> datetime | None:
        """Record a complete look. Return the start of an outage that it ended, or None.

        All mail delivered before *began* must be stored. A gap between two looks that is longer
        than *outage* counts as one.
        """
        with self._store.transaction():
            state = self.state(box)
            before = state.looked
            was_away = before is not None and began - before > outage
            if was_away:
                state = state._replace(away_from=before, away_until=began)
            self._states.upsert(state._replace(looked=began, left_alone=left_alone))
            self._store.announce(NEW_MAILS)
        return before if was_away else None

    def record_fault(self, box: str) -> None:
        """Count a failed connection."""
        with self._store.transaction():
            state = self.state(box)
            self._states.upsert(state._replace(faults=state.faults + 1))

    def record_condition(self, box: str, quota: int, junk: int) -> None:
        """Record the used percentage of the quota, and the replies in the junk folder."""
        with self._store.transaction():
            self._states.upsert(self.state(box)._replace(quota=quota, junk=junk))

    def is_fetched(
        self, box: str, validity: int, uid: int, size: int, dated: datetime, now: datetime
    ) -> bool:
        """Return whether the mail at a place is stored.

        Size and date are compared too, because not every server keeps UIDs unique.
        """
        mine = "box = ? AND validity = ? AND uid = ? AND size = ? AND dated = ?"
        return self._has(mine, (box, validity, uid, size, dated), now)

    def is_double(self, place: MailboxPlace, now: datetime) -> bool:
        """Return whether a mail with the same octets, or Message-ID and date, is stored."""
        same = "hash = ? OR message_id <> '' AND message_id = ? AND dated = ? AND box = ?"
        return self._has(same, (place.hash, place.message_id, place.dated, place.box), now)

    def _has(self, condition: str, values: Collection[object], now: datetime) -> bool:
        """Return whether a row matches. It is then kept longer: the mail is still there."""
        # One statement finds the row and renews it.
        return self._fetched.change(condition, *values, seen=now) > 0

    def delete_older(self, before: datetime, limit: int) -> int:
        """Delete rows of mails last seen before an instant. Return their number."""
        old = "mail IN (SELECT mail FROM fetched WHERE seen < ? ORDER BY seen LIMIT ?)"
        return self._fetched.remove_where(old, before, limit)
