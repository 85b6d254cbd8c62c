"""One transaction per mail, and internal errors that stop one mail or game only."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from judge.daemon.application import Application
from judge.daemon.mail_reader import MailReader
from judge.errors import StoreError, StoreTrouble
from judge.model.record import GameState, MailState
from judge.play.dispatcher import Dispatcher
from judge.play.resolver import OUTAGE, Resolver
from judge.store.games import Games
from judge.store.people import PendingLine
from tests.journeys.rig import Rig, squeeze_text, text_of
from tests.outbox import newest_out, next_new

KEEPER = "postmaster@localhost"
ANN = "ann@example.org"


@pytest.fixture
def rig() -> Iterator[Rig]:
    """A judge in memory."""
    made = Rig()
    yield made
    made.close()


def state_of(application: Application, number: int) -> MailState:
    """Return the state of a mail."""
    mail = application.post.get(number)
    assert mail is not None
    return mail.state


def test_a_mail_and_its_answer_are_one_transaction(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rendering fails after the game was made, and neither game nor reply is left."""
    with monkeypatch.context() as patch:
        patch.setattr(Application, "new_message_id", broken_once(Application.new_message_id))
        rig.mail(ANN, "CREATE ?marco gmsecret")
    assert rig.application.games.find("marco") is None
    assert state_of(rig.application, 1) is MailState.SHUNTED
    told = rig.letter(KEEPER)
    assert "mail 1 is set aside" in told["Subject"] and "ZeroDivisionError" in text_of(told)
    answer = squeeze_text(text_of(rig.letter(ANN, "error")))
    assert "the judge failed to process your mail" in answer
    rig.mail(ANN, "CREATE ?marco gmsecret")
    assert rig.application.games.find("marco") is not None
    assert "marco" in text_of(rig.letter(ANN, "receipt"))


def broken_once(real: object) -> object:
    """Return a function that fails at its first call."""
    calls = []

    def stand_in(*given: object) -> object:
        calls.append(given)
        return 1 / 0 if len(calls) == 1 else real(*given)  # type: ignore[operator]

    return stand_in


def test_mail_stays_new_after_a_storage_failure(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: object, **more: object) -> object:
        raise StoreError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(Dispatcher, "handle", fails)
        with pytest.raises(StoreError):
            rig.mail(ANN, "CREATE ?marco gmsecret")
    assert state_of(rig.application, 1) is MailState.NEW
    rig.run()
    assert state_of(rig.application, 1) is MailState.DONE


@pytest.mark.parametrize(
    "fault, most", [(StoreError("it does not fit"), 3), (StoreTrouble("disk full"), 30)]
)
def test_mail_is_shunted_after_many_storage_failures(
    fault: StoreError, most: int, rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object, **more: object) -> None:
        raise fault

    rig.store(b"From: ann@example.org\r\n\r\nCREATE ?marco%d gmsecret\r\n" % most, ANN)
    mail = next_new(rig.application.post)
    assert mail is not None
    with monkeypatch.context() as patch:
        patch.setattr(Dispatcher, "handle", fails)
        for _ in range(most - 1):
            with pytest.raises(StoreError):
                rig.worker.work_one()
        assert state_of(rig.application, mail.id) is MailState.NEW
        assert rig.worker.work_one()
    assert state_of(rig.application, mail.id) is MailState.SHUNTED


TWO = ("JOIN wait one\nSTATUS", "JOIN wait two\nSTATUS")


@pytest.mark.parametrize("texts, lines, many", [
    (TWO, (1, 1), 1), (TWO, (1, 2), 0), (TWO, (2, 1), 0), (TWO, (2, 2), 0),
    # All parts of a single mail have one author.
    (("JOIN wait one\nJOIN wait two",), (1, 2), 0), (("SET LEVEL EXPERT", *TWO), (1, 1, 1), 1),
])
def test_only_deferred_lines_contest_a_seat(
    texts: tuple[str, ...], lines: tuple[int, ...], many: int, rig: Rig
) -> None:
    """The other lines of a deferred mail were carried out or refused at once."""
    first = rig.mails + 1
    for text in texts:
        rig.mail(ANN, text)
    held = [frozenset({line}) for line in lines]
    if len(texts) == 1:
        held = [frozenset(lines)]
    waiting = [PendingLine(first + at, each, ANN) for at, each in enumerate(held)]
    assert len(rig.worker._conflicting_seats(waiting)) == many


