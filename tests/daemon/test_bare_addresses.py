"""Replies and bounces at a provider without sub-addresses."""

import re
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage

import pytest

from judge.config import Config, DeliverSection, ListenSection, PolicySection, StoreSection
from judge.daemon.bounces import BounceHandler
from judge.mail.address import JudgeAddresses
from judge.model.record import Outgoing
from tests.journeys.field_mail import ANN, BOB, GM, take_all
from tests.journeys.rig import Rig, squeeze_text, text_of
from tests.mail.test_bounces import report
from tests.outbox import newest_out

ORDERS = "A Mar - Spa\nA Par - Bur\nF Bre - MAO"
EVE = "eve@field.example"


class BareRig(Rig):
    """A judge whose provider delivers mail to its bare address only."""

    is_id_replaced = False
    is_id_named = True
    """True if the provider names the new Message-ID in its reply."""
    drops_references = False
    """True if players' programs write no References."""

    def deliver(self, out: Outgoing) -> None:
        """Send a letter as the delivery loop does, through the provider."""
        letter = BounceHandler(self.application).address_letter(out)
        assert letter.sender == self.config.judge.address
        assert b"judge+" not in letter.message
        message, also = letter.message, ""
        if self.is_id_replaced:
            new = f"<{out.id}@provider.example>"
            also = new if self.is_id_named else ""
            message = re.sub(rb"(?m)^Message-ID: \S+", f"Message-ID: {new}".encode(), message)
        self.put(out.to, message)
        self.application.post.mark_sent(out.id, self.clock.now(), also)

    def reply(self, sender: str, text: str, letter: EmailMessage | None = None) -> str:
        """Reply to a letter as a mail program does."""
        letter = letter or self.newest[sender]
        assert letter["Reply-To"] == self.config.judge.address
        ids = f"{letter['References']} {letter['Message-ID']}"
        heads = {} if self.drops_references else {"References": squeeze_text(ids)}
        return self.mail(sender, text, In_Reply_To=letter["Message-ID"], **heads)


def make_rig(**changes: bool) -> BareRig:
    """Return a running game in which Ann is France and Bob is Germany."""
    rig = BareRig(Config(
        store=StoreSection("sqlite:///:memory:"), listen=ListenSection(detail="")
    ))
    for name, value in changes.items():
        setattr(rig, name, value)
    rig.mail(GM, "CREATE ?marco gmsecret standard")
    rig.mail(ANN, "JOIN france@marco annsecret")
    rig.mail(BOB, "JOIN germany@marco bobsecret")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    for address in (ANN, BOB, GM):
        take_all(rig, address)
    return rig


@pytest.fixture(scope="module")
def begun() -> Iterator[BareRig]:
    """A provider that keeps Message-IDs."""
    rig = make_rig()
    yield rig
    rig.close()


@pytest.fixture
def rig(begun: BareRig) -> Iterator[BareRig]:
    """A copy of it."""
    copy = begun.again()
    bare = BareRig.__new__(BareRig)
    vars(bare).update(vars(copy))
    yield bare
    bare.close()


@pytest.mark.slow
@pytest.mark.parametrize("changes", [
    {}, {"drops_references": True},
    {"is_id_replaced": True, "is_id_named": False},
    {"is_id_replaced": True, "drops_references": True},
], ids=["kept", "no references", "replaced", "replaced, no references"])
def test_reply_opens_the_seat(changes: dict[str, bool]) -> None:
    rig = make_rig(**changes)
    rig.reply(ANN, ORDERS)
    receipt = rig.letter(ANN, "receipt")
    assert receipt["Subject"] == "Re: marco - S1901M orders: all 3 in"
    rig.reply(ANN, "STATUS", receipt)
    assert "marco" in rig.letter(ANN, "receipt")["Subject"]
    rig.close()


