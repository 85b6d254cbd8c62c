"""A judge on PostgreSQL: one writer at a time, failures, and the move to it."""

import shutil
import smtplib
import threading
from collections.abc import Iterator
from contextlib import closing, nullcontext
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import peewee
import psycopg
import pytest

from judge.config import Config, StoreSection
from judge.daemon.operator_tasks import migrate_store
from judge.demo.judge_process import JudgeProcess
from judge.errors import StoreError, StoreTrouble
from judge.store import postgres as stores
from judge.store.database import Store, backup
from judge.store.key_values import KeyValues
from judge.store.mail_queues import Post
from judge.store.postgres import CONNECTION_CHECK_SECONDS, POLL_SECONDS, Postgres
from judge.store.schema import TABLES
from tests import postgres
from tests.journeys.rig import Rig, walk
from tests.machine import ON_POSTGRES
from tests.outbox import next_new
from tests.store.test_post import NOW, arrival

pytestmark = ON_POSTGRES
JOURNEYS = Path(__file__).parents[1] / "journeys"


@pytest.fixture
def url() -> str:
    """A schema with the tables of a judge."""
    return postgres.judge_url()


@pytest.fixture
def pair(url: str) -> Iterator[tuple[Store, Store]]:
    """Two stores of one database, as in two processes."""
    stores = Store(url), Store(url)
    for store in stores:
        store.open(create=False)
    yield stores
    for store in stores:
        store.close()


def test_migrations_make_the_same_tables_as_one_script(url: str) -> None:
    fresh = Store(postgres.fresh_url())
    with pytest.raises(StoreError, match="there is no judge in"):
        fresh.open(create=False)
    fresh.open(create=True)
    other = Store(url)
    other.open(create=True)
    asked = (
        "SELECT table_name, column_name, data_type, collation_name, is_nullable, is_identity"
        " FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY 1, 2"
    )
    assert fresh.select_sql(asked, ()) == other.select_sql(asked, ())
    assert {name for name, *_ in fresh.select_sql(asked, ())} == {
        "migrations", *(table.name for table in TABLES)
    }
    fresh.close()
    other.close()


def test_writer_excludes_other_writers(pair: tuple[Store, Store]) -> None:
    one, other = pair
    other.patience = 0.05
    with one.transaction():
        KeyValues(one).put("name", b"1")
        assert KeyValues(other).get("name") is None
        with pytest.raises(StoreTrouble, match="failed"), other.transaction():
            pass
    with other.transaction():
        assert KeyValues(other).get("name") == b"1"


def test_data_read_in_a_transaction_does_not_change(url: str) -> None:
    """Each of four threads adds to a number fifty times.

    With two writers at once some additions would be lost.
    """
    def count() -> None:
        store = Store(url)
        values = KeyValues(store)
        for _ in range(50):
            with store.transaction():
                values.put("many", b"%d" % (int(values.get("many") or 0) + 1))
        store.close()

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = Store(url)
    assert KeyValues(store).get("many") == b"200"
    store.close()


def test_cut_writer_is_rolled_back_and_blocks_no_other(pair: tuple[Store, Store]) -> None:
    one, other = pair
    with pytest.raises(StoreTrouble), one.transaction():
        KeyValues(one).put("name", b"1")
        [[number]] = one.select_sql("SELECT pg_backend_pid()", ())
        other.select_sql("SELECT pg_terminate_backend(?)", (number,))
        KeyValues(one).put("name", b"2")
    with other.transaction():
        assert KeyValues(other).get("name") is None
    with one.transaction():
        KeyValues(one).put("name", b"3")
    assert KeyValues(other).get("name") == b"3"


def test_connection_lost_while_idle_is_opened_again(pair: tuple[Store, Store]) -> None:
    one, other = pair
    [[number]] = one.select_sql("SELECT pg_backend_pid()", ())
    other.select_sql("SELECT pg_terminate_backend(?, 5000)", (number,))
    with pytest.raises(StoreTrouble):
        KeyValues(one).get("name")
    assert KeyValues(one).get("name") is None


def test_wake_ups_are_received_again_after_a_lost_connection(pair: tuple[Store, Store]) -> None:
    one, other = pair
    [[number]] = one.select_sql("SELECT pg_backend_pid()", ())
    other.select_sql("SELECT pg_terminate_backend(?, 5000)", (number,))
    with pytest.raises(StoreTrouble):
        list(one.engine.listen(lambda: True))
    assert list(one.engine.listen(lambda: True)) == []


def test_commits_are_synchronous_against_server_settings(url: str) -> None:
    store = Store(f"{url}%20-csynchronous_commit%3Doff")
    assert store.select_sql("SHOW synchronous_commit", ()) == [("on",)]
    store.close()


