"""Internal errors in a mail, one seat's part of it, or a game, and their reports."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.config import Config, PolicySection, StoreSection
from judge.daemon import error_reports, mail_reader, worker
from judge.daemon.application import Application
from judge.daemon.error_reports import MAX_REPORTS_PER_DAY
from judge.daemon.operator_tasks import run_action
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.worker import Worker
from judge.errors import JudgeError, StoreTrouble
from judge.mail.language.vocabulary import CommandLanguage
from judge.model.incoming import Incoming, Line
from judge.model.order_commands import GiveOrders
from judge.model.record import GameState, MailState, Outgoing, Role
from judge.play import dispatcher
from judge.play.commands.gm.making import Create
from judge.play.commands.orders import ordering
from judge.play.commands.session import Session
from judge.play.resolver import Resolver
from judge.store.games import Games
from judge.terminal.games import run_game_command
from judge.terminal.queue import run_shunted_command
from tests.daemon.test_turns import running
from tests.journeys.rig import Rig, squeeze_text, text_of
from tests.language import read_sheet
from tests.outbox import newest_out

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"
KEEPER = "postmaster@localhost"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game with Ann as India and Bob as Japan."""
    made = running()
    made.boxes.clear()
    yield made
    made.close()


@pytest.fixture
def rig(begun: Rig, tmp_path: Path) -> Iterator[Rig]:
    """Copy of the rig with its database in a file."""
    made = begun.again(Config(store=StoreSection(f"sqlite:///{tmp_path / 'judge.sqlite3'}")))
    yield made
    made.close()


