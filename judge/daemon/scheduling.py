"""Whose mail is worked next: senders take turns, so that one delays another by one mail.

They are served in a ring (round robin; Nagle, RFC 970): whoever comes new stands behind those who
wait, whoever was served behind all. What touches the same game, or is of the same person, keeps
the order of its 250s (`play/touching`). A mail that is put off because passwords were tried in
vain holds up nobody; but when a game it touches is due, and it came in time, it has its turn.

Several workers, where the database lets them (`Store.beside`), each take the first mail of which no
other has anything in hand that it touches. Who has found one, and keeps others from all of that,
looks once more whether it still is the next one. A mail that may matter to games it does not name
is worked alone.

Nothing of this is stored: it follows from the mails that are not worked yet, so that another
process, or the next one, finds the same.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from judge.daemon.application import Application
from judge.daemon.reading import Read, Reading
from judge.errors import StoreError
from judge.model.altered import altered
from judge.model.incoming import Incoming
from judge.model.record import StoredMail
from judge.play.touching import Touch
from judge.store.post import Worklist

log = logging.getLogger("judge.worker")

AHEAD = 50
"""Mails that are read ahead before one is worked."""
OCTETS_AHEAD = 512 * 1024
"""And how long they may be together: a long one is read by itself."""
CROWD = 100
"""Where so many senders have a mail that can be worked now, those behind are not looked at yet:
whatever waits, a mail costs the same."""
MOST = 2_000
"""Mails that are looked at, however few senders they have; those behind them wait."""
MAX_KEPT_OCTETS = 64 * 1024
"""A mail no longer than this is not read again when its turn comes."""
MAX_KEPT_MAILS = 200


@dataclass(slots=True)
class _Rests:
    """How long mails wait that try passwords at their sender's seats, as far as was asked."""

    until: dict[tuple[str, str], datetime | None] = field(default_factory=dict)
    """By seat and sender."""
    often_tried: frozenset[str] | None = None
    """The seats at which so many were wrong lately that mails may have to wait."""


@dataclass(slots=True)
class WaitingMail:
    """A mail that waits for its turn."""

    id: int
    accepted: datetime
    touch: Touch
    mail: Incoming | None
    """As read, without its lines; None: it cannot be read."""
    locks: frozenset[str] = frozenset()
    """Seats of its sender that it tries passwords at."""
    resting: datetime | None = None
    """Until when it is put off, as far as is known."""


