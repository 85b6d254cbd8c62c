"""Our own faults: in one seat's part of a mail, in a mail, in a game; and what is told of it."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.config import Config, PolicySection, StoreSection
from judge.daemon import error_reports, reading, worker
from judge.daemon.application import Works
from judge.daemon.error_reports import MOST_TOLD
from judge.daemon.operator import keep
from judge.daemon.resolving import Resolving
from judge.daemon.worker import Worker
from judge.errors import JudgeError, StoreTrouble
from judge.mail.language.vocabulary import Language
from judge.model.incoming import Incoming, Line
from judge.model.orders import GiveOrders
from judge.model.record import GameState, MailState, Outgoing, Role
from judge.model.seats import Create
from judge.play import dispatcher
from judge.play.commands.orders import ordering
from judge.play.commands.outcome import Outcome
from judge.play.commands.session import Session
from judge.play.resolver import Resolver
from judge.store.games import Games
from judge.terminal.games import about_game
from judge.terminal.queue import shunted
from tests.journeys.bench import Bench, squeezed, text_of
from tests.language import read_sheet

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"
KEEPER = "postmaster@localhost"


@pytest.fixture(scope="module")
def begun() -> Iterator[Bench]:
    """A game, India held by Ann and Japan by Bob, that our orders desk fails India in."""
    made = Bench()
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    made.mail(BOB, "JOIN marco bobsecret\nSET PREFERENCE J")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.boxes.clear()
    yield made
    made.close()


@pytest.fixture
def bench(begun: Bench, tmp_path: Path) -> Iterator[Bench]:
    """The same, its database a file."""
    made = begun.again(Config(store=StoreSection(f"sqlite:///{tmp_path / 'judge.sqlite3'}")))
    yield made
    made.close()


@pytest.fixture
def broken(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """While it lasts, orders for India are filed and then fail."""

    def give_orders(session: Session, command: GiveOrders) -> Outcome:
        did = ordering.give_orders(session, command)
        if session.is_signed_on and session.seat.power == "India":
            raise ZeroDivisionError("with annsecret in it")
        return did

    with monkeypatch.context() as patch:
        kinds = bench.works.desk.kinds
        patch.setitem(kinds, GiveOrders, replace(kinds[GiveOrders], run=give_orders))
        yield patch


def orders(bench: Bench) -> set[str]:
    """Return the powers that have orders on file."""
    game = bench.works.games.find("marco")
    assert game is not None
    return set(bench.works.games.orders(game.id, "S1901M"))


BOTH = (
    "SIGNON Nmarco annsecret\nA Del - Kas\n"
    "SIGNON Jmarco bobsecret\nF Tok - NPa\n"
)


def test_a_fault_in_one_seats_commands_takes_back_that_seat_alone(
    bench: Bench, broken: pytest.MonkeyPatch
) -> None:
    bench.mail(ANN, BOTH)
    assert orders(bench) == {"Japan"}
    told = squeezed(text_of(bench.letter(ANN, "receipt")))
    assert "fault of ours" in told and "Kashmir" not in told
    assert "fault" not in squeezed(text_of(bench.letter(BOB, "receipt")))
    master = squeezed(text_of(bench.letter(GM, "notice")))
    assert "could not work a part of a mail from ann@example.org" in master
    keeper = text_of(bench.letter(KEEPER))
    assert "lines 1-2 of mail 5" in keeper and "ZeroDivision" in keeper
    assert "annsecret" not in keeper, "a story holds no password"


def test_a_part_set_aside_is_retried_without_doing_the_others_again(
    bench: Bench, broken: pytest.MonkeyPatch
) -> None:
    bench.mail(ANN, BOTH)
    broken.undo()
    assert "lines 1-2" in shunted(bench.config, "list", 0, bench.clock.now())
    bench.boxes.clear()
    shunted(bench.config, "retry", 6, bench.clock.now())
    bench.run()
    assert orders(bench) == {"India", "Japan"}
    assert "Kashmir" in text_of(bench.letter(ANN, "receipt"))
    assert not bench.boxes.get(BOB), "his part was carried out before"
    assert shunted(bench.config, "list", 0, bench.clock.now()) == "No mail is set aside."


def test_a_part_that_fails_again_is_set_aside_again_as_the_same(
    bench: Bench, broken: pytest.MonkeyPatch
) -> None:
    bench.mail(ANN, BOTH)
    for _ in range(2):
        shunted(bench.config, "retry", 6, bench.clock.now())
        bench.run()
    assert [mail.id for mail in bench.works.post.shunted()] == [6]


def test_a_seat_that_the_fault_took_back_too_is_told_at_the_senders_address(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def create(session: Session, command: Create) -> Outcome:
        dispatcher.making.create(session, command)
        raise ZeroDivisionError

    kinds = bench.works.desk.kinds
    monkeypatch.setitem(kinds, Create, replace(kinds[Create], run=create))
    bench.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas\nCREATE ?polo secret\nSET MOVE NEXT 48")
    assert orders(bench) == {"India"} and bench.works.games.find("polo") is None
    letters = [squeezed(text_of(one)) for one in bench.boxes[ANN]]
    assert ["fault of ours" in one for one in letters] == [False, True]


def test_a_whole_mail_set_aside_is_told_to_its_sender_and_his_masters_and_can_be_retried(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(dispatcher, "answer_letters", fails)
        bench.mail(ANN, BOTH)
    assert not orders(bench)
    assert "nothing of it was carried out" in squeezed(text_of(bench.letter(ANN, "error")))
    assert "could not work a mail from ann" in squeezed(text_of(bench.letter(GM, "notice")))
    shown = shunted(bench.config, "show", 5, bench.clock.now())
    assert "From: ann@example.org" in shown and "ZeroDivisionError" in shown
    assert "annsecret" not in shown and "Del" not in shown, "no text is shown"
    bench.boxes.clear()
    shunted(bench.config, "retry", 5, bench.clock.now())
    bench.run()
    assert orders(bench) == {"India", "Japan"}
    assert [len(bench.boxes[one]) for one in (ANN, BOB)] == [2, 1]


def test_a_part_of_a_mail_has_the_complaints_of_its_lines() -> None:
    wrong = "PROCESS at once"
    texts = (wrong, "SIGNON Nmarco pw", wrong, wrong)
    lines = [Line(n, text) for n, text in enumerate(texts)]
    whole = read_sheet(lines)
    assert {one.line for one in whole.complaints} >= {0, 2, 3}
    part = reading.part_of(whole, "1-2")
    assert [one.line for one in part.commands] == [1]
    assert {one.line for one in part.complaints} == {2}


def test_a_mail_is_not_set_aside_unless_everybody_can_be_told(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> None:
        raise ZeroDivisionError

    def full(*given: object) -> None:
        raise StoreTrouble("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(dispatcher, "answer_letters", fails)
        patch.setattr(error_reports, "tell_masters", full)
        with pytest.raises(StoreTrouble):
            bench.mail(ANN, BOTH)
        assert not bench.works.post.shunted()
    bench.run()
    assert orders(bench) == {"India", "Japan"}


def test_a_fault_over_a_mail_nobody_could_read_tells_none_of_its_words(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Which of them is a password is not known then; where it happened is."""
    def fails(language: Language, lines: Sequence[Line], **given: object) -> None:
        raise ValueError(f"cannot read {lines[0].text!r}")

    with monkeypatch.context() as patch:
        patch.setattr(reading, "read_sheet", fails)
        bench.mail(ANN, BOTH)
    [aside] = bench.works.post.shunted()
    told = text_of(bench.letter(KEEPER))
    # Where a line of the story is broken depends on the folder the judge lies in.
    whole = " ".join(told.replace("||", " ").split())
    assert "in read_whole" in whole and "ValueError" in whole
    assert not any("annsecret" in text for text in (told, aside.note, caplog.text))


