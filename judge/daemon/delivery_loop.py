"""Delivery loop: outgoing letters to the Maildir or the next mail server.

Letters are claimed for a while and handed to several threads: those to one address one after
another in their order, few at a time to one domain. These are daemon threads without a database
connection, so that an unresponsive server delays neither the queue nor the end of the process.
Claims are renewed, so that two processes never send one letter. A claim contains the number of its
process, which is locked: claims of a process that has exited are released by the next one that
starts or checks.
A letter that waits for a picture is not due (`picture_worker`).
"""

import logging
import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from queue import Empty, SimpleQueue
from socket import gethostname
from urllib.parse import urlsplit

from judge.daemon.application import Application
from judge.daemon.bounces import BounceHandler
from judge.daemon.budget_notices import report_waiting_letters
from judge.daemon.error_reports import report_fault
from judge.daemon.log_fields import format_seconds, log_step
from judge.daemon.picture_worker import PictureInserter
from judge.errors import StoreError
from judge.failpoints import failpoint
from judge.mail.outbound.delivery import (
    ACCOUNT_REST,
    AccountRefused,
    ConnectionBroken,
    Delivery,
    PermanentFailure,
    TemporaryFailure,
    Unreachable,
    is_given_up,
    rest_delay,
    retry_delay,
)
from judge.model.letter import LetterPriority
from judge.model.record import Outgoing
from judge.play.mail_locks import person_key
from judge.store.locks import SenderNumber
from judge.store.queue_report import Queues
from judge.store.send_budget import Allowance, SendBudget


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """Result of a delivery attempt. Without a fault the letter was accepted."""

    letter: Outgoing
    fault: PermanentFailure | TemporaryFailure | None = None
    story: str = ""
    """Traceback of an internal error, or ""."""
    also: str = ""
    """Message-ID that the next server named, or ""."""


class DeliveryPool:
    """Pool with one thread for each letter that may be in delivery at once."""

    def __init__(self, delivery: Delivery) -> None:
        self.delivery = delivery
        self._letters: SimpleQueue[Outgoing | None] = SimpleQueue()
        self._fates: SimpleQueue[DeliveryResult] = SimpleQueue()
        self._threads: list[threading.Thread] = []

    def submit(self, letter: Outgoing) -> None:
        """Deliver a letter in a thread. `collect_results` returns the result."""
        if not self._threads:
            self._threads = [
                threading.Thread(target=self._work, name="lane", daemon=True)
                for _ in range(self.delivery.max_concurrent)
            ]
            for thread in self._threads:
                thread.start()
        self._letters.put(letter)

    def collect_results(self, seconds: float) -> list[DeliveryResult]:
        """Return the results so far, or wait up to *seconds* for the first one."""
        fates: list[DeliveryResult] = []
        with suppress(Empty):
            while True:
                fates.append(self._fates.get(timeout=0.0 if fates else seconds))
        return fates

    def close(self) -> None:
        """End the threads once they are idle, without waiting for them."""
        for _ in self._threads:
            self._letters.put(None)
        self._threads = []

    def _work(self) -> None:
        while (letter := self._letters.get()) is not None:
            self._fates.put(self._deliver(letter))

    def _deliver(self, letter: Outgoing) -> DeliveryResult:
        try:
            also = self.delivery.deliver(letter) or ""
        except (PermanentFailure, TemporaryFailure) as fault:
            return DeliveryResult(letter, fault)
        except Exception as fault:
            # Isolate failures: one broken letter must not block the rest.
            return DeliveryResult(
                letter, PermanentFailure(f"our own fault: {fault!r}"), traceback.format_exc()
            )
        failpoint("sent")
        return DeliveryResult(letter, also=also)


log = logging.getLogger("judge.sender")

_BATCH = 50
_LEASE = timedelta(minutes=2)
"""Time after which a claim expires, unless it is renewed."""
POLL_INTERVAL = timedelta(seconds=2)
"""Interval between checks for claims of processes that have exited."""
_RENEWED = timedelta(seconds=30)
_BUDGET_REPORT_INTERVAL = timedelta(minutes=10)
"""Interval between checks for letters that wait for the limit of a day."""
_OF_A_DOMAIN = 10
"""Maximum number of addresses of one domain with claimed letters."""
GATHER_SECONDS = 0.1
"""Seconds between two claims of one process, unless many letters are due.

Each claim is a commit, for which all writers on SQLite wait.
"""
_MAX_BROKEN_CONNECTIONS = 3
"""Number of broken connections in a row that shows a fault of the server."""
_MAX_ACCOUNT_REFUSALS = 2
"""Number of letters refused in a row because of the account, after which the queue rests."""


