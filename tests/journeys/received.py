"""Received letters that are parsed once, since they never change.

A dozen checks read every letter of every journey, and the library finds the bodies and parses the
headers again for each of them. It also checks each line of a message for defects. A letter in
exactly the format of the judge's letters is split into its parts here, and only others are left to
the library.
"""

import re
from collections.abc import Sequence
from email import message_from_bytes, policy
from email.headerregistry import BaseHeader, HeaderRegistry
from email.message import EmailMessage
from email.policy import EmailPolicy
from functools import lru_cache
from typing import Any


class _Headers(HeaderRegistry):
    """Registry that creates headers like the library, with a cache."""

    def __init__(self) -> None:
        super().__init__()
        self._made = lru_cache(10_000)(super().__call__)

    def __call__(self, name: str, value: object) -> BaseHeader:
        """Return a header."""
        return self._made(name, value)


_BODIES = "related", "html", "plain"


class _Received(EmailMessage):
    """A letter, or a part of one, with a cache of its parsed values."""

    def __init__(self, policy: EmailPolicy | None = None) -> None:
        super().__init__(policy)
        self.known: dict[object, Any] = {}
        """Parsed values by request."""

    def set_raw(self, name: str, value: Any) -> None:
        """Add a header during parsing."""
        self.known.clear()
        super().set_raw(name, value)  # type: ignore[misc]

    def get(self, name: str, failobj: Any = None) -> Any:
        """Return a header."""
        key = "header", name
        if key not in self.known:
            self.known[key] = super().get(name)
        found = self.known[key]
        return failobj if found is None else found

    def get_content_type(self) -> str:
        """Return the content type."""
        if "type" not in self.known:
            self.known["type"] = super().get_content_type()
        return str(self.known["type"])

    def get_body(self, preferencelist: Sequence[str] = _BODIES) -> Any:
        """Return the first body of the preferred subtypes."""
        key = "body", tuple(preferencelist)
        if key not in self.known:
            self.known[key] = super().get_body(preferencelist)
        return self.known[key]

    def get_content(self, *given: Any, **more: Any) -> Any:
        """Return the text of a part."""
        if given or more:
            return super().get_content(*given, **more)
        if "content" not in self.known:
            if _IN_UTF_8.fullmatch(self["Content-Type"] or ""):
                self.known["content"] = self.get_payload(decode=True).decode("utf-8", "replace")
            else:
                self.known["content"] = super().get_content()
        return self.known["content"]


_IN_UTF_8 = re.compile('text/[a-z]+; charset="utf-8"')


class _Reading(EmailPolicy):
    """Policy that parses letters like the default one."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        """Return a header, or its text if that is plain and nothing else is needed."""
        plain = _PLAIN.get(name.lower(), _WORDS)
        if plain and plain.fullmatch(value) and "=?" not in value:
            return value
        return super().header_fetch_parse(name, value)


_WORDS = re.compile(r"[!-~]+(?: [!-~]+)*")
_PLAIN = {
    **dict.fromkeys(HeaderRegistry().registry),
    "subject": _WORDS,
    "message-id": re.compile(r"<[\w-]+@[\w-]+(?:[.][\w-]+)*>", re.ASCII),
    "reply-to": re.compile(r"[\w+-]+@[\w-]+(?:[.][\w-]+)*", re.ASCII),
}
"""Patterns of headers whose text equals the raw value.

None if the parts of a header are needed too.
"""
LETTERS = policy.default.clone(header_factory=_Headers())
"""Policy that writes letters like the default one."""
_READING = _Reading(header_factory=LETTERS.header_factory, message_factory=_Received)


def parse_letter(message: bytes) -> EmailMessage:
    """Return a parsed letter."""
    text = message.decode("ascii", "surrogateescape")
    # A letter in a Maildir has the line ends of files.
    end = "\r\n" if "\r\n" in text else "\n"
    letter = _cut(text, end) or message_from_bytes(message, policy=_READING)
    assert isinstance(letter, EmailMessage)
    return letter


_HEADER = re.compile(r"([A-Za-z][A-Za-z-]*): ([^ \t\r\n][^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)(\r?\n)")
_SINGLE = re.compile(r"((?:text|image|application)/[a-z0-9.+-]+)(?:;[^\r\n]*)?")
_SEVERAL = re.compile(r'(multipart/[a-z]+);\r?\n boundary="(=_\d{3}=_[0-9a-f]{24})"')


def _cut(text: str, end: str) -> _Received | None:
    """Return a parsed message or part.

    None if its format differs from the judge's in any way.
    """
    head, _, body = text.partition(end + end)
    headers = _headers_of(head + end)
    kinds = [value for name, value in headers if name.lower() == "content-type"]
    if len(kinds) != 1:
        return None
    several = _SEVERAL.fullmatch(kinds[0])
    kind = several or _SINGLE.fullmatch(kinds[0])
    if kind is None:
        return None
    part = _Received(_READING)
    for name, value in headers:
        part.set_raw(name, value)
    part.known["type"] = kind[1]
    if several is None:
        part.set_payload(body)
        return part
    border = f"--{several[2]}"
    first, *pieces = f"{end}{body}".split(end + border)
    # With the boundary anywhere else, the library might find a part there.
    is_whole = not first and bool(pieces) and pieces.pop() == f"--{end}"
    if not is_whole or body.count(border) != len(pieces) + 1:
        return None
    for piece in pieces:
        inside = _cut(piece.removeprefix(end), end) if piece.startswith(end) else None
        if inside is None:
            return None
        part.attach(inside)
    part.epilogue = ""
    return part


def _headers_of(head: str) -> list[tuple[str, str]]:
    """Return the headers of a part.

    The list is empty if there is anything else between them.
    """
    found = _HEADER.findall(head)
    told = sum(len(name) + len(": ") + len(value) + len(end) for name, value, end in found)
    return [(name, value) for name, value, _ in found] if told == len(head) else []
