"""`judge top`: its page, and its keys on a terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from judge.cli import main
from judge.clock import SystemClock
from judge.config import Config, StoreSection
from judge.mail.outbound.compose import Headers, compose_text
from judge.model.incoming import Arrival
from judge.model.record import GameState, Outgoing
from judge.store.database import Store
from judge.store.mail_queues import Post
from judge.store.mailboxes import Mailboxes
from judge.terminal.top import TopPage, TopRow, TopSection, lay_out
from tests import postgres
from tests.journeys.rig import Rig
from tests.machine import ON_POSTGRES

GM, ANN = "gm@example.org", "ann@example.org"
RAW = b"From: ann@example.org\r\nSubject: x\r\n\r\nSIGNON Nmarco annsecret\r\n"
ATTACK = "\x1b[2J\x1b]0;all is well\x07\x9b31m\u202e"
"""Clear the screen, set the window's title, change the colour and the direction."""
HOUR = timedelta(hours=1)
PATIENCE = 60.0
"""Seconds to wait for a page, enough for a slow and busy machine."""


def fill(rig: Rig) -> None:
    """Store a game, a new and a shunted mail, and a new, a late and a failed letter."""
    now = SystemClock().now()
    rig.clock.set(now - HOUR)
    rig.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    post = rig.application.post
    first, _ = post.accept([Arrival(RAW, ANN, ("judge@localhost",))] * 2, now - HOUR)
    shunted = post.get(first)
    assert shunted is not None
    post.shunt(shunted, "", f"Traceback\nValueError: {ATTACK}", now)
    for name in ("new", "late", "gone"):
        head = Headers(
            sender="judge@localhost", to=f"{name}@example.org", subject=f"marco - {name}",
            message_id=f"<{name}@localhost>", date=now, auto="auto-generated",
        )
        letter = post.queue(Outgoing(
            id=0, to=head.to, sender=head.sender, message_id=head.message_id,
            message=compose_text(head, "the token is hunter2"), queued=now - HOUR, due=now,
            game="marco", kind="receipt",
        ))
        if name == "late":
            post.schedule_retry(letter.id, now + HOUR, f"451 4.2.0 {ATTACK}\r\n\tlater")
        elif name == "gone":
            post.mark_failed(letter.id, "550 5.1.1 no such user", now)


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    """A judge with a game and both queues, in a file that the commands find."""
    url = f"sqlite:///{tmp_path}/judge.sqlite3"
    monkeypatch.setenv("JUDGE_STORE_URL", url)
    made = Rig(Config(store=StoreSection(url)))
    fill(made)
    yield made
    made.close()


def test_a_page_without_a_terminal_shows_all_parts(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["top"]) == main(["top", "--once"]) == 0
    said = capsys.readouterr().out
    lines = said.splitlines()
    assert len(lines) == 2 * 11, "each row is one line"
    assert lines[1] == "Heartbeat: never; due games looked for: never."
    assert lines[2] == "Mails in: 1 waiting (the oldest for 60 min), 1 set aside."
    assert re.match(r"  in:\d+ +20.* <ann@example.org> \d+ octets, shunted: ValueError: ", lines[3])
    assert lines[4].endswith("octets, new")
    assert "1 of them put off" in lines[5] and "1 given up." in lines[5]
    assert [re.findall("<([a-z]+)@", line) for line in lines[6:9]] == [["late"], ["gone"], ["new"]]
    assert lines[9] == (
        "Games: 1 running, 0 paused, 0 forming; 0 due in 24 hours, 0 overdue."
    )
    assert re.match(r"  marco +S1901M  running  20.*, in \d days$", lines[10])
    assert "annsecret" not in said and "hunter2" not in said
    assert all(char.isprintable() for line in lines for char in line)


