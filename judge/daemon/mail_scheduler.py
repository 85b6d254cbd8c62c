"""Mail scheduler: senders take turns, so that each delays another by one mail.

They are served round robin (Nagle, RFC 970): a new sender is placed behind the waiting ones, a
served one behind all. Mails that touch the same game, or are of the same person, are processed in
the order of their 250s (`play/mail_locks`). A mail that is delayed because of failed sign-ons does
not block others. But when a game it touches is due, and it arrived in time, it has its turn.

If the database allows several workers (`Store.beside`), each takes the first mail whose keys are
not locked by others. Once it has locked them, it checks that the mail still is the next one. A mail
that may affect games it does not name is processed alone.

Nothing of this is stored. It follows from the unprocessed mails, so that any process finds the same
order.
"""

import logging
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache

from judge.daemon.application import Application
from judge.daemon.mail_reader import MailReader, ReadMail
from judge.errors import StoreError
from judge.model.incoming import Incoming
from judge.model.record import StoredMail
from judge.model.replace import replace
from judge.play.mail_locks import MailLocks

log = logging.getLogger("judge.worker")

READ_AHEAD = 50
"""Maximum number of mails that are read ahead before one is processed."""
OCTETS_AHEAD = 512 * 1024
"""Octets after which reading ahead stops, so that a long mail is read by itself."""
MAX_READY_SENDERS = 100
"""Number of senders with a ready mail that stops reading ahead.

So the cost of a mail does not grow with the queue.
"""
MAX_EXAMINED = 2_000
"""Maximum number of mails that are considered. Those behind them wait."""
_LOOK = timedelta(seconds=1)
"""Time after which a mail that waits for the mailbox is considered again."""
MAX_KEPT_OCTETS = 64 * 1024
"""Maximum size of a mail whose parsed form is cached until its turn."""
MAX_KEPT_MAILS = 200


@dataclass(slots=True)
class WaitingMail:
    """Mail that waits for its turn."""

    id: int
    accepted: datetime
    touch: MailLocks
    mail: Incoming | None
    """Mail as read, without its lines, or None if it cannot be read."""
    locks: frozenset[str] = frozenset()
    """Seats of its sender at which it tries passwords."""
    resting: datetime | None = None
    """End of its delay, as far as known, or None."""


