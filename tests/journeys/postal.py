"""A rig with real SMTP and a real Maildir.

The clock is fake, so the test itself runs the worker. Listener, writer, database file and delivery
are those of `judge serve`.
"""

import asyncio
import smtplib
import threading
from dataclasses import replace
from pathlib import Path

from judge.config import Config, DeliverSection, StoreSection
from judge.daemon.listener import Listener
from judge.mail.outbound.delivery import delivery_for
from judge.model.record import Outgoing
from tests.journeys.rig import Rig


class PostalBench(Rig):
    """A judge behind its listener, in a folder of its own."""

    def __init__(self, config: Config, folder: Path) -> None:
        config = replace(
            config,
            store=StoreSection(f"sqlite:///{folder}/judge.sqlite3"),
            listen=replace(config.listen, smtp="127.0.0.1:0"),
            deliver=DeliverSection(f"maildir:{folder}/outbox"),
        )
        super().__init__(config)
        self._outbox = folder / "outbox"
        self._delivery = delivery_for(config.deliver.to)
        self._read: set[str] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._listener = self._do(self._open())
        self._client = smtplib.SMTP(*self._place)

    async def _open(self) -> Listener:
        listener = Listener(self.config, self.clock, lambda: None, lambda fault: None)
        (place,) = await listener.open()
        host, _, port = place.rpartition(":")
        self._place = host, int(port)
        return listener

    def _do(self, work):  # type: ignore[no-untyped-def]
        """Run a coroutine in the loop of the listener, and wait for its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(120)

    def store(self, raw: bytes, sender: str, to: str = "") -> None:
        """Send a message to the judge. It is stored when this method returns."""
        refused = self._client.sendmail(sender, [to or self.config.judge.address], raw)
        assert not refused

    def deliver(self, out: Outgoing) -> None:
        """Deliver a letter, and read the one new letter from the Maildir."""
        self._delivery.deliver(out)
        (new,) = [f for f in (self._outbox / "new").iterdir() if f.name not in self._read]
        self._read.add(new.name)
        self.put(out.to, new.read_bytes())
        assert str(self.newest[out.to]["To"]) == out.to

    def close(self) -> None:
        """Close the listener and the database."""
        self._client.quit()
        self._do(self._listener.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        super().close()