def test_the_page_shows_overdue_games_limits_and_mailbox(
    rig: Rig, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_DELIVER_TO", "smtp://me:hush@127.0.0.1:9")
    monkeypatch.setenv("JUDGE_FETCH_FROM", "imaps://me:hush@h/INBOX")
    now = SystemClock().now()
    game = rig.application.games.find("marco")
    assert game is not None
    rig.clock.set(now - 30 * 24 * HOUR)
    rig.mail(GM, "CREATE ?early gmsecret standard\nSTART")
    assert main(["top", "--once"]) == 0
    said = capsys.readouterr().out
    assert "Limits of letters: 200 in 24 hours, 20 a minute; " in said
    assert "Mailbox: last look never, 0 failed connections, 0 mails of others." in said
    assert re.search(r"  early +S1901M  running  .* days ago  overdue for \d+ days\n  marco", said)
    assert re.search(r"Games: 2 running, .* 1 overdue for \d+ days\.", said)
    boxes = Mailboxes(rig.application.store)
    boxes.record_look("me@h/INBOX", now - timedelta(minutes=3), 7, HOUR)
    boxes.record_condition("me@h/INBOX", 81, 0)
    assert main(["top", "--once"]) == 0
    said = capsys.readouterr().out
    assert "last look 3 min ago, 0 failed connections, 7 mails of others, 81 % full." in said
    assert "hush" not in said


@pytest.mark.parametrize("make_url", [
    lambda folder: f"sqlite:///{folder}/judge.sqlite3",
    pytest.param(lambda folder: postgres.judge_url(), marks=ON_POSTGRES),
], ids=["sqlite", "postgres"])
def test_a_page_does_not_wait_for_a_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    make_url: Callable[[Path], str],
) -> None:
    url = make_url(tmp_path)
    monkeypatch.setenv("JUDGE_STORE_URL", url)
    writer = Store(url)
    writer.open(create=True)
    before = time.monotonic()
    with closing(writer), writer.transaction():
        Post(writer).accept([Arrival(RAW, ANN, ("judge@localhost",))], SystemClock().now())
        assert main(["top", "--once"]) == 0
    assert time.monotonic() - before < 8, "a writer would wait for ten seconds"
    assert "Mails in: 0 waiting" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--every", "0"], ["--every", "-1"], ["--every", "9999"]])
def test_an_impossible_interval_is_refused(
    rig: Rig, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["top", *words]) == 1
    assert "write 1 to 3600 seconds" in capsys.readouterr().err


def test_without_a_database_the_fault_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUDGE_STORE_URL", f"sqlite:///{tmp_path}/none.sqlite3")
    assert main(["top"]) == 1
    assert "there is no database" in capsys.readouterr().err


def test_the_selected_row_is_visible_at_any_size() -> None:
    sections = [
        TopSection(f"{name}: many", [TopRow(f"{name}{n}", f"{name}{n}", {}) for n in range(many)])
        for name, many in (("a", 30), ("b", 0), ("c", 7))
    ]
    page = TopPage(["judge"], sections)
    for height in (7, 15, 50):
        for selected, row in enumerate(page.rows):
            lines, place = lay_out(page, selected, height, 40)
            assert len(lines) <= height and lines[place] == row.text
    assert lay_out(page, 3, 0, 1)[1] == -1
    assert lay_out(TopPage([], []), 0, 24, 80) == ([], -1)


class Terminal:
    """Process of `judge top` on a terminal, with all that it has printed."""

    def __init__(self, rows: int, columns: int, name: str) -> None:
        self.master, slave = pty.openpty()
        self.resize(rows, columns)
        self.settings = termios.tcgetattr(self.master)
        self.printed = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "judge", "top", "--every", "1"],
            stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            env={**os.environ, "TERM": name, "LC_ALL": "C.UTF-8"},
        )
        os.close(slave)

    def resize(self, rows: int, columns: int) -> None:
        """Set the size of the terminal."""
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)

    def press(self, keys: str, expected: str) -> None:
        """Press keys, and wait for a text on the page."""
        os.write(self.master, keys.encode())
        self.wait_for(expected)

    def wait_for(self, expected: str) -> None:
        """Wait for a text on the page. Forget what was printed before."""
        until, seen = time.monotonic() + PATIENCE, b""
        while expected not in seen.decode("utf-8", "replace"):
            ready, _, _ = select.select([self.master], [], [], until - time.monotonic())
            assert ready, f"no {expected!r} in {seen!r}"
            seen += os.read(self.master, 65536)
        self.printed += seen.decode("utf-8", "replace")


