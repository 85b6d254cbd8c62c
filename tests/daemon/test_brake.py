"""Loops and floods: each ends by itself, and strangers get no more of us than comes in."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from email.message import EmailMessage

import pytest

from judge.config import Config, JudgeSection, PolicySection, StoreSection
from judge.daemon.rate_limit import FLOOR, MOST_FRUITLESS, Brake
from judge.daemon.returned_mail import Bouncing
from judge.model.command import Sheet
from judge.model.letter import Kind, Letter
from judge.model.record import MailState, Outgoing
from judge.model.seats import SignOn
from tests.journeys.bench import START, Bench
from tests.mail.test_bounces import report

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"
PATIENT = 200
"""Rounds after which a loop would be one."""


def at(address: str, **policy: object) -> Config:
    """Return the configuration of a judge at an address, its database in memory."""
    return Config(
        judge=JudgeSection(address=address),
        store=StoreSection("sqlite:///:memory:"),
        policy=replace(PolicySection(), **policy),
    )


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A running game in which Ann holds India."""
    made = Bench(at("judge@localhost"))
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.boxes.clear()
    yield made
    made.close()


def outgoing(bench: Bench) -> list[Outgoing]:
    """Return everything that was queued, newest first."""
    return bench.works.post.newest_out(100_000)


def octets_in(bench: Bench) -> int:
    rows = bench.works.store.database.execute_sql("SELECT SUM(LENGTH(raw)) FROM mails")
    return int(rows.fetchone()[0])


def octets_out(bench: Bench) -> int:
    return sum(len(out.message) for out in outgoing(bench))


def stranger(number: int, text: str) -> bytes:
    """Return a short mail, its From made up, with headers as long as those of mails are."""
    mail = EmailMessage()
    mail["From"] = f"somebody{number}@{number % 7}.example.net"
    mail["To"] = "judge@localhost"
    mail["Subject"] = "hello"
    mail["Message-ID"] = f"<{number}@example.net>"
    mail["X-Way"] = "x" * 700
    mail.set_content(text)
    return bytes(mail)


def test_two_judges_fall_silent_after_one_letter() -> None:
    here, there = Bench(at("judge@here.example")), Bench(at("judge@there.example"))
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


@pytest.mark.parametrize("text", ["Unknown command.", "Sorry, I am only a program.\nA Del what?"])
def test_a_machine_that_answers_all_our_answers_is_left_alone(bench: Bench, text: str) -> None:
    bench.reply(ANN, "STATUS")
    letter = bench.letter(ANN)
    for answered in range(PATIENT):
        bench.reply(ANN, text, letter)
        if not bench.boxes[ANN]:
            break
        letter = bench.letter(ANN)
    assert answered == MOST_FRUITLESS
    # Whoever has the password is heard at once, and in an hour everybody is again.
    bench.mail(ANN, "SIGNON Nmarco annsecret\nfoo")
    bench.letter(ANN, "receipt")
    bench.clock.forward(hours=1, seconds=1)
    bench.reply(ANN, text, letter)
    bench.letter(ANN, "receipt")


def test_a_machine_is_one_however_its_address_is_written(bench: Bench) -> None:
    """Letters of an address are folded on many ways: it is no other sender therefore."""
    letter = bench.newest[ANN]
    for number in range(MOST_FRUITLESS + 5):
        written = (ANN, ANN.upper(), "Ann@example.org", "ann@Example.ORG")[number % 4]
        bench.reply(written, "Unknown command.", letter)
    assert len(bench.boxes[ANN]) == MOST_FRUITLESS


def test_a_player_who_orders_is_always_answered(bench: Bench) -> None:
    letter = bench.newest[ANN]
    for _ in range(MOST_FRUITLESS + 20):
        bench.reply(ANN, "A Del - Kas\nWhat is this?", letter)
        bench.letter(ANN, "receipt")


def test_a_machine_without_a_seat_is_left_alone(bench: Bench) -> None:
    for number in range(PATIENT):
        bench.mail("robot@example.net", f"Unknown command {number}.")
    assert len(bench.boxes["robot@example.net"]) == bench.config.policy.strangers_per_hour


def test_hundreds_of_forged_strangers_get_less_than_they_send() -> None:
    texts = ("hello", "HELP", "SIGNON Nmarco guess", "LIST marco", "> > >", "A Par - Bur")
    bench = Bench(at("judge@localhost"))
    for number in range(250):
        bench.store(stranger(number, texts[number % 6]), f"somebody{number}@example.net")
    bench.run()
    assert FLOOR // 2 < octets_out(bench) < octets_in(bench)
    bench.close()


def test_hundreds_of_forged_newcomers_are_not_all_asked_to_confirm() -> None:
    bench = Bench(at("judge@localhost", confirm="true"))
    bench.mail(GM, "CREATE ?marco gmsecret youngstown")
    bench.reply(GM, "")
    for number in range(200):
        bench.store(stranger(number, "OBSERVE marco"), f"somebody{number}@example.net")
    bench.run()
    assert octets_out(bench) < octets_in(bench)
    # Who was not asked is asked when he writes again.
    silent = next(n for n in range(200) if f"somebody{n}@{n % 7}.example.net" not in bench.boxes)
    bench.clock.forward(hours=1, seconds=1)
    bench.mail(f"somebody{silent}@{silent % 7}.example.net", "OBSERVE marco")
    assert bench.boxes[f"somebody{silent}@{silent % 7}.example.net"]
    bench.close()


