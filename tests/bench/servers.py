"""Servers to compare the judge with, as processes that print their address.

    python -m tests.bench.servers empty            aiosmtpd with a handler that does nothing
    python -m tests.bench.servers group DATABASE   the judge's listener and writer, a slow disk
    python -m tests.bench.servers single DATABASE  the same, with a commit for each message

The slow disk takes 5 ms more for each commit.
"""

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from aiosmtpd.smtp import SMTP

from judge.clock import SystemClock
from judge.config import Config, ListenSection, StoreSection
from judge.daemon.listener import Listener
from judge.store.database import Store
from judge.store.mail_writer import Writer

SYNC = 0.005


class Empty:
    """Handler that accepts every message and does nothing."""

    async def handle_DATA(self, server: object, session: object, envelope: object) -> str:
        """Accept the message."""
        return "250 OK"


class SlowStore(Store):
    """A database on a simulated disk that needs 5 ms more for each commit."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit, and wait as long as such a disk would.

        Nested transactions cost nothing.
        """
        nested = self.database.in_transaction()
        with super().transaction():
            yield
        if not nested:
            time.sleep(SYNC)


async def serve_empty() -> None:
    """Serve with aiosmtpd, with a fixed host name that avoids DNS queries."""
    handler = Empty()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(handler, hostname="bench.example", loop=loop), "127.0.0.1", 0
    )
    print("127.0.0.1:%d" % server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def serve_slow(url: str, most: int) -> None:
    """Serve with the judge's own listener, on a slow disk."""
    store = SlowStore(url)
    store.open(create=True)
    config = Config(listen=ListenSection(smtp="127.0.0.1:0"), store=StoreSection(url))
    listener = Listener(config, SystemClock(), lambda: None, lambda fault: None)
    tell = asyncio.get_running_loop().call_soon_threadsafe
    # It is the writer of the listener, except for its disk and batch size.
    listener._writer = Writer(store, SystemClock(), tell, most)
    print((await listener.open())[0], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["empty"]:
            asyncio.run(serve_empty())
        case ["group", url]:
            asyncio.run(serve_slow(url, 500))
        case ["single", url]:
            asyncio.run(serve_slow(url, 1))
