"""A judge under load that is killed again and again, with its players.

Players of `marco` mail press that names itself, each until a 250 came, as mail servers do: without
one they send the same mail again, with another trace header. In `polo`, which has no players, a
deadline passes in every life of the judge. The judge runs as `judge serve`, in a process of its
own, and is killed with SIGKILL. No repair is done by hand.
"""

import os
import signal
import smtplib
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from judge.clock import SystemClock
from judge.config import Config, PolicySection, StoreSection
from judge.daemon.application import open_application
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.worker import Worker
from judge.failpoints import VARIABLE
from judge.model.incoming import Arrival
from judge.model.record import GameState, Outgoing, SeatState
from judge.store.database import Store
from judge.store.games import Games
from judge.store.mail_queues import Post
from tests.judges import Judge

LETTERS = "AEFGIRT"
"""The powers of the standard map.

Player n plays the n-th.
"""
PLAYERS = len(LETTERS)
PACE = 0.3
"""Seconds between two mails of one player.

All of them together write about as fast as a judge replies.
"""
PATIENCE = 120.0
"""Seconds to wait for any event, enough for a slow and busy machine."""


class Ordeal:
    """A judge, its players, and the record of acknowledged mails."""

    def __init__(self, folder: Path, url: str = "") -> None:
        self.folder = folder
        self.url = url or f"sqlite:///{folder / 'judge.sqlite3'}"
        self.process: Judge | None = None
        self.place: tuple[str, int] | None = None
        self.acknowledged: set[str] = set()
        self.written: set[str] = set()
        self.repeats = 0
        self.lives = 0
        self.pace = PACE
        self.maps = "off"
        """Form of the pictures in letters.

        A picture costs more than all other work.
        """
        self.deliver_to = f"maildir:{folder / 'outbox'}"
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._players = [
            threading.Thread(target=self._play, args=(n,), daemon=True) for n in range(PLAYERS)
        ]
        self.begun = _set_up(self.url)

    # The judge

    def environment(self, **extra: str) -> dict[str, str]:
        """Return the environment variables of the judge."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")}
        return clean | {
            "JUDGE_LISTEN_SMTP": "127.0.0.1:0",
            "JUDGE_DELIVER_TO": self.deliver_to,
            "JUDGE_STORE_URL": self.url,
            "JUDGE_POLICY_MAPS": self.maps,
            # The players write more in a minute than a player may in a day.
            "JUDGE_POLICY_PRESS_PER_DAY": "1000000",
        } | extra

    def start(self, failpoint: str = "") -> None:
        """Start the judge and pass its address to the players."""
        self.lives += 1
        environ = self.environment(**{VARIABLE: failpoint})
        with (self.folder / "log").open("a") as log:
            self.process = Judge(["serve"], self.folder, environ, log=log, is_read=True)
        threading.Thread(target=self.look_for_place, args=(self.process,), daemon=True).start()

    def look_for_place(self, process: Judge) -> None:
        """Read the address that accepts mail from the first line of a judge."""
        assert process.stdout is not None
        words = process.stdout.readline().partition(";")[0].split(" takes mail at ")
        if len(words) == 2 and process is self.process:
            host, _, port = words[1].partition(":")
            self.place = host, int(port)

    def wait_until_up(self, seconds: float = PATIENCE) -> None:
        """Wait until the judge accepts mail."""
        until = time.monotonic() + seconds
        while self.place is None:
            assert time.monotonic() < until, "the judge did not start"
            time.sleep(0.02)

    def wait_for_mails(self, many: int) -> None:
        """Wait until the judge has acknowledged *many* more mails."""
        wanted, until = len(self.acknowledged) + many, time.monotonic() + PATIENCE
        while len(self.acknowledged) < wanted:
            assert time.monotonic() < until, "the judge takes no mail"
            time.sleep(0.01)

    def kill(self) -> None:
        """Kill the judge, as a power failure would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.wait_for_end()

    def wait_for_end(self, seconds: float = PATIENCE) -> int:
        """Wait until the judge has ended and return its exit status."""
        assert self.process is not None
        code = self.process.wait(seconds)
        self.place = None
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code

    def beside(self, *words: str) -> Judge:
        """Start another command of the judge on the same database."""
        return Judge(words, self.folder, self.environment(), is_read=words == ("listen",))

    def pull_deadline(self) -> None:
        """Move the deadline of polo to 150 milliseconds from now."""
        store = Store(self.url)
        store.open(create=False)
        games = Games(store)
        with store.transaction():
            game = games.find("polo")
            assert game is not None
            soon = SystemClock().now() + timedelta(milliseconds=150)
            if game.state is GameState.RUNNING:
                games.save(replace(game, deadline=soon, grace_until=soon, due=soon))
        store.close()

    def queue_letter(self, to: str) -> None:
        """Queue a letter while no judge runs."""
        store, now = Store(self.url), SystemClock().now()
        store.open(create=False)
        letter = Outgoing(
            0, to, "judge@localhost", f"<to-{to}>", b"Subject: x\r\n\r\nx\r\n", now, now
        )
        Post(store).queue(letter)
        store.close()

    def finish(self, seconds: float = 2 * PATIENCE) -> None:
        """Stop the players, run a last judge until all work is done, then stop it."""
        self.stop_players()
        self.start()
        # Until it is up, a signal would kill it instead of shutting it down.
        self.wait_until_up()
        self.finish_alive(seconds)

    def finish_alive(self, seconds: float = 2 * PATIENCE) -> None:
        """Stop the players, wait until the running judge has done all, then stop it."""
        self.stop_players()
        until = time.monotonic() + seconds
        while self.waiting():
            assert time.monotonic() < until, f"not done: {self.waiting()}"
            time.sleep(0.05)
        assert self.process is not None
        self.process.terminate()
        assert self.wait_for_end() == 0

    def waiting(self) -> int:
        """Return the number of new mails, queued letters and due games."""
        [(mails,)] = self.sql("SELECT COUNT(*) FROM mails WHERE state = 'new'")
        [(letters,)] = self.sql("SELECT COUNT(*) FROM outgoing WHERE state = 'queued'")
        now = SystemClock().now()
        [(games,)] = self.sql(
            "SELECT COUNT(*) FROM games WHERE state = 'running'"
            f" AND due <= {int(now.timestamp() * 1_000_000)}"
        )
        return int(mails) + int(letters) + int(games)

    def sql(self, statement: str) -> list[tuple[object, ...]]:
        """Run an SQL statement and return its rows."""
        if not self.url.startswith("sqlite:"):
            with closing(Store(self.url)) as store:
                return store.select_sql(statement, ())
        with closing(sqlite3.connect(self.folder / "judge.sqlite3", timeout=PATIENCE)) as database:
            with database:
                return database.execute(statement).fetchall()

    # The players

    def start_players(self) -> None:
        """Start all players, who write until the test ends."""
        for thread in self._players:
            thread.start()

    def stop_players(self) -> None:
        """Stop the players.

        Each gives up their current mail, sent or not.
        """
        self._over.set()
        for thread in self._players:
            if thread.ident is not None:
                thread.join(PATIENCE)

    def write(self, n: int) -> None:
        """Send one more mail of a player, even after all have stopped.

        A judge must be running.
        """
        until = time.monotonic() + PATIENCE
        self.wait_until_up()
        # Players number their mails from 1.
        self._write(n, 0, lambda: time.monotonic() > until)
        assert f"mark-{n}-0" in self.acknowledged, "the judge takes no mail"

    def _play(self, n: int) -> None:
        number = 0
        while not self._over.is_set():
            number += 1
            self._write(n, number, self._over.is_set)
            self._over.wait(self.pace)

    def _write(self, n: int, number: int, is_given_up: Callable[[], bool]) -> None:
        """Send a mail until it is acknowledged or given up."""
        mark = f"mark-{n}-{number}"
        with self._lock:
            self.written.add(mark)
        tries = 0
        while not is_given_up():
            tries += 1
            if self._mail(n, mark, tries):
                with self._lock:
                    self.acknowledged.add(mark)
                    self.repeats += tries > 1
                break

    def where(self) -> tuple[str, int] | None:
        """Return the address that accepts mail now, or None."""
        return self.place

    def _mail(self, n: int, mark: str, tries: int) -> bool:
        """Send a mail once and return whether it was acknowledged."""
        place = self.where()
        if place is None:
            self._over.wait(0.01)
            return False
        try:
            with smtplib.SMTP(*place, timeout=PATIENCE) as client:
                client.sendmail(address(n), "judge@localhost", mail_of(n, mark, tries))
            return True
        except smtplib.SMTPServerDisconnected:
            # The reply may be all that was lost, in which case the mail is sent twice.
            return False
        except (smtplib.SMTPException, OSError):
            self._over.wait(0.01)
            return False


