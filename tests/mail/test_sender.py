"""Delivery of letters: Maildirs, and servers that refuse, defer and hang up."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, SupportsIndex

import pytest
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, AuthResult

from judge.errors import ConfigError
from judge.mail.outbound import delivery
from judge.mail.outbound.delivery import (
    ConnectionBroken,
    Delivery,
    NoSuchAddress,
    PermanentFailure,
    ServerDelivery,
    TemporaryFailure,
    Unreachable,
    delivery_for,
    read_newest,
)
from judge.model.record import Outgoing
from tests.syncs import count_syncs

NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
LETTER = Outgoing(
    id=1, to="ann@example.org", sender="judge@example.org", message_id="<1@example.org>",
    message=b"To: ann@example.org\r\nSubject: 1\r\n\r\n.\r\nFrom me\r\n", queued=NOW, due=NOW,
)


def letter(number: int, to: str = "ann@example.org", after: int = 0) -> Outgoing:
    message = f"To: {to}\r\nSubject: {number}\r\n\r\nA Par H\r\n".encode()
    return replace(LETTER, id=number, to=to, message=message, queued=NOW + timedelta(seconds=after))


def test_a_letter_becomes_a_file(tmp_path: Path) -> None:
    delivery_for(f"maildir:{tmp_path}/var/outbox").deliver(LETTER)
    [file] = (tmp_path / "var/outbox/new").iterdir()
    assert file.read_bytes() == b"To: ann@example.org\nSubject: 1\n\n.\nFrom me\n"
    assert file.stat().st_mode & 0o077 == 0
    assert list((tmp_path / "var/outbox/tmp").iterdir()) == []


def test_a_delivered_letter_is_synced_first(tmp_path: Path) -> None:
    with count_syncs(tmp_path) as syncs:
        delivery_for(f"maildir:{tmp_path}/outbox").deliver(LETTER)
    [file] = (tmp_path / "outbox/new").iterdir()
    draft = tmp_path / "outbox/tmp" / file.name
    assert (draft, file.read_bytes()) in syncs.done, "whole before anybody can see it"
    assert file.name in syncs.of_folder(tmp_path / "outbox/new")


def test_a_letter_delivered_twice_is_stored_once(tmp_path: Path) -> None:
    for _ in range(2):
        delivery_for(f"maildir:{tmp_path}").deliver(LETTER)
    assert len(list((tmp_path / "new").iterdir())) == 1


def test_two_judges_share_a_maildir(tmp_path: Path) -> None:
    for subject in (b"Subject: 1", b"Subject: 2"):
        other = replace(LETTER, message=LETTER.message.replace(b"Subject: 1", subject))
        delivery_for(f"maildir:{tmp_path}").deliver(other)
    assert len(list((tmp_path / "new").iterdir())) == 2


def test_a_maildir_that_cannot_be_written_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "outbox").write_text("a file")
    with pytest.raises(Unreachable, match="outbox"):
        delivery_for(f"maildir:{tmp_path}/outbox").deliver(LETTER)


def test_the_newest_letters_come_first(tmp_path: Path) -> None:
    delivery = delivery_for(f"maildir:{tmp_path}")
    for one in [letter(9), letter(10), letter(2, after=1), letter(11, "Bob@example.org")]:
        delivery.deliver(one)
    read = next((tmp_path / "new").glob("*.9_*"))
    read.rename(tmp_path / "cur" / (read.name + ":2,S"))

    def subjects(address: str, limit: int) -> list[int]:
        found = read_newest(tmp_path, address, limit)
        return [int(message.split(b"Subject: ")[1].split(b"\n")[0]) for message in found]

    assert subjects("", 10) == [2, 11, 10, 9]
    assert subjects("ann@EXAMPLE.org", 2) == [2, 10]
    assert subjects("bob@example.org", 10) == [11]
    assert read_newest(tmp_path / "none", "", 10) == []


class Sink:
    """A mail server with configured replies that stores accepted messages."""

    def __init__(self, rcpt: str = "250 ok", data: str = "250 ok", hang_up: bool = False) -> None:
        self.rcpt = rcpt
        self.data = data
        self.hang_up = hang_up
        self.taken: list[tuple[str, list[str], bytes]] = []

    async def handle_RCPT(
        self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self.rcpt

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:
        if self.hang_up:
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
        if self.data.startswith("2"):
            self.taken.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return self.data


@contextmanager
def serve(protocol: Callable[[], Any]) -> Iterator[int]:
    """Run a mail server on a free port."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    opening = loop.create_server(protocol, "127.0.0.1", 0)
    server = asyncio.run_coroutine_threadsafe(opening, loop).result(120)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        async def close() -> None:
            server.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(close(), loop).result(120)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def send(url: str, *letters: Outgoing) -> None:
    """Send letters, and close the connection in any case."""
    delivery = delivery_for(url)
    try:
        for one in letters:
            delivery.deliver(one)
    finally:
        delivery.close_idle()


