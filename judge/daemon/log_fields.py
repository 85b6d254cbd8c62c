"""Fields of the log: the steps of a mail, one line each, with its number from the 250.

What is said of a step besides its sentence goes along as facts, which the log prints as fields
where it is asked to. Recipients among our own sub-addresses are never facts: they hold tokens.
"""

from collections.abc import Sequence
from datetime import datetime

Facts = dict[str, object]


def trail(event: str, **facts: object) -> dict[str, Facts]:
    """Return the `extra` of a log record; what is empty or 0 is left out.

    >>> trail("sent", letter=7, mail=0, game="", to="ann@example.org")
    {'facts': {'event': 'sent', 'letter': 7, 'to': 'ann@example.org'}}
    """
    return {"facts": {"event": event} | {name: fact for name, fact in facts.items() if fact}}


def seconds(start: datetime, end: datetime) -> str:
    """Return how long something took, in seconds."""
    return f"{(end - start).total_seconds():.3f}"


def span(numbers: Sequence[int]) -> str:
    """Return numbers that follow each other by the first and the last; empty for none.

    >>> span([5, 6, 7]), span([5]), span([])
    ('5-7', '5', '')
    """
    if len(numbers) < 2:
        return "".join(map(str, numbers))
    return f"{numbers[0]}-{numbers[-1]}"
