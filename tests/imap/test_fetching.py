"""Mail from a Dovecot, without losses, doubles or changes to other mail."""

import fcntl
import os
import random
import signal
import ssl
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.clock import SystemClock
from judge.config import DeliverSection, ListenSection, PolicySection
from judge.daemon import mail_fetcher
from judge.daemon.single_runs import work_once
from judge.mail.imap import box as boxes
from judge.mail.imap.account import MailboxAccount
from judge.mail.imap.box import Mailbox, MailboxFault, MoveRefused, open_mailbox
from judge.mail.inbound.mime import Entity
from judge.model.record import MailState
from tests.imap.conftest import FetchingJudge, mail
from tests.imap.dovecot import PASSWORD, running_dovecot
from tests.judges import Judge, run
from tests.machine import HAS_DOVECOT

pytestmark = [
    pytest.mark.slow, pytest.mark.skipif(not HAS_DOVECOT, reason="no Dovecot to be run as root"),
]
DONE = "Judge done"


def make_bodies(count: int) -> list[bytes]:
    return sorted(f"body {number}".encode() for number in range(count))


def test_two_hundred_mails_are_fetched_in_one_pass(judge: FetchingJudge) -> None:
    judge.put(*map(mail, range(200)))
    began = time.monotonic()
    assert judge.fetch() == 200
    assert time.monotonic() - began < 30
    assert judge.bodies() == make_bodies(200)
    assert judge.dovecot.count(user=judge.user) == 0
    assert judge.dovecot.count(DONE, judge.user) == 200
    assert judge.fetch() == 0
    looked = judge.state().looked
    assert looked is not None and SystemClock().now() - looked < timedelta(minutes=2)


def test_fetched_mail_has_envelope_and_date(judge: FetchingJudge) -> None:
    assert judge.fetch() == 0
    dated = datetime.now(UTC).replace(microsecond=0) - timedelta(seconds=5)
    raw = mail(1, "Judge <judge+x7@example.org>", "Return-Path: <bounces@players.example>")
    judge.dovecot.put([raw], judge.user, dated)
    assert judge.fetch() == 1
    [stored] = judge.mails()
    assert (stored.sender, stored.recipients) == ("bounces@players.example",
                                                  ("judge+x7@example.org",))
    assert stored.accepted == dated and stored.raw == raw


def test_mails_after_a_backup_are_fetched_again(judge: FetchingJudge) -> None:
    judge.put(mail(1))
    assert judge.fetch() == 1
    copy = judge.folder / "copy.sqlite3"
    assert run(["backup", str(copy)], judge.folder, judge.environ).returncode == 0
    judge.put(mail(2), mail(3))
    assert judge.fetch() == 2
    for file in judge.folder.glob("judge.*"):
        file.unlink()
    assert run(["restore", str(copy)], judge.folder, judge.environ).returncode == 0
    assert judge.fetch() == 0 and judge.bodies() == [b"body 1"]
    # The operator moves all mails back, as the guide says.
    with judge.dovecot.client(judge.user) as wire:
        wire.select(f'"{DONE}"')
        assert wire.uid("MOVE", "1:*", "INBOX")[0] == "OK"
    assert judge.fetch() == 2
    assert judge.bodies() == make_bodies(4)[1:]
    assert judge.dovecot.count(DONE, judge.user) == 3


@pytest.mark.parametrize("days", [-10, 10])
def test_date_is_between_last_look_and_now(judge: FetchingJudge, days: int) -> None:
    judge.fetch()
    looked = judge.state().looked
    judge.dovecot.put([mail(1)], judge.user, datetime.now(UTC) + timedelta(days=days))
    judge.fetch()
    [stored] = judge.mails()
    assert looked is not None and looked < stored.accepted <= SystemClock().now()


@pytest.mark.parametrize("failpoint", [
    "fetched:1", "fetched:25", "stored:1", "stored:20", "stored:41", "moved:1", "moved:3",
])
def test_kill_neither_loses_nor_doubles(judge: FetchingJudge, failpoint: str) -> None:
    judge.put(*map(mail, range(50)))
    assert judge.fetch_as_process(failpoint).returncode == -signal.SIGKILL
    done = judge.fetch_as_process()
    assert done.returncode == 0, done.stderr
    assert judge.bodies() == make_bodies(50)
    assert judge.dovecot.count(DONE, judge.user) == 50


