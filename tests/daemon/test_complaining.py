"""Complaints about letters (ARF, RFC 5965): effects and reports about them."""

from collections.abc import Iterator

import pytest

from judge.daemon.bounces import BounceHandler
from judge.mail.inbound.automatic_mail import read_complaint
from judge.model.record import Outgoing, SeatState
from tests.journeys.rig import Rig, squeeze_text, text_of
from tests.outbox import is_suspended, newest_out

GM, ANN, EVE = "gm@example.org", "ann@example.org", "eve@example.org"
KEEPER = "postmaster@localhost"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game that Ann plays and Eve observes.

    Eve is on the standby list as well.
    """
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fmarco annsecret")
    made.mail(EVE, "OBSERVE marco")
    made.mail(EVE, "STANDBY")
    made.boxes.clear()
    yield made
    made.close()


def report(kind: str, original: str, fields: str = "", part: str = "message/rfc822") -> bytes:
    """Return a feedback report about a letter with this header."""
    return (
        "From: fbl@provider.example\r\nTo: judge@localhost\r\nSubject: FW: spam\r\n"
        "Message-ID: <fbl@provider.example>\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: text/plain\r\n\r\nThis is a report.\r\n"
        "--b\r\nContent-Type: message/feedback-report\r\n\r\n"
        f"Feedback-Type: {kind}\r\nVersion: 1\r\nUser-Agent: x/1\r\n{fields}\r\n"
        f"--b\r\nContent-Type: {part}\r\n\r\n{original}\r\n\r\nHello\r\n--b--\r\n"
    ).encode()


def newest(rig: Rig, address: str) -> Outgoing:
    return newest_out(rig.application.post, 1, address)[0]


def complain(rig: Rig, address: str, kind: str = "abuse") -> str:
    """Complain about the newest letter to an address and return the note."""
    raw = report(kind, f"Message-ID: {newest(rig, address).message_id}\r\nTo: redacted@x")
    return take(rig, raw)


def take(rig: Rig, raw: bytes, sender: str = "fbl@provider.example") -> str:
    rig.take(raw, sender)
    rows = rig.application.store.database.execute_sql(
        "SELECT note FROM mails ORDER BY id DESC LIMIT 1"
    )
    return str(rows.fetchone()[0])


def watches(rig: Rig, address: str) -> bool:
    return any(seat.state is SeatState.OCCUPIED for seat in rig.application.games.seats_at(address))


def test_observer_complaint_ends_letters_and_is_reported(rig: Rig) -> None:
    assert complain(rig, EVE).startswith("complaint of letter")
    assert not watches(rig, EVE)
    assert rig.application.context.register.person(EVE).standby == ()
    told = squeeze_text(text_of(rig.letter(KEEPER)))
    assert EVE in told and "observing marco" in told and "standby list" in told
    assert set(rig.boxes) == {KEEPER}, "nobody else hears of it"


def test_complaint_ends_all_observer_seats(rig: Rig) -> None:
    rig.mail(GM, "CREATE ?polo gmsecret standard\nSTART")
    rig.mail(EVE, "OBSERVE polo")
    complain(rig, EVE)
    assert rig.application.games.seats_at(EVE) == []
    told = squeeze_text(text_of(rig.letter(KEEPER)))
    assert "observing marco" in told and "observing polo" in told


def test_player_complaint_ends_nothing(rig: Rig) -> None:
    complain(rig, ANN)
    assert watches(rig, ANN) and not is_suspended(rig.application.bounce_counts, ANN)
    told = squeeze_text(text_of(rig.letter(KEEPER)))
    assert "Nothing ends:" in told and "EJECT" in told
    complain(rig, GM)
    assert watches(rig, GM)


@pytest.mark.parametrize(
    "original, fields, part",
    [("Subject: x", "Original-Mail-From: <{verp}>\r\n", "message/rfc822"),
     ("Return-Path: <{verp}>\r\nSubject: x", "", "text/rfc822-headers"),
     ("Message-ID: {id}", "Original-Rcpt-To: someone@else.example\r\n", "text/rfc822-headers")],
)
def test_letter_is_identified_by_its_header_or_verp_address(
    rig: Rig, original: str, fields: str, part: str
) -> None:
    letter = newest(rig, EVE)
    names = {
        "verp": BounceHandler(rig.application).address_letter(letter).sender,
        "id": letter.message_id,
    }
    take(rig, report("abuse", original.format(**names), fields.format(**names), part))
    assert not watches(rig, EVE)


@pytest.mark.parametrize(
    "original",
    ["To: eve@example.org\r\nMessage-ID: <guess@localhost>", "Return-Path: <judge+aaaa@localhost>",
     "Return-Path: <eve@example.org>", "", "Subject: x\r\n\r\nMessage-ID: {id}"],
)
def test_complaint_about_an_unknown_letter_changes_nothing(rig: Rig, original: str) -> None:
    """A Message-ID in the body is no proof either, since press could contain it."""
    told = original.format(id=newest(rig, EVE).message_id)
    assert take(rig, report("abuse", told)) == "complaint about no letter of ours"
    assert watches(rig, EVE) and not rig.boxes


@pytest.mark.parametrize("kind", ["not-spam", "virus", "other", ""])
def test_complaint_of_another_type_is_only_reported(rig: Rig, kind: str) -> None:
    complain(rig, EVE, kind)
    assert watches(rig, EVE)
    assert "Nothing ends:" in squeeze_text(text_of(rig.letter(KEEPER)))


def test_complaints_are_reported_to_the_operator_once_a_day(rig: Rig) -> None:
    for _ in range(3):
        complain(rig, ANN)
    assert len(rig.boxes[KEEPER]) == 1


def test_complaint_of_a_stranger_suspends_until_the_next_mail(rig: Rig) -> None:
    rig.mail("foe@example.net", "LIST")
    complain(rig, "foe@example.net")
    assert is_suspended(rig.application.bounce_counts, "foe@example.net")
    assert "until a mail comes" in squeeze_text(text_of(rig.letter(KEEPER)))
    rig.boxes.clear()
    rig.mail("foe@example.net", "LIST")
    assert rig.boxes["foe@example.net"]


def test_complaint_of_the_operator_suspends_nothing(rig: Rig) -> None:
    rig.application.notify_operator("a word", "to the keeper", rig.clock.now())
    complain(rig, KEEPER)
    assert not is_suspended(rig.application.bounce_counts, KEEPER)


@pytest.mark.parametrize("cut", range(0, 700, 23))
def test_report_truncated_anywhere_causes_no_fault(rig: Rig, cut: int) -> None:
    raw = report("abuse", f"Message-ID: {newest(rig, ANN).message_id}")
    take(rig, raw[:cut], "")
    assert not rig.application.post.list_shunted()


@pytest.mark.parametrize(("path", "sender"), [("{verp}", "x@y.org"), ("x@y.org", "{verp}")])
def test_letter_is_identified_by_any_reported_sender(rig: Rig, path: str, sender: str) -> None:
    verp = BounceHandler(rig.application).address_letter(newest(rig, EVE)).sender
    original = f"Return-Path: <{path.format(verp=verp)}>"
    fields = f"Original-Mail-From: <{sender.format(verp=verp)}>\r\n"
    take(rig, report("abuse", original, fields))
    assert not watches(rig, EVE)


def test_report_fields_are_found_in_any_order() -> None:
    raw = report("Abuse", "Message-ID: <1@x>\r\nReturn-Path: <a@x>").replace(
        b"Feedback-Type: Abuse\r\nVersion: 1\r\n",
        b"Version: 1\r\nOriginal-Mail-From: <b@x>\r\nFeedback-Type: Abuse\r\n",
    )
    told = read_complaint(raw)
    assert (told.kind, told.message_ids) == ("abuse", ("<1@x>",))
    assert set(told.senders) == {"a@x", "b@x"}
