"""Worker: the mail whose turn it is, in one transaction with its effects.

Deferred mails are executed when their sender confirms their address. They are read again from the
store and given to the dispatcher in the order of arrival, inside the transaction of the mail that
confirms. Each is answered by itself.
"""

import gc
import logging
import time
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial

from judge.daemon.application import Application
from judge.daemon.bounces import BounceHandler
from judge.daemon.error_reports import shunt_mail
from judge.daemon.log_fields import format_id_range, format_seconds, log_step
from judge.daemon.mail_reader import BANNED, held_lines, part_of, pending_part
from judge.daemon.mail_scheduler import READ_AHEAD
from judge.daemon.rate_limit import is_reply_suppressed
from judge.daemon.resolver_loop import ResolverLoop
from judge.errors import StoreError, StoreTrouble
from judge.failpoints import failpoint
from judge.games import all_systems, opening_table
from judge.mail.inbound.automatic_mail import BOUNCE, COMPLAINT
from judge.mail.inbound.envelope import make_received_line, normalize_line_ends
from judge.mail.language.mail_parser import parse_mail
from judge.model.command import ParsedMail
from judge.model.incoming import Incoming, Line
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from judge.model.record import NO_ID, MailState, Outgoing, StoredMail
from judge.play.commands.parts import run_unguarded
from judge.store.people import PendingLine

log = logging.getLogger("judge.worker")

_Done = tuple[MailState, str, list[int]]
"""State and note of a processed mail, and the ids of the letters it caused."""


@dataclass(slots=True)
class _Work:
    """Mail that is being processed, as far as it was read."""

    mail: StoredMail
    incoming: Incoming | None = None
    sheet: ParsedMail = ParsedMail(())
    unanswered: str = ""
    """Reason to store it without a reply, or ""."""
    story: str = ""
    """Report of the internal error for which it is to be shunted, or ""."""


MAX_BATCH_SECONDS = 0.02
"""Approximate processor time of the mails in one commit, in seconds.

All other writers on SQLite wait for it.
"""
MIN_MAIL_SECONDS = 0.001
"""Minimum estimate for a mail in seconds, which limits a batch to twenty mails."""
SINGLE_MAILS = 50
"""Number of mails that a process works one by one before any go together.

The last process may have been crashed by a mail. Then only that mail's work is lost, and it is
found as soon as it is alone.
"""
MAX_TRIES = 3
"""Number of tries of a mail after storage failures."""
MAX_TROUBLES = 30
"""Number of tries if the storage seems at fault.

It limits the time for which one mail can block all others.
"""
MAX_DEATHS = 8
"""Number of processes in a row that end during a mail until it is shunted."""
_BUSY = timedelta(seconds=1)
"""Interval between checks whether other workers have released their locks."""
_GC_THRESHOLD = 10_000
"""Generation-0 threshold of the garbage collector, the objects of about ten mails."""


