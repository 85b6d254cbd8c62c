"""Commands about pictures of the board."""

from dataclasses import dataclass

from judge.words.command import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowMap(Command):
    """`MAP`, `MAP marco`, `MAP marco S1901M`, `MAP TEXT`: the board, or the orders of a phase.

    `form` is "png", "svg", "text" or empty: as the reader wants it in general.
    """

    game: str = ""
    phase: str = ""
    form: str = ""
