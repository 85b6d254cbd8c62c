"""Composed messages: no text in them can become a header."""

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.address import JudgeAddresses
from judge.mail.inbound.automatic_mail import classify
from judge.mail.inbound.mime import Entity
from judge.mail.inbound.reader import read_mail
from judge.mail.outbound.compose import Headers, compose_text
from judge.model.record import StoredMail

NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
PLAIN = Headers(
    sender="The Judge <judge@example.org>", to="ann@example.org",
    subject="marco - S1901M results", message_id="<1@example.org>", date=NOW,
)
FULL = replace(
    PLAIN, reply_to="judge+x@example.org", in_reply_to="<a@x>", references="<r@x> <a@x>",
    list_id="<marco.example.org>", unsubscribe="<mailto:judge+y@example.org?subject=UNSUBSCRIBE>",
    judge={"Game": "marco", "Kind": "results"},
)


def parse_composed(headers: Headers, text: str) -> EmailMessage:
    message = message_from_bytes(compose_text(headers, text), policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_every_header_is_present() -> None:
    message = parse_composed(FULL, "A Par H\n")
    assert dict(message.items()) == {
        "Subject": "marco - S1901M results", "From": "The Judge <judge@example.org>",
        "To": "ann@example.org", "Date": "Mon, 05 Jan 2026 20:00:00 +0000",
        "Message-ID": "<1@example.org>", "Reply-To": "judge+x@example.org",
        "In-Reply-To": "<a@x>", "References": "<r@x> <a@x>", "List-Id": "<marco.example.org>",
        "List-Unsubscribe": "<mailto:judge+y@example.org?subject=UNSUBSCRIBE>",
        "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All",
        "X-Loop": "judge@example.org", "X-Judge-Game": "marco",
        "X-Judge-Kind": "results", "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=\"utf-8\"", "Content-Transfer-Encoding": "7bit",
    }


def test_headers_without_a_value_are_omitted() -> None:
    names = set(parse_composed(PLAIN, "").keys())
    assert not names & {"Reply-To", "In-Reply-To", "References", "List-Id", "List-Unsubscribe"}


def test_long_references_consist_of_whole_message_ids() -> None:
    ids = " ".join(f"<{'x' * 80}.{n}@example.org>" for n in range(5))
    raw = compose_text(replace(PLAIN, references=ids), "")
    assert b"=?" not in raw
    assert " ".join(Entity(raw).all("references")) == ids
    assert all(len(line) <= 110 for line in raw.split(b"\r\n"))


TEXTS = [
    ("", "7bit"), ("A Par H", "7bit"), ("x" * 998, "7bit"), ("x" * 999, "quoted-printable"),
    ("Köln", "quoted-printable"), (".\n..\nFrom me\n", "7bit"), ("a  \n\tb \n", "7bit"),
    ("Köln = 3 \n.\nFrom me\n" + "ü" * 2000, "quoted-printable"), ("\n\n", "7bit"),
]


@pytest.mark.parametrize("text, encoding", TEXTS)
def test_a_text_arrives_unchanged(text: str, encoding: str) -> None:
    message = parse_composed(PLAIN, text)
    assert message["Content-Transfer-Encoding"] == encoding
    expected = text if not text or text.endswith("\n") else text + "\n"
    assert message.get_content().replace("\r\n", "\n") == expected


ANY = st.text(st.characters(codec="utf-8"), max_size=300) | st.text(max_size=30)


@given(ANY, ANY, ANY, ANY)
def test_no_value_becomes_a_header_or_text(
    subject: str, address: str, token: str, text: str
) -> None:
    headers = replace(
        FULL, subject=subject, to=address, reply_to=token, references=token,
        judge={"Game": address, "Bad\r\nBcc": "eve@example.org", "Kind": subject},
    )
    raw = compose_text(headers, text)
    head, _, body = raw.partition(b"\r\n\r\n")
    entity = Entity(raw)
    assert set(entity.headers) <= {
        "subject", "from", "to", "date", "message-id", "reply-to", "in-reply-to", "references",
        "list-id", "list-unsubscribe", "auto-submitted", "x-auto-response-suppress", "x-loop",
        "x-judge-game", "x-judge-kind", "mime-version", "content-type",
        "content-transfer-encoding",
    }
    assert all(len(values) == 1 for values in entity.headers.values())
    assert entity.body == body
    for line in raw.split(b"\r\n"):
        assert len(line) <= 998
        assert not set(line) & set(b"\r\n\x00")
    assert head.isascii()


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), max_size=150))
def test_a_subject_is_read_back_unchanged(subject: str) -> None:
    expected = " ".join(subject.split())
    assert Entity(compose_text(replace(PLAIN, subject=subject), "")).text("subject") == (
        " ".join("".join(c if c.isprintable() else " " for c in expected).split())
    )


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])))
def test_another_judge_reads_the_text_unchanged(text: str) -> None:
    raw = compose_text(PLAIN, "A Par H\n" + text)
    mail = read_mail(StoredMail(1, NOW, "a@x", (), raw), JudgeAddresses("other@example.com"))
    assert mail.lines[0].text == "A Par H"


def test_own_letters_are_recognised_as_own_and_automatic() -> None:
    message = Entity(compose_text(PLAIN, "A Par H\n"))
    assert classify(message, "x@x", "a@x", JudgeAddresses("judge@example.org")) == "own"
    assert classify(message, "x@x", "a@x", JudgeAddresses("other@example.com")) == "auto-reply"
