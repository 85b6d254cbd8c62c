"""Password hashing with argon2id, and a cache of verified passwords.

Hashing is slow on purpose, so it happens before the transaction opens (`Dispatcher.prepare`).
Inside the transaction the same questions are answered from memory. The cache holds a digest
under a key of this process, never a password.
"""

import hashlib
import hmac
import re
from collections import OrderedDict
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from judge.games.system import LineRead
from judge.model.command import PASSWORD_MASK
from judge.model.phrase import Complaint, Phrase

T = TypeVar("T")


class Cost(NamedTuple):
    """Cost of a hash, in passes, KiB of memory, and threads."""

    passes: int
    memory_kib: int
    threads: int


HASH_COST = Cost(2, 19 * 1024, 1)
"""Cost of a hash.

It is the minimum that OWASP's "Password Storage Cheat Sheet" asks of argon2id (19 MiB).
"""
MAX_REMEMBERED = 20_000
"""Maximum number of cached verdicts, and of prepared hashes."""
MAX = 64
"""Maximum length of a password in bytes."""
PLACEHOLDERS = frozenset({"yourpassword", "theirpassword", "deinpasswort", "ihrpasswort", "***"})
"""Words that the judge's letters print in place of a password."""


def is_placeholder(password: str) -> bool:
    """Return whether a password is a placeholder copied from a judge's letter.

    >>> is_placeholder("YourPassword"), is_placeholder("annsecret")
    (True, False)
    """
    return password.casefold() in PLACEHOLDERS


def is_acceptable(password: str) -> bool:
    """Return whether a text may be a password.

    That is one printable word of up to 64 bytes, without `;`, `,` and `#`.

    >>> is_acceptable("annsecret"), is_acceptable("a,b"), is_acceptable("")
    (True, False, False)
    """
    return (
        0 < len(password.encode()) <= MAX
        and not set(password) & set(";,#")
        and len(password.split()) == 1
        and password.isprintable()
    )


class PasswordCheck:
    """Hasher and checker of passwords, with a cache of verdicts."""

    def __init__(self, process_key: bytes) -> None:
        self._key = process_key
        self._hasher = PasswordHasher(*HASH_COST)
        self._verdicts: OrderedDict[bytes, bool] = OrderedDict()
        self._prepared: OrderedDict[bytes, str] = OrderedDict()

    def prepare(self, password: str) -> None:
        """Hash a password in advance, so that `hash` returns at once."""
        digest = self._digest("", password)
        if digest not in self._prepared:
            _keep(self._prepared, digest, self._hasher.hash(password))

    def hash(self, password: str) -> str:
        """Return an argon2id hash (19 MiB, t=2, p=1) for storage."""
        self.prepare(password)
        stored = self._prepared.pop(self._digest("", password))
        _keep(self._verdicts, self._digest(stored, password), True)
        return stored

    def knows(self, stored: str, password: str) -> bool:
        """Return whether a password is cached as right, which makes checking it free."""
        return self._verdicts.get(self._digest(stored, password), False)

    def is_right(self, stored: str, password: str) -> bool:
        """Return whether a password is the stored one. An empty hash fits none."""
        digest = self._digest(stored, password)
        if digest not in self._verdicts:
            _keep(self._verdicts, digest, self.verify(stored, password))
        return self._verdicts[digest]

    def forget_wrong(self) -> None:
        """Drop the verdicts on wrong passwords.

        Each mail then pays for its own guesses.
        """
        for digest in [d for d, right in self._verdicts.items() if not right]:
            del self._verdicts[digest]

    def verify(self, stored: str, password: str) -> bool:
        """Return whether a password fits a hash.

        It takes the time of one hash in any case.
        """
        if not stored or not is_acceptable(password):
            # The work is done in any case, so that the time taken does not reveal what was
            # wrong.
            self._hasher.hash(password[:MAX])
            return False
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False

    def _digest(self, stored: str, password: str) -> bytes:
        return hmac.digest(self._key, f"{stored}\0{password}".encode(), hashlib.sha256)


def _keep(key_values: OrderedDict[bytes, T], key: bytes, value: T) -> None:
    key_values[key] = value
    if len(key_values) > MAX_REMEMBERED:
        key_values.popitem(last=False)


_BEHIND = re.compile(
    r"\b(?:pass(?:wor[dt]|wd)|kennwort|sign[\s-]?(?:on|in)|log[\s-]?(?:on|in)|join|take\s?over)\b"
    r"[\s:=]*(?P<secret>\S.*)",
    re.IGNORECASE,
)


def mask_line(read: LineRead) -> LineRead:
    """Return a read line with *** for the words after PASSWORD, SIGNON or JOIN."""
    found = _BEHIND.search(read.line.text)
    if found is None:
        return read
    secrets = sorted({word.strip(".,:;!?()") for word in found["secret"].split()} - {""}, key=len)
    words = re.compile("|".join(map(re.escape, reversed(secrets))) or "(?!)", re.IGNORECASE)
    text = read.line.text[: found.start("secret")] + PASSWORD_MASK
    complaint = read.complaint and _mask_complaint(read.complaint, words, text)
    notes = tuple(_without(note, words) for note in read.notes)
    return replace(read, line=read.line._replace(text=text), complaint=complaint, notes=notes)


def _mask_complaint(complaint: Complaint, words: re.Pattern[str], text: str) -> Complaint:
    reason = _without(complaint.reason, words)
    return replace(complaint, text=text, reason=reason, column=None, suggestions=())


def _without(reason: Phrase, words: re.Pattern[str]) -> Phrase:
    return Phrase(reason.code, {key: _hidden(fact, words) for key, fact in reason.facts.items()})


def _hidden(fact: Any, words: re.Pattern[str]) -> Any:
    match fact:
        case str():
            return words.sub(PASSWORD_MASK, fact)
        case tuple() | list():
            return tuple(_hidden(each, words) for each in fact)
        case Phrase():
            return _without(fact, words)
        case _:
            return fact
