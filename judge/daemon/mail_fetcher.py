"""Fetching of mail from a mailbox, as an alternative to the SMTP listener.

A mail is moved in the mailbox only once the judge has stored it, with its place, in one commit. So
a crash at any instant neither loses nor doubles a mail. What is new is always asked for by a
search; notices of the server only begin it sooner.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from hashlib import sha256

from judge.daemon.application import Application
from judge.daemon.log_fields import log_step
from judge.daemon.mail_filter import NOT_ADDRESSED, MailFilter
from judge.errors import ConfigError, StoreError
from judge.failpoints import failpoint
from judge.mail.address import addresses
from judge.mail.imap.account import read_account, read_secret
from judge.mail.imap.box import Mailbox, MailboxFault, MailFacts, MoveRefused, open_mailbox
from judge.mail.inbound.automatic_mail import classify
from judge.mail.inbound.envelope import Envelope, format_peer
from judge.mail.inbound.mime import Entity
from judge.model.incoming import Arrival, MailboxPlace
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from judge.model.record import MailState
from judge.play.letters.letter_factory import answering
from judge.play.resolver import OUTAGE
from judge.store.database import Store
from judge.store.mail_queues import headers_of
from judge.store.mail_writer import Writer
from judge.store.mailboxes import Mailboxes
from judge.store.schema import MailboxState

log = logging.getLogger("judge.fetch")

MARGIN = timedelta(seconds=30)
"""Maximum time from the date of a mail until a search finds it."""
WINDOW = timedelta(days=14)
"""Age at the last look, or at the first one, of the oldest mail that is fetched.

