"""Limits of letters a day and a minute, with priorities."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.policy import default

import pytest

from judge.config import Config, DeliverSection, PolicySection, StoreSection
from judge.daemon.delivery_loop import DeliveryLoop
from judge.mail.outbound.delivery import delivery_for
from judge.model.letter import Letter, LetterKind, LetterPriority
from judge.model.record import Outgoing
from judge.store.send_budget import Allowance, SendBudget
from tests.daemon.test_sending import Server
from tests.journeys.field_mail import ANN, BOB, GM, begin
from tests.journeys.rig import Rig, text_of
from tests.mail.submission import Provider, run_provider
from tests.outbox import newest_out

ESSENTIAL, PRESS, OPTIONAL = LetterPriority
URL = "smtp://me:secret@127.0.0.1:9"
KEEPER = "postmaster@localhost"


def rig_with(per_day: str, url: str = URL) -> Rig:
    """Return a judge that sends by a mail account."""
    return Rig(Config(
        store=StoreSection("sqlite:///:memory:"), deliver=DeliverSection(url, per_day),
        policy=PolicySection(confirm="false"),
    ))


@pytest.fixture
def rig() -> Iterator[Rig]:
    """A judge with ten letters a day."""
    made = rig_with("10")
    yield made
    made.close()


def queue(rig: Rig, priority: LetterPriority, *names: str, game: str = "") -> None:
    """Queue a letter of a priority to each name."""
    for name in names:
        now, judge = rig.clock.now(), rig.config.judge.address
        rig.application.post.queue(Outgoing(
            0, f"{name}@{name}.org", judge, rig.application.new_message_id(), b"x\r\n", now, now,
            game=game, priority=priority,
        ))


def names_of(server: Server) -> list[str]:
    """Return the names of the recipients so far, except the operator."""
    return [to.partition("@")[0] for to in server.taken if to != KEEPER]


@pytest.mark.parametrize("to, per_day, day, minute", [
    ("maildir:var/outbox", "auto", 0, 0), ("smtp://127.0.0.1:25", "auto", 0, 0),
    ("smtps://me%40gmail.com:x@smtp.gmail.com:465", "auto", 400, 20),
    ("smtps://me:x@smtp.googlemail.com", "auto", 400, 20),
    ("smtps://me:x@SMTP.Gmail.com", "auto", 400, 20),
    ("smtps://me:x@mail.example.org", "auto", 200, 20),
    ("smtps://me:x@notgmail.com", "auto", 200, 20),
    ("smtp://me:x@mail.example.org:587?tls=required", "150", 150, 20),
    ("smtps://me:x@smtp.gmail.com", "0", 0, 20), ("smtp://127.0.0.1:25", "1000", 1000, 0),
])
def test_limits_follow_the_account(to: str, per_day: str, day: int, minute: int) -> None:
    section = DeliverSection(to, per_day)
    assert (section.max_per_day, section.max_per_minute) == (day, minute)


LETTER = Letter(LetterKind.NOTICE, "ann@example.org", "x", "notice")


@pytest.mark.parametrize("letter, priority", [
    (LETTER, ESSENTIAL),
    (replace(LETTER, kind=LetterKind.RESULTS, template="results"), ESSENTIAL),
    (replace(LETTER, kind=LetterKind.CONFIRM, template="confirm"), ESSENTIAL),
    (replace(LETTER, kind=LetterKind.REMINDER, template="late"), ESSENTIAL),
    (replace(LETTER, kind=LetterKind.REMINDER, template="reminder"), OPTIONAL),
    (replace(LETTER, kind=LetterKind.RESULTS, template="digest"), OPTIONAL),
    (replace(LETTER, kind=LetterKind.PRESS, template="press"), PRESS),
    (replace(LETTER, kind=LetterKind.PRESS, template="press", answers="<1@x>"), PRESS),
    (replace(LETTER, kind=LetterKind.RESULTS, unsubscribe="t7"), OPTIONAL),
    (replace(LETTER, kind=LetterKind.PRESS, unsubscribe="t7"), OPTIONAL),
    # An observer who asks gets an answer.
    (replace(LETTER, kind=LetterKind.RECEIPT, unsubscribe="t7", answers="<1@x>"), ESSENTIAL),
])
def test_priorities_of_letters(letter: Letter, priority: LetterPriority) -> None:
    assert letter.priority is priority


def test_priorities_of_a_game_are_stored() -> None:
    rig, eve = begin(), "eve@field.example"
    rig.mail(eve, "OBSERVE marco evesecret")
    rig.mail(ANN, "SIGNON Fmarco annsecret\nPRESS TO ALL\nHello!\nENDPRESS")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    found = {(out.to, out.kind): out.priority for out in newest_out(rig.application.post, 40)}
    rig.close()
    assert found[ANN, "receipt"] == found[eve, "receipt"] == ESSENTIAL
    assert found[ANN, "results"] == found[BOB, "results"] == ESSENTIAL
    assert found[BOB, "press"] == PRESS
    assert found[eve, "results"] == found[eve, "press"] == OPTIONAL


def test_essential_letters_are_sent_first(rig: Rig) -> None:
    queue(rig, OPTIONAL, "o1")
    queue(rig, PRESS, "p1")
    rig.clock.advance(minutes=1)
    queue(rig, ESSENTIAL, "e1", "e2")
    server = Server()
    DeliveryLoop(rig.application, server).drain()
    assert names_of(server) == ["e1", "e2", "p1", "o1"]


def test_others_wait_from_four_fifths_of_a_day(rig: Rig) -> None:
    queue(rig, ESSENTIAL, *(f"e{n}" for n in range(6)))
    queue(rig, PRESS, *(f"p{n}" for n in range(4)))
    queue(rig, OPTIONAL, "o0")
    server = Server()
    sending = DeliveryLoop(rig.application, server)
    sending.drain()
    assert names_of(server)[6:] == ["p0", "p1"]
    rig.clock.advance(hours=1)
    queue(rig, ESSENTIAL, "e6")
    sending.drain()
    assert names_of(server)[8:] == ["e6"]
    assert len(server.taken) == 10, "with the notice to the operator"
    queue(rig, ESSENTIAL, "e7")
    rig.clock.advance(hours=22, minutes=59)
    assert sending.drain() == 0, "the day is used up"
    rig.clock.advance(minutes=2)
    sending.drain()
    # Two letters of yesterday still count.
    assert names_of(server)[9:] == ["e7", "p2", "p3", "o0"]


def test_twenty_letters_a_minute_are_sent() -> None:
    rig = rig_with("0")
    queue(rig, PRESS, *(f"p{n}" for n in range(30)))
    server = Server()
    sending = DeliveryLoop(rig.application, server)
    assert sending.drain() == 20
    queue(rig, ESSENTIAL, "e1")
    rig.clock.advance(seconds=59)
    assert sending.drain() == 0
    rig.clock.advance(seconds=2)
    assert sending.drain() == 11
    assert names_of(server)[20] == "e1", "a turn letter never waits for press"
    rig.close()


def test_letters_without_a_login_have_no_limit() -> None:
    rig = rig_with("auto", "smtp://127.0.0.1:25")
    queue(rig, PRESS, *(f"p{n}" for n in range(250)))
    server = Server()
    assert DeliveryLoop(rig.application, server).drain() == 250
    assert names_of(server)[0] == "p0"
    rig.close()


def test_claimed_letters_of_other_processes_count(rig: Rig) -> None:
    queue(rig, ESSENTIAL, *(f"e{n}" for n in range(9)))
    now = rig.clock.now()
    rig.application.post.claim_out(now, 7, now + timedelta(minutes=2), owner=7)
    budget = SendBudget(rig.application.store, 10, 20)
    assert budget.find_allowance(now) == Allowance(1, OPTIONAL)
    rig.application.post.claim_out(now, 2, now + timedelta(minutes=2), owner=7)
    assert budget.find_allowance(now) == Allowance(1, ESSENTIAL)
    assert budget.find_allowance(now + timedelta(minutes=3)) == Allowance(8, OPTIONAL)


def test_a_provider_gets_the_letters_within_the_limits() -> None:
    with run_provider(Provider(limit=8)) as provider:
        rig = rig_with("10", provider.url)
        queue(rig, PRESS, *(f"p{n}" for n in range(9)))
        queue(rig, ESSENTIAL, "e0")
        sending = DeliveryLoop(rig.application, delivery_for(provider.url))
        sending.drain()
        assert len(provider.taken) == 8 and "e0@e0.org" in provider.addresses
        provider.limit = 99
        rig.clock.advance(days=1, seconds=1)
        sending.drain()
        rig.close()
    assert len(provider.addresses) == 11, "with the notice to the operator"


def test_masters_and_operator_get_one_notice_a_day(rig: Rig) -> None:
    rig.mail(GM, "CREATE ?marco gmsecret standard")
    rig.mail(ANN, "JOIN france@marco annsecret")
    rig.application.store.update_sql("DELETE FROM outgoing", ())
    queue(rig, ESSENTIAL, *(f"e{n}" for n in range(8)))
    server = Server()
    sending = DeliveryLoop(rig.application, server)
    sending.drain()
    queue(rig, PRESS, "p1", "p2", game="marco")
    queue(rig, OPTIONAL, "o1")
    sending.drain()
    rig.clock.advance(minutes=11)
    sending.drain()
    for hours in (6, 6):
        rig.clock.advance(hours=hours)
        sending.drain()
    assert sorted(server.taken[8:]) == sorted([GM, KEEPER])
    letters = {out.to: out for out in newest_out(rig.application.post, 99)}
    notice = message_from_bytes(letters[GM].message, policy=default)
    said = " ".join(text_of(notice).split())
    assert "2 letters of 'marco' wait" in said
    assert b"Letters that wait: 3." in letters[KEEPER].message
