"""The letters: what came in and what is to go out. Raw octets in, finished messages out."""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import fields, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from peewee import SQL, Expression, fn

from judge.errors import StoreError
from judge.store.database import Store
from judge.store.digest import digest, headers_of
from judge.store.tables import MailRow, OutgoingRow, micros
from judge.words.incoming import Arrival
from judge.words.record import MailState, Outgoing, OutState, StoredMail

MAIL_FIELDS = [
    MailRow.octets.alias("raw") if item.name == "raw" else getattr(MailRow, item.name)
    for item in fields(StoredMail)
]
OUT_FIELDS = [getattr(OutgoingRow, item.name) for item in fields(Outgoing)]

NEW_MAIL = """INSERT INTO mails
    (accepted, sender, recipients, peer, raw, state, digest, note) VALUES """
"""Written by hand, and many rows in one: this is what every sender waits for."""
NEW_ROW = f"(?, ?, ?, ?, ?, '{MailState.NEW.value}', ?, '')"
MOST_ROWS = 500
MOST_CLAIMED = 5
"""Messages to one address that a sender has in hand."""
MOST_OF_A_DOMAIN = 20
"""The same for one domain, of one claim."""


class Counts(NamedTuple):
    """How full the queues are, for operators."""

    new: int
    done: int
    ignored: int
    shunted: int
    queued: int
    sent: int
    failed: int


