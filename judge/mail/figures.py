"""What commands about ratings and statistics mean: values of `judge.words.figures`."""

from lark import Token, v_args

from judge.mail.seating import SeatingMeaning
from judge.words.command import Command
from judge.words.figures import ShowRating, ShowStatistics


@v_args(inline=True)
class FiguresMeaning(SeatingMeaning):
    """The rules about figures, one method for each."""

    def rating(self, *rest: Token) -> Command:
        """RATING."""
        return ShowRating(**self._at)

    def statistics(self, map_name: str = "") -> Command:
        """STATISTICS standard."""
        return ShowStatistics(**self._at, map=map_name.lower().rstrip(".!"))
