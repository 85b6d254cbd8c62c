"""Letters in and out: what came in, whose turn it is, what is to go out, what went."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from judge.errors import StoreError
from judge.model.incoming import Arrival
from judge.model.record import UNSTORED, MailState, Outgoing, OutState, StoredMail
from judge.store.database import Store
from judge.store.games import CLOCKED
from judge.store.games import DUE as GAME_DUE
from judge.store.schema import MAILS, OUTGOING
from judge.store.table import Rows, among, micros, plain

COUNTED = (b"message-id", b"from", b"to", b"subject")
HEADER = re.compile(rb"^([!-9;-~]+)[ \t]*:(.*(?:\r?\n[ \t].*)*)", re.MULTILINE)
END = re.compile(rb"\r?\n\r?\n")


def digest(raw: bytes) -> str:
    """Return what is the same for repeated deliveries of one letter; empty without a Message-ID.

    A sender that did not hear our 250 sends again (RFC 5321, 4.5.4.1), with other trace headers.
    The Message-ID alone is no proof that it is the same letter, so what it says is counted in.

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
    """Return a message without its body, and without lines above it that are no header.

    >>> headers_of(b"From: ann@x\\r\\nhello\\r\\n\\r\\nSIGNON Nmarco secret\\r\\n")
    b'From: ann@x\\r\\n\\r\\n'
    """
    head = END.split(raw, maxsplit=1)[0]
    return b"".join(header[0].rstrip(b"\r") + b"\r\n" for header in HEADER.finditer(head)) + b"\r\n"


NEW_MAILS, NEW_LETTERS = "mails", "letters"
"""What other processes are told."""
MOST_ROWS = 500
"""So many messages are looked at for those to claim."""
_READY = "state = ? AND due <= ? AND waits = 0"
"""Under which condition a message can be sent."""
_WILD, _ITSELF = re.compile("[!%_]"), r"!\g<0>"
"""What does not stand for itself in a pattern of SQL, and how it does."""
MOST_CLAIMED = 5
"""Messages to one address that a sender has in hand."""
MOST_OF_A_DOMAIN = 20
"""The same for one domain, of one claim."""

