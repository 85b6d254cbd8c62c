"""Queues of incoming mails and outgoing letters."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from judge.errors import StoreError
from judge.model.incoming import Arrival
from judge.model.record import NO_ID, DeliveryState, MailState, Outgoing, StoredMail
from judge.store.database import Store
from judge.store.games import CLOCKED
from judge.store.games import DUE as GAME_DUE
from judge.store.schema import FETCHED, MAILS, OUTGOING, FetchedRow
from judge.store.table import EPOCH, Rows, in_condition, to_column

COUNTED = (b"message-id", b"from", b"to", b"subject")
HEADER = re.compile(rb"^([!-9;-~]+)[ \t]*:(.*(?:\r?\n[ \t].*)*)", re.MULTILINE)
END = re.compile(rb"\r?\n\r?\n")


def digest(raw: bytes) -> str:
    """Return a hash that is equal for repeated deliveries of one mail.

    It is empty without a Message-ID. A sender that did not receive the judge's 250 sends again (RFC
    5321, 4.5.4.1), with other trace headers. The Message-ID alone does not prove that it is the
    same mail, so the content is hashed too.

    >>> once = digest(b"Message-ID: <1@x>\\r\\nFrom: ann@x\\r\\n\\r\\nA Par H\\r\\n")
    >>> again = digest(b"Received: by y\\nMessage-Id:\\n <1@x>\\nFrom: ann@x\\n\\nA Par H\\n")
    >>> once == again
    True
    >>> digest(b"From: ann@x\\r\\n\\r\\nA Par H\\r\\n")
    ''
    """
    end = END.search(raw)
    head, body = (raw[:end.start()], raw[end.end():]) if end else (raw, b"")
    found: dict[bytes, bytes] = {}
    for header in HEADER.finditer(head):
        name = header[1].lower()
        if name in COUNTED:
            found.setdefault(name, b" ".join(header[2].split()))
    if not found.get(b"message-id"):
        return ""
    hashed = sha256()
    for name in COUNTED:
        hashed.update(found.get(name, b"") + b"\n")
    hashed.update(b"\n".join(body.rstrip().splitlines()))
    return hashed.hexdigest()


def headers_of(raw: bytes) -> bytes:
    """Return a message without its body and without lines that are no header.

    >>> headers_of(b"From: ann@x\\r\\nhello\\r\\n\\r\\nSIGNON Nmarco secret\\r\\n")
    b'From: ann@x\\r\\n\\r\\n'
    """
    head = END.split(raw, maxsplit=1)[0]
    return b"".join(header[0].rstrip(b"\r") + b"\r\n" for header in HEADER.finditer(head)) + b"\r\n"


NEW_MAILS, NEW_LETTERS = "mails", "letters"
"""News announced to other processes."""
CLAIM_WINDOW = 500
"""Maximum number of messages read to choose those to claim."""
_READY = "state = ? AND due <= ? AND waits = 0"
"""Condition for a message that can be sent."""
_WILD, _ESCAPED = re.compile("[!%_]"), r"!\g<0>"
"""Characters with a special meaning in an SQL pattern, and their escaped form."""
RECENT_LETTERS = 50
"""Maximum number of letters to an address searched for a quoted one."""
MAX_CLAIMS_PER_ADDRESS = 5
"""Maximum number of messages to one address that a sender claims."""
MAX_CLAIMS_PER_DOMAIN = 20
"""Maximum number of messages to one domain in one claim."""

def _known_by(message_ids: Sequence[str]) -> tuple[str, list[str]]:
    """Return the condition for letters with one of these Message-IDs, and its values."""
    own, also = in_condition("message_id", message_ids), in_condition("also", message_ids)
    return f"({own} OR also <> '' AND {also})", [*message_ids, *message_ids]


_noted: ContextVar[list[int]] = ContextVar("noted")
"""Ids of the letters that this thread has queued inside `collect_ids`."""


class Post:
    """Queues of incoming and outgoing messages."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._mails = Rows(store, MAILS)
        self._letters = Rows(store, OUTGOING)
        self._fetched = Rows(store, FETCHED)

    def accept(self, arrivals: Sequence[Arrival], now: datetime) -> list[int]:
        """Store messages in one transaction and return their ids.

        When it returns outside a transaction they are durable. Only then may they be acknowledged
        (250), or moved in their mailbox. A message from a mailbox counts as accepted when it came
        there, but not after *now*, and not before a message with a lower id.
        """
        with self._store.transaction():
            last = self._last_accepted() if any(one.came for one in arrivals) else now
            mails = []
            for one in arrivals:
                last = now if one.came is None else min(max(one.came, last), now)
                mails.append(StoredMail(
                    NO_ID, last, one.sender, tuple(one.recipients), one.raw,
                    digest=digest(one.raw), peer=one.peer,
                ))
            numbers = self._mails.add_all(mails)
            self._fetched.add_all([
                FetchedRow(number, *one.place, seen=now)
                for number, one in zip(numbers, arrivals) if one.place is not None
            ])
            self._store.announce(NEW_MAILS)
        return numbers

    def _last_accepted(self) -> datetime:
        """Return when the message with the highest id was accepted."""
        found = self._mails.select("accepted", "part = '' ORDER BY id DESC LIMIT 1")
        return next((accepted for (accepted,) in found), EPOCH)

    def get(self, mail_id: int) -> StoredMail | None:
        """Return the incoming message of this id, or None."""
        return self._mails.find_one(id=mail_id)

    def is_new(self, mail_id: int) -> bool:
        """Return whether a message is unprocessed.

        Inside a transaction the answer stays true: no other process has processed it.
        """
        return self._mails.exists("id = ? AND state = ?", mail_id, MailState.NEW)

    def new_before(self, instant: datetime) -> bool:
        """Return whether an unprocessed message was accepted at this instant or before."""
        return self._mails.exists("state = ? AND accepted <= ?", MailState.NEW, instant)

    def is_repeat(self, mail: StoredMail) -> bool:
        """Return whether this is a repeated delivery of a message stored before."""
        # The condition on the empty digest lets the query use its index.
        same = "digest = ? AND digest <> '' AND id < ?"
        return bool(mail.digest) and self._mails.exists(same, mail.digest, mail.id)

    def finish(self, mail_id: int, state: MailState, note: str, now: datetime) -> None:
        """Store the final state of a message.

        Raises: StoreError when there is no such message.
        """
        if self._mails.change("id = ?", mail_id, state=state, note=note, finished=now) != 1:
            raise StoreError(f"there is no mail {mail_id}")

    def count(self, what: str, mail_id: int) -> int:
        """Count one of a mail's "deaths" or "failures". Return their number.

        Raises: StoreError if the storage still fails, so that no mail is to blame.
        """
        with self._store.transaction():
            self._store.update_sql(f"UPDATE mails SET {what} = {what} + 1 WHERE id = ?", (mail_id,))
            found = self._store.select_sql(f"SELECT {what} FROM mails WHERE id = ?", (mail_id,))
        return int(found[0][0])

    def shunt(self, mail: StoredMail, part: str, story: str, now: datetime) -> int:
        """Shunt a message after an internal error. Return the id of the shunted message.

        A part, the lines "5-9" of a message whose other lines were executed, is stored as a row of
        its own.
        """
        if part == mail.part:
            self.finish(mail.id, MailState.SHUNTED, story, now)
            return mail.id
        # The part is no delivery of its own, so it has no digest that a repeat could match.
        kept = replace(mail, digest="", part=part, state=MailState.SHUNTED, note=story)
        return self._mails.add(kept, finished=now)

    def list_shunted(self) -> list[StoredMail]:
        """Return the shunted messages in the order of their arrival."""
        return self._mails.find(state=MailState.SHUNTED)

    def unshunt(self, mail_id: int, state: MailState, note: str, now: datetime | None) -> bool:
        """Requeue or drop a shunted message. Return False if it is not shunted."""
        aside = ("id = ? AND state = ?", mail_id, MailState.SHUNTED)
        changed = {"state": state, "note": note, "finished": now, "deaths": 0, "failures": 0}
        return self._mails.change(*aside, **changed) == 1

    def get_out(self, out_id: int) -> Outgoing | None:
        """Return the outgoing message of this id, or None."""
        return self._letters.find_one(id=out_id)

    def queue(self, letter: Outgoing) -> Outgoing:
        """Queue a finished message and return it with its id.

        It is sent only once the transaction around this call is committed.
        """
        return replace(letter, id=self.queue_all([letter])[0])

    def queue_all(self, letters: Sequence[Outgoing]) -> list[int]:
        """Queue finished messages, as `queue` does for one. Return their ids in order."""
        numbers = self._letters.add_all(letters)
        self._store.announce(NEW_LETTERS)
        _noted.get([]).extend(numbers)
        return numbers

    @contextmanager
    def collect_ids(self) -> Iterator[list[int]]:
        """Collect the ids of letters queued within the block, which are consecutive."""
        before = _noted.set([])
        try:
            yield _noted.get()
        finally:
            _noted.reset(before)

    def claim_out(
        self, now: datetime, limit: int, until: datetime, busy: Collection[str] = (),
        owner: int = 0, priority: int | None = None,
    ) -> list[Outgoing]:
        """Claim messages due by now until an instant, and return them.

        Busy addresses ("@x.org": a whole domain) are left out. Only a few messages are taken for
        each address, so that a slow server does not occupy the sender. The claims of a sender that
        hangs expire. Those of one that has exited are found by its number. With a priority, only
        messages of this one or a higher one are taken, the highest first.
        """
        if not self._choose(now, 1, busy, priority):
            return []
        with self._store.delivery_transaction():
            ids = self._choose(now, limit, busy, priority)
            found = self._letters.find_where(in_condition("id", ids), *ids)
            claimed = {letter.id: letter for letter in found}
            self.renew_claims(ids, until, owner)
        return [claimed[out_id] for out_id in ids]

    def renew_claims(self, out_ids: Collection[int], until: datetime, owner: int = 0) -> None:
        """Extend the claims of messages until an instant.

        Until then no other sender and no operator changes them.
        """
        self._hold(out_ids, until, until, owner)

    def release_claims(self, out_ids: Collection[int], due: datetime) -> None:
        """Release the claims of messages, which any sender may send from *due* on."""
        self._hold(out_ids, due, None, 0)

    def _hold(
        self, out_ids: Collection[int], due: datetime, claimed: datetime | None, owner: int
    ) -> None:
        if out_ids:
            mine = in_condition("id", out_ids)
            self._letters.change(mine, *out_ids, due=due, claimed=claimed, owner=owner)

    def _choose(
        self, now: datetime, limit: int, busy: Collection[str], priority: int | None = None
    ) -> list[int]:
        """Return the ids of the messages to claim, the longest due first."""
        low, addresses = 'LOWER("to")', [one for one in busy if one[0] != "@"]
        domains = [f"%{_WILD.sub(_ESCAPED, one)}" for one in busy if one[0] == "@"]
        free = f"NOT ({in_condition(low, addresses)})" + f" AND {low} NOT LIKE ? ESCAPE '!'" * len(
            domains
        )
        first = "ORDER BY due, id"
        if priority is not None:
            first = f"AND priority <= {priority:d} ORDER BY priority, due, id"
        found = self._letters.select(
            "id, to", f"{_READY} AND {free} {first} LIMIT ?",
            DeliveryState.QUEUED, now, *addresses, *domains, CLAIM_WINDOW,
        )
        chosen: list[int] = []
        hands: Counter[str] = Counter()
        for number, to in found:
            address = to.lower()
            domain = address.rpartition("@")[2]
            full = (
                hands[address] >= MAX_CLAIMS_PER_ADDRESS or hands[domain] >= MAX_CLAIMS_PER_DOMAIN
            )
            if not full and len(chosen) < limit:
                hands.update((address, domain))
                chosen.append(number)
        return chosen

    def mark_sent(self, out_id: int, now: datetime, also: str = "") -> None:
        """Record that the next server has accepted a message.

        *also* is the Message-ID that it named, or empty.
        """
        named = {"also": also} if also else {}
        self._change(out_id, state=DeliveryState.SENT, finished=now, error="", **named)

    def schedule_retry(self, out_id: int, due: datetime, error: str) -> None:
        """Record a temporary failure, and when to try again."""
        self._change(out_id, due=due, error=error)

    def mark_failed(self, out_id: int, error: str, now: datetime) -> None:
        """Record that a message is given up."""
        self._change(out_id, state=DeliveryState.FAILED, finished=now, error=error)

    def is_expected(self, address: str) -> bool:
        """Return whether a first try of a message to an address is pending.

        It may still wait for its picture.
        """
        mine = 'state = ? AND tries = 0 AND LOWER("to") = LOWER(?)'
        return self._letters.exists(mine, DeliveryState.QUEUED, address)

    def answers_to(self, address: str, kinds: Sequence[str], since: datetime) -> int:
        """Return the number of letters of some kinds, of no game, queued to an address."""
        # The condition must repeat that of the index word for word.
        mine = (
            """game = '' AND LOWER("to") = LOWER(?) AND queued > ?"""
            f" AND {in_condition('kind', kinds)}"
        )
        return len(self._letters.select("id", mine, address, since, *kinds))

    def count_strangers_mailed(self, kinds: Sequence[str], since: datetime) -> tuple[int, int]:
        """Return the number of addresses with such letters, and the letters' octets.

        The letters are of these kinds and of no game, and were queued since an instant.
        """
        total = 'COUNT(DISTINCT LOWER("to")), SUM(LENGTH(message))'
        mine = f"game = '' AND queued > ? AND {in_condition('kind', kinds)}"
        addresses, octets = self._letters.aggregate(total, mine, since, *kinds)
        return int(addresses), int(octets or 0)

    def received_octets(self, since: datetime) -> int:
        """Return the octets of mails accepted since an instant.

        Mails that were ignored or shunted are left out.
        """
        mine, states = "state IN (?, ?) AND accepted > ?", (MailState.NEW, MailState.DONE)
        (octets,) = self._mails.aggregate("SUM(LENGTH(raw))", mine, *states, since)
        return int(octets or 0)

    def strip_old_bodies(self, after: int, before: datetime, limit: int) -> int:
        """Strip old messages to their headers, and record a hash of each.

        It processes messages with ids above `after`, up to the first that was accepted at `before`
        or later, or is unprocessed. Return the id of the last one, or `after`, as the start for the
        next call.
        """
        # Old rows may follow a young one, because shunted parts are stored later. Continuing from
        # those would skip the rows in between for ever.
        with self._store.transaction():
            young = "id > ? AND accepted >= ? ORDER BY id LIMIT 1"
            bound = [number for (number,) in self._mails.select("id", young, after, before)]
            old = f"id > ?{' AND id < ?' * len(bound)} ORDER BY id LIMIT ?"
            for mail in self._mails.find_where(old, after, *bound, limit):
                if mail.state is MailState.NEW:
                    break
                note = f"{mail.note}; {len(mail.raw)} octets, sha256 {sha256(mail.raw).hexdigest()}"
                self._mails.change("id = ?", mail.id, raw=headers_of(mail.raw), note=note)
                after = mail.id
        return after

    def _change(self, out_id: int, **values: object) -> None:
        """Store the result of a delivery attempt."""
        new = ", ".join(f"{name} = ?" for name in values)
        statement = f"UPDATE outgoing SET {new}, tries = tries + 1, claimed = NULL WHERE id = ?"
        given = [to_column(value) for value in (*values.values(), out_id)]
        if self._store.update_sql(statement, given) != 1:
            raise StoreError(f"there is no outgoing letter {out_id}")

    def sent_as(self, message_ids: Sequence[str], to: Collection[str] = ()) -> bytes:
        """Return the letter with the first known one of these Message-IDs, or b"".

        A letter is also known by the id that the next server gave to it. With addresses *to*, in
        lower case, only letters to these count.
        """
        known, values = _known_by(message_ids)
        rows = self._letters.select("message_id, also, to, message", known, *values)
        found = {
            one: message for message_id, also, address, message in rows
            for one in (also, message_id) if not to or address.lower() in to
        }
        return next((found[one] for one in message_ids if one in found), b"")

    def letter_named(self, message_ids: Sequence[str]) -> Outgoing | None:
        """Return the newest letter with one of these Message-IDs, or None."""
        known, values = _known_by(message_ids)
        found = self._letters.find_where(f"{known} ORDER BY id DESC LIMIT 1", *values)
        return found[0] if found else None

    def sent_to(self, address: str) -> Iterator[bytes]:
        """Yield the newest letters to an address, newest first."""
        mine, before = 'LOWER("to") = LOWER(?)', ""
        values: list[object] = [address]
        for _ in range(RECENT_LETTERS):
            last = f"{mine}{before} ORDER BY id DESC LIMIT 1"
            found = self._letters.select("id, message", last, *values)
            if not found:
                break
            ((number, message),) = found
            yield message
            before, values = " AND id < ?", [address, number]

    def new_numbers(self, limit: int) -> list[tuple[int, datetime]]:
        """Return ids and acceptance times of unprocessed messages, in order."""
        oldest = "state = ? ORDER BY id LIMIT ?"
        return self._mails.select("id, accepted", oldest, MailState.NEW, limit)

    def waiting(self, limit: int) -> list[int]:
        """Return the ids of unprocessed messages, in order.

        It runs for each mail, however many wait, so that it reads nothing else.
        """
        statement = "SELECT id FROM mails WHERE state = ? ORDER BY id LIMIT ?"
        return [
            number for (number,) in self._store.select_sql(statement, [MailState.NEW.value, limit])
        ]

    def is_anything_due(self, now: datetime) -> bool:
        """Return whether any game or digest is due.

        It is called often, and the result is mostly False.
        """
        statement = (
            f"SELECT EXISTS (SELECT 1 FROM games WHERE {GAME_DUE})"
            " OR EXISTS (SELECT 1 FROM bundles WHERE due <= ?)"
        )
        values = [to_column(value) for value in (*CLOCKED, now, now)]
        ((found,),) = self._store.select_sql(statement, values)
        return bool(found)

    def games_answered(self, addresses: Sequence[str], mail_id: int) -> frozenset[str]:
        """Return games with letters to these addresses that answer later mails.

        *mail_id* is the mail that the others are later than.
        """
        low = [address.lower() for address in addresses]
        mine = f"""{in_condition('LOWER("to")', low)} AND answers > ? AND game <> ''"""
        statement = f"SELECT DISTINCT game FROM outgoing WHERE {mine}"
        return frozenset(game for (game,) in self._store.select_sql(statement, [*low, mail_id]))
