"""A mail that came in, as a value, and what it said to a question of ours."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import NamedTuple


class Line(NamedTuple):
    """One line of a mail's text that counts: its number (from 1, among all lines) and its text."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """An IF block: lines that count only if something is so, and those that count otherwise.

    Whoever reads the lines understands the test too; ELSE IF is a choice among the others.
    """

    test: Line
    then: "Body"
    otherwise: "Body" = ()

    def lines(self) -> Iterator[Line]:
        """Return all lines in it, without the tests, in the order of the mail."""
        for each in (*self.then, *self.otherwise):
            if isinstance(each, Line):
                yield each
            else:
                yield from each.lines()


Body = tuple[Line | Choice, ...]
"""Lines and choices among lines, in the order of the mail."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What the SMTP server hands over: the raw octets of one message and its envelope."""

    raw: bytes
    sender: str
    """Envelope sender; empty for the null sender `<>`."""
    recipients: tuple[str, ...]
    peer: str = ""


class Below(NamedTuple):
    """Lines below the head of a quote that no mark shows to be quoted; nobody knows whose."""

    line: int
    """The number of the head's line."""
    head: str
    """What it begins and ends with; names and addresses are left out."""
    lines: int
    """How many lines follow it, blank ones not counted."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """How many lines were left out, by kind; the answer says so in one line."""

    quoted: int = 0
    signature: int = 0
    footer: int = 0
    unsure: int = 0
    """How many of the quoted lines may be the sender's own after all."""
    below: Below | None = None
    """Where lines were left out only because they stand below a head; they are quoted ones too."""
    is_cut: bool = False
    """The text was too long to read whole."""


class Attached(NamedTuple):
    """A plain-text attachment; it is read where the mail itself holds no command or order."""

    name: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Incoming:
    """One mail as read: who wrote it, to which of our addresses, and the lines that count."""

    number: int
    """The queue number of the stored message."""
    accepted: datetime
    """The instant of our 250 (UTC): what counts for a deadline."""
    sender: str
    """The From address, domain in lower case; empty when there is none to be had."""
    detail: str
    """What stood after the `+` in our address: a token, or empty."""
    subject: str
    message_id: str
    lines: tuple[Line, ...]
    ignored: Ignored = field(default_factory=Ignored)
    sealed: bool = False
    """It is encrypted, and nothing else."""
    machine: str = ""
    """Why this is machine mail, never answered ("bounce", "own" …), or empty."""
    presumed: str = ""
    """Why this may be machine mail ("list", "auto-reply"): only commands and orders count, and only
    with the password or reply address of a seat. Empty for most mails."""
    struck: tuple[Line, ...] = ()
    """What the writer struck out."""
    attached: tuple[Attached, ...] = ()
    files: tuple[str, ...] = ()
    """Names of the parts that are not read, as an answer shows them."""
    references: str = ""
    forged: bool = False
    """The mail server we trust says that it is not from whom it says."""


class Consent(Enum):
    """The sense of an answer, as far as it can be told."""

    YES = "yes"
    NO = "no"
    UNDO = "undo"
    """What was done is to be taken back; nothing but such a question asks for it."""
    UNCLEAR = "unclear"
    """Words, but neither yes nor no."""
    NOTHING = "nothing"
    """No word of its own."""