def test_new_uidvalidity_doubles_nothing(judge: FetchingJudge) -> None:
    judge.put(*map(mail, range(20)))
    assert judge.fetch_as_process("stored:20").returncode == -signal.SIGKILL
    assert judge.dovecot.count(user=judge.user) == 20
    judge.dovecot.change_validity(judge.user)
    assert judge.fetch() == 0
    assert judge.bodies() == make_bodies(20)
    assert judge.dovecot.count(user=judge.user) == 0


def test_same_uid_of_another_mail_is_fetched(judge: FetchingJudge) -> None:
    """A folder that was made again uses the same UIDs for other mails."""
    judge.put(mail(1))
    judge.fetch()
    judge.dovecot.change_validity(judge.user)
    judge.put(mail(2))
    assert judge.fetch() == 1


def test_mail_that_others_have_read_is_fetched(judge: FetchingJudge) -> None:
    judge.put(mail(1), mail(2))
    with judge.dovecot.client(judge.user) as wire:
        wire.store("1:*", "+FLAGS", "(\\Seen \\Flagged)")
    assert judge.fetch() == 2


def test_deleted_mail_is_left_out(judge: FetchingJudge) -> None:
    judge.put(mail(1), mail(2))
    with judge.dovecot.client(judge.user) as wire:
        wire.store("1", "+FLAGS", "\\Deleted")
    assert judge.fetch() == 1
    assert judge.bodies() == [b"body 2"]


def delete_all(judge: FetchingJudge) -> None:
    with judge.dovecot.client(judge.user) as wire:
        wire.store("1:*", "+FLAGS", "\\Deleted")
        wire.expunge()


@pytest.mark.parametrize("step, stored", [
    ("read_facts", 0), ("read_headers", 0), ("read_mail", 0), ("put_away", 2),
])
def test_mails_deleted_meanwhile_stop_nothing(
    judge: FetchingJudge, monkeypatch: pytest.MonkeyPatch, step: str, stored: int
) -> None:
    usual: Callable[..., object] = getattr(Mailbox, step)
    calls: list[str] = []

    def delete_first(*given: object) -> object:
        if not calls:
            calls.append(step)
            delete_all(judge)
        return usual(*given)

    judge.put(mail(1), mail(2))
    monkeypatch.setattr(Mailbox, step, delete_first)
    try:
        judge.fetch()
    except MailboxFault:
        # The server says that the mails are gone. The next connection is right again.
        judge.fetch()
    assert calls and len(judge.mails()) == stored
    judge.put(mail(3))
    assert judge.fetch() == 1


def test_shared_mailbox_is_left_untouched(judge: FetchingJudge) -> None:
    judge.address = "ann+judge@example.org"
    mine = [mail(n, "ann@example.org") for n in range(1, 4)]
    bulk = mail(4, "ann+judge@example.org", "List-Id: <news.example>", "Precedence: bulk")
    talk = mail(7, "ann+judge@example.org", body="Dear Ann, I am on the train.")
    judge.put(
        *mine, bulk, talk, mail(5, "ann+judge@example.org", body="HELP"),
        mail(6, "ann+judge+x7@example.org"),
    )
    with judge.dovecot.client(judge.user) as wire:
        wire.store("1", "+FLAGS", "\\Flagged")
    before = judge.dovecot.contents(user=judge.user)[:5]
    log = judge.fetch_as_process()
    assert log.returncode == 0 and len(judge.mails()) == 2
    assert [flags.partition(b"BODY")[0] for flags, _ in before] == [
        flags.partition(b"BODY")[0] for flags, _ in judge.dovecot.contents(user=judge.user)
    ]
    assert judge.state().left_alone == 5
    [(to, letter)] = judge.letters()
    assert to == "postmaster@localhost" and b"left in the inbox" in letter
    # The newsletter, and the mail without a command.
    assert b"INBOX: 2." in b" ".join(letter.split())
    database = (judge.folder / "judge.sqlite3").read_bytes()
    for number in (1, 2, 3, 4, 7):
        assert f"p{number}@".encode() not in database and f"p{number}@" not in log.stderr


