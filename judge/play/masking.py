"""Lines of orders without the passwords that stand in them by mistake."""

import re
from dataclasses import replace
from typing import Any

from judge.games.system import LineRead
from judge.model.command import HIDDEN
from judge.model.phrase import Complaint, Phrase

_BEHIND = re.compile(
    r"\b(?:pass(?:wor[dt]|wd)|kennwort|sign[\s-]?(?:on|in)|log[\s-]?(?:on|in)|join|take\s?over)\b"
    r"[\s:=]*(?P<secret>\S.*)",
    re.IGNORECASE,
)


def mask_line(read: LineRead) -> LineRead:
    """Return a line that was read with *** for the words behind PASSWORD, SIGNON or JOIN."""
    found = _BEHIND.search(read.line.text)
    if found is None:
        return read
    secrets = sorted({word.strip(".,:;!?()") for word in found["secret"].split()} - {""}, key=len)
    words = re.compile("|".join(map(re.escape, reversed(secrets))) or "(?!)", re.IGNORECASE)
    text = read.line.text[: found.start("secret")] + HIDDEN
    complaint = read.complaint and _masked(read.complaint, words, text)
    notes = tuple(_without(note, words) for note in read.notes)
    return replace(read, line=read.line._replace(text=text), complaint=complaint, notes=notes)


def _masked(complaint: Complaint, words: re.Pattern[str], text: str) -> Complaint:
    reason = _without(complaint.reason, words)
    return replace(complaint, text=text, reason=reason, column=None, suggestions=())


def _without(reason: Phrase, words: re.Pattern[str]) -> Phrase:
    return Phrase(reason.code, {key: _hidden(fact, words) for key, fact in reason.facts.items()})


def _hidden(fact: Any, words: re.Pattern[str]) -> Any:
    match fact:
        case str():
            return words.sub(HIDDEN, fact)
        case tuple() | list():
            return tuple(_hidden(each, words) for each in fact)
        case Phrase():
            return _without(fact, words)
        case _:
            return fact
