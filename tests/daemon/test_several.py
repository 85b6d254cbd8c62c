"""Actions for several games, masters, letters or mails cover all of them."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from judge.clock import FixedClock, SystemClock
from judge.config import Config, ListenSection, PolicySection, StoreSection
from judge.daemon import mail_scheduler, retention, worker
from judge.daemon.application import Application, open_application
from judge.daemon.bounces import BounceHandler
from judge.daemon.clock_steps import confirm_clock
from judge.daemon.delivery_loop import DeliveryLoop
from judge.daemon.listener import Listener
from judge.daemon.mail_scheduler import MailScheduler
from judge.daemon.picture_worker import PictureWorker
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.retention import Retention
from judge.daemon.watchdog import ServiceNotifier
from judge.drawing.render_process import RenderTimeout
from judge.errors import ConfigError, JudgeError
from judge.mail.outbound.delivery import Unreachable
from judge.model.incoming import Arrival
from judge.model.letter import Letter, LetterKind, PictureRequest
from judge.model.phrase import phrase
from judge.model.record import Role
from judge.play.commands.confirmation import MAX_KEPT
from judge.store.database import Store
from judge.store.key_values import KeyValues
from judge.store.mail_queues import Post
from tests.daemon.test_sending import Server, Slow, die, queue
from tests.daemon.test_turns import post
from tests.journeys.rig import START, Easel, Rig
from tests.outbox import counts, newest_out, request_picture

GM, MAX, ANN, BOB, EVE = (f"{name}@example.org" for name in ("gm", "max", "ann", "bob", "eve"))


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """Two games with different masters, both observed by Ann.

    Marco is gm's and polo is max's. Bob plays France in marco.
    """
    made = Rig()
    for name, master in (("marco", GM), ("polo", MAX)):
        made.mail(master, f"CREATE ?{name} gmsecret standard\nSTART")
        made.mail(ANN, f"OBSERVE {name} annsecret")
    made.mail(BOB, "TAKEOVER Fmarco bobsecret")
    made.boxes.clear()
    yield made
    made.close()


def test_all_inactive_masters_get_an_inquiry_at_once(rig: Rig) -> None:
    rig.clock.advance(days=54)
    ResolverLoop(rig.application).tick(rig.clock.now())
    rig.run()
    assert {GM, MAX} <= {address for address, box in rig.boxes.items() if box}


def test_inquiry_to_an_inactive_master_is_rolled_back_on_failure(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Application.queue

    def broken(*given: object) -> int:
        real(*given)  # type: ignore[arg-type]
        raise ZeroDivisionError

    before = newest_out(rig.application.post, 9, GM)
    monkeypatch.setattr(Application, "queue", broken)
    rig.clock.advance(days=54)
    ResolverLoop(rig.application)._check_inactive_masters(rig.clock.now())
    assert newest_out(rig.application.post, 9, GM) == before


def test_letters_of_all_exited_senders_are_released(tmp_path: Path) -> None:
    clock = FixedClock(START)
    config = Config(store=StoreSection(f"sqlite:///{tmp_path}/x"))
    application = open_application(config, clock, create=True)
    rig = Rig(config)
    hangs = [Slow(), Slow()]
    other = DeliveryLoop(application, Server())
    assert not other.run_once(0.0)
    dead = []
    for number, slow in enumerate(hangs):
        queue(rig, f"a{number}@x.org")
        dead.append(DeliveryLoop(application, slow))
        assert dead[-1].run_once(0.0)
    for one in dead:
        die(one)
    clock.advance(seconds=2)
    assert other.drain() == 2
    other.close()
    for slow in hangs:
        slow.let_go.set()
    rig.close()
    application.store.close()


def test_all_expired_letters_fail_while_a_server_is_unreachable(rig: Rig) -> None:
    queue(rig, "a@x.org", "b@x.org", "c@x.org")
    rig.clock.advance(days=6)
    server = Server()
    server.faults["*"] = Unreachable("refused")
    DeliveryLoop(rig.application, server).run_once(0.5)
    assert counts(rig.application.post).failed == 3 and len(server.tried) == 1


def test_limit_of_a_stranger_drops_no_letter_to_others(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    answer = Letter(
        LetterKind.ERROR, EVE, "Re: x", "fault", {"reason": phrase("your-mail-set-aside")},
        answers="<1@x>",
    )
    for _ in range(30):
        with rig.application.store.transaction():
            rig.application.queue([answer])
    assert "no more answers" in caplog.text
    both = [answer, replace(answer, to=ANN, answers="")]
    with rig.application.store.transaction():
        assert rig.application.queue(both) == 1
    assert newest_out(rig.application.post, 1)[0].to == ANN


def test_shunted_mail_is_reported_to_masters_of_all_its_games(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game at its daily limit of reports is skipped, but not those after it."""
    def fails(*given: object, **named: object) -> object:
        raise ZeroDivisionError("annsecret and othersecret")

    text = "SIGNON Omarco annsecret\nSIGNON Opolo othersecret"
    with monkeypatch.context() as patch:
        patch.setattr(rig.application.dispatcher, "handle", fails)
        for number in range(6):
            rig.boxes.clear()
            rig.mail(ANN, text)
            told = {address for address in (GM, MAX) if rig.boxes.get(address)}
            assert number or told == {GM, MAX}
    story = rig.application.post.list_shunted()[0].note
    assert "***" in story and "annsecret" not in story and "othersecret" not in story