class Post:
    """The queues of incoming and outgoing letters."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def accept(self, arrivals: Sequence[Arrival], now: datetime) -> list[int]:
        """Store messages in one transaction, all or none, and return their queue numbers.

        When it returns outside a transaction they are durable: only then may anybody say 250.
        """
        rows = [_row(one, now) for one in arrivals]
        numbers: list[int] = []
        with self._store.transaction():
            for start in range(0, len(rows), MOST_ROWS):
                some = rows[start:start + MOST_ROWS]
                statement = NEW_MAIL + ", ".join([NEW_ROW] * len(some))
                last = self._store.insert(statement, [value for row in some for value in row])
                # One writer, one statement: the numbers follow each other.
                numbers.extend(range(last - len(some) + 1, last + 1))
        return numbers

    def get(self, mail_id: int) -> StoredMail | None:
        """Return the message of this queue number, or None."""
        rows = self._store.look_up(MailRow, "id = ?", mail_id)
        return _mail(rows[0]) if rows else None

    def next_new(self) -> StoredMail | None:
        """Return the oldest message that waits to be worked."""
        oldest = "state = ? ORDER BY id LIMIT 1"
        rows = self._store.look_up(MailRow, oldest, MailState.NEW.value)
        return _mail(rows[0]) if rows else None

    def new_before(self, instant: datetime) -> bool:
        """Tell whether a message accepted at this instant or before still waits to be worked."""
        waiting = (MailRow.state == MailState.NEW, MailRow.accepted <= instant)
        return bool(self._store.rows(MailRow.select(MailRow.id).where(*waiting).limit(1)))

    def is_repeat(self, mail: StoredMail) -> bool:
        """Tell whether this is a second delivery of a message stored before."""
        if not mail.digest:
            return False
        # The empty digest is told apart in the query too, so that its index can be used.
        same = (MailRow.digest == mail.digest, MailRow.digest != "", MailRow.id < mail.id)
        return bool(self._store.rows(MailRow.select(MailRow.id).where(*same).limit(1)))

    def finish(self, mail_id: int, state: MailState, note: str, now: datetime) -> None:
        """Say what became of a message.

        Raises: StoreError when there is no such message.
        """
        change = MailRow.update(state=state, note=note, finished=now).where(MailRow.id == mail_id)
        if self._store.run(change) != 1:
            raise StoreError(f"there is no mail {mail_id}")

    def set_aside(self, mail: StoredMail, part: str, story: str, now: datetime) -> int:
        """Set a message aside after a fault of ours; return the number it is kept under.

        A part, the lines "5-9" of one whose other lines were carried out, is kept by itself.
        """
        if part == mail.part:
            self.finish(mail.id, MailState.SHUNTED, story, now)
            return mail.id
        values = {item.name: getattr(mail, item.name) for item in fields(mail)}
        del values["id"]
        # It is no delivery: nothing is a repeat of it.
        values |= {"octets": values.pop("raw"), "digest": "", "part": part}
        values |= {"state": MailState.SHUNTED, "note": story, "finished": now}
        return self._store.run(MailRow.insert(values))

    def shunted(self) -> list[StoredMail]:
        """Return the messages that are set aside, in the order of their arrival."""
        query = MailRow.select(*MAIL_FIELDS).where(MailRow.state == MailState.SHUNTED)
        return [StoredMail(**row) for row in self._store.rows(query.order_by(MailRow.id))]

    def unshunt(self, mail_id: int, state: MailState, note: str, now: datetime | None) -> bool:
        """Have a message that is set aside worked again, or dropped; False if it is not."""
        change = MailRow.update(state=state, note=note, finished=now)
        wanted = (MailRow.id == mail_id, MailRow.state == MailState.SHUNTED)
        return self._store.run(change.where(*wanted)) == 1

    def get_out(self, out_id: int) -> Outgoing | None:
        """Return the outgoing message of this number, or None."""
        query = OutgoingRow.select(*OUT_FIELDS).where(OutgoingRow.id == out_id)
        rows = self._store.rows(query)
        return Outgoing(**rows[0]) if rows else None

    def queue(self, letter: Outgoing) -> Outgoing:
        """Queue a finished message and return it with its number.

        It is sent only once the transaction around this call is committed.
        """
        values = {item.name: getattr(letter, item.name) for item in fields(letter)}
        values |= {"finished": None, "claimed": None, "owner": 0}
        return replace(letter, id=self._store.add(OutgoingRow, values))

    def due_out(self, now: datetime, limit: int) -> list[Outgoing]:
        """Return the messages to try now, the longest waiting first.

        One that waits for a picture is none of them yet.
        """
        query = (
            OutgoingRow.select(*OUT_FIELDS)
            .where(*_ready(now))
            .order_by(OutgoingRow.due, OutgoingRow.id)
            .limit(limit)
        )
        return [Outgoing(**row) for row in self._store.rows(query)]

    def claim_out(
        self, now: datetime, limit: int, until: datetime, busy: Collection[str] = (),
        owner: int = 0,
    ) -> list[Outgoing]:
        """Return messages due by now and keep them from other senders until an instant.

        Addresses that are busy ("@x.org": a whole domain) are left out, and for no address more
        than a few are taken: one that hangs must not fill the hands of the sender. What a sender
        claimed that hangs is due again then; what one claimed that died can be told by its number.
        """
        if not self._choose(now, 1, busy):
            return []
        with self._store.transaction():
            ids = self._choose(now, limit, busy)
            query = OutgoingRow.select(*OUT_FIELDS).where(OutgoingRow.id.in_(ids))
            claimed = {row["id"]: Outgoing(**row) for row in self._store.rows(query)}
            self.renew(ids, until, owner)
        return [claimed[out_id] for out_id in ids]

    def renew(self, out_ids: Collection[int], until: datetime, owner: int = 0) -> None:
        """Keep messages in hand: from other senders, and from the operator, until an instant."""
        self._hold(out_ids, until, until, owner)

    def give_back(self, out_ids: Collection[int], due: datetime) -> None:
        """Keep messages no longer: anybody may send them from an instant on."""
        self._hold(out_ids, due, None, 0)

    def _hold(
        self, out_ids: Collection[int], due: datetime, claimed: datetime | None, owner: int
    ) -> None:
        if out_ids:
            change = OutgoingRow.update(due=due, claimed=claimed, owner=owner)
            self._store.run(change.where(OutgoingRow.id.in_(out_ids)))

    def _choose(self, now: datetime, limit: int, busy: Collection[str]) -> list[int]:
        """Return the numbers of the messages to claim, the longest waiting first."""
        query = (
            OutgoingRow.select(OutgoingRow.id, OutgoingRow.to)
            .where(*_ready(now))
            .order_by(OutgoingRow.due, OutgoingRow.id)
            .limit(MOST_ROWS)
        )
        to = fn.LOWER(OutgoingRow.to)
        query = query.where(to.not_in([one for one in busy if one[0] != "@"])) if busy else query
        for domain in (one for one in busy if one[0] == "@"):
            query = query.where(~to.endswith(domain))
        chosen: list[int] = []
        hands: Counter[str] = Counter()
        for row in self._store.rows(query):
            address = row["to"].lower()
            domain = address.rpartition("@")[2]
            full = hands[address] >= MOST_CLAIMED or hands[domain] >= MOST_OF_A_DOMAIN
            if not full and len(chosen) < limit:
                hands.update((address, domain))
                chosen.append(row["id"])
        return chosen

    def next_out(self) -> datetime | None:
        """Return when the next message is to be tried, None when none waits."""
        query = (
            OutgoingRow.select(OutgoingRow.due)
            .where(OutgoingRow.state == OutState.QUEUED)
            .order_by(OutgoingRow.due)
            .limit(1)
        )
        rows = self._store.rows(query)
        return rows[0]["due"] if rows else None

    def last_out(self) -> int:
        """Return the number of the newest outgoing message; 0 when there is none."""
        query = OutgoingRow.select(OutgoingRow.id).order_by(OutgoingRow.id.desc()).limit(1)
        rows = self._store.rows(query)
        return int(rows[0]["id"]) if rows else 0

    def sent(self, out_id: int, now: datetime) -> None:
        """Note that a message was taken by the next server."""
        self._change(out_id, state=OutState.SENT, finished=now, error="")

    def retry(self, out_id: int, due: datetime, error: str) -> None:
        """Note that a message could not be sent now and when to try again."""
        self._change(out_id, due=due, error=error)

    def failed(self, out_id: int, error: str, now: datetime) -> None:
        """Note that a message is given up."""
        self._change(out_id, state=OutState.FAILED, finished=now, error=error)

    def newest_out(self, limit: int, address: str = "") -> list[Outgoing]:
        """Return the newest outgoing messages, newest first; only those to one address if given."""
        query = OutgoingRow.select(*OUT_FIELDS).order_by(OutgoingRow.id.desc()).limit(limit)
        if address:
            query = query.where(fn.LOWER(OutgoingRow.to) == fn.LOWER(address))
        return [Outgoing(**row) for row in self._store.rows(query)]

    def is_expected(self, address: str) -> bool:
        """Tell whether a message to an address is on its way out, or will be with its picture."""
        query = OutgoingRow.select(OutgoingRow.id).where(
            OutgoingRow.state == OutState.QUEUED,
            OutgoingRow.tries == 0,
            fn.LOWER(OutgoingRow.to) == fn.LOWER(address),
        )
        return bool(self._store.rows(query.limit(1)))

    def answers_to(self, address: str, kinds: Sequence[str], since: datetime) -> int:
        """Return how many letters of some kinds, of no game, were queued to an address."""
        query = OutgoingRow.select(OutgoingRow.id).where(
            # As the index has it, word for word.
            SQL("game = ''"),
            fn.LOWER(OutgoingRow.to) == fn.LOWER(address),
            OutgoingRow.queued > since,
            OutgoingRow.kind.in_(kinds),
        )
        return len(self._store.rows(query))

    def went_to_strangers(self, kinds: Sequence[str], since: datetime) -> tuple[int, int]:
        """Return to how many addresses letters of some kinds and of no game were queued, and how
        long they are together."""
        query = OutgoingRow.select(
            fn.COUNT(fn.DISTINCT(fn.LOWER(OutgoingRow.to))).alias("addresses"),
            fn.COALESCE(fn.SUM(fn.LENGTH(OutgoingRow.message)), 0).alias("octets"),
        ).where(
            SQL("game = ''"), OutgoingRow.queued > since, OutgoingRow.kind.in_(kinds)
        )
        row = self._store.rows(query)[0]
        return int(row["addresses"]), int(row["octets"])

    def reduce(self, after: int, before: datetime, limit: int) -> int:
        """Cut old messages down to their headers, and note a hash of what they were.

        Looked at are those numbered above `after`, up to the first that was accepted then
        or later, or is not worked yet. Returns the number of the last one looked at, `after` when
        there is none: to go on from.
        """
        # Behind a young one there may be old ones, parts that were set aside later: to go on from
        # those would be to leave out for ever what lies between.
        young = MailRow.select(MailRow.id).where(MailRow.id > after, MailRow.accepted >= before)
        query = (
            MailRow.select(MailRow.id, MailRow.octets, MailRow.state, MailRow.note)
            .where(MailRow.id > after)
            .order_by(MailRow.id)
            .limit(limit)
        )
        with self._store.transaction():
            for row in self._store.rows(young.order_by(MailRow.id).limit(1)):
                query = query.where(MailRow.id < row["id"])
            for row in self._store.rows(query):
                if row["state"] is MailState.NEW:
                    break
                raw = bytes(row["octets"])
                note = f"{row['note']}; {len(raw)} octets, sha256 {sha256(raw).hexdigest()}"
                change = MailRow.update(octets=headers_of(raw), note=note)
                self._store.run(change.where(MailRow.id == row["id"]))
                after = row["id"]
        return after

    def counts(self) -> Counts:
        """Return how many messages are in which state."""
        found: dict[str, int] = {}
        for row in (MailRow, OutgoingRow):
            query = row.select(row.state, fn.COUNT(row.id).alias("many")).group_by(row.state)
            found.update((one["state"].value, one["many"]) for one in self._store.rows(query))
        return Counts(**{name: found.get(name, 0) for name in Counts._fields})

    def _change(self, out_id: int, **values: object) -> None:
        change = OutgoingRow.update(values | {"tries": OutgoingRow.tries + 1, "claimed": None})
        if self._store.run(change.where(OutgoingRow.id == out_id)) != 1:
            raise StoreError(f"there is no outgoing letter {out_id}")


def _mail(row: dict[str, Any]) -> StoredMail:
    """Return a whole row as a message."""
    del row["finished"]
    return StoredMail(raw=row.pop("octets"), **row)


def _ready(now: datetime) -> tuple[Expression, ...]:
    """Return the conditions under which a message can be sent."""
    return (OutgoingRow.state == OutState.QUEUED, OutgoingRow.due <= now, ~OutgoingRow.waits)


def _row(arrival: Arrival, now: datetime) -> tuple[object, ...]:
    """Return what `NEW_ROW` wants to know of a message."""
    recipients = json.dumps(arrival.recipients, ensure_ascii=False)
    raw = arrival.raw
    return (micros(now), arrival.sender, recipients, arrival.peer, raw, digest(raw))
