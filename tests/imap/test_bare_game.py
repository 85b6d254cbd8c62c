"""A whole game by mailbox and submission, with and without sub-addresses."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from judge.clock import FixedClock, SystemClock
from judge.config import ClockSection, Config, DeliverSection, ListenSection, PolicySection
from judge.daemon import mail_fetcher
from judge.daemon.application import open_application
from judge.daemon.single_runs import fetch_once, resolve_once, send_once, work_once
from judge.model.record import StoredMail
from judge.store.database import Store
from judge.store.schema import BOUNCES
from judge.store.table import Rows
from tests.imap.conftest import FetchingJudge
from tests.imap.dovecot import Dovecot
from tests.machine import HAS_DOVECOT
from tests.mail.submission import Provider, run_provider

pytestmark = [
    pytest.mark.slow, pytest.mark.skipif(not HAS_DOVECOT, reason="no Dovecot to be run as root"),
]
GM, ANN, BOB = "gm@players.example", "ann@players.example", "bob@players.example"
ACCOUNT = "me@provider.example"


class Table:
    """A judge at a provider, and players whose mail programs answer its letters."""

    def __init__(
        self, judge: FetchingJudge, provider: Provider, detail: str, drops_references: bool
    ) -> None:
        judge.address = provider.account = ACCOUNT
        self.judge = judge
        self.provider = provider
        self.drops_references = drops_references
        self.clock = FixedClock(SystemClock().now())
        self.config: Config = replace(
            judge.config, listen=ListenSection(smtp="", detail=detail),
            deliver=DeliverSection(provider.url, "0"), clock=ClockSection(shortest=timedelta()),
            policy=PolicySection(maps="off"),
        )
        self._read: dict[str, int] = {}
        self._mails = 0
        open_application(self.config, self.clock, create=True).store.close()

    def run(self) -> None:
        """Fetch and process all mail, and send all letters."""
        for _ in range(2):
            # The limit of letters in a minute, and the margin of a look, have passed.
            self.clock.advance(minutes=2)
            fetch_once(self.config, self.clock)
            work_once(self.config, self.clock)
            resolve_once(self.config, self.clock)
            send_once(self.config, self.clock)

    def letters(self, to: str) -> list[Message]:
        """Return all letters to an address."""
        return [message_from_bytes(raw) for one, raw in self.provider.taken if one == to]

    def letter(self, to: str, kind: str) -> Message:
        """Return the newest letter of a kind to an address."""
        return next(x for x in reversed(self.letters(to)) if x["X-Judge-Kind"] == kind)

    def mail(self, sender: str, text: str, *heads: str, to: str = ACCOUNT) -> None:
        """Deliver a mail of a player into the mailbox, and run the judge."""
        self._mails += 1
        lines = [
            f"Return-Path: <{sender}>", f"From: {sender}", f"To: {to}", "Subject: mail",
            f"Message-ID: <{self._mails}@players.example>", *heads, "", text, "",
        ]
        self.judge.put("\r\n".join(lines).encode())
        self.run()

    def reply(self, sender: str, letter: Message, text: str, *more: str) -> None:
        """Reply to a letter as a mail program does, with some more headers."""
        heads = [f"In-Reply-To: {letter['Message-ID']}", *more]
        if not self.drops_references:
            ids = " ".join(f"{letter['References'] or ''} {letter['Message-ID']}".split())
            heads.append(f"References: {ids}")
        self.mail(sender, text, *heads, to=str(letter["Reply-To"]))

    def confirm(self, sender: str, text: str) -> None:
        """Mail a text from a new address, and confirm the address."""
        self.mail(sender, text)
        self.reply(sender, self.letter(sender, "confirm"), "YES")

    def mails(self) -> list[StoredMail]:
        """Return the stored mails."""
        return self.judge.mails()


@pytest.fixture
def table(
    judge: FetchingJudge, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Table]:
    """A judge at the provider that the test names."""
    monkeypatch.setattr(mail_fetcher, "MARGIN", timedelta())
    detail, provider, drops_references = request.param
    with run_provider(provider):
        yield Table(judge, provider, detail, drops_references)


PROVIDERS = {
    "sub-addresses": lambda: ("+", Provider(), True),
    "kept": lambda: ("", Provider(names_ids=False), False),
    "replaced": lambda: ("", Provider(names_ids=False, replaces_ids=True), False),
    "replaced, no references": lambda: ("", Provider(replaces_ids=True), True),
}


@pytest.mark.parametrize(
    "table", [make() for make in PROVIDERS.values()], ids=[*PROVIDERS], indirect=True
)
def test_game_is_played_at_any_provider(table: Table) -> None:
    has_sub_addresses = table.config.listen.detail
    table.confirm(GM, "CREATE ?marco gmsecret standard")
    table.confirm(ANN, "JOIN france@marco annsecret")
    table.confirm(BOB, "JOIN germany@marco bobsecret")
    table.reply(GM, table.letter(GM, "receipt"), "START")
    table.reply(ANN, table.letter(ANN, "start"), "A Par - Bur\r\nA Mar - Spa\r\nF Bre - MAO")
    assert "all 3 in" in table.letter(ANN, "receipt")["Subject"]
    table.reply(ANN, table.letter(ANN, "receipt"), "PRESS TO GERMANY\r\nHello Bob\r\nENDPRESS")
    table.reply(BOB, table.letter(BOB, "press"), "Hello Ann")
    assert "Hello Ann" in str(table.letter(ANN, "press"))
    table.reply(BOB, table.letter(BOB, "start"), "A Mun - Ruh\r\nA Ber - Kie\r\nF Kie - Hol")
    # Orders can be changed for ten minutes once all are in.
    table.clock.advance(minutes=10)
    table.run()
    results = table.letter(ANN, "results")
    assert "S1901M results" in results["Subject"]
    table.reply(ANN, results, "RESIGN")
    table.reply(ANN, table.letter(ANN, "confirm"), "YES")
    table.reply(GM, table.letter(GM, "results"), "TERMINATE")
    table.reply(GM, table.letter(GM, "confirm"), "TERMINATE marco F1901M")
    assert table.letter(BOB, "end")
    sent = b"\n".join(raw for _, raw in table.provider.taken)
    assert (b"me+" in sent) == bool(has_sub_addresses)


@pytest.mark.parametrize("table", [("", Provider(replaces_ids=True), True)], indirect=True)
def test_bounce_is_read_from_the_mailbox(table: Table) -> None:
    """A report with the null sender, which names the replaced id."""
    table.confirm(GM, "CREATE ?marco gmsecret standard\r\nSTART")
    table.confirm(ANN, "TAKEOVER Fmarco annsecret")
    letter = table.letter(ANN, "start")
    table.judge.put(f"""Return-Path: <>
