"""`judge queue` at the terminal: both queues, with distinct IDs."""

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.cli import main
from judge.clock import SystemClock
from judge.config import Config, DeliverSection, StoreSection
from judge.mail.outbound.compose import Headers, compose_text
from judge.model.incoming import Arrival
from judge.model.record import DeliveryState, MailState, Outgoing
from judge.store.database import Store
from judge.store.key_values import KeyValues
from judge.store.mail_queues import Post
from judge.terminal.checking import check_send_limits
from tests.outbox import due_out

RAW = b"From: ann@example.org\r\nSubject: x\r\n\r\nSIGNON Nmarco annsecret\r\n"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Post:
    """One waiting and one shunted mail, and four letters.

    The letters are new, postponed, waiting for a picture and given up.
    """
    monkeypatch.setenv("JUDGE_STORE_URL", f"sqlite:///{tmp_path / 'judge.sqlite3'}")
    store = Store(f"sqlite:///{tmp_path / 'judge.sqlite3'}")
    store.open(create=True)
    made, now = Post(store), SystemClock().now()
    made.accept([Arrival(RAW, "ann@example.org", ("judge@localhost",))] * 2, now - HOUR)
    mail = made.get(2)
    assert mail is not None
    made.shunt(mail, "", "Traceback\nZeroDivisionError: by zero\n", now)
    for number, name in enumerate(("new", "late", "drawn", "gone"), start=1):
        head = Headers(
            sender="judge@localhost", to=f"{name}@example.org", subject=f"marco - {name}",
            message_id=f"<{number}@localhost>", date=now, auto="auto-generated",
        )
        made.queue(Outgoing(
            id=0, to=head.to, sender=head.sender, message_id=head.message_id,
            message=compose_text(head, "the token is hunter2"), queued=now - HOUR, due=now,
            game="marco", kind="receipt", answers=1, waits=name == "drawn",
        ))
    made.schedule_retry(2, now + HOUR, "451 4.2.0 \x1b[2J later")
    made.mark_failed(4, "550 5.1.1 no such user", now)
    return made


