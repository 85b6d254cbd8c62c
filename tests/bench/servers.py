"""Servers to be measured beside the judge: each a process that prints where it listens.

    python -m tests.bench.servers empty                     aiosmtpd with a handler that does nothing
    python -m tests.bench.servers single FOLDER [SECONDS]   the judge's door, a commit for each message
    python -m tests.bench.servers group FOLDER [SECONDS]    the judge's door and its writer

SECONDS are added to each commit, for a disk whose sync takes so long.
"""

import asyncio
import sys
import time
from pathlib import Path

from aiosmtpd.smtp import SMTP


class Empty:
    """Takes everything and does nothing with it."""

    async def handle_DATA(self, server: object, session: object, envelope: object) -> str:
        """Say yes."""
        return "250 OK"


async def serve_empty() -> None:
    """Serve as aiosmtpd does it, with the name given so that nobody asks the DNS."""
    handler = Empty()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(handler, hostname="bench.example", loop=loop), "127.0.0.1", 0
    )
    print("127.0.0.1:%d" % server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve_empty())
