"""What comes in: mails over SMTP, one after the other on a few connections."""

import smtplib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field


@dataclass
class Told:
    """How long each mail waited for its 250, and how long all took."""

    waits: list[float] = field(default_factory=list)
    seconds: float = 0.0
    refused: int = 0

    def share(self, part: float) -> float:
        """Return the wait that so many of the mails did not have to wait longer than."""
        waits = sorted(self.waits)
        return waits[min(int(len(waits) * part), len(waits) - 1)] if waits else 0.0


def send(
    place: str, mails: Iterator[tuple[str, bytes]], connections: int, pace: float = 0.0,
    is_over: Callable[[], bool] = lambda: False,
) -> Told:
    """Send mails on some connections until there are no more, or it is over; with a `pace` no
    connection begins one sooner than so many seconds after the one before."""
    told, lock = Told(), threading.Lock()

    def lane() -> None:
        host, _, port = place.rpartition(":")
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
    lanes = [threading.Thread(target=lane) for _ in range(connections)]
    for one in lanes:
        one.start()
    for one in lanes:
        one.join()
    told.seconds = time.perf_counter() - began
    return told