def test_reply_without_any_known_id_names_the_sign_on() -> None:
    rig = make_rig(is_id_replaced=True, is_id_named=False, drops_references=True)
    rig.reply(ANN, ORDERS)
    told = squeeze_text(text_of(rig.letter(ANN, "error")))
    assert "Orders need a sign-on above them, for example SIGNON Nmarco yourpassword" in told
    rig.mail(ANN, f"SIGNON Fmarco annsecret\n{ORDERS}")
    assert "all 3 in" in rig.letter(ANN, "receipt")["Subject"]
    rig.close()


def test_known_id_from_another_address_opens_nothing(rig: BareRig) -> None:
    rig.reply(EVE, ORDERS, rig.newest[ANN])
    assert "Orders need a sign-on" in squeeze_text(text_of(rig.letter(EVE, "error")))
    # A thread in which a letter to Ann was forwarded opens the seat of Bob, who answers it.
    own, forwarded = (str(rig.newest[one]["Message-ID"]) for one in (BOB, ANN))
    rig.mail(BOB, "A Mun - Ruh", In_Reply_To=forwarded, References=f"{own} {forwarded}")
    assert "germany" in text_of(rig.letter(BOB, "receipt")).lower()
    assert not take_all(rig, ANN)


def test_second_address_of_a_person_may_reply(rig: BareRig) -> None:
    other = "ann@elsewhere.example"
    rig.application.context.aliases.ask_once(ANN, other, rig.clock.now())
    rig.mail(ANN, f"IAMALSO {other}")
    for address in (ANN, other):
        rig.reply(address, "YES")
    letter = next(x for x in take_all(rig, ANN) if "confirm" not in str(x["X-Judge-Kind"]))
    assert letter is not None
    start = newest_out(rig.application.post, 99, ANN)
    first = next(out for out in start if out.kind == "start")
    rig.mail(other, ORDERS, In_Reply_To=first.message_id)
    assert any("all 3 in" in str(x["Subject"]) for x in take_all(rig, ANN) + take_all(rig, other))


def test_nearest_letter_decides(rig: BareRig) -> None:
    """A reply to press is press, even if the thread begins with a start letter."""
    start = rig.newest[ANN]
    rig.mail(BOB, "SIGNON Gmarco bobsecret\nPRESS TO FRANCE\nHello Ann\nENDPRESS")
    press = rig.letter(ANN, "press")
    assert press["X-Judge-Kind"] == "press"
    take_all(rig, BOB)
    ids = f"{start['Message-ID']} {press['Message-ID']}"
    rig.mail(ANN, "Hello Bob", In_Reply_To=str(press["Message-ID"]), References=ids)
    assert "Hello Bob" in text_of(rig.letter(BOB, "press"))


def test_letters_name_the_sign_on_once(rig: BareRig) -> None:
    rig.mail(BOB, "SIGNON Gmarco bobsecret\nPRESS TO FRANCE\nHello Ann\nENDPRESS")
    told = squeeze_text(text_of(rig.letter(ANN, "press")))
    assert (
        "If a reply is not recognised as yours, send a new mail to judge@localhost that begins"
        " with SIGNON Fmarco yourpassword" in told
    )
    rig.reply(ANN, ORDERS)
    assert text_of(rig.letter(ANN, "receipt")).count("SIGNON Fmarco yourpassword") == 1


def test_stored_letter_keeps_its_token(rig: BareRig) -> None:
    out = newest_out(rig.application.post, 1, ANN)[0]
    [back] = re.findall(rb"(?m)^Reply-To: (\S+)", out.message)
    assert JudgeAddresses("judge@localhost").detail_of(back.decode())


def test_unsubscribing_by_program_names_the_game(rig: BareRig) -> None:
    rig.mail(EVE, "OBSERVE marco evesecret")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nBROADCAST\nHello\nENDBROADCAST")
    way = str(rig.newest[EVE]["List-Unsubscribe"])
    assert way == "<mailto:judge@localhost?subject=UNSUBSCRIBE&body=UNSUBSCRIBE%20marco>"
    take_all(rig, EVE)
    rig.mail(EVE, "UNSUBSCRIBE marco", Subject="UNSUBSCRIBE")
    take_all(rig, EVE)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nBROADCAST\nHello\nENDBROADCAST")
    assert not take_all(rig, EVE)


