"""A listener in its own thread, with a real writer and store, for its tests."""

import asyncio
import smtplib
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial

from judge.clock import FixedClock
from judge.errors import StoreError, StoreLost
from judge.mail.address import JudgeAddresses
from judge.mail.smtp.connections import ConnectionRegistry, Limits
from judge.mail.smtp.server import start_server
from judge.model.incoming import Arrival
from judge.store.database import Store
from judge.store.mail_queues import Post
from judge.store.mail_writer import Writer
from tests.outbox import counts

NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
OURS = JudgeAddresses("judge@example.org", "keeper@example.org")
HELLO = "client.example.org"
BEGIN = b"HELO x\r\nMAIL FROM:<a@x>\r\nRCPT TO:<judge@example.org>\r\nDATA\r\n"
TEXT = b"From: ann@example.org\r\nMessage-ID: <1@x>\r\n\r\nA Par H\r\n"


class House:
    """A listener in an event loop of its own, in a thread."""

    def __init__(
        self, accept: Callable[[Arrival], Awaitable[int]], limits: Limits, lmtp: bool = False,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._accept = accept
        self._tls = tls
        self._lmtp = lmtp
        self._limits = limits
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self) -> "House":
        self._thread.start()
        self.call(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        self.call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _open(self) -> None:
        self.smtp_server = ConnectionRegistry(
            self._accept, OURS.is_local, "judge.example.org", self._limits, self._tls
        )
        self.server = await start_server("127.0.0.1:0", self.smtp_server, self._lmtp)
        self.port: int = self.server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        self.server.close()
        await self.smtp_server.close(2)

    def begin(self, work: Awaitable[object]) -> "Future[object]":
        async def done() -> object:
            return await work

        return asyncio.run_coroutine_threadsafe(done(), self._loop)

    def call(self, work: Awaitable[object]) -> object:
        return self.begin(work).result(120)

    def client(self) -> smtplib.SMTP:
        return smtplib.SMTP("127.0.0.1", self.port, local_hostname=HELLO, timeout=120)


async def submit(writer: Writer, arrival: Arrival) -> int:
    """Store a message as the daemon does.

    Raises: StoreError if the store was lost.
    """
    try:
        return await asyncio.wrap_future(writer.submit(arrival))
    except StoreLost as loss:
        raise StoreError(str(loss)) from None


@contextmanager
def judge(
    store: Store, limits: Limits = Limits(), lmtp: bool = False,
    tls: ssl.SSLContext | None = None,
) -> Iterator[House]:
    """Run a listener with writer and store, connected as in the daemon."""
    writer = Writer(store, FixedClock(NOW))
    writer.start()
    try:
        accept = partial(submit, writer)
        with House(accept, limits, lmtp, tls) as house:
            yield house
    finally:
        writer.stop()


def read_mails(store: Store) -> list[bytes]:
    count = counts(Post(store)).new
    mails = [Post(store).get(number) for number in range(1, count + 1)]
    return [mail.raw for mail in mails if mail is not None]


def talk(house: House, *packets: bytes, replies: int) -> list[str]:
    """Send raw octets, and return the replies after greeting and HELO."""
    with socket.create_connection(("127.0.0.1", house.port), timeout=120) as wire:
        answers = wire.makefile("rb")
        wire.sendall(b"HELO x\r\n")
        for packet in packets:
            wire.sendall(packet)
        found = [answers.readline().decode().rstrip() for _ in range(replies + 2)]
    return found[2:]


def lmtp_talk(house: House, script: bytes) -> list[str]:
    """Send a whole LMTP session in one packet, and return all replies."""
    with socket.create_connection(("127.0.0.1", house.port), timeout=120) as wire:
        wire.sendall(script + b"QUIT\r\n")
        return wire.makefile("rb").read().decode().splitlines()