FORGED = "Authentication-Results: mx.example.org; dmarc=fail header.from=players.example"


@pytest.mark.parametrize("to, heads, body, is_wanted", [
    ("judge@example.org", (), "Dear judge, who are you?", True),
    ("ann@example.org", ("Cc: judge@example.org",), "Dear judge, who are you?", True),
    ("ann@example.org", ("Delivered-To: judge@example.org",), "Dear friends, hello.", False),
    ("ann@example.org", ("Delivered-To: judge@example.org",), "LIST", True),
    ("judge@example.org", (FORGED,), "Dear judge, who are you?", False),
    ("judge@example.org", (FORGED,), "HELP", True),
])
def test_stranger_without_a_command_gets_help_only_if_addressed(
    judge: FetchingJudge, to: str, heads: tuple[str, ...], body: str, is_wanted: bool
) -> None:
    judge.listen = ListenSection(trust="mx.example.org")
    judge.put(mail(1, to, *heads, body=body))
    assert judge.fetch() == is_wanted
    assert judge.dovecot.count(user=judge.user) == (not is_wanted)


@pytest.mark.parametrize("has_login, is_own, many", [
    (True, True, 1), (True, False, 0), (False, True, 0),
])
def test_bounce_to_the_account_is_fetched_if_it_is_of_a_letter(
    judge: FetchingJudge, has_login: bool, is_own: bool, many: int
) -> None:
    judge.address = "ann+judge@example.org"
    if has_login:
        judge.deliver = DeliverSection("smtp://ann:secret@127.0.0.1:9")
    judge.put(mail(1, judge.address, body="HELP"))
    judge.fetch()
    work_once(judge.config, judge.clock)
    [(_, letter)] = judge.letters()
    answered = Entity(letter).first("message-id").strip() if is_own else "<private@example.org>"
    judge.put(mail(2, "ann@example.org", "Return-Path: <>", f"In-Reply-To: {answered}"))
    assert judge.fetch() == many
    assert judge.dovecot.count(user=judge.user) == 1 - many


def test_big_mail_of_a_stranger_is_left_in_a_shared_mailbox(judge: FetchingJudge) -> None:
    judge.address = "ann+judge@example.org"
    judge.policy = PolicySection(max_message=20_000)
    judge.put(mail(1, judge.address, body="x" * 40_000))
    assert judge.fetch() == 0 and not judge.mails()
    assert judge.dovecot.count(user=judge.user) == 1


def test_known_sender_without_a_command_is_fetched(judge: FetchingJudge) -> None:
    judge.address = "ann+judge@example.org"
    judge.put(mail(1, judge.address, body="CREATE ?marco gmsecret standard"))
    judge.fetch()
    work_once(judge.config, judge.clock)
    hello = mail(11, judge.address, body="Hello judge, are you there?")
    judge.put(hello.replace(b"From: p11@", b"From: p1@"), hello)
    assert judge.fetch() == 1


@pytest.mark.parametrize("folder", ["Junk", "Junk.Spam"])
def test_replies_in_the_junk_folder_are_counted(judge: FetchingJudge, folder: str) -> None:
    judge.put(mail(1, body="HELP"), mail(2, body="HELP"))
    judge.fetch()
    work_once(judge.config, judge.clock)
    ids = {to: Entity(raw).first("message-id").strip() for to, raw in judge.letters()}
    with judge.dovecot.client(judge.user) as wire:
        wire.create(folder)
        for number, sender, answered in (
            (3, "p1", ids["p1@players.example"]), (4, "p1", ids["p2@players.example"]),
            (5, "p2", "<other@x>"),
        ):
            raw = mail(number, "judge@example.org", f"In-Reply-To: {answered}")
            raw = raw.replace(f"From: p{number}@".encode(), f"From: {sender}@".encode())
            wire.append(folder, "", "", raw)
    before = judge.dovecot.contents(folder, judge.user)
    assert judge.fetch() == 0
    assert judge.state().junk == 1
    judge.fetch()
    [told] = [raw for to, raw in judge.letters() if to == "keeper@example.org"]
    assert b"that answer letters of the judge: 1." in b" ".join(told.split())
    assert judge.dovecot.contents(folder, judge.user) == before
    done = run(["check"], judge.folder, judge.environ)
    assert "in its folder for junk that answer letters of the judge: 1;" in done.stdout


