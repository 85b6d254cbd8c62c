"""What commands about later phases and possible orders mean: values of `judge.words.foresight`."""

from lark import Token, v_args

from judge.mail.seating import SeatingMeaning
from judge.words import foresight
from judge.words.command import Clear, Command
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.incoming import Line
from judge.words.reason import because

_Words = tuple[str, ...]


@v_args(inline=True)
class ForesightMeaning(SeatingMeaning):
    """The rules about later phases and possible orders, one method for each."""

    def clear(self, phase: str = "") -> Command:
        """CLEAR, CLEAR F1905M."""
        return Clear(**self._at, phase=phase)

    def for_phase(self, phase: str) -> Command:
        """PHASE F1905M."""
        return foresight.ForPhase(**self._at, phase=phase)

    def replace_all(self, *rest: Token) -> Command:
        """REPLACE."""
        return foresight.Replace(**self._at)

    def options(self, unit: _Words) -> Command:
        """OPTIONS A Par."""
        return foresight.Options(**self._at, unit=" ".join(unit).rstrip(".!"))

    def preview(self, order: _Words) -> Command:
        """PREVIEW, PREVIEW A Par - Bur; the lines of a block come from the block."""
        lines = (Line(self._at["line"], " ".join(order)),) if order else ()
        return foresight.Preview(**self._at, lines=lines)

    def condition(self, *rest: Token) -> Complaint:
        """IF without what makes it a block."""
        reason = because("if-not-closed", count=1)
        return Complaint(ComplaintKind.UNREADABLE, **self._at, reason=reason)
