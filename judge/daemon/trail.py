"""The trail of a mail in the log: one line a step, each with its number from the 250.

What is said of a step besides its sentence goes along as facts, which the log prints as fields
where it is asked to. Recipients among our own sub-addresses are never facts: they hold tokens.
"""

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


def span(first: int, last: int) -> str:
    """Return the numbers after `first` up to `last`; empty for none.

    >>> span(4, 7), span(4, 5), span(4, 4)
    ('5-7', '5', '')
    """
    if last <= first:
        return ""
    return str(last) if last == first + 1 else f"{first + 1}-{last}"
