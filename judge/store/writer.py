"""The thread that stores what arrives: many sessions, one commit."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue

from judge.clock import Clock
from judge.errors import StoreError, StoreLost
from judge.model.incoming import Arrival
from judge.store.database import Store
from judge.store.post import Post

MOST = 500
"""How many messages one commit takes at most."""

Waiting = tuple[Arrival, "Future[int]"]
Tell = Callable[[Callable[[], None]], object]


def tell_here(news: Callable[[], None]) -> None:
    """Tell those who wait in the thread of the writer itself."""
    news()


class Writer:
    """Takes everything that waits, commits once, answers all; it never waits for more.

    A fault of the storage is given to those who waited, and the next batch is tried afresh. `tell`
    is handed what tells a whole batch its answers, to carry it out where they are wanted: an event
    loop is woken once for a commit, not once for a message.
    """

    def __init__(
        self, store: Store, clock: Clock, tell: Tell = tell_here, most: int = MOST
    ) -> None:
        self._store = store
        self._post = Post(store)
        self._clock = clock
        self._tell = tell
        self._most = most
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._open = True
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def submit(self, arrival: Arrival) -> "Future[int]":
        """Have a message stored; the future is its queue number once it is durable.

        The future raises what the storage raised. After `stop` it raises StoreError at once.
        """
        answer: Future[int] = Future()
        with self._lock:
            if self._open:
                self._queue.put((arrival, answer))
            else:
                answer.set_exception(StoreError("the writer has stopped"))
        return answer

    def stop(self, patience: float | None = None) -> bool:
        """Store what was submitted so far, then end; return whether that was done in time.

        With `patience`, a database that keeps us waiting for longer (seconds) is left alone: what
        then still waits was promised to nobody.
        """
        with self._lock:
            if self._open:
                self._open = False
                self._queue.put(None)
        if self._thread.ident is not None:
            self._thread.join(patience)
        return not self._thread.is_alive()

    def _work(self) -> None:
        going = True
        while going:
            batch, going = self._next_batch()
            if batch:
                self._store_all(batch)
        # A loss that only the end shows has nobody to be reported to.
        with suppress(StoreError, StoreLost):
            self._store.close()

    def _next_batch(self) -> tuple[list[Waiting], bool]:
        """Wait for a message and return it with all that wait behind it, and whether to go on."""
        batch: list[Waiting] = []
        first = self._queue.get()
        while first is not None:
            # Whoever was cancelled has no client left to hear a 250; it will send again.
            if first[1].set_running_or_notify_cancel():
                batch.append(first)
            if len(batch) >= self._most:
                return batch, True
            try:
                first = self._queue.get_nowait()
            except Empty:
                return batch, True
        return batch, False

    def _store_all(self, batch: list[Waiting]) -> None:
        try:
            with self._store.accepting():
                # The instant is taken here, so that whoever looks next, the resolver at a
                # deadline, finds every message with an earlier one already committed.
                now = self._store.now(self._clock)
                numbers = self._post.accept([arrival for arrival, _ in batch], now)
        except StoreError as fault:
            # A new connection: this one may have seen a disk that is better by now.
            with suppress(StoreError):
                self._store.close()
            self._answer(batch, [fault] * len(batch))
        except StoreLost as loss:
            self._answer(batch, [loss] * len(batch))
        except Exception as fault:
            # Whatever it was, one message caused it: the others shall not suffer for it, and
            # this thread has to live, or nothing is accepted any more.
            if len(batch) == 1:
                self._answer(batch, [fault])
            else:
                for one in batch:
                    self._store_all([one])
        else:
            self._answer(batch, numbers)

    def _answer(self, batch: list[Waiting], outcomes: Sequence[int | BaseException]) -> None:
        """Have everybody in a batch told what became of his message."""
        def news() -> None:
            for (_, answer), outcome in zip(batch, outcomes, strict=True):
                if isinstance(outcome, BaseException):
                    answer.set_exception(outcome)
                else:
                    answer.set_result(outcome)

        # When the loop that was to tell them is closed, nobody is left to be told.
        with suppress(RuntimeError):
            self._tell(news)
