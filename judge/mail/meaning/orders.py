"""What commands about orders, readiness and votes mean."""

from lark import Token, v_args

from judge.mail.meaning.parts import PartsMeaning, Words
from judge.words.command import Command
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.incoming import Line
from judge.words.orders import Options, Preview, Ready, Unvote, Vote
from judge.words.reason import because


@v_args(inline=True)
class OrdersMeaning(PartsMeaning):
    """The rules about orders, readiness and votes, one method for each."""

    def options(self, unit: Words) -> Command:
        """OPTIONS A Par."""
        return Options(**self._at, unit=" ".join(unit).rstrip(".!"))

    def preview(self, order: Words) -> Command:
        """PREVIEW, PREVIEW A Par - Bur; the lines of a block come from the block."""
        lines = (Line(self._at["line"], " ".join(order)),) if order else ()
        return Preview(**self._at, lines=lines)

    def condition(self, *rest: Token) -> Complaint:
        """IF without what makes it a block."""
        return self._no(ComplaintKind.UNREADABLE, because("if-not-closed", count=1))

    def unready(self) -> Command:
        """NOT READY."""
        return Ready(**self._at, ready=False)

    def vote(self, matter: str, typed: Words = ()) -> Command:
        """VOTE DRAW."""
        return Vote(**self._at, matter=matter.lower().rstrip(".!"), words=typed)

    def set_vote(self, matter: Token, typed: Words = ()) -> Command:
        """SET DRAW, SET CONCEDE E."""
        return self.vote(matter.type, typed)

    def unvote(self, matter: str = "") -> Command:
        """UNVOTE, UNVOTE DRAW, SET NO DRAW."""
        if isinstance(matter, Token):
            matter = matter.type
        return Unvote(**self._at, matter=matter.lower().rstrip(".!"))