def test_a_mail_that_cannot_be_read_hides_no_contest_of_others(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("JOIN wait none", *TWO):
        rig.mail(ANN, text)
    waiting = [PendingLine(number, frozenset({1}), ANN) for number in (1, 2, 3)]
    with monkeypatch.context() as patch:
        patch.setattr(MailReader, "read_deferred", broken_once(MailReader.read_deferred))
        found = rig.worker._conflicting_seats(waiting)
    assert [*found.values()] == [2]


def test_a_repeated_delivery_has_one_effect_and_one_answer(rig: Rig) -> None:
    raw = b"From: ann@example.org\r\nMessage-ID: <1@x>\r\n\r\nCREATE ?marco gmsecret\r\n"
    for _ in range(2):
        rig.take(b"Received: again\r\n" + raw, ANN)
    assert [state_of(rig.application, n) for n in (1, 2)] == [MailState.DONE, MailState.IGNORED]
    assert len(rig.boxes[ANN]) == 1


@pytest.mark.parametrize(
    "head",
    [b"Auto-Submitted: auto-replied\r\n", b"List-Id: <x.example.org>\r\n", b"Precedence: bulk\r\n"],
)
def test_automatic_mail_is_stored_and_never_answered(rig: Rig, head: bytes) -> None:
    rig.take(b"From: ann@example.org\r\n" + head + b"\r\nCREATE ?marco gmsecret\r\n", ANN)
    assert state_of(rig.application, 1) is MailState.IGNORED
    assert not rig.boxes and rig.application.games.find("marco") is None


def test_a_bounce_is_never_answered(rig: Rig) -> None:
    rig.take(b"From: MAILER-DAEMON@example.org\r\n\r\nundeliverable\r\n", "")
    assert state_of(rig.application, 1) is MailState.IGNORED
    assert not rig.boxes


def test_mail_for_postmaster_is_forwarded_to_the_operator(rig: Rig) -> None:
    raw = b"From: ann@example.org\r\nSubject: help\r\n\r\nCREATE ?marco gmsecret\r\n"
    rig.take(raw, ANN, to="postmaster")
    assert rig.application.games.find("marco") is None
    (out,) = newest_out(rig.application.post, 9)
    assert (out.to, out.sender) == (KEEPER, ANN)
    assert out.message.startswith(b"Received: from unknown ([unknown]) by localhost ")
    assert out.message.endswith(b" +0000\r\nDelivered-To: postmaster@localhost\r\n" + raw)


def test_bounce_of_forwarded_operator_mail_is_dropped(rig: Rig) -> None:
    rig.take(b"From: a@x.org\r\n\r\nx\r\n", "a@x.org", to=KEEPER)
    (out,) = newest_out(rig.application.post, 9)
    rig.take(out.message, out.sender, to=KEEPER)
    assert len(newest_out(rig.application.post, 9)) == 1


def test_replies_to_a_stranger_are_limited_per_hour(rig: Rig) -> None:
    most = rig.config.policy.strangers_per_hour
    for _ in range(most + 3):
        rig.mail(ANN, "hello?")
    assert len(rig.boxes[ANN]) == most
    rig.clock.advance(hours=1, seconds=1)
    rig.mail(ANN, "hello?")
    assert len(rig.boxes[ANN]) == most + 1


def start_game(rig: Rig) -> None:
    """Make a running game in which only India has a player."""
    rig.mail("gm@example.org", "CREATE ?marco gmsecret youngstown")
    rig.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    rig.mail("gm@example.org", "SIGNON Mmarco gmsecret\nSTART")
    rig.boxes.clear()


def test_mail_before_the_deadline_counts_if_processed_after_it(
    rig: Rig,
) -> None:
    start_game(rig)
    game = rig.application.games.find("marco")
    assert game is not None and game.deadline is not None
    rig.clock.set(game.deadline - timedelta(seconds=1))
    raw = b"From: ann@example.org\r\n\r\nSIGNON Nmarco annsecret\r\nA Del - Kas\r\n"
    rig.store(raw, ANN)
    rig.clock.set(game.deadline + timedelta(seconds=5))
    rig.resolving.tick(rig.clock.now())
    assert not rig.application.games.turns(game.id), "the mail is worked first"
    rig.run()
    assert rig.application.games.orders(game.id, "S1901M")["India"]


def test_game_with_a_failing_adjudication_is_paused_and_reported(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_game(rig)
    with monkeypatch.context() as patch:
        patch.setattr(Resolver, "attend", broken_once(Resolver.attend))
        rig.clock.advance(days=30)
        rig.run()
    game = rig.application.games.find("marco")
    assert game is not None and game.state is GameState.PAUSED and game.phase == "S1901M"
    assert "marco is paused" in rig.letter(KEEPER)["Subject"]


def test_after_an_outage_a_deadline_that_passed_gets_a_new_time(rig: Rig) -> None:
    start_game(rig)
    game = rig.application.games.find("marco")
    assert game is not None and game.deadline is not None
    rig.resolving.record_awake(game.deadline - timedelta(minutes=1))
    rig.clock.set(game.deadline + OUTAGE)
    rig.resolving.record_awake(rig.clock.now())
    rig.run()
    moved = rig.application.games.find("marco")
    assert moved is not None and moved.phase == "S1901M"
    assert moved.deadline == rig.clock.now() + rig.config.policy.outage_grace
    assert rig.letter(ANN, "notice")


def test_deadline_without_an_outage_gets_no_new_time(rig: Rig) -> None:
    start_game(rig)
    game = rig.application.games.find("marco")
    assert game is not None and game.deadline is not None
    rig.resolving.record_awake(game.deadline - timedelta(minutes=1))
    rig.resolving.record_awake(game.deadline + timedelta(minutes=1))
    same = Games(rig.application.store).find("marco")
    assert same is not None and same.deadline == game.deadline
