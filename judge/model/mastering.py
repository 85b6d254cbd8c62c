"""Commands of masters: to a game, about each other and its powers, and about whole games."""

from dataclasses import dataclass

from judge.model.command import MASTER_WORDS, Command, SeatChange
from judge.model.incoming import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp(Command):
    """Master: a `SETUP … ENDSETUP` block, or `SETUP word` which says yes to the one shown."""

    word: str = ""
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Import(Command):
    """`IMPORT trial marco`: a game that is over once more, to play with; or a block with one."""

    name: str
    """What the new game is called."""
    game: str = ""
    lines: tuple[Line, ...] = ()

    def seat_change(self) -> SeatChange | None:
        """Return the seat of the copy's master; a whole game opens none."""
        return SeatChange(self.game, is_masters=True, name=self.name) if self.game else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Become(Command):
    """`BECOME N`: what follows is for that power; `BECOME MASTER` ends it."""

    who: str

    def seat_change(self) -> SeatChange:
        """Return the seat that is open now."""
        return SeatChange(is_masters=self.who.lower() in MASTER_WORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Command):
    """An `OFFICIAL subject … ENDOFFICIAL` block: a letter to everybody; `body` as typed."""

    subject: str = ""
    body: tuple[str, ...] = ()
