"""Writer thread, which stores the mails of many sessions in one commit."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue

from judge.clock import Clock
from judge.errors import StoreError, StoreLost
from judge.model.incoming import Arrival
from judge.store.database import Store
from judge.store.mail_queues import Post

MAX_BATCH = 500
"""Maximum number of messages in one commit."""

Waiting = tuple[Arrival, "Future[int]"]
Tell = Callable[[Callable[[], None]], object]


class Writer:
    """Thread that stores all waiting messages in one commit.

    It never waits for more. A storage failure is reported to the sessions of the batch, and the
    next batch is tried as usual. *tell* receives a function that reports the results of a whole
    batch, to run it in the right thread: an event loop is woken once for a commit, not once for a
    message.
    """

    def __init__(
        self, store: Store, clock: Clock, tell: Tell = lambda news: news(), most: int = MAX_BATCH
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
        """Start the thread."""
        self._thread.start()

    def submit(self, arrival: Arrival) -> "Future[int]":
        """Submit a message. The future is its queue number once it is durable.

        The future raises the storage's exception. After `stop` it raises StoreError at once.
        """
        answer: Future[int] = Future()
        with self._lock:
            if self._open:
                self._queue.put((arrival, answer))
            else:
                answer.set_exception(StoreError("the writer has stopped"))
        return answer

    def stop(self, patience: float | None = None) -> bool:
        """Store the submitted messages, then end. Return False after a time-out.

        With `patience`, a database that takes longer (seconds) is abandoned. Messages that then
        still wait were not acknowledged.
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
        # A loss that only appears at the end has no session to be reported to.
        with suppress(StoreError, StoreLost):
            self._store.close()

    def _next_batch(self) -> tuple[list[Waiting], bool]:
        """Wait for a message. Return it with all that follow, and whether to continue."""
        batch: list[Waiting] = []
        first = self._queue.get()
        while first is not None:
            # A cancelled session has no client left for a 250. The client will send again.
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
            with self._store.intake_transaction():
                # The instant is taken inside the transaction, so that a later reader, such as the
                # resolver at a deadline, finds every message with an earlier instant committed.
                now = self._store.now(self._clock)
                numbers = self._post.accept([arrival for arrival, _ in batch], now)
        except StoreError as fault:
            # A new connection is tried next, because the disk may be usable by then.
            with suppress(StoreError):
                self._store.close()
            self._answer(batch, [fault] * len(batch))
        except StoreLost as loss:
            self._answer(batch, [loss] * len(batch))
        except Exception as fault:
            # One message caused the fault. The others are stored one by one, and the thread must
            # survive, or no mail would be accepted any more.
            if len(batch) == 1:
                self._answer(batch, [fault])
            else:
                for one in batch:
                    self._store_all([one])
        else:
            self._answer(batch, numbers)

    def _answer(self, batch: list[Waiting], outcomes: Sequence[int | BaseException]) -> None:
        """Report to all sessions of a batch the results of their messages."""
        def news() -> None:
            for (_, answer), outcome in zip(batch, outcomes, strict=True):
                if isinstance(outcome, BaseException):
                    answer.set_exception(outcome)
                else:
                    answer.set_result(outcome)

        # If the event loop is closed, no session is left to report to.
        with suppress(RuntimeError):
            self._tell(news)
