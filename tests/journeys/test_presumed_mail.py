"""Presumably automatic mail: from a list, or with an absence in its subject.

Two programs must not answer each other forever (RFC 3834, 2), and no person's orders may be lost.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.model.record import MailState
from tests.journeys.field_mail import ALL, ANN, GM, begin, read_filed_orders, send, take_all
from tests.journeys.rig import Rig, text_of

MAILS = Path(__file__).parent.parent / "mail" / "field"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game with Ann as France."""
    made = begin()
    yield made
    made.close()


MARKS = [
    (
        "Precedence: bulk", "Precedence: list", "Precedence: junk", "List-Id: <dip.x.example>",
        "List-Unsubscribe: <https://x.example/u>\nFeedback-ID: 7:news:x",
    ),
    ("Subject: Out of office: my orders", "Subject: Automatische Antwort: marco"),
]
NEVER = [
    "Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated",
    "Auto-Submitted: auto-notified",
    "Auto-Submitted: auto-replied (vacation)\nX-Auto-Response-Suppress: All",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
    "Content-Type: text/calendar; method=REPLY", "X-Autoreply: yes", "Precedence: auto_reply",
    "X-Loop: judge@localhost", "From: MAILER-DAEMON@field.example",
]
SIGNED_ON = "SIGNON Fmarco annsecret\nA Par - Bur\n"


def heads(rig: Rig, line: str, to: str = "") -> bytes:
    """Return the head of a mail with one special header line."""
    rig.mails += 1
    own = [line, f"Message-ID: <{rig.mails}@field.example>", "MIME-Version: 1.0"]
    own += [] if "From:" in line else ["From: ann@field.example"]
    own += [] if "Subject:" in line else ["Subject: orders"]
    return "\n".join([*own, f"To: {to or 'judge@localhost'}", "", ""]).encode()


def state(rig: Rig) -> tuple[MailState, str]:
    """Return the state and note of the newest mail."""
    row = rig.application.store.database.execute_sql(
        "SELECT state, note FROM mails ORDER BY id DESC LIMIT 1").fetchone()
    return MailState(row[0]), str(row[1])


@pytest.mark.parametrize("line", [
    "X-Auto-Response-Suppress: DR, OOF, AutoReply", "X-Auto-Response-Suppress: All",
    *MARKS[0], *MARKS[1],
])
@pytest.mark.parametrize("sender", [ANN, "ann@work.example"])
def test_list_mail_with_a_right_password_is_carried_out(rig: Rig, line: str, sender: str) -> None:
    """The reply is sent to the registered address and to no list."""
    rig.take(heads(rig, f"{line}\nFrom: {sender}") + SIGNED_ON.encode(), sender)
    assert read_filed_orders(rig) == ["A PAR - BUR"]
    assert [letter["X-Judge-Kind"] for letter in take_all(rig)] == ["receipt"]
    if "Suppress" not in line:
        assert not take_all(rig, "ann@work.example")


def test_mail_from_exchange_is_carried_out(rig: Rig) -> None:
    send(rig, (MAILS / "oof-suppress.eml").read_text("utf-8"))
    assert read_filed_orders(rig) == ["A PAR - BUR"]


@pytest.mark.parametrize("line", [*MARKS[0], *MARKS[1]])
@pytest.mark.parametrize("text", ["A Par - Bur", "A Par - Warsaw", "STATUS", "SET WAIT", "HELP"])
def test_reply_with_a_command_or_an_order_is_answered(rig: Rig, line: str, text: str) -> None:
    to = str(rig.newest[ANN]["Reply-To"])
    rig.take(heads(rig, line, to) + f"{text}\n\nI am away until Monday.\n".encode(), ANN, to)
    assert len(take_all(rig)) == 1
    assert state(rig)[0] is MailState.DONE


@pytest.mark.parametrize("line", [*MARKS[0], *MARKS[1]])
@pytest.mark.parametrize("text", [
    "I am out of the office until Monday.\nIn urgent cases call Bob in Paris.",
    "Ich bin bis zum 5. Januar in Rom und lese keine Mails.\nMit freundlichen Grüßen\nAnn",
    "Thank you for your mail.\n\n> A Par - Bur\n> STATUS",
    "On Mon, 5 Jan 2026 at 10:12, Judge <judge@localhost> wrote:\n> A Par - Bur",
    "", "Yes, thanks", "SIGNOFF",
])
def test_reply_without_a_command_is_ignored(rig: Rig, line: str, text: str) -> None:
    to = str(rig.newest[ANN]["Reply-To"])
    rig.take(heads(rig, line, to) + f"{text}\n".encode(), ANN, to)
    assert not read_filed_orders(rig) and not take_all(rig)
    assert state(rig)[0] is MailState.IGNORED


@pytest.mark.parametrize("line", [MARKS[0][0], MARKS[1][0]])
@pytest.mark.parametrize("text", [
    "SIGNON Fmarco wrong\nA Par - Bur", "A Par - Bur", "STATUS", "HELP", "LIST",
    "CREATE ?other othersecret standard", "JOIN marco newsecret", "OBSERVE marco newsecret",
    "SIGNON Fmarco annsecret\nI am away.", "SIGNON Fnogame annsecret\nA Par - Bur",
])
def test_mail_without_a_seat_is_not_answered(rig: Rig, line: str, text: str) -> None:
    for sender in (ANN, "eve@field.example"):
        rig.take(heads(rig, f"{line}\nFrom: {sender}") + text.encode(), sender)
        assert not read_filed_orders(rig) and not take_all(rig, sender) and not take_all(rig)


