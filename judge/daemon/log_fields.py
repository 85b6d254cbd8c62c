"""Fields of log records: the steps of a mail, with its queue number.

Facts of a step go along with its sentence. The log prints them as fields if configured. Recipients
among the judge's sub-addresses are never facts, because they contain tokens.
"""

from collections.abc import Callable, Sequence
from datetime import datetime


def log_step(write: Callable[..., None], event: str, sentence: str, /, **facts: object) -> None:
    """Log a step as a sentence, with its facts, by a method of a logger.

    Facts that are empty or 0 are left out.

    >>> def show(sentence, extra): print(sentence, extra)
    >>> log_step(show, "sent", "letter 7 is sent", letter=7, mail=0, to="ann@example.org")
    letter 7 is sent {'facts': {'event': 'sent', 'letter': 7, 'to': 'ann@example.org'}}
    """
    kept = {name: fact for name, fact in facts.items() if fact}
    write(sentence, extra={"facts": {"event": event} | kept})


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
