"""SMTP and LMTP listener: the server connected to the writer of mails."""

import asyncio
import logging
import ssl
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial

from judge.clock import Clock
from judge.config import Config, ListenSection
from judge.daemon.log_fields import log_step
from judge.errors import ConfigError, StoreError, StoreLost
from judge.failpoints import failpoint
from judge.mail.address import JudgeAddresses
from judge.mail.smtp.connections import ConnectionRegistry, Limits
from judge.mail.smtp.endpoint import close_and_unlink, name_of
from judge.mail.smtp.server import start_server
from judge.model.incoming import Arrival
from judge.store.database import Store
from judge.store.mail_writer import Writer

log = logging.getLogger("judge.door")

GRACE_SECONDS = 3.0
"""Seconds for a message in transfer to arrive when the judge stops."""
_LAST_COMMIT = 1.5
"""Seconds the writer then has to store what arrived."""


class Listener:
    """Listener that accepts mail until it is closed.

    `came` is called after each mail that was stored, `lost` when the database was lost.
    """

    def __init__(
        self, config: Config, clock: Clock, came: Callable[[], None],
        lost: Callable[[StoreLost], None],
    ) -> None:
        self._config = config
        self._came = came
        self._lost = lost
        self.hurried = False
        self._loop = asyncio.get_running_loop()
        self._writer = Writer(Store(config.store.url), clock, self._loop.call_soon_threadsafe)
        self._servers: list[asyncio.Server] = []
        ours = JudgeAddresses(config.judge.address, config.judge.keeper, config.listen.detail)
        host = config.judge.address.rpartition("@")[2]
        limits = Limits(size=config.policy.max_message)
        self._server = ConnectionRegistry(
            self._accept, ours.is_local, host, limits, _encryption(config.listen)
        )

    async def open(self) -> list[str]:
        """Start listening. Return the addresses.

        They are in the form "127.0.0.1:2525", or "lmtp unix:/run/judge" for LMTP. There may be
        none where mail is fetched.

        Raises:
            ConfigError: no place to listen at can be used.
        """
        listen = self._config.listen
        places = [("smtp", listen.smtp), ("lmtp", listen.lmtp)]
        if not any(spec for _, spec in places) and not self._config.fetch.from_:
            raise ConfigError(
                "[listen] names no place, neither smtp nor lmtp, and [fetch] no mailbox"
            )
        said = []
        for key, spec in places:
            if spec:
                server = await self._open(key, spec)
                self._servers.append(server)
                mark = "" if key == "smtp" else "lmtp "
                said += [mark + name_of(place) for place in server.sockets]
        self._writer.start()
        return said

    async def _open(self, key: str, spec: str) -> asyncio.Server:
        try:
            return await start_server(spec, self._server, lmtp=key == "lmtp")
        except OSError as fault:
            self._shut()
            raise ConfigError(
                f"cannot listen at {spec} ({fault.strerror}): stop what is there, or name another"
                f" place, such as JUDGE_LISTEN_{key.upper()}=127.0.0.1:2526"
            ) from fault
        except ValueError as fault:
            self._shut()
            raise ConfigError(f"[listen] {key}: {spec!r} is no host:port or unix:PATH") from fault

    def _accept(self, arrival: Arrival) -> "asyncio.Future[int]":
        answer = self._loop.create_future()
        stored = self._writer.submit(arrival)
        stored.add_done_callback(partial(self._tell, arrival, answer))
        return answer

    def _tell(self, arrival: Arrival, answer: "asyncio.Future[int]", stored: "Future[int]") -> None:
        """Report the result to a session, which may be gone, in the event loop's thread."""
        fault = stored.exception()
        if fault is None:
            failpoint("stored")
            number = stored.result()
            log_step(
                log.info, "accepted", f"mail {number} from <{arrival.sender}> by {arrival.peer}",
                mail=number, sender=arrival.sender or "<>", by=arrival.peer,
                octets=len(arrival.raw),
            )
            self._came()
        elif isinstance(fault, StoreLost):
            self._lost(fault)
            # The server answers 451, as for any storage failure.
            fault = StoreError("the database is lost")
        if answer.cancelled():
            return
        if fault is None:
            answer.set_result(stored.result())
        else:
            answer.set_exception(fault)

    async def close(self) -> None:
        """Stop listening. Messages in transfer are still accepted, then the writer ends."""
        self._shut()
        await self._server.close(GRACE_SECONDS)
        if not await asyncio.to_thread(self._writer.stop, _LAST_COMMIT):
            log.error("the database is busy; what was not acknowledged will be sent again")

    def abort_all(self) -> None:
        """Stop waiting for messages in transfer."""
        self.hurried = True
        self._server.hurry()

    def _shut(self) -> None:
        for server in self._servers:
            close_and_unlink(server)
        self._servers.clear()


def _encryption(listen: ListenSection) -> ssl.SSLContext | None:
    """Return the TLS context of STARTTLS, or None without a certificate.

    Raises:
        ConfigError: certificate or key cannot be used.
    """
    if not listen.tls_cert:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(listen.tls_cert, listen.tls_key or None)
    except (OSError, ssl.SSLError) as fault:
        raise ConfigError(f"[listen] tls_cert, tls_key: {fault}") from fault
    return context
