"""Queries of mails and letters that only tests need."""

from datetime import datetime
from typing import NamedTuple

from judge.model.letter import PictureRequest
from judge.model.record import DeliveryState, Outgoing, StoredMail
from judge.store.addresses import BounceCounts
from judge.store.mail_queues import Post
from judge.store.pending import Pictures
from judge.store.schema import MAILS, OUTGOING
from judge.store.table import Rows


def newest_out(post: Post, limit: int, address: str = "") -> list[Outgoing]:
    """Return the newest outgoing messages, or those to one address, newest first."""
    mine = ('LOWER("to") = LOWER(?)', address) if address else ("TRUE",)
    letters = Rows(post._store, OUTGOING)
    return letters.find_where(f"{mine[0]} ORDER BY id DESC LIMIT ?", *mine[1:], limit)


def next_new(post: Post) -> StoredMail | None:
    """Return the oldest unprocessed mail, or None."""
    return next(iter(map(post.get, post.waiting(1))), None)


def due_out(post: Post, now: datetime, limit: int) -> list[Outgoing]:
    """Return the messages that can be sent now, the longest due first."""
    first = "state = ? AND due <= ? AND waits = 0 ORDER BY due, id LIMIT ?"
    return Rows(post._store, OUTGOING).find_where(first, DeliveryState.QUEUED, now, limit)


def next_out(post: Post) -> datetime | None:
    """Return when the next message is due, or None."""
    first = "state = ? ORDER BY due LIMIT 1"
    found = Rows(post._store, OUTGOING).find_where(first, DeliveryState.QUEUED)
    return found[0].due if found else None


def last_out(post: Post) -> int:
    """Return the id of the newest outgoing message, or 0."""
    found = newest_out(post, 1)
    return found[0].id if found else 0


class Counts(NamedTuple):
    """Number of messages in each state."""

    new: int
    done: int
    ignored: int
    shunted: int
    queued: int
    sent: int
    failed: int


def counts(post: Post) -> Counts:
    """Return the number of messages in each state."""
    found: dict[str, int] = {}
    for table in (MAILS, OUTGOING):
        statement = f"SELECT state, COUNT(id) FROM {table.name} GROUP BY state"
        found.update(post._store.select_sql(statement, ()))
    return Counts(**{name: found.get(name, 0) for name in Counts._fields})


def is_suspended(counts: BounceCounts, address: str) -> bool:
    """Return whether an address is suspended."""
    return bool(counts.find_suspended([address]))


def request_picture(
    pictures: Pictures, sketch: PictureRequest, now: datetime, *, asked_for: bool = False
) -> bool:
    """Request one picture. Return whether it is rendered already."""
    return pictures.request_pictures({sketch: asked_for}, now)[sketch]