def address(n: int) -> str:
    """Return a player's address."""
    return f"p{n}@example.org"


def mail_of(n: int, mark: str, tries: int = 1) -> bytes:
    """Return a player's mail, which is press to the next power with its own mark."""
    reader = LETTERS[(n + 1) % PLAYERS]
    return (
        f"Received: from somewhere; try {tries}\r\n"
        f"From: {address(n)}\r\nTo: judge@localhost\r\nSubject: press\r\n"
        f"Message-ID: <{mark}@example.org>\r\n\r\n"
        f"SIGNON {LETTERS[n]}marco secret{n}\r\nPRESS TO {reader}\r\n{mark}\r\nENDPRESS\r\n"
    ).encode()


def _set_up(url: str) -> dict[str, int]:
    """Make the two games and return the number of rows of each table."""
    clock = SystemClock()
    # A picture left for the judge may time out on a busy machine, and the operator would get a
    # letter that the checks do not count.
    config = Config(store=StoreSection(url), policy=PolicySection(maps="off"))
    application = open_application(config, clock, create=True)
    texts = [("gm@example.org", "CREATE ?marco gmsecret standard")]
    for n, letter in enumerate(LETTERS):
        texts.append((address(n), f"JOIN marco secret{n}\nSET PREFERENCE {letter}"))
    texts += [
        ("gm@example.org", "CREATE ?polo gmsecret standard\nSTART"),
        ("watcher@example.org", "OBSERVE polo"),
    ]
    worker = Worker(application, ResolverLoop(application))
    for number, (sender, text) in enumerate(texts):
        raw = f"From: {sender}\nMessage-ID: <setup{number}@example.org>\n\n{text}\n".encode()
        application.post.accept([Arrival(raw, sender, ("judge@localhost",))], clock.now())
        while worker.work_one():
            pass
    ResolverLoop(application).tick(clock.now())
    marco = application.games.find("marco")
    assert marco is not None and marco.state is GameState.RUNNING
    held = [
        s for s in application.games.seats(marco.id) if s.state is SeatState.OCCUPIED and s.power
    ]
    assert sorted(s.address for s in held) == [address(n) for n in range(PLAYERS)]
    tables = ("games", "seats", "orders", "turns", "events", "mails", "outgoing")
    begun = {
        name: application.store.database.execute_sql(f"SELECT COUNT(*) FROM {name}").fetchone()[0]
        for name in tables
    }
    application.store.close()
    return begun
