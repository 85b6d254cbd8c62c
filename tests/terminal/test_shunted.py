"""`judge shunted` at the terminal."""

from pathlib import Path

import pytest

from judge.cli import main
from judge.clock import SystemClock
from judge.model.incoming import Arrival
from judge.model.record import MailState
from judge.store.database import Store
from judge.store.mail_queues import Post

RAW = (
    b"From: ann@example.org\r\nSubject: orders \x1b[2J\r\nX-Other: hidden\r\n\r\n"
    b"SIGNON Nmarco annsecret\r\n"
)


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Post:
    """A queue of two mails, the second of them shunted."""
    monkeypatch.setenv("JUDGE_STORE_URL", f"sqlite:///{tmp_path / 'judge.sqlite3'}")
    store = Store(f"sqlite:///{tmp_path / 'judge.sqlite3'}")
    store.open(create=True)
    made = Post(store)
    now = SystemClock().now()
    made.accept([Arrival(RAW, "ann@example.org", ("judge@localhost",))] * 2, now)
    mail = made.get(2)
    assert mail is not None
    made.shunt(mail, "", "Traceback\n  at home\nZeroDivisionError: by \x1b zero\n", now)
    return made


def state(post: Post, number: int) -> MailState:
    mail = post.get(number)
    assert mail is not None
    return mail.state


def test_shunted_mails_are_listed_by_number_and_error(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shunted", "list"]) == 0
    said = capsys.readouterr().out
    assert said.split()[0] == "2" and "ann@example.org" in said
    assert "ZeroDivisionError: by ? zero" in said and said.count("\n") == 1


def test_show_prints_headers_and_error_escaped_without_the_text(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shunted", "show", "2"]) == 0
    said = capsys.readouterr().out
    assert "Subject: orders ?[2J" in said and "at home" in said
    assert "\x1b" not in said and "annsecret" not in said and "hidden" not in said


@pytest.mark.parametrize("what, expected", [("retry", "new"), ("drop", "ignored")])
def test_a_mail_is_worked_again_or_dropped(post: Post, what: str, expected: str) -> None:
    assert main(["shunted", what, "2"]) == 0
    assert state(post, 2).value == expected


@pytest.mark.parametrize("words", [["show"], ["retry", "1"], ["drop", "99"]])
def test_a_mail_that_is_not_shunted_is_left_unchanged(
    post: Post, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shunted", *words]) == 1
    assert "no mail is set aside under" in capsys.readouterr().err
    assert state(post, 1) is MailState.NEW


def test_a_mail_reduced_to_headers_cannot_be_retried(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    post.finish(1, MailState.DONE, "1 letters", SystemClock().now())
    post.strip_old_bodies(0, SystemClock().now(), 10)
    assert main(["shunted", "retry", "2"]) == 1
    assert "only its headers" in capsys.readouterr().err
    assert state(post, 2) is MailState.SHUNTED


def test_an_empty_shunted_list_is_reported(post: Post, capsys: pytest.CaptureFixture[str]) -> None:
    main(["shunted", "drop", "2"])
    capsys.readouterr()
    assert main(["shunted", "list"]) == 0
    assert capsys.readouterr().out == "No mail is set aside.\n"


def test_a_missing_database_is_named_by_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUDGE_STORE_URL", f"sqlite:///{tmp_path / 'none.sqlite3'}")
    assert main(["shunted", "list"]) == 1
    assert "none.sqlite3" in capsys.readouterr().err
