"""Attachments: plain texts, which are read where the mail itself says nothing, and all others."""

from collections.abc import Sequence

from judge.mail.inbound.mime import MOST_TEXT, WRITTEN, Entity, Text, read_text

MAX_NAME = 40
"""Characters of a file name that are shown."""
MAX_ATTACHED_TEXTS = 10


def attached_text(part: Entity) -> Text | None:
    """Return the text of a plain-text attachment; None for any other file."""
    kind = part.kind()
    is_text = kind.startswith("text/") and kind[5:] in WRITTEN and kind != "text/html"
    if not is_text and not (
        kind == "application/octet-stream" and part.file_name().lower().endswith(".txt")
    ):
        return None
    text = read_text(part, MOST_TEXT)
    # A file of another kind that is called a text.
    return None if text.is_html or "\0" in text.content else text


def shown_name(part: Entity) -> str:
    """Return a file name as an answer shows it: short, on one line, without invisible characters.

    >>> shown_name(Entity(b"Content-Type: image/png"))
    'image/png'
    """
    name = part.file_name() or part.kind()
    name = " ".join("".join(each if each.isprintable() else " " for each in name).split())
    if len(name) <= MAX_NAME:
        return name
    return f"{name[:MAX_NAME - 10]}…{name[-8:]}"


def shown_names(parts: Sequence[Entity]) -> tuple[str, ...]:
    """Return the names of files as an answer shows them, each once."""
    return tuple(dict.fromkeys(map(shown_name, parts)))
