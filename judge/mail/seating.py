"""What commands about people and their seats mean: values of `judge.words.seating`."""

from typing import TypedDict

from lark import Token, Transformer, v_args

from judge.words import seating
from judge.words.command import Command
from judge.words.complaint import Complaint

Meaning = tuple[Command, ...] | Complaint
"""What a piece comes to: nearly always one command."""

_Words = tuple[str, ...]


class Where(TypedDict):
    """What every command knows."""

    line: int
    text: str


@v_args(inline=True)
class SeatingMeaning(Transformer[Token, Meaning]):
    """The rules about people, one method for each; the rest of the language builds on it."""

    _at: Where

    def register(self, *rest: Token) -> Command:
        """REGISTER; its fields come from the block."""
        return seating.Register(**self._at)

    def info(self, who: str = "") -> Command:
        """INFO PLAYER ann@example.org."""
        return seating.InfoPlayer(**self._at, who=who)

    def standby(self, typed: _Words) -> Command:
        """STANDBY youngstown."""
        maps = tuple(word.lower().strip(",.") for word in typed)
        return seating.StandBy(**self._at, maps=tuple(word for word in maps if word))

    def standby_off(self) -> Command:
        """SET NO STANDBY."""
        return seating.StandBy(**self._at, off=True)

    def invite(self, address: Token, power: str = "") -> Command:
        """INVITE ann@example.org N."""
        return seating.Invite(**self._at, address=bare_address(address), power=power)

    def uninvite(self, address: Token) -> Command:
        """UNINVITE ann@example.org."""
        return seating.Invite(**self._at, address=bare_address(address), off=True)

    def approve(self, who: str) -> Command:
        """APPROVE ann@example.org."""
        return seating.Approve(**self._at, who=bare_address(who))

    def disapprove(self, who: str) -> Command:
        """REFUSE ann@example.org."""
        return seating.Approve(**self._at, who=bare_address(who), off=True)

    def sitter(self, address: Token, until: _Words) -> Command:
        """SITTER ann@example.org UNTIL 3 Mar."""
        return seating.Sitter(**self._at, address=bare_address(address), until=until)

    def sitter_off(self) -> Command:
        """SITTER OFF."""
        return seating.Sitter(**self._at)

    def sit(self, seat: tuple[str, str]) -> Command:
        """SIT india@marco."""
        return seating.Sit(**self._at, who=seat[0], game=seat[1])

    def confirm(self) -> Command:
        """CONFIRM."""
        return seating.Confirm(**self._at)

    def also(self, address: str = "") -> Command:
        """IAMALSO ann@work.example."""
        return seating.IAmAlso(**self._at, address=bare_address(address))

    def also_off(self, address: Token) -> Command:
        """IAMALSO OFF ann@work.example."""
        return seating.IAmAlso(**self._at, address=bare_address(address), off=True)


def bare_address(typed: str) -> str:
    """Return an address freed of what people put around it.

    >>> bare_address("<ann@example.org>,")
    'ann@example.org'
    """
    return typed.strip("<>,;:.'\"()")