@dataclass(slots=True)
class MailScheduler:
    """Queue of unprocessed mails, as far as they were read ahead."""

    application: Application
    ahead: int = READ_AHEAD
    reading: MailReader = field(init=False)
    _seen: Application | None = None
    wakes: datetime | None = None
    """Instant when the first delayed mail may have its turn, or None."""
    waiting: dict[int, WaitingMail] = field(default_factory=dict)
    _read: dict[int, tuple[StoredMail, ReadMail]] = field(default_factory=dict)
    _rested: set[int] = field(default_factory=set)
    """Ids of delayed mails, which later ones of the same game or person may overtake."""
    _places: list[str] = field(default_factory=list)
    """Senders with mails here, the next one first."""
    _served: str | None = None
    """Sender that had the last turn, and is placed behind all others."""
    _ready: int = 0
    """Number of senders with a ready mail when the last turn was given."""

    def __post_init__(self) -> None:
        self.reading = MailReader(self.application)

    @property
    def seen(self) -> Application:
        """Application with cached look-ups, used for all mails of the same step."""
        if self._seen is None:
            self._seen = self.application.read_session()
        return self._seen

    def invalidate(self) -> None:
        """Invalidate the cached look-ups."""
        self._seen = None

    def read(self, mail: StoredMail) -> ReadMail:
        """Return a mail with its commands. Mails read ahead are not parsed again."""
        _, read = self._read.pop(mail.id, (mail, None))
        if read is not None and self.reading.is_still_valid(read, self.seen):
            return read
        return self.reading.read_whole(mail, self.seen)

    def next_mail(
        self, now: datetime, before: datetime | None = None, busy: Collection[str] = (),
    ) -> StoredMail | None:
        """Return the mail whose turn it is, or None.

        Only mails accepted at *before* or earlier count. Mails that touch *busy* keys, which
        another worker has locked, are left out.

        Raises:
            StoreError: the database cannot be used now.
        """
        may_be_more = self.read_ahead() or self._ready >= MAX_READY_SENDERS
        best = self._first(now, before, busy)
        # The first mail of a process is counted before it is read, so nothing beyond it is read.
        while best is None and may_be_more and self.ahead == READ_AHEAD:
            may_be_more = self.read_ahead()
            best = self._first(now, before, busy)
        if best is None:
            return None
        self._served = best.touch.who
        ahead = self._read.get(best.id)
        return ahead[0] if ahead else self.application.post.get(best.id)

    def put_back(self) -> None:
        """Restore the turn of the sender whose mail was returned last but not processed."""
        self._served = None

    def _first(
        self, now: datetime, before: datetime | None, busy: Collection[str]
    ) -> WaitingMail | None:
        """Return the mail whose turn it is, of those read ahead, or None."""
        self.wakes = None
        complete_until = self.application.mail_complete_until(now)
        held = set(busy)
        ready: dict[str, WaitingMail] = {}
        for each in self._without_delayed(now):
            if before is not None and each.accepted > before:
                break
            if held.isdisjoint(each.touch.keys):
                if self._awaits_look(each, complete_until):
                    self.wakes = min(self.wakes or now + _LOOK, now + _LOOK)
                else:
                    ready.setdefault(each.touch.who, each)
            held |= each.touch.keys
        self._ready = len(ready)
        return next((ready[who] for who in self._places if who in ready), None)

    def _awaits_look(self, each: WaitingMail, complete_until: datetime) -> bool:
        """Return whether a mail came after a deadline that cannot be decided yet.

        An earlier mail may still be in the mailbox. If the later one were processed now, its orders
        would count as in time.
        """
        if each.accepted <= complete_until or each.mail is None or each.mail.machine:
            return False
        games, mine = self.application.games, each.touch.games
        due = mine and games.due_among(mine, each.accepted)
        if each.touch.exclusive:
            due = games.due(each.accepted, MAX_EXAMINED)
        instants = (games.get(one).due for one in due)
        return any(at is not None and at > complete_until for at in instants)

    def keys_of(self, mail: StoredMail) -> frozenset[str]:
        """Return the lock keys of a mail.

        They are empty if the keys are unknown or may not be all, and the mail is processed alone.
        """
        each = self.waiting.get(mail.id)
        if each is None or each.mail is None or each.touch.exclusive or each.mail.machine:
            return frozenset()
        return each.touch.keys

    def is_still_next(self, mail: StoredMail, now: datetime) -> bool:
        """Return whether no earlier mail has to be processed before *mail*.

        It is called once its keys are locked. It is False too if another worker has processed the
        mail.
        """
        self.read_ahead(below=mail.id)
        held: set[str] = set()
        for each in self._without_delayed(now):
            if each.id == mail.id:
                return held.isdisjoint(each.touch.keys)
            held |= each.touch.keys
        return False

    def overtaken_games(self, mail: StoredMail, sender: str) -> frozenset[str]:
        """Return the games in which later mails of a sender overtook a delayed one."""
        if mail.id not in self._rested:
            return frozenset()
        return self.application.post.games_answered(
            self.application.context.aliases.addresses_of(sender), mail.id
        )

    def oldest_for(self, game: int, name: str) -> datetime | None:
        """Return when the oldest mail that a game must wait for was accepted, or None.

        The answer is exact inside a transaction, once pending mails are stored (`Store.settled`). A
        mail that was not read yet, or cannot be read, may be for any game.
        """
        # One more than are known is read: the first unknown one ends the search.
        for number, accepted in self.application.post.new_numbers(len(self.waiting) + 1):
            each = self.waiting.get(number)
            if each is None or each.mail is None or each.touch.blocks_game(game, name):
                return accepted
        return None

    def read_ahead(self, due: datetime | None = None, below: int | None = None) -> bool:
        """Read some of the waiting mails ahead. Return whether there were any.

        The oldest come first. All mails accepted until *due* are read, because a game may wait for
        one. Others are only read while few senders are ready. With *below*, only mails with lower
        ids are read.

        Raises:
            StoreError: the database cannot be used now.
        """
        self.invalidate()
        ahead = self.ahead if due is not None or self._ready < MAX_READY_SENDERS else 0
        asked = len(self.waiting) + ahead
        numbers = self.application.post.waiting(asked)
        self._forget_worked(numbers, len(numbers) < asked)
        ahead = min(ahead, MAX_EXAMINED - len(self.waiting))
        octets, looked = 0, False
        fresh = [one for one in numbers if one not in self.waiting]
        for number in [one for one in fresh if below is None or one < below][:ahead]:
            mail = self.application.post.get(number)
            if mail is None:
                continue
            if due is not None and mail.accepted > due:
                break
            octets += len(mail.raw)
            self.waiting[number] = self._look_at(mail)
            looked = True
            if octets >= OCTETS_AHEAD:
                break
        if looked:
            # A shunted mail that is retried comes before those that were accepted after it.
            self.waiting = dict(sorted(self.waiting.items()))
        if below is None:
            self._settle_places()
        return looked

    def _forget_worked(self, numbers: Sequence[int], is_all: bool) -> None:
        """Forget processed mails. `numbers` are the oldest unprocessed ones, or all."""
        known = [one for one in self.waiting if is_all or one <= numbers[-1]]
        for gone in set(known).difference(numbers):
            del self.waiting[gone]
            self._read.pop(gone, None)
            self._rested.discard(gone)

    def _settle_places(self) -> None:
        """Place new senders behind the others, and the one served last behind all."""
        senders = dict.fromkeys(each.touch.who for each in self.waiting.values())
        known = [who for who in self._places if who in senders]
        self._places = list(dict.fromkeys([*known, *senders]))
        if self._served in senders:
            self._places.remove(self._served)
            self._places.append(self._served)
        self._served = None

    def _look_at(self, mail: StoredMail) -> WaitingMail:
        """Read a mail and find its lock keys. An unreadable one is reported at its turn."""
        dispatcher = self.seen.dispatcher
        try:
            read = self.reading.read_whole(mail, self.seen)
            incoming, sheet = read.incoming, read.sheet
            touch = dispatcher.locks_for(incoming, sheet)
            for held in dispatcher.waiting(incoming, sheet):
                touch = self._with_held(touch, held.mail)
        except StoreError:
            raise
        except Exception as fault:
            # The log must not quote the fault: which words are passwords is unknown.
            log.error("mail %d cannot be read ahead: %s", mail.id, type(fault).__name__)
            return WaitingMail(mail.id, mail.accepted, MailLocks(mail.sender), None)
        if len(mail.raw) <= MAX_KEPT_OCTETS and len(self._read) < MAX_KEPT_MAILS:
            self._read[mail.id] = mail, read
        locks = dispatcher.own_locks(incoming, sheet)
        return WaitingMail(mail.id, mail.accepted, touch, replace(incoming, lines=()), locks)

    def _with_held(self, touch: MailLocks, number: int) -> MailLocks:
        """Add the lock keys of a mail whose deferred lines this one confirms."""
        stored = self.application.post.get(number)
        if stored is None:
            return touch
        incoming, sheet, *_ = self.reading.read_whole(stored, self.seen)
        more = self.seen.dispatcher.locks_for(incoming, sheet)
        return replace(touch, keys=touch.keys | more.keys)

    def _without_delayed(self, now: datetime) -> Iterator[WaitingMail]:
        """Yield the waiting mails in order, without those that are delayed."""
        often_tried = cache(lambda: self.application.dispatcher.often_tried(now))
        until: dict[tuple[str, str], datetime | None] = {}
        for each in self.waiting.values():
            if not each.mail or not each.locks or each.locks.isdisjoint(often_tried()):
                yield each
                continue
            if each.resting is None or each.resting <= now:
                for lock in each.locks:
                    key = lock, each.mail.sender
                    if key not in until:
                        until[key] = self.application.dispatcher.delayed_until(lock, each.mail)
                mine = (until[lock, each.mail.sender] for lock in each.locks)
                each.resting = max(filter(None, mine), default=None)
            if each.resting is None or self._is_wanted(each, now):
                yield each
            else:
                self._rested.add(each.id)
                self.wakes = min(self.wakes or each.resting, each.resting)

    def _is_wanted(self, each: WaitingMail, now: datetime) -> bool:
        """Return whether a due game waits for a mail, which arrived in time."""
        for key in each.touch.keys:
            kind, _, number = key.partition(" ")
            if kind == "game":
                due = self.application.games.get(int(number)).due
                if due is not None and each.accepted <= due <= now:
                    return True
        return False
