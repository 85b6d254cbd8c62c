"""Operator's view of the queues, and figures of the judge."""

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from judge.model.record import DeliveryState, GameState, MailState, Outgoing, StoredMail
from judge.store.database import Store
from judge.store.games import CLOCKED
from judge.store.games import DUE as GAME_DUE
from judge.store.key_values import HEARTBEAT, LAST_RUN, KeyValues
from judge.store.mailboxes import Mailboxes
from judge.store.schema import GAMES, MAILS, OUTGOING, MailboxState
from judge.store.send_budget import SendBudget
from judge.store.table import RecordTable, Rows, in_condition, instant_of, micros

_DEFERRED = "state = ? AND tries > 0"
_CLAIMED = "claimed IS NOT NULL AND state = ?"
_DROPPED = "dropped "
_DAY = timedelta(days=1)
_IS_FREE = "(claimed IS NULL OR claimed <= ?)"
"""Condition for a letter that is not claimed now."""


class Waiting(NamedTuple):
    """Pending mails and letters."""

    mails: int
    oldest_mail: datetime | None
    """Acceptance time of the oldest mail, or None."""
    letters: int
    oldest_letter: datetime | None
    """Time when the oldest letter was queued, or None."""
    deferred: int
    """Number of letters that were tried and deferred."""
    for_picture: int
    """Number of letters that wait for a picture."""
    failed: int = 0
    """Number of letters that were given up."""
    shunted: int = 0
    """Number of mails that were set aside."""


class Queues:
    """Incoming and outgoing queues, with the operator's actions on them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._mails = Rows(store, MAILS)
        self._letters = Rows(store, OUTGOING)

    def waiting(self) -> Waiting:
        """Return the number of pending messages, and the oldest ones' times."""
        new, queued = MailState.NEW, DeliveryState.QUEUED
        mails, oldest_mail = _count(self._store, MAILS, "accepted", "state = ?", new)
        letters, oldest_letter = _count(self._store, OUTGOING, "queued", "state = ?", queued)
        return Waiting(
            mails, oldest_mail, letters, oldest_letter,
            _count(self._store, OUTGOING, "queued", _DEFERRED, queued)[0],
            _count(self._store, OUTGOING, "queued", "state = ? AND waits <> 0", queued)[0],
            _count(self._store, OUTGOING, "queued", "state = ?", DeliveryState.FAILED)[0],
            _count(self._store, MAILS, "accepted", "state = ?", MailState.SHUNTED)[0],
        )

    def mails(self, state: MailState, limit: int) -> list[StoredMail]:
        """Return the first mails in a state, in order."""
        return self._mails.find_where("state = ? ORDER BY id LIMIT ?", state, limit)

    def letters(self, state: DeliveryState, limit: int) -> list[Outgoing]:
        """Return pending letters, the next one first, or failed ones, the last one first."""
        order = "due, id" if state is DeliveryState.QUEUED else "id DESC"
        return self._letters.find_where(f"state = ? ORDER BY {order} LIMIT ?", state, limit)

    def retry_deferred(self, now: datetime) -> int:
        """Make every deferred letter due now and end all pauses. Return their number.

        Claimed ones are left out, because they are being tried already.
        """
        put_off = f"{_DEFERRED} AND {_IS_FREE}"
        with self._store.transaction():
            return self._end_pauses(now) + self._letters.change(
                put_off, DeliveryState.QUEUED, now, due=now
            )

    def _end_pauses(self, now: datetime) -> int:
        """End all pauses. Return the number of letters that are due now by this."""
        key_values = KeyValues(self._store)
        end = key_values.find_last_pause()
        key_values.resume_all_deliveries()
        # Letters that were only claimed before the pause are due at its end.
        paused = f"state = ? AND tries = 0 AND due = ? AND {_IS_FREE}"
        given = (DeliveryState.QUEUED, micros(end or now), now)
        return self._letters.change(paused, *given, due=now) if end else 0

    def owners(self) -> list[int]:
        """Return the numbers of the senders that have claimed messages."""
        found = self._letters.select("owner", f"{_CLAIMED} AND owner <> 0", DeliveryState.QUEUED)
        return sorted({owner for (owner,) in found})

    def release_claims(self, owner: int, now: datetime, but: Collection[int] = ()) -> int:
        """Release the claims of a sender that has exited. Return their number.

        `but` are messages claimed by the present sender with the same number.
        """
        mine = f"{_CLAIMED} AND owner = ? AND NOT ({in_condition('id', but)})"
        given = (DeliveryState.QUEUED, owner, *but)
        return self._letters.change(mine, *given, due=now, claimed=None, owner=0)

    def delete_older(self, before: datetime, limit: int) -> int:
        """Delete letters finished before an instant. Return their number.

        The number is also added to a stored total, so that counters do not fall.
        """
        old, key_values = "finished < ? ORDER BY finished LIMIT ?", KeyValues(self._store)
        with self._store.transaction():
            found = self._letters.select("id, state", old, before, limit)
            for state, many in Counter(state for _, state in found).items():
                was = _count_dropped(key_values, state)
                key_values.put(_DROPPED + state.value, b"%d" % (was + many))
            numbers = [number for number, _ in found]
            return self._letters.remove_where(in_condition("id", numbers), *numbers)

    def is_in_hand(self, out_id: int, now: datetime) -> bool:
        """Return whether a letter is claimed, and may be on its way this instant."""
        mine = f"id = ? AND state = ? AND NOT {_IS_FREE}"
        return self._letters.exists(mine, out_id, DeliveryState.QUEUED, now)

    def retry(self, out_id: int, now: datetime) -> bool:
        """Make a pending or failed letter due now and end all pauses.

        Return False for a sent one. A claimed one is left alone too, because it would be sent a
        second time.
        """
        with self._store.transaction():
            changed = self._letters.change(
                f"id = ? AND state <> ? AND {_IS_FREE}", out_id, DeliveryState.SENT, now,
                state=DeliveryState.QUEUED, due=now, finished=None, claimed=None,
            )
            if changed:
                self._end_pauses(now)
        return bool(changed)

    def drop(self, out_id: int, note: str, now: datetime) -> bool:
        """Give up a pending letter. Return False if it is not pending, or is claimed."""
        return 1 == self._letters.change(
            f"id = ? AND state = ? AND {_IS_FREE}", out_id, DeliveryState.QUEUED, now,
            state=DeliveryState.FAILED, error=note, finished=now,
        )


