"""Letters that come back: believed with our token only, shown to the master, and at last heeded."""

from collections.abc import Iterator

import pytest

from judge.config import Config, JudgeSection, StoreSection
from judge.daemon.returned_mail import Bouncing
from judge.model.record import MailState, OutState, Outgoing
from tests.journeys.bench import Bench, squeezed, text_of
from tests.mail.test_bounces import AWAY, QMAIL, report

ANN, GM = "ann@example.org", "gm@example.org"
HARD = report("failed", "5.1.1", "550 5.1.1 unknown")
SOFT = report("failed", "5.2.2", "552 5.2.2 over quota")


@pytest.fixture(scope="module")
def begun() -> Iterator[Bench]:
    """A game with India held by Ann."""
    made = Bench()
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.boxes.clear()
    yield made
    made.close()


def letter_to(bench: Bench, address: str) -> Outgoing:
    """Return the newest letter to an address as it was sent."""
    return Bouncing(bench.works).addressed(bench.works.post.newest_out(1, address)[0])


def bounce(bench: Bench, raw: bytes, address: str = ANN) -> str:
    """Have the newest letter to an address come back; return what is noted of the bounce."""
    bench.take(raw, "", letter_to(bench, address).sender)
    rows = bench.works.store.database.execute_sql(
        "SELECT note FROM mails ORDER BY id DESC LIMIT 1"
    )
    return str(rows.fetchone()[0])


def test_a_bounce_names_its_letter_and_is_shown_to_the_master(bench: Bench) -> None:
    note = bounce(bench, HARD)
    assert "hard bounce of letter" in note
    told = bench.letter(GM, "bounce")
    assert "to India in 'marco' came back: 550 5.1.1 unknown" in squeezed(text_of(told))
    assert set(bench.boxes) == {GM} and not bench.boxes[GM], "nobody else hears of it"


@pytest.mark.parametrize("to", ["judge@localhost", "judge+bogus@localhost", "keyed"])
def test_a_bounce_without_our_token_is_not_believed(bench: Bench, to: str) -> None:
    if to == "keyed":
        token = letter_to(bench, ANN).sender[len("judge+"):-len("@localhost")]
        to = f"judge+{token[:-2]}{'b' if token[-2] == 'a' else 'a'}{token[-1]}@localhost"
    bench.take(HARD, "", to)
    assert not bench.boxes
    assert bench.works.store.database.execute_sql("SELECT * FROM bounces").fetchall() == []


@pytest.mark.parametrize("raw", [report("delayed", "4.4.1"), AWAY, b"From: x@y.org\n\nhello"])
def test_what_is_no_failure_is_told_to_nobody(bench: Bench, raw: bytes) -> None:
    bounce(bench, raw)
    assert not bench.boxes


def test_a_master_hears_of_an_address_once_a_day(bench: Bench) -> None:
    for n in range(4):
        bounce(bench, HARD + b"x" * n)
    assert len(bench.boxes[GM]) == 1


def days_until_suspended(bench: Bench, raw: bytes) -> int:
    for day in range(1, 20):
        bounce(bench, raw + b"." * day)
        bench.clock.forward(days=1, seconds=1)
        if bench.works.reach.is_suspended(ANN):
            return day
    return 0


@pytest.mark.parametrize("raw, days", [(HARD, 3), (SOFT, 6), (report("delayed", "4.4.1"), 0)])
def test_an_address_that_bounces_for_days_gets_no_more_letters(
    bench: Bench, raw: bytes, days: int
) -> None:
    assert days_until_suspended(bench, raw) == days
    bench.boxes.clear()
    bench.mail(GM, "SIGNON Mmarco gmsecret\nBROADCAST\nHello all\nENDBROADCAST")
    last = bench.works.post.newest_out(1, ANN)[0]
    assert (last.state is OutState.FAILED) == bool(days)


def test_any_mail_from_a_suspended_address_restores_it(bench: Bench) -> None:
    days_until_suspended(bench, HARD)
    told = [squeezed(text_of(letter)) for letter in bench.boxes[GM] if letter]
    assert "so no more go there until somebody writes from that address" in told[-1]
    bench.boxes.clear()
    bench.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    assert bench.letter(ANN, "receipt")
    bounces = [one for one in bench.boxes[GM] if one["X-Judge-Kind"] == "bounce"]
    assert ["go there again" in text_of(one) for one in bounces] == [True]
    assert not bench.works.reach.is_suspended(ANN)


def test_a_bounce_of_a_month_ago_is_forgotten(bench: Bench) -> None:
    bounce(bench, HARD)
    bench.clock.forward(days=31)
    bounce(bench, HARD + b".")
    bench.clock.forward(days=2)
    bounce(bench, HARD + b"..")
    assert not bench.works.reach.is_suspended(ANN)


def test_when_the_masters_own_letters_come_back_the_keeper_hears_it(bench: Bench) -> None:
    bounce(bench, HARD, GM)
    told = bench.letter(bench.config.judge.keeper)
    assert "marco" in text_of(told) and "Master" in text_of(told)
    assert not bench.boxes.get(GM)


def test_a_bounce_of_a_letter_to_the_keeper_is_told_to_nobody(bench: Bench) -> None:
    keeper = bench.config.judge.keeper
    bounce(bench, HARD, GM)
    bench.boxes.clear()
    bounce(bench, QMAIL, keeper)
    assert not bench.boxes


def test_letters_to_the_keeper_that_come_back_cause_no_others_though_he_is_a_master() -> None:
    """What a master's letters cause would go to him, and come back again; nor is he shut out."""
    keeper = "Keeper@example.org"
    bench = Bench(Config(
        judge=JudgeSection(keeper="keeper@example.org"), store=StoreSection("sqlite:///:memory:")
    ))
    bench.mail(keeper, "CREATE ?polo kepsecret standard")
    bench.boxes.clear()
    before = bench.works.post.last_out()
    for day in range(9):
        assert "hard bounce of letter" in bounce(bench, HARD + b"." * day, keeper)
        bench.clock.forward(days=1, seconds=1)
    assert bench.works.post.last_out() == before and not bench.boxes
    assert not bench.works.reach.is_suspended(keeper)
    bench.close()


def test_a_person_who_writes_to_an_envelope_sender_is_read_like_any_other(bench: Bench) -> None:
    bench.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas", letter_to(bench, ANN).sender)
    receipt = text_of(bench.letter(ANN, "receipt"))
    assert "Kashmir" in receipt and "opens" not in receipt
    assert bench.works.post.get(4).state is MailState.DONE  # type: ignore[union-attr]
