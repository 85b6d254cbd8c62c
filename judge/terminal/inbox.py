"""Letters of the outgoing Maildir, as text for a terminal: `judge inbox`."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from judge.config import Config
from judge.errors import ConfigError
from judge.mail.outbound.compose import list_enclosures, safe_name
from judge.mail.outbound.delivery import read_newest

_SHOWN = ("From", "To", "Subject", "Date")
_RULE = "-" * 72
_LINE_BREAKS = re.compile(r"[\r\n\t]+")


def outgoing_maildir(config: Config) -> Path:
    """Return the Maildir folder to which letters are delivered.

    Raises:
        ConfigError: Letters are not delivered to a Maildir.
    """
    folder = config.deliver.maildir
    if folder is None:
        raise ConfigError(
            "letters go to a mail server, not to a Maildir: read them there ([deliver] to)"
        )
    return folder


def inbox(config: Config, address: str, limit: int, save_to: Path | None = None) -> str:
    """Return the newest letters to an address, the oldest of them first.

    An empty address means all addresses. Attachments are written to *save_to*, if given.
    """
    folder = outgoing_maildir(config)
    letters = read_newest(folder, address, limit)
    if not letters:
        return f"No letter{f' to {address}' if address else ''} in {folder} yet."
    read = [read_letter(raw) for raw in reversed(letters)]
    saved = [path for letter in read for path in _save_files(letter, save_to)] if save_to else []
    told = [f"saved: {path}" for path in saved]
    return "\n\n".join([show_letters(read), *(["\n".join(told)] if told else [])])


def read_letter(raw: bytes) -> EmailMessage:
    """Parse one of the judge's letters."""
    letter = message_from_bytes(raw, policy=policy.default)
    assert isinstance(letter, EmailMessage)
    return letter


def show_letters(letters: list[EmailMessage]) -> str:
    """Return letters as text, each below a line."""
    return "\n\n".join(f"{_RULE}\n{show_letter(letter)}" for letter in letters)


def show_letter(letter: EmailMessage) -> str:
    """Return a letter as text: the main headers and the plain text."""
    body = letter.get_body(("plain",))
    text = "" if body is None else str(body.get_content())
    heads = [printable_line(f"{name}: {letter[name]}") for name in _SHOWN if letter[name]]
    return printable("\n".join([*heads, "", text.rstrip(), *_describe_enclosures(letter)]))


def _describe_enclosures(letter: EmailMessage) -> Iterator[str]:
    """Yield the other parts of a letter: further texts, and the attached files."""
    for part in list_enclosures(letter):
        note = part["Content-ID"] or not part.get_filename()
        if part.get_content_type() == "text/plain" and note:
            yield f"\n{str(part.get_content()).rstrip()}"
        else:
            size = max(round(len(_octets(part)) / 1000), 1)
            yield f"\n[attached: {_file_name(part)}, {size} kB]"


def _save_files(letter: EmailMessage, folder: Path) -> Iterator[Path]:
    """Write the attachments of a letter to a folder, and yield their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in list_enclosures(letter):
        if part.get_filename():
            path = folder / _file_name(part)
            path.write_bytes(_octets(part))
            yield path


def _file_name(part: EmailMessage) -> str:
    return safe_name(part.get_filename() or "")


def _octets(part: EmailMessage) -> bytes:
    octets = part.get_payload(decode=True)
    return octets if isinstance(octets, bytes) else b""


def printable(text: str) -> str:
    r"""Replace control characters, so that a text cannot control a terminal.

    >>> printable("a\x1b[2Jb")
    'a?[2Jb'
    """
    return "".join(c if c in "\n\t" or c.isprintable() else "?" for c in text)


def printable_line(text: str) -> str:
    r"""Return a printable text in one line.

    It cannot forge another line of a list.

    >>> printable_line("450 later,\r\n  out:7\x1b[2J")
    '450 later,   out:7?[2J'
    """
    return printable(_LINE_BREAKS.sub(" ", text))