@pytest.fixture
def broken(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Patch under which orders for India are stored and then fail."""

    def give_orders(session: Session, command: GiveOrders) -> None:
        ordering.give_orders(session, command)
        if session.is_signed_on and session.seat.power == "India":
            raise ZeroDivisionError("with annsecret in it")

    with monkeypatch.context() as patch:
        kinds = rig.application.dispatcher.kinds
        patch.setitem(kinds, GiveOrders, replace(kinds[GiveOrders], run=give_orders))
        yield patch


def orders(rig: Rig) -> set[str]:
    """Return the powers that have orders on file."""
    game = rig.application.games.find("marco")
    assert game is not None
    return set(rig.application.games.orders(game.id, "S1901M"))


BOTH = (
    "SIGNON Nmarco annsecret\nA Del - Kas\n"
    "SIGNON Jmarco bobsecret\nF Tok - NPa\n"
)


def test_fault_in_one_seats_commands_rolls_back_that_seat_only(
    rig: Rig, broken: pytest.MonkeyPatch
) -> None:
    rig.mail(ANN, BOTH)
    assert orders(rig) == {"Japan"}
    told = squeeze_text(text_of(rig.letter(ANN, "receipt")))
    assert "the judge failed to do this" in told and "Kashmir" not in told
    assert "the judge failed" not in squeeze_text(text_of(rig.letter(BOB, "receipt")))
    master = squeeze_text(text_of(rig.letter(GM, "notice")))
    assert "The judge failed to process a part of a mail from ann@example.org" in master
    keeper = text_of(rig.letter(KEEPER))
    assert "lines 1-2 of mail 5" in keeper and "ZeroDivision" in keeper
    assert "annsecret" not in keeper, "a story holds no password"


def test_retry_of_a_shunted_part_does_not_repeat_the_others(
    rig: Rig, broken: pytest.MonkeyPatch
) -> None:
    rig.mail(ANN, BOTH)
    broken.undo()
    assert "lines 1-2" in run_shunted_command(rig.config, "list", 0, rig.clock.now())
    rig.boxes.clear()
    run_shunted_command(rig.config, "retry", 6, rig.clock.now())
    rig.run()
    assert orders(rig) == {"India", "Japan"}
    assert "Kashmir" in text_of(rig.letter(ANN, "receipt"))
    assert not rig.boxes.get(BOB), "his part was carried out before"
    assert run_shunted_command(rig.config, "list", 0, rig.clock.now()) == "No mail is set aside."


def test_part_that_fails_again_is_shunted_under_the_same_number(
    rig: Rig, broken: pytest.MonkeyPatch
) -> None:
    rig.mail(ANN, BOTH)
    for _ in range(2):
        run_shunted_command(rig.config, "retry", 6, rig.clock.now())
        rig.run()
    assert [mail.id for mail in rig.application.post.list_shunted()] == [6]


def test_fault_report_follows_rollback_of_an_earlier_seat(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def create(session: Session, command: Create) -> None:
        command.run(session)
        raise ZeroDivisionError

    kinds = rig.application.dispatcher.kinds
    monkeypatch.setitem(kinds, Create, replace(kinds[Create], run=create))
    rig.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas\nCREATE ?polo secret\nSET MOVE NEXT 48")
    assert orders(rig) == {"India"} and rig.application.games.find("polo") is None
    letters = [squeeze_text(text_of(one)) for one in rig.boxes[ANN]]
    assert ["the judge failed to do this" in one for one in letters] == [False, True]


def test_shunted_mail_is_reported_and_can_be_retried(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(dispatcher, "answer_letters", fails)
        rig.mail(ANN, BOTH)
    assert not orders(rig)
    assert "nothing in it was done" in squeeze_text(text_of(rig.letter(ANN, "error")))
    master = squeeze_text(text_of(rig.letter(GM, "notice")))
    assert "The judge failed to process a mail from ann" in master
    shown = run_shunted_command(rig.config, "show", 5, rig.clock.now())
    assert "From: ann@example.org" in shown and "ZeroDivisionError" in shown
    assert "annsecret" not in shown and "Del" not in shown, "no text is shown"
    rig.boxes.clear()
    run_shunted_command(rig.config, "retry", 5, rig.clock.now())
    rig.run()
    assert orders(rig) == {"India", "Japan"}
    assert [len(rig.boxes[one]) for one in (ANN, BOB)] == [2, 1]


def test_a_part_of_a_mail_has_the_complaints_of_its_lines() -> None:
    wrong = "REVIVE"
    texts = (wrong, "SIGNON Nmarco pw", wrong, wrong)
    lines = [Line(n, text) for n, text in enumerate(texts)]
    whole = read_sheet(lines)
    assert {one.line for one in whole.complaints} >= {0, 2, 3}
    part = mail_reader.part_of(whole, "1-2")
    assert [one.line for one in part.commands] == [1]
    assert {one.line for one in part.complaints} == {2}


def test_mail_is_not_shunted_unless_it_can_be_reported(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> None:
        raise ZeroDivisionError

    def full(*given: object) -> None:
        raise StoreTrouble("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(dispatcher, "answer_letters", fails)
        patch.setattr(error_reports, "notify_masters", full)
        with pytest.raises(StoreTrouble):
            rig.mail(ANN, BOTH)
        assert not rig.application.post.list_shunted()
    rig.run()
    assert orders(rig) == {"India", "Japan"}


def test_fault_report_of_an_unreadable_mail_quotes_no_words(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Any word may be a password, so that only the place of the error is reported."""

    def fails(
        language: CommandLanguage, lines: Sequence[Line], *given: object, **more: object
    ) -> None:
        raise ValueError(f"cannot read {lines[0].text!r}")

    with monkeypatch.context() as patch:
        patch.setattr(mail_reader, "parse_mail", fails)
        rig.mail(ANN, BOTH)
    [aside] = rig.application.post.list_shunted()
    told = text_of(rig.letter(KEEPER))
    # The line breaks of a traceback depend on the folder of the judge.
    whole = " ".join(told.replace("||", " ").split())
    assert "in read_whole" in whole and "ValueError" in whole
    assert not any("annsecret" in text for text in (told, aside.note, caplog.text))


def test_traceback_of_a_fault_contains_no_reply_token(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(mail: Incoming) -> None:
        raise ValueError(mail.detail)

    rig.mail(ANN, "SIGNON Nmarco annsecret")
    token = rig.letter(ANN, "receipt")["Reply-To"].partition("+")[2].partition("@")[0]
    with monkeypatch.context() as patch:
        patch.setattr(dispatcher, "Session", lambda context, mail, now, kinds: fails(mail))
        rig.store(f"From: {ANN}\r\n\r\nA Del - Kas\r\n".encode(), ANN, f"judge+{token}@localhost")
        rig.run()
    told = text_of(rig.letter(KEEPER))
    assert "ValueError: ***" in told and token not in told


def test_dropped_mail_is_never_processed(rig: Rig, broken: pytest.MonkeyPatch) -> None:
    rig.mail(ANN, BOTH)
    broken.undo()
    run_shunted_command(rig.config, "drop", 6, rig.clock.now())
    rig.run()
    assert orders(rig) == {"Japan"}
    with pytest.raises(JudgeError, match="no mail is set aside under 6"):
        run_shunted_command(rig.config, "retry", 6, rig.clock.now())


def test_trouble_with_the_database_sets_no_mail_aside(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*given: object, **named: object) -> None:
        raise StoreTrouble("locked")

    with monkeypatch.context() as patch:
        patch.setattr(dispatcher.Dispatcher, "handle", busy)
        rig.store(f"From: {ANN}\r\n\r\n{BOTH}".encode(), ANN)
        # The first mail of a process is watched more closely, and its retries do not count as
        # crashes.
        fresh = Worker(rig.application, rig.resolving)
        for each in [rig.worker, fresh] * 10:
            with pytest.raises(StoreTrouble):
                each.work_one()
    rig.run()
    assert orders(rig) == {"India", "Japan"}


def test_mail_with_repeated_database_failures_is_shunted(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = dispatcher.Dispatcher.handle

    def handle(self: dispatcher.Dispatcher, mail: Incoming, *given: Any, **named: Any) -> object:
        if mail.sender == ANN:
            raise StoreTrouble("too many variables")
        return real(self, mail, *given, **named)

    monkeypatch.setattr(dispatcher.Dispatcher, "handle", handle)
    rig.store(f"From: {ANN}\r\n\r\n{BOTH}".encode(), ANN)
    rig.store(f"From: {BOB}\r\n\r\nSIGNON Jmarco bobsecret\r\nF Tok - NPa".encode(), BOB)
    for _ in range(40):
        with suppress(StoreTrouble):
            rig.run()
    assert orders(rig) == {"Japan"}
    assert [mail.id for mail in rig.application.post.list_shunted()] == [5]


def test_mail_that_crashed_several_judges_is_shunted(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each start is a new worker.

    SystemExit, which no `except` clause of the worker catches, simulates the crash.
    """
    rig.store(f"From: {ANN}\r\n\r\n{BOTH}".encode(), ANN)

    def dies(*given: object, **named: object) -> None:
        sys.exit(9)

    with monkeypatch.context() as patch:
        patch.setattr(dispatcher.Dispatcher, "handle", dies)
        for _ in range(8):
            with pytest.raises(SystemExit):
                Worker(rig.application, rig.resolving).work_one()
        Worker(rig.application, rig.resolving).work_one()
    mail = rig.application.post.get(5)
    assert mail is not None and mail.state is MailState.SHUNTED
    assert "ended 8 times" in mail.note


def test_kills_during_warm_up_count_against_no_mail(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading grammars takes seconds, and a kill during it is no fault of a mail."""
    rig.store(f"From: {ANN}\r\n\r\n{BOTH}".encode(), ANN)

    def dies(*given: object) -> None:
        sys.exit(9)

    with monkeypatch.context() as patch:
        patch.setattr(worker, "parse_mail", dies)
        for _ in range(10):
            with pytest.raises(SystemExit):
                Worker(rig.application, rig.resolving).work_one()
    Worker(rig.application, rig.resolving).work_one()
    assert orders(rig) == {"India", "Japan"}


def test_worker_with_a_failed_warm_up_processes_mails(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(worker, "opening_table", lambda system: 1 / 0)
        rig.store(f"From: {ANN}\r\n\r\n{BOTH}".encode(), ANN)
        Worker(rig.application, rig.resolving).work_one()
    assert orders(rig) == {"India", "Japan"}
    assert "cannot be read" in caplog.text


def test_warm_up_is_tried_again_after_a_failure_of_the_database(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(system: object) -> None:
        raise StoreTrouble("gone")

    newest = Worker(rig.application, rig.resolving)
    with monkeypatch.context() as patch:
        patch.setattr(worker, "opening_table", fail)
        rig.store(f"From: {ANN}\r\n\r\n{BOTH}".encode(), ANN)
        with pytest.raises(StoreTrouble):
            newest.work_one()
    assert not newest.is_warm
    newest.work_one()
    assert newest.is_warm and orders(rig) == {"India", "Japan"}
    assert "cannot be read" not in caplog.text


def test_a_damaged_game_hides_no_other_from_lists(rig: Rig) -> None:
    rig.mail(GM, "CREATE ?polo gmsecret standard")
    rig.application.store.database.execute_sql(
        "UPDATE games SET settings = 'no json' WHERE name = 'marco'"
    )
    rig.mail(ANN, "LIST")
    assert "polo" in text_of(rig.letter(ANN, "info"))
    said = run_action(rig.config, rig.clock, lambda context, now: run_game_command(
        context, now, "list", "", "", False
    ))
    assert "marco  cannot be read" in said and "polo" in said


def test_game_with_an_unreadable_record_is_paused_alone(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.mail(GM, "CREATE ?polo gmsecret standard\nSTART")
    rig.boxes.clear()
    rig.application.store.database.execute_sql(
        "UPDATE games SET settings = 'no json' WHERE name = 'marco'"
    )
    rig.clock.advance(days=30)
    rig.resolving.tick(rig.clock.now())
    state, due = rig.application.store.database.execute_sql(
        "SELECT state, due FROM games WHERE name = 'marco'"
    ).fetchone()
    assert (state, due) == ("paused", None)
    polo = rig.application.games.find("polo")
    assert polo is not None and polo.turn > 1
    told = [out.message for out in newest_out(rig.application.post, 9, GM)]
    assert any(b"The judge failed to process 'marco'" in message for message in told)
    kept = newest_out(rig.application.post, 9, KEEPER)
    assert len(kept) == 1 and b"JSONDecodeError" in kept[0].message


def test_game_failing_after_an_outage_blocks_no_other_deadline(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.mail(GM, "CREATE ?polo gmsecret standard\nSTART")
    real = Resolver.after_outage

    def after_outage(self: Resolver, game_id: int, *given: object) -> object:
        return 1 / 0 if game_id == 1 else real(self, game_id, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Resolver, "after_outage", after_outage)
    rig.resolving.record_awake(rig.clock.now())
    rig.clock.advance(days=30)
    ResolverLoop(rig.application).record_awake(rig.clock.now())
    marco, polo = (Games(rig.application.store).find(name) for name in ("marco", "polo"))
    assert marco is not None and marco.state is GameState.PAUSED
    assert polo is not None and polo.deadline is not None
    assert polo.deadline > rig.clock.now()


def test_fault_report_to_a_master_survives_a_queueing_error(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Application.queue

    def queue(self: Application, letters: object, answers: int = 0) -> int:
        raise ZeroDivisionError

    def attend(*given: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(Resolver, "attend", attend)
    monkeypatch.setattr(Application, "queue", queue)
    rig.clock.advance(days=30)
    rig.resolving.tick(rig.clock.now())
    monkeypatch.setattr(Application, "queue", real)
    rig.run()
    assert "The judge failed to process 'marco'" in squeeze_text(text_of(rig.letter(GM)))


def test_fault_is_reported_to_every_master_of_a_game(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def attend(*given: object) -> object:
        raise ZeroDivisionError

    rig.mail("max@example.org", "OBSERVE marco maxsecret")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROMOTE max@example.org")
    masters = {s.address for s in rig.application.games.seats(1) if s.role is Role.MASTER}
    assert masters == {GM, "max@example.org"}
    rig.boxes.clear()
    monkeypatch.setattr(Resolver, "attend", attend)
    rig.clock.advance(days=30)
    rig.resolving.tick(rig.clock.now())
    monkeypatch.undo()
    rig.run()
    for master in masters:
        assert "The judge failed to process 'marco'" in squeeze_text(text_of(rig.letter(master)))


def test_repeated_fault_is_reported_a_few_times_a_day(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> None:
        raise ZeroDivisionError(str(rig.mails))

    def fails_elsewhere(*given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(dispatcher, "answer_letters", fails)
    for many in (1, 2):
        for _ in range(6):
            rig.mail(ANN, BOTH)
            rig.mail(BOB, "SIGNON Jmarco bobsecret\nF Tok - NPa")
        assert [len(rig.boxes[one]) for one in (KEEPER, GM, ANN, BOB)] == [
            MAX_REPORTS_PER_DAY * many, MAX_REPORTS_PER_DAY * many, many, many
        ]
        rig.clock.advance(days=1, minutes=1)
    assert "is kept, but not answered" in squeeze_text(text_of(rig.newest[ANN]))
    assert len(rig.application.post.list_shunted()) == 24, "none is lost"
    monkeypatch.setattr(dispatcher, "answer_letters", fails_elsewhere)
    for box in rig.boxes.values():
        box.clear()
    rig.mail(ANN, BOTH)
    assert all(len(rig.boxes[one]) == 1 for one in (KEEPER, GM, ANN)), "another cause"


def test_each_game_paused_for_one_cause_is_reported(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(MAX_REPORTS_PER_DAY + 2):
        rig.mail(GM, f"CREATE ?game{number} gmsecret standard\nSTART")
    rig.boxes.clear()

    def fails(*given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Resolver, "attend", fails)
    rig.clock.advance(days=10)
    rig.run()
    assert len(rig.boxes[KEEPER]) == MAX_REPORTS_PER_DAY
    assert len(rig.boxes[GM]) == MAX_REPORTS_PER_DAY + 2


@pytest.fixture
def half(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Patch under which letters that are queued together are queued, and then fail."""
    queue_all = rig.application.post.queue_all

    def fails(letters: Sequence[Outgoing]) -> list[int]:
        numbers = queue_all(letters)
        if any(letter.kind in ("notice", "error") and letter.game for letter in letters):
            raise ZeroDivisionError
        if any(letter.kind == "error" for letter in letters):
            raise ZeroDivisionError
        return numbers

    with monkeypatch.context() as patch:
        patch.setattr(rig.application.post, "queue_all", fails)
        yield patch


def test_failed_fault_report_to_a_master_becomes_one_sentence(
    rig: Rig, half: pytest.MonkeyPatch
) -> None:
    error_reports.pause_game(rig.application, 1, "story", rig.clock.now())
    half.undo()
    rig.run()
    assert [letter["Subject"] for letter in rig.boxes[GM]] == ["an internal error"]


def test_failed_fault_report_to_a_sender_is_rolled_back(rig: Rig, half: pytest.MonkeyPatch) -> None:
    def fails(*given: object) -> None:
        raise ZeroDivisionError

    half.setattr(dispatcher, "answer_letters", fails)
    rig.mail(ANN, BOTH)
    half.undo()
    rig.run()
    assert ANN not in rig.boxes and not orders(rig)
    assert [mail.id for mail in rig.application.post.list_shunted()] == [5]


def test_failing_deferred_command_is_rolled_back_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(
        store=StoreSection("sqlite:///:memory:"), policy=replace(PolicySection(), confirm="true")
    )
    rig = Rig(config)
    rig.mail(GM, "CREATE ?marco gmsecret youngstown")
    rig.reply(GM, "")
    for name in (ANN, BOB):
        rig.mail(name, "JOIN marco secret")
    handle = dispatcher.Dispatcher.handle

    def fails(self: dispatcher.Dispatcher, mail: Incoming, *given: Any, **named: Any) -> object:
        letters = handle(self, mail, *given, **named)
        if named.get("contested") is not None and mail.sender == ANN:
            raise ZeroDivisionError
        return letters

    monkeypatch.setattr(dispatcher.Dispatcher, "handle", fails)
    for name in (ANN, BOB):
        rig.reply(name, "")
    assert not rig.application.games.seats_at(ANN) and rig.application.games.seats_at(BOB)
    assert len(rig.application.post.list_shunted()) == 1
    rig.close()
