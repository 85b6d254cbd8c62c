"""The queues and the judge in figures, as an operator sees them."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from judge.model.record import GameState, MailState, Outgoing, OutState, StoredMail
from judge.store.database import Store
from judge.store.games import CLOCKED
from judge.store.games import DUE as GAME_DUE
from judge.store.key_values import KeyValues
from judge.store.retention import dropped
from judge.store.schema import GAMES, MAILS, OUTGOING
from judge.store.table import Rows, Table, among, instant_of, plain

_DEFERRED = "state = ? AND tries > 0"
_CLAIMED = "claimed IS NOT NULL AND state = ?"
_IS_FREE = "(claimed IS NULL OR claimed <= ?)"
"""No sender has the letter in hand now."""


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
        self._mails = Rows(store, MAILS)
        self._letters = Rows(store, OUTGOING)

    def waiting(self) -> Waiting:
        """Return how much waits, and since when."""
        new, queued = MailState.NEW, OutState.QUEUED
        mails, oldest_mail = _count(self._store, MAILS, "accepted", "state = ?", new)
        letters, oldest_letter = _count(self._store, OUTGOING, "queued", "state = ?", queued)
        return Waiting(
            mails, oldest_mail, letters, oldest_letter,
            _count(self._store, OUTGOING, "queued", _DEFERRED, queued)[0],
            _count(self._store, OUTGOING, "queued", "state = ? AND waits <> 0", queued)[0],
        )

    def new_mails(self, limit: int) -> list[StoredMail]:
        """Return mails that are not worked yet, in their order."""
        return self._mails.where("state = ? ORDER BY id LIMIT ?", MailState.NEW, limit)

    def letters(self, state: OutState, limit: int) -> list[Outgoing]:
        """Return letters that wait, the next to be tried first, or that were given up lately."""
        order = "due, id" if state is OutState.QUEUED else "id DESC"
        return self._letters.where(f"state = ? ORDER BY {order} LIMIT ?", state, limit)

    def retry_deferred(self, now: datetime) -> int:
        """Have every letter that was put off tried now; return how many there were.

        Those that a sender has in hand are being tried already.
        """
        put_off = f"{_DEFERRED} AND {_IS_FREE}"
        return self._letters.change(put_off, OutState.QUEUED, now, due=now)

    def owners(self) -> list[int]:
        """Return the numbers of the senders that have messages in hand."""
        found = self._letters.pick("owner", f"{_CLAIMED} AND owner <> 0", OutState.QUEUED)
        return sorted({owner for (owner,) in found})

    def free(self, owner: int, now: datetime, but: Collection[int] = ()) -> int:
        """Give back what a sender had in hand that is no more; return how many there were.

        `but` are those that whoever has its number now has in hand himself.
        """
        mine = f"{_CLAIMED} AND owner = ? AND NOT ({among('id', but)})"
        given = (OutState.QUEUED, owner, *but)
        return self._letters.change(mine, *given, due=now, claimed=None, owner=0)

    def is_in_hand(self, out_id: int, now: datetime) -> bool:
        """Tell whether a sender has a letter in hand: it may be on its way this instant."""
        mine = f"id = ? AND state = ? AND NOT {_IS_FREE}"
        return self._letters.there_is(mine, out_id, OutState.QUEUED, now)

    def retry(self, out_id: int, now: datetime) -> bool:
        """Have a letter tried now that waits or was given up; False for one that was sent.

        Nor one that a sender has in hand: another would send it a second time.
        """
        return 1 == self._letters.change(
            f"id = ? AND state <> ? AND {_IS_FREE}", out_id, OutState.SENT, now,
            state=OutState.QUEUED, due=now, finished=None, claimed=None,
        )

    def drop(self, out_id: int, note: str, now: datetime) -> bool:
        """Give up a letter that waits; False if it does not, or a sender has it in hand."""
        return 1 == self._letters.change(
            f"id = ? AND state = ? AND {_IS_FREE}", out_id, OutState.QUEUED, now,
            state=OutState.FAILED, error=note, finished=now,
        )


class Figures(NamedTuple):
    """What can be counted."""

    mails: Mapping[MailState, int]
    letters: Mapping[OutState, int]
    games: Mapping[GameState, int]
    waiting: Waiting
    overdue: int
    """Games that should have been attended to by now."""
    overdue_since: datetime | None
    heartbeat: datetime | None
    """When a judge that serves or listens was last known to be alive."""
    resolved: datetime | None
    """When all due games were last looked for."""
    octets: int
    """The size of the database."""


def count(store: Store, now: datetime) -> Figures:
    """Return the figures of this instant.

    Raises:
        StoreError: the database cannot be used now.
    """
    overdue, overdue_since = _count(store, GAMES, "due", GAME_DUE, *CLOCKED, now)
    key_values = KeyValues(store)
    return Figures(
        mails=_states(store, MAILS, MailState),
        letters={
            state: many + dropped(key_values, state)
            for state, many in _states(store, OUTGOING, OutState).items()
        },
        games=_states(store, GAMES, GameState),
        waiting=Queues(store).waiting(),
        overdue=overdue,
        overdue_since=overdue_since,
        heartbeat=key_values.heartbeat(),
        resolved=key_values.last_run(),
        octets=store.octets(),
    )


def _states(store: Store, table: Table[Any], states: Any) -> dict[Any, int]:
    """Return how many rows of a table are in each state."""
    statement = f"SELECT state, COUNT(id) FROM {table.name} GROUP BY state"
    found = dict(store.found(statement, []))
    return {state: int(found.get(state.value, 0)) for state in states}


def _count(
    store: Store, table: Table[Any], instant: str, condition: str, *values: object
) -> tuple[int, datetime | None]:
    """Return for how many rows a condition is true, and the first of their instants."""
    statement = f"SELECT COUNT(id), MIN({instant}) FROM {table.name} WHERE {condition}"
    ((many, first),) = store.found(statement, list(map(plain, values)))
    return int(many), None if first is None else instant_of(first)
