"""Fields of log records: the steps of a mail, with its queue number.

Facts of a step go along with its sentence. The log prints them as fields if configured. Recipients
among the judge's sub-addresses are never facts, because they contain tokens.
"""

from collections.abc import Sequence
from datetime import datetime

Facts = dict[str, object]


def log_fields(event: str, **facts: object) -> dict[str, Facts]:
    """Return the `extra` of a log record, without facts that are empty or 0.

    >>> log_fields("sent", letter=7, mail=0, game="", to="ann@example.org")
    {'facts': {'event': 'sent', 'letter': 7, 'to': 'ann@example.org'}}
    """
    return {"facts": {"event": event} | {name: fact for name, fact in facts.items() if fact}}


def format_seconds(start: datetime, end: datetime) -> str:
    """Return a duration in seconds, to the millisecond."""
    return f"{(end - start).total_seconds():.3f}"


def format_id_range(numbers: Sequence[int]) -> str:
    """Return consecutive numbers as a range of the first and the last, or "".

    >>> format_id_range([5, 6, 7]), format_id_range([5]), format_id_range([])
    ('5-7', '5', '')
    """
    if len(numbers) < 2:
        return "".join(map(str, numbers))
    return f"{numbers[0]}-{numbers[-1]}"