@dataclass(slots=True)
class Queue:
    """The mails that are not worked yet, as far as they were looked at."""

    application: Application
    ahead: int = AHEAD
    reading: Reading = field(init=False)
    _seen: Application | None = None
    _worklist: Worklist = field(init=False)
    wakes: datetime | None = None
    """When the first of those that are put off may have its turn."""
    waiting: dict[int, WaitingMail] = field(default_factory=dict)
    _read: dict[int, tuple[StoredMail, Read]] = field(default_factory=dict)
    _rested: set[int] = field(default_factory=set)
    """Those that were put off: what is of the same game or person may have overtaken them."""
    _places: dict[str, int] = field(default_factory=dict)
    """The senders who have mails here, and their places: the lowest has the next turn."""
    _place: int = 0
    """The last of them."""
    _served: str | None = None
    """Who had the last turn, and goes behind all others."""
    _ready: int = 0
    """How many senders had a mail that could be worked when the last turn was given."""

    def __post_init__(self) -> None:
        self.reading = Reading(self.application)
        self._worklist = Worklist(self.application.store)

    @property
    def seen(self) -> Application:
        """With which the mails are looked at, and what is foreseen of them in the same step."""
        if self._seen is None:
            self._seen = self.application.looking()
        return self._seen

    def look_anew(self) -> None:
        """Let go of what was looked at: it may have changed."""
        self._seen = None

    def read(self, mail: StoredMail) -> Read:
        """Return a mail as read and all it asks for; what was read ahead is not read again."""
        _, read = self._read.pop(mail.id, (mail, None))
        if read is not None and self.reading.holds(read, self.seen):
            return read
        return self.reading.read_whole(mail, self.seen)

    def next(
        self, now: datetime, before: datetime | None = None, busy: Collection[str] = (),
    ) -> StoredMail | None:
        """Return the mail whose turn it is, of those accepted `before` an instant or then; none of
        those that touch what is `busy`, since another worker has it in hand.

        Raises:
            StoreError: the database cannot be used now.
        """
        may_be_more = self.look_ahead() or self._ready >= CROWD
        best = self._first(now, before, busy)
        # The first mail of a process is counted before it is read: nothing is looked at beyond it.
        while best is None and may_be_more and self.ahead == AHEAD:
            may_be_more = self.look_ahead()
            best = self._first(now, before, busy)
        if best is None:
            return None
        self._served = best.touch.who
        ahead = self._read.get(best.id)
        return ahead[0] if ahead else self.application.post.get(best.id)

    def put_back(self) -> None:
        """Have whoever's mail was given last not be served by that: it was left alone."""
        self._served = None

    def _first(
        self, now: datetime, before: datetime | None, busy: Collection[str]
    ) -> WaitingMail | None:
        """Return the mail whose turn it is, of those that were looked at."""
        self.wakes = None
        held = set(busy)
        rests = _Rests()
        ready: dict[str, WaitingMail] = {}
        for each in self.waiting.values():
            if before is not None and each.accepted > before:
                break
            if self._rests(each, now, rests):
                continue
            if held.isdisjoint(each.touch.keys):
                ready.setdefault(each.touch.who, each)
            held |= each.touch.keys
        self._ready = len(ready)
        return min(ready.values(), key=lambda each: self._places[each.touch.who], default=None)

    def keys_of(self, mail: StoredMail) -> frozenset[str]:
        """Return what a mail touches, so that whoever works it can keep others from that; empty:
        nobody can tell, or it may matter to more than it names, and it is worked alone."""
        each = self.waiting.get(mail.id)
        if each is None or each.mail is None or each.touch.wide or each.mail.machine:
            return frozenset()
        return each.touch.keys

    def is_still_next(self, mail: StoredMail, now: datetime) -> bool:
        """Tell, once others are kept from all it touches, whether no mail has to be worked before
        one that was found; another worker may have worked this one, too."""
        self._look_for_new(below=mail.id)
        held: set[str] = set()
        rests = _Rests()
        for each in self.waiting.values():
            if each.id == mail.id:
                return held.isdisjoint(each.touch.keys)
            if not self._rests(each, now, rests):
                held |= each.touch.keys
        return False

    def overtaken(self, mail: StoredMail, sender: str) -> frozenset[str]:
        """Return the games in which later mails of a sender were worked before one put off."""
        if mail.id not in self._rested:
            return frozenset()
        return self._worklist.games_answered(self.application.context.aliases.of(sender), mail.id)

    def oldest_for(self, game: int, name: str) -> datetime | None:
        """Return when the oldest mail was accepted that a game must wait for, or None.

        Inside a transaction it is sure, once those on their way are in (`Store.settled`). What was
        not looked at yet, or cannot be read, may be for any game.
        """
        # One more than are known: the first that is not known ends it.
        for number, accepted in self._worklist.new_numbers(len(self.waiting) + 1):
            each = self.waiting.get(number)
            if each is None or each.mail is None or each.touch.matters_to(game, name):
                return accepted
        return None

    def is_anything_due(self, now: datetime) -> bool:
        """Tell whether any game or digest is due."""
        return self._worklist.is_anything_due(now)

    def numbers(self, most: int) -> list[int]:
        """Return so many of the mails that are not worked yet, the oldest first."""
        return self._worklist.waiting(most)

    def look_ahead(self, due: datetime | None = None) -> bool:
        """Look at some of the mails that wait, the oldest first; return whether at any.

        Those that came until something was `due` are looked at whatever waits before them: a game
        may wait for one. Of others no more than there are senders to take turns.

        Raises:
            StoreError: the database cannot be used now.
        """
        looked = self._look_for_new(due)
        self._settle_places()
        return looked

    def _look_for_new(self, due: datetime | None = None, below: int | None = None) -> bool:
        """Look at mails, as `look_ahead` does; of those `below` a number alone, if one is given."""
        self.look_anew()
        ahead = self.ahead if due is not None or self._ready < CROWD else 0
        asked = len(self.waiting) + ahead
        numbers = self._worklist.waiting(asked)
        self._forget_worked(numbers, len(numbers) < asked)
        ahead = min(ahead, MOST - len(self.waiting))
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
            # One that was set aside and is worked again comes before those that came after it.
            self.waiting = dict(sorted(self.waiting.items()))
        return looked

    def _forget_worked(self, numbers: Sequence[int], is_all: bool) -> None:
        """Forget the mails that wait no more; `numbers` are the oldest of those that do, or all."""
        present = set(numbers)
        last = numbers[-1] if numbers else 0
        for gone in [
            number for number in self.waiting
            if number not in present and (is_all or number <= last)
        ]:
            del self.waiting[gone]
            self._read.pop(gone, None)
            self._rested.discard(gone)

    def _settle_places(self) -> None:
        """Give new senders places, then whoever was served last one behind them."""
        senders = dict.fromkeys(each.touch.who for each in self.waiting.values())
        served = self._places.pop(self._served, None) if self._served is not None else None
        for who in self._places.keys() - senders.keys():
            del self._places[who]
        for who in senders:
            if who not in self._places and (who != self._served or served is None):
                self._place += 1
                self._places[who] = self._place
        if self._served in senders and served is not None:
            self._place += 1
            self._places[self._served] = self._place
        self._served = None

    def _look_at(self, mail: StoredMail) -> WaitingMail:
        """Read a mail, and say what it touches; one that cannot be read is for its turn to tell."""
        dispatcher = self.seen.dispatcher
        try:
            read = self.reading.read_whole(mail, self.seen)
            incoming, sheet = read.incoming, read.sheet
            touch = dispatcher.touched(incoming, sheet)
            for held in dispatcher.waiting(incoming, sheet):
                touch = self._with_held(touch, held.mail)
        except StoreError:
            raise
        except Exception as fault:
            # Which of its words are passwords nobody knows: faults quote what they stumble over.
            log.error("mail %d cannot be read ahead: %s", mail.id, type(fault).__name__)
            return WaitingMail(mail.id, mail.accepted, Touch(mail.sender), None)
        if len(mail.raw) <= MAX_KEPT_OCTETS and len(self._read) < MAX_KEPT_MAILS:
            self._read[mail.id] = mail, read
        locks = dispatcher.own_locks(incoming, sheet)
        return WaitingMail(mail.id, mail.accepted, touch, altered(incoming, lines=()), locks)

    def _with_held(self, touch: Touch, number: int) -> Touch:
        """Add what is touched by a mail that waited for a confirmation."""
        stored = self.application.post.get(number)
        if stored is None:
            return touch
        incoming, sheet, *_ = self.reading.read_whole(stored, self.seen)
        more = self.seen.dispatcher.touched(incoming, sheet)
        return altered(touch, keys=touch.keys | more.keys)

    def _rests(self, each: WaitingMail, now: datetime, rests: _Rests) -> bool:
        """Tell whether a mail is put off now."""
        if each.mail is None or not each.locks:
            return False
        if rests.often_tried is None:
            rests.often_tried = self.application.dispatcher.often_tried(now)
        if each.locks.isdisjoint(rests.often_tried):
            return False
        if each.resting is None or each.resting <= now:
            for lock in each.locks:
                key = lock, each.mail.sender
                if key not in rests.until:
                    rests.until[key] = self.application.dispatcher.rest_of(lock, each.mail)
            mine = (rests.until[lock, each.mail.sender] for lock in each.locks)
            each.resting = max(filter(None, mine), default=None)
        if each.resting is None or self._is_wanted(each, now):
            return False
        self._rested.add(each.id)
        self.wakes = min(self.wakes or each.resting, each.resting)
        return True

    def _is_wanted(self, each: WaitingMail, now: datetime) -> bool:
        """Tell whether a game waits for a mail: it is due, and the mail came in time."""
        for key in each.touch.keys:
            kind, _, number = key.partition(" ")
            if kind == "game":
                due = self.application.games.get(int(number)).due
                if due is not None and each.accepted <= due <= now:
                    return True
        return False
