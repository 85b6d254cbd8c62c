"""Mail whose text is packed into a file: Outlook's winmail.dat, an S/MIME signature around it.

It is looked for only where a mail holds no text of its own. What is encrypted stays unread, and
its sender is told so.
"""

from collections.abc import Iterator

from judge.mail.cms import content_of, is_encrypted
from judge.mail.mime import DEEPEST, MOST_PARTS, Entity, Text, texts
from judge.mail.rtf import text_of_rtf
from judge.mail.tnef import unpacked

TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")
SMIME = ("application/pkcs7-mime", "application/x-pkcs7-mime")
MOST_WRAPS = 3
"""A signature around a signature around encryption is the deepest that is usual (RFC 2634, 1.1)."""
PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"


def all_texts(message: Entity) -> tuple[list[Text], bool]:
    """Return the texts of a message, packed ones too, and whether it is encrypted instead."""
    for _ in range(MOST_WRAPS + 1):
        found = texts(message)
        if any(text.content.strip() for text in found):
            return found, all(PGP_MESSAGE in text.content for text in found)
        inner, sealed = _unpack(message)
        if not isinstance(inner, Entity):
            return ([inner] if inner else found), sealed
        message = inner
    return [], False


def _unpack(message: Entity) -> tuple[Entity | Text | None, bool]:
    """Return what a message without a text has packed, and whether it is encrypted."""
    for part in _files(message):
        kind, name = part.kind(), _name(part)
        if kind == "multipart/encrypted":
            return None, True
        if kind in TNEF or name == "winmail.dat":
            if found := unpacked(part.octets()):
                if found.kind == "rtf":
                    return Text(text_of_rtf(found.content)), False
                return Text(found.content, is_html=found.kind == "html"), False
        elif kind in SMIME or name.endswith(".p7m"):
            octets = part.octets()
            if (content := content_of(octets)) is not None:
                return Entity(content), False
            if is_encrypted(octets):
                return None, True
    return None, False


def _files(message: Entity) -> Iterator[Entity]:
    """Yield the parts of a message that are no multiparts, in their order."""
    todo, seen = [(message, 0)], 0
    while todo and seen < MOST_PARTS:
        part, depth = todo.pop()
        seen += 1
        kind = part.kind()
        if kind.startswith("multipart/") and kind != "multipart/encrypted" and depth < DEEPEST:
            todo += [(one, depth + 1) for one in reversed(part.parts())]
        else:
            yield part


def _name(part: Entity) -> str:
    """Return the file name of a part, in lower case."""
    name = part.parameter("filename", "content-disposition") or part.parameter("name")
    return name.strip().lower()