_noted: ContextVar[list[int]] = ContextVar("noted")
"""The numbers of letters that were queued in this thread since somebody wants to know them."""


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
        self._mails = Rows(store, MAILS)
        self._letters = Rows(store, OUTGOING)

    def accept(self, arrivals: Sequence[Arrival], now: datetime) -> list[int]:
        """Store messages in one transaction, all or none, and return their queue numbers.

        When it returns outside a transaction they are durable: only then may anybody say 250.
        """
        mails = [
            StoredMail(UNSTORED, now, one.sender, tuple(one.recipients), one.raw,
                       digest=digest(one.raw), peer=one.peer)
            for one in arrivals
        ]
        with self._store.transaction():
            numbers = self._mails.add_all(mails)
            self._store.announce(NEW_MAILS)
        return numbers

    def get(self, mail_id: int) -> StoredMail | None:
        """Return the message of this queue number, or None."""
        return self._mails.one(id=mail_id)

    def is_new(self, mail_id: int) -> bool:
        """Tell whether a message waits to be worked; asked inside a transaction, no other process
        has worked it meanwhile."""
        return self._mails.there_is("id = ? AND state = ?", mail_id, MailState.NEW)

    def next_new(self) -> StoredMail | None:
        """Return the oldest message that waits to be worked."""
        found = self._mails.where("state = ? ORDER BY id LIMIT 1", MailState.NEW)
        return found[0] if found else None

    def new_before(self, instant: datetime) -> bool:
        """Tell whether a message accepted at this instant or before still waits to be worked."""
        return self._mails.there_is("state = ? AND accepted <= ?", MailState.NEW, instant)

    def is_repeat(self, mail: StoredMail) -> bool:
        """Tell whether this is a second delivery of a message stored before."""
        # The empty digest is told apart in the query too, so that its index can be used.
        same = "digest = ? AND digest <> '' AND id < ?"
        return bool(mail.digest) and self._mails.there_is(same, mail.digest, mail.id)

    def finish(self, mail_id: int, state: MailState, note: str, now: datetime) -> None:
        """Say what became of a message.

        Raises: StoreError when there is no such message.
        """
        if self._mails.change("id = ?", mail_id, state=state, note=note, finished=now) != 1:
            raise StoreError(f"there is no mail {mail_id}")

    def count_death(self, mail_id: int) -> int:
        """Count that a mail is the first of a process; return how often it was before."""
        return self._count("deaths", mail_id) - 1

    def count_failure(self, mail_id: int) -> int:
        """Count that the storage failed under a mail; return how often that was by now.

        Raises: StoreError where it still fails, and no mail is to blame.
        """
        return self._count("failures", mail_id)

    def _count(self, what: str, mail_id: int) -> int:
        with self._store.transaction():
            self._store.change(f"UPDATE mails SET {what} = {what} + 1 WHERE id = ?", (mail_id,))
            found = self._store.found(f"SELECT {what} FROM mails WHERE id = ?", (mail_id,))
        return int(found[0][0])

    def set_aside(self, mail: StoredMail, part: str, story: str, now: datetime) -> int:
        """Set a message aside after a fault of ours; return the number it is kept under.

        A part, the lines "5-9" of one whose other lines were carried out, is kept by itself.
        """
        if part == mail.part:
            self.finish(mail.id, MailState.SHUNTED, story, now)
            return mail.id
        # It is no delivery: nothing is a repeat of it.
        kept = replace(mail, digest="", part=part, state=MailState.SHUNTED, note=story)
        return self._mails.add(kept, finished=now)

    def shunted(self) -> list[StoredMail]:
        """Return the messages that are set aside, in the order of their arrival."""
        return self._mails.find(state=MailState.SHUNTED)

    def unshunt(self, mail_id: int, state: MailState, note: str, now: datetime | None) -> bool:
        """Have a message that is set aside worked again, or dropped; False if it is not."""
        aside = ("id = ? AND state = ?", mail_id, MailState.SHUNTED)
        anew = {"state": state, "note": note, "finished": now, "deaths": 0, "failures": 0}
        return self._mails.change(*aside, **anew) == 1

    def get_out(self, out_id: int) -> Outgoing | None:
        """Return the outgoing message of this number, or None."""
        return self._letters.one(id=out_id)

    def queue(self, letter: Outgoing) -> Outgoing:
        """Queue a finished message and return it with its number.

        It is sent only once the transaction around this call is committed.
        """
        return replace(letter, id=self.queue_all([letter])[0])

    def queue_all(self, letters: Sequence[Outgoing]) -> list[int]:
        """Queue finished messages, as `queue` does one, and return their numbers in this order."""
        numbers = self._letters.add_all(letters)
        self._store.announce(NEW_LETTERS)
        _noted.get([]).extend(numbers)
        return numbers

    @contextmanager
    def noting(self) -> Iterator[list[int]]:
        """Note the numbers of the letters that are queued within a transaction: all in a row."""
        before = _noted.set([])
        try:
            yield _noted.get()
        finally:
            _noted.reset(before)

    def due_out(self, now: datetime, limit: int) -> list[Outgoing]:
        """Return the messages to try now, the longest waiting first.

        One that waits for a picture is none of them yet.
        """
        first = f"{_READY} ORDER BY due, id LIMIT ?"
        return self._letters.where(first, OutState.QUEUED, now, limit)

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
        with self._store.sending():
            ids = self._choose(now, limit, busy)
            found = self._letters.where(among("id", ids), *ids)
            claimed = {letter.id: letter for letter in found}
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
            mine = among("id", out_ids)
            self._letters.change(mine, *out_ids, due=due, claimed=claimed, owner=owner)

    def _choose(self, now: datetime, limit: int, busy: Collection[str]) -> list[int]:
        """Return the numbers of the messages to claim, the longest waiting first."""
        low, addresses = 'LOWER("to")', [one for one in busy if one[0] != "@"]
        domains = [f"%{_WILD.sub(_ITSELF, one)}" for one in busy if one[0] == "@"]
        free = f"NOT ({among(low, addresses)})" + f" AND {low} NOT LIKE ? ESCAPE '!'" * len(domains)
        found = self._letters.pick(
            "id, to", f"{_READY} AND {free} ORDER BY due, id LIMIT ?",
            OutState.QUEUED, now, *addresses, *domains, MOST_ROWS,
        )
        chosen: list[int] = []
        hands: Counter[str] = Counter()
        for number, to in found:
            address = to.lower()
            domain = address.rpartition("@")[2]
            full = hands[address] >= MOST_CLAIMED or hands[domain] >= MOST_OF_A_DOMAIN
            if not full and len(chosen) < limit:
                hands.update((address, domain))
                chosen.append(number)
        return chosen

    def next_out(self) -> datetime | None:
        """Return when the next message is to be tried, None when none waits."""
        found = self._letters.pick("due", "state = ? ORDER BY due LIMIT 1", OutState.QUEUED)
        return found[0][0] if found else None

    def last_out(self) -> int:
        """Return the number of the newest outgoing message; 0 when there is none."""
        found = self._letters.pick("id", "TRUE ORDER BY id DESC LIMIT 1")
        return found[0][0] if found else 0

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
        mine = ('LOWER("to") = LOWER(?)', address) if address else ("TRUE",)
        return self._letters.where(f"{mine[0]} ORDER BY id DESC LIMIT ?", *mine[1:], limit)

    def is_expected(self, address: str) -> bool:
        """Tell whether a message to an address is on its way out, or will be with its picture."""
        mine = 'state = ? AND tries = 0 AND LOWER("to") = LOWER(?)'
        return self._letters.there_is(mine, OutState.QUEUED, address)

    def answers_to(self, address: str, kinds: Sequence[str], since: datetime) -> int:
        """Return how many letters of some kinds, of no game, were queued to an address."""
        # As the index has it, word for word.
        mine = f"""game = '' AND LOWER("to") = LOWER(?) AND queued > ? AND {among("kind", kinds)}"""
        return len(self._letters.pick("id", mine, address, since, *kinds))

    def went_to_strangers(self, kinds: Sequence[str], since: datetime) -> tuple[int, int]:
        """Return to how many addresses letters of some kinds and of no game were queued, and how
        long they are together."""
        statement = (
            'SELECT COUNT(DISTINCT LOWER("to")), COALESCE(SUM(LENGTH(message)), 0) FROM outgoing'
            f" WHERE game = '' AND queued > ? AND {among('kind', kinds)}"
        )
        ((addresses, octets),) = self._store.found(statement, [micros(since), *kinds])
        return int(addresses), int(octets)

    def came_in(self, since: datetime) -> int:
        """Return how long the mails are together that came since an instant, but for those that are
        kept and not answered."""
        statement = (
            "SELECT COALESCE(SUM(LENGTH(raw)), 0) FROM mails WHERE state IN (?, ?) AND accepted > ?"
        )
        values = [plain(one) for one in (MailState.NEW, MailState.DONE, since)]
        ((octets,),) = self._store.found(statement, values)
        return int(octets)

    def reduce(self, after: int, before: datetime, limit: int) -> int:
        """Cut old messages down to their headers, and note a hash of what they were.

        Looked at are those numbered above `after`, up to the first that was accepted then
        or later, or is not worked yet. Returns the number of the last one looked at, `after` when
        there is none: to go on from.
        """
        # Behind a young one there may be old ones, parts that were set aside later: to go on from
        # those would be to leave out for ever what lies between.
        with self._store.transaction():
            young = "id > ? AND accepted >= ? ORDER BY id LIMIT 1"
            bound = [number for (number,) in self._mails.pick("id", young, after, before)]
            old = f"id > ?{' AND id < ?' * len(bound)} ORDER BY id LIMIT ?"
            for mail in self._mails.where(old, after, *bound, limit):
                if mail.state is MailState.NEW:
                    break
                note = f"{mail.note}; {len(mail.raw)} octets, sha256 {sha256(mail.raw).hexdigest()}"
                self._mails.change("id = ?", mail.id, raw=headers_of(mail.raw), note=note)
                after = mail.id
        return after

    def counts(self) -> Counts:
        """Return how many messages are in which state."""
        found: dict[str, int] = {}
        for table in (MAILS, OUTGOING):
            statement = f"SELECT state, COUNT(id) FROM {table.name} GROUP BY state"
            found.update(self._store.found(statement, ()))
        return Counts(**{name: found.get(name, 0) for name in Counts._fields})

    def _change(self, out_id: int, **values: object) -> None:
        """Note what became of a message that was tried."""
        new = ", ".join(f"{name} = ?" for name in values)
        statement = f"UPDATE outgoing SET {new}, tries = tries + 1, claimed = NULL WHERE id = ?"
        given = [plain(value) for value in (*values.values(), out_id)]
        if self._store.change(statement, given) != 1:
            raise StoreError(f"there is no outgoing letter {out_id}")


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


