"""A mail to the judge, in the format of the library."""

import re
from collections.abc import Mapping
from email.message import EmailMessage

from tests.journeys.received import LETTERS

_MAX_LINE_OCTETS = 78
"""Maximum length of a line that the library leaves unchanged, in octets."""
_PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")
_ADDRESSED = {"From", "To", "Reply-To", "Sender"}
_ADDRESS = re.compile(r"[\w+-]+(?:[.][\w+-]+)*@[\w-]+(?:[.][\w-]+)*", re.ASCII)


def mail_of(headers: Mapping[str, str], text: str) -> bytes:
    """Return a mail exactly as the library writes it.

    Plain mails are formatted here, since tests send thousands of them.
    """
    lines = text.splitlines()
    if not text.isascii() or lines != re.split(r"\r\n|\r|\n", text.removesuffix("\n")):
        return _by_library(headers, text)
    for name, value in headers.items():
        plain = (_ADDRESS if name in _ADDRESSED else _PLAIN).fullmatch(value)
        if not plain or "=?" in value or len(f"{name}: {value}") > _MAX_LINE_OCTETS:
            return _by_library(headers, text)
    if any(len(line) > _MAX_LINE_OCTETS for line in lines):
        return _by_library(headers, text)
    heads = [f"{name}: {value}" for name, value in headers.items()]
    kind = ('Content-Type: text/plain; charset="utf-8"', "Content-Transfer-Encoding: 7bit",
            "MIME-Version: 1.0")
    return "\n".join([*heads, *kind, "", *lines, ""]).encode("ascii")


def _by_library(headers: Mapping[str, str], text: str) -> bytes:
    mail = EmailMessage(LETTERS)
    for name, value in headers.items():
        mail[name] = value
    mail.set_content(text)
    return bytes(mail)
