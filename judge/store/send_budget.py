"""Limits of a mail account: letters in 24 hours and in a minute.

All processes share them, because they are counted from the queue of outgoing letters.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from judge.model.letter import LetterPriority
from judge.model.record import DeliveryState
from judge.store.database import Store
from judge.store.schema import OUTGOING
from judge.store.table import Rows, to_column

_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)
_RESERVED = 5
"""Fraction of the letters of a day, one in so many, that is reserved for essential letters."""


class Allowance(NamedTuple):
    """Number of letters that may be claimed now, and the lowest priority of these."""

    letters: int
    priority: LetterPriority


class SendBudget:
    """Letters that may still be sent, by the limits of an account.

    A limit of 0 permits any number.
    """

    def __init__(self, store: Store, per_day: int, per_minute: int) -> None:
        self.per_day = per_day
        self.per_minute = per_minute
        self._store = store
        self._letters = Rows(store, OUTGOING)

    @property
    def is_limited(self) -> bool:
        """True if there is any limit."""
        return bool(self.per_day or self.per_minute)

    @property
    def essential_from(self) -> int:
        """Number of letters in 24 hours from which only essential ones are sent."""
        return self.per_day - self.per_day // _RESERVED

    def count_sent(self, now: datetime, span: timedelta = _DAY) -> int:
        """Return the number of letters sent within *span*."""
        return self._count("state = ? AND finished > ?", DeliveryState.SENT, now - span)

    def find_allowance(self, now: datetime) -> Allowance:
        """Return what may be claimed now. Letters claimed by any process count as sent."""
        claimed = self._count_claimed(now)
        left, priority = [], LetterPriority.OPTIONAL
        if self.per_minute:
            left.append(self.per_minute - self.count_sent(now, _MINUTE) - claimed)
        if self.per_day:
            used = self.count_sent(now) + claimed
            is_essential = used >= self.essential_from
            left.append((self.per_day if is_essential else self.essential_from) - used)
            priority = LetterPriority.ESSENTIAL if is_essential else priority
        return Allowance(max(min(left), 0), priority)

    def list_waiting(self, now: datetime) -> dict[str, int]:
        """Return the number of due letters that wait for the limit of a day, by game.

        Those of no game are counted under "".
        """
        used = self.count_sent(now) + self._count_claimed(now)
        if not self.per_day or used < self.essential_from:
            return {}
        lowest = LetterPriority.PRESS if used < self.per_day else LetterPriority.ESSENTIAL
        statement = (
            "SELECT game, COUNT(*) FROM outgoing WHERE state = ? AND due <= ? AND waits = 0"
            " AND claimed IS NULL AND priority >= ? GROUP BY game ORDER BY game"
        )
        given = [to_column(one) for one in (DeliveryState.QUEUED, now, lowest.value)]
        return {game: int(many) for game, many in self._store.select_sql(statement, given)}

    def _count_claimed(self, now: datetime) -> int:
        pending = "claimed IS NOT NULL AND claimed > ? AND state = ?"
        return self._count(pending, now, DeliveryState.QUEUED)

    def _count(self, condition: str, *values: object) -> int:
        (many,) = self._letters.aggregate("COUNT(id)", condition, *values)
        return int(many)
