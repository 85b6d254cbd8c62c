"""A received mail as a value, and confirmation replies."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import NamedTuple


class Line(NamedTuple):
    """One significant line of a mail, with its number (from 1, among all lines)."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class IfBlock:
    """An IF block: a condition, lines that apply if it is true, and alternatives.

    The condition is evaluated by the reader of the lines. ELSE IF is a nested block in `otherwise`.
    """

    test: Line
    then: "Body"
    otherwise: "Body" = ()

    def lines(self) -> Iterator[Line]:
        """Yield all lines in it, without the conditions, in the order of the mail."""
        for each in (*self.then, *self.otherwise):
            if isinstance(each, Line):
                yield each
            else:
                yield from each.lines()


Body = tuple[Line | IfBlock, ...]
"""Lines and IF blocks in the order of the mail."""


class MailboxPlace(NamedTuple):
    """Place of a fetched mail in its mailbox, and what recognises the mail elsewhere."""

    box: str
    """Account and folder."""
    validity: int
    """UIDVALIDITY of the folder: UIDs of another one mean other mails."""
    uid: int
    size: int
    """RFC822.SIZE, as the server reports it."""
    dated: datetime
    """INTERNALDATE, the time of delivery into the mailbox."""
    hash: str
    """SHA-256 of the octets."""
    message_id: str


@dataclass(frozen=True, slots=True)
class Arrival:
    """A received message: its raw octets and its envelope."""

    raw: bytes
    sender: str
    """Envelope sender. Empty for the null sender `<>`."""
    recipients: tuple[str, ...]
    peer: str = ""
    came: datetime | None = None
    """Time of delivery into a mailbox, or None for a message that arrives now."""
    place: MailboxPlace | None = None
    """Place in that mailbox, or None."""


class UnmarkedQuote(NamedTuple):
    """Lines below the header of a quote without quote marks.

    Their author is uncertain.
    """

    line: int
    """Line number of the header."""
    head: str
    """Beginning and end of the header, without names and addresses."""
    lines: int
    """Number of lines below the header, not counting blank ones."""


@dataclass(frozen=True, slots=True)
class SkippedLines:
    """Numbers of skipped lines by kind, for one line of the reply."""

    quoted: int = 0
    signature: int = 0
    footer: int = 0
    unsure: int = 0
    """Number of quoted lines that may be the sender's own."""
    below: UnmarkedQuote | None = None
    """Lines skipped only because they are below a header. `quoted` includes them."""
    is_cut: bool = False
    """True if the text was too long to be read whole."""


class Attached(NamedTuple):
    """A plain-text attachment, read if the mail itself has no command or order."""

    name: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Incoming:
    """One parsed mail: its sender, its recipient address and its significant lines."""

    number: int
    """Queue number of the stored message."""
    accepted: datetime
    """Time of the SMTP reply 250 (UTC), which is compared with deadlines."""
    sender: str
    """From address, with the domain in lower case. Empty if there is no usable one."""
    detail: str
    """Text after the `+` in the judge's address: a token, or empty."""
    subject: str
    message_id: str
    lines: tuple[Line, ...]
    ignored: SkippedLines = field(default_factory=SkippedLines)
    sealed: bool = False
    """True if the whole mail is encrypted."""
    machine: str = ""
    """Reason why it is automatic mail, never answered ("bounce", "own" …), or empty."""
    presumed: str = ""
    """Reason why it may be automatic mail ("list", "notice", "auto-reply"), or empty.

    Only commands and orders of such a mail are accepted, and only with the password or reply
    address of a seat."""
    struck: tuple[Line, ...] = ()
    """Text that the sender struck out."""
    attached: tuple[Attached, ...] = ()
    files: tuple[str, ...] = ()
    """Names of the attachments that are not read, as a reply shows them."""
    references: str = ""
    forged: bool = False
    """True if the trusted mail server reports the sender as forged."""


class ConfirmationReply(Enum):
    """Meaning of a reply to a question of the judge."""

    YES = "yes"
    NO = "no"
    UNDO = "undo"
    """Request to undo a change that the letter reported."""
    UNCLEAR = "unclear"
    """Text that is neither yes nor no."""
    NOTHING = "nothing"
    """No text of its own."""
