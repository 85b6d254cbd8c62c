"""Mail loops and floods end, and strangers get at most the bytes that arrive."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import cache

import pytest

from judge.config import Config, JudgeSection, PolicySection, StoreSection
from judge.daemon.bounces import BounceHandler
from judge.daemon.rate_limit import (
    HOUR,
    MAX_FRUITLESS_REPLIES,
    MIN_HOURLY_OCTETS,
    is_reply_suppressed,
    may_go_to_strangers,
    may_send_html,
)
from judge.model.command import ParsedMail
from judge.model.incoming import Arrival
from judge.model.letter import Letter, LetterKind
from judge.model.record import MailState, Outgoing
from judge.play.commands.seats.signup import SignOn
from judge.store.database import Store
from judge.store.mail_queues import Post
from judge.store.people import People
from tests.journeys.rig import START, Rig
from tests.mail.test_bounces import report
from tests.outbox import newest_out

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"
PATIENT = 200
"""Rounds after which an exchange would count as a loop."""


def at(address: str, **policy: object) -> Config:
    """Return the configuration of a judge at an address, with its database in memory."""
    return Config(
        judge=JudgeSection(address=address),
        store=StoreSection("sqlite:///:memory:"),
        policy=replace(PolicySection(), **policy),
    )


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game in which Ann plays India."""
    made = Rig(at("judge@localhost"))
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.boxes.clear()
    yield made
    made.close()


def outgoing(rig: Rig) -> list[Outgoing]:
    """Return all queued letters, newest first."""
    return newest_out(rig.application.post, 100_000)


def octets_in(rig: Rig) -> int:
    rows = rig.application.store.database.execute_sql("SELECT SUM(LENGTH(raw)) FROM mails")
    return int(rows.fetchone()[0])


def octets_out(rig: Rig) -> int:
    return sum(len(out.message) for out in outgoing(rig))


def stranger(number: int, text: str) -> bytes:
    """Return a short mail with a forged From and headers of a usual length."""
    mail = make_template(text).replace(b"NUMBER", b"%d" % number)
    return mail.replace(b"HOST", b"%d" % (number % 7))


@cache
def make_template(text: str) -> bytes:
    """Return the template of such a mail."""
    mail = EmailMessage()
    mail["From"] = "somebodyNUMBER@HOST.example.net"
    mail["To"] = "judge@localhost"
    mail["Subject"] = "hello"
    mail["Message-ID"] = "<NUMBER@example.net>"
    mail["X-Way"] = "x" * 700
    mail.set_content(text)
    return bytes(mail)


def test_two_judges_fall_silent_after_one_letter() -> None:
    here, there = Rig(at("judge@here.example")), Rig(at("judge@there.example"))
    here.mail("judge@there.example", "hello, judge")
    rounds = 0
    while rounds < PATIENT:
        went = 0
        for one, other in ((here, there), (there, here)):
            box = one.boxes.pop(other.config.judge.address, ())
            for letter in box:
                went += 1
                other.take(bytes(letter), one.config.judge.address)
        if not went:
            break
        rounds += 1
    assert rounds == 1
    assert (len(outgoing(here)), len(outgoing(there))) == (1, 0)
    here.close()
    there.close()


@pytest.mark.slow
@pytest.mark.parametrize("text", ["Unknown command.", "Sorry, I am only a program.\nA Del what?"])
def test_automatic_replies_to_every_reply_are_ignored(rig: Rig, text: str) -> None:
    rig.reply(ANN, "STATUS")
    letter = rig.letter(ANN)
    for answered in range(PATIENT):
        rig.reply(ANN, text, letter)
        if not rig.boxes[ANN]:
            break
        letter = rig.letter(ANN)
    assert answered == MAX_FRUITLESS_REPLIES
    # A mail with a password is answered at once, and any mail after an hour.
    rig.mail(ANN, "SIGNON Nmarco annsecret\nfoo")
    rig.letter(ANN, "receipt")
    rig.clock.advance(hours=1, seconds=1)
    rig.reply(ANN, text, letter)
    rig.letter(ANN, "receipt")


def test_automatic_sender_is_recognised_in_any_letter_case(rig: Rig) -> None:
    """Addresses that differ in case only are one sender, since relays fold case."""
    letter = rig.newest[ANN]
    for number in range(MAX_FRUITLESS_REPLIES + 5):
        written = (ANN, ANN.upper(), "Ann@example.org", "ann@Example.ORG")[number % 4]
        rig.reply(written, "Unknown command.", letter)
    assert len(rig.boxes[ANN]) == MAX_FRUITLESS_REPLIES


