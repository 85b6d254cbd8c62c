"""Commands of masters."""

from dataclasses import dataclass

from judge.model.command import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Command):
    """An `OFFICIAL subject … ENDOFFICIAL` block, which sends a letter to everyone.

    `body` is the text as typed.
    """

    subject: str = ""
    body: tuple[str, ...] = ()