From: MAILER-DAEMON@provider.example
To: {ACCOUNT}
Subject: Undelivered
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

Sorry.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; provider.example

Final-Recipient: rfc822; {ANN}
Action: failed
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: {letter['Message-ID']}
To: {ANN}

--b--
""".replace("\n", "\r\n").encode())
    table.run()
    assert "hard bounce of letter" in table.mails()[-1].note
    with Store(table.config.store.url).keep_open() as store:
        [counted] = Rows(store, BOUNCES).find()
    assert (counted.address, counted.points) == (ANN, 2)


@pytest.mark.parametrize("table", [("", Provider(), False)], indirect=True)
def test_leaked_id_opens_nothing_for_another_sender(table: Table) -> None:
    table.confirm(GM, "CREATE ?marco gmsecret standard\r\nSTART")
    table.confirm(ANN, "TAKEOVER Fmarco annsecret")
    before = len(table.letters(ANN))
    table.reply("eve@players.example", table.letter(ANN, "start"), "A Par H\r\nRESIGN")
    assert len(table.letters(ANN)) == before
    assert "sign-on" in str(table.letter("eve@players.example", "error"))


@pytest.mark.parametrize("table", [("", Provider(), False)], indirect=True)
def test_list_mail_is_fetched_only_as_a_reply(table: Table) -> None:
    table.confirm(GM, "CREATE ?marco gmsecret standard\r\nSTART")
    table.confirm(ANN, "TAKEOVER Fmarco annsecret")
    before = len(table.mails())
    table.reply(ANN, table.letter(ANN, "start"), "A Par H", "List-Id: <players.example>")
    assert "orders" in table.letter(ANN, "receipt")["Subject"]
    table.mail(ANN, "A Par - Bur", "List-Id: <players.example>")
    table.mail(BOB, "Buy now!", "Precedence: bulk")
    assert len(table.mails()) == before + 1


def test_letters_wait_while_the_provider_refuses_the_from(
    judge: FetchingJudge, tmp_path: Path, dovecot: Dovecot
) -> None:
    with run_provider(Provider(account="other@provider.example")) as provider:
        config = replace(judge.config, deliver=DeliverSection(provider.url, "0"))
        clock = FixedClock(SystemClock().now())
        with closing(open_application(config, clock, create=True).store):
            pass
        judge.put(b"From: a@x.org\r\nTo: judge@example.org\r\nMessage-ID: <1@x>\r\n\r\nHELP\r\n")
        fetch_once(config, clock)
        work_once(config, clock)
        send_once(config, clock)
        assert not provider.taken
        provider.account = "judge@example.org"
        clock.advance(hours=2)
        send_once(config, clock)
        assert provider.taken
