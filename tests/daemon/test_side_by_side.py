"""Several workers and resolvers of one PostgreSQL database.

Mails of different games are processed in parallel, those of one game or person in their order, and
nothing twice.
"""

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from itertools import groupby

import pytest

from judge.clock import FixedClock, SystemClock
from judge.config import Config, StoreSection
from judge.daemon.application import Application, open_application
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.worker import Worker
from judge.errors import StoreConflict, StoreTrouble
from judge.model.incoming import Arrival
from judge.model.record import MailState
from judge.play.dispatcher import Dispatcher
from judge.store.database import MAX_CLOCK_SKEW, Store
from judge.store.engine import KEYED
from judge.store.key_values import KeyValues
from judge.store.mail_queues import Post
from tests import postgres
from tests.journeys.rig import Rig
from tests.machine import ON_POSTGRES
from tests.outbox import counts, next_new
from tests.store.test_post import NOW, arrival

pytestmark = ON_POSTGRES
PATIENCE = 240.0
"""Seconds after which threads count as hanging.

It exceeds every lock time-out.
"""
NAMES = "alba", "bora", "cima", "dora"


@pytest.fixture
def url() -> str:
    """A schema with the tables of a judge."""
    return postgres.judge_url()


@pytest.fixture
def pair(url: str) -> Iterator[tuple[Store, Store]]:
    """Two stores of one database, as in two processes."""
    stores = Store(url), Store(url)
    yield stores
    for store in stores:
        store.close()


# --- locks ---


def test_holder_of_other_keys_writes_in_parallel(pair: tuple[Store, Store]) -> None:
    one, other = pair
    other.patience = 0.2
    assert one.lock_keys(["game 1", "name x"]) and other.lock_keys(["game 2"])

    def inner() -> None:
        KeyValues(other).put("b", b"1")

    def outer() -> None:
        KeyValues(one).put("a", b"1")
        other.run_concurrently(inner)
        with pytest.raises(StoreTrouble), other.transaction():
            pytest.fail("the only writer waits for all others")

    one.run_concurrently(outer)
    with other.transaction():
        assert KeyValues(other).get("a") == KeyValues(other).get("b") == b"1"


def test_several_keys_are_locked_all_or_none(pair: tuple[Store, Store]) -> None:
    one, other = pair
    assert one.lock_keys(["game 1"])
    assert not other.lock_keys(["game 1", "game 2"])
    one.release_keys()
    assert one.lock_keys(["game 2"]) and other.lock_keys(["game 1"])


def test_conflicting_write_is_repeated_alone(pair: tuple[Store, Store]) -> None:
    one, other = pair
    tries: list[int] = []

    def add() -> None:
        tries.append(1)
        before = int(KeyValues(one).get("many") or 0)
        if len(tries) == 1:
            KeyValues(other).put("many", b"10")
        KeyValues(one).put("many", b"%d" % (before + 1))

    KeyValues(other).put("many", b"5")
    assert one.lock_keys(["game 1"])
    one.run_concurrently(add)
    assert KeyValues(other).get("many") == b"11" and len(tries) == 2


def test_writer_that_lost_its_locks_writes_nothing(pair: tuple[Store, Store]) -> None:
    one, other = pair
    assert one.lock_keys(["game 1"])
    [[number]] = one.select_sql("SELECT pg_backend_pid()", ())
    other.select_sql("SELECT pg_terminate_backend(?, 5000)", (number,))
    with suppress(StoreTrouble):
        KeyValues(one).get("x")
    assert other.lock_keys(["game 1"])
    with pytest.raises(StoreTrouble, match="held locks is lost"):
        one.run_concurrently(lambda: KeyValues(one).put("x", b"1"))
    one.release_keys()
    assert KeyValues(other).get("x") is None and not one.lock_keys(["game 1"])


def test_conflict_differs_from_other_failures(pair: tuple[Store, Store]) -> None:
    one, other = pair
    KeyValues(one).put("x", b"1")
    assert one.lock_keys(["game 1"])
    with pytest.raises(StoreConflict), one.transaction(KEYED):
        KeyValues(one).get("x")
        KeyValues(other).put("x", b"2")
        KeyValues(one).put("x", b"3")


def test_mail_numbers_follow_acceptance_times_in_all_processes(url: str) -> None:
    """A deadline waits for any mail that is being accepted."""
    def take() -> None:
        store = Store(url)
        for _ in range(25):
            with store.intake_transaction():
                Post(store).accept([arrival()], store.now(SystemClock()))
        store.close()

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    with_end = Store(url)
    while any(thread.is_alive() for thread in threads):
        settled = with_end.intake_complete_until(SystemClock())
        assert settled is not None
        asked = "SELECT COUNT(*) FROM mails WHERE accepted <= ?"
        at = int(settled.timestamp() * 1_000_000)
        before = with_end.select_sql(asked, (at,))
        threads[0].join(0.01)
        assert with_end.select_sql(asked, (at,)) == before
    found = with_end.select_sql("SELECT accepted FROM mails ORDER BY id", ())
    assert len(found) == 100 and found == sorted(found)
    with_end.close()