@pytest.mark.slow
def test_mail_with_valid_orders_is_always_answered(rig: Rig) -> None:
    letter = rig.newest[ANN]
    for _ in range(MAX_FRUITLESS_REPLIES + 20):
        rig.reply(ANN, "A Del - Kas\nWhat is this?", letter)
        rig.letter(ANN, "receipt")


def test_a_machine_without_a_seat_is_left_alone(rig: Rig) -> None:
    for number in range(PATIENT):
        rig.mail("robot@example.net", f"Unknown command {number}.")
    assert len(rig.boxes["robot@example.net"]) == rig.config.policy.strangers_per_hour


@pytest.mark.slow
def test_hundreds_of_forged_strangers_get_less_than_they_send() -> None:
    texts = ("hello", "HELP", "SIGNON Nmarco guess", "LIST marco", "> > >", "A Par - Bur")
    rig = Rig(at("judge@localhost"))
    for number in range(250):
        rig.store(stranger(number, texts[number % 6]), f"somebody{number}@example.net")
    rig.run()
    assert MIN_HOURLY_OCTETS // 2 < octets_out(rig) < octets_in(rig)
    # The first letters have HTML. Later ones are text only, so that more of them fit.
    pages = [b"text/html" in out.message for out in reversed(outgoing(rig))]
    assert pages[0] and not pages[-1] and sum(pages) < 20
    rig.close()


@pytest.mark.slow
def test_confirmation_requests_to_forged_senders_are_limited() -> None:
    rig = Rig(at("judge@localhost", confirm="true"))
    rig.mail(GM, "CREATE ?marco gmsecret youngstown")
    rig.reply(GM, "")
    for number in range(200):
        rig.store(stranger(number, "OBSERVE marco"), f"somebody{number}@example.net")
    rig.run()
    assert octets_out(rig) < octets_in(rig)
    # A sender without a confirmation request gets one at their next mail.
    silent = next(n for n in range(200) if f"somebody{n}@{n % 7}.example.net" not in rig.boxes)
    rig.clock.advance(hours=1, seconds=1)
    rig.mail(f"somebody{silent}@{silent % 7}.example.net", "OBSERVE marco")
    assert rig.boxes[f"somebody{silent}@{silent % 7}.example.net"]
    rig.close()


def test_known_sender_is_answered_in_a_flood(rig: Rig) -> None:
    for number in range(100):
        rig.store(stranger(number, "HELP"), "x@example.net")
    rig.run()
    rig.boxes.clear()
    rig.mail("nobody@example.net", "HELP")
    assert not rig.boxes
    rig.mail(ANN, "HELP")
    rig.letter(ANN, "help")


def test_flood_of_bounces_is_reported_once(rig: Rig) -> None:
    sender = (
        BounceHandler(rig.application)
        .address_letter(newest_out(rig.application.post, 1, ANN)[0])
        .sender
    )
    rig.boxes.clear()
    before = octets_out(rig)
    for number in range(200):
        raw = report("failed", "5.1.1", f"550 5.1.1 unknown {number}")
        rig.store(raw, "", sender)
    rig.run()
    assert {to: len(box) for to, box in rig.boxes.items()} == {GM: 1}
    assert octets_out(rig) - before < octets_in(rig)


def test_bounces_of_bounces_are_not_answered(rig: Rig) -> None:
    for number in range(100):
        rig.store(report("failed", "5.1.1", f"{number}"), "", "judge@localhost")
        rig.store(report("failed", "5.1.1", f"x{number}"), "mailer-daemon@x.example")
    rig.run()
    assert not rig.boxes
    states = rig.application.store.select_sql(
        "SELECT COUNT(*) FROM mails WHERE state = ?", (MailState.IGNORED.value,)
    )
    assert states == [(200,)]


@pytest.mark.parametrize(("addresses", "octets", "may"), [
    (39, 8_388_608 - 8192, True), (39, 8_388_609 - 8192, False),
    (40, 196_608 - 8192, True), (40, 196_609 - 8192, False),
])
def test_octets_to_strangers_are_limited(addresses: int, octets: int, may: bool) -> None:
    assert may_go_to_strangers(addresses, octets, int) is may


@pytest.mark.parametrize(("octets", "may"), [(0, True), (57_344, True), (57_345, False)])
def test_the_first_sixty_four_kibibytes_an_hour_may_be_pages(octets: int, may: bool) -> None:
    assert may_send_html(octets) is may


def take(store: Store, octets: int, at: datetime, state: MailState = MailState.DONE) -> None:
    """Accept a mail of *octets* bytes."""
    (number,) = Post(store).accept([Arrival(b"x" * octets, ANN, ())], at)
    if state is not MailState.NEW:
        Post(store).finish(number, state, "", at)


