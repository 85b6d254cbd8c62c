"""Attachments of a mail: plain texts and other files.

A plain text is read if the mail itself has no command and no order.
"""

from collections.abc import Iterable
from typing import NamedTuple

from judge.mail.inbound.contents import WRITTEN, BodyText, read_text
from judge.mail.inbound.mime import Entity

MAX_NAME = 40
"""Maximum length of a file name in a reply, in characters."""
MAX_ATTACHED_TEXTS = 8
MAX_ATTACHED_OCTETS = 64 * 1024
"""Maximum size of an attached text in bytes. Longer ones cannot be orders."""


class Attachments(NamedTuple):
    """Attached plain texts with their names, and the names of other files."""

    texts: list[tuple[str, BodyText]]
    others: tuple[str, ...]


def sort_attachments(parts: Iterable[Entity]) -> Attachments:
    """Return the attachments of a mail, with names as shown in a reply."""
    texts: list[tuple[str, BodyText]] = []
    others: dict[str, None] = {}
    for part in parts:
        text = _plain_text(part) if len(texts) < MAX_ATTACHED_TEXTS else None
        if text is None:
            others[shown_name(part)] = None
        else:
            texts.append((shown_name(part), text))
    return Attachments(texts, tuple(others))


def _plain_text(part: Entity) -> BodyText | None:
    """Return the text of a plain-text attachment, None for other files."""
    kind = part.kind()
    is_text = kind.startswith("text/") and kind[5:] in WRITTEN and kind != "text/html"
    if not is_text and not (
        kind == "application/octet-stream" and part.file_name().lower().endswith(".txt")
    ):
        return None
    if len(part.octets()) > MAX_ATTACHED_OCTETS:
        return None
    text = read_text(part)
    # Zeros or tags: a file of another type is labelled as text.
    return None if text.is_html or "\0" in text.content else text


def shown_name(part: Entity) -> str:
    """Return the name of a file as shown in a reply.

    It is short, on one line and without invisible characters.

    >>> shown_name(Entity(b"Content-Type: image/png"))
    'image/png'
    """
    name = part.file_name() or part.kind()
    if len(name) <= MAX_NAME:
        return name
    return f"{name[:MAX_NAME - 10]}…{name[-8:]}"