@pytest.mark.parametrize("scheme, kind", [("smtp", SMTP), ("lmtp", LMTP)])
def test_a_letter_is_delivered_to_a_server(scheme: str, kind: type[SMTP]) -> None:
    sink = Sink()
    with serve(lambda: kind(sink, hostname="sink")) as port:
        send(f"{scheme}://127.0.0.1:{port}", LETTER, replace(LETTER, sender=""))
    assert sink.taken == [
        ("judge@example.org", ["ann@example.org"], LETTER.message),
        ("<>", ["ann@example.org"], LETTER.message),
    ]


@pytest.mark.parametrize(
    "sink, fault",
    [
        (Sink(rcpt="550 5.1.1 unknown"), NoSuchAddress),
        (Sink(rcpt="450 4.2.0 greylisted"), TemporaryFailure),
        (Sink(data="554 5.7.1 spam"), PermanentFailure),
        (Sink(data="451 4.3.0 disk"), TemporaryFailure),
        (Sink(rcpt="550 5.7.1 not welcome"), PermanentFailure),
        (Sink(rcpt="421 4.3.2 bye"), TemporaryFailure),
        (Sink(hang_up=True), ConnectionBroken),
    ],
    ids=lambda one: one.__name__ if isinstance(one, type) else one.rcpt + one.data,
)
def test_permanent_refusals_differ_from_temporary_ones(sink: Sink, fault: type[Exception]) -> None:
    with serve(lambda: SMTP(sink, hostname="sink")) as port:
        with pytest.raises(fault) as raised:
            send(f"smtp://127.0.0.1:{port}", LETTER)
    assert raised.type is fault
    assert sink.taken == [] or sink.hang_up


def test_an_absent_server_is_unreachable() -> None:
    with serve(lambda: SMTP(Sink(), hostname="sink")) as port:
        pass
    with pytest.raises(Unreachable, match="refused"):
        send(f"smtp://127.0.0.1:{port}", LETTER)


def test_an_invalid_address_is_refused() -> None:
    with serve(lambda: SMTP(Sink(), hostname="sink")) as port:
        with pytest.raises(PermanentFailure):
            send(f"smtp://127.0.0.1:{port}", replace(LETTER, to="änn@x"))


def account(password: bytes) -> Callable[[], SMTP]:
    def authenticate(server: Any, session: Any, envelope: Any, how: str, data: Any) -> AuthResult:
        return AuthResult(success=data.password == password, handled=False)

    sink = Sink()
    return lambda: SMTP(
        sink, hostname="sink", authenticator=authenticate, auth_require_tls=False,
    )


def test_a_password_is_sent_to_the_local_machine() -> None:
    with serve(account(b"p@ss")) as port:
        send(f"smtp://judge:p%40ss@127.0.0.1:{port}", LETTER)
        with pytest.raises(Unreachable, match="535"):
            send(f"smtp://judge:wrong@127.0.0.1:{port}", LETTER)


def test_a_password_is_never_sent_unencrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "is_this_machine", lambda host: False)
    with serve(account(b"secret")) as port:
        with pytest.raises(Unreachable, match="no encryption"):
            send(f"smtp://judge:secret@127.0.0.1:{port}", LETTER)


@pytest.mark.parametrize("url", [
    "", "maildir:", "http://example.org", "smtp:", "smtp://", "smtp://judge:secret@:25",
    "smtp://judge:secret@example.org:port", "smtp://judge:secret@example.org:99999",
])
def test_a_wrong_url_is_named_without_its_password(url: str) -> None:
    with pytest.raises(ConfigError) as fault:
        delivery_for(url)
    assert "secret" not in str(fault.value)


def test_the_default_ports_are_the_standard_ones() -> None:
    def port(url: str) -> object:
        delivery: Delivery = delivery_for(url)
        return getattr(delivery, "port")

    assert [port(f"{scheme}://example.org") for scheme in ("smtp", "smtps", "lmtp")] == [
        25, 465, 24
    ]


def test_an_exited_server_needs_no_quit() -> None:
    with serve(lambda: SMTP(Sink(), hostname="sink")) as port:
        delivery = delivery_for(f"smtp://127.0.0.1:{port}")
        delivery.deliver(LETTER)
    delivery.close_idle()


def test_connections_are_shared_under_a_lock() -> None:
    """Another thread may take a kept connection between its check and its use."""
    delivery = ServerDelivery("smtp", "127.0.0.1", 25)
    lock = delivery._lock

    class Kept(list[Any]):
        def __len__(self) -> int:
            assert lock.locked()
            return super().__len__()

        def append(self, line: Any) -> None:
            assert lock.locked()
            super().append(line)

        def pop(self, at: SupportsIndex = -1) -> Any:
            assert lock.locked()
            return super().pop(at)

    delivery._idle = Kept()
    with serve(lambda: SMTP(Sink(), hostname="sink")) as port:
        delivery.port = port
        for number in range(2):
            delivery.deliver(letter(number))
        delivery.close_idle()
