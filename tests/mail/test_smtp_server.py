"""The SMTP listener over a real socket, with a real writer and store."""

import asyncio
import gc
import os
import smtplib
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import Mock

import pytest

from judge.mail.smtp import server as listener
from judge.mail.smtp.connections import ConnectionRegistry, Limits
from judge.mail.smtp.endpoint import close_and_unlink, listen_at
from judge.mail.smtp.server import start_server
from judge.model.incoming import Arrival
from judge.store.database import Store
from judge.store.mail_queues import Post
from tests.mail.doorway import BEGIN, NOW, OURS, TEXT, House, judge, lmtp_talk, read_mails, talk
from tests.outbox import next_new


def test_a_letter_is_stored_and_numbered(store: Store) -> None:
    with judge(store) as house, house.client() as client:
        client.ehlo()
        client.mail("Ann@example.org")
        client.rcpt("judge+token@example.org")
        assert client.data(TEXT + b"..\r\n.\r\n") == (250, b"2.0.0 stored as 1")
    mail = Post(store).get(1)
    assert mail is not None
    assert mail.raw == TEXT + b"..\r\n.\r\n"
    assert mail.sender == "Ann@example.org"
    assert mail.recipients == ("judge+token@example.org",)
    assert mail.accepted == NOW
    assert mail.peer == "127.0.0.1 ESMTP client.example.org"


def test_the_null_sender_is_empty(store: Store) -> None:
    with judge(store) as house, house.client() as client:
        client.sendmail("", ["judge@example.org"], TEXT)
    mail = Post(store).get(1)
    assert mail is not None and mail.sender == ""


