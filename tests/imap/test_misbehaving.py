"""Servers that break the protocol, lie, or refuse."""

import threading
import time
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.clock import FixedClock, SystemClock
from judge.config import Config, FetchSection, JudgeSection, PolicySection, StoreSection
from judge.daemon.application import open_application
from judge.daemon.mail_fetcher import MailFetcher
from judge.errors import ConfigError
from judge.mail.imap.account import MailboxAccount
from judge.mail.imap.box import MailboxFault, open_mailbox
from judge.model.record import MailState, StoredMail
from judge.store.mailboxes import Mailboxes
from judge.store.schema import MAILS, OUTGOING
from judge.store.table import Rows
from tests.imap.toy import ToyServer

MAIL = b"From: ann@x.org\r\nTo: judge@example.org\r\nMessage-ID: <%d@x>\r\n\r\nbody %d\r\n"
SECRET = "open-sesame-7777"


def config_of(server: ToyServer, folder: Path) -> Config:
    secret = folder / "secret"
    secret.write_text(SECRET)
    secret.chmod(0o600)
    return Config(
        judge=JudgeSection("judge@example.org"),
        store=StoreSection(f"sqlite:///{folder}/judge.sqlite3"),
        fetch=FetchSection(f"imap://judge@127.0.0.1:{server.port}/INBOX", str(secret)),
        policy=PolicySection(max_message=10_000),
    )


def fetch(server: ToyServer, folder: Path) -> tuple[int, list[StoredMail]]:
    """Look once. Return the number of mails stored, and all of them."""
    application = open_application(config_of(server, folder), SystemClock(), create=True)
    with closing(application.store):
        many = MailFetcher(application).fetch_once()
        return many, Rows(application.store, MAILS).find_where("id > 0 ORDER BY id")


def account(server: ToyServer) -> MailboxAccount:
    return MailboxAccount("127.0.0.1", server.port, False, "judge", "INBOX")


@pytest.mark.slow
@pytest.mark.parametrize("piece", [0, 7])
def test_answers_in_pieces_are_read(tmp_path: Path, piece: int) -> None:
    with ToyServer(MAIL % (1, 1), MAIL % (2, 2), piece=piece) as server:
        many, mails = fetch(server, tmp_path)
        assert many == 2 and not server.mails
        assert [mail.raw for mail in mails] == [MAIL % (1, 1), MAIL % (2, 2)]
        assert not any("UNSEEN" in line or "RFC822 " in line for line in server.commands)


@pytest.mark.slow
@pytest.mark.parametrize("size, octets, state", [
    (10, 50_000, MailState.IGNORED), (50_000, 100, MailState.IGNORED), (10, 100, MailState.NEW),
])
def test_false_size_costs_no_memory(
    tmp_path: Path, size: int, octets: int, state: MailState
) -> None:
    raw = MAIL % (1, 1) + b"x" * octets
    with ToyServer(raw, false_size=size) as server:
        _, [mail] = fetch(server, tmp_path)
    assert mail.state is state and len(mail.raw) <= 10_000
    assert "BODY.PEEK[]<0.10001>" in " ".join(server.commands)


@pytest.mark.parametrize("refused", ["LOGIN", "SELECT", "SEARCH", "FETCH"])
def test_refused_command_is_one_line_without_secret(tmp_path: Path, refused: str) -> None:
    with ToyServer(MAIL % (1, 1), refused=refused, echoes_password=True) as server:
        with pytest.raises(MailboxFault) as fault:
            fetch(server, tmp_path)
        assert server.mails
    assert SECRET not in str(fault.value) and "\n" not in str(fault.value)


@pytest.mark.slow
def test_refused_move_keeps_the_mail_and_does_not_double_it(tmp_path: Path) -> None:
    with ToyServer(MAIL % (1, 1), refused="MOVE") as server:
        assert fetch(server, tmp_path)[0] == 1
        many, mails = fetch(server, tmp_path)
        assert many == 0 and len([m for m in mails if m.sender]) == 1 and server.mails


@pytest.mark.slow
def test_news_with_the_idle_answer_are_found_after_the_wait() -> None:
    with ToyServer(MAIL % (1, 1)) as server:
        with open_mailbox(account(server), SECRET, "password", "Judge done") as box:
            box.select()
            began = time.monotonic()
            box.wait(1.5, lambda: False)
            assert time.monotonic() - began < 5
            assert box.search(None) == [1]


def test_wait_ends_when_the_judge_stops() -> None:
    stopping = threading.Event()
    stopping.set()
    for capability in ("IDLE", ""):
        with ToyServer(capability=capability) as server:
            with open_mailbox(account(server), SECRET, "password", "Judge done") as box:
                box.select()
                began = time.monotonic()
                box.wait(60, stopping.is_set)
                assert time.monotonic() - began < 5


def test_password_is_not_sent_in_clear_to_another_machine(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MailboxAccount, "is_local", False)
    with ToyServer() as server:
        with pytest.raises(MailboxFault, match="no STARTTLS.*in clear"):
            with open_mailbox(account(server), SECRET, "password", "Judge done"):
                pass
    assert not any("LOGIN" in line for line in server.commands)


def test_access_token_is_used(tmp_path: Path) -> None:
    with ToyServer(refused="AUTHENTICATE") as server:
        with pytest.raises(MailboxFault, match="must print a valid access token"):
            with open_mailbox(account(server), SECRET, "xoauth2", "Judge done"):
                pass
    assert any(line.startswith("AUTHENTICATE XOAUTH2") for line in server.commands)