def test_who_is_known_is_heard_in_a_flood(bench: Bench) -> None:
    for number in range(100):
        bench.store(stranger(number, "HELP"), "x@example.net")
    bench.run()
    bench.boxes.clear()
    bench.mail("nobody@example.net", "HELP")
    assert not bench.boxes
    bench.mail(ANN, "HELP")
    bench.letter(ANN, "help")


def test_a_storm_of_bounces_is_told_once(bench: Bench) -> None:
    sender = Bouncing(bench.works).addressed(bench.works.post.newest_out(1, ANN)[0]).sender
    bench.boxes.clear()
    before = octets_out(bench)
    for number in range(200):
        raw = report("failed", "5.1.1", f"550 5.1.1 unknown {number}")
        bench.store(raw, "", sender)
    bench.run()
    assert {to: len(box) for to, box in bench.boxes.items()} == {GM: 1}
    assert octets_out(bench) - before < octets_in(bench)


def test_bounces_of_bounces_are_not_answered(bench: Bench) -> None:
    for number in range(100):
        bench.store(report("failed", "5.1.1", f"{number}"), "", "judge@localhost")
        bench.store(report("failed", "5.1.1", f"x{number}"), "mailer-daemon@x.example")
    bench.run()
    assert not bench.boxes
    states = bench.works.store.database.execute_sql(
        "SELECT COUNT(*) FROM mails WHERE state = ?", (MailState.IGNORED.value,)
    )
    assert states.fetchone()[0] == 200


@pytest.mark.parametrize(("addresses", "octets", "may"), [
    (39, 8_388_608 - 8192, True), (39, 8_388_609 - 8192, False),
    (40, 131_072 - 8192, True), (40, 131_073 - 8192, False),
])
def test_strangers_get_what_is_no_flood_and_no_octet_more(
    addresses: int, octets: int, may: bool
) -> None:
    assert Brake().may_go_to_strangers(addresses, octets) is may


def test_for_an_hour_strangers_get_as_much_as_came_in() -> None:
    brake = Brake()
    brake.came(150_000, START)
    brake.came(150_000, START + timedelta(seconds=1))
    assert brake.may_go_to_strangers(100, 300_000 - 8192)
    assert not brake.may_go_to_strangers(100, 300_001 - 8192)
    brake.came(10, START + timedelta(hours=1))
    assert brake.may_go_to_strangers(100, 150_010 - 8192)
    assert not brake.may_go_to_strangers(100, 150_011 - 8192)


def held(brake: Brake, sender: str, at: datetime) -> bool:
    """Have a mail to a reply address lead to nothing; return whether its answer is kept back."""
    answer = Letter(Kind.ERROR, sender, "", "answer", {}, answers="<1@x>")
    return brake.holds(sender, "token", Sheet(()), [answer], at)


def test_sixty_answers_that_led_to_nothing_are_enough_for_an_hour() -> None:
    brake = Brake()
    times = [START + timedelta(seconds=number) for number in range(61)]
    assert [held(brake, ANN, at) for at in times] == [False] * 60 + [True]
    assert [held(brake, ANN.replace("@", "+robot@"), at) for at in times[:1]] == [False]
    assert held(brake, ANN.upper(), START + timedelta(minutes=59, seconds=59))
    assert [held(brake, ANN, START + timedelta(hours=1)) for _ in range(2)] == [False, True]


def test_so_many_addresses_are_remembered_and_then_none() -> None:
    brake = Brake()
    for _ in range(60):
        held(brake, ANN, START)
    for number in range(9_999):
        held(brake, f"{number}@example.net", START)
    assert held(brake, ANN, START)
    held(brake, BOB, START)
    assert not held(brake, ANN, START), "there was no room for one more, and all were let go"


@pytest.mark.parametrize(("letter", "is_of_use"), [
    (Letter(Kind.ERROR, ANN, "", "answer", {"done": ["x"]}, answers="<1@x>"), False),
    (Letter(Kind.RECEIPT, ANN, "", "answer", {"done": ["x"]}, answers="<1@x>"), True),
    (Letter(Kind.RECEIPT, ANN, "", "answer", {"infos": ["x"]}, answers="<1@x>"), True),
    (Letter(Kind.RECEIPT, ANN, "", "answer", {"orders": []}, answers="<1@x>"), False),
    (Letter(Kind.RECEIPT, ANN, "", "answer", {}, answers="<1@x>"), False),
    (Letter(Kind.RECEIPT, ANN, "", "answer", {}), True),
    (Letter(Kind.PRESS, ANN, "", "press", {}, answers="<1@x>"), True),
])
def test_what_led_to_something_begins_the_count_anew(letter: Letter, is_of_use: bool) -> None:
    brake = Brake()
    for _ in range(59):
        held(brake, ANN, START)
    assert not brake.holds(ANN, "token", Sheet(()), [letter], START)
    assert held(brake, ANN, START) is not is_of_use


def test_whoever_names_no_seat_or_knows_its_password_is_not_counted() -> None:
    brake = Brake()
    for _ in range(60):
        held(brake, ANN, START)
    known = Sheet((SignOn(who="n", game="marco", password="annsecret", line=1, text=""),))
    answer = Letter(Kind.ERROR, ANN, "", "answer", {}, answers="<1@x>")
    assert not brake.holds(ANN, "", Sheet(()), [answer], START)
    assert not brake.holds(ANN, "token", known, [answer], START)
    assert held(brake, ANN, START)
    assert not brake.holds(ANN, "token", Sheet(()), [replace(answer, answers="")], START)
    assert not held(brake, ANN, START), "what was of use begins the count anew"