class DeliveryLoop:
    """Delivery loop, which sends due letters and stores the results.

    Letters and results of *gathered* seconds share a commit.
    """

    def __init__(self, application: Application, delivery: Delivery, gathered: float = 0.0) -> None:
        self._application = application
        self._gathered = gathered
        self._gathers_until = 0.0
        self._post = application.post
        self._queues = Queues(application.store)
        self._clock = application.clock
        self.owner_lock = SenderNumber(application.store.engine.numbers("sender"))
        self._looked: datetime | None = None
        self._is_unsettled = False
        """True if an earlier process with this number may still run."""
        self._pool = DeliveryPool(delivery)
        self._bouncing = BounceHandler(application)
        deliver = application.config.deliver
        self._budget = SendBudget(application.store, deliver.max_per_day, deliver.max_per_minute)
        self._budget_checked: datetime | None = None
        self._inserter = PictureInserter(application)
        self._waiting: deque[Outgoing] = deque()
        self._flying: dict[int, Outgoing] = {}
        self._unmarked: list[DeliveryResult] = []
        self._leased_until: datetime | None = None
        self._server = server_of(application.config.deliver.to)
        self._rest_until: datetime | None = None
        self._unreached = self._broken = self._account_refusals = 0
        self.tried = 0
        """Number of letters whose results are stored."""

    def run_once(self, seconds: float, due: datetime | None = None) -> bool:
        """Start deliveries, wait up to *seconds* for a result, and store the results.

        Letters due by now, or by *due*, are claimed. Return whether there was anything to send.
        Connections are closed while idle.

        Raises:
            StoreError: the database cannot be used now. Results of letters are stored later.
        """
        self._record_results()
        self._renew()
        self._reclaim_orphaned_letters()
        if self._waiting or self._flying:
            self._hold_number()
        self._start()
        if len(self._flying) < self._pool.delivery.max_concurrent:
            self._claim(due)
            self._start()
        if not self._flying and not self._unmarked:
            self._pool.delivery.close_idle()
            return False
        self._unmarked += self._pool.collect_results(0.0 if self._unmarked else seconds)
        until = time.monotonic() + self._gathered / 2
        while len(self._unmarked) < len(self._flying) and time.monotonic() < until:
            self._unmarked += self._pool.collect_results(self._gathered / 10)
        self._record_results()
        return True

    def drain(self) -> int:
        """Send all letters that are due now. Return the number tried.

        Raises:
            StoreError: as `run_once`.
        """
        before, now = self.tried, self._clock.now()
        while self.run_once(1.0, now):
            pass
        return self.tried - before

    def release(self) -> None:
        """Release claims of letters not in delivery, for other processes.

        Raises:
            StoreError: the claims expire by themselves.
        """
        self._unmarked += self._pool.collect_results(0.0)
        self._record_results()
        self._post.release_claims([letter.id for letter in self._waiting], self._clock.now())
        self._waiting.clear()

    def close(self) -> None:
        """End the threads without waiting for letters in delivery.

        Those stay claimed until the process ends, because they may still be sent.
        """
        self._pool.close()
        if not self._flying:
            self.owner_lock.close()

    def _reclaim_orphaned_letters(self) -> None:
        """Release the claims of processes that have exited."""
        now = self._clock.now()
        if self._looked is not None and timedelta() <= now - self._looked < POLL_INTERVAL:
            return
        self._looked = now
        if self._is_unsettled:
            self._hold_number()
            self._free_number(now)
        for number in self._queues.owners():
            with self.owner_lock.check_owner_exited(number) as is_dead:
                if is_dead:
                    many = self._queues.release_claims(number, now)
                    log.warning("%d letters that a dead sender had in hand are given back", many)

    def _hold_number(self) -> None:
        """Ensure that this process has a number, and has not lost it.

        If it was lost, another process may have claimed the waiting letters. Letters in delivery
        stay claimed under the new number, so that no other process sends them too.
        """
        if self.owner_lock.is_lost():
            self._waiting.clear()
        if self.owner_lock.take():
            now, number = self._clock.now(), self.owner_lock.number
            try:
                with self._application.store.transaction():
                    self._free_number(now)
                    self._post.renew_claims(list(self._flying), now + _LEASE, number)
            except StoreError:
                # The number is taken again, and this repeated, when the database can be used.
                self.owner_lock.close()
                raise
            if self._flying:
                self._leased_until = now + _LEASE

    def _free_number(self, now: datetime) -> None:
        """Release claims of an earlier process with this number, once it has exited."""
        self._is_unsettled = not self.owner_lock.had_owner_exited()
        if not self._is_unsettled:
            self._queues.release_claims(self.owner_lock.number, now, self._list_claims())

    def _list_claims(self) -> list[int]:
        """Return the ids of the letters claimed by this sender."""
        return [*self._flying, *(letter.id for letter in self._waiting)]

    def _renew(self) -> None:
        """Renew the claims from time to time."""
        now = self._clock.now()
        if not self._list_claims() or self._leased_until is None:
            return
        if now >= self._leased_until:
            # The claims have expired, and other processes may have the letters.
            self._waiting.clear()
        if now + _LEASE - self._leased_until >= _RENEWED:
            self._post.renew_claims(self._list_claims(), now + _LEASE, self.owner_lock.number)
            self._leased_until = now + _LEASE

    def _claim(self, due: datetime | None) -> None:
        """Claim due letters, as far as there is room, but none for busy addresses."""
        now = self._clock.now()
        mine = [*self._flying.values(), *self._waiting]
        if len(mine) >= _BATCH or self._rests(now):
            return
        limit, allowance = _BATCH - len(mine), self._find_allowance(now)
        if allowance is not None and not (limit := min(limit, allowance.letters)):
            return
        gathers = self._gathers_until - time.monotonic()
        if gathers > 0:
            if mine:
                return
            time.sleep(gathers)
        busy = {letter.to.lower() for letter in mine}
        domains = Counter(_domain(address) for address in busy)
        busy.update(f"@{name}" for name, many in domains.items() if many >= _OF_A_DOMAIN)
        until = now + _LEASE
        self._hold_number()
        claimed = self._post.claim_out(
            due or now, limit, until, busy, self.owner_lock.number,
            None if allowance is None else allowance.priority,
        )
        if len(claimed) < limit:
            self._gathers_until = time.monotonic() + self._gathered
        if claimed and not mine:
            self._leased_until = until
            # Another thread or process may have replaced the keys of the tokens.
            self._application.context.tokens.refresh()
        self._waiting.extend(filter(None, map(self._insert_pictures, claimed)))

    def _find_allowance(self, now: datetime) -> Allowance | None:
        """Return what the limits of the mail account permit now, or None without limits.

        Letters that wait for the limit of a day are reported.
        """
        if not self._budget.is_limited:
            return None
        allowance, checked = self._budget.find_allowance(now), self._budget_checked
        is_recent = checked is not None and timedelta() <= now - checked < _BUDGET_REPORT_INTERVAL
        if allowance.priority is LetterPriority.ESSENTIAL and not is_recent:
            self._budget_checked = now
            if waiting := self._budget.list_waiting(now):
                report_waiting_letters(self._application, waiting, now)
        return allowance

    def _insert_pictures(self, letter: Outgoing) -> Outgoing | None:
        """Return a letter with its pictures. Give it up and return None if that fails."""
        try:
            return self._inserter.insert_pictures(letter)
        except StoreError:
            raise
        except Exception as fault:
            # Isolate failures: one broken letter must not block the rest.
            ours = PermanentFailure(f"our own fault: {fault!r}")
            self._unmarked.append(DeliveryResult(letter, ours, traceback.format_exc()))
            return None

    def _start(self) -> None:
        """Start deliveries, the oldest first, one at a time for each address."""
        addresses = {letter.to.lower() for letter in self._flying.values()}
        domains = Counter(_domain(address) for address in addresses)
        delivery, rest = self._pool.delivery, deque[Outgoing]()
        for letter in self._waiting:
            address = letter.to.lower()
            full = len(self._flying) >= delivery.max_concurrent
            full = full or domains[_domain(address)] >= delivery.of_a_domain
            if full or address in addresses:
                rest.append(letter)
            else:
                self._flying[letter.id] = letter
                domains[_domain(address)] += 1
                self._pool.submit(self._bouncing.address_letter(letter))
            addresses.add(address)
        self._waiting = rest

    def _rests(self, now: datetime) -> bool:
        """Return whether delivery is paused, because a sender could not reach the server.

        All senders to the same server share the pause.
        """
        key_values = self._application.key_values
        self._rest_until, self._unreached = key_values.delivery_pause(self._server)
        return self._rest_until is not None and now < self._rest_until

    def _record_results(self) -> None:
        """Store delivery results. Sent and deferred letters share one transaction."""
        while self._unmarked:
            now, store = self._clock.now(), self._application.store
            fates = [fate for fate in self._unmarked if not _is_final(fate, now)]
            if fates:
                with store.delivery_transaction():
                    for fate in fates:
                        self._note(fate, now)
            else:
                fates = self._unmarked[:1]
                self._give_up(fates[0], now)
            noted = {fate.letter.id for fate in fates}
            self._unmarked = [one for one in self._unmarked if one.letter.id not in noted]
            self.tried += len(fates)
            for fate in fates:
                self._flying.pop(fate.letter.id, None)
                self._pause_if_server_down(fate, now)

    def _give_up(self, fate: DeliveryResult, now: datetime) -> None:
        """Store the result of a letter that is given up.

        It is counted at its address and may be reported in games, so that its person must be
        locked.
        """
        store = self._application.store
        key = person_key(self._application.context, fate.letter.to)
        if not store.lock_keys((key,)):
            with store.transaction():
                self._note(fate, now)
            return
        try:
            store.run_concurrently(partial(self._note, fate, now))
        finally:
            store.release_keys()

    def _note(self, fate: DeliveryResult, now: datetime) -> None:
        letter, fault = fate.letter, fate.fault
        if fault is None:
            self._post.mark_sent(letter.id, now, fate.also)
            _log_result(log.info, "sent", "is sent", fate, now)
        elif _is_final(fate, now):
            self._post.mark_failed(letter.id, str(fault), now)
            _log_result(log.error, "failed", f"is given up: {fault}", fate, now)
            self._bouncing.handle_failure(letter, fault, now)
            if fate.story:
                subject, text = f"letter {letter.id} cannot be sent", "It is given up."
                report_fault(self._application, subject, text, fate.story, now)
        else:
            wait = retry_delay(letter.tries + 1, letter.message_id)
            if isinstance(fault, Unreachable):
                wait = rest_delay(self._unreached + 1)
            self._post.schedule_retry(letter.id, now + wait, str(fault))
            _log_result(log.warning, "deferred", f"is put off: {fault}", fate, now)

    def _pause_if_server_down(self, fate: DeliveryResult, now: datetime) -> None:
        """Pause delivery if the server fails, not a single letter."""
        fault, key_values = fate.fault, self._application.key_values
        is_broken, is_account = (
            isinstance(fault, kind) for kind in (ConnectionBroken, AccountRefused)
        )
        self._broken = self._broken + 1 if is_broken else 0
        self._account_refusals = self._account_refusals + 1 if is_account else 0
        is_refused = self._account_refusals >= _MAX_ACCOUNT_REFUSALS
        is_down = isinstance(fault, Unreachable) or self._broken >= _MAX_BROKEN_CONNECTIONS
        if not is_down and not is_refused:
            if not is_broken and not is_account and self._unreached:
                self._rest_until, self._unreached = None, 0
                key_values.resume_delivery(self._server)
            return
        with self._application.store.transaction():
            # Another sender may have found the same just now.
            if not self._rests(now):
                self._unreached += 1
                rest = ACCOUNT_REST if is_refused else rest_delay(self._unreached)
                self._rest_until = now + rest
                key_values.pause_delivery(self._server, self._rest_until, self._unreached)
                log.warning("the queue rests until %s: %s", self._rest_until, fault)
            self._put_off(fault, now)

    def _put_off(self, fault: Exception | None, now: datetime) -> None:
        """Release the waiting letters until the pause ends. Give up expired ones."""
        assert self._rest_until is not None
        old = [letter for letter in self._waiting if is_given_up(letter, now)]
        young = [letter.id for letter in self._waiting if not is_given_up(letter, now)]
        self._post.release_claims(young, self._rest_until)
        self._waiting.clear()
        same = fault if isinstance(fault, AccountRefused) else Unreachable(str(fault))
        self._unmarked += [DeliveryResult(letter, same) for letter in old]