class Worklist:
    """What the worker looks at before it takes a mail."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._mails = Rows(store, MAILS)

    def new_numbers(self, limit: int) -> list[tuple[int, datetime]]:
        """Return the messages that wait to be worked, in order: their numbers, and when each was
        accepted."""
        oldest = "state = ? ORDER BY id LIMIT ?"
        found = self._mails.pick("id, accepted", oldest, MailState.NEW, limit)
        return [(number, accepted) for number, accepted in found]

    def waiting(self, limit: int) -> list[int]:
        """Return the numbers of the messages that wait to be worked, in order: asked for each mail,
        however many wait, so that nothing else is read of them."""
        statement = "SELECT id FROM mails WHERE state = ? ORDER BY id LIMIT ?"
        return [number for (number,) in self._store.found(statement, [MailState.NEW.value, limit])]

    def is_anything_due(self, now: datetime) -> bool:
        """Tell whether any game or digest is due: mostly nothing is, and this is asked often."""
        statement = (
            f"SELECT EXISTS (SELECT 1 FROM games WHERE {GAME_DUE})"
            " OR EXISTS (SELECT 1 FROM bundles WHERE due <= ?)"
        )
        values = [plain(value) for value in (*CLOCKED, now, now)]
        ((found,),) = self._store.found(statement, values)
        return bool(found)

    def games_answered(self, addresses: Sequence[str], mail_id: int) -> frozenset[str]:
        """Return the games of which letters to some addresses answered mails later than this one.
        """
        low = [address.lower() for address in addresses]
        mine = f"""{among('LOWER("to")', low)} AND answers > ? AND game <> ''"""
        statement = f"SELECT DISTINCT game FROM outgoing WHERE {mine}"
        return frozenset(game for (game,) in self._store.found(statement, [*low, mail_id]))
