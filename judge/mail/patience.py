"""How long a letter that was not taken waits before it is tried again, and when it is given up."""

import hashlib
from datetime import datetime, timedelta

from judge.words.record import Outgoing

FIRST_DELAY = timedelta(minutes=5)
LONGEST_DELAY = timedelta(hours=4)
GIVE_UP = timedelta(days=5)
"""RFC 5321, 4.5.4.1: at least four to five days."""
FIRST_REST = timedelta(seconds=15)
LONGEST_REST = timedelta(minutes=10)
_SPREAD = 0.2
"""How far a delay may differ from its mean, so that letters do not come back all at once."""


def retry_delay(tries: int, letter: str = "") -> timedelta:
    """Return how long a letter waits after so many failed tries.

    Five minutes, doubled up to four hours, and up to a fifth more or less: how much is drawn from
    the letter's Message-ID, so that no two wait alike.

    >>> [str(retry_delay(tries)) for tries in (1, 2, 3, 20)]
    ['0:05:00', '0:10:00', '0:20:00', '4:00:00']
    >>> str(retry_delay(1, "<1@x>")), str(retry_delay(1, "<2@x>"))
    ('0:04:52.500000', '0:05:44.062500')
    """
    doublings = min(max(tries - 1, 0), 10)
    delay = min(FIRST_DELAY * (1 << doublings), LONGEST_DELAY)
    if not letter:
        return delay
    drawn = hashlib.sha256(f"{letter} {tries}".encode()).digest()[0] / 256
    return delay * (1 + _SPREAD * (2 * drawn - 1))


def rest_delay(failures: int) -> timedelta:
    """Return how long the whole queue rests when the server could not be reached so many times.

    >>> [str(rest_delay(failures)) for failures in (1, 2, 9)]
    ['0:00:15', '0:00:30', '0:10:00']
    """
    return min(FIRST_REST * (1 << min(max(failures - 1, 0), 10)), LONGEST_REST)


def is_given_up(letter: Outgoing, now: datetime) -> bool:
    """Tell whether a letter has been tried for so long that it is not tried again."""
    return now - letter.queued >= GIVE_UP
