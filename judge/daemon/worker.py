"""The worker: the mail whose turn it is, in one transaction with all it causes.

Mails that waited for their sender's address are carried out when he confirms it: read again from
the store and given to the dispatcher in the order of arrival, inside the transaction of the mail
that confirms; each is answered by itself.
"""

import gc
import logging
import time
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from typing import NamedTuple

from judge.daemon.application import Application
from judge.daemon.error_reports import set_aside
from judge.daemon.log_fields import seconds, span, trail
from judge.daemon.rate_limit import holds
from judge.daemon.reading import BANNED, Read, held_lines, held_part, part_of, sheet_of
from judge.daemon.resolving import Resolving
from judge.daemon.returned_mail import Bouncing, Complaining
from judge.daemon.scheduling import AHEAD
from judge.errors import StoreError, StoreTrouble
from judge.failpoints import failpoint
from judge.games import all_systems, opening_table
from judge.mail.address import Ours
from judge.mail.inbound.automatic import COMPLAINT
from judge.mail.inbound.envelope import received, sent_on
from judge.mail.inbound.reader import read_mail
from judge.mail.language.sheet import read_sheet
from judge.model.command import Sheet
from judge.model.incoming import Incoming, Line
from judge.model.letter import Kind, Letter
from judge.model.phrase import phrase
from judge.model.record import UNSTORED, MailState, Outgoing, StoredMail
from judge.play.commands.parts import unguarded
from judge.store.people import Held
from judge.store.post import SentLetters


def prepare_waiting(application: Application, ours: Ours, waiting: Sequence[Held]) -> None:
    """Do the slow work on the passwords of mails that a confirmation will set free."""
    for held in waiting:
        stored = application.post.get(held.mail)
        if stored is not None:
            application.dispatcher.prepare(*_read(application, ours, stored), released=True)


def release(
    application: Application, ours: Ours, waiting: Sequence[Held],
    set_aside: Callable[[StoredMail, frozenset[int], str], None],
) -> int:
    """Carry out what waited for a confirmation, and queue the answers; return how many letters.

    A mail that we fail on is undone and given to `set_aside` with the story; the others go on.

    Raises:
        StoreError: the database cannot be used now.
    """
    many = 0
    contested = _contested(application, ours, waiting)
    for held in waiting:
        stored = application.post.get(held.mail)
        application.context.people.drop_held(held.mail)
        if stored is None:
            continue
        try:
            with application.store.savepoint():
                incoming, sheet = _read(application, ours, stored)
                letters = application.dispatcher.handle(
                    incoming, sheet, only=held.lines, contested=contested
                )
                many += application.queue(letters, held.mail)
        except StoreError:
            raise
        except Exception:
            # One mail that we cannot work must not stop the others.
            set_aside(stored, held.lines, traceback.format_exc())
    return many


def _contested(
    application: Application, ours: Ours, waiting: Sequence[Held]
) -> Mapping[tuple[str, str], int]:
    """Return the seats for which mails that waited give different passwords."""
    sheets: list[tuple[int, Sheet]] = []
    for held in waiting if len(waiting) > 1 else ():
        stored = application.post.get(held.mail)
        try:
            if stored is not None:
                sheet = _read(application, ours, stored)[1]
                kept = tuple(one for one in sheet.commands if one.line in held.lines)
                sheets.append((held.mail, Sheet(kept)))
        except Exception:
            # It is set aside with its story when it is carried out.
            continue
    return application.dispatcher.contested(sheets)


def _read(application: Application, ours: Ours, stored: StoredMail) -> tuple[Incoming, Sheet]:
    incoming = read_mail(
        stored, ours, application.config.listen.trust, SentLetters(application.store)
    )
    return incoming, sheet_of(application, incoming)[0]


log = logging.getLogger("judge.worker")

_Done = tuple[MailState, str, list[int]]
"""What became of a mail, in a word and in words, and the numbers of the letters it caused."""


class _Ready(NamedTuple):
    """A mail that was read, with the slow work on its passwords done."""

    mail: StoredMail
    incoming: Incoming | None
    """None if it cannot be read."""
    sheet: Sheet
    finish: Callable[[], _Done | None]
    """Carries it out, or sets it aside, inside a transaction."""


