"""`judge serve`: listener, worker and delivery in one process, and its shutdown.

The worker is one thread. It processes waiting mails, but after `MAX_MAILS_IN_A_ROW` of them one due
game has its turn, and after each due game the mails come first again. Even if hundreds of games are
due at once, a mail waits for one or two of them. The worker wakes when a mail is accepted, when a
game is due, and at every tick of the configuration. On PostgreSQL each part can also run in
processes of its own: `judge listen`, and the others with `--loop`.
"""

import asyncio
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from judge.clock import Clock
from judge.config import Config
from judge.daemon.application import Application, open_application, use_application
from judge.daemon.clock_steps import ClockSteps
from judge.daemon.delivery_loop import GATHER_SECONDS, POLL_INTERVAL, DeliveryLoop
from judge.daemon.listener import Listener
from judge.daemon.mail_fetcher import MailFetcher
from judge.daemon.metrics import serve_metrics
from judge.daemon.picture_worker import MANY_WAITING, PictureWorker
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.retention import Retention
from judge.daemon.site_publisher import SITE_CHECK_SECONDS, SitePublisher
from judge.daemon.watchdog import ServiceNotifier, WakeEvent
from judge.daemon.worker import Worker
from judge.errors import JudgeError, StoreError, StoreLost, StoreRefused
from judge.mail.imap.account import read_account
from judge.mail.outbound.delivery import delivery_for
from judge.store.database import Store
from judge.store.file_check import check_of
from judge.store.key_values import LAST_RUN
from judge.store.locks import database_gone, lock_instance
from judge.store.mail_queues import NEW_LETTERS, NEW_MAILS
from judge.store.rescue import clear_place
from judge.store.sqlite_files import is_database_file

log = logging.getLogger("judge")

RETRY_SECONDS = 2.0
"""Seconds a loop waits after a database failure."""
_FILE_CHECK_SECONDS = 1.0
"""Seconds between two looks at the database files and for commits of others."""
MAX_MAILS_IN_A_ROW = 20
"""Maximum number of mails processed before a due game has its turn."""
PAINTERS = ("painter", "second painter")
"""Threads that render pictures: one, or two on a machine with several processors."""
_NEVER = datetime.min.replace(tzinfo=UTC)
HEARTBEAT_INTERVAL = timedelta(seconds=60)
"""Interval between heartbeats."""
_LISTENING_COMMANDS = ("serve", "listen")
"""Commands that accept mail by SMTP."""
_LOCAL_COMMAND = ".venv/bin/judge"
"""Command as `make run` installs it."""
_ONE_PROCESS = (
    "--loop is for several processes on PostgreSQL (docs/run/scaling.md); on SQLite `judge serve`"
    " does it all, and a pass without --loop does one part once"
)
SHUTDOWN_SECONDS = 2.0
"""Seconds each thread has to finish at shutdown.

Unfinished work is rolled back, or its claim expires.
"""


