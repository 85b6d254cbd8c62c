"""What questions mean."""

from collections.abc import Iterable

from lark import Token, v_args

from judge.mail.meaning.parts import PartsMeaning, Spans, Words
from judge.words.asking import Help, History, ListGames, ShowLog, ShowMap, ShowStatistics
from judge.words.command import Command
from judge.words.seats import InfoPlayer


@v_args(inline=True)
class AskingMeaning(PartsMeaning):
    """The rules about questions, one method for each."""

    def games(self, *parts: Token) -> Command:
        """LIST marco FULL."""
        full = any(part.type == "FULL" for part in parts)
        return ListGames(**self._at, game=_game(parts), full=full)

    def since(self, typed: Words) -> Spans:
        """FROM Jan 1."""
        return "since", typed

    def until(self, typed: Words) -> Spans:
        """TO Feb 3."""
        return "until", typed

    def without_from(self, phase: str) -> Spans:
        """EXCLSTART S1903M."""
        return "without", (phase,)

    def without_to(self, phase: str) -> Spans:
        """EXCLEND F1905B."""
        return "without_to", (phase,)

    def broad(self) -> Spans:
        """BROAD."""
        return "broad", ()

    def history(self, *parts: Token | Spans) -> Command:
        """HISTORY marco FROM Jan 1 LINES 200, HISTORY marco EXCLSTART S1903M."""
        spans = dict(part for part in parts if isinstance(part, tuple))
        without = spans.get("without", ())
        return History(
            **self._at,
            game=_game(part for part in parts if isinstance(part, Token)),
            since=spans.get("since", ()),
            until=spans.get("until", ()),
            lines=int(spans.get("lines", ("1000",))[0]),
            without=without + spans.get("without_to", ()) if without else (),
            results_only=bool(without) and "broad" not in spans,
        )

    def log(self, *parts: Token | Spans) -> Command:
        """LOG marco LINES 50."""
        spans = dict(part for part in parts if isinstance(part, tuple))
        lines = int(spans.get("lines", ("200",))[0])
        game = _game(part for part in parts if isinstance(part, Token))
        return ShowLog(**self._at, game=game, lines=lines)

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

    def statistics(self, map_name: str = "") -> Command:
        """STATISTICS standard."""
        return ShowStatistics(**self._at, map=map_name.lower().rstrip(".!"))

    def help(self, topic: Words) -> Command:
        """HELP press, GET rules; GET DEDICATION asks for one's own figures."""
        if topic and topic[0].lower() == "dedication":
            return InfoPlayer(**self._at)
        return Help(**self._at, topic=" ".join(topic).lower().rstrip(".!?"))

    def help_in_german(self, topic: Words) -> Command:
        """HILFE fristen."""
        asked = " ".join(topic).lower().rstrip(".!?")
        return Help(**self._at, topic=asked, language="de")


def _game(parts: Iterable[Token]) -> str:
    return next((part.lower() for part in parts if part.type == "GAME"), "")