class QueueFigures(NamedTuple):
    """Figures of the judge."""

    mails: Mapping[MailState, int]
    letters: Mapping[DeliveryState, int]
    games: Mapping[GameState, int]
    waiting: Waiting
    overdue: int
    """Number of games that should have been processed by now."""
    overdue_since: datetime | None
    due_soon: int
    """Number of running games with a deadline in the next 24 hours."""
    heartbeat: datetime | None
    """Last heartbeat of a judge that serves or listens, or None."""
    resolved: datetime | None
    """Time when all due games were last processed, or None."""
    octets: int
    """Size of the database in octets."""
    sent_today: int
    """Number of letters sent in 24 hours."""
    mailbox: MailboxState | None
    """State of the mailbox that mail is fetched from, or None without one."""


def count(store: Store, now: datetime, box: str = "") -> QueueFigures:
    """Return the present figures, with those of the mailbox of a name.

    Raises:
        StoreError: the database cannot be used now.
    """
    overdue, overdue_since = _count(store, GAMES, "due", GAME_DUE, *CLOCKED, now)
    key_values = KeyValues(store)
    return QueueFigures(
        mails=_states(store, MAILS, MailState),
        letters={
            state: many + _count_dropped(key_values, state)
            for state, many in _states(store, OUTGOING, DeliveryState).items()
        },
        games=_states(store, GAMES, GameState),
        waiting=Queues(store).waiting(),
        overdue=overdue,
        overdue_since=overdue_since,
        due_soon=_count(
            store, GAMES, "deadline", "state = ? AND deadline > ? AND deadline <= ?",
            GameState.RUNNING, now, now + _DAY,
        )[0],
        heartbeat=key_values.instant(HEARTBEAT),
        resolved=key_values.instant(LAST_RUN),
        octets=store.size_bytes(),
        sent_today=SendBudget(store, 0, 0).count_sent(now),
        mailbox=Mailboxes(store).state(box) if box else None,
    )


class ScheduledGame(NamedTuple):
    """Game with its next deadline."""

    name: str
    state: GameState
    phase: str
    deadline: datetime | None
    overdue_since: datetime | None
    """Time when it should have been processed, or None."""


def list_schedule(store: Store, now: datetime, limit: int) -> list[ScheduledGame]:
    """Return the games that are due next: overdue, running, then paused ones.

    Their records are not parsed, because one may be damaged.

    Raises:
        StoreError: the database cannot be used now.
    """
    due = (*CLOCKED, now)
    found = Rows(store, GAMES).select(
        "name, state, phase, deadline, due",
        f"state IN (?, ?) OR {GAME_DUE} ORDER BY CASE WHEN {GAME_DUE} THEN 0 ELSE 1 END,"
        " state DESC, deadline IS NULL, deadline, name LIMIT ?",
        GameState.RUNNING, GameState.PAUSED, *due, *due, limit,
    )
    return [
        ScheduledGame(name, state, phase, deadline, due if due and due <= now else None)
        for name, state, phase, deadline, due in found
    ]


def _states(store: Store, table: RecordTable[Any], states: Any) -> dict[Any, int]:
    """Return the number of rows of a table in each state."""
    statement = f"SELECT state, COUNT(id) FROM {table.name} GROUP BY state"
    found = dict(store.select_sql(statement, []))
    return {state: int(found.get(state.value, 0)) for state in states}


def _count(
    store: Store, table: RecordTable[Any], instant: str, condition: str, *values: object
) -> tuple[int, datetime | None]:
    """Return the number of rows that match, and the first of their instants."""
    totals = f"COUNT(id), MIN({instant})"
    many, first = Rows(store, table).aggregate(totals, condition, *values)
    return int(many), None if first is None else instant_of(first)


def _count_dropped(key_values: KeyValues, state: DeliveryState) -> int:
    """Return the number of deleted letters that had ended in a state."""
    return int(key_values.get(_DROPPED + state.value) or 0)