def test_many_sessions_at_once_lose_nothing(store: Store) -> None:
    def send(number: int) -> None:
        with house.client() as client:
            for n in range(5):
                client.sendmail("a@x", ["judge@example.org"], TEXT + b"%d %d\r\n" % (number, n))

    with judge(store) as house:
        threads = [threading.Thread(target=send, args=(n,)) for n in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(read_mails(store)) == sorted(
        TEXT + b"%d %d\r\n" % (number, n) for number in range(10) for n in range(5)
    )


@pytest.mark.parametrize("address, code", [
    ("judge@example.org", 250), ("JUDGE@EXAMPLE.ORG", 250), ("judge+Abc-1@example.org", 250),
    ("postmaster", 250), ("Postmaster@example.org", 250), ("keeper@example.org", 250),
    ("judy@example.org", 550), ("judge@example.com", 550), ("keeper+x@example.org", 550),
    ("judge", 550),
])
def test_only_own_addresses_are_accepted(store: Store, address: str, code: int) -> None:
    with judge(store) as house, house.client() as client:
        client.ehlo()
        client.mail("ann@example.org")
        reply = client.rcpt(address)
        assert reply[0] == code
        assert reply[1].startswith(b"2.1.5 " if code == 250 else b"5.1.1 ")


def test_250_waits_for_the_commit(store: Store) -> None:
    with judge(store) as house, house.client() as client:
        client.ehlo()
        client.mail("ann@example.org")
        client.rcpt("judge@example.org")
        client.putcmd("data")
        assert client.getreply()[0] == 354
        assert client.sock is not None
        with store.transaction():
            client.send(TEXT + b".\r\n")
            client.sock.settimeout(0.1)
            with pytest.raises(TimeoutError):
                client.sock.recv(1)
            assert next_new(Post(store)) is None
        client.sock.settimeout(120)
        assert client.sock.recv(100) == b"250 2.0.0 stored as 1\r\n"


def test_a_storage_error_is_451_and_survived(store: Store) -> None:
    assert store.path is not None
    away = store.path.with_name("away")
    with judge(store) as house, house.client() as client:
        store.close()
        store.path.rename(away)
        with pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail("ann@example.org", ["judge@example.org"], TEXT)
        assert refused.value.smtp_code == 451
        reply = refused.value.smtp_error
        assert isinstance(reply, bytes) and reply.startswith(b"4.3.0 ")
        assert b"judge.sqlite3" not in reply and b"rror" not in reply
        away.rename(store.path)
        client.sendmail("ann@example.org", ["judge@example.org"], TEXT)
    assert read_mails(store) == [TEXT]


@pytest.mark.parametrize("cut", [True, False])
def test_a_lost_connection_does_not_stop_the_commit(cut: bool) -> None:
    done = threading.Event()
    asked = threading.Event()
    finish: list[Callable[[], object]] = []

    async def accept(arrival: Arrival) -> int:
        gate = asyncio.Event()
        finish.append(lambda: loop.call_soon_threadsafe(gate.set))
        loop = asyncio.get_running_loop()
        asked.set()
        await gate.wait()
        done.set()
        return 1

    with House(accept, Limits()) as house:
        wire = socket.create_connection(("127.0.0.1", house.port), timeout=120)
        wire.sendall(BEGIN + b"x\r\n.\r\n")
        assert asked.wait(120)
        if cut:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        wire.close()
        while cut and house.smtp_server.sessions:
            time.sleep(0.005)
        finish[0]()
        assert done.wait(120)


SMUGGLED = [
    b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r\n.\r", b"\r.\r\n", b"\r\n\x00.\r\n",
    b"\r\n.\x00\r\n", b"\n\n.\r\n",
]


@pytest.mark.parametrize("end", SMUGGLED)
def test_only_one_sequence_ends_a_letter(store: Store, end: bytes) -> None:
    """Sequences that other servers accept as the end must not start a second letter."""
    hidden = b"MAIL FROM:<b@x>\r\nRCPT TO:<judge@example.org>\r\nDATA\r\nsecond\r\n"
    raw = TEXT + b"x" + end + hidden
    with judge(store) as house:
        replies = talk(
            house, b"MAIL FROM:<a@x>\r\nRCPT TO:<judge@example.org>\r\nDATA\r\n",
            raw + b".\r\n", replies=4,
        )
        assert [reply[:3] for reply in replies] == ["250", "250", "354", "250"]
    # Leading dots are doubled by the client, except in the true end.
    assert read_mails(store) == [raw.replace(b"\r\n.", b"\r\n")]


def test_a_whole_session_in_one_packet_works(store: Store) -> None:
    letter = b"MAIL FROM:<a@x>\r\nRCPT TO:<judge@example.org>\r\nDATA\r\n%b\r\n.\r\n"
    packet = b"".join(letter % text for text in (b"one", b"", b"..", b"two")) + b"QUIT\r\n"
    with judge(store) as house:
        replies = talk(house, packet, replies=17)
    assert [reply[:3] for reply in replies] == ["250", "250", "354", "250"] * 4 + ["221"]
    assert read_mails(store) == [b"one\r\n", b"\r\n", b".\r\n", b"two\r\n"]


def test_an_empty_letter_ends_at_once(store: Store) -> None:
    with judge(store) as house:
        replies = talk(
            house, b"MAIL FROM:<a@x>\r\nRCPT TO:<judge@example.org>\r\nDATA\r\n.\r\n", replies=4
        )
    assert replies[-1] == "250 2.0.0 stored as 1"
    assert read_mails(store) == [b""]


def test_octets_arriving_one_by_one_make_the_same_letter(store: Store) -> None:
    raw = b"MAIL FROM:<a@x>\r\nRCPT TO:<judge@example.org>\r\nDATA\r\n..a\r\n\r.\r\n\r\n.\r\n"
    with judge(store) as house:
        replies = talk(house, *(raw[n:n + 1] for n in range(len(raw))), replies=4)
    assert replies[-1].startswith("250")
    assert read_mails(store) == [b".a\r\n\r.\r\n\r\n"]


def test_very_long_lines_are_accepted(store: Store) -> None:
    raw = TEXT + b"x" * 300_000 + b"\r\n" + b"." * 65_536 + b"\r\n" + b"y" * 65_535 + b"\r\n"
    with judge(store) as house, house.client() as client:
        client.sendmail("ann@example.org", ["judge@example.org"], raw)
    assert read_mails(store) == [raw]


def test_a_letter_too_big_is_refused_before_and_after_transfer(store: Store) -> None:
    limits = Limits(size=100_000)
    with judge(store, limits) as house, house.client() as client:
        client.ehlo()
        assert client.esmtp_features["size"] == "100000"
        refused = client.mail("ann@example.org", ["SIZE=100001"])
        assert refused[0] == 552 and refused[1].startswith(b"5.3.4 ")
        for text in (b"x" * 200_000, b"x\r\n" * 50_000):
            client.mail("ann@example.org", ["SIZE=10"])
            client.rcpt("judge@example.org")
            assert client.data(text) == (552, b"5.3.4 The message is too big")
        client.sendmail("ann@example.org", ["judge@example.org"], b"x" * 99_998)
    assert read_mails(store) == [b"x" * 99_998 + b"\r\n"]


def test_excess_recipients_are_deferred(store: Store) -> None:
    with judge(store, Limits(recipients=2)) as house, house.client() as client:
        client.ehlo()
        client.mail("ann@example.org")
        replies = [client.rcpt(f"judge+{n}@example.org") for n in range(3)]
    assert [reply[0] for reply in replies] == [250, 250, 452]
    assert replies[2][1].startswith(b"4.5.3 ")


def test_a_letter_in_a_mail_loop_is_refused(store: Store) -> None:
    with judge(store) as house, house.client() as client:
        with pytest.raises(smtplib.SMTPDataError, match="554.*5.4.6"):
            client.sendmail(
                "a@x", ["judge@example.org"], b"Received: by x\r\n" * 101 + b"\r\nx\r\n"
            )
        client.sendmail("a@x", ["judge@example.org"], TEXT + b"Received: by x\r\n" * 200)


def test_every_reply_carries_an_enhanced_code(store: Store) -> None:
    with judge(store) as house, house.client() as client:
        code, greeting = client.ehlo()
        assert b"ENHANCEDSTATUSCODES" in greeting and b"PIPELINING" in greeting
        assert b"SMTPUTF8" not in greeting and b"AUTH" not in greeting
        for command in (
            "NOOP", "RSET", "HELP", "VRFY ann", "EXPN ann", "DATA", "RCPT TO:<judge@example.org>",
            "MAIL", "MAIL FROM:<a b>", "MAIL FROM:<a@x> SIZE=999999999", "MAIL FROM:<a@x> X=1",
            "MAIL FROM:<a@x>", "MAIL FROM:<a@x>", "DATA", "RCPT TO:<no@example.org>", "NONSENSE",
            "NOOP " + "x" * 3000, "MAIL FROM:<ä@x>", "",
        ):
            if command.isascii():
                client.putcmd(command)
            else:
                client.send(command.encode() + b"\r\n")
            code, text = client.getreply()
            assert text.split(b".")[0] == b"%d" % (code // 100), (command, code, text)


def test_excess_connections_are_deferred(store: Store) -> None:
    with judge(store, Limits(connections=1, reserved=1)) as house:
        with house.client(), house.client() as second:
            with pytest.raises(smtplib.SMTPConnectError, match="421.*4.7.0"):
                house.client()
            second.quit()
            while len(house.smtp_server.sessions) > 1:
                time.sleep(0.005)
            with house.client() as third:
                assert third.noop()[0] == 250


def test_a_deferred_client_is_disconnected(store: Store) -> None:
    with judge(store, Limits(connections=1, reserved=1)) as house:
        with house.client(), house.client():
            with socket.create_connection(("127.0.0.1", house.port), timeout=120) as wire:
                said = wire.makefile("rb").read()
    assert said.startswith(b"421 ") and said.count(b"\r\n") == 1


def test_data_of_a_refused_or_dismissed_client_is_dropped() -> None:
    heard: list[bytes] = []

    async def talk() -> None:
        crowded = ConnectionRegistry(never, lambda _: True, "x", Limits(connections=0, reserved=0))
        for smtp_server in (crowded, ConnectionRegistry(never, lambda _: True, "x")):
            session = listener.SmtpSession(smtp_server)
            wire = Mock(asyncio.Transport)
            wire.get_extra_info.return_value = None
            wire.is_closing.return_value = True
            session.connection_made(wire)
            session._inflow.feed = heard.append  # type: ignore[method-assign]
            session.data_received(b"NOOP\r\n")
            session.abort("421 Goodbye")
            session.data_received(b"QUIT\r\n")
            session.connection_lost(None)

    async def never(arrival: Arrival) -> int:
        raise AssertionError

    asyncio.run(talk())
    assert heard == [b"NOOP\r\n"]


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["connection_made", "data_received"])
def test_dismissal_before_the_next_reply_is_not_logged(
    moment: str, caplog: pytest.LogCaptureFixture
) -> None:
    class Dismissed(listener.SmtpSession):
        pass

    def then_dismiss(session: listener.SmtpSession, given: object) -> None:
        getattr(listener.SmtpSession, moment)(session, given)
        session.dismiss("421 Goodbye")

    async def reply() -> bytes:
        ours, theirs = socket.socketpair()
        smtp_server = ConnectionRegistry(accept, lambda _: True, "x")
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(lambda: Dismissed(smtp_server), ours)
        reader, writer = await asyncio.open_connection(sock=theirs)
        writer.write(b"EHLO x\r\n")
        replies = await reader.read()
        writer.close()
        while smtp_server.sessions:
            await asyncio.sleep(0)
        return replies

    async def accept(arrival: Arrival) -> int:
        raise AssertionError

    setattr(Dismissed, moment, then_dismiss)
    replies = asyncio.run(reply())
    gc.collect()
    assert replies.splitlines()[-1] == b"421 Goodbye"
    assert [record.getMessage() for record in caplog.records] == []


def test_repetitions_of_one_command_are_limited(store: Store) -> None:
    with judge(store, Limits(commands=3)) as house, house.client() as client:
        assert [client.noop()[0] for _ in range(4)] == [250, 250, 250, 421]


@pytest.mark.slow
@pytest.mark.parametrize("limits, says", [
    (Limits(session=0.1), b"session"), (Limits(idle=0.1), b"Nothing"),
    (Limits(message=0.1), b"takes"),
])
@pytest.mark.parametrize("begun", [BEGIN, BEGIN + b"From: a"])
def test_a_session_is_limited_in_time(
    store: Store, limits: Limits, says: bytes, begun: bytes
) -> None:
    with judge(store, limits) as house:
        with socket.create_connection(("127.0.0.1", house.port), timeout=120) as wire:
            wire.sendall(begun)
            last = wire.makefile("rb").readlines()[-1]
    assert last.startswith(b"421 4.4.2 ") and says in last
    assert read_mails(store) == []


def drip_message(house: House, seconds: float, pause: float) -> bytes:
    """Send a message slowly for *seconds*, and return the last reply."""
    with socket.create_connection(("127.0.0.1", house.port), timeout=120) as wire:
        wire.sendall(BEGIN)
        until = time.monotonic() + seconds
        try:
            while time.monotonic() < until:
                wire.sendall(b"x\r\n")
                time.sleep(pause)
            wire.sendall(b".\r\nQUIT\r\n")
        except ConnectionError:
            pass
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        replies = b""
        try:
            while more := wire.recv(1000):
                replies += more
        except ConnectionError:
            pass
    return replies


@pytest.mark.slow
def test_a_slow_but_steady_letter_is_no_idle_session(store: Store) -> None:
    with judge(store, Limits(idle=1.0)) as house:
        assert b"stored as 1" in drip_message(house, 1.5, 0.02)


@pytest.mark.slow
def test_an_endlessly_slow_letter_is_cut(store: Store) -> None:
    with judge(store, Limits(message=0.3)) as house:
        assert b"421 4.4.2 This message takes too long" in drip_message(house, 60.0, 0.02)
    assert read_mails(store) == []


def test_an_endlessly_slow_command_is_cut(store: Store) -> None:
    with judge(store, Limits(session=0.3)) as house:
        with socket.create_connection(("127.0.0.1", house.port), timeout=120) as wire:
            wire.settimeout(0.02)
            replies = b""
            while b"421" not in replies:
                wire.sendall(b"x")
                try:
                    replies += wire.recv(1000)
                except TimeoutError:
                    continue
    assert b"421 4.4.2" in replies


def test_many_silent_clients_do_not_slow_down_others(store: Store) -> None:
    """Some are only connected, some stopped within a command, some within a letter."""
    with judge(store, Limits(reserved=400)) as house:
        silent = []
        for number in range(300):
            wire = socket.create_connection(("127.0.0.1", house.port), timeout=120)
            wire.sendall((b"", b"MAIL FR", BEGIN + b"From: a")[number % 3])
            silent.append(wire)
        while len(house.smtp_server.sessions) < 300:
            time.sleep(0.005)
        with house.client() as client:
            client.sendmail("ann@example.org", ["judge@example.org"], TEXT)
        for wire in silent:
            wire.close()
    assert read_mails(store) == [TEXT]


def test_a_half_closed_client_still_gets_all_replies(store: Store) -> None:
    with judge(store) as house:
        with socket.create_connection(("127.0.0.1", house.port), timeout=120) as wire:
            wire.sendall(BEGIN + TEXT + b".\r\n")
            wire.shutdown(socket.SHUT_WR)
            replies = wire.makefile("rb").read()
    assert b"250 2.0.0 stored as 1\r\n" in replies
    assert read_mails(store) == [TEXT]


def test_an_incomplete_letter_is_not_stored(store: Store) -> None:
    with judge(store) as house:
        with socket.create_connection(("127.0.0.1", house.port), timeout=120) as wire:
            wire.sendall(BEGIN + TEXT + b".\r")
            wire.shutdown(socket.SHUT_WR)
            assert b"stored" not in wire.makefile("rb").read()
    assert read_mails(store) == []


@pytest.mark.parametrize("line", [
    b"MAIL FROM:<a@x>\n", b"MAIL FROM:<a@x>\rRSET\r\n", b"MAIL FROM:<a\x00@x>\r\n",
    b"NOOP \x1b[2J\r\n",
])
def test_a_command_ends_in_crlf_without_control_characters(store: Store, line: bytes) -> None:
    with judge(store) as house:
        assert talk(house, line, replies=1)[0].startswith("500 5.5.2 ")


def test_an_oversized_letter_costs_no_memory(store: Store) -> None:
    with judge(store, Limits(size=100_000, buffered=150_000)) as house:
        with house.client() as first, house.client() as second:
            for client in (first, second):
                client.ehlo()
                client.mail("ann@example.org")
                client.rcpt("judge@example.org")
                client.putcmd("data")
                assert client.getreply()[0] == 354
            first.send(b"x" * 80_000)
            while house.smtp_server.held < 70_000:
                time.sleep(0.005)
            second.send(b"y" * 90_000 + b"\r\n.\r\n")
            assert second.getreply()[0] == 452
            assert house.smtp_server.held <= 100_000
            first.send(b"x" * 10_000_000 + b"\r\n.\r\n")
            assert first.getreply() == (552, b"5.3.4 The message is too big")
            assert house.smtp_server.held == 0
            second.sendmail("ann@example.org", ["judge@example.org"], TEXT)
    assert read_mails(store) == [TEXT]


def half_sent(house: House, source: str, octets: int) -> socket.socket:
    """Return a connection from an address with an incomplete letter of *octets*."""
    wire = socket.create_connection(("127.0.0.1", house.port), 120, (source, 0))
    wire.sendall(BEGIN)
    while b"354" not in wire.recv(1000):
        pass
    wire.sendall(b"x" * octets)
    return wire


def test_many_incomplete_letters_leave_room_for_other_peers(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty-five letters from one address once filled all the room."""
    monkeypatch.setattr(
        listener, "countable", lambda peer: "" if peer[0] == "127.0.0.1" else str(peer[0])
    )
    limits = Limits(size=100_000, buffered=1_000_000, held_reserved=250_000, peer_held=250_000)
    with judge(store, limits) as house, ExitStack() as stack:
        for _ in range(45):
            stack.enter_context(half_sent(house, "127.0.0.2", 90_000))
        while not 160_000 < house.smtp_server.held_by["127.0.0.2"] <= 250_000:
            time.sleep(0.005)
        with smtplib.SMTP(
            "127.0.0.1", house.port, "x", 120, source_address=("127.0.0.3", 0)
        ) as other:
            other.sendmail("ann@example.org", ["judge@example.org"], TEXT)
        with smtplib.SMTP(
            "127.0.0.1", house.port, "x", 120, source_address=("127.0.0.2", 0)
        ) as same, pytest.raises(smtplib.SMTPDataError) as refused:
            same.sendmail("ann@example.org", ["judge@example.org"], b"z" * 90_000)
        assert refused.value.smtp_code == 452
        assert house.smtp_server.held <= 250_000
    assert read_mails(store) == [TEXT]


def test_a_client_with_only_errors_is_disconnected(store: Store) -> None:
    with judge(store, Limits(errors=3)) as house, house.client() as client:
        codes = [client.docmd("NONSENSE")[0] for _ in range(4)]
    assert codes == [500, 500, 500, 421]


def test_an_accepted_letter_resets_the_counters(store: Store) -> None:
    with judge(store, Limits(commands=6, errors=2)) as house, house.client() as client:
        for _ in range(5):
            client.docmd("NONSENSE")
            client.sendmail("ann@example.org", ["judge@example.org"], TEXT)
    assert len(read_mails(store)) == 5


@pytest.mark.slow
def test_closing_waits_for_a_letter_in_transit(store: Store) -> None:
    with judge(store) as house, house.client() as idle, house.client() as busy:
        idle.ehlo()
        busy.ehlo()
        busy.mail("ann@example.org")
        busy.rcpt("judge@example.org")
        busy.putcmd("data")
        assert busy.getreply()[0] == 354
        closing = house.begin(house.smtp_server.close(10))
        assert idle.getreply()[0] == 421
        busy.send(TEXT + b".\r\n")
        assert busy.getreply() == (250, b"2.0.0 stored as 1")
        assert busy.getreply()[0] == 421
        closing.result(120)


def test_an_occupied_place_is_an_os_error(tmp_path: Path) -> None:
    async def twice(spec: str) -> None:
        async def accept(arrival: Arrival) -> int:
            return 1

        smtp_server = ConnectionRegistry(accept, OURS.is_local, "judge.example.org")
        server = await start_server(spec, smtp_server)
        try:
            name = server.sockets[0].getsockname()
            taken = spec if isinstance(name, str) else f"127.0.0.1:{name[1]}"
            with pytest.raises(OSError):
                await start_server(taken, smtp_server)
        finally:
            server.close()
            await server.wait_closed()

    asyncio.run(twice("127.0.0.1:0"))
    asyncio.run(twice(f"unix:{tmp_path}/smtp.sock"))
    # A socket left behind by a killed judge is replaced.
    assert (tmp_path / "smtp.sock").exists()
    asyncio.run(twice(f"unix:{tmp_path}/smtp.sock"))


def test_a_socket_in_a_folder_is_open_to_other_users(tmp_path: Path) -> None:
    async def open_listener() -> None:
        server = await listen_at(f"unix:{tmp_path}/door", asyncio.Protocol)
        assert (tmp_path / "door").stat().st_mode & 0o777 == 0o666
        close_and_unlink(server)

    before = os.umask(0o077)
    try:
        asyncio.run(open_listener())
    finally:
        os.umask(before)


LOCAL = (
    b"LHLO x\r\nMAIL FROM:<a@x>\r\nRCPT TO:<judge@example.org>\r\nRCPT TO:<no@example.org>\r\n"
    b"RCPT TO:<judge@example.org>\r\nDATA\r\n"
)


def test_lmtp_replies_for_each_accepted_recipient(store: Store) -> None:
    with judge(store, lmtp=True) as house:
        replies = lmtp_talk(house, LOCAL + b"x\r\n.\r\n")
    assert replies[0] == "220 judge.example.org LMTP"
    assert {"250-PIPELINING", "250-ENHANCEDSTATUSCODES"} < set(replies)
    assert [reply[:9] for reply in replies[-8:]] == [
        "250 2.0.0", "250 2.1.5", "550 5.1.1", "250 2.1.5", "354 End d",
        "250 2.0.0", "250 2.0.0", "221 2.0.0",
    ]
    assert read_mails(store) == [b"x\r\n"]


def test_lmtp_replies_for_each_recipient_of_a_refused_letter(store: Store) -> None:
    with judge(store, Limits(size=10), lmtp=True) as house:
        replies = lmtp_talk(house, LOCAL + b"0123456789\r\n.\r\n")
    assert [reply[:3] for reply in replies[-4:]] == ["354", "552", "552", "221"]


def test_lmtp_has_its_own_greeting(store: Store) -> None:
    with judge(store, lmtp=True) as house:
        replies = lmtp_talk(house, b"HELO x\r\nEHLO x\r\nMAIL FROM:<a@x>\r\n")
    assert [reply[:9] for reply in replies[1:]] == [
        "500 5.5.1", "500 5.5.1", "503 5.5.1", "221 2.0.0"
    ]