class Astray(SystemClock):
    """Clock of a machine that is wrong by a fixed span."""

    def __init__(self, by: timedelta) -> None:
        self._by = by

    def now(self):  # type: ignore[no-untyped-def]
        """Return a wrong time."""
        return super().now() + self._by


def test_database_clock_is_used_unless_it_is_far_off(
    pair: tuple[Store, Store], caplog: pytest.LogCaptureFixture
) -> None:
    store, near, far = pair[0], Astray(MAX_CLOCK_SKEW / 2), Astray(2 * MAX_CLOCK_SKEW)
    assert abs(store.now(near) - SystemClock().now()) < MAX_CLOCK_SKEW / 4
    settled = store.intake_complete_until(near)
    assert settled is not None and settled < SystemClock().now() + MAX_CLOCK_SKEW / 4
    assert not caplog.records
    assert (
        store.now(far) > SystemClock().now() + MAX_CLOCK_SKEW
        and store.intake_complete_until(far) is None
    )
    assert "differ by" in caplog.text
    assert (
        store.now(FixedClock(NOW)) == NOW and store.intake_complete_until(FixedClock(NOW)) is None
    )


# --- two of each ---


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge with four running games."""
    made = Rig(Config(store=StoreSection(postgres.judge_url())))
    for name in NAMES:
        made.mail(f"gm@{name}.org", f"CREATE ?{name} gmsecret standard\nSTART")
        made.mail("ann@example.org", f"OBSERVE {name} annsecret")
        made.mail(f"bob@{name}.org", f"TAKEOVER F{name} bobsecret")
    yield made
    made.close()


@pytest.fixture
def clock(begun: Rig) -> FixedClock:
    """The clock of all processes."""
    return FixedClock(begun.clock.now())


@pytest.fixture
def open_copy(begun: Rig, url: str, clock: FixedClock) -> Iterator[Callable[[], Application]]:
    """Function that opens a copy of that database, as one more process does."""
    config = Config(store=StoreSection(url))
    begun.again(config).close()
    made: list[Application] = []

    def opening() -> Application:
        made.append(open_application(config, clock, create=False))
        made[-1].store.patience = PATIENCE
        return made[-1]

    yield opening
    for application in made:
        application.store.close()


def side_by_side(works: list[Callable[[], object]]) -> None:
    """Run each function in a thread of its own, and raise what one of them raised."""
    faults: list[BaseException] = []

    def run_work(work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=run_work, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not faults, faults
    assert not any(thread.is_alive() for thread in threads)


def accept(application: Application, sender: str, text: str, number: int) -> int:
    """Accept a mail and return its number."""
    raw = f"From: {sender}\r\nMessage-ID: <{number}.s@x.org>\r\n\r\n{text}\r\n".encode()
    now = application.clock.now()
    (mail,) = application.post.accept([Arrival(raw, sender, ("judge@localhost",))], now)
    return mail


def work_all(opened: Callable[[], Application], ready: Callable[[], object] = lambda: None) -> int:
    """Process mails until none is new and return the number processed here.

    `ready` is called once after the first pass of a new judge, which runs as the only writer.
    """
    application = opened()
    resolving = ResolverLoop(application)
    worker = Worker(application, resolving)
    resolving.tick(application.clock.now())
    ready()
    end, many = threading.Event(), 0
    while next_new(application.post) is not None:
        if worker.work_one():
            many += 1
        else:
            end.wait(0.02)
    application.store.close()
    return many


def test_mails_of_different_games_are_processed_in_parallel(
    open_copy: Callable[[], Application], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of two workers waits inside its transaction until the other is there."""
    application = open_copy()
    both = threading.Barrier(2)
    real = Dispatcher.handle

    def handle(self: Dispatcher, *given: object, **more: object) -> object:
        both.wait(PATIENCE / 2)
        return real(self, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Dispatcher, "handle", handle)
    begun = threading.Barrier(2)
    first = Worker._begin

    def begin_working(self: Worker) -> tuple[bool, int]:
        """Count the first mail as the only writer, before the other worker waits."""
        found = first(self)
        begun.wait(PATIENCE / 2)
        return found

    monkeypatch.setattr(Worker, "_begin", begin_working)
    ready = threading.Barrier(3)

    def begin() -> None:
        ready.wait(PATIENCE / 2)
        for number, name in enumerate(NAMES[:2]):
            accept(application, f"bob@{name}.org", f"SIGNON F{name} bobsecret\nA Par H", number)
        application.store.close()
        came.set()

    def work() -> None:
        work_all(open_copy, lambda: (ready.wait(PATIENCE / 2), came.wait(PATIENCE / 2)))

    came = threading.Event()
    side_by_side([begin, work, work])
    states = application.store.select_sql("SELECT state, COUNT(*) FROM mails GROUP BY state", ())
    assert states == [("done", 14)]
    application.store.close()