def bounce_of(letter: EmailMessage, *heads: str) -> bytes:
    """Return a report that returns a letter to Ann."""
    raw = report("failed", "5.1.1", "550 5.1.1 unknown").replace(b"judge+x@", b"judge@")
    returned = "\n".join([*heads, *(f"{name}: {letter[name]}" for name in (
        "Message-ID", "References", "To"
    ))])
    return raw.replace(b"Subject: marco\n", returned.encode() + b"\nSubject: marco\n").replace(
        b"rfc822; ann@example.org", f"rfc822; {letter['To']}".encode()
    )


def note_of(rig: Rig, raw: bytes, sender: str = "") -> str:
    """Return the note on a mail."""
    rig.take(raw, sender)
    rows = rig.application.store.database.execute_sql(
        "SELECT note FROM mails ORDER BY id DESC LIMIT 1"
    )
    return str(rows.fetchone()[0])


@pytest.mark.parametrize("is_id_replaced, is_id_named", [
    (False, False), (True, True), (True, False),
])
def test_bounce_is_matched_by_the_id(is_id_replaced: bool, is_id_named: bool) -> None:
    rig = make_rig(is_id_replaced=is_id_replaced, is_id_named=is_id_named)
    assert "hard bounce of letter" in note_of(rig, bounce_of(rig.newest[ANN]))
    told = squeeze_text(text_of(rig.letter(GM, "bounce")).replace("||", ""))
    assert "A letter (start) to France in 'marco' came back: 550 5.1.1 unknown" in told
    rig.close()


def test_bounce_must_name_a_letter_of_these_days_and_its_address(rig: BareRig) -> None:
    letter = rig.newest[ANN]
    raw = bounce_of(letter)
    assert note_of(rig, raw.replace(b"Final-Recipient: rfc822; ann@", b"X: rfc822; ann@")) == (
        "bounce"
    )
    assert note_of(rig, raw.replace(b"rfc822; ann@field", b"rfc822; eve@field")) == "bounce"
    rig.clock.advance(days=6, seconds=1)
    assert note_of(rig, raw + b"x") == "bounce"
    assert all(letter["X-Judge-Kind"] != "bounce" for letter in take_all(rig, GM))


@pytest.mark.parametrize("sender", ["", "mailer-daemon@provider.example"])
def test_other_null_sender_mail_is_ignored(rig: BareRig, sender: str) -> None:
    head = f"From: {sender or ANN}\nTo: judge@localhost\n"
    ids = f"In-Reply-To: {rig.newest[ANN]['Message-ID']}\n"
    assert note_of(rig, f"{head}{ids}\n{ORDERS}\n".encode(), sender) == "bounce"
    assert not take_all(rig, ANN)


def test_with_sub_addresses_no_id_opens_a_seat() -> None:
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard")
    assert made.config.listen == replace(ListenSection(), detail="+")
    letter = made.newest[GM]
    made.mail(GM, "STATUS", In_Reply_To=str(letter["Message-ID"]))
    assert "STATUS needs a sign-on" in squeeze_text(text_of(made.newest[GM]))
    raw = bounce_of(letter)
    assert note_of(made, raw) == "bounce"
    made.close()


def test_bounce_is_matched_by_the_id_with_a_login() -> None:
    """A mail account replaces the envelope sender, which would name the letter."""
    rig = Rig(Config(
        store=StoreSection("sqlite:///:memory:"), policy=PolicySection(confirm="false"),
        deliver=DeliverSection("smtp://me:secret@127.0.0.1:9", "0"),
    ))
    rig.mail(GM, "CREATE ?marco gmsecret standard")
    assert "hard bounce of letter" in note_of(rig, bounce_of(rig.newest[GM]))
    rig.close()