def test_wake_up_is_received_after_the_commit(pair: tuple[Store, Store]) -> None:
    one, other = pair
    heard: list[str] = []

    def listen() -> None:
        with closing(other.engine.listen(lambda: False)) as news:
            heard.append(next(news))
        other.close()

    listening = threading.Thread(target=listen)
    listening.start()
    while listening.is_alive():
        Post(one).accept([arrival()], NOW)
        listening.join(0.05)
    assert heard == ["mails"]


@pytest.mark.parametrize(("wrong", "said"), [
    ("postgresql://nobody:s3cret@127.0.0.1:9/judge", "judge at 127.0.0.1 cannot be reached"),
    ("postgresql://nobody:s3cret@nowhere.invalid/judge", "nowhere.invalid cannot be reached"),
    ("postgresql:///judge?nonsense=1", "nonsense"),
])
def test_wrong_url_is_reported_in_a_line_without_password(wrong: str, said: str) -> None:
    with pytest.raises(StoreError, match=said) as caught:
        Store(wrong).open(create=True)
    assert "s3cret" not in str(caught.value) and "\n" not in str(caught.value)


def test_read_only_database_is_a_fault(url: str) -> None:
    store = Store(f"{url}%20-cdefault_transaction_read_only%3Don")
    store.open(create=False)
    with pytest.raises(StoreError, match="read-only"):
        Post(store).accept([arrival()], NOW)
    assert next_new(Post(store)) is None
    store.close()


def test_a_database_of_a_newer_judge_is_refused(url: str) -> None:
    store = Store(url)
    store.update_sql("INSERT INTO migrations VALUES (999, 'from the future')", ())
    with pytest.raises(StoreError, match="newer judge"):
        store.open(create=True)
    store.close()


def test_a_database_that_cannot_keep_every_letter_is_refused(url: str) -> None:
    """A server without the named schema is refused too."""
    server = url.partition("&options=")[0]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    head, _, host = server.partition("?")
    with pytest.raises(StoreError, match="keeps its texts in LATIN1"):
        Store(f"{head.rpartition('/')[0]}/latin?{host}").open(create=True)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP DATABASE latin WITH (FORCE)")
    with pytest.raises(StoreError, match="has no schema"):
        Store(f"{server}&options=-csearch_path%3Dnowhere").open(create=True)


def test_a_server_that_is_too_old_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.store.postgres.MIN_SERVER_VERSION", 99)
    store = Store(url)
    with pytest.raises(StoreError, match="is of PostgreSQL [0-9]+: 99 is needed"):
        store.open(create=True)