def test_foreign_reply_address_opens_no_seat(rig: Rig) -> None:
    to = str(rig.newest[ANN]["Reply-To"])
    raw = heads(rig, "Precedence: list\nFrom: eve@field.example", to) + b"A Par - Bur\n"
    rig.take(raw, "eve@field.example", to)
    assert (
        not read_filed_orders(rig) and not take_all(rig) and not take_all(rig, "eve@field.example")
    )


def test_notices_are_answered_at_their_own_seat_only() -> None:
    """A player may write from an address that looks like one without replies."""
    rig, sender = Rig(), "no-reply@field.example"
    try:
        rig.mail(GM, "CREATE ?marco gmsecret standard")
        rig.mail(ANN, "JOIN france@marco annsecret")
        rig.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
        for text in ("HELP", "Your parcel has arrived.", "LIST", "OBSERVE marco newsecret"):
            rig.mail(sender, text)
            assert not take_all(rig, sender) and state(rig) == (MailState.IGNORED, "notice")
        rig.mail(sender, "SIGNON Fmarco annsecret\nSET ADDRESS no-reply@field.example")
        rig.mail(sender, "SIGNON Fmarco annsecret\nA Par - Bur")
        assert read_filed_orders(rig) == ["A PAR - BUR"]
    finally:
        rig.close()


def test_wrong_passwords_in_list_mail_count(rig: Rig) -> None:
    """A list header permits no additional guess."""
    for _ in range(8):
        raw = heads(rig, "Precedence: bulk\nFrom: eve@field.example")
        rig.take(raw + b"SIGNON Fmarco guess\nA Par - Bur\n", "eve@field.example")
    rig.mail("eve@field.example", "SIGNON Fmarco annsecret\nA Par - Bur")
    assert not read_filed_orders(rig)
    assert "Too many wrong passwords" in text_of(take_all(rig, "eve@field.example")[0])


@pytest.mark.parametrize("line", NEVER)
def test_certainly_automatic_mail_is_never_answered(rig: Rig, line: str) -> None:
    to = str(rig.newest[ANN]["Reply-To"])
    for address in (to, ""):
        rig.take(heads(rig, line, address) + SIGNED_ON.encode(), ANN, address)
        wrapped = f"--b\n\n{SIGNED_ON}--b--\n".encode()
        rig.take(heads(rig, line, address) + wrapped, ANN, address)
    rig.take(heads(rig, "X-Any: thing", to) + SIGNED_ON.encode(), "", to)
    assert not read_filed_orders(rig) and not take_all(rig)


def test_replies_are_limited_to_one_an_hour(rig: Rig) -> None:
    to = str(rig.newest[ANN]["Reply-To"])
    for order, many in (("A Par - Bur", 1), ("A Mar - Spa", 0), ("F Bre - MAO", 0)):
        rig.take(heads(rig, MARKS[1][0], to) + order.encode(), ANN, to)
        assert len(take_all(rig)) == many
    assert read_filed_orders(rig) == ALL
    rig.mail(ANN, "SIGNON Fmarco annsecret\nSTATUS")
    assert len(take_all(rig)) == 1
    rig.clock.advance(hours=1, seconds=1)
    rig.take(heads(rig, MARKS[1][0], to) + b"A Par H", ANN, to)
    assert len(take_all(rig)) == 1


@pytest.mark.parametrize("line", [*MARKS[0], *MARKS[1]])
def test_a_responder_to_every_letter_gets_one_reply_an_hour(rig: Rig, line: str) -> None:
    """It repeats the letter, marked or not, below a note of its own."""
    answered = 0
    rig.mail(ANN, "SIGNON Fmarco annsecret\nSTATUS")
    letters = take_all(rig)
    while letters and answered < 50:
        letter = letters.pop()
        answered += 1
        to = str(letter["Reply-To"])
        note = f"SET WAIT\nI am away.\n\n-----Original Message-----\n{text_of(letter)}"
        rig.take(heads(rig, line, to) + note.encode(), ANN, to)
        letters += take_all(rig)
    assert answered == 2


def test_two_judges_that_are_players_stop_answering(rig: Rig) -> None:
    """Their letters have Auto-Submitted, which a list in between keeps."""
    rig.mail(ANN, "SIGNON Fmarco annsecret\nSTATUS")
    (letter,) = take_all(rig)
    to = str(letter["Reply-To"])
    for more in ("", "Precedence: list\nList-Id: <dip.x>\n", "X-Auto-Response-Suppress: All\n"):
        kept = "".join(f"{name}: {value}\n" for name, value in letter.items()
                       if name in ("Auto-Submitted", "Precedence", "Subject"))
        head = f"{more}{kept}From: {ANN}\nMessage-ID: <{len(more)}@other.example>\nTo: {to}\n"
        rig.take(f"{head}\n{SIGNED_ON}".encode(), ANN, to)
        assert not take_all(rig)


NOTES = [
    lines.with_suffix(".eml") for lines in sorted((MAILS.parent / "corpus").glob("*.lines"))
    if "machine auto-reply" in lines.read_text("utf-8")
]


@pytest.mark.parametrize("file", NOTES, ids=lambda file: file.stem)
def test_absence_notices_to_a_reply_address_are_ignored(rig: Rig, file: Path) -> None:
    to = str(rig.newest[ANN]["Reply-To"])
    rig.take(file.read_bytes().replace(b"ann@example.org", ANN.encode()), ANN, to)
    assert not read_filed_orders(rig) and not take_all(rig)