def test_old_mails_of_a_new_mailbox_are_left(judge: FetchingJudge) -> None:
    judge.dovecot.put([mail(1)], judge.user, datetime.now(UTC) - timedelta(days=20))
    judge.dovecot.put([mail(2)], judge.user, datetime.now(UTC) - timedelta(days=10))
    assert judge.fetch() == 1
    assert judge.fetch() == 0
    assert judge.bodies() == [b"body 2"]


def test_too_big_mail_is_answered_if_its_sender_has_a_seat(judge: FetchingJudge) -> None:
    judge.put(mail(1, body="CREATE ?marco gmsecret standard\r\nSTART"))
    judge.fetch()
    work_once(judge.config, judge.clock)
    before = len(judge.letters())
    judge.policy = PolicySection(max_message=20_000)
    big = "x" * 40_000
    seated = mail(21, body=big).replace(b"From: p21@", b"From: p1@")
    judge.put(seated, mail(11, body=big), mail(2, body=big))
    judge.fetch()
    stored = judge.mails()[1:]
    assert [each.state for each in stored] == [MailState.IGNORED] * 3
    assert not any(b"xxx" in each.raw for each in stored)
    assert judge.dovecot.count(user=judge.user) == 0
    [(to, letter)] = judge.letters()[before:]
    assert to == "p1@players.example" and b"was not read" in letter


@pytest.mark.parametrize("capability, is_moved", [
    ("IMAP4rev1 UIDPLUS IDLE", True), ("IMAP4rev1", False), ("IMAP4rev1 MOVE NAMESPACE", True),
])
def test_servers_without_extensions_lose_nothing(
    tmp_path: Path, capability: str, is_moved: bool
) -> None:
    with running_dovecot(capability) as dovecot:
        judge = FetchingJudge(tmp_path, dovecot, "judge")
        judge.put(mail(1, "other@example.org"), mail(2), mail(3))
        # A mail that another program marked as deleted must not be expunged.
        with dovecot.client() as wire:
            wire.store("1", "+FLAGS", "\\Deleted")
        assert judge.fetch() == 2
        assert judge.fetch() == 0
        assert dovecot.count() == (1 if is_moved else 3)
        assert dovecot.count(DONE) == (2 if is_moved else 0)


def test_full_mailbox_is_reported(tmp_path: Path) -> None:
    with running_dovecot(quota="100k") as dovecot:
        judge = FetchingJudge(tmp_path, dovecot, "judge")
        judge.put(mail(1, body="\r\n".join(["x" * 70] * 1200)))
        assert judge.fetch() == 1
        judge.fetch()
        assert judge.state().quota >= 80
        [(to, letter)] = judge.letters()
        assert to == "keeper@example.org" and b"is full to" in letter
        assert judge.fetch() == 0 and len(judge.letters()) == 1