def test_report_limit_of_one_game_does_not_apply_to_another(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object, **named: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(rig.application.dispatcher, "handle", fails)
    for _ in range(6):
        rig.boxes.clear()
        rig.mail(BOB, "SIGNON Fmarco bobsecret")
    assert not rig.boxes.get(GM)
    rig.mail(ANN, "SIGNON Omarco annsecret\nSIGNON Opolo annsecret")
    assert not rig.boxes.get(GM) and rig.boxes.get(MAX)


def test_read_ahead_skips_missing_mails_and_is_limited(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [post(rig, address, "HELP") for address in (ANN, BOB, EVE)]
    waiting = MailScheduler(rig.application)
    get = rig.application.post.get
    with monkeypatch.context() as patch:
        patch.setattr(
            rig.application.post, "get", lambda one: None if one == numbers[0] else get(one)
        )
        waiting.read_ahead()
    assert sorted(waiting.waiting) == numbers[1:]
    looked: list[int] = []

    def noting(number: int) -> object:
        looked.append(number)
        return get(number)

    monkeypatch.setattr(rig.application.post, "get", noting)
    waiting.read_ahead()
    assert looked == numbers[:1], "what was looked at is not looked at again"
    monkeypatch.setattr(mail_scheduler, "OCTETS_AHEAD", 1)
    looked.clear()
    MailScheduler(rig.application).read_ahead()
    assert looked == numbers[:1], "a long one is read by itself"


def test_mail_after_a_deadline_has_no_turn_before_it(rig: Rig) -> None:
    number = post(rig, EVE, "HELP")
    waiting = MailScheduler(rig.application)
    assert waiting.next_mail(rig.clock.now(), rig.clock.now() - timedelta(seconds=1)) is None
    found = waiting.next_mail(rig.clock.now(), rig.clock.now())
    assert found is not None and found.id == number


def test_senders_without_mails_keep_no_places(rig: Rig) -> None:
    for address in (ANN, BOB, EVE):
        post(rig, address, "HELP")
    waiting = rig.resolving.queue
    waiting.read_ahead()
    assert len(waiting._places) == 3
    rig.run()
    waiting.read_ahead()
    assert len(waiting._places) <= 1


@pytest.fixture
def confirming_rig() -> Iterator[Rig]:
    """Three games of a judge where new addresses must be confirmed."""
    policy = PolicySection(confirm="true")
    made = Rig(Config(store=StoreSection("sqlite:///:memory:"), policy=policy))
    for name in ("marco", "polo", "carlo"):
        made.mail(GM, f"CREATE ?{name} gmsecret standard")
        made.reply(GM, "YES")
    yield made
    made.close()


@pytest.fixture
def deferred_joins(confirming_rig: Rig) -> Rig:
    """The same with three mails of Eve that wait for her confirmation."""
    for name in ("marco", "polo", "carlo"):
        confirming_rig.mail(EVE, f"JOIN {name} secret")
    assert not confirming_rig.application.games.seats_at(EVE)
    return confirming_rig


def test_all_deferred_commands_run_after_a_confirmation(deferred_joins: Rig) -> None:
    deferred_joins.reply(EVE, "")
    assert len(deferred_joins.application.games.seats_at(EVE)) == 3


def test_a_password_that_was_refused_contests_none_that_waits(confirming_rig: Rig) -> None:
    confirming_rig.mail(EVE, "JOIN marco secret")
    asked = confirming_rig.letter(EVE, "confirm")
    confirming_rig.mail(EVE, "\n".join(["OBSERVE polo"] * (MAX_KEPT - 2)))
    confirming_rig.mail(EVE, "OBSERVE carlo\nJOIN marco another")
    waits = confirming_rig.application.context.people.pending_for(EVE, START)
    assert [len(held.lines) for held in waits] == [1, MAX_KEPT - 2, 1]
    confirming_rig.reply(EVE, "YES", asked)
    seats = confirming_rig.application.games.seats_at(EVE)
    marco = confirming_rig.application.games.find("marco")
    assert marco and [seat.role for seat in seats if seat.game == marco.id] == [Role.PLAYER]


def test_missing_deferred_mail_stops_no_other(
    deferred_joins: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    get = deferred_joins.application.post.get
    hidden = deferred_joins.application.context.people.pending_for(EVE, START)[0].mail
    monkeypatch.setattr(
        deferred_joins.application.post, "get", lambda one: None if one == hidden else get(one)
    )
    deferred_joins.reply(EVE, "")
    assert len(deferred_joins.application.games.seats_at(EVE)) == 2


def test_passwords_of_deferred_mails_are_hashed_first(
    deferred_joins: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[bool] = []
    real = type(deferred_joins.application.dispatcher).prepare

    def prepare(self: object, *given: object, **named: object) -> None:
        if named.get("released"):
            prepared.append(deferred_joins.application.store.database.in_transaction())
        real(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(type(deferred_joins.application.dispatcher), "prepare", prepare)
    deferred_joins.reply(EVE, "")
    assert prepared == [False] * 3


def test_warm_up_runs_once(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.worker.is_warm = False
    rig.worker.warm_up()
    assert rig.worker.is_warm
    monkeypatch.setattr(worker, "_freeze_loaded_objects", lambda: pytest.fail("it was warm"))
    rig.worker.warm_up()


def test_all_batches_of_old_mails_are_stripped_at_once(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clean-up within the last hour is not repeated unless the clock went back."""
    for _ in range(3):
        rig.mail(EVE, "LIST\n" * 50)
    monkeypatch.setattr(retention, "BATCH_SIZE", 1)
    tidy = Retention(rig.application)
    rig.clock.advance(days=31)
    tidy.run_once(rig.clock.now())
    last = rig.application.post.get(rig.mails)
    assert last is not None and "sha256" in last.note
    steps: list[object] = []
    monkeypatch.setattr(rig.application.context.people, "delete_older", steps.append)
    for hours, many in ((0.0, 0), (0.99, 0), (0.01, 1), (0.5, 1), (-2, 2)):
        rig.clock.set(rig.clock.now() + timedelta(hours=hours))
        tidy.run_once(rig.clock.now())
        assert len(steps) == many, hours


class Hanging(Easel):
    """Easel that times out for every picture."""

    tried = 0

    def draw(
        self, sketch: PictureRequest, seconds: float, stopped: Callable[[], bool] = lambda: False
    ) -> bytes:
        """Raise a time-out."""
        self.tried += 1
        raise RenderTimeout("not done after 30 seconds")


def test_letters_go_without_pictures_while_the_worker_pauses(rig: Rig) -> None:
    easel = Hanging()
    painting = PictureWorker(rig.application, easel)
    for number in range(4):
        sketch = PictureRequest("diplomacy", f"board {number}", "marco")
        request_picture(rig.application.pictures, sketch, START)
        assert painting.draw_one()
    assert easel.tried == 3


def test_notifier_without_a_manager_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        ServiceNotifier({}).notify("READY=1")
    assert not caplog.records


def test_result_for_a_closed_session_is_dropped() -> None:
    async def left() -> None:
        config = Config(store=StoreSection("sqlite:///:memory:"))
        listener = Listener(config, FixedClock(START), lambda: None, lambda fault: None)
        answer = asyncio.get_running_loop().create_future()
        answer.cancel()
        stored: Future[int] = Future()
        stored.set_result(7)
        listener._tell(Arrival(b"", EVE, ()), answer, stored)

    asyncio.run(left())


def test_letter_queued_during_a_pause_waits_too(rig: Rig) -> None:
    queue(rig, "a@x.org")
    server = Server()
    server.faults["*"] = Unreachable("refused")
    sending = DeliveryLoop(rig.application, server)
    sending.drain()
    many = len(server.tried)
    queue(rig, "b@y.org")
    sending.drain()
    assert len(server.tried) == many
    rig.clock.advance(seconds=30)
    sending.drain()
    assert len(server.tried) > many


def test_verp_address_is_used_only_where_possible(rig: Rig) -> None:
    queue(rig, "a@x.org")
    letter = newest_out(rig.application.post, 1)[0]
    assert BounceHandler(rig.application).address_letter(letter).sender != letter.sender
    other = replace(letter, sender="keeper@elsewhere.org")
    assert BounceHandler(rig.application).address_letter(other) == other
    plain = Rig(replace(rig.config, listen=ListenSection(detail="")))
    assert BounceHandler(plain.application).address_letter(letter).sender == letter.sender
    plain.close()


def two_digests_are_due(rig: Rig) -> None:
    """Make two daily digests of Ann due."""
    for name in ("marco", "polo"):
        rig.mail(ANN, f"SIGNON O{name} annsecret\nSET DIGEST DAY")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    rig.mail(MAX, "SIGNON Mpolo gmsecret\nPROCESS S1901M")
    rig.boxes.clear()
    rig.clock.advance(days=2)


def test_two_digests_are_separate_letters(rig: Rig) -> None:
    two_digests_are_due(rig)
    rig.resolving.tick(rig.clock.now())
    rig.run()
    subjects = [str(letter["Subject"]) for letter in rig.boxes[ANN]]
    assert sum("digest" in subject for subject in subjects) == 2, subjects


def test_failing_digest_is_dropped_and_the_next_is_sent(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_digests_are_due(rig)
    resolver = rig.application.resolver
    first, second = resolver.digests(rig.clock.now())
    made = resolver.digest

    def fails(seat: int, now: datetime) -> list[Letter]:
        if seat == first:
            raise ZeroDivisionError
        return made(seat, now)

    monkeypatch.setattr(resolver, "digest", fails)
    rig.resolving.tick(rig.clock.now())
    assert not resolver.digests(rig.clock.now())
    rig.run()
    assert len(rig.boxes[ANN]) == 1


def test_locked_game_is_waited_for_after_all_others(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[tuple[int, bool]] = []

    def attend(game: int, now: datetime, waits: bool) -> bool | None:
        tried.append((game, waits))
        return None if game == 1 and not waits else True

    monkeypatch.setattr(rig.resolving, "_attend_to", attend)
    monkeypatch.setattr(rig.application.resolver, "due", lambda now: [1, 2])
    monkeypatch.setattr(Post, "is_anything_due", lambda queue, now: True)
    rig.resolving._looked_at_systems = True
    assert rig.resolving.tick(rig.clock.now()) == 2
    assert tried == [(1, False), (2, False), (1, True)]
    tried.clear()
    assert rig.resolving.tick(rig.clock.now(), most=1) == 1
    assert tried == [(1, False), (2, False)]


def test_clock_jump_is_accepted_by_the_operator_only(tmp_path: Path) -> None:
    config = Config(store=StoreSection(f"sqlite:///{tmp_path}/x"))
    store = Store(config.store.url)
    store.open(create=True)
    now = SystemClock().read()
    KeyValues(store).save_reading(now._replace(at=now.at - timedelta(days=3)))
    store.close()
    with pytest.raises(JudgeError, match="judge clock --accept"):
        confirm_clock(config, accept=False)
    assert "goes by the machine's clock" in confirm_clock(config, accept=True)
    assert "goes by the machine's clock" in confirm_clock(config, accept=False)


def test_listener_needs_an_address() -> None:
    config = Config(
        store=StoreSection("sqlite:///:memory:"), listen=ListenSection(smtp="", lmtp="")
    )

    async def open_listener() -> None:
        listener = Listener(config, FixedClock(START), lambda: None, lambda fault: None)
        with pytest.raises(ConfigError, match="names no place"):
            await listener.open()

    asyncio.run(open_listener())


def test_all_servers_are_closed(tmp_path: Path) -> None:
    config = Config(
        store=StoreSection(f"sqlite:///{tmp_path}/x"),
        listen=ListenSection(smtp="127.0.0.1:0", lmtp=f"unix:{tmp_path}/door"),
    )

    async def open_and_close() -> list[str]:
        listener = Listener(config, FixedClock(START), lambda: None, lambda fault: None)
        said = await listener.open()
        await listener.close()
        return said

    open_application(config, FixedClock(START), create=True).store.close()
    smtp, lmtp = asyncio.run(open_and_close())
    assert not (tmp_path / "door").exists()
    host, _, port = smtp.rpartition(":")
    with pytest.raises(OSError):
        asyncio.run(asyncio.wait_for(asyncio.open_connection(host, int(port)), 5))