@contextmanager
def open_terminal(
    rows: int = 24, columns: int = 80, name: str = "xterm"
) -> Iterator[Terminal]:
    """Run `judge top` on a terminal during a block."""
    terminal = Terminal(rows, columns, name)
    try:
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.master)


@pytest.mark.slow
def test_keys_act_after_a_confirmation(rig: Rig) -> None:
    post, games = rig.application.post, rig.application.games
    down = "\x1bOB"
    with open_terminal() as terminal:
        terminal.wait_for("q quit")
        terminal.press("r", "? y/n")
        terminal.press("n", "Nothing was done")
        [shunted] = post.list_shunted()
        terminal.press("r", f"retry in:{shunted.id}? y/n")
        terminal.press("y", "will be processed next")
        assert not post.list_shunted()
        terminal.press("s", f"shunt in:{shunted.id}? y/n")
        terminal.press("y", "is set aside")
        assert [mail.id for mail in post.list_shunted()] == [shunted.id]
        # The rows are again the shunted mail, the new mail, and the letters late, gone and new.
        terminal.press(down * 2 + "r", "retry out:")
        terminal.press("y", "will be tried")
        terminal.press("d", "drop out:")
        terminal.press("y", "is dropped")
        terminal.press("x", "This key does nothing")
        terminal.press("R", "retry all letters that were put off? y/n")
        terminal.press("y", "Letters to be tried now")
        terminal.press(down * 9 + "p", "pause marco; its people get a letter? y/n")
        terminal.press("y", "marco is now paused")
        assert (game := games.find("marco")) is not None and game.state is GameState.PAUSED
        terminal.press("p", "resume marco")
        terminal.press("y", "marco is now running")
        os.write(terminal.master, b"q")
        assert terminal.process.wait(PATIENCE) == 0
    assert (game := games.find("marco")) is not None and game.state is GameState.RUNNING
    assert post.get(shunted.id + 1) is not None
    assert "\x1b]0;" not in terminal.printed and "\x9b" not in terminal.printed
    assert "\u202e" not in terminal.printed


@pytest.mark.slow
def test_the_page_follows_the_judge_and_the_terminal(rig: Rig) -> None:
    with open_terminal() as terminal:
        terminal.wait_for("q quit")
        rig.application.post.accept(
            [Arrival(RAW, "eve@example.org", ("judge@localhost",))], SystemClock().now()
        )
        terminal.wait_for("eve@example.org")
        for rows, columns, shown in ((40, 150, "without their picture yet; 1 given"),
                                     (3, 20, "up/down"), (1, 1, ""), (24, 80, "q quit")):
            terminal.resize(rows, columns)
            os.kill(terminal.process.pid, signal.SIGWINCH)
            terminal.wait_for(shown)
        time.sleep(1.5)
        assert terminal.process.poll() is None
        # Ctrl-C.
        os.kill(terminal.process.pid, signal.SIGINT)
        assert terminal.process.wait(PATIENCE) == 1
        assert termios.tcgetattr(terminal.master) == terminal.settings


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dumb", "unknown"])
def test_a_terminal_without_a_cursor_gets_one_page(rig: Rig, name: str) -> None:
    with open_terminal(name=name) as terminal:
        terminal.wait_for("Games: 1 running")
        assert terminal.process.wait(PATIENCE) == 0
    assert "\x1b" not in terminal.printed and "q quit" not in terminal.printed