def test_refused_move_loses_nothing(
    judge: FetchingJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> None:
        raise MoveRefused("[OVERQUOTA]")

    judge.put(mail(1), mail(2))
    with monkeypatch.context() as patch:
        patch.setattr(Mailbox, "put_away", refuse)
        assert judge.fetch() == 2
        assert judge.fetch() == 0
    assert len(judge.letters()) == 1
    assert judge.state().looked is not None
    assert judge.fetch() == 0
    assert judge.dovecot.count(DONE, judge.user) == 2


def test_done_folder_deleted_by_a_person_is_made_again(judge: FetchingJudge) -> None:
    judge.put(mail(1), mail(2))
    account = MailboxAccount("127.0.0.1", judge.dovecot.port, False, judge.user, "INBOX")
    with open_mailbox(account, PASSWORD, "password", DONE) as box:
        box.select()
        box.put_away([1])
        with judge.dovecot.client(judge.user) as wire:
            assert wire.delete(f'"{DONE}"')[0] == "OK"
        box.put_away([2])
    assert judge.dovecot.count(DONE, judge.user) == 1
    assert not judge.dovecot.count(user=judge.user)


def test_old_mails_in_the_done_folder_are_expunged(judge: FetchingJudge) -> None:
    judge.dovecot.put([mail(1)], judge.user, datetime.now(UTC) - timedelta(days=3))
    judge.put(mail(2))
    judge.fetch()
    assert judge.dovecot.count(DONE, judge.user) == 2
    judge.changes["keep"] = timedelta(days=1)
    judge.fetch()
    assert judge.dovecot.count(DONE, judge.user) == 1


def test_two_fetchers_do_not_work_at_once(judge: FetchingJudge) -> None:
    judge.put(mail(1))
    judge.fetch_as_process("moved:99")
    with open(judge.folder / "judge.fetching-1.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        judge.put(mail(2))
        assert judge.fetch() == 0
    assert judge.fetch() == 1


def wait_until(is_reached: Callable[[], bool], seconds: float = 60.0) -> float:
    """Wait for a condition. Return the seconds it took."""
    began = time.monotonic()
    while not is_reached():
        assert time.monotonic() - began < seconds
        time.sleep(0.02)
    return time.monotonic() - began


def test_running_judge_answers_mail_and_survives_the_server(tmp_path: Path) -> None:
    with running_dovecot() as dovecot:
        judge = FetchingJudge(tmp_path, dovecot, "judge")
        judge.make_database()
        log = (tmp_path / "log").open("w")
        process = Judge(["serve"], tmp_path, judge.environ | {"JUDGE_LOG_LEVEL": "info"}, log=log)
        try:
            wait_until(lambda: judge.state().looked is not None, 30)
            # A mail that arrives just before IDLE begins is found by the look a minute later.
            took = []
            for number in range(1, 6):
                judge.put(mail(number, body="HELP"))
                took.append(wait_until(lambda n=number: len(judge.mails()) == n, 90))
            assert min(took) < 2, took
            wait_until(lambda: len(judge.letters()) >= 5)
            dovecot.stop(signal.SIGKILL)
            wait_until(lambda: judge.state().faults > 0)
            time.sleep(1)
            dovecot.start()
            judge.put(mail(6, body="HELP"))
            assert wait_until(lambda: len(judge.mails()) == 6, 30) < 15
        finally:
            process.terminate()
            process.communicate(30)
            log.close()
        assert process.returncode == 0, (tmp_path / "log").read_text()
        assert "Traceback" not in (tmp_path / "log").read_text()


def test_game_is_played_by_mailbox(tmp_path: Path) -> None:
    """The phase is complete, and ends after the next look."""
    with running_dovecot() as dovecot:
        judge = FetchingJudge(tmp_path, dovecot, "judge")
        judge.make_database()
        environ = judge.environ | {"JUDGE_POLICY_MAPS": "off", "JUDGE_CLOCK_SHORTEST": "0"}
        with (tmp_path / "log").open("w") as log:
            process = Judge(["serve"], tmp_path, environ, log=log)
            try:
                judge.put(mail(1, body="CREATE ?marco gmsecret standard\r\nSTART"))
                wait_until(lambda: b"marco" in _letter_to(judge, "p1@", "start"))
                judge.put(mail(2, body="TAKEOVER Fmarco annsecret"))
                wait_until(lambda: bool(_letter_to(judge, "p2@", "start")))
                orders = "SIGNON Fmarco annsecret\r\nA Par H\r\nA Mar H\r\nF Bre H"
                judge.put(mail(3, body=orders).replace(b"From: p3@", b"From: p2@"))
                wait_until(lambda: bool(_letter_to(judge, "p2@", "results")), 120)
            finally:
                process.terminate()
                process.communicate(30)
        assert "Traceback" not in (tmp_path / "log").read_text()


def _letter_to(judge: FetchingJudge, to: str, kind: str) -> bytes:
    """Return a letter of a kind to an address, or nothing."""
    head = f"X-Judge-Kind: {kind}".encode()
    found = (raw for address, raw in judge.letters() if address.startswith(to) and head in raw)
    return next(found, b"")


@pytest.mark.parametrize("seed", range(2))
def test_random_kills_neither_lose_nor_double(judge: FetchingJudge, seed: int) -> None:
    """Mails arrive while fetchers are killed and UIDVALIDITY changes."""
    draw = random.Random(seed)
    mails = [mail(number) for number in range(120)]
    for turn in range(8):
        judge.put(*mails[15 * turn:15 * (turn + 1)])
        point = draw.choice(["fetched", "stored", "moved"])
        judge.fetch_as_process(f"{point}:{draw.randint(1, 12 if point != 'moved' else 1)}")
        if draw.random() < 0.4:
            judge.dovecot.change_validity(judge.user)
        if draw.random() < 0.5:
            with judge.dovecot.client(judge.user) as wire:
                wire.uid("STORE", "1:*", "+FLAGS", "\\Seen")
    assert judge.fetch_as_process().returncode == 0
    assert judge.bodies() == make_bodies(120)
    assert judge.dovecot.count(user=judge.user) == 0


def test_silent_connection_is_noticed(
    judge: FetchingJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process behind the connection is stopped, so that it never answers."""
    monkeypatch.setattr(boxes, "ANSWER_SECONDS", 2.0)
    judge.put(mail(1))
    usual = Mailbox.search
    stopped: list[int] = []

    def stop_server(self: Mailbox, since: datetime | None) -> list[int]:
        if not stopped:
            stopped.append(_process_of(judge))
            os.kill(stopped[0], signal.SIGSTOP)
        return usual(self, since)

    monkeypatch.setattr(Mailbox, "search", stop_server)
    began = time.monotonic()
    try:
        with pytest.raises(MailboxFault, match="cannot search"):
            judge.fetch()
    finally:
        os.kill(stopped[0], signal.SIGKILL)
    assert time.monotonic() - began < 10
    assert judge.fetch() == 1


def _process_of(judge: FetchingJudge) -> int:
    """Return the id of the server's process for the second connection to a mailbox.

    The first one delivered the mail, and is closed. The log may be late.
    """
    def find_logins() -> list[str]:
        login = f"Login: user=<{judge.user}>"
        return [line for line in judge.dovecot.log().splitlines() if login in line]

    wait_until(lambda: len(find_logins()) > 1)
    return int(find_logins()[1].partition("mpid=")[2].partition(",")[0])


CHECKS = [
    ({"JUDGE_FETCH_PASSWORD": "not-it-word"}, "refuses the log-in"),
    ({"JUDGE_FETCH_FROM": "imap://{user}@127.0.0.1:{port}/Nowhere"}, "from: INBOX"),
    ({"JUDGE_FETCH_FROM": "imaps://{user}@127.0.0.1:{tls}/INBOX"}, "certificate of 127.0.0.1"),
    ({"JUDGE_FETCH_FROM": "imaps://x@no-such-host.invalid/INBOX"}, "no host no-such-host.invalid"),
    ({"JUDGE_FETCH_FROM": "imap:nothing"}, "must have the form imaps://USER@HOST/FOLDER"),
    ({"JUDGE_FETCH_PASSWORD_FILE": "/no/such/file"}, "/no/such/file: No such file"),
    ({"JUDGE_FETCH_PASSWORD_FILE": "", "JUDGE_FETCH_PASSWORD_COMMAND": "false"}, "exit code 1"),
    ({"JUDGE_FETCH_PASSWORD_FILE": ""}, "there is no password"),
    ({"JUDGE_FETCH_DONE": "INBOX"}, "it must be another folder"),
]


@pytest.mark.parametrize("given, line", CHECKS)
def test_bad_configuration_is_one_clear_line(
    judge: FetchingJudge, given: dict[str, str], line: str
) -> None:
    port, tls = judge.dovecot.port, judge.dovecot.tls_port
    given = {
        key: value.format(user=judge.user, port=port, tls=tls) for key, value in given.items()
    }
    done = judge.fetch_as_process(**given)
    assert done.returncode == 1
    [*_, last] = done.stderr.strip().splitlines()
    assert line in last and "Traceback" not in done.stderr
    database = (judge.folder / "judge.sqlite3").read_bytes()
    assert "not-it" not in done.stderr and b"not-it" not in database
    assert b"open-sesame" not in database and "open-sesame" not in done.stderr


CERTIFICATE = Path(__file__).parents[1] / "mail/tls.pem"


def test_mail_is_fetched_by_imaps(judge: FetchingJudge) -> None:
    judge.put(mail(1))
    place = f"imaps://{judge.user}@127.0.0.1:{judge.dovecot.tls_port}/INBOX"
    done = judge.fetch_as_process(JUDGE_FETCH_FROM=place, SSL_CERT_FILE=str(CERTIFICATE))
    assert done.returncode == 0, done.stderr
    assert judge.bodies() == [b"body 1"]


def open_with_tls(judge: FetchingJudge, host: str, is_tls: bool) -> tuple[int, bool]:
    """Log in. Return the number of mails, and whether the connection is encrypted."""
    port = judge.dovecot.tls_port if is_tls else judge.dovecot.port
    account = MailboxAccount(host, port, is_tls, judge.user, "INBOX")
    with open_mailbox(account, PASSWORD, "password", DONE) as box:
        box.select()
        return len(box.search(None)), isinstance(box._client.socket(), ssl.SSLSocket)


def test_starttls_is_used_with_other_machines(
    judge: FetchingJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge.put(mail(1))
    monkeypatch.setattr(MailboxAccount, "is_local", False)
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    assert open_with_tls(judge, "127.0.0.1", False) == (1, True)


@pytest.mark.parametrize("is_tls", [True, False])
@pytest.mark.parametrize("host, trusted, why", [
    ("localhost", str(CERTIFICATE), "is not valid for 'localhost'"),
    ("127.0.0.1", "/dev/null", "self-signed certificate"),
])
def test_certificate_that_does_not_match_is_one_clear_line(
    judge: FetchingJudge, monkeypatch: pytest.MonkeyPatch, host: str, trusted: str, why: str,
    is_tls: bool,
) -> None:
    monkeypatch.setattr(MailboxAccount, "is_local", False)
    monkeypatch.setenv("SSL_CERT_FILE", trusted)
    with pytest.raises(MailboxFault) as fault:
        open_with_tls(judge, host, is_tls)
    said = str(fault.value)
    assert said.startswith(f"the certificate of {host} cannot be verified (") and why in said
    assert said.endswith("check the host in [fetch] from; SSL_CERT_FILE adds an authority of your"
                         " own") and "\n" not in said
    assert fault.value.is_lasting
    assert f"user=<{judge.user}>, method=PLAIN" not in judge.dovecot.log()


def test_check_logs_in(judge: FetchingJudge) -> None:
    judge.put(mail(1))
    done = run(["check"], judge.folder, judge.environ)
    assert f"mailbox: {judge.user}@127.0.0.1/INBOX has 1 mails" in done.stdout, done.stderr
    wrong = judge.environ | {"JUDGE_FETCH_PASSWORD": "not-it-word"}
    done = run(["check"], judge.folder, wrong)
    assert done.returncode == 1 and "refuses the log-in" in done.stderr
    assert "not-it" not in done.stdout + done.stderr
    assert judge.dovecot.contents(user=judge.user)[0][0].count(b"\\Seen") == 0


def test_password_of_a_wrong_login_is_in_no_log(judge: FetchingJudge) -> None:
    judge.secret.write_text("not-it-word")
    for _ in range(2):
        with pytest.raises(MailboxFault):
            judge.fetch()
    assert judge.state().faults == 2
    # The operator gets one letter a day.
    [(to, letter)] = judge.letters()
    assert to == "keeper@example.org" and b"not-it" not in letter


def test_margin_is_subtracted_from_the_look(judge: FetchingJudge) -> None:
    before = SystemClock().now()
    judge.fetch()
    looked = judge.state().looked
    assert looked is not None
    assert before - mail_fetcher.MARGIN <= looked <= SystemClock().now() - mail_fetcher.MARGIN
