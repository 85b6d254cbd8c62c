"""What commands about pictures mean: values of `judge.words.picturing`."""

from lark import Token, v_args

from judge.mail.seating import SeatingMeaning
from judge.words.command import Command
from judge.words.picturing import ShowMap


@v_args(inline=True)
class PicturingMeaning(SeatingMeaning):
    """The rules about pictures, one method for each."""

    def show_map(self, *parts: Token | str) -> Command:
        """MAP, MAP marco, MAP marco S1901M, MAP S1901M TEXT."""
        found = {part.type: part.lower() for part in parts if isinstance(part, Token)}
        phases = [part for part in parts if not isinstance(part, Token)]
        return ShowMap(
            **self._at,
            game=found.get("GAME", ""),
            phase=phases[0] if phases else "",
            form=found.get("FORM", ""),
        )
