"""A Maildir as the place letters go to: one file a letter, for play without a mail server.

Each letter is written to `tmp`, synced and renamed into `new`, so that nobody ever sees half of
one. Its name comes from the letter alone: delivered twice, it is there once.
"""

import hashlib
import os
from pathlib import Path

from judge.digits import is_number
from judge.folders import make_folder
from judge.mail.address import addresses
from judge.mail.mime import Entity
from judge.words.record import Outgoing

FOLDERS = ("tmp", "new", "cur")


def put(path: Path, letter: Outgoing) -> None:
    """Deliver a letter into the Maildir at a path, made when missing.

    The file holds the message with the line ends of this system.

    Raises: OSError.
    """
    for folder in FOLDERS:
        make_folder(path / folder)
    name = _name(letter)
    draft = path / "tmp" / name
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(letter.message.replace(b"\r\n", b"\n"))
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path / "new" / name)
    folder_handle = os.open(path / "new", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder_handle)
    finally:
        os.close(folder_handle)


def newest(path: Path, address: str = "", limit: int = 20) -> list[bytes]:
    """Return the newest letters, newest first; only those to one address if given."""
    files = [file for folder in FOLDERS[1:] for file in (path / folder).glob("*")]
    found: list[bytes] = []
    for file in sorted(files, key=_age, reverse=True):
        if len(found) >= limit:
            break
        message = file.read_bytes()
        if not address or _is_to(message, address):
            found.append(message)
    return found


def _name(letter: Outgoing) -> str:
    """Return a file name that sorts by time and number and is the same for the same letter."""
    same = hashlib.sha256(letter.message).hexdigest()[:16]
    return f"{letter.queued.timestamp():.6f}.{letter.id}_{same}.judge"


def _age(file: Path) -> tuple[float, int, str]:
    """Return what a file sorts by: the instant and number in its name, as far as it has them."""
    seconds, _, rest = file.name.partition(".")
    micros, _, rest = rest.partition(".")
    number = rest.partition("_")[0]
    if not (is_number(seconds, 20) and is_number(micros, 20) and is_number(number, 20)):
        return file.stat().st_mtime, 0, file.name
    return float(f"{seconds}.{micros}"), int(number), file.name


def _is_to(message: bytes, address: str) -> bool:
    wanted = address.lower()
    to = Entity(message).all("to")
    return any(one.lower() == wanted for value in to for one in addresses(value))
