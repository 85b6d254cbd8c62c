"""Painting in a process of its own, so that nothing else waits for it, and each picture once."""

from collections import OrderedDict
from concurrent.futures import Future, ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from threading import Lock
from types import TracebackType

from judge.drawing.png import paint_png

KEPT = 24
"""So many pictures are remembered: the letters of a game's phase are written together."""


class Studio:
    """Paints pictures; may be used by several threads.

    Its process starts with the first picture, and afresh: it shares no file, lock or connection of
    the one that asks.
    """

    def __init__(self) -> None:
        self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        self._lock = Lock()
        self._pictures: OrderedDict[bytes, Future[bytes]] = OrderedDict()

    def begin(self, svg: str, width: int) -> Future[bytes]:
        """Have a picture painted, if it is not painted yet; its PNG is the future's result."""
        key = sha256(f"{width} {svg}".encode()).digest()
        with self._lock:
            found = self._pictures.get(key)
            if found is None or (found.done() and found.exception() is not None):
                found = self._pool.submit(paint_png, svg, width)
                self._pictures[key] = found
            self._pictures.move_to_end(key)
            while len(self._pictures) > KEPT:
                self._pictures.popitem(last=False)
        return found

    def close(self) -> None:
        """Stop; what has not begun is not painted any more."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def __enter__(self) -> "Studio":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
