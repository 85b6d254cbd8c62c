"""Bounces: accepted with a token only, reported to masters, then suspending."""

from collections.abc import Iterator

import pytest

from judge.config import Config, JudgeSection, StoreSection
from judge.daemon.bounces import BounceHandler
from judge.model.record import DeliveryState, MailState, Outgoing
from tests.journeys.rig import Rig, squeeze_text, text_of
from tests.mail.test_bounces import AWAY, QMAIL, report
from tests.outbox import is_suspended, last_out, newest_out

ANN, GM = "ann@example.org", "gm@example.org"
HARD = report("failed", "5.1.1", "550 5.1.1 unknown")
SOFT = report("failed", "5.2.2", "552 5.2.2 over quota")


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game in which Ann plays India."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.boxes.clear()
    yield made
    made.close()


def letter_to(rig: Rig, address: str) -> Outgoing:
    """Return the newest letter to an address as it was sent."""
    return BounceHandler(rig.application).address_letter(
        newest_out(rig.application.post, 1, address)[0]
    )


def bounce(rig: Rig, raw: bytes, address: str = ANN) -> str:
    """Bounce the newest letter to an address and return the note on the bounce."""
    rig.take(raw, "", letter_to(rig, address).sender)
    rows = rig.application.store.database.execute_sql(
        "SELECT note FROM mails ORDER BY id DESC LIMIT 1"
    )
    return str(rows.fetchone()[0])


def test_a_bounce_names_its_letter_and_is_shown_to_the_master(rig: Rig) -> None:
    note = bounce(rig, HARD)
    assert "hard bounce of letter" in note
    told = rig.letter(GM, "bounce")
    assert "to India in 'marco' came back: 550 5.1.1 unknown" in squeeze_text(text_of(told))
    assert set(rig.boxes) == {GM} and not rig.boxes[GM], "nobody else hears of it"


@pytest.mark.parametrize("to", ["judge@localhost", "judge+bogus@localhost", "keyed"])
def test_bounce_without_a_token_is_ignored(rig: Rig, to: str) -> None:
    if to == "keyed":
        token = letter_to(rig, ANN).sender[len("judge+"):-len("@localhost")]
        to = f"judge+{token[:-2]}{'b' if token[-2] == 'a' else 'a'}{token[-1]}@localhost"
    rig.take(HARD, "", to)
    assert not rig.boxes
    assert rig.application.store.database.execute_sql("SELECT * FROM bounces").fetchall() == []


@pytest.mark.parametrize("raw", [report("delayed", "4.4.1"), AWAY, b"From: x@y.org\n\nhello"])
def test_harmless_reports_cause_no_letters(rig: Rig, raw: bytes) -> None:
    bounce(rig, raw)
    assert not rig.boxes


def test_bounces_are_reported_to_a_master_once_a_day(rig: Rig) -> None:
    for n in range(4):
        bounce(rig, HARD + b"x" * n)
    assert len(rig.boxes[GM]) == 1


def days_until_suspended(rig: Rig, raw: bytes) -> int:
    for day in range(1, 20):
        bounce(rig, raw + b"." * day)
        rig.clock.advance(days=1, seconds=1)
        if is_suspended(rig.application.bounce_counts, ANN):
            return day
    return 0


@pytest.mark.parametrize("raw, days", [(HARD, 3), (SOFT, 6), (report("delayed", "4.4.1"), 0)])
def test_an_address_that_bounces_for_days_gets_no_more_letters(
    rig: Rig, raw: bytes, days: int
) -> None:
    assert days_until_suspended(rig, raw) == days
    rig.boxes.clear()
    rig.mail(GM, "SIGNON Mmarco gmsecret\nBROADCAST\nHello all\nENDBROADCAST")
    last = newest_out(rig.application.post, 1, ANN)[0]
    assert (last.state is DeliveryState.FAILED) == bool(days)


def test_any_mail_from_a_suspended_address_restores_it(rig: Rig) -> None:
    days_until_suspended(rig, HARD)
    told = [squeeze_text(text_of(letter)) for letter in rig.boxes[GM] if letter]
    assert "so no more are sent until a mail comes from that address" in told[-1]
    rig.boxes.clear()
    rig.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    assert rig.letter(ANN, "receipt")
    bounces = [one for one in rig.boxes[GM] if one["X-Judge-Kind"] == "bounce"]
    assert ["Letters go to that address again" in text_of(one) for one in bounces] == [True]
    assert not is_suspended(rig.application.bounce_counts, ANN)


def test_bounce_older_than_a_month_does_not_count(rig: Rig) -> None:
    bounce(rig, HARD)
    rig.clock.advance(days=31)
    bounce(rig, HARD + b".")
    rig.clock.advance(days=2)
    bounce(rig, HARD + b"..")
    assert not is_suspended(rig.application.bounce_counts, ANN)


def test_bounce_of_a_master_is_reported_to_the_operator(rig: Rig) -> None:
    bounce(rig, HARD, GM)
    told = rig.letter(rig.config.judge.keeper)
    assert "marco" in text_of(told) and "Master" in text_of(told)
    assert not rig.boxes.get(GM)


def test_bounce_of_an_operator_letter_causes_no_letter(rig: Rig) -> None:
    keeper = rig.config.judge.keeper
    bounce(rig, HARD, GM)
    rig.boxes.clear()
    bounce(rig, QMAIL, keeper)
    assert not rig.boxes


def test_bounces_of_an_operator_and_master_cause_no_letter() -> None:
    """Letters about bounces of a master go to the operator, and would bounce too.

    The address is not suspended either.
    """
    keeper = "Keeper@example.org"
    rig = Rig(Config(
        judge=JudgeSection(keeper="keeper@example.org"), store=StoreSection("sqlite:///:memory:")
    ))
    rig.mail(keeper, "CREATE ?polo kepsecret standard")
    rig.boxes.clear()
    before = last_out(rig.application.post)
    for day in range(9):
        assert "hard bounce of letter" in bounce(rig, HARD + b"." * day, keeper)
        rig.clock.advance(days=1, seconds=1)
    assert last_out(rig.application.post) == before and not rig.boxes
    assert not is_suspended(rig.application.bounce_counts, keeper)
    rig.close()


def test_mail_from_a_player_to_a_verp_address_is_processed(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas", letter_to(rig, ANN).sender)
    receipt = text_of(rig.letter(ANN, "receipt"))
    assert "Kashmir" in receipt and "opens" not in receipt
    assert rig.application.post.get(4).state is MailState.DONE  # type: ignore[union-attr]


def test_bounce_is_reported_once_to_each_master_of_the_address(rig: Rig) -> None:
    masters = [f"{name}@example.org" for name in ("polo", "khan")]
    for master in masters:
        name = master.partition("@")[0]
        rig.mail(master, f"CREATE ?{name} gmsecret standard\nSTART")
        rig.mail(ANN, f"TAKEOVER F{name} annsecret\nSIGNOFF\nOBSERVE {name}")
    rig.boxes.clear()
    bounce(rig, HARD)
    assert {to: len(box) for to, box in rig.boxes.items() if box} == {
        to: 1 for to in (GM, *masters)
    }