MAX_BATCH_SECONDS = 0.02
"""Processor time that the mails of one commit may take together, about. Whatever else writes on
SQLite waits for it."""
MIN_MAIL_SECONDS = 0.001
"""Least estimate for a mail: cheap mails let no batch grow beyond twenty."""
SINGLE_MAILS = 50
"""Mails that a process works one by one before any go together: of one that ends judges, which the
last may have died of, only its own work is to be lost, and it is found as soon as alone."""
MAX_TRIES = 3
"""How often a mail is tried again when the storage failed under it."""
MAX_TROUBLES = 30
"""The same where the storage seems at fault: it mends, but one mail must not stop all for ever."""
MAX_DEATHS = 8
"""How many judges in a row may end while they work the same mail: the last may be no accident."""
_BUSY = timedelta(seconds=1)
"""How often it is looked whether other workers are done with what they have in hand."""
_YOUNG = 10_000
"""New objects before the collector looks for cycles among them: those of about ten mails."""


class Worker:
    """Works mails one by one, as their senders have their turns."""

    def __init__(self, application: Application, resolving: Resolving) -> None:
        self._application = application
        self._resolving = resolving
        self._queue = resolving.queue
        self._reading = self._queue.reading
        self.ours = self._reading.ours
        self._bouncing = Bouncing(application)
        self._complaining = Complaining(application, self._bouncing, self.ours)
        self._has_begun = False
        self.single_mails_left = SINGLE_MAILS
        self._seconds_per_mail = MAX_BATCH_SECONDS
        """Processor time of each in the last transaction."""
        self.is_warm = False
        """Whether what the first mail needs has been read."""

    def step(self, before: datetime | None = None) -> bool:
        """Work the mail whose turn it is, accepted `before` an instant or then if one is given;
        return whether there was one.

        Games it touches that were due before it was accepted are attended to first, as of that
        instant: what was late when it came is late. A fault of ours sets this mail aside and is
        told to the keeper.

        Raises:
            StoreError: the database cannot be used now; the mail is still new.
        """
        # A mail that ends a judge while it is read ahead would do so before anybody counted it.
        self._queue.ahead = AHEAD if self._has_begun else 0
        if not self._has_begun:
            oldest = self._application.post.next_new()
            if oldest is None:
                return False
            self.warm_up()
            deadly, self._queue.ahead = self._begin()
            if deadly:
                return True
        mail = self._take(before)
        if mail is None:
            return False
        try:
            self._carry([mail])
        finally:
            self._application.store.let_go()
        return True

    def _take(self, before: datetime | None) -> StoredMail | None:
        """Find the mail whose turn it is, and keep other workers from all it touches.

        What another has in hand is left to him. A mail of which nobody can tell what it touches is
        worked alone, and nothing need be kept from others.
        """
        store, busy = self._application.store, set[str]()
        while True:
            now = self._application.clock.now()
            mail = self._queue.next(now, before, busy)
            if mail is None:
                if busy:
                    self._queue.wakes = min(self._queue.wakes or now + _BUSY, now + _BUSY)
                return None
            keys = self._queue.keys_of(mail)
            done = self._attend_before(mail, keys)
            if done:
                self._queue.look_anew()
            if not keys:
                if done:
                    continue
                return mail
            if not store.shares:
                return mail
            if done is None or not store.hold(keys | {_key(mail.id)}):
                busy |= keys
            elif self._queue.is_still_next(mail, now):
                return mail
            else:
                store.let_go()

    def _attend_before(self, mail: StoredMail, keys: frozenset[str]) -> bool | None:
        """Attend to games that a mail touches and that were due before it was accepted; return
        whether there was any, None where another process has one in hand.

        One that may matter to any game waits for all of them; other mails pass it meanwhile.
        """
        if not keys:
            return self._resolving.tick(mail.accepted, 1) > 0
        return self._resolving.attend_to(_games_of(keys), mail.accepted)

    def steps(self) -> int:
        """Work the mail whose turn it is, and with it, in one commit, some whose turns come next;
        return how many.

        Where one writes at a time each commit is a sync of the disk for which all others wait.
        Mails of one commit share no keys and touch no game that is due. A fault undoes one of them.

        Raises:
            StoreError: as `step`.
        """
        if self._application.store.shares or self.single_mails_left:
            worked = self.step()
            self.single_mails_left -= worked and self.single_mails_left > 0
            return int(worked)
        self._queue.ahead = AHEAD
        first = self._take(None)
        if first is None:
            return 0
        mails = [first, *self._next_apart(first)]
        self._carry(mails)
        return len(mails)

    def _next_apart(self, first: StoredMail) -> list[StoredMail]:
        """Return the mails whose turns come after one, as far as they touch nothing that it or one
        of them touches, and no game that was due before."""
        found: list[StoredMail] = []
        busy = set(self._queue.keys_of(first))
        while busy and len(found) < MAX_BATCH_SECONDS // self._seconds_per_mail:
            mail = self._queue.next(self._application.clock.now(), None, busy)
            if mail is None:
                break
            keys = self._queue.keys_of(mail)
            if not keys or self._resolving.is_due(_games_of(keys), mail.accepted):
                self._queue.put_back()
                break
            found.append(mail)
            busy |= keys
        return found

    def _prepared(self, mail: StoredMail) -> _Ready:
        """Read a mail and do the slow work on its passwords."""
        incoming, sheet = None, Sheet(())
        try:
            read = self._queue.read(mail)
            incoming, sheet = read.incoming, read.sheet
            sheet, unanswered = self._asked(mail, read)
            self._prepare(mail, incoming, sheet, unanswered)
            finish = partial(self._finish, mail, incoming, sheet, unanswered)
            return _Ready(mail, incoming, sheet, finish)
        except StoreError:
            raise
        except Exception as fault:
            # One mail that we cannot work must not stop the others.
            shunt = partial(self._shunt, mail, _story(fault, incoming), incoming, sheet)
            return _Ready(mail, incoming, sheet, shunt)

    def _asked(self, mail: StoredMail, read: Read) -> tuple[Sheet, str]:
        """Return what a mail that was read asks for, and why it is not answered."""
        unanswered = self._reading.unanswered(self._queue.seen.context, read)
        return self._reading.settled(mail, read.incoming, read.sheet, unanswered), unanswered

    def _carry(self, mails: Sequence[StoredMail]) -> None:
        """Carry out mails in one transaction, and set aside those that raise a fault.

        Raises:
            StoreError: the database cannot be used now; the mails are still new.
        """
        ready: list[_Ready] = []
        try:
            ready += map(self._prepared, mails)
            done = self._finish_all(ready)
        except StoreError as fault:
            # Of several, each is tried by itself next, so that the failure is counted for one.
            self.single_mails_left = max(self.single_mails_left, len(mails))
            incoming, sheet = ready[0][1:3] if ready else (None, Sheet(()))
            if len(mails) > 1 or not self._failed_often(mails[0], fault, incoming, sheet):
                raise
            return
        for mail, each in zip(mails, done):
            self._tell(mail, each)

    def _finish_all(self, ready: Sequence[_Ready]) -> list[_Done | None]:
        """Carry out prepared mails, in one transaction."""
        def finish() -> list[_Done | None]:
            began = time.thread_time()
            done = [self._finish_one(each) for each in ready]
            spent = (time.thread_time() - began) / len(ready)
            self._seconds_per_mail = max(spent, MIN_MAIL_SECONDS)
            return done

        if self._queue.keys_of(ready[0].mail):
            return self._application.store.beside(finish)
        with self._application.store.transaction():
            return finish()

    def _finish_one(self, ready: _Ready) -> _Done | None:
        """Carry out a mail in a savepoint and return its results, or set it aside."""
        try:
            with self._application.store.savepoint():
                return ready.finish()
        except StoreError:
            raise
        except Exception as fault:
            self._shunt(ready.mail, _story(fault, ready.incoming), ready.incoming, ready.sheet)
            return None

    def _failed_often(
        self, mail: StoredMail, fault: StoreError, incoming: Incoming | None, sheet: Sheet
    ) -> bool:
        """Count that the storage failed under a mail; set that aside once it was often.

        Where this cannot be noted the storage is at fault, whatever the mail.
        """
        most = MAX_TROUBLES if isinstance(fault, StoreTrouble) else MAX_TRIES
        with self._application.store.transaction():
            if self._application.post.count_failure(mail.id) < most:
                return False
            self._shunt(mail, _story(fault, incoming), incoming, sheet)
        return True

    @property
    def wakes(self) -> datetime | None:
        """When a mail that is put off may have its turn; None when there is none."""
        return self._queue.wakes

    def warm_up(self) -> None:
        """Read what the first mail needs: grammars, maps and templates; seconds where it is slow.

        A judge that is ended meanwhile did not die of a mail, so no mail is in hand yet.
        """
        if self.is_warm:
            return
        self.is_warm = True
        try:
            read_sheet(self._application.language, [Line(1, "STATUS")])
            for system in all_systems():
                table = opening_table(system)
                table.read_orders([Line(1, "hold")], table.alive()[0], {})
            self._application.renderer.text(Letter(
                Kind.ERROR, "", "", "fault", {"reason": phrase("your-mail-set-aside")}
            ))
        except Exception:
            # Mails that want none of what is broken are still worked; the others are set aside.
            log.exception("something that mails need cannot be read")
        _leave_to_stay()

    def _begin(self) -> tuple[bool, int]:
        """Look for the first mail of this process, and count that; set it aside where it was the
        first of several before, which all died of it.

        Only the first mail of a process is counted, and once: after a crash it is the one that was
        worked, sooner or later; where the storage failed under it, nobody died. One that another
        worker has in hand was read by him, and he lives. Returns whether a mail was set aside, and
        how many mails may be read now.
        """
        application, numbers = self._application, self._queue.numbers(AHEAD)
        for place, number in enumerate(numbers, start=1):
            if not application.store.hold((_key(number),)):
                continue
            try:
                with application.store.transaction():
                    many = application.post.count_death(number)
                    mail = application.post.get(number)
                    if is_deadly := mail is not None and many >= MAX_DEATHS:
                        story = f"The judge ended {many} times while it worked this mail."
                        self._shunt(mail, story)
                self._has_begun = not is_deadly
                return is_deadly, 0 if is_deadly else place
            finally:
                application.store.let_go()
        return False, len(numbers)

    def _prepare(
        self, mail: StoredMail, incoming: Incoming, sheet: Sheet, unanswered: str
    ) -> None:
        """Do the slow work on the passwords of a mail that is to be answered."""
        if (sheet.commands or not unanswered) and self._reading.is_for_judge(mail):
            application = self._application
            self._queue.seen.dispatcher.prepare(incoming, sheet)
            prepare_waiting(
                application, self.ours, application.dispatcher.waiting(incoming, sheet)
            )

    def _tell(self, mail: StoredMail, done: _Done | None) -> None:
        """Log what became of a mail, once it is committed; another process may have worked it."""
        if done is None:
            return
        state, note, noted = done
        failpoint("worked")
        log.info(
            "mail %d from <%s>: %s, %s", mail.id, mail.sender, state.value, note,
            extra=trail(
                "worked", mail=mail.id, state=state.value, note=note, letters=span(noted),
                after=seconds(mail.accepted, self._application.clock.now()),
            ),
        )

    def _finish(
        self, mail: StoredMail, incoming: Incoming, sheet: Sheet, unanswered: str
    ) -> _Done | None:
        """Do what a mail asks for, inside a transaction; return what became of it, and the numbers
        of the letters it caused; None when another process has worked it meanwhile."""
        application = self._application
        with application.post.noting() as noted:
            if not application.post.is_new(mail.id):
                return None
            if any(self.ours.is_keeper(one) for one in mail.recipients):
                self._pass_on(mail)
            if not self._reading.is_for_judge(mail):
                state, note = MailState.DONE, "for the keeper"
            elif unanswered:
                state, note = MailState.IGNORED, self._note_machine(mail, incoming, unanswered)
            else:
                state, note = MailState.DONE, f"{self._carry_out(mail, incoming, sheet)} letters"
            if unanswered == BANNED and sheet.commands:
                application.dispatcher.handle(incoming, sheet)
            application.post.finish(mail.id, state, note, application.clock.now())
            return state, note, noted

    def _carry_out(self, mail: StoredMail, incoming: Incoming, sheet: Sheet) -> int:
        """Have a mail carried out, and queue the letters it causes; return how many."""
        self._bouncing.wrote(incoming.sender, self._application.clock.now())
        only = held_lines(mail.part)
        # A part that is tried again is set aside again as it is.
        guard = unguarded if mail.part else partial(self._guard, mail, incoming, sheet)
        # Who confirms is known afterwards, and an empty reply is no yes then.
        with self._application.work() as application:
            waiting = application.dispatcher.waiting(incoming, sheet)
            overtaken = self._queue.overtaken(mail, incoming.sender)
            letters = application.dispatcher.handle(incoming, sheet, only, guard, overtaken)
            failpoint("handled")
            now, people = application.clock.now(), application.context.people
            if holds(people, incoming.sender, incoming.detail, sheet, letters, now):
                log.warning("no more answers to <%s>, who may be a machine", incoming.sender)
                letters = []
            many = application.queue(letters, mail.id, incoming.sender)
        return many + release(self._application, self.ours, waiting, self._shunt_held)

    def _guard(
        self, mail: StoredMail, incoming: Incoming, sheet: Sheet,
        work: Callable[[], None], first: int, last: int,
    ) -> bool:
        """Carry out what a mail says for one seat; our own fault takes back that alone."""
        try:
            with self._application.store.savepoint():
                work()
        except StoreError:
            raise
        except Exception:
            part = f"{first}-{last}"
            now = self._application.clock.now()
            set_aside(
                self._application, mail, traceback.format_exc(), now,
                incoming=incoming, sheet=part_of(sheet, part), part=part,
            )
            return False
        return True

    def _note_machine(self, mail: StoredMail, incoming: Incoming, note: str) -> str:
        """Look at a mail no person wrote: it may be about one of our letters."""
        if note == COMPLAINT:
            now = self._application.clock.now()
            return f"{note} {self._complaining.heard(mail, incoming.detail, now)}"
        number = self._bouncing.letter_of(incoming.detail)
        if not number or note == "repeat":
            return note
        return f"{note}, {self._bouncing.came_back(mail, number, self._application.clock.now())}"

    def _pass_on(self, mail: StoredMail) -> None:
        """Queue a mail to the keeper as it is, under a trace header that ends loops.

        A mail that already was at the keeper's is not passed on again.
        """
        keeper = self._application.config.judge.keeper
        trace = f"Delivered-To: {keeper}".encode()
        heads = mail.raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].split(b"\n")
        if trace in heads:
            log.warning("mail %d is for the keeper and came back: not passed on", mail.id)
            return
        now = self._application.clock.now()
        out = Outgoing(
            id=UNSTORED,
            to=keeper,
            sender=mail.sender,
            message_id=self._application.new_message_id(),
            message=received(mail, self._application.host) + trace + b"\r\n" + sent_on(mail.raw),
            queued=now,
            due=now,
            answers=mail.id,
        )
        self._application.post.queue(out)

    def _shunt(
        self, mail: StoredMail, story: str, incoming: Incoming | None = None,
        sheet: Sheet = Sheet(()),
    ) -> None:
        """Set a mail aside, unless another process has worked it meanwhile."""
        application = self._application
        with application.store.transaction():
            if application.post.is_new(mail.id):
                now = application.clock.now()
                set_aside(
                    application, mail, story, now, incoming=incoming, sheet=sheet, part=mail.part
                )

    def _shunt_held(self, mail: StoredMail, lines: frozenset[int], story: str) -> None:
        """Set aside the lines of a mail that waited for a confirmation."""
        part = held_part(lines)
        set_aside(self._application, mail, story, self._application.clock.now(), part=part)


def _games_of(keys: Collection[str]) -> list[int]:
    """Return the games that are touched, by what stands for them."""
    return [int(key.removeprefix("game ")) for key in keys if key.startswith("game ")]


def _key(number: int) -> str:
    """Return what whoever works a mail keeps from others, besides all it touches."""
    return f"mail {number}"


@cache
def _leave_to_stay() -> None:
    """Have what was read by now looked through no more for what can be freed; once a process.

    Grammars, maps and templates are more than a hundred thousand objects that stay to the end. To
    go through them all takes as long as ten mails.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG)


def _story(fault: BaseException, incoming: Incoming | None) -> str:
    """Return what is told of a fault; of a mail that could not be read only where it happened.

    Which of its words are passwords nobody knows then, and faults quote what they stumble over.
    """
    if incoming is not None:
        return "".join(traceback.format_exception(fault))
    places = traceback.format_tb(fault.__traceback__)
    return "".join([*places, f"{type(fault).__name__}, while the mail was read\n"])
