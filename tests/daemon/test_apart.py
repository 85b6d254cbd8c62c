"""The parts of a judge in processes of their own on one SQLite file: they wake each other."""

import os
import shutil
import signal
import smtplib
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from judge.clock import SystemClock
from judge.config import Config, StoreSection
from judge.daemon.application import open_application
from judge.daemon.resolving import Resolving
from judge.demo.mailroom import Household
from judge.model.incoming import Arrival
from judge.store import news
from judge.store.database import Store
from judge.store.news import News
from tests.judges import Judge

pytestmark = pytest.mark.sqlite
PATIENCE = 120.0
"""Seconds for anything that must happen, on however slow and busy a machine."""
ANN = "ann@example.org"


class Door(Household):
    """A judge that only takes mail in; by themselves it and the others look once an hour."""

    def settings(self) -> dict[str, str]:
        """Return its configuration."""
        return super().settings() | {"JUDGE_CLOCK_TICK": "1h"}


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    """A judge whose parts run."""
    with ExitStack() as stack:
        door = Door(tmp_path, "off", ("listen",))
        stack.enter_context(door)
        environ = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")}
        for word in ("work", "resolve", "send"):
            part = Judge((word, "--loop"), tmp_path, environ | door.settings(), is_read=True)
            stack.callback(part.communicate, PATIENCE)
            stack.callback(part.terminate)
            assert part.stdout is not None and word in part.stdout.readline()
        yield door


def mail(door: Door, text: str) -> None:
    """Send a mail."""
    host, _, port = door.place.rpartition(":")
    with smtplib.SMTP(host, int(port), local_hostname="x", timeout=60) as client:
        client.sendmail(ANN, ["judge@localhost"], f"From: {ANN}\n\n{text}")


@pytest.mark.slow
def test_a_game_goes_on_though_nobody_looks_by_himself(door: Door) -> None:
    """The door wakes who works, he who resolves, and all of them who sends."""
    def many() -> int:
        return len([*(door.outbox / "new").glob("*")])

    mail(door, "CREATE ?marco mysecret standard\nSET PREFERENCE France\nSTART WITH BOTS\n")
    until(lambda: many() == 2)
    mail(door, "SIGNON Fmarco mysecret\nA Par - Bur\nA Mar - Spa\nF Bre - MAO\n")
    until(lambda: many() == 4)
    folder = door.folder / "judge.news"
    assert len([*folder.iterdir()]) == 3 and folder.stat().st_mode & 0o077 == 0


def test_news_reach_who_listens_and_sockets_of_the_dead_go(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 100) / ("b" * 100) / "judge.sqlite3"
    News(path).tell({"nobody hears"})
    script = (
        "import sys; from pathlib import Path; from judge.store.news import News\n"
        "for word in News(Path(sys.argv[1])).heard(lambda: False): print(word, flush=True)\n"
    )
    words = [sys.executable, "-c", script, str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as listener:
        assert listener.stdout is not None
        folder = path.with_suffix(".news")
        until(lambda: folder.exists() and len([*folder.iterdir()]) == 1)
        News(path).tell({"hello"})
        assert listener.stdout.readline() == "hello\n"
        listener.send_signal(signal.SIGKILL)
    assert [*folder.iterdir()]
    News(path).tell({"hello"})
    assert not [*folder.iterdir()]


def test_who_listens_ends_at_once_when_he_is_told_to(tmp_path: Path) -> None:
    news, looked = News(tmp_path / "judge.sqlite3"), list[bool]()

    def is_over() -> bool:
        looked.append(True)
        if len(looked) == 1:
            news.hush()
        return len(looked) > 1

    assert [*news.heard(is_over)] == [] and not [*(tmp_path / "judge.news").iterdir()]


def test_what_is_undone_is_no_news(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, told = Store(f"sqlite:///{tmp_path}/judge.sqlite3"), list[set[str]]()
    store.open(create=True)
    monkeypatch.setattr(News, "tell", lambda self, words: told.append(words))
    with pytest.raises(KeyError), store.transaction():
        store.announce("lost")
        raise KeyError
    with store.transaction():
        store.announce("mails")
        with store.transaction():
            store.announce("letters")
        assert not told
    store.announce("pictures")
    assert told == [{"mails", "letters"}, {"pictures"}]
    store.close()


def test_mails_that_wait_are_in_the_way_of_the_next_game_where_one_writes_at_a_time() -> None:
    config = Config(store=StoreSection("sqlite:///:memory:"))
    application = open_application(config, SystemClock(), create=True)
    resolving = Resolving(application)
    assert not resolving.is_in_the_way()
    application.post.accept([Arrival(b"\r\nHELP", ANN, ("judge@localhost",))], SystemClock().now())
    assert resolving.is_in_the_way()
    application.store.close()


@pytest.mark.parametrize("silent", [1, 3])
def test_all_that_is_told_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, silent: int
) -> None:
    """However long nothing was told before."""
    listening, looks = News(tmp_path / "judge.sqlite3"), list[int]()
    monkeypatch.setattr(news, "POLL_SECONDS", 0.01)

    def is_over() -> bool:
        looks.append(1)
        if len(looks) == silent:
            # As another process does, of which none that listens is.
            with monkeypatch.context() as patch:
                patch.setattr(news, "_OURS", set())
                listening.tell({"mails", "letters"})
        return len(looks) > silent + 2

    assert {*listening.heard(is_over)} == {"mails", "letters"}


def test_all_who_listen_hear_though_one_of_them_hears_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    telling, folder = News(tmp_path / "judge.sqlite3"), tmp_path / "judge.news"
    telling.hush()
    boxes = [socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(3)]
    folder.mkdir()
    for number, box in enumerate(boxes):
        box.bind(str(folder / f"box{number}"))
        box.settimeout(1)
    # One is full, one is of the dead, and one is no socket at all.
    (folder / "box1-no-box").mkdir()
    listdir = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: sorted(listdir(path)))
    boxes[1].close()
    for _ in range(2000):
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
                other.setblocking(False)
                other.sendto(b"x", str(folder / "box0"))
        except BlockingIOError:
            break
    telling.tell({"mails"})
    assert boxes[2].recv(100) == b"mails"
    assert not (folder / "box1").exists() and (folder / "box1-no-box").exists()
    for box in boxes:
        box.close()


def test_a_socket_that_somebody_took_away_is_not_missed(tmp_path: Path) -> None:
    listening, looks = News(tmp_path / "judge.sqlite3"), list[int]()

    def is_over() -> bool:
        looks.append(1)
        shutil.rmtree(tmp_path / "judge.news")
        return True

    assert [*listening.heard(is_over)] == [] and looks == [1]
    listening.hush()