def test_an_entry_is_one_line(post: Post, capsys: pytest.CaptureFixture[str]) -> None:
    post.schedule_retry(2, SystemClock().now(), "451 later,\r\n  out:9      <eve@example.org>")
    forged = Arrival(RAW, "ann@example.org>\n  in:9  <eve@example.org", ("judge@localhost",))
    post.accept([forged], SystemClock().now())
    assert main(["queue"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert not [line for line in lines if line.lstrip().startswith(("out:9", "in:9"))]
    assert len([line for line in lines if "eve@example.org" in line]) == 2
    assert main(["queue", "show", "out:2"]) == 0
    errors = [line for line in capsys.readouterr().out.splitlines() if "eve@" in line]
    assert [line.partition(":")[0] for line in errors] == ["Error"]


def out(post: Post, number: int) -> Outgoing:
    letter = post.get_out(number)
    assert letter is not None
    return letter


def test_the_queue_shows_the_limits_of_a_mail_account(
    post: Post, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["queue"]) == 0
    assert "Limits" not in capsys.readouterr().out
    monkeypatch.setenv("JUDGE_DELIVER_TO", "smtp://me:secret@127.0.0.1:9")
    monkeypatch.setenv("JUDGE_DELIVER_PER_DAY", "2")
    assert main(["queue"]) == 0
    said = capsys.readouterr().out
    assert "Limits of letters: 2 in 24 hours, 20 a minute; 0 sent in 24 hours." in said
    assert "limit of a day" not in said and "secret" not in said
    now = SystemClock().now()
    for number in (1, 2):
        post.mark_sent(number, now)
    queued = post.get_out(3)
    assert queued is not None
    post.queue(replace(queued, id=0, due=now, waits=False))
    assert main(["queue"]) == 0
    said = capsys.readouterr().out
    assert "2 sent in 24 hours." in said
    assert "  1 of these letters waits for the limit of a day." in said


def test_check_compares_the_last_week_with_the_limit(post: Post, tmp_path: Path) -> None:
    store = StoreSection(f"sqlite:///{tmp_path / 'judge.sqlite3'}")
    config = Config(store=store, deliver=DeliverSection("smtps://me:x@mail.example.org", "5"))
    limits = "limits of letters: 5 in 24 hours, 20 a minute"
    assert list(check_send_limits(config)) == [
        limits, "letters sent: 0 in 24 hours, 0 a day in the last week",
    ]
    now, queued = SystemClock().now(), out(post, 1)
    for number in range(30):
        letter = post.queue(replace(queued, id=0, message_id=f"<{number}@x>"))
        post.mark_sent(letter.id, now - 2 * DAY)
    found = list(check_send_limits(config))
    assert found[:2] == [limits, "letters sent: 0 in 24 hours, 4 a day in the last week"]
    assert found[2].startswith("warning: 4 letters a day were sent")
    assert list(check_send_limits(replace(config, store=StoreSection("sqlite:///none/x")))) == [
        limits
    ]
    assert not list(check_send_limits(Config(store=store)))


def test_the_queue_lists_waiting_mail_with_reasons(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["queue"]) == main(["queue", "list"]) == 0
    said = capsys.readouterr().out
    assert "Mails in: 1 waiting (the oldest for 60 min), 1 set aside." in said
    assert "ZeroDivisionError: by zero" in said
    assert (
        "Letters out: 3 waiting (the oldest for 60 min), 1 of them put off,"
        " 1 without their picture yet; 1 given up." in said
    )
    assert "out:2     <late@example.org> receipt marco, tried 1 times" in said
    assert "451 4.2.0 ?[2J later" in said and "waits for a picture" in said
    assert "<gone@example.org> receipt marco, given up: 550 5.1.1 no such user" in said
    assert "annsecret" not in said and "hunter2" not in said


def test_an_empty_queue_is_listed_in_two_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUDGE_STORE_URL", f"sqlite:///{tmp_path / 'empty.sqlite3'}")
    Store(f"sqlite:///{tmp_path / 'empty.sqlite3'}").open(create=True)
    assert main(["queue"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Mails in: 0 waiting, 0 set aside.",
        "Letters out: 0 waiting, 0 of them put off, 0 without their picture yet; 0 given up.",
    ]


def test_a_letter_or_mail_is_shown_without_its_text(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    for which in ("out:2", "out:4", "in:1", "in:2"):
        assert main(["queue", "show", which]) == 0
    said = capsys.readouterr().out
    assert "Letter 2 to <late@example.org>: waiting, answers mail in:1." in said
    assert "Subject: marco - late" in said and "Error: 451" in said
    assert "Letter 4 to <gone@example.org>: given up" in said
    assert "in:1" in said and "Mail 2 from <ann@example.org>" in said
    assert "annsecret" not in said and "hunter2" not in said


def test_letters_are_tried_again_one_or_all(post: Post, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["queue", "retry", "out:4"]) == 0
    assert out(post, 4).state is DeliveryState.QUEUED
    assert main(["queue", "retry", "out"]) == 0
    assert "tried now: 2." in capsys.readouterr().out
    ready = {letter.id for letter in due_out(post, SystemClock().now(), 10)}
    assert ready == {1, 2, 4}, "one without its picture still waits for it"


def test_queue_shows_a_pause_until_a_retry(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    key_values = KeyValues(Store(os.environ["JUDGE_STORE_URL"]))
    key_values.pause_delivery("mx.example.org:465", SystemClock().now() + HOUR, 1)
    for command, is_shown in (("queue", True), ("queue retry out", False), ("queue", False)):
        assert main(command.split()) == 0
        assert ("the next is tried at" in capsys.readouterr().out) is is_shown


def test_a_letter_is_dropped_and_a_mail_worked_again(post: Post) -> None:
    assert main(["queue", "drop", "out:2"]) == 0
    assert out(post, 2).state is DeliveryState.FAILED
    assert out(post, 2).error == "dropped by the operator"
    assert main(["queue", "retry", "in:2"]) == 0
    mail = post.get(2)
    assert mail is not None and mail.state is MailState.NEW


@pytest.mark.parametrize(
    "words",
    [["show"], ["show", "7"], ["show", "out:99"], ["show", "in:99"], ["retry", "in:1"],
     ["shunt", "out:1"], ["shunt", "out"], ["shunt", "in:2"], ["shunt", "in:99"],
     ["drop", "out"], ["drop", "out:4"], ["retry", "out:1x"], ["retry", "in:"]],
)
def test_an_unknown_id_is_reported(
    post: Post, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["queue", *words]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("judge: ") and said.out == ""


def test_a_letter_that_was_sent_is_not_sent_again(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    post.mark_sent(1, SystemClock().now())
    assert main(["queue", "retry", "out:1"]) == main(["queue", "drop", "out:1"]) == 1
    assert out(post, 1).state is DeliveryState.SENT


@pytest.mark.parametrize("words", [["retry", "out:1"], ["drop", "out:1"], ["retry", "out:2"]])
def test_a_letter_claimed_by_a_sender_is_left_unchanged(
    post: Post, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """It may be in transmission: a second sender would send it twice."""
    now = SystemClock().now()
    post.release_claims([2], now)
    held = post.claim_out(now, 10, now + HOUR)
    assert {letter.id for letter in held} == {1, 2}
    assert main(["queue", *words]) == 1
    assert "is being sent now" in capsys.readouterr().err
    assert main(["queue", "retry", "out"]) == 0
    assert "tried now: 0." in capsys.readouterr().out
    assert post.claim_out(SystemClock().now(), 10, now + HOUR) == []


def test_a_letter_of_an_exited_sender_can_be_retried(post: Post) -> None:
    now = SystemClock().now()
    post.claim_out(now - HOUR, 10, now - HOUR / 2)
    assert main(["queue", "retry", "out:1"]) == 0


def test_a_waiting_mail_is_set_aside_and_worked_later(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["queue", "shunt", "in:1"]) == 0
    assert "is set aside, and its sender gets no notice" in capsys.readouterr().out
    mail = post.get(1)
    assert mail is not None and mail.state is MailState.SHUNTED
    assert mail.note == "set aside by the operator" and mail.raw == RAW
    assert main(["queue", "shunt", "in:1"]) == 1
    assert "mail 1 does not wait" in capsys.readouterr().err
    assert main(["queue", "retry", "in:1"]) == 0
    mail = post.get(1)
    assert mail is not None and mail.state is MailState.NEW