class Service:
    """Running judge. `run` returns after a shutdown."""

    def __init__(self, config: Config, clock: Clock, say: Callable[[str], None]) -> None:
        self._config = config
        self._clock = clock
        self._say = say
        self.stopping = threading.Event()
        self._mail_bell, self._letter_bell = WakeEvent("worker"), WakeEvent("sender")
        self._pulse_bell, self._fetch_bell = WakeEvent("pulse"), WakeEvent("fetcher")
        self._picture_bells = tuple(map(WakeEvent, PAINTERS[:os.cpu_count()]))
        self._letter_bells = (self._letter_bell, *self._picture_bells)
        """Events of the threads that work for waiting letters."""
        self._bells = (
            self._mail_bell, *self._letter_bells, self._pulse_bell, self._fetch_bell,
        )
        self._supervisor = ServiceNotifier(os.environ)
        self.fault: BaseException | None = None
        self.stop_listener: Callable[[], object] = lambda: None
        self._listener: Listener | None = None
        self._loss: StoreLost | None = None
        self._loss_lock = threading.Lock()
        self._shares = Store(config.store.url).allows_parallel_writers

    def run(self, word: str = "serve", *, new: bool = False) -> None:
        """Run until SIGTERM or SIGINT. A second signal shortens the shutdown.

        *word* is the command, which decides what parts run (`_parts`). *new* allows an empty
        database where a judge ran before.

        Raises:
            JudgeError: another judge runs here, or something cannot be opened.
            StoreLost: the database was lost.
        """
        if word in _LISTENING_COMMANDS:
            if self._config.fetch.from_:
                # A URL that cannot be parsed is reported before anything starts.
                read_account(self._config.fetch.from_)
            self._run_listener(word, new)
        else:
            open_application(self._config, self._clock, create=False).store.close()
            delivery_for(self._config.deliver.to, self._config.fetch)
            if not self._shares:
                raise JudgeError(_ONE_PROCESS)
            asyncio.run(self._serve(word))
        if self._loss is not None:
            raise self._loss
        if isinstance(self.fault, StoreRefused):
            raise self.fault
        if self.fault is not None:
            raise JudgeError(f"a thread failed: {self.fault!r}") from self.fault

    def _run_listener(self, word: str, new: bool) -> None:
        """Run a command that accepts mail. A database file allows only one at a time."""
        file = self._config.store.file
        with lock_instance(file, word) as lock:
            if file is not None and is_database_file(file):
                if new:
                    message = f"there is a database at {file}: `judge serve` goes on with it"
                    raise StoreError(message)
            elif file is not None:
                if new:
                    clear_place(file.resolve(), self._clock.now())
                check_of(file.resolve()).check_start()
                if lock.had_database and not new:
                    raise database_gone(file)
            # It is opened here first, so that an error is reported before anything starts.
            application = open_application(self._config, self._clock, create=True)
            application.store.close()
            self._clock = application.clock
            lock.note_database()
            delivery_for(self._config.deliver.to, self._config.fetch)
            with serve_metrics(self._config, self._clock) as url:
                if url:
                    log.info("figures are told at %s", url)
                asyncio.run(self._serve(word))

    def _parts(self, word: str) -> list[Callable[[], None]]:
        """Return the parts of a command besides the listener, one for each thread."""
        worker = partial(self.run_worker, word)
        wakes = partial(self.wakeup_loop, word) if self._shares else self.watch_file
        painters = [partial(self._run_picture_worker, bell) for bell in self._picture_bells]
        parts: dict[str, list[Callable[[], None]]] = {
            "serve": [worker, self._run_delivery, *painters, wakes],
            "listen": [self.heartbeat_loop] if self._shares else [self.heartbeat_loop, wakes],
            "work": [worker, wakes],
            "resolve": [worker, wakes],
            "send": [self._run_delivery, wakes],
            "paint": [*painters, wakes],
        }
        if self._config.site.folder and word in ("serve", "paint"):
            parts[word].append(self._run_site_publisher)
        fetches = word in _LISTENING_COMMANDS and self._config.fetch.from_
        return parts[word] + ([self._run_fetcher] if fetches else [])

    async def _serve(self, word: str) -> None:
        loop = asyncio.get_running_loop()
        stopped = asyncio.Event()
        self.stop_listener = partial(loop.call_soon_threadsafe, stopped.set)
        hurried = asyncio.Event()

        def stop() -> None:
            if stopped.is_set():
                hurried.set()
                if self._listener is not None:
                    self._listener.abort_all()
            stopped.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop)
        said, status = await self._open_listener(word)
        # Daemon threads: an unresponsive mail server must not keep the process from ending.
        threads = [
            threading.Thread(target=self.run_guarded, args=(part,), daemon=True)
            for part in self._parts(word)
        ]
        for thread in threads:
            thread.start()
        try:
            self._say(said)
            self._supervisor.notify("READY=1", f"STATUS={status}")
            await self._watch(stopped)
        finally:
            self._supervisor.notify("STOPPING=1")
            if self._listener is not None:
                await self._listener.close()
            self.stopping.set()
            for bell in self._bells:
                bell.wake()
            for thread in threads:
                await asyncio.to_thread(thread.join, 0.1 if hurried.is_set() else SHUTDOWN_SECONDS)

    async def _open_listener(self, word: str) -> tuple[str, str]:
        """Open the listener, if the command has one. Return banner and status."""
        if word not in _LISTENING_COMMANDS:
            return f"judge {word} goes on until Ctrl-C stops it.", f"{word}, again and again"
        self._listener = Listener(
            self._config, self._clock, self._mail_bell.wake, self._end_by_loss
        )
        places = await self._listener.open()
        if self._config.fetch.from_:
            places.append(read_account(self._config.fetch.from_).name)
        return format_banner(self._config, places), f"takes mail at {' and '.join(places)}"

    async def _watch(self, stopped: asyncio.Event) -> None:
        """Notify the watchdog, twice within its interval, until it is time to stop."""
        while not stopped.is_set():
            try:
                await asyncio.wait_for(stopped.wait(), self._supervisor.patience / 2 or None)
            except TimeoutError:
                self._supervisor.notify_watchdog(self._bells)

    def run_guarded(self, part: Callable[[], None]) -> None:
        """Run the part of a thread. If it raises an exception, the judge stops."""
        try:
            part()
        except StoreLost as loss:
            self._end_by_loss(loss)
        except Exception as fault:
            log.exception("a thread failed")
            self.fault = fault
            self.stopping.set()
            self.stop_listener()

    def _end_by_loss(self, loss: StoreLost) -> None:
        """Stop the judge because its database was lost. Only the first report is logged."""
        with self._loss_lock:
            if self._loss is not None:
                return
            self._loss = loss
        log.critical("%s", loss)
        loss.is_logged = True
        self.stopping.set()
        self.stop_listener()

    def watch_file(self) -> None:
        """Check the database files every second, and wake all parts after a commit.

        The commit may be of another process, such as a one-shot command or the operator's.
        """
        with Store(self._config.store.url).keep_open() as store:
            store.engine.has_changed()
            while not self.stopping.wait(_FILE_CHECK_SECONDS):
                store.engine.check()
                try:
                    has_changed = store.engine.has_changed()
                except StoreError as fault:
                    log.error("the database failed: %s", fault)
                    continue
                for bell in (self._mail_bell, *self._letter_bells) if has_changed else ():
                    bell.wake()

    def run_worker(self, word: str) -> None:
        """Open the database and process mails, games, or both, as a command requires."""
        with use_application(self._config, self._clock) as application:
            self.work_loop(application, works=word != "resolve", resolves=word != "work")

    def work_loop(self, application: Application, works: bool, resolves: bool) -> None:
        """Process mails and games until the judge stops."""
        resolving = ResolverLoop(application)
        worker, timekeeping = Worker(application, resolving), ClockSteps(application)
        tidying = Retention(application)
        with self._retrying(application):
            worker.warm_up()
        beaten = looked = _NEVER
        mails = 0
        while not self.stopping.is_set():
            self._mail_bell.mark_busy()
            with self._retrying(application):
                told = timekeeping.check_clock()
                now = self._clock.now()
                if abs(now - beaten) >= HEARTBEAT_INTERVAL:
                    told = resolving.record_awake(now) or told
                    if works:
                        tidying.run_once(now)
                    beaten = now
                is_turn_of_games = resolves and mails >= MAX_MAILS_IN_A_ROW
                worked = worker.work_batch() if works and not is_turn_of_games else 0
                mails = mails + worked if worked else 0
                attended = resolves and not mails and resolving.tick(now, most=1) > 0
                busy = mails > 0 or attended or is_turn_of_games or told
                if resolves and not busy and abs(now - looked) >= HEARTBEAT_INTERVAL:
                    application.key_values.put_instant(LAST_RUN, now)
                    looked = now
                if busy:
                    for bell in self._letter_bells:
                        bell.wake()
                else:
                    # A worker without a resolver still wakes when a delayed mail has its turn.
                    due = resolving.next_due(now) if resolves else None
                    self._mail_bell.wait(self.seconds_to_sleep(now, due, resolving.queue.wakes))

    @contextmanager
    def _retrying(self, application: Application) -> Iterator[None]:
        """Run a block. After a database failure, close the connection and wait."""
        try:
            yield
        except StoreError as fault:
            log.error("the database failed: %s", fault)
            application.store.close()
            self.stopping.wait(RETRY_SECONDS)

    def heartbeat_loop(self) -> None:
        """Store the heartbeats of a process that only listens, the first at once."""
        with use_application(self._config, self._clock) as application:
            resolving, timekeeping = ResolverLoop(application), ClockSteps(application)
            while True:
                self._pulse_bell.mark_busy()
                with self._retrying(application):
                    timekeeping.check_clock()
                    resolving.record_awake(self._clock.now())
                self._pulse_bell.wait(HEARTBEAT_INTERVAL.total_seconds())
                if self.stopping.is_set():
                    return

    def seconds_to_sleep(
        self, now: datetime, due: datetime | None, wakes: datetime | None
    ) -> float:
        """Return the seconds until a game is due or a mail's delay ends, at most a tick."""
        tick = self._config.clock.tick.total_seconds()
        # A game that is due but must wait would otherwise keep the thread spinning.
        waits = (max((at - now).total_seconds(), 0.2) for at in (due, wakes) if at is not None)
        return min([tick, *waits])

    def _run_delivery(self) -> None:
        delivery = delivery_for(self._config.deliver.to, self._config.fetch)
        with use_application(self._config, self._clock) as application:
            with closing(DeliveryLoop(application, delivery, GATHER_SECONDS)) as sending:
                self.send_loop(application, sending)

    def send_loop(self, application: Application, sending: DeliveryLoop) -> None:
        """Send letters until the judge stops, then finish those in delivery."""
        tick = min(self._config.clock.tick, POLL_INTERVAL).total_seconds()
        while not self.stopping.is_set():
            self._letter_bell.mark_busy()
            if not self.send_once(application, sending, 1.0):
                self._letter_bell.wait(tick)
        # Letters in delivery may finish. Other due letters are sent while there is time.
        end = time.monotonic() + SHUTDOWN_SECONDS / 2
        while time.monotonic() < end and self.send_once(application, sending, 0.1):
            pass
        try:
            sending.release()
        except StoreError as fault:
            log.error("the database failed: %s", fault)

    def wakeup_loop(self, word: str) -> None:
        """Wake the other parts when another process announces news.

        While the connection is lost, they poll. A process that only resolves wakes for new letters
        too, because what changed a game made most of them, and the game may be due now.
        """
        bells = {
            NEW_MAILS: (self._mail_bell,),
            NEW_LETTERS: (
                *self._letter_bells,
                *([self._mail_bell] if word == "resolve" else []),
            ),
        }
        store = Store(self._config.store.url)
        while not self.stopping.is_set():
            try:
                for news in store.engine.listen(self.stopping.is_set):
                    for bell in bells[news]:
                        bell.wake()
            except StoreError as fault:
                log.error("the database failed: %s", fault)
                self.stopping.wait(RETRY_SECONDS)
            else:
                break
        with suppress(StoreError):
            store.close()

    def _run_fetcher(self) -> None:
        with use_application(self._config, self._clock) as application:
            bell = self._fetch_bell
            MailFetcher(
                application, arrived=self._mail_bell.wake, busy=bell.mark_busy,
                idle=bell.mark_idle, is_stopping=self.stopping.is_set,
            ).run(bell.wait)

    def _run_picture_worker(self, bell: WakeEvent) -> None:
        least = 1 if bell is self._picture_bells[0] else MANY_WAITING
        with use_application(self._config, self._clock) as application:
            worker = PictureWorker(application, stopped=self.stopping.is_set, least=least)
            with closing(worker) as painting:
                self.picture_loop(application, painting, bell)

    def _run_site_publisher(self) -> None:
        with use_application(self._config, self._clock) as application:
            publisher = SitePublisher(application)
            while not self.stopping.wait(SITE_CHECK_SECONDS):
                with self._retrying(application):
                    publisher.run_once(self.stopping.is_set)

    def picture_loop(
        self, application: Application, painting: PictureWorker, bell: WakeEvent
    ) -> None:
        """Render pictures until the judge stops."""
        tick = self._config.clock.tick.total_seconds()
        while not self.stopping.is_set():
            bell.mark_busy()
            with self._retrying(application):
                if painting.draw_one():
                    # Another picture worker may wait for one that this worker had locked.
                    for each in self._letter_bells:
                        if each is not bell:
                            each.wake()
                else:
                    bell.wait(tick)

    def send_once(self, application: Application, sending: DeliveryLoop, seconds: float) -> bool:
        """Run one step of the delivery loop. Return whether letters are in delivery."""
        with self._retrying(application):
            return sending.run_once(seconds)
        return not self.stopping.is_set()


def format_banner(config: Config, places: list[str]) -> str:
    """Return the message printed at the start, with help for newcomers."""
    lines = [
        f"{config.judge.address} takes mail at {' and '.join(places)}; Ctrl-C stops it.",
    ]
    if config.deliver.maildir is not None:
        command = _LOCAL_COMMAND if Path(_LOCAL_COMMAND).exists() else "judge"
        lines += [
            "",
            "A first game, alone against bots, from another terminal in this folder:",
            "",
            f"    {command} mail --from you@example.org <<'END'",
            "    CREATE ?marco mysecret standard",
            "    START WITH BOTS",
            "    END",
            "",
            "Or use any mail client with this address as its SMTP server. Answers are kept in",
            f"{config.deliver.maildir}; `{command} inbox` shows the newest.",
        ]
    return "\n".join(lines)
