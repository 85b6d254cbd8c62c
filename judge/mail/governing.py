"""What commands of masters mean: values of `judge.words.governing`."""

from lark import Token, v_args

from judge.mail.seating import Meaning, SeatingMeaning, bare_address
from judge.words import governing
from judge.words.command import ChangeSetting, Command

_Words = tuple[str, ...]


@v_args(inline=True)
class GoverningMeaning(SeatingMeaning):
    """The rules about masters and what they do to a game, one method for each."""

    def become(self, who: str) -> Command:
        """BECOME N, BECOME MASTER."""
        return governing.Become(**self._at, who=who.rstrip(".!"))

    def promote(self, who: str, owner: str = "") -> Command:
        """PROMOTE ann@example.org, PROMOTE ann@example.org OWNER."""
        return governing.Promote(**self._at, who=bare_address(who), owner=bool(owner))

    def demote(self, who: str) -> Command:
        """DEMOTE ann@example.org."""
        return governing.Promote(**self._at, who=bare_address(who), off=True)

    def official(self, subject: _Words) -> Command:
        """OFFICIAL A day later; its body comes from the block."""
        return governing.Announce(**self._at, subject=" ".join(subject))

    def dummy(self, who: str, stance: str = "") -> Command:
        """DUMMY N, DUMMY N SUPPORT."""
        return governing.Dummy(**self._at, who=who.rstrip(".!"), stance=stance.lower())

    def revive(self, who: str, address: str = "") -> Command:
        """REVIVE N, REVIVE N ann@example.org."""
        return governing.Revive(**self._at, who=who.rstrip(".!"), address=bare_address(address))

    def unstart(self, phase: str = "") -> Command:
        """UNSTART S1901M."""
        return governing.Unstart(**self._at, phase=phase)

    def rename(self, name: str) -> Command:
        """RENAME polo."""
        return governing.Rename(**self._at, name=name.lower().lstrip("?").rstrip(".!"))

    def freeze(self, what: str = "") -> Command:
        """FREEZE, FREEZE VOTES: the settings of these words."""
        return ChangeSetting(**self._at, words=("FREEZE", *filter(None, [what.upper()])))

    def thaw(self) -> Command:
        """UNFREEZE."""
        return ChangeSetting(**self._at, words=("FREEZE",), off=True)

    def log(self, *parts: Token | tuple[str, _Words]) -> Meaning | Command:
        """LOG marco LINES 50."""
        game = next((part.lower() for part in parts if isinstance(part, Token)), "")
        spans = dict(part for part in parts if not isinstance(part, Token))
        lines = int(spans.get("lines", ("200",))[0])
        return governing.ShowLog(**self._at, game=game, lines=lines)