def test_mails_of_a_game_or_person_keep_order_with_three_workers(
    open_copy: Callable[[], Application],
) -> None:
    application = open_copy()
    texts: list[tuple[str, str]] = []
    for turn in range(8):
        for name in NAMES:
            press = f"BROADCAST\nsaid {turn}\nENDPRESS"
            texts.append((f"bob@{name}.org", f"SIGNON F{name} bobsecret\n{press}"))
        name = NAMES[turn % 4]
        texts.append(("ann@example.org", f"SIGNON O{name} annsecret\nSTATUS"))
        # This mail touches all games, whose keys are locked together or not at all.
        both = "\n".join(f"SIGNON O{each} annsecret\nSTATUS" for each in NAMES)
        texts.append(("ann@example.org", both))
    numbers = [accept(application, *one, number) for number, one in enumerate(texts)]
    side_by_side([lambda: work_all(open_copy)] * 3)
    for name in NAMES:
        told = application.store.select_sql(
            "SELECT e.text FROM events e JOIN games g ON g.id = e.game"
            " WHERE g.name = ? AND e.kind = 'press' ORDER BY e.id", (name,)
        )
        said = [re.findall(r"said (\d)", str(text))[0] for (text,) in told]
        assert said == [str(turn) for turn in range(8)], name
    answers = application.store.select_sql(
        "SELECT answers FROM outgoing WHERE \"to\" = 'ann@example.org' AND kind <> 'press'"
        " AND answers >= ? ORDER BY id", (numbers[0],)
    )
    own = [number for number, (sender, _) in zip(numbers, texts) if sender.startswith("ann")]
    assert [number for number, _ in groupby(answers, lambda row: row[0])] == own
    done = application.store.select_sql("SELECT state FROM mails WHERE id >= ?", (numbers[0],))
    assert done == [("done",)] * len(texts)
    application.store.close()


def test_three_resolvers_adjudicate_each_game_once_after_mails(
    open_copy: Callable[[], Application], clock: FixedClock
) -> None:
    application = open_copy()
    games = [application.games.find(name) for name in NAMES]
    deadlines = [game.deadline for game in games if game and game.deadline]
    assert len(deadlines) == 4
    clock.set(max(deadlines) - timedelta(seconds=1))
    for number, name in enumerate(NAMES):
        accept(application, f"bob@{name}.org", f"SIGNON F{name} bobsecret\nA Par - Bur", number)
        accept(application, f"gm@{name}.org", f"SIGNON M{name} gmsecret\nPROCESS S1901M", -number)
    clock.advance(days=30)

    def resolve() -> None:
        mine = open_copy()
        ResolverLoop(mine).tick(clock.now())
        mine.store.close()

    side_by_side([resolve, resolve, *([lambda: work_all(open_copy)] * 2)])
    turns = application.store.select_sql(
        "SELECT g.name, t.number, t.outcome FROM turns t JOIN games g ON g.id = t.game"
        " WHERE t.number = 1", ()
    )
    assert Counter(name for name, *_ in turns) == Counter(NAMES)
    assert all("Bur" in outcome for *_, outcome in turns), "the mail came in time"
    results = application.store.select_sql(
        "SELECT game, \"to\", COUNT(*) FROM outgoing WHERE kind = 'results'"
        " GROUP BY game, \"to\"", ()
    )
    played = dict(application.store.select_sql(
        "SELECT g.name, COUNT(*) FROM turns t JOIN games g ON g.id = t.game GROUP BY g.name", ()
    ))
    assert len(results) == 3 * len(NAMES), "each has a master, a player and an observer"
    assert all(many == played[name] for name, _, many in results)
    assert counts(application.post).new == 0
    application.store.close()


def test_the_same_mail_is_never_worked_by_two(
    open_copy: Callable[[], Application], monkeypatch: pytest.MonkeyPatch
) -> None:
    application = open_copy()
    for number in range(20):
        accept(application, f"new{number}@x.org", f"CREATE ?game{number} secret standard", number)
    handled: list[str] = []
    real = Dispatcher.handle

    def handle(self: Dispatcher, mail: object, *given: object, **more: object) -> object:
        handled.append(getattr(mail, "sender"))
        return real(self, mail, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Dispatcher, "handle", handle)
    side_by_side([lambda: work_all(open_copy)] * 2)
    made = application.store.select_sql("SELECT COUNT(*) FROM games WHERE name LIKE 'game%'", ())
    assert made == [(20,)] and len(set(handled)) == 20
    mails = map(application.post.get, range(13, 33))
    assert all(one is not None and one.state is MailState.DONE for one in mails)
    application.store.close()


def test_worker_does_not_wait_for_a_locked_game(
    open_copy: Callable[[], Application], clock: FixedClock
) -> None:
    """Waiting inside a transaction could cause a deadlock."""
    other = open_copy()
    game = other.games.find(NAMES[0])
    assert game is not None and game.deadline is not None
    clock.set(game.deadline)
    assert other.store.lock_keys((f"game {game.id}",))
    found: list[bool | None] = []

    def attend() -> None:
        mine = open_copy()
        found.append(ResolverLoop(mine).advance_games([game.id], clock.now()))
        mine.store.close()

    for _ in range(2):
        side_by_side([attend])
        other.store.release_keys()
    assert found == [None, True]
    other.store.close()
