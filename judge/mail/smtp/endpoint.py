"""Endpoints that a server listens at.

An endpoint is "host:port" or "unix:PATH".
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from errno import EADDRINUSE
from pathlib import Path

BACKLOG = 512
"""Number of connections that the kernel queues while the judge is busy."""
_FOR_ALL = 0o666


async def listen_at(spec: str, protocol: Callable[[], asyncio.Protocol]) -> asyncio.Server:
    """Listen at an endpoint.

    It is "host:port" or "unix:PATH". Port 0 is any free port.

    Raises:
        OSError: the endpoint is in use or may not be used.
        ValueError: *spec* is no endpoint.
    """
    loop = asyncio.get_running_loop()
    if spec.startswith("unix:"):
        path = spec.removeprefix("unix:")
        _must_be_free(path)
        server = await loop.create_unix_server(protocol, path, backlog=BACKLOG)
        # Grant the same access as a port of this machine, regardless of the umask, since the mail
        # server runs as another user. The folder's permissions keep others out.
        Path(path).chmod(_FOR_ALL)
        return server
    host, _, port = spec.rpartition(":")
    try:
        return await loop.create_server(
            protocol, host.strip("[]") or None, int(port), backlog=BACKLOG
        )
    except OverflowError as fault:
        raise ValueError(f"no port {port}") from fault


def close_and_unlink(server: asyncio.Server) -> None:
    """Stop listening, and remove the socket files."""
    paths = [where for place in server.sockets if isinstance(where := place.getsockname(), str)]
    server.close()
    for path in filter(None, paths):
        with suppress(FileNotFoundError):
            Path(path).unlink()


def name_of(place: socket.socket) -> str:
    """Return the endpoint of a socket as written in the configuration."""
    where = place.getsockname()
    if isinstance(where, str):
        return f"unix:{where}"
    host, port = where[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _must_be_free(path: str) -> None:
    """Raise OSError if a server listens at a socket, which asyncio would replace."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except (ConnectionRefusedError, FileNotFoundError):
            return
    raise OSError(EADDRINUSE, "another program listens there")