def _is_final(fate: DeliveryResult, now: datetime) -> bool:
    """Return whether a letter is given up after this result."""
    fault = fate.fault
    return fault is not None and (
        isinstance(fault, PermanentFailure) or is_given_up(fate.letter, now)
    )


def _log_result(
    write: Callable[..., None], event: str, result: str, fate: DeliveryResult, now: datetime
) -> None:
    """Log a letter's step. `mail` is the mail it answers."""
    letter = fate.letter
    log_step(
        write, event, f"letter {letter.id} to <{letter.to}> {result}",
        mail=letter.answers, letter=letter.id, to=letter.to, kind=letter.kind, game=letter.game,
        tries=letter.tries + 1, after=format_seconds(letter.queued, now),
        error=str(fate.fault or ""),
    )


def _domain(address: str) -> str:
    return address.rpartition("@")[2]


def server_of(to: str) -> str:
    """Return a key of the server that letters are handed to.

    A server on the same machine, or a Maildir, has a key of its own for each machine.

    >>> server_of("smtps://judge:secret@mx.example.org:465?tls=required")
    'mx.example.org:465'
    >>> server_of("smtp://127.0.0.1:25").endswith(" 127.0.0.1:25")
    True
    """
    parts = urlsplit(to)
    place = parts.netloc.rpartition("@")[2] or parts.path
    host = parts.hostname or ""
    is_near = host in ("", "localhost", "::1") or host.startswith("127.")
    return f"{gethostname()} {place}" if is_near else place
