"""Network partition between judge and database.

The connection accepts data and passes nothing on, in either direction, without being closed. Waits
for a reply time out, and each mail is processed once.
"""

import smtplib
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from judge.clock import SystemClock
from judge.config import Config, StoreSection
from judge.daemon.application import open_application
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.worker import Worker
from judge.errors import StoreError, StoreTrouble
from judge.model.incoming import Arrival
from judge.play.dispatcher import Dispatcher
from judge.store import postgres as engine
from judge.store.database import Store
from judge.store.key_values import KeyValues
from judge.store.mail_queues import Post
from judge.store.mail_writer import Writer
from tests import postgres
from tests.daemon.test_on_postgres import OnServer, send, until
from tests.machine import ON_POSTGRES
from tests.outbox import next_new
from tests.store.test_post import arrival

pytestmark = ON_POSTGRES


class Line:
    """TCP connection to a server on a socket of this machine, which can be cut."""

    def __init__(self, url: str) -> None:
        before, _, rest = url.partition("host=")
        folder, _, after = rest.partition("&")
        self._server = f"{folder}/.s.PGSQL.5432"
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"{before}host=127.0.0.1&port={self._door.getsockname()[1]}&{after}"
        self._passes = threading.Event()
        self._passes.set()
        self._ends: list[socket.socket] = [self._door]
        threading.Thread(target=self._open, daemon=True).start()

    def cut(self) -> None:
        """Pass nothing on from now on."""
        self._passes.clear()

    def mend(self) -> None:
        """Pass on the data buffered since the cut, and all later data."""
        self._passes.set()

    def close(self) -> None:
        """Close all connections."""
        self._passes.set()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _open(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._door.accept()
                far = socket.socket(socket.AF_UNIX)
                self._passes.wait()
                far.connect(self._server)
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while said := one.recv(2**16):
                self._passes.wait()
                other.sendall(said)
            self._passes.wait()
            other.shutdown(socket.SHUT_WR)


@pytest.fixture
def url() -> str:
    """A schema with the tables of a judge."""
    return postgres.judge_url()


@pytest.fixture
def line(url: str) -> Iterator[Line]:
    """A connection to the server of the schema."""
    made = Line(url)
    yield made
    made.close()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduce the time-outs to one second, and those of the server to two."""
    monkeypatch.setattr(engine, "RESPONSE_TIMEOUT", 1.0)
    monkeypatch.setattr(engine, "SESSION_SETTINGS", engine.SESSION_SETTINGS.replace("120s", "1s"))
    monkeypatch.setattr(engine, "IDLE_SESSION_TIMEOUT", "1s")


@pytest.mark.usefixtures("hasty")
def test_statement_on_a_cut_connection_times_out(url: str, line: Line) -> None:
    """Arriving mail is not acknowledged until the connection is restored."""
    direct, far = Store(url), Store(line.url)
    writer = Writer(Store(line.url), SystemClock())
    writer.start()
    assert writer.submit(arrival()).result(30) == 1 and KeyValues(far).get("x") is None
    line.cut()
    with pytest.raises(StoreTrouble, match="no answer within 1 seconds"):
        writer.submit(arrival()).result(30)
    with pytest.raises(StoreTrouble):
        KeyValues(far).put("x", b"1")
    with direct.transaction():
        assert direct.select_sql("SELECT COUNT(*) FROM mails", ()) == [(1,)]
    line.mend()
    assert writer.submit(arrival()).result(30) > 1
    assert KeyValues(far).get("x") in (None, b"1"), "it may have been passed on late"
    writer.stop()
    far.close()
    direct.close()


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("within", [False, True])
def test_locks_of_a_cut_connection_are_released_in_time(url: str, line: Line, within: bool) -> None:
    """Others get the keys, whether it was cut between statements or in a transaction."""
    direct, far = Store(url), Store(line.url)
    assert far.lock_keys(["game 1"])

    def cut_off() -> None:
        KeyValues(far).put("x", b"1")
        line.cut()
        KeyValues(far).put("x", b"2")

    if within:
        with pytest.raises(StoreTrouble):
            far.run_concurrently(cut_off)
    else:
        line.cut()
    end = time.monotonic() + 60
    while not direct.lock_keys(["game 1"]):
        assert time.monotonic() < end
        time.sleep(0.05)
    direct.run_concurrently(lambda: KeyValues(direct).put("x", b"3"))
    direct.release_keys()
    line.mend()
    with suppress(StoreTrouble):
        far.run_concurrently(cut_off)
    assert KeyValues(direct).get("x") == b"3"
    far.close()
    direct.close()


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("at", [pytest.param("handle", marks=pytest.mark.slow), "commit"])
def test_a_mail_whose_worker_is_cut_off_is_worked_once(
    url: str, line: Line, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cut comes during the mail or at the commit, which may or may not arrive."""
    cut, direct = (
        open_application(Config(store=StoreSection(one)), SystemClock(), create=False)
        for one in (line.url, url)
    )
    raw = b"From: ann@x.org\r\nMessage-ID: <1@x.org>\r\n\r\nLIST\r\n"
    direct.post.accept([Arrival(raw, "ann@x.org", ("judge@localhost",))], SystemClock().now())
    worker = Worker(cut, ResolverLoop(cut))
    worker.warm_up()
    real, commit = Dispatcher.handle, engine.PostgresDatabase.commit

    def handle(self: Dispatcher, *given: object, **more: object) -> object:
        if at == "handle":
            line.cut()
        else:
            monkeypatch.setattr(engine.PostgresDatabase, "commit", cut_line_and_commit)
        return real(self, *given, **more)  # type: ignore[arg-type]

    def cut_line_and_commit(self: engine.PostgresDatabase) -> object:
        line.cut()
        return commit(self)

    with monkeypatch.context() as patch:
        patch.setattr(Dispatcher, "handle", handle)
        with pytest.raises(StoreError):
            worker.work_one()
    monkeypatch.setattr(engine.PostgresDatabase, "commit", commit)
    line.mend()
    other = Worker(direct, ResolverLoop(direct))
    end = time.monotonic() + 60
    while next_new(direct.post) is not None:
        assert time.monotonic() < end
        for one in (worker, other):
            with suppress(StoreError):
                one.work_one()
        time.sleep(0.05)
    assert direct.store.select_sql(
        "SELECT answers, COUNT(*) FROM outgoing GROUP BY answers", ()
    ) == [(1, 1)]
    cut.store.close()
    direct.store.close()


def test_listening_on_a_cut_connection_ends(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "RESPONSE_TIMEOUT", 0.5)
    monkeypatch.setattr(engine, "CONNECTION_CHECK_SECONDS", 0.1)
    store = Store(line.url)

    def over() -> bool:
        line.cut()
        return False

    with pytest.raises(StoreTrouble, match="no answer"):
        next(store.engine.listen(over))
    line.mend()
    store.close()


@pytest.mark.slow
def test_cut_judge_defers_mail_and_the_other_does_all_work(
    url: str, line: Line, tmp_path: Path
) -> None:
    """This test uses the normal time-outs, in separate processes."""
    with OnServer(tmp_path / "far", line.url) as far, OnServer(tmp_path / "near", url) as near:
        for number in range(6):
            send((far, near)[number % 2], number)
        line.cut()
        host, _, port = far.place.rpartition(":")
        with smtplib.SMTP(host, int(port), local_hostname="x", timeout=300) as client:
            with pytest.raises(smtplib.SMTPResponseException) as refused:
                text = "From: p98@example.org\nMessage-ID: <98@example.org>\n\nLIST\n"
                client.sendmail("p98@example.org", ["judge@localhost"], text)
        assert refused.value.smtp_code == 451
        for number in range(6, 10):
            with suppress(smtplib.SMTPResponseException):
                send(near, number)
        line.mend()
        until(lambda: _sent(far, 20))
        for number in range(6, 12):
            send((far, near)[number % 2], number)
        with closing(Store(url)) as store:
            asked = "SELECT COUNT(*) FROM mails WHERE state = 'new'"
            until(lambda: store.select_sql(asked, ()) == [(0,)])
            asked = "SELECT COUNT(*) FROM outgoing WHERE state = 'queued'"
            until(lambda: store.select_sql(asked, ()) == [(0,)])
            answers = Counter(to for (to,) in store.select_sql('SELECT "to" FROM outgoing', ()))
            assert Post(store).list_shunted() == []
        answers.pop("p98@example.org", None)
        assert answers == Counter(
            [f"p{number}@example.org" for number in (*range(12), 20)]
        ), answers


def _sent(judge: OnServer, number: int) -> bool:
    try:
        send(judge, number)
    except smtplib.SMTPException:
        return False
    return True
