"""Refusals by a submission server: of the account, of a letter, of an address."""

import base64
import smtplib
from dataclasses import replace
from pathlib import Path
from traceback import format_exception
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult

from judge.config import FetchSection
from judge.mail.outbound.account_faults import is_account_fault
from judge.mail.outbound.delivery import (
    AccountRefused,
    NoSuchAddress,
    PermanentFailure,
    ServerDelivery,
    TemporaryFailure,
    WrongSettings,
    delivery_for,
)
from tests.mail.sink import Sink
from tests.mail.submission import PASSWORD, Provider, run_provider
from tests.mail.test_sender import LETTER, send

ACCOUNT_FAULTS = [
    "421 4.7.0 Too many connections", "421 Service not available", "432 4.3.2 Too many at once",
    "452 4.2.2 The account is over quota", "452 4.5.3 Too many recipients", "452 later",
    "450 4.7.1 Rate limited", "451 4.7.500 Server busy", "454 4.7.0 Temporary failure",
    "550 5.4.5 Daily user sending limit exceeded.", "550 5.7.1 Unusual rate of mail",
    "550 5.7.0 Sender blocked", "552 5.2.0 Submission quota exceeded", "552 quota exceeded",
    "554 5.2.0 Message rate exceeded", "554 5.7.1 Account disabled",
    "550 You have reached your LIMIT for today", "550 5.3.0 Daily quota used up",
    "553 5.7.1 Sender address rejected: not owned by user",
    "550 5.7.60 SMTP; Client does not have permissions to send as this sender",
    "554 5.2.252 SendAsDenied; me@x.org not allowed to send as judge@x.org",
    "530 5.7.0 Authentication required",
]
LETTER_FAULTS = [
    "552 5.3.4 Message size exceeds fixed limit", "552 5.2.3 Message exceeds administrative limit",
    "552 Message size exceeds limit", "552 message too large, limit is 25 MB",
    "550 5.6.0 Malformed message", "554 5.6.0 Lines too long", "550 no", "554 refused",
    "550 5.4.50 no such state", "555 5.5.4 unknown option", "501 5.5.4 limit",
]
TEMPORARY_FAULTS = ["450 4.2.0 later", "451 4.3.0 disk", "451 4.70.1 odd", "450 limit"]


@pytest.mark.parametrize("reply, expected", [
    *((reply, True) for reply in ACCOUNT_FAULTS),
    *((reply, False) for reply in (*LETTER_FAULTS, *TEMPORARY_FAULTS)),
])
def test_account_faults_are_recognised_by_the_reply(reply: str, expected: bool) -> None:
    code, _, text = reply.partition(" ")
    assert is_account_fault(int(code), text) is expected


def outcome_of(provider: Provider, url: str = "") -> type[Exception] | None:
    """Return the type of failure when a letter is sent by a provider, or None."""
    with run_provider(provider):
        try:
            send(url.format(port=provider.port) or provider.url, LETTER)
        except (PermanentFailure, TemporaryFailure) as fault:
            return type(fault)
    return None


@pytest.mark.parametrize("reply", ACCOUNT_FAULTS[::4])
def test_account_faults_put_a_letter_off(reply: str) -> None:
    assert outcome_of(Provider(mail=reply)) is AccountRefused
    assert outcome_of(Provider(data=reply)) is AccountRefused


@pytest.mark.parametrize("reply, expected", [
    (LETTER_FAULTS[0], PermanentFailure), (LETTER_FAULTS[4], PermanentFailure),
    (TEMPORARY_FAULTS[0], TemporaryFailure),
])
def test_faults_of_a_letter_are_its_own(reply: str, expected: type[Exception]) -> None:
    assert outcome_of(Provider(mail=reply)) is expected
    assert outcome_of(Provider(data=reply)) is expected


@pytest.mark.parametrize("reply, expected", [
    ("550 5.1.1 unknown", NoSuchAddress), ("550 5.4.5 limit of the mailbox", NoSuchAddress),
    ("552 5.2.2 over quota", NoSuchAddress), ("550 5.7.1 not welcome", PermanentFailure),
    ("452 4.2.2 full", TemporaryFailure), ("421 4.7.0 later", TemporaryFailure),
])
def test_faults_at_an_address_are_its_own(reply: str, expected: type[Exception]) -> None:
    assert outcome_of(Provider(rcpt={LETTER.to: reply})) is expected


