"""What processes of one machine tell each other about an SQLite database: there is news.

What NOTIFY is for PostgreSQL. Each process that listens has a socket (AF_UNIX, datagrams) in a
folder beside the database, and whoever has committed something sends a word to all of them. A word
that is lost costs nothing but time: everybody also looks by itself, at every tick.
"""

import os
import socket
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from judge.folders import make_folder

POLL_SECONDS = 1.0
"""Seconds after which a listener sees whether it is to end."""
_LONGEST = 100
"""Octets of a word."""
_OURS: set[str] = set()
"""The sockets of this process, which hears of its own news without them."""


class News:
    """The news of one database, for a process."""

    def __init__(self, path: Path) -> None:
        self._folder = path.with_suffix(".news")

    def tell(self, words: set[str]) -> None:
        """Send words to all other processes that listen; a socket whose process is gone is removed.
        """
        with suppress(OSError):
            self._send([name for name in os.listdir(self._folder) if name not in _OURS], words)

    def hush(self) -> None:
        """Have those of this process who listen see at once whether they are to end."""
        with suppress(OSError):
            self._send([name for name in os.listdir(self._folder) if name in _OURS], {""})

    def _send(self, names: Sequence[str], words: set[str]) -> None:
        if not names:
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender, self._way() as way:
            sender.setblocking(False)
            for name in names:
                try:
                    for word in words:
                        sender.sendto(word.encode(), f"{way}/{name}")
                except ConnectionRefusedError:
                    with suppress(OSError):
                        os.unlink(self._folder / name)
                except OSError:
                    # Its box is full, so that it will look anyway; or it has just ended.
                    continue

    def heard(self, is_over: Callable[[], bool]) -> Generator[str, None, None]:
        """Yield what others tell, until it is over; nothing where there can be no such socket."""
        name = os.urandom(8).hex()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as box:
            try:
                make_folder(self._folder)
                _OURS.add(name)
                with self._way() as way:
                    box.bind(f"{way}/{name}")
                box.settimeout(POLL_SECONDS)
                while not is_over():
                    with suppress(TimeoutError):
                        if word := box.recv(_LONGEST).decode():
                            yield word
            except OSError:
                return
            finally:
                _OURS.discard(name)
                with suppress(OSError):
                    os.unlink(self._folder / name)

    @contextmanager
    def _way(self) -> Iterator[str]:
        """Give a name of the folder that is short enough: that of a socket has 107 octets at most.
        """
        handle = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            short = f"/proc/self/fd/{handle}"
            yield short if os.path.isdir(short) else str(self._folder)
        finally:
            os.close(handle)