A shared mailbox has many older mails, and each new connection reads the headers of all."""
BATCH_SIZE = 20
"""Number of mails in one commit and one move."""
STORE_SECONDS = 60.0
"""Seconds the database has to store a batch."""
MIN_REST_SECONDS = 1.0
MAX_REST_SECONDS = 300.0
FULL_PERCENT = 80
"""Part of the quota from which the operator is warned."""
_MOMENT = timedelta(microseconds=1)
_SECOND = timedelta(seconds=1)
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_LOCK = "fetching"
_AWAY = "mailbox away"


def max_gap(every: timedelta) -> timedelta:
    """Return the longest time between two looks that is no outage.

    *every* is the usual time, which is long if cron starts the looks. One of them may be late.

    >>> [str(max_gap(timedelta(minutes=minutes))) for minutes in (1, 30)]
    ['0:15:00', '1:00:00']
    """
    return max(OUTAGE, 2 * every)


def rest_seconds(failures: int, is_lasting: bool) -> float:
    """Return the seconds to wait after *failures* failed connections in a row.

    >>> [rest_seconds(failures, False) for failures in (1, 2, 3, 20)], rest_seconds(1, True)
    ([1.0, 2.0, 4.0, 300.0], 300.0)
    """
    if is_lasting:
        return MAX_REST_SECONDS
    return min(MIN_REST_SECONDS * (1 << min(failures - 1, 10)), MAX_REST_SECONDS)


class MailFetcher:
    """Fetcher of mail from one mailbox, which runs in a thread of its own.

    *arrived* is called after mails were stored and after each complete look, *busy* before each
    piece of work and *idle* before a wait.
    """

    def __init__(
        self, application: Application, *,
        arrived: Callable[[], object] = lambda: None,
        busy: Callable[[], object] = lambda: None,
        idle: Callable[[], object] = lambda: None,
        is_stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self._application = application
        self._boxes = Mailboxes(application.store)
        self._arrived, self._busy, self._idle = arrived, busy, idle
        self._is_stopping = is_stopping
        config = application.config
        self._section = config.fetch
        self._max_gap = max_gap(config.fetch.every)
        self._account = read_account(config.fetch.from_)
        self._filter = MailFilter(application)
        self._writer = Writer(Store(config.store.url), application.clock)
        self._started = application.clock.now()
        self._tidied: datetime | None = None
        self._reported: datetime | None = None
        self._failures = 0
        self._handled: set[int] = set()
        self._left_alone: dict[int, datetime | None] = {}
        """Dates of mails that stay in the mailbox, by UID. None if they do not name the judge."""
        self._validity = 0
        self._stored = 0

    @contextmanager
    def running(self) -> Iterator["MailFetcher"]:
        """Run the thread that stores mails during a block."""
        self._writer.start()
        try:
            yield self
        finally:
            self._writer.stop(STORE_SECONDS)

    def run(self, rest: Callable[[float], object]) -> None:
        """Fetch mail until the judge stops. *rest* waits a number of seconds, or less."""
        with self.running():
            while not self._is_stopping():
                self._busy()
                seconds = self._run_connection()
                self._idle()
                rest(seconds)

    def _run_connection(self) -> float:
        """Fetch mail over one connection, until it fails. Return the seconds to rest."""
        try:
            with closing(self._application.store.engine.numbers(_LOCK)) as numbers:
                if not numbers.take(1):
                    # Another process fetches from this mailbox.
                    return min(self._section.every.total_seconds(), MAX_REST_SECONDS)
                with self._connect() as box:
                    while not self._is_stopping():
                        # It selects another folder, and a look selects the right one again.
                        self._tidy(box)
                        has_found = self.look(box)
                        self._idle()
                        box.wait(self._seconds_to_wait(has_found), self._is_stopping)
                        self._busy()
        except (MailboxFault, ConfigError) as fault:
            log.warning("mail cannot be fetched: %s", fault)
            return self._note_fault(fault)
        except StoreError as fault:
            log.error("the database failed: %s", fault)
            self._application.store.close()
            return rest_seconds(2, False)
        return 0.0

    def fetch_once(self) -> int:
        """Look once, for cron. Return the number of mails stored.

        Raises:
            MailboxFault: the mailbox cannot be used now.
            ConfigError: the password cannot be read.
            StoreError: the database cannot be used now.
        """
        with closing(self._application.store.engine.numbers(_LOCK)) as numbers, self.running():
            if numbers.take(1):
                try:
                    with self._connect() as box:
                        self._tidy(box)
                        self.look(box)
                except (MailboxFault, ConfigError) as fault:
                    self._note_fault(fault)
                    raise
            return self._stored

    @contextmanager
    def _connect(self) -> Iterator[Mailbox]:
        self._handled.clear()
        self._left_alone.clear()
        secret = read_secret(self._account, self._section)
        section = self._section
        with open_mailbox(self._account, secret, section.auth, section.done) as box:
            yield box

    def look(self, box: Mailbox) -> bool:
        """Fetch all new mails, and record the look. Return whether there were any.

        Raises:
            MailboxFault: the mailbox cannot be used now. The look does not count.
            StoreError: a mail could not be stored, and is fetched again. The look does not count.
        """
        now = self._application.clock.now()
        began = now - MARGIN
        state = self._boxes.state(box.name)
        since = (state.looked or now) - WINDOW
        validity = box.select()
        if validity != self._validity:
            self._handled.clear()
            self._left_alone.clear()
            self._validity = validity
        before = self._stored
        while True:
            there = box.search(since)
            new = [uid for uid in there if uid not in self._handled]
            if not new:
                break
            facts = box.read_facts(new)
            for at in range(0, len(facts), BATCH_SIZE):
                self._busy()
                self._take(box, state, facts[at:at + BATCH_SIZE])
            # Those that had vanished are not asked for again.
            self._handled.update(new)
        self._left_alone = {uid: self._left_alone[uid] for uid in self._left_alone.keys() & there}
        away = self._boxes.record_look(box.name, began, len(self._left_alone), self._max_gap)
        if away is not None:
            log.warning(
                "the mailbox %s was away since %s, which is longer than %s; if `judge fetch` runs"
                " less often, set [fetch] every to its interval", box.name, away, self._max_gap,
            )
        if away is not None or self._failures:
            # The next outage is reported again, even on the same day.
            self._application.context.people.delete_question(_AWAY)
        self._failures = 0
        self._arrived()
        self._report_unread(box.name, now)
        return self._stored > before

    def _take(self, box: Mailbox, state: MailboxState, facts: Sequence[MailFacts]) -> None:
        """Store some mails, then move them and those stored before."""
        now = self._application.clock.now()
        done = [
            each.uid for each in facts if self._boxes.is_fetched(
                box.name, self._validity, each.uid, each.size, each.dated, now
            )
        ]
        rest = [each for each in facts if each.uid not in done]
        heads = box.read_headers([each.uid for each in rest]) if rest else {}
        submitted: list[tuple[int, Arrival, Future[int]]] = []
        hashes: set[str] = set()
        for each in rest:
            head = heads.get(each.uid)
            envelope, is_wanted = NOT_ADDRESSED if head is None else self._filter.select(
                head, self._is_too_big(each.size)
            )
            if head is None or not is_wanted:
                self._leave_alone(each, envelope)
                continue
            arrival = self._read(box, state, each, envelope)
            if arrival is None or arrival.place is None:
                continue
            if not self._filter.is_wanted(envelope, arrival):
                self._leave_alone(each, envelope)
                continue
            if arrival.place.hash in hashes or self._boxes.is_double(arrival.place, now):
                done.append(each.uid)
            elif self._is_too_big(each.size, arrival.raw):
                self._refuse(arrival, head, each.size)
                done.append(each.uid)
            else:
                failpoint("fetched")
                submitted.append((each.uid, arrival, self._writer.submit(arrival)))
            hashes.add(arrival.place.hash)
        self._move(box, [*done, *self._wait_for(submitted)])

    def _leave_alone(self, facts: MailFacts, envelope: Envelope) -> None:
        """Remember a mail that stays in the mailbox."""
        self._left_alone[facts.uid] = facts.dated if envelope.recipient else None

    def _read(
        self, box: Mailbox, state: MailboxState, facts: MailFacts, envelope: Envelope
    ) -> Arrival | None:
        """Fetch a mail. Return None if it is gone. One that is too big is cut off."""
        raw = box.read_mail(facts.uid, self._application.config.policy.max_message + 1)
        if raw is None:
            return None
        place = MailboxPlace(
            box.name, self._validity, facts.uid, facts.size, facts.dated,
            sha256(raw).hexdigest(), Entity(raw).first("message-id").strip()[:1000],
        )
        # What the last complete look did not find was not there. Before the first one, nothing
        # shows when a mail came.
        came = None if state.looked is None else max(facts.dated, state.looked + _MOMENT)
        peer = format_peer(self._account.host, "IMAP", self._account.host)
        return Arrival(raw, envelope.sender, (envelope.recipient,), peer, came, place)

    def _is_too_big(self, size: int, raw: bytes = b"") -> bool:
        return max(size, len(raw)) > self._application.config.policy.max_message

    def _wait_for(self, submitted: Sequence[tuple[int, Arrival, "Future[int]"]]) -> list[int]:
        """Wait until mails are stored. Return the UIDs of those that are.

        Raises:
            StoreError: the database failed. All mails that are not stored are fetched again.
        """
        stored: list[int] = []
        for uid, arrival, answer in submitted:
            try:
                number = answer.result(STORE_SECONDS)
            except FutureTimeout:
                raise StoreError("the database is busy") from None
            except StoreError:
                raise
            except Exception:
                # The mail itself cannot be stored. It stays, and must not stop the others.
                log.exception("a mail from <%s> cannot be stored", arrival.sender)
                self._left_alone[uid] = None
                continue
            failpoint("stored")
            self._stored += 1
            log_step(
                log.info, "accepted", f"mail {number} from <{arrival.sender}> by {arrival.peer}",
                mail=number, sender=arrival.sender or "<>", by=arrival.peer,
                octets=len(arrival.raw),
            )
            stored.append(uid)
        if stored:
            self._arrived()
        return stored

    def _move(self, box: Mailbox, uids: Sequence[int]) -> None:
        """Move mails that are stored. If the server refuses, they stay, and are known."""
        try:
            box.put_away(uids)
        except MoveRefused as fault:
            log.warning("mails in %s cannot be moved: %s", box.name, fault)
            self._tell_operator(
                "mailbox moves", "mails cannot be moved in the mailbox",
                f"The judge stores the mails of {box.name}, but cannot move them to"
                f" {self._section.done!r}: {fault}. No mail is lost or read twice. They stay where"
                " they are until that works.",
            )
        else:
            failpoint("moved")

    def _refuse(self, arrival: Arrival, head: bytes, size: int) -> None:
        """Store the headers of a mail that is too big, and answer it if it is of a seat."""
        application, now = self._application, self._application.clock.now()
        most = application.config.policy.max_message
        sender = next(iter(addresses(Entity(head).first("from"))), "")
        is_automatic = bool(classify(Entity(head), sender, arrival.sender, self._filter.ours))
        with application.store.transaction():
            short = Arrival(
                headers_of(head), arrival.sender, arrival.recipients, arrival.peer, arrival.came,
                arrival.place,
            )
            [number] = application.post.accept([short], now)
            note = f"larger than {most} bytes"
            application.post.finish(number, MailState.IGNORED, note, now)
            people, question = application.context.people, f"too big {sender.casefold()}"
            if (
                sender and not is_automatic and application.games.seats_at(sender)
                and people.ask_once(question, now, now - _HOUR)
            ):
                reason = phrase("mail-too-big", size=size // 1000, most=most // 1000)
                application.queue([Letter(
                    kind=LetterKind.ERROR, to=sender, template="fault",
                    subject=answering(phrase("event-your-mail")), facts={"reason": reason},
                    answers=Entity(head).first("message-id") or "-",
                )], number)
        log_step(
            log.warning, "refused", f"mail {number} from <{arrival.sender}> is {note}",
            mail=number, sender=arrival.sender or "<>", octets=size,
        )
        self._stored += 1

    def _seconds_to_wait(self, has_found: bool) -> float:
        """Return the seconds until the next look.

        A game is adjudicated once a look began after its deadline. So one is needed soon after a
        deadline, and after mails that may complete a phase.
        """
        seconds = self._section.every.total_seconds()
        soon = MARGIN + _SECOND
        if has_found:
            seconds = min(seconds, soon.total_seconds())
        due = self._application.resolver.next_due()
        looked = self._boxes.state(self._account.name).looked
        if due is not None and looked is not None and due > looked:
            left = (due + soon - self._application.clock.now()).total_seconds()
            seconds = min(seconds, max(left, MIN_REST_SECONDS))
        return seconds

    def _tidy(self, box: Mailbox) -> None:
        """Delete old mails, and look at quota and junk, once an hour."""
        now = self._application.clock.now()
        if self._tidied is not None and now - self._tidied < _HOUR:
            return
        if self._section.keep:
            box.expunge_done(now - self._section.keep)
        percent = box.read_quota()
        junk = self._filter.count_replies(box.read_junk_headers(now - WINDOW))
        self._boxes.record_condition(box.name, percent, junk)
        if percent >= FULL_PERCENT:
            log.warning("the mailbox %s is full to %d %%", box.name, percent)
            self._tell_operator(
                "mailbox quota", "the mailbox is nearly full",
                f"The mailbox {box.name} is full to {percent} %. Once it is full, mail of players"
                " is returned to them. Delete mails in it, or set a shorter keep in [fetch].",
            )
        self._tidied = now

    def _report_unread(self, box: str, now: datetime) -> None:
        """Report mails that were left in the inbox or in the junk folder, once a day."""
        if self._reported is not None and now - self._reported < _HOUR:
            return
        self._reported = now
        dates = filter(None, self._left_alone.values())
        left, junk = sum(date > now - _DAY for date in dates), self._boxes.state(box).junk
        said = []
        if left:
            said.append(
                f"Mails of the last 24 hours to the judge that were left in the inbox of {box}:"
                f" {left}. They are newsletters, notices, or mail of strangers without a command."
            )
        if junk:
            said.append(
                f"Mails in the folder for junk of {box} that answer letters of the judge: {junk}."
                " The judge does not read that folder. Move them to the inbox."
            )
        if said:
            self._tell_operator("mailbox unread", "mail that was not read", "\n\n".join(said))

    def _note_fault(self, fault: MailboxFault | ConfigError) -> float:
        """Count a fault. Return the seconds to rest.

        The operator gets a letter about a lasting fault at once, and about others after a while.
        """
        self._failures += 1
        is_lasting = isinstance(fault, ConfigError) or fault.is_lasting
        try:
            self._boxes.record_fault(self._account.name)
            since = self._boxes.state(self._account.name).looked or self._started
            if is_lasting or self._application.clock.now() - since > self._max_gap:
                self._tell_operator(
                    _AWAY, "the mailbox cannot be read",
                    f"Mail cannot be fetched from {self._account.name} since"
                    f" {since:%Y-%m-%d %H:%M} UTC: {fault}. The judge tries again and again. Until"
                    " it succeeds, no deadline passes. If that takes longer than"
                    f" {self._max_gap // timedelta(minutes=1)} minutes, deadlines that passed"
                    " meanwhile are moved, and the players are told.",
                )
        except StoreError as trouble:
            log.error("the database failed: %s", trouble)
            self._application.store.close()
        return rest_seconds(self._failures, is_lasting)

    def _tell_operator(self, question: str, subject: str, text: str) -> None:
        """Send the operator a letter, once a day for each question."""
        application, now = self._application, self._application.clock.now()
        with application.store.transaction():
            if application.context.people.ask_once(question, now, now - _DAY):
                application.notify_operator(subject, text, now)