def test_for_an_hour_strangers_get_as_much_as_came_in(store: Store) -> None:
    """Mails accepted by any of several judges count."""
    def may(octets: int, at: datetime) -> bool:
        return may_go_to_strangers(100, octets, lambda: Post(store).received_octets(at - HOUR))

    later = START + timedelta(seconds=1)
    take(store, 250_000, START)
    take(store, 250_000, later, MailState.NEW)
    take(store, 250_000, later, MailState.IGNORED)
    assert may(500_000 - 8192, later) and not may(500_001 - 8192, later)
    take(store, 10, START + HOUR)
    assert may(250_010 - 8192, START + HOUR) and not may(250_011 - 8192, START + HOUR)


def test_received_octets_are_queried_only_above_a_minimum() -> None:
    assert may_go_to_strangers(100, MIN_HOURLY_OCTETS - 8192, lambda: pytest.fail("it costs time"))


@pytest.fixture
def store() -> Iterator[Store]:
    """A fresh store in memory."""
    fresh = Store("sqlite:///:memory:")
    fresh.open(create=True)
    yield fresh
    fresh.close()


def is_suppressed(store: Store, sender: str, at: datetime) -> bool:
    """Return whether the reply to a fruitless mail at a reply address is suppressed."""
    answer = Letter(LetterKind.ERROR, sender, "", "answer", {}, answers="<1@x>")
    return is_reply_suppressed(People(store), sender, "token", ParsedMail(()), [answer], at)


def test_fruitless_replies_are_limited_to_sixty_an_hour(store: Store) -> None:
    times = [START + timedelta(seconds=number) for number in range(61)]
    assert [is_suppressed(store, ANN, at) for at in times] == [False] * 60 + [True]
    assert [is_suppressed(store, ANN.replace("@", "+robot@"), at) for at in times[:1]] == [False]
    assert is_suppressed(store, ANN.upper(), START + timedelta(minutes=59, seconds=59))
    assert [is_suppressed(store, ANN, START + timedelta(hours=1)) for _ in range(2)] == [
        False, True,
    ]


@pytest.mark.parametrize(("letter", "is_of_use"), [
    (Letter(LetterKind.ERROR, ANN, "", "answer", {"done": ["x"]}, answers="<1@x>"), False),
    (Letter(LetterKind.RECEIPT, ANN, "", "answer", {"done": ["x"]}, answers="<1@x>"), True),
    (Letter(LetterKind.RECEIPT, ANN, "", "answer", {"infos": ["x"]}, answers="<1@x>"), True),
    (Letter(LetterKind.RECEIPT, ANN, "", "answer", {"orders": []}, answers="<1@x>"), False),
    (Letter(LetterKind.RECEIPT, ANN, "", "answer", {}, answers="<1@x>"), False),
    (Letter(LetterKind.RECEIPT, ANN, "", "answer", {}), True),
    (Letter(LetterKind.PRESS, ANN, "", "press", {}, answers="<1@x>"), True),
])
def test_useful_reply_resets_the_count(store: Store, letter: Letter, is_of_use: bool) -> None:
    for _ in range(59):
        is_suppressed(store, ANN, START)
    assert not is_reply_suppressed(People(store), ANN, "token", ParsedMail(()), [letter], START)
    assert is_suppressed(store, ANN, START) is not is_of_use


def test_mail_without_a_token_or_with_a_password_is_not_counted(store: Store) -> None:
    for _ in range(60):
        is_suppressed(store, ANN, START)
    known = ParsedMail((SignOn(who="n", game="marco", password="annsecret", line=1, text=""),))
    answer = Letter(LetterKind.ERROR, ANN, "", "answer", {}, answers="<1@x>")
    assert not is_reply_suppressed(People(store), ANN, "", ParsedMail(()), [answer], START)
    assert not is_reply_suppressed(People(store), ANN, "token", known, [answer], START)
    assert is_suppressed(store, ANN, START)
    assert not is_reply_suppressed(
        People(store), ANN, "token", ParsedMail(()), [replace(answer, answers="")], START
    )
    assert not is_suppressed(store, ANN, START), "what was of use begins the count anew"


def test_text_without_sign_on_is_limited_per_hour(rig: Rig) -> None:
    people, eve = rig.application.context.people, "eve@example.org"
    rig.mail(eve, "HELP")
    octets = people.served_since(f"text {eve}", START - timedelta(hours=1))
    assert octets > 100
    for before, is_answered in ((524_288 - octets, True), (524_289 - octets, False)):
        rig.clock.advance(hours=2)
        people.record_served(f"text {eve}", before, rig.clock.now())
        rig.boxes.clear()
        rig.mail(eve, "HELP")
        assert bool(rig.boxes.get(eve)) is is_answered