def test_no_token_of_a_seat_stands_in_the_story_of_a_fault(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(mail: Incoming) -> None:
        raise ValueError(mail.detail)

    bench.mail(ANN, "SIGNON Nmarco annsecret")
    token = bench.letter(ANN, "receipt")["Reply-To"].partition("+")[2].partition("@")[0]
    with monkeypatch.context() as patch:
        patch.setattr(dispatcher, "Session", lambda office, mail, now, kinds: fails(mail))
        bench.store(f"From: {ANN}\r\n\r\nA Del - Kas\r\n".encode(), ANN, f"judge+{token}@localhost")
        bench.run()
    told = text_of(bench.letter(KEEPER))
    assert "ValueError: ***" in told and token not in told


def test_a_mail_that_is_dropped_is_never_worked(
    bench: Bench, broken: pytest.MonkeyPatch
) -> None:
    bench.mail(ANN, BOTH)
    broken.undo()
    shunted(bench.config, "drop", 6, bench.clock.now())
    bench.run()
    assert orders(bench) == {"Japan"}
    with pytest.raises(JudgeError, match="no mail is set aside under 6"):
        shunted(bench.config, "retry", 6, bench.clock.now())


def test_trouble_with_the_database_sets_no_mail_aside(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*given: object, **named: object) -> None:
        raise StoreTrouble("locked")

    with monkeypatch.context() as patch:
        patch.setattr(dispatcher.Desk, "handle", busy)
        bench.store(f"From: {ANN}\r\n\r\n{BOTH}".encode(), ANN)
        # The first mail of a process is watched more closely: its trials are no deaths.
        fresh = Worker(bench.works, bench.resolving)
        for each in [bench.worker, fresh] * 10:
            with pytest.raises(StoreTrouble):
                each.step()
    bench.run()
    assert orders(bench) == {"India", "Japan"}


def test_a_mail_that_alone_has_trouble_with_the_database_stops_no_other_for_ever(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = dispatcher.Desk.handle

    def handle(self: dispatcher.Desk, mail: Incoming, *given: Any, **named: Any) -> object:
        if mail.sender == ANN:
            raise StoreTrouble("too many variables")
        return real(self, mail, *given, **named)

    monkeypatch.setattr(dispatcher.Desk, "handle", handle)
    bench.store(f"From: {ANN}\r\n\r\n{BOTH}".encode(), ANN)
    bench.store(f"From: {BOB}\r\n\r\nSIGNON Jmarco bobsecret\r\nF Tok - NPa".encode(), BOB)
    for _ in range(40):
        with suppress(StoreTrouble):
            bench.run()
    assert orders(bench) == {"Japan"}
    assert [mail.id for mail in bench.works.post.shunted()] == [5]


def test_a_mail_that_several_judges_died_of_is_set_aside(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each start is a new worker; death is stood in for by what no `except` of ours catches."""
    bench.store(f"From: {ANN}\r\n\r\n{BOTH}".encode(), ANN)

    def dies(*given: object, **named: object) -> None:
        sys.exit(9)

    with monkeypatch.context() as patch:
        patch.setattr(dispatcher.Desk, "handle", dies)
        for _ in range(8):
            with pytest.raises(SystemExit):
                Worker(bench.works, bench.resolving).step()
        Worker(bench.works, bench.resolving).step()
    mail = bench.works.post.get(5)
    assert mail is not None and mail.state is MailState.SHUNTED
    assert "ended 8 times" in mail.note


def test_a_judge_that_is_ended_while_it_gets_ready_did_not_die_of_a_mail(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Grammars take seconds to read: kills within them are no mail's fault."""
    bench.store(f"From: {ANN}\r\n\r\n{BOTH}".encode(), ANN)

    def dies(*given: object) -> None:
        sys.exit(9)

    with monkeypatch.context() as patch:
        patch.setattr(worker, "read_sheet", dies)
        for _ in range(10):
            with pytest.raises(SystemExit):
                Worker(bench.works, bench.resolving).step()
    Worker(bench.works, bench.resolving).step()
    assert orders(bench) == {"India", "Japan"}


def test_a_judge_that_cannot_get_ready_works_what_it_can(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(worker, "opening_table", lambda system: 1 / 0)
        bench.store(f"From: {ANN}\r\n\r\n{BOTH}".encode(), ANN)
        Worker(bench.works, bench.resolving).step()
    assert orders(bench) == {"India", "Japan"}
    assert "cannot be read" in caplog.text


def test_a_damaged_game_hides_no_other_from_lists(bench: Bench) -> None:
    bench.mail(GM, "CREATE ?polo gmsecret standard")
    bench.works.store.database.execute_sql(
        "UPDATE games SET settings = 'no json' WHERE name = 'marco'"
    )
    bench.mail(ANN, "LIST")
    assert "polo" in text_of(bench.letter(ANN, "info"))
    said = keep(bench.config, bench.clock, lambda office, now: about_game(
        office, now, "list", "", "", False
    ))
    assert "marco  cannot be read" in said and "polo" in said


def test_a_game_whose_record_cannot_be_read_is_paused_and_the_others_go_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.mail(GM, "CREATE ?polo gmsecret standard\nSTART")
    bench.boxes.clear()
    bench.works.store.database.execute_sql(
        "UPDATE games SET settings = 'no json' WHERE name = 'marco'"
    )
    bench.clock.forward(days=30)
    bench.resolving.tick(bench.clock.now())
    state, due = bench.works.store.database.execute_sql(
        "SELECT state, due FROM games WHERE name = 'marco'"
    ).fetchone()
    assert (state, due) == ("paused", None)
    polo = bench.works.games.find("polo")
    assert polo is not None and polo.turn > 1
    told = [out.message for out in bench.works.post.newest_out(9, GM)]
    assert any(b"could not move 'marco' on" in message for message in told)
    kept = bench.works.post.newest_out(9, KEEPER)
    assert len(kept) == 1 and b"JSONDecodeError" in kept[0].message


def test_a_game_that_fails_after_an_outage_keeps_no_other_from_its_new_deadline(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.mail(GM, "CREATE ?polo gmsecret standard\nSTART")
    real = Resolver.after_outage

    def after_outage(self: Resolver, game_id: int, *given: object) -> object:
        return 1 / 0 if game_id == 1 else real(self, game_id, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Resolver, "after_outage", after_outage)
    bench.resolving.awake(bench.clock.now())
    bench.clock.forward(days=30)
    Resolving(bench.works).awake(bench.clock.now())
    marco, polo = (Games(bench.works.store).find(name) for name in ("marco", "polo"))
    assert marco is not None and marco.state is GameState.PAUSED
    assert polo is not None and polo.deadline is not None
    assert polo.deadline > bench.clock.now()


def test_a_master_hears_of_a_fault_even_if_his_letter_cannot_be_made(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Works.queue

    def queue(self: Works, letters: object, answers: int = 0) -> int:
        raise ZeroDivisionError

    def attend(*given: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(Resolver, "attend", attend)
    monkeypatch.setattr(Works, "queue", queue)
    bench.clock.forward(days=30)
    bench.resolving.tick(bench.clock.now())
    monkeypatch.setattr(Works, "queue", real)
    bench.run()
    assert "could not move 'marco' on" in squeezed(text_of(bench.letter(GM)))


def test_every_master_of_a_game_hears_of_a_fault(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def attend(*given: object) -> object:
        raise ZeroDivisionError

    bench.mail("max@example.org", "OBSERVE marco maxsecret")
    bench.mail(GM, "SIGNON Mmarco gmsecret\nPROMOTE max@example.org")
    masters = {s.address for s in bench.works.games.seats(1) if s.role is Role.MASTER}
    assert masters == {GM, "max@example.org"}
    bench.boxes.clear()
    monkeypatch.setattr(Resolver, "attend", attend)
    bench.clock.forward(days=30)
    bench.resolving.tick(bench.clock.now())
    monkeypatch.undo()
    bench.run()
    for master in masters:
        assert "could not move 'marco' on" in squeezed(text_of(bench.letter(master)))


def test_a_fault_that_is_met_again_and_again_is_told_a_few_times_a_day(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> None:
        raise ZeroDivisionError(str(bench.mails))

    def fails_elsewhere(*given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(dispatcher, "answer_letters", fails)
    for many in (1, 2):
        for _ in range(6):
            bench.mail(ANN, BOTH)
            bench.mail(BOB, "SIGNON Jmarco bobsecret\nF Tok - NPa")
        assert [len(bench.boxes[one]) for one in (KEEPER, GM, ANN, BOB)] == [
            MOST_TOLD * many, MOST_TOLD * many, many, many
        ]
        bench.clock.forward(days=1, minutes=1)
    assert "not answered" in squeezed(text_of(bench.newest[ANN]))
    assert len(bench.works.post.shunted()) == 24, "none is lost"
    monkeypatch.setattr(dispatcher, "answer_letters", fails_elsewhere)
    for box in bench.boxes.values():
        box.clear()
    bench.mail(ANN, BOTH)
    assert all(len(bench.boxes[one]) == 1 for one in (KEEPER, GM, ANN)), "another cause"


def test_many_games_paused_for_one_cause_are_told_to_their_masters_each(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(MOST_TOLD + 2):
        bench.mail(GM, f"CREATE ?game{number} gmsecret standard\nSTART")
    bench.boxes.clear()

    def fails(*given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Resolver, "attend", fails)
    bench.clock.forward(days=10)
    bench.run()
    assert len(bench.boxes[KEEPER]) == MOST_TOLD
    assert len(bench.boxes[GM]) == MOST_TOLD + 2


@pytest.fixture
def half(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """While it lasts, letters that are queued together are queued, and then it fails."""
    queue_all = bench.works.post.queue_all

    def fails(letters: Sequence[Outgoing]) -> list[int]:
        numbers = queue_all(letters)
        if any(letter.kind in ("notice", "error") and letter.game for letter in letters):
            raise ZeroDivisionError
        if any(letter.kind == "error" for letter in letters):
            raise ZeroDivisionError
        return numbers

    with monkeypatch.context() as patch:
        patch.setattr(bench.works.post, "queue_all", fails)
        yield patch


def test_a_master_who_can_be_told_by_half_only_is_told_in_one_sentence(
    bench: Bench, half: pytest.MonkeyPatch
) -> None:
    error_reports.pause_game(bench.works, 1, "story", bench.clock.now())
    half.undo()
    bench.run()
    assert [letter["Subject"] for letter in bench.boxes[GM]] == ["a fault of ours"]


def test_a_sender_who_can_be_answered_by_half_only_is_not_answered(
    bench: Bench, half: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> None:
        raise ZeroDivisionError

    half.setattr(dispatcher, "answer_letters", fails)
    bench.mail(ANN, BOTH)
    half.undo()
    bench.run()
    assert ANN not in bench.boxes and not orders(bench)
    assert [mail.id for mail in bench.works.post.shunted()] == [5]


def test_what_waited_for_an_address_and_fails_is_taken_back_whole(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(
        store=StoreSection("sqlite:///:memory:"), policy=replace(PolicySection(), confirm="true")
    )
    bench = Bench(config)
    bench.mail(GM, "CREATE ?marco gmsecret youngstown")
    bench.reply(GM, "")
    for name in (ANN, BOB):
        bench.mail(name, "JOIN marco secret")
    handle = dispatcher.Desk.handle

    def fails(self: dispatcher.Desk, mail: Incoming, *given: Any, **named: Any) -> object:
        letters = handle(self, mail, *given, **named)
        if named.get("contested") is not None and mail.sender == ANN:
            raise ZeroDivisionError
        return letters

    monkeypatch.setattr(dispatcher.Desk, "handle", fails)
    for name in (ANN, BOB):
        bench.reply(name, "")
    assert not bench.works.games.seats_at(ANN) and bench.works.games.seats_at(BOB)
    assert len(bench.works.post.shunted()) == 1
    bench.close()