def test_a_server_without_login_refuses_the_letter() -> None:
    """A relay for many domains passes on what their servers said."""
    with Sink() as sink, pytest.raises(PermanentFailure):
        send(f"smtp://127.0.0.1:{sink.port}", replace(LETTER, to="x554@example.org"))


def test_a_missing_login_puts_a_letter_off() -> None:
    assert outcome_of(Provider(), "smtp://127.0.0.1:{port}") is AccountRefused


def test_a_login_has_two_connections() -> None:
    url = "smtps://me:secret@mail.example.org"
    assert (delivery_for(url).max_concurrent, delivery_for(url).of_a_domain) == (2, 2)
    assert delivery_for("smtp://mail.example.org").max_concurrent == 4


@pytest.mark.parametrize("names_ids, named", [(True, "<1@provider.example>"), (False, "")])
def test_id_in_the_reply_is_returned(names_ids: bool, named: str) -> None:
    with run_provider(Provider(names_ids=names_ids)) as provider:
        delivery = delivery_for(provider.url)
        assert delivery.deliver(LETTER) == named
        delivery.close_idle()


def mailbox_with(folder: Path, secret: str, auth: str = "password") -> FetchSection:
    """Return a mailbox with its password in a file."""
    file = folder / "secret"
    file.write_text(f"{secret}\n")
    file.chmod(0o600)
    return FetchSection("imaps://me@imap.provider.example", str(file), auth=auth)


def login(port: int, mailbox: FetchSection) -> None:
    """Log in without a password in the URL."""
    delivery = delivery_for(f"smtp://me@127.0.0.1:{port}", mailbox)
    assert isinstance(delivery, ServerDelivery)
    delivery.check_login(10)


def test_login_uses_the_password_of_the_mailbox(tmp_path: Path) -> None:
    with run_provider(Provider()) as provider:
        login(provider.port, mailbox_with(tmp_path, PASSWORD.decode()))
        # It is read for each connection, so that a new one needs no restart.
        with pytest.raises(WrongSettings, match="refuses the log-in of me.*check the password"):
            login(provider.port, mailbox_with(tmp_path, "wrong-7777"))
        with pytest.raises(WrongSettings, match="No such file"):
            login(provider.port, FetchSection("imaps://me@x", "/no/such/file"))
        with pytest.raises(WrongSettings, match="must be ASCII") as fault:
            login(provider.port, mailbox_with(tmp_path, "höchst-geheim"))
        assert "geheim" not in str(fault.value)


class TokenProvider(Provider):
    """A provider that takes access tokens."""

    async def auth_XOAUTH2(self, server: Any, args: list[str]) -> AuthResult:
        """Accept one token. Any other is a challenge, then a refusal."""
        self.mail = base64.b64decode(args[1]).decode()
        if "Bearer good" in self.mail:
            return AuthResult(success=True)
        await server.push("334 eyJzdGF0dXMiOiI0MDAifQ==")
        await server._reader.readline()
        return AuthResult(success=False, handled=False)


def test_login_uses_an_access_token(tmp_path: Path) -> None:
    with run_provider(TokenProvider()) as provider:
        login(provider.port, mailbox_with(tmp_path, "good", "xoauth2"))
        assert provider.mail == "user=me\x01auth=Bearer good\x01\x01"
        with pytest.raises(WrongSettings, match="must print a valid access token") as fault:
            login(provider.port, mailbox_with(tmp_path, "bad-7777", "xoauth2"))
        assert "7777" not in str(fault.value)


def test_refusal_that_repeats_the_password_hides_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(server: smtplib.SMTP, user: str, password: str) -> None:
        raise smtplib.SMTPAuthenticationError(535, f"no {password}".encode())

    monkeypatch.setattr(smtplib.SMTP, "login", refuse)
    mailbox = mailbox_with(tmp_path, "hush-7777")
    with run_provider(Provider()) as provider:
        with pytest.raises(WrongSettings) as fault:
            login(provider.port, mailbox)
    assert "no ***" in str(fault.value) and "7777" not in "".join(format_exception(fault.value))
