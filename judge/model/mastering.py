"""Commands of masters: to a game, about each other and its powers, and about whole games."""

from dataclasses import dataclass

from judge.model.command import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Command):
    """An `OFFICIAL subject … ENDOFFICIAL` block: a letter to everybody; `body` as typed."""

    subject: str = ""
    body: tuple[str, ...] = ()
