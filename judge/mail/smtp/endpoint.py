"""Endpoints: where a server listens, "host:port" or "unix:PATH"."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from errno import EADDRINUSE
from pathlib import Path

BACKLOG = 512
"""Connections the system keeps for us while we are busy."""
_FOR_ALL = 0o666


async def listen_at(spec: str, protocol: Callable[[], asyncio.Protocol]) -> asyncio.Server:
    """Listen at "host:port" (port 0: a free one) or "unix:PATH".

    Raises:
        OSError: the place is taken or not ours to listen at.
        ValueError: it is none.
    """
    loop = asyncio.get_running_loop()
    if spec.startswith("unix:"):
        path = spec.removeprefix("unix:")
        _must_be_free(path)
        server = await loop.create_unix_server(protocol, path, backlog=BACKLOG)
        # Whoever may come to a port of this machine may come here, whatever our umask: the mail
        # server runs as somebody else. Who shall not, is kept out by the folder.
        Path(path).chmod(_FOR_ALL)
        return server
    host, _, port = spec.rpartition(":")
    try:
        return await loop.create_server(
            protocol, host.strip("[]") or None, int(port), backlog=BACKLOG
        )
    except OverflowError as fault:
        raise ValueError(f"no port {port}") from fault


def leave_place(server: asyncio.Server) -> None:
    """Listen no more, and leave no socket file behind."""
    paths = [where for place in server.sockets if isinstance(where := place.getsockname(), str)]
    server.close()
    for path in filter(None, paths):
        with suppress(FileNotFoundError):
            Path(path).unlink()


def name_of(place: socket.socket) -> str:
    """Return where a socket listens, as it would be written in the configuration."""
    where = place.getsockname()
    if isinstance(where, str):
        return f"unix:{where}"
    host, port = where[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _must_be_free(path: str) -> None:
    """Raise OSError when somebody answers at a socket: asyncio would take it from under them."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except (ConnectionRefusedError, FileNotFoundError):
            return
    raise OSError(EADDRINUSE, "somebody listens there already")
