"""What a mail asks of the judge, line by line, as values; `judge.play` carries them out.

Every command knows its line number and, where it matters for an answer, its text as typed with
secrets replaced by `***`. Whatever the sender wrote that means the same is the same value:
`SIGNON ?marco pw` and `JOIN marco pw` are both a `Join`. The commands stand by subject in `seats`,
`orders`, `press`, `asking` and `mastering`.
"""

from dataclasses import dataclass

from judge.words.complaint import Complaint
from judge.words.consent import Consent


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One thing asked for; `text` is the line as typed, without secrets."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A mail as commands: what was understood, in order, and what was not.

    `complaints` are of the command language only. `unread` counts lines left unread on purpose
    (after SIGNOFF, or after a block that was never closed); `quoted` are the first of them as an
    answer may show them, `below` is the head of that block.
    """

    commands: tuple[Command, ...]
    complaints: tuple[Complaint, ...] = ()
    unread: int = 0
    quoted: tuple[str, ...] = ()
    below: str = ""
    consent: Consent = Consent.NOTHING
    """What the mail says where it answers a question of ours."""
