"""A letter as it came to its reader: what is read of it is read once, since nobody changes it.

Every letter of every journey is read by a dozen checks; the library finds the bodies and parses
the headers anew for each of them.
"""

from collections.abc import Sequence
from email import message_from_bytes, policy
from email.headerregistry import BaseHeader, HeaderRegistry
from email.message import EmailMessage
from email.policy import EmailPolicy
from functools import lru_cache
from typing import Any


class _Headers(HeaderRegistry):
    """Makes headers as the library does, but one that was seen before only once."""

    def __init__(self) -> None:
        super().__init__()
        self._made = lru_cache(10_000)(super().__call__)

    def __call__(self, name: str, value: object) -> BaseHeader:
        """Return a header."""
        return self._made(name, value)


_BODIES = "related", "html", "plain"


class _Received(EmailMessage):
    """A letter, or a part of one."""

    def __init__(self, policy: EmailPolicy | None = None) -> None:
        super().__init__(policy)
        self._known: dict[object, Any] = {}
        """What was read, by how it was asked for."""

    def set_raw(self, name: str, value: Any) -> None:
        """Add a header, while it is parsed."""
        self._known.clear()
        super().set_raw(name, value)  # type: ignore[misc]

    def get(self, name: str, failobj: Any = None) -> Any:
        """Return a header."""
        key = "header", name
        if key not in self._known:
            self._known[key] = super().get(name)
        found = self._known[key]
        return failobj if found is None else found

    def get_body(self, preferencelist: Sequence[str] = _BODIES) -> Any:
        """Return the part of a kind that is the text or the page."""
        key = "body", tuple(preferencelist)
        if key not in self._known:
            self._known[key] = super().get_body(preferencelist)
        return self._known[key]

    def get_content(self, *given: Any, **more: Any) -> Any:
        """Return the text of a part."""
        if given or more:
            return super().get_content(*given, **more)
        if "content" not in self._known:
            self._known["content"] = super().get_content()
        return self._known["content"]


LETTERS = policy.default.clone(header_factory=_Headers())
"""Writes letters as the usual policy does."""
_READING = LETTERS.clone(message_factory=_Received)


def received(message: bytes) -> EmailMessage:
    """Return a letter as read."""
    letter = message_from_bytes(message, policy=_READING)
    assert isinstance(letter, EmailMessage)
    return letter