@pytest.mark.parametrize(("standby", "version", "encoding", "schema", "says"), [
    (False, "140000", "UTF8", "public", ""),
    (False, "160000", "UTF8", "public", ""),
    (False, "139999", "UTF8", "public", "is of PostgreSQL 13: 14 is needed"),
    (False, "130000", "UTF8", "public", "is of PostgreSQL 13: 14 is needed"),
    (True, "140000", "UTF8", "public", "is a standby that can only be read"),
    (False, "140000", "LATIN1", "public", "keeps its texts in LATIN1"),
    (False, "140000", "UTF8", None, "has no schema"),
])
def test_server_is_checked_for_version_role_and_encoding(
    standby: bool, version: str, encoding: str, schema: str | None, says: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = Postgres("postgresql:///judge")
    answer = SimpleNamespace(fetchall=lambda: [[standby, version, encoding, schema]])
    monkeypatch.setattr(engine.database, "connect", lambda **_: True)
    monkeypatch.setattr(engine, "_execute", lambda *_: answer)
    with pytest.raises(StoreError, match=says) if says else nullcontext():
        engine.prepare(create=False)


class Told:
    """Server stub with given answers that records the use of its connection."""

    def __init__(self, patch: pytest.MonkeyPatch, *answers: object) -> None:
        self.engine = Postgres("postgresql:///judge")
        self.did: list[str] = []
        self._answers = iter(answers)
        self.is_open, self.is_busy, self.is_usable = True, False, True
        database = self.engine.database
        patch.setattr(database, "connect", self._connect)
        patch.setattr(database, "close", self._close)
        patch.setattr(database, "is_closed", lambda: not self.is_open)
        patch.setattr(database, "in_transaction", lambda: self.is_busy)
        patch.setattr(database, "is_connection_usable", lambda: self.is_usable)
        patch.setattr(self.engine, "_execute", self._execute)

    def _connect(self, reuse_if_open: bool) -> None:
        self.did.append("connect")

    def _close(self) -> None:
        self.did.append("close")
        raise peewee.InterfaceError("was gone")

    def _execute(self, statement: str, values: object) -> SimpleNamespace:
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(fetchall=lambda: [answer])


@pytest.mark.parametrize("answer, said", [
    ((False, "90624", "LATIN1", None), "is of PostgreSQL 9: 14 is needed"),
    ((True, "140000", "LATIN1", None), "is a standby"),
    (peewee.ImproperlyConfigured("x"), "needs its library"),
    (peewee.OperationalError("no way"), "cannot be reached: no way"),
    (peewee.InterfaceError("no way"), "cannot be reached: no way"),
    (peewee.ProgrammingError("no way"), "cannot be used: no way"),
])
def test_unusable_server_is_closed_and_reported_in_a_line(
    answer: object, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        told = Told(patch, answer)
        patch.setattr(told.engine.database, "close", lambda: told.did.append("close"))
        with pytest.raises(StoreError, match=said) as caught:
            told.engine.prepare(create=False)
    assert isinstance(caught.value, StoreTrouble) == ("reached" in said)
    assert told.did == ["connect"] + ["close"] * (not isinstance(answer, Exception))


@pytest.mark.parametrize("is_open, is_busy, is_usable, closes", [
    (True, False, False, True), (True, False, True, False), (True, True, False, False),
    (False, False, False, False),
])
def test_broken_connection_is_closed_after_its_transaction(
    is_open: bool, is_busy: bool, is_usable: bool, closes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        told = Told(patch)
        told.is_open, told.is_busy, told.is_usable = is_open, is_busy, is_usable
        told.engine.on_statement_error()
    assert told.did == ["close"] * closes


def test_listener_checks_its_connection_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """A notification in between counts as an answer."""
    told = Told(monkeypatch, ["judge here"], ["judge here"])
    now, heard = 0.0, list[str]()
    news = iter([[], ["mails"], [], [], ["letters", "mails"], [], []])

    def wait(timeout: float, stop_after: int) -> list[SimpleNamespace]:
        nonlocal now
        now += CONNECTION_CHECK_SECONDS / 2
        assert timeout == POLL_SECONDS and stop_after == 1
        return [SimpleNamespace(payload=one) for one in next(news)]

    connection = SimpleNamespace(
        execute=heard.append, notifies=wait, close=lambda: heard.append("close")
    )
    monkeypatch.setattr(told.engine.database, "open_connection", lambda: connection)
    monkeypatch.setattr(stores, "time", SimpleNamespace(monotonic=lambda: now))
    told.is_usable = False
    for one in told.engine.listen(lambda: now > CONNECTION_CHECK_SECONDS * 3):
        heard.append(one)
    asked = "SELECT 1"
    assert heard == ['LISTEN "judge here"', "mails", asked, "letters", "mails", asked, "close"]
    assert told.did == []

    def lost(timeout: float, stop_after: int) -> None:
        raise peewee.OperationalError("cut off")

    connection.notifies = lost
    with pytest.raises(StoreTrouble, match="failed: cut off"):
        list(told.engine.listen(lambda: False))
    assert told.did == ["close"] and heard[-1] == "close"


WAYS = ("transaction", "intake_transaction", "delivery_transaction")


@pytest.mark.parametrize("way, beside", [(way, beside) for way in WAYS for beside in WAYS])
def test_intake_and_delivery_run_in_parallel_without_writers(
    way: str, beside: str, pair: tuple[Store, Store]
) -> None:
    one, other = pair
    other.patience = 0.001
    with getattr(one, way)():
        if {way, beside} == {"intake_transaction", "delivery_transaction"}:
            with getattr(other, beside)():
                pass
            return
        with pytest.raises(StoreTrouble, match="lock timeout"), getattr(other, beside)():
            pass


@pytest.mark.parametrize("way", WAYS)
def test_cut_transaction_gets_another_connection_at_once(
    way: str, pair: tuple[Store, Store]
) -> None:
    one, other = pair
    with pytest.raises(StoreError), getattr(one, way)():
        [[number]] = one.select_sql("SELECT pg_backend_pid()", ())
        other.select_sql("SELECT pg_terminate_backend(?, 5000)", (number,))
        raise StoreError("nothing to be done")
    assert KeyValues(one).get("name") is None


def test_cut_connection_releases_its_keys(pair: tuple[Store, Store]) -> None:
    one, other = pair
    assert one.lock_keys(("game 1",)) and not other.lock_keys(("game 1",))
    [[number]] = one.select_sql("SELECT pg_backend_pid()", ())
    other.select_sql("SELECT pg_terminate_backend(?, 5000)", (number,))
    one.release_keys()
    assert other.lock_keys(("game 1",)) and not one.lock_keys(("game 1",))
    other.release_keys()
    assert one.lock_keys(("game 1",))
    one.release_keys()


def test_standby_server_is_refused() -> None:
    """If both are named, the primary is found."""
    primary = postgres.Cluster().make()
    standby = postgres.Cluster()
    try:
        url = postgres.judge_url(primary.url)
        standby.follow(primary)
        schema = url.partition("&options=")[2]
        store = Store(f"{standby.url}&options={schema}")
        with pytest.raises(StoreError, match="is a standby that can only be read"):
            store.open(create=True)
        both = f"postgresql:///postgres?host={standby.folder},{primary.folder}&user=judge"
        found = Store(f"{both}&target_session_attrs=read-write&options={schema}")
        found.open(create=False)
        assert Post(found).accept([arrival()], NOW) == [1]
        found.close()
        standby.end()
    finally:
        primary.end()


def test_backup_of_postgres_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="pg_dump"):
        backup(url, tmp_path / "copy")


@pytest.mark.parametrize(
    "name", ["press", "rollback", pytest.param("yorktown", marks=pytest.mark.slow)]
)
def test_a_journey_ends_as_on_sqlite(name: str) -> None:
    def make(config: Config) -> Rig:
        return Rig(Config(**{  # type: ignore[arg-type]
            **{part: getattr(config, part) for part in config.__dataclass_fields__},
            "store": StoreSection(postgres.judge_url()),
        }))

    walk(JOURNEYS / f"{name}.txt", make)


def test_judge_moves_with_all_data_and_continues(tmp_path: Path) -> None:
    config = Config(store=StoreSection(f"sqlite:///{tmp_path}/judge.sqlite3"))
    rig = Rig(config)
    rig.mail("gm@example.org", "CREATE ?marco gmsecret standard\nSTART")
    press = "BROADCAST\nn\0l \u00e4\nENDPRESS"
    rig.mail("gm@example.org", f"SIGNON Mmarco gmsecret\nF Lon - NTH\n{press}")
    rig.close()
    url = postgres.fresh_url()
    file = tmp_path / "judge.sqlite3"
    again = tmp_path / "again.sqlite3"
    shutil.copy(file, again)
    moved = {one.table: one.rows for one in migrate_store(config, url)}
    assert moved["mails"] == 2 and moved["games"] == 1 and moved["orders"] == 1
    assert sorted(one.name for one in tmp_path.glob("judge.sqlite3*")) == ["judge.sqlite3.moved"]
    for opened in (Store(config.store.url), Store(f"sqlite:///{file}")):
        with pytest.raises(StoreError, match="was moved by `judge migrate`"):
            opened.open(create=False)
    with pytest.raises(StoreError, match="holds rows of games already"):
        migrate_store(Config(store=StoreSection(f"sqlite:///{again}")), url)
    assert again.exists() and not (tmp_path / "again.sqlite3.moved").exists()
    after = Rig(Config(store=StoreSection(url)))
    after.clock.set(rig.clock.now())
    after.mail("gm@example.org", "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    sent = "".join(str(letter) for box in after.boxes.values() for letter in box)
    assert "NTH" in sent or "North Sea" in sent
    after.close()
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT MIN(id), COUNT(*) FROM mails").fetchall() == [(1, 3)]


def test_running_judge_stops_once_moved_and_loses_no_mail(tmp_path: Path) -> None:
    """Acknowledged mails are copied, whenever in the move they came."""
    url = postgres.fresh_url()
    with JudgeProcess(tmp_path, maps="off") as judge:
        host, _, port = judge.place.rpartition(":")
        config = Config(store=StoreSection(f"sqlite:///{tmp_path}/judge.sqlite3"))
        acknowledged: list[int] = []
        over = threading.Event()

        def write() -> None:
            for number in count(1):
                text = f"From: p@x.org\nMessage-ID: <{number}@x.org>\n\nLIST\n"
                with smtplib.SMTP(host, int(port), local_hostname="x", timeout=60) as client:
                    try:
                        client.sendmail("p@x.org", ["judge@localhost"], text)
                    except smtplib.SMTPResponseException as refused:
                        assert refused.smtp_code in (451, 421) and over.is_set()
                        return
                    except OSError:
                        assert over.is_set()
                        return
                acknowledged.append(number)

        writing = threading.Thread(target=write)
        writing.start()
        while len(acknowledged) < 5:
            writing.join(0.01)
        over.set()
        migrate_store(config, url)
        writing.join(60)
        assert not writing.is_alive() and judge.process is not None
        assert judge.process.wait(60) == 3
        [said] = [line for line in judge.log().splitlines() if "judge migrate" in line]
    assert "CRITICAL" in said or "critical" in said
    assert "--new" not in said and "Traceback" not in judge.log()
    with closing(Store(url)) as store:
        raws = [bytes(raw) for (raw,) in store.select_sql("SELECT raw FROM mails", ())]
        assert all(any(b"<%d@" % number in raw for raw in raws) for number in acknowledged)
