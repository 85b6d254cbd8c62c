"""Texts of a message to read, and its other parts."""

import re
from html import unescape
from typing import NamedTuple

from judge.mail.inbound.html_text import has_struck_text
from judge.mail.inbound.mime import MAX_PARTS, MAX_TEXT, Entity, decode_text

MAX_DEPTH = 20
SILENT = frozenset((
    "application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature",
    "application/pgp-keys", "application/pgp-encrypted", "text/vcard", "text/x-vcard",
    "text/directory", "application/ms-tnef", "application/vnd.ms-tnef", "text/rfc822-headers",
    "message/delivery-status", "message/disposition-notification", "text/x-amp-html",
    "application/pkcs7-mime", "application/x-pkcs7-mime",
))
"""Signatures, keys, cards and other parts that programs add."""
SILENT_NAMES = frozenset(("winmail.dat", "smime.p7m", "smime.p7s", "signature.asc"))
WRITTEN = ("plain", "html", "markdown", "x-markdown", "x-web-markdown", "x-plain")
"""Text subtypes that people write mails in."""
PAGE = re.compile(r"\s*<(?:!doctype html|html|head|body|div|p|span|meta|font)\b", re.IGNORECASE)
TAG = re.compile(r"<[a-z/!]", re.IGNORECASE)
STUB_LENGTH = 300
"""Maximum length of a plain text that only refers to its HTML alternative."""


class BodyText(NamedTuple):
    """One text part: plain or HTML, and whether it is flowed text (RFC 3676)."""

    content: str
    is_html: bool = False
    flowed: bool = False
    delsp: bool = False
    is_cut: bool = False
    """True if the end of the text was cut off."""


class Contents(NamedTuple):
    """Texts of a message in order, and other parts that its sender may have meant."""

    texts: list[BodyText]
    files: list[Entity]


class _Budget:
    """Remaining parts and characters to read of a message, and the files in it."""

    def __init__(self) -> None:
        self.parts = MAX_PARTS
        self.text = MAX_TEXT
        self.files: list[Entity] = []


def read_contents(message: Entity) -> Contents:
    """Return the texts and files of a message.

    Of alternatives, it takes the plain text unless that is blank.
    """
    budget = _Budget()
    return Contents(_texts(message, 0, budget), budget.files)


def read_text(entity: Entity, most: int = MAX_TEXT) -> BodyText:
    """Return the text in a part, at most *most* characters of it."""
    octets = entity.octets(MAX_TEXT + 1)
    whole = decode_text(octets[:MAX_TEXT], entity.parameter("charset"))
    content, is_cut = whole[:most], len(octets) > MAX_TEXT or len(whole) > most
    is_html = entity.kind() == "text/html"
    flowed = entity.parameter("format").lower() == "flowed"
    delsp = entity.parameter("delsp").lower() == "yes"
    if is_html and not TAG.search(content):
        # Some programs label every text as HTML.
        return BodyText(unescape(content), is_cut=is_cut)
    is_html = is_html or bool(PAGE.match(content) and "</" in content)
    return BodyText(content, is_html, flowed and not is_html, delsp, is_cut)


def own_text(message: Entity) -> str:
    """Return the text of the judge's own letter: its first part, of any length."""
    for _ in range(MAX_DEPTH):
        parts = message.parts() if message.kind().startswith("multipart/") else []
        if not parts:
            break
        message = parts[0]
    return message.content(len(message.body))


def _texts(entity: Entity, depth: int, budget: _Budget) -> list[BodyText]:
    kind = entity.kind()
    if depth > MAX_DEPTH or budget.parts <= 0:
        return []
    budget.parts -= 1
    match kind.split("/", 1):
        case ["multipart", "alternative"]:
            return _best([_texts(part, depth + 1, budget) for part in entity.parts()])
        case ["multipart", "related" | "signed" | "report"]:
            parts = entity.parts()
            budget.files += [
                part for part in parts[1:] if part.is_attachment() and not _is_silent(part)
                and not part.kind().startswith("image/")
            ]
            return [one for part in parts[:1] for one in _texts(part, depth + 1, budget)]
        case ["multipart", "digest" | "encrypted"]:
            return []
        case ["multipart", _]:
            parts = entity.parts()
            budget.files += [
                part for part in parts if part.is_attachment() and not _is_silent(part)
            ]
            inner = (part for part in parts if not part.is_attachment())
            return [one for part in inner for one in _texts(part, depth + 1, budget)]
        case ["text", subtype] if subtype in WRITTEN:
            text = read_text(entity, budget.text)
            budget.text -= len(text.content)
            return [text]
        case _:
            if not _is_silent(entity):
                budget.files.append(entity)
            return []


def _is_silent(part: Entity) -> bool:
    """Return whether a program added a part, so that the sender will not miss it."""
    kind, name = part.kind(), part.file_name()
    if kind in SILENT or name.lower() in SILENT_NAMES:
        return True
    return kind.startswith(("text/", "image/")) and not name and not part.is_attachment()


def _best(choices: list[list[BodyText]]) -> list[BodyText]:
    """Return the alternative to read: plain text, else HTML.

    Blank alternatives are skipped, and so is a plain text that only refers to the HTML. HTML that
    strikes out text has precedence. The result is empty if all are blank.
    """
    filled = [choice for choice in choices if any(text.content.strip() for text in choice)]
    for choice in filled:
        # Only HTML marks text that is struck out. Plain text shows it like any other.
        if any(text.is_html and has_struck_text(text.content) for text in choice):
            return choice
    plain = [choice for choice in filled if not any(text.is_html for text in choice)]
    if len(plain) < len(filled):
        plain = [choice for choice in plain if not _is_stub(choice)]
    return next(iter(plain or filled[::-1]), [])


def _is_stub(choice: list[BodyText]) -> bool:
    said = " ".join(text.content for text in choice)
    return len(said) < STUB_LENGTH and "html" in said.lower()
