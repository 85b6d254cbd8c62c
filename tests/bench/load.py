"""SMTP clients that load a server, in a process of its own.

    python -m tests.bench.load PLACE CONNECTIONS SECONDS new|kept

PLACE is "host:port" or "unix:PATH". Each client sends 2 kB messages in sequence and one command at
a time (nothing is pipelined, as in `smtp-source`), on a new connection for each or on one it keeps.
The messages acknowledged with 250 within the seconds after the start are counted and printed as
JSON.
"""

import asyncio
import itertools
import json
import sys
import time
from typing import cast

WARM = 0.3
"""Seconds before the count begins."""
RECIPIENT = b"judge@localhost"
BODY = (
    b"From: Ann <ann@example.org>\r\nTo: judge@localhost\r\nSubject: orders\r\n"
    b"Date: Mon, 05 Jan 2026 20:00:00 +0000\r\nMessage-ID: <%d.%d@bench.example>\r\n"
    b"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
) + b"A nobody of this name holds anywhere, and this line is no order at all.\r\n" * 23 + b".\r\n"
"""A message without a sign-on, with its end."""

NUMBERS = itertools.count(1)
SEED = time.time_ns()


class Clients:
    """State shared by the clients of this process: address, end and results."""

    def __init__(self, place: str, kept: bool) -> None:
        self.place = place
        self.kept = kept
        self.going = True
        self.taken = 0
        self.refused = 0
        self.waits: list[float] = []
        self.open = 0
        self.gone = asyncio.Event()

    async def connect(self) -> None:
        """Open one more connection."""
        loop = asyncio.get_running_loop()
        if self.place.startswith("unix:"):
            await loop.create_unix_connection(lambda: Client(self), self.place[5:])
        else:
            host, _, port = self.place.rpartition(":")
            await loop.create_connection(lambda: Client(self), host, int(port))


class Client(asyncio.Protocol):
    """One session, which sends the next command after each reply."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.rest = b""
        self.step = 0
        self.since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the greeting."""
        self.wire = cast(asyncio.Transport, transport)
        self.clients.open += 1
        self.since = time.perf_counter()

    def data_received(self, data: bytes) -> None:
        """Send the next command when the last line of a reply has arrived."""
        data = self.rest + data
        if not data.endswith(b"\n"):
            self.rest = data
            return
        self.rest = b""
        last = data[data.rfind(b"\n", 0, -1) + 1:]
        if last[3:4] == b" ":
            self._next(last[:1])

    def _next(self, kind: bytes) -> None:
        step, clients = self.step, self.clients
        if kind not in b"23":
            clients.refused += 1
            self.wire.close()
        elif step == 0:
            self.wire.write(b"EHLO client.bench.example\r\n")
        elif step == 1:
            self.wire.write(b"MAIL FROM:<ann@example.org>\r\n")
        elif step == 2:
            self.wire.write(b"RCPT TO:<%b>\r\n" % RECIPIENT)
        elif step == 3:
            self.wire.write(b"DATA\r\n")
        elif step == 4:
            self.wire.write(BODY % (SEED, next(NUMBERS)))
        elif step == 5:
            now = time.perf_counter()
            clients.taken += 1
            clients.waits.append(now - self.since)
            self.since = now
            if clients.kept and clients.going:
                self.step = 2
                self.wire.write(b"MAIL FROM:<ann@example.org>\r\n")
                return
            self.wire.write(b"QUIT\r\n")
        else:
            self.wire.close()
        self.step += 1

    def connection_lost(self, error: Exception | None) -> None:
        """Open a new connection while the measurement runs."""
        clients = self.clients
        clients.open -= 1
        if clients.going:
            self.task = asyncio.ensure_future(clients.connect())
        elif not clients.open:
            clients.gone.set()


async def load(place: str, connections: int, seconds: float, kept: bool) -> dict[str, float]:
    """Load a server and return messages per second and waiting times."""
    clients = Clients(place, kept)
    for _ in range(connections):
        await clients.connect()
    await asyncio.sleep(WARM)
    before, begun = clients.taken, time.perf_counter()
    clients.waits.clear()
    await asyncio.sleep(seconds)
    many, took = clients.taken - before, time.perf_counter() - begun
    waits = sorted(clients.waits)
    clients.going = False
    await asyncio.wait_for(clients.gone.wait(), 15)
    return {
        "per_second": many / took,
        "taken": clients.taken,
        "refused": clients.refused,
        "p50_ms": 1000 * waits[len(waits) // 2] if waits else 0.0,
        "p99_ms": 1000 * waits[len(waits) * 99 // 100] if waits else 0.0,
    }


if __name__ == "__main__":
    where, many, span, manner = sys.argv[1:]
    print(json.dumps(asyncio.run(load(where, int(many), float(span), manner == "kept"))))