class Worker:
    """Worker that processes mails in the order of their senders' turns."""

    def __init__(self, application: Application, resolving: ResolverLoop) -> None:
        self._application = application
        self._resolving = resolving
        self._queue = resolving.queue
        self._reading = self._queue.reading
        self._bouncing = BounceHandler(application)
        self._has_begun = False
        self.single_mails_left = SINGLE_MAILS
        self._seconds_per_mail = MAX_BATCH_SECONDS
        """Processor time of each mail in the last transaction, in seconds."""
        self.is_warm = False
        """True if the data for the first mail has been loaded."""

    def work_one(self, before: datetime | None = None) -> bool:
        """Process the mail whose turn it is. Return whether there was one.

        With *before*, only mails accepted then or earlier count. Games it touches that were due
        before it was accepted are advanced first, as of that instant: a late mail stays late. An
        internal error shunts the mail and is reported to the operator.

        Raises:
            StoreError: the database cannot be used now; the mail is still new.
        """
        # A mail that crashes the process while it is read ahead would not have been counted.
        self._queue.ahead = READ_AHEAD if self._has_begun else 0
        if not self._has_begun:
            if not self._application.post.waiting(1):
                return False
            self.warm_up()
            deadly, self._queue.ahead = self._begin()
            if deadly:
                return True
        mail = self._take(before)
        if mail is None:
            return False
        try:
            self._process([mail])
        finally:
            self._application.store.release_keys()
        return True

    def _take(self, before: datetime | None) -> StoredMail | None:
        """Find the mail whose turn it is, and lock its keys against other workers.

        Mails with keys locked by others are skipped. A mail with unknown keys is processed alone,
        and needs no locks.
        """
        store, busy = self._application.store, set[str]()
        while True:
            now = self._application.clock.now()
            mail = self._queue.next_mail(now, before, busy)
            if mail is None:
                if busy:
                    self._queue.wakes = min(self._queue.wakes or now + _BUSY, now + _BUSY)
                return None
            keys = self._queue.keys_of(mail)
            # A mail that may affect any game waits for all of them, while other mails pass it.
            done = (
                self._resolving.advance_games(_games_of(keys), mail.accepted) if keys
                else self._resolving.tick(mail.accepted, 1) > 0
            )
            if done:
                self._queue.invalidate()
            if not keys:
                if done:
                    continue
                return mail
            if not store.allows_parallel_writers:
                return mail
            if done is None or not store.lock_keys(keys | {_key(mail.id)}):
                busy |= keys
            elif self._queue.is_still_next(mail, now):
                return mail
            else:
                store.release_keys()

    def work_batch(self) -> int:
        """Process a batch of independent mails in one commit. Return their number.

        The first is the mail whose turn it is. With one writer at a time, each commit is a sync of
        the disk for which all others wait. The mails share no keys and touch no game that is due.
        An internal error rolls back one of them only.

        Raises:
            StoreError: as `work_one`.
        """
        if self._application.store.allows_parallel_writers or self.single_mails_left:
            worked = self.work_one()
            self.single_mails_left -= worked and self.single_mails_left > 0
            return int(worked)
        self._queue.ahead = READ_AHEAD
        first = self._take(None)
        if first is None:
            return 0
        mails = [first, *self._independent_mails(first)]
        self._process(mails)
        return len(mails)

    def _independent_mails(self, first: StoredMail) -> list[StoredMail]:
        """Return the mails that can share a commit with *first*, in order of their turns.

        They share no keys with it or each other, and touch no game that was due before.
        """
        found: list[StoredMail] = []
        busy = set(self._queue.keys_of(first))
        while busy and len(found) < MAX_BATCH_SECONDS // self._seconds_per_mail:
            mail = self._queue.next_mail(self._application.clock.now(), None, busy)
            if mail is None:
                break
            keys = self._queue.keys_of(mail)
            if not keys or self._resolving.due_among(_games_of(keys), mail.accepted):
                self._queue.put_back()
                break
            found.append(mail)
            busy |= keys
        return found

    def _prepare(self, mail: StoredMail) -> _Work:
        """Read a mail and do the slow password hashing."""
        work = _Work(mail)
        try:
            read = self._queue.read(mail)
            work.incoming, work.sheet = incoming, sheet = read.incoming, read.sheet
            seen, reading = self._queue.seen, self._reading
            work.unanswered = reading.find_no_reply_reason(seen.context, read)
            work.sheet = sheet = reading.resolve(mail, incoming, sheet, work.unanswered)
            if (sheet.commands or not work.unanswered) and reading.is_for_judge(mail):
                seen.dispatcher.prepare(incoming, sheet)
                dispatcher = self._application.dispatcher
                for held in dispatcher.waiting(incoming, sheet):
                    if (stored := self._application.post.get(held.mail)) is not None:
                        dispatcher.prepare(*reading.read_deferred(stored), released=True)
        except StoreError:
            raise
        except Exception as fault:
            # Isolate failures: one broken mail must not block the rest.
            work.story = _describe_fault(fault, work.incoming)
        return work

    def _process(self, mails: Sequence[StoredMail]) -> None:
        """Execute mails in one transaction, and shunt those with internal errors.

        Raises:
            StoreError: the database cannot be used now; the mails are still new.
        """
        works: list[_Work] = []
        try:
            works += map(self._prepare, mails)
            done = self._finish_all(works)
        except StoreError as fault:
            # Mails of a batch are tried one by one next, so that the failure is counted for one.
            self.single_mails_left = max(self.single_mails_left, len(mails))
            first = works[0] if works else _Work(mails[0])
            if len(mails) > 1 or not self._failed_often(first, fault):
                raise
            return
        for mail, each in zip(mails, done):
            # Another process may have worked the mail.
            if each is None:
                continue
            state, note, noted = each
            failpoint("worked")
            log_step(
                log.info, "worked", f"mail {mail.id} from <{mail.sender}>: {state.value}, {note}",
                mail=mail.id, state=state.value, note=note, letters=format_id_range(noted),
                after=format_seconds(mail.accepted, self._application.clock.now()),
            )

    def _finish_all(self, works: Sequence[_Work]) -> list[_Done | None]:
        """Execute prepared mails in one transaction."""
        def finish() -> list[_Done | None]:
            began = time.thread_time()
            done = [self._finish_one(work) for work in works]
            spent = (time.thread_time() - began) / len(works)
            self._seconds_per_mail = max(spent, MIN_MAIL_SECONDS)
            return done

        if self._queue.keys_of(works[0].mail):
            return self._application.store.run_concurrently(finish)
        with self._application.store.transaction():
            return finish()

    def _finish_one(self, work: _Work) -> _Done | None:
        """Execute a mail in a savepoint and return its results, or shunt it."""
        try:
            with self._application.store.transaction():
                if not work.story:
                    return self._finish(work)
                self._shunt(work, work.story)
        except StoreError:
            raise
        except Exception as fault:
            self._shunt(work, _describe_fault(fault, work.incoming))
        return None

    def _failed_often(self, work: _Work, fault: StoreError) -> bool:
        """Count a storage failure of a mail. Shunt the mail after too many."""
        most = MAX_TROUBLES if isinstance(fault, StoreTrouble) else MAX_TRIES
        with self._application.store.transaction():
            if self._application.post.count("failures", work.mail.id) < most:
                return False
            self._shunt(work, _describe_fault(fault, work.incoming))
        return True

    def warm_up(self) -> None:
        """Load grammars, maps and templates, which may take seconds.

        A process that is ended during this was not crashed by a mail, so no mail is counted yet.

        Raises:
            StoreTrouble: the maps in the database cannot be read now; the next call tries again.
        """
        if self.is_warm:
            return
        self.is_warm = True
        try:
            parse_mail(self._application.language, [Line(1, "STATUS")])
            for system in all_systems():
                table = opening_table(system)
                table.read_orders([Line(1, "hold")], table.powers_alive()[0], {})
            self._application.renderer.text(Letter(
                LetterKind.ERROR, "", "", "fault", {"reason": phrase("your-mail-set-aside")}
            ))
        except StoreTrouble:
            self.is_warm = False
            raise
        except Exception:
            # Mails that need nothing broken are still processed. The others are shunted.
            log.exception("something that mails need cannot be read")
        _freeze_loaded_objects()

    def _begin(self) -> tuple[bool, int]:
        """Count the first mail of this process, or shunt it after too many crashes.

        Only the first mail of a process is counted, and once: after a crash, the mail that caused
        it will be the first one sooner or later. Storage failures are no crashes. A mail locked by
        another worker is skipped, because that one has read it and still runs. Return whether a
        mail was shunted, and how many mails may be read now.
        """
        application, numbers = self._application, self._application.post.waiting(READ_AHEAD)
        for place, number in enumerate(numbers, start=1):
            if not application.store.lock_keys((_key(number),)):
                continue
            try:
                with application.store.transaction():
                    many = application.post.count("deaths", number) - 1
                    mail = application.post.get(number)
                    if is_deadly := mail is not None and many >= MAX_DEATHS:
                        story = f"The judge ended {many} times while it worked this mail."
                        self._shunt(_Work(mail), story)
                self._has_begun = not is_deadly
                return is_deadly, 0 if is_deadly else place
            finally:
                application.store.release_keys()
        return False, len(numbers)

    def _finish(self, work: _Work) -> _Done | None:
        """Execute a mail, inside a transaction. Return its results.

        Return None if another process has executed it.
        """
        application, mail, incoming = self._application, work.mail, work.incoming
        assert incoming is not None
        with application.post.collect_ids() as noted:
            if not application.post.is_new(mail.id):
                return None
            if any(self._reading.ours.is_operator(one) for one in mail.recipients):
                self._pass_on(mail)
            if not self._reading.is_for_judge(mail):
                state, note = MailState.DONE, "for the keeper"
            elif work.unanswered:
                state, note = MailState.IGNORED, self._note_machine(mail, incoming, work.unanswered)
            else:
                state, note = MailState.DONE, f"{self._carry_out(work, incoming)} letters"
            if work.unanswered == BANNED and work.sheet.commands:
                application.dispatcher.handle(incoming, work.sheet)
            application.post.finish(mail.id, state, note, application.clock.now())
            return state, note, noted

    def _carry_out(self, work: _Work, incoming: Incoming) -> int:
        """Execute the commands of a mail, and queue their letters. Return how many."""
        self._bouncing.restore_sender(incoming.sender, self._application.clock.now())
        mail, sheet = work.mail, work.sheet
        # A part that is retried is shunted again as it is.
        guard = run_unguarded if mail.part else partial(self._guard, work)
        # Deferred mails are found before this one is handled: once the sender is confirmed,
        # an empty reply no longer counts as a confirmation.
        with self._application.unit_of_work() as application:
            waiting = application.dispatcher.waiting(incoming, sheet)
            letters = application.dispatcher.handle(
                incoming, sheet, held_lines(mail.part), guard,
                self._queue.overtaken_games(mail, incoming.sender),
            )
            failpoint("handled")
            now, people = application.clock.now(), application.context.people
            if is_reply_suppressed(people, incoming.sender, incoming.detail, sheet, letters, now):
                log.warning("no more answers to <%s>, who may be a machine", incoming.sender)
                letters = []
            many = application.queue(letters, mail.id, incoming.sender)
        return many + self._release_deferred(waiting)

    def _guard(self, work: _Work, execute: Callable[[], None], first: int, last: int) -> bool:
        """Execute the commands for one seat. An internal error rolls back only these."""
        try:
            with self._application.store.transaction():
                execute()
        except StoreError:
            raise
        except Exception:
            part = f"{first}-{last}"
            shunt_mail(
                self._application, work.mail, traceback.format_exc(),
                incoming=work.incoming, sheet=part_of(work.sheet, part), part=part,
            )
            return False
        return True

    def _release_deferred(self, waiting: Sequence[PendingLine]) -> int:
        """Execute deferred commands after a confirmation, and queue the replies.

        Return the number of letters. A mail with an internal error is rolled back and shunted; the
        others are processed.
        """
        application, many = self._application, 0
        contested = self._conflicting_seats(waiting)
        for held in waiting:
            stored = application.post.get(held.mail)
            application.context.people.drop_held(held.mail)
            if stored is None:
                continue
            try:
                with application.store.transaction():
                    letters = application.dispatcher.handle(
                        *self._reading.read_deferred(stored), held.lines, contested=contested
                    )
                    many += application.queue(letters, held.mail)
            except StoreError:
                raise
            except Exception:
                # Isolate failures: one broken mail must not block the rest.
                part = pending_part(held.lines)
                shunt_mail(application, stored, traceback.format_exc(), part=part)
        return many

    def _conflicting_seats(self, waiting: Sequence[PendingLine]) -> Mapping[tuple[str, str], int]:
        """Return the seats for which deferred mails give different passwords."""
        sheets: list[tuple[int, ParsedMail]] = []
        for held in waiting if len(waiting) > 1 else ():
            stored = self._application.post.get(held.mail)
            # A mail that cannot be read is shunted with its traceback when it is executed.
            with suppress(Exception):
                if stored is not None:
                    _, sheet = self._reading.read_deferred(stored)
                    kept = tuple(one for one in sheet.commands if one.line in held.lines)
                    sheets.append((held.mail, ParsedMail(kept)))
        return self._application.dispatcher.conflicting_seats(sheets)

    def _note_machine(self, mail: StoredMail, incoming: Incoming, note: str) -> str:
        """Handle a mail that no person wrote, which may be about a letter. Return a note."""
        now = self._application.clock.now()
        if note == COMPLAINT:
            return f"{note} {self._bouncing.handle_complaint(mail, incoming.detail, now)}"
        number = self._bouncing.letter_of(incoming.detail)
        if note == BOUNCE and not number:
            number = self._bouncing.find_returned_letter(mail, now)
        if not number or note == "repeat":
            return note
        return f"{note}, {self._bouncing.handle_bounce(mail, number, now)}"

    def _pass_on(self, mail: StoredMail) -> None:
        """Queue a mail to the operator unchanged, under a trace header that ends loops.

        A mail with that header is not passed on again.
        """
        keeper = self._application.config.judge.keeper
        trace = f"Delivered-To: {keeper}".encode()
        heads = mail.raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].split(b"\n")
        if trace in heads:
            log.warning("mail %d is for the keeper and came back: not passed on", mail.id)
            return
        now = self._application.clock.now()
        out = Outgoing(
            id=NO_ID,
            to=keeper,
            sender=mail.sender,
            message_id=self._application.new_message_id(),
            message=make_received_line(mail, self._application.host)
            + trace
            + b"\r\n"
            + normalize_line_ends(mail.raw),
            queued=now,
            due=now,
            answers=mail.id,
        )
        self._application.post.queue(out)

    def _shunt(self, work: _Work, story: str) -> None:
        """Shunt a mail, unless another process has processed it."""
        application, mail = self._application, work.mail
        with application.store.transaction():
            if application.post.is_new(mail.id):
                shunt_mail(
                    application, mail, story,
                    incoming=work.incoming, sheet=work.sheet, part=mail.part,
                )


def _games_of(keys: Collection[str]) -> list[int]:
    return [int(key.removeprefix("game ")) for key in keys if key.startswith("game ")]


def _key(number: int) -> str:
    return f"mail {number}"


@cache
def _freeze_loaded_objects() -> None:
    """Exempt loaded objects from garbage collection, once in a process.

    Grammars, maps and templates are more than a hundred thousand objects that stay to the end. To
    traverse them all takes as long as ten mails.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD)


def _describe_fault(fault: BaseException, incoming: Incoming | None) -> str:
    """Return the report of a fault.

    For a mail that could not be read it has no message: which words are passwords is unknown then,
    and faults quote their data.
    """
    if incoming is not None:
        return "".join(traceback.format_exception(fault))
    places = traceback.format_tb(fault.__traceback__)
    return "".join([*places, f"{type(fault).__name__}, while the mail was read\n"])
