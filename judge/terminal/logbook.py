"""The log as it is printed: a line that somebody else's text stands in cannot forge another one."""

import logging
import re
from typing import TextIO

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class LogFormatter(logging.Formatter):
    """Formats records; control characters are shown, not sent to the terminal.

    Each line of a record after its first is indented, so that every line that begins with a date
    is one of ours.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as text."""
        return harmless(super().format(record))


def harmless(text: str) -> str:
    r"""Return a text whose control characters are written out, its further lines indented.

    >>> print(harmless("mail from <a\x1b[2J\r\n2026 ERROR judge: all is lost>"))
    mail from <a\x1b[2J\x0d
        2026 ERROR judge: all is lost>
    """
    shown = _UNSAFE.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return shown.replace("\n", "\n    ")


def keep_log(stream: TextIO, *, verbose: bool) -> None:
    """Have what the judge logs printed; `verbose`: every mail and game, not only what is wrong."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LogFormatter(FORMAT))
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[handler])
