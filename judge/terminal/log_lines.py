"""Log formatting. Foreign text in a line cannot forge another one.

There are three styles: plain sentences for people, and fields for programs (logfmt, JSON), one
record a line. Records about a mail have, as `mail`, the number sent to its sender with the 250
reply.
"""

import json
import logging
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TextIO

from judge.config import LogSection

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_BARE = re.compile(r"[^\s\"=\\]+")
"""Value that logfmt writes without quotes."""
_PRIORITIES = {"DEBUG": 7, "INFO": 6, "WARNING": 4, "ERROR": 3, "CRITICAL": 2}
"""Priorities of the system's journal (sd-daemon(3))."""


class LogFormatter(logging.Formatter):
    """Formatter for plain text that escapes control characters.

    Each line of a record after its first is indented, so that every line that begins with a date
    is one of the judge's.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as text."""
        return escape_controls(super().format(record))


class FieldFormatter(logging.Formatter):
    """Formatter for fields, one line for each record."""

    def __init__(self, style: str) -> None:
        super().__init__()
        self._write = as_json if style == "json" else as_logfmt

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line."""
        at = datetime.fromtimestamp(record.created, UTC)
        facts: Mapping[str, object] = getattr(record, "facts", {})
        fields: dict[str, object] = {
            "time": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "part": record.name,
            **(facts or {"message": record.getMessage()}),
        }
        if record.exc_info:
            fields["story"] = self.formatException(record.exc_info)
        return self._write(fields)


class JournalFormatter(logging.Formatter):
    """Formatter that prefixes another one's output with the journal's priority."""

    def __init__(self, inner: logging.Formatter) -> None:
        super().__init__()
        self._inner = inner

    def format(self, record: logging.LogRecord) -> str:
        """Return a record with its priority."""
        return f"<{_PRIORITIES.get(record.levelname, 6)}>{self._inner.format(record)}"


def as_logfmt(fields: Mapping[str, object]) -> str:
    r"""Return fields as `name=value` pairs.

    >>> print(as_logfmt({"event": "sent", "mail": 12, "error": '450 "later"\n', "note": ""}))
    event=sent mail=12 error="450 \"later\"\n" note=""
    """
    return " ".join(f"{name}={_quote_value(str(value))}" for name, value in fields.items())


def as_json(fields: Mapping[str, object]) -> str:
    """Return fields as one JSON object in ASCII."""
    return json.dumps(fields, default=str)


def _quote_value(value: str) -> str:
    return value if _BARE.fullmatch(value) and value.isascii() else json.dumps(value)


def escape_controls(text: str) -> str:
    r"""Return a text with escaped control characters and indented further lines.

    >>> print(escape_controls("mail from <a\x1b[2J\r\n2026 ERROR judge: all is lost>"))
    mail from <a\x1b[2J\x0d
        2026 ERROR judge: all is lost>
    """
    shown = _UNSAFE.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return shown.replace("\n", "\n    ")


def keep_log(
    stream: TextIO, section: LogSection, environ: Mapping[str, str], *, verbose: bool
) -> None:
    """Configure logging to a stream.

    With *verbose* every mail and game is logged, not only the configured level.
    """
    handler = logging.StreamHandler(stream)
    plain = section.style == "plain"
    formatter = LogFormatter(FORMAT) if plain else FieldFormatter(section.style)
    in_journal = is_journal(stream, environ)
    handler.setFormatter(JournalFormatter(formatter) if in_journal else formatter)
    level = logging.INFO if verbose else logging.getLevelNamesMapping()[section.level.upper()]
    logging.basicConfig(level=level, handlers=[handler])


def is_journal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Return whether a stream is connected to the system's journal."""
    try:
        place = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environ.get("JOURNAL_STREAM") == f"{place.st_dev}:{place.st_ino}"