@pytest.mark.parametrize("capability, line", [
    ("IDLE LOGINDISABLED AUTH=XOAUTH2", "it takes no passwords; set auth = \"xoauth2\" and a"),
    ("IDLE AUTH=PLAIN", "check the password; many providers need an app password"),
])
def test_refused_password_names_what_to_do(capability: str, line: str) -> None:
    with ToyServer(refused="LOGIN", capability=capability, echoes_password=True) as server:
        with pytest.raises(MailboxFault) as fault:
            with open_mailbox(account(server), SECRET, "password", "Judge done"):
                pass
    said = str(fault.value)
    assert said.startswith("127.0.0.1 refuses the log-in of judge (") and line in said
    assert fault.value.is_lasting and SECRET not in said and "\n" not in said


def test_microsoft_hosts_name_the_option() -> None:
    place = MailboxAccount("outlook.office365.com", 993, True, "me@firm.example", "INBOX")
    with pytest.raises(MailboxFault, match="takes no passwords.*password_command") as fault:
        with open_mailbox(place, SECRET, "password", "Judge done"):
            pass
    assert fault.value.is_lasting and SECRET not in str(fault.value)


def test_done_folder_must_be_another() -> None:
    with ToyServer() as server, pytest.raises(ConfigError, match="another folder"):
        with open_mailbox(account(server), SECRET, "password", "inbox"):
            pass


@pytest.mark.parametrize("refusal, is_lasting", [
    ("[AUTHENTICATIONFAILED] no", True), ("[UNAVAILABLE] Temporary authentication failure", False),
    ("Too many simultaneous connections", True),
])
def test_refused_login_is_tried_again_soon_only_if_that_may_help(
    refusal: str, is_lasting: bool
) -> None:
    with ToyServer(refused="LOGIN", refusal=refusal) as server:
        with pytest.raises(MailboxFault) as fault:
            with open_mailbox(account(server), SECRET, "password", "Judge done"):
                pass
    assert fault.value.is_lasting is is_lasting
    assert ("check the password" in str(fault.value)) == refusal.startswith("[AUTH")


@pytest.mark.slow
def test_operator_gets_a_letter_about_a_long_outage(tmp_path: Path) -> None:
    clock = FixedClock(SystemClock().now())
    with ToyServer() as server:
        application = open_application(config_of(server, tmp_path), clock, create=True)

        def count_letters() -> int:
            return len(Rows(application.store, OUTGOING).find_where("id > 0"))

        def fail(minutes: int) -> int:
            """Look in vain after some minutes. Return the number of letters."""
            clock.advance(minutes=minutes)
            with pytest.raises(MailboxFault):
                MailFetcher(application).fetch_once()
            return count_letters()

        with closing(application.store):
            MailFetcher(application).fetch_once()
            server.refused = "SEARCH"
            assert [fail(10), fail(10), fail(10)] == [0, 1, 1]
            server.refused = ""
            MailFetcher(application).fetch_once()
            server.refused = "SEARCH"
            assert [fail(10), fail(10)] == [1, 2]
            state = Mailboxes(application.store).state("judge@127.0.0.1/INBOX")
            assert state.faults == 5 and state.away_from is not None


@pytest.mark.slow
@pytest.mark.parametrize("every, gaps, outages", [
    # The default: looks by a process that runs all the time.
    (1, (14, 16), (False, True)),
    # Looks by cron, one of which may be late or fail.
    (30, (31, 59, 62), (False, False, True)),
    (7, (14, 16), (False, True)),
    (1440, (1450, 2870, 2890), (False, False, True)),
])
def test_gap_of_less_than_two_usual_ones_is_no_outage(
    tmp_path: Path, every: int, gaps: tuple[int, ...], outages: tuple[bool, ...]
) -> None:
    clock = FixedClock(SystemClock().now())
    with ToyServer() as server:
        config = config_of(server, tmp_path)
        config = replace(config, fetch=replace(config.fetch, every=timedelta(minutes=every)))
        application = open_application(config, clock, create=True)
        with closing(application.store):
            boxes, found = Mailboxes(application.store), []
            MailFetcher(application).fetch_once()
            for gap in gaps:
                clock.advance(minutes=gap)
                MailFetcher(application).fetch_once()
                state = boxes.state("judge@127.0.0.1/INBOX")
                found.append(state.away_until is not None and state.away_until == state.looked)
            assert tuple(found) == outages


@pytest.mark.slow
def test_operator_gets_no_letter_before_two_looks_by_cron_failed(tmp_path: Path) -> None:
    clock, found = FixedClock(SystemClock().now()), []
    with ToyServer() as server:
        config = config_of(server, tmp_path)
        config = replace(config, fetch=replace(config.fetch, every=timedelta(minutes=30)))
        application = open_application(config, clock, create=True)
        with closing(application.store):
            MailFetcher(application).fetch_once()
            server.refused = "SEARCH"
            for _ in range(3):
                clock.advance(minutes=30)
                with pytest.raises(MailboxFault):
                    MailFetcher(application).fetch_once()
                found.append(Rows(application.store, OUTGOING).find_where("id > 0"))
    assert [len(letters) for letters in found] == [0, 1, 1]
    assert b"longer than 60 minutes" in b" ".join(found[1][0].message.split())
