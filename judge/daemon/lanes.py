"""Threads that hand letters on, several at a time, so that a slow one holds up no other.

They are daemon threads and know no database: a server that does not answer keeps neither the
queue nor the end of the process waiting.
"""

import threading
import traceback
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from judge.failpoints import failpoint
from judge.mail.sender import Deferred, Delivery, Refused
from judge.words.record import Outgoing


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a letter; no fault: it was taken."""

    letter: Outgoing
    fault: Refused | Deferred | None = None
    story: str = ""
    """The traceback of a fault that is ours."""


class Lanes:
    """As many threads as letters may be on their way at the same time."""

    def __init__(self, delivery: Delivery) -> None:
        self.delivery = delivery
        self._letters: SimpleQueue[Outgoing | None] = SimpleQueue()
        self._fates: SimpleQueue[Fate] = SimpleQueue()
        self._threads: list[threading.Thread] = []

    def hand_over(self, letter: Outgoing) -> None:
        """Have a letter delivered; `finished` tells what became of it."""
        if not self._threads:
            self._threads = [
                threading.Thread(target=self._work, name="lane", daemon=True)
                for _ in range(self.delivery.lanes)
            ]
            for thread in self._threads:
                thread.start()
        self._letters.put(letter)

    def finished(self, seconds: float) -> list[Fate]:
        """Return what is finished; while there is nothing, wait so long for it."""
        fates: list[Fate] = []
        try:
            fates.append(self._fates.get(timeout=seconds) if seconds else self._fates.get_nowait())
            while True:
                fates.append(self._fates.get_nowait())
        except Empty:
            return fates

    def close(self) -> None:
        """Let the threads end once they have nothing in hand; nobody waits for them."""
        for _ in self._threads:
            self._letters.put(None)
        self._threads = []

    def _work(self) -> None:
        while (letter := self._letters.get()) is not None:
            self._fates.put(self._deliver(letter))

    def _deliver(self, letter: Outgoing) -> Fate:
        try:
            self.delivery.deliver(letter)
        except (Refused, Deferred) as fault:
            return Fate(letter, fault)
        except Exception as fault:
            # One letter that we cannot send must not stop the others.
            return Fate(letter, Refused(f"our own fault: {fault!r}"), traceback.format_exc())
        failpoint("sent")
        return Fate(letter)
