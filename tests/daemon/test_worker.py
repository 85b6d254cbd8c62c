"""One mail, one transaction; our own faults stop one mail or one game, never the judge."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from judge.daemon.application import Works
from judge.errors import StoreError
from judge.model.record import GameState, MailState
from judge.play.dispatcher import Desk
from judge.play.resolver import OUTAGE, Resolver
from judge.store.games import Games
from tests.journeys.bench import Bench, squeezed, text_of

KEEPER = "postmaster@localhost"
ANN = "ann@example.org"


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A judge in memory."""
    made = Bench()
    yield made
    made.close()


def state_of(works: Works, number: int) -> MailState:
    """Return what became of a mail."""
    mail = works.post.get(number)
    assert mail is not None
    return mail.state


def test_a_mail_and_its_answer_are_one_transaction(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rendering fails after the game was made: neither the game nor an answer is left."""
    with monkeypatch.context() as patch:
        patch.setattr(Works, "new_message_id", broken_once(Works.new_message_id))
        bench.mail(ANN, "CREATE ?marco gmsecret")
    assert bench.works.games.find("marco") is None
    assert state_of(bench.works, 1) is MailState.SHUNTED
    told = bench.letter(KEEPER)
    assert "mail 1 is set aside" in told["Subject"] and "ZeroDivisionError" in text_of(told)
    assert "fault of ours" in squeezed(text_of(bench.letter(ANN, "error")))
    bench.mail(ANN, "CREATE ?marco gmsecret")
    assert bench.works.games.find("marco") is not None
    assert "marco" in text_of(bench.letter(ANN, "receipt"))


def broken_once(real: object) -> object:
    """Return a function that fails when it is first called."""
    calls = []

    def stand_in(*given: object) -> object:
        calls.append(given)
        return 1 / 0 if len(calls) == 1 else real(*given)  # type: ignore[operator]

    return stand_in


def test_when_the_storage_fails_the_mail_stays_new_and_is_tried_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object, **more: object) -> object:
        raise StoreError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(Desk, "handle", fails)
        with pytest.raises(StoreError):
            bench.mail(ANN, "CREATE ?marco gmsecret")
    assert state_of(bench.works, 1) is MailState.NEW
    bench.run()
    assert state_of(bench.works, 1) is MailState.DONE


def test_a_repeated_delivery_has_one_effect_and_one_answer(bench: Bench) -> None:
    raw = b"From: ann@example.org\r\nMessage-ID: <1@x>\r\n\r\nCREATE ?marco gmsecret\r\n"
    for _ in range(2):
        bench.take(b"Received: again\r\n" + raw, ANN)
    assert [state_of(bench.works, n) for n in (1, 2)] == [MailState.DONE, MailState.IGNORED]
    assert len(bench.boxes[ANN]) == 1


@pytest.mark.parametrize(
    "head",
    [b"Auto-Submitted: auto-replied\r\n", b"List-Id: <x.example.org>\r\n", b"Precedence: bulk\r\n"],
)
def test_machine_mail_is_kept_and_never_answered(bench: Bench, head: bytes) -> None:
    bench.take(b"From: ann@example.org\r\n" + head + b"\r\nCREATE ?marco gmsecret\r\n", ANN)
    assert state_of(bench.works, 1) is MailState.IGNORED
    assert not bench.boxes and bench.works.games.find("marco") is None


def test_a_bounce_is_never_answered(bench: Bench) -> None:
    bench.take(b"From: MAILER-DAEMON@example.org\r\n\r\nundeliverable\r\n", "")
    assert state_of(bench.works, 1) is MailState.IGNORED
    assert not bench.boxes


def test_mail_for_postmaster_is_passed_on_to_the_keeper_unread(bench: Bench) -> None:
    raw = b"From: ann@example.org\r\nSubject: help\r\n\r\nCREATE ?marco gmsecret\r\n"
    bench.take(raw, ANN, to="postmaster")
    assert bench.works.games.find("marco") is None
    (out,) = bench.works.post.newest_out(9)
    assert (out.to, out.sender) == (KEEPER, ANN)
    assert out.message.startswith(b"Received: from unknown ([unknown]) by localhost ")
    assert out.message.endswith(b" +0000\r\nDelivered-To: postmaster@localhost\r\n" + raw)


def test_mail_for_the_keeper_that_comes_back_ends_there(bench: Bench) -> None:
    bench.take(b"From: a@x.org\r\n\r\nx\r\n", "a@x.org", to=KEEPER)
    (out,) = bench.works.post.newest_out(9)
    bench.take(out.message, out.sender, to=KEEPER)
    assert len(bench.works.post.newest_out(9)) == 1


def test_a_stranger_is_answered_so_many_times_an_hour_only(bench: Bench) -> None:
    most = bench.config.policy.strangers_per_hour
    for _ in range(most + 3):
        bench.mail(ANN, "hello?")
    assert len(bench.boxes[ANN]) == most
    bench.clock.forward(hours=1, seconds=1)
    bench.mail(ANN, "hello?")
    assert len(bench.boxes[ANN]) == most + 1


def start_game(bench: Bench) -> None:
    """Make a running game whose India and nobody else has a player."""
    bench.mail("gm@example.org", "CREATE ?marco gmsecret youngstown")
    bench.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    bench.mail("gm@example.org", "SIGNON Mmarco gmsecret\nSTART")
    bench.boxes.clear()


def test_a_mail_that_came_before_the_deadline_counts_though_it_is_worked_after_it(
    bench: Bench,
) -> None:
    start_game(bench)
    game = bench.works.games.find("marco")
    assert game is not None and game.deadline is not None
    bench.clock.set(game.deadline - timedelta(seconds=1))
    raw = b"From: ann@example.org\r\n\r\nSIGNON Nmarco annsecret\r\nA Del - Kas\r\n"
    bench.store(raw, ANN)
    bench.clock.set(game.deadline + timedelta(seconds=5))
    bench.resolving.tick(bench.clock.now())
    assert not bench.works.games.turns(game.id), "the mail is worked first"
    bench.run()
    assert bench.works.games.orders(game.id, "S1901M")["India"]


def test_a_game_that_cannot_be_adjudicated_is_paused_and_the_keeper_told(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_game(bench)
    with monkeypatch.context() as patch:
        patch.setattr(Resolver, "attend", broken_once(Resolver.attend))
        bench.clock.forward(days=30)
        bench.run()
    game = bench.works.games.find("marco")
    assert game is not None and game.state is GameState.PAUSED and game.phase == "S1901M"
    assert "marco is paused" in bench.letter(KEEPER)["Subject"]


def test_after_an_outage_a_deadline_that_passed_gets_a_new_time(bench: Bench) -> None:
    start_game(bench)
    game = bench.works.games.find("marco")
    assert game is not None and game.deadline is not None
    bench.resolving.awake(game.deadline - timedelta(minutes=1))
    bench.clock.set(game.deadline + OUTAGE)
    bench.resolving.awake(bench.clock.now())
    bench.run()
    moved = bench.works.games.find("marco")
    assert moved is not None and moved.phase == "S1901M"
    assert moved.deadline == bench.clock.now() + bench.config.policy.outage_grace
    assert bench.letter(ANN, "notice")


def test_no_outage_no_mercy(bench: Bench) -> None:
    start_game(bench)
    game = bench.works.games.find("marco")
    assert game is not None and game.deadline is not None
    bench.resolving.awake(game.deadline - timedelta(minutes=1))
    bench.resolving.awake(game.deadline + timedelta(minutes=1))
    same = Games(bench.works.store).find("marco")
    assert same is not None and same.deadline == game.deadline
