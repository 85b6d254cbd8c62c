"""The way in: the door and the writer behind it, which says when a mail is durably ours."""

import asyncio
import socket
from collections.abc import Callable

from judge.clock import Clock
from judge.config import Config
from judge.errors import ConfigError
from judge.mail.address import Ours
from judge.mail.listener import Door, Limits, open_door
from judge.store.database import Store
from judge.store.writer import Writer
from judge.words.incoming import Arrival

_GRACE = 4.0
"""Seconds a message on its way has to arrive when we go down."""


class Entrance:
    """Takes mail in until it is closed; `came` is called after each mail that was stored."""

    def __init__(self, config: Config, clock: Clock, came: Callable[[], None]) -> None:
        self._config = config
        self._writer = Writer(Store(config.store.url), clock)
        self._came = came
        self._servers: list[asyncio.Server] = []
        ours = Ours(config.judge.address, config.judge.keeper, config.listen.detail)
        host = config.judge.address.rpartition("@")[2]
        limits = Limits(size=config.policy.max_message)
        self._door = Door(self._accept, ours.knows, host, limits)

    async def open(self) -> list[str]:
        """Start to listen; return where, as "127.0.0.1:2525".

        Raises:
            ConfigError: no place to listen at can be used.
        """
        if self._config.listen.lmtp:
            raise ConfigError("[listen] lmtp: this version takes SMTP only")
        spec = self._config.listen.smtp
        try:
            server = await open_door(spec, self._door)
        except OSError as fault:
            raise ConfigError(
                f"cannot listen at {spec} ({fault.strerror}): stop what is there, or name another"
                " place, such as JUDGE_LISTEN_SMTP=127.0.0.1:2526"
            ) from fault
        except ValueError as fault:
            raise ConfigError(f"[listen] smtp: {spec!r} is no host:port or unix:PATH") from fault
        self._servers.append(server)
        self._writer.start()
        return [_name_of(place) for place in server.sockets]

    async def _accept(self, arrival: Arrival) -> int:
        number = await asyncio.wrap_future(self._writer.submit(arrival))
        self._came()
        return number

    async def close(self) -> None:
        """Stop to listen; messages on their way are still taken, then the writer ends."""
        for server in self._servers:
            server.close()
        await self._door.close(_GRACE)
        await asyncio.to_thread(self._writer.stop)


def _name_of(place: socket.socket) -> str:
    where = place.getsockname()
    if isinstance(where, str):
        return f"unix:{where}"
    host, port = where[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
