"""Traffic of mails over SMTP, in sequence on a few connections."""

import smtplib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field


@dataclass
class Told:
    """Waiting times of mails for their 250, and the total time."""

    waits: list[float] = field(default_factory=list)
    seconds: float = 0.0
    refused: int = 0

    def __str__(self) -> str:
        many = len(self.waits) / self.seconds
        return f"{many:.0f} mails a second, 250 after {shares(self.waits)}, {self.refused} refused"


def shares(waits: Sequence[float]) -> str:
    """Return the median and the 99th percentile of some waits, in milliseconds."""
    found = sorted(waits) or [0.0]
    half, most = (found[min(int(len(found) * part), len(found) - 1)] for part in (0.5, 0.99))
    return f"{1000 * half:.0f} ms (p50), {1000 * most:.0f} ms (p99)"


def send(
    places: Sequence[str], mails: Iterator[tuple[str, bytes]], connections: int, pace: float = 0.0,
    is_over: Callable[[], bool] = lambda: False,
) -> Told:
    """Send mails on some connections to all places until none is left or it is over.

    With a `pace`, the mails of one connection start at least that number of seconds apart.
    """
    told, lock = Told(), threading.Lock()

    def lane(number: int) -> None:
        # The connections start at different moments.
        time.sleep(pace * number / connections)
        host, _, port = places[number % len(places)].rpartition(":")
        with smtplib.SMTP(host, int(port), local_hostname="x", timeout=120) as client:
            while not is_over():
                with lock:
                    sender, raw = next(mails, ("", b""))
                if not sender:
                    return
                began = time.perf_counter()
                try:
                    client.sendmail(sender, ["judge@localhost"], raw)
                except smtplib.SMTPException:
                    told.refused += 1
                took = time.perf_counter() - began
                told.waits.append(took)
                time.sleep(max(0.0, pace - took))

    began = time.perf_counter()
    lanes = [threading.Thread(target=lane, args=(number,)) for number in range(connections)]
    for one in lanes:
        one.start()
    for one in lanes:
        one.join()
    told.seconds = time.perf_counter() - began
    return told
