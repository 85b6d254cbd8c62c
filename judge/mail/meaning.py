"""What the tree of a command means: values of `judge.words.command`, one method for each rule."""

from collections.abc import Iterable, Sequence

from lark import Token, v_args

from judge.mail.archive import ArchiveMeaning
from judge.mail.figures import FiguresMeaning
from judge.mail.foresight import ForesightMeaning
from judge.mail.forms import first_word
from judge.mail.governing import GoverningMeaning
from judge.mail.pieces import Piece, Span
from judge.mail.picturing import PicturingMeaning
from judge.mail.seating import Meaning, Where
from judge.mail.speaking import PressMeaning
from judge.words import command
from judge.words.command import Command
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.reason import Reason, because

_BARE: dict[str, type[Command]] = {
    "pause": command.Pause,
    "resign": command.Resign,
    "resume": command.Resume,
    "sign_off": command.SignOff,
    "status": command.Status,
    "unsubscribe": command.Unsubscribe,
}
"""Rules that carry nothing but their name."""

_WHO = {
    "gm": "master",
    "gamemaster": "master",
    "moderator": "master",
    "obs": "observer",
    "watcher": "observer",
}

_Words = tuple[str, ...]
_Span = tuple[str, _Words]


@v_args(inline=True)
class CommandMeaning(
    PressMeaning, GoverningMeaning, ForesightMeaning, ArchiveMeaning, PicturingMeaning,
    FiguresMeaning,
):
    """Turns the tree of one piece into its meaning; `text` is the piece without secrets."""

    def __init__(self, piece: Piece, text: str) -> None:
        super().__init__()
        self._piece = piece
        self._at: Where = {"line": piece.number, "text": text}

    def __default__(self, data: Token, children: Sequence[object], meta: object) -> Command:
        return _BARE[data](**self._at)

    def start(self, meaning: Command | Meaning) -> Meaning:
        """Return what the whole piece came to."""
        return (meaning,) if isinstance(meaning, Command) else meaning

    def _no(self, kind: ComplaintKind, reason: Reason, *suggestions: str) -> Complaint:
        return Complaint(kind, **self._at, reason=reason, suggestions=suggestions)

    # The smallest parts.

    def PASSWORD(self, token: Token) -> str:
        """Return a password as it was typed, not as it was cleaned."""
        assert token.start_pos is not None and token.end_pos is not None
        return self._piece.typed(Span(token.start_pos, token.end_pos))

    def WORD(self, token: Token) -> str:
        """Return a word."""
        return str(token)

    def QUOTED(self, token: Token) -> str:
        """Return quoted words as one, without the quotes."""
        return token[1:-1]

    def words(self, *typed: str) -> _Words:
        """Return words as typed."""
        return typed

    def free_words(self, *typed: str) -> _Words:
        """Return words as typed, one at least."""
        return typed

    def words1(self, *typed: str) -> _Words:
        """Return words as typed, one at least."""
        return typed

    def seat(self, token: Token) -> tuple[str, str]:
        """Return who and which game: "Nmarco" is ("n", "marco")."""
        if token.type == "NAMED":
            who, _, game = token.lower().partition("@")
            return _WHO.get(who, who), game
        return token[0].lower(), token[1:].lower()

    # Seats.

    def sign_on(self, seat: tuple[str, str], password: str) -> Command:
        """SIGNON Nmarco pw."""
        return command.SignOn(**self._at, who=seat[0], game=seat[1], password=password)

    def sign_on_and_resign(self, seat: tuple[str, str], password: str) -> Meaning:
        """RESIGN india@marco pw."""
        return self.sign_on(seat, password), command.Resign(**self._at)

    def join(self, game: Token, password: str, *rest: Token | _Words) -> Command:
        """JOIN marco pw, SIGNON ?marco pw, SIGNON ? pw."""
        power, _, name = game.lower().rpartition("@")
        variant = next((part for part in rest if isinstance(part, tuple)), ())
        return command.Join(
            **self._at,
            game=name.lstrip("?"),
            password=password,
            power=power,
            again=any(isinstance(part, Token) for part in rest),
            variant=_plain_words(variant),
        )

    def create(self, game: Token, password: str, variant: _Words) -> Command:
        """CREATE ?marco pw youngstown."""
        return command.Create(
            **self._at,
            game=game.lower().lstrip("?"),
            password=password,
            variant=_plain_words(variant),
        )

    def observe(self, game: Token, password: str = "", *, results_only: bool = False) -> Command:
        """OBSERVE marco."""
        return command.Observe(
            **self._at,
            game=game.lower().rpartition("@")[2],
            password=password,
            results_only=results_only,
        )

    def monitor(self, game: Token, password: str = "") -> Command:
        """MONITOR marco."""
        return self.observe(game, password, results_only=True)

    def takeover(self, seat: tuple[str, str], password: str, typed: _Words) -> Command:
        """TAKEOVER Nmarco pw."""
        who, game = seat
        return command.Takeover(
            **self._at, who=who, game=game, password=password, words=_plain_words(typed)
        )

    def reset(self, seat: tuple[str, str] | Token) -> Command:
        """RESET PASSWORD Nmarco, RESET PASSWORD ?marco."""
        if isinstance(seat, Token):
            seat = "?", seat.lstrip("?").lower()
        return command.ResetPassword(**self._at, who=seat[0], game=seat[1])

    # Settings.

    def change_setting(self, typed: _Words, *, off: bool = False) -> Command:
        """SET WAIT."""
        if len(typed) == 1:
            typed = (typed[0].rstrip(".!") or typed[0],)
        return command.ChangeSetting(**self._at, words=typed, off=off)

    def change_setting_off(self, typed: _Words) -> Command:
        """SET NO WAIT."""
        return self.change_setting(typed, off=True)

    def wait(self) -> Command:
        """WAIT."""
        return self.change_setting(("WAIT",))

    def no_wait(self) -> Command:
        """NOWAIT."""
        return self.change_setting(("WAIT",), off=True)

    def change_password(self, password: str) -> Command:
        """SET PASSWORD new."""
        return command.ChangePassword(**self._at, password=password)

    # Readiness and votes.

    def ready(self) -> Command:
        """READY."""
        return command.Ready(**self._at)

    def unready(self) -> Command:
        """NOT READY."""
        return command.Ready(**self._at, ready=False)

    def vote(self, matter: str, typed: _Words = ()) -> Command:
        """VOTE DRAW."""
        return command.Vote(**self._at, matter=matter.lower().rstrip(".!"), words=typed)

    def set_vote(self, matter: Token, typed: _Words = ()) -> Command:
        """SET DRAW, SET CONCEDE E."""
        return self.vote(matter.type, typed)

    def unvote(self, matter: str = "") -> Command:
        """UNVOTE, UNVOTE DRAW, SET NO DRAW."""
        if isinstance(matter, Token):
            matter = matter.type
        return command.Unvote(**self._at, matter=matter.lower().rstrip(".!"))

    # Asking.

    def games(self, *parts: Token) -> Command:
        """LIST marco FULL."""
        full = any(part.type == "FULL" for part in parts)
        return command.ListGames(**self._at, game=_game(parts), full=full)

    def summary(self, *parts: Token) -> Command:
        """SUMMARY marco."""
        return command.Summary(**self._at, game=_game(parts))

    def since(self, typed: _Words) -> _Span:
        """FROM Jan 1."""
        return "since", typed

    def until(self, typed: _Words) -> _Span:
        """TO Feb 3."""
        return "until", typed

    def lines(self, number: Token) -> _Span:
        """LINES 200."""
        return "lines", (str(number),)

    def without_from(self, phase: str) -> _Span:
        """EXCLSTART S1903M."""
        return "without", (phase,)

    def without_to(self, phase: str) -> _Span:
        """EXCLEND F1905B."""
        return "without_to", (phase,)

    def broad(self) -> _Span:
        """BROAD."""
        return "broad", ()

    def history(self, *parts: Token | _Span) -> Command:
        """HISTORY marco FROM Jan 1 LINES 200, HISTORY marco EXCLSTART S1903M."""
        spans = dict(part for part in parts if isinstance(part, tuple))
        without = spans.get("without", ())
        return command.History(
            **self._at,
            game=_game(part for part in parts if isinstance(part, Token)),
            since=spans.get("since", ()),
            until=spans.get("until", ()),
            lines=int(spans.get("lines", ("1000",))[0]),
            without=without + spans.get("without_to", ()) if without else (),
            results_only=bool(without) and "broad" not in spans,
        )

    def help(self, topic: _Words) -> Command:
        """HELP press, GET rules; GET DEDICATION asks for one's own figures."""
        if topic and topic[0].lower() == "dedication":
            return self.info()
        return command.Help(**self._at, topic=" ".join(topic).lower().rstrip(".!?"))

    def help_in_german(self, topic: _Words) -> Command:
        """HILFE fristen."""
        asked = " ".join(topic).lower().rstrip(".!?")
        return command.Help(**self._at, topic=asked, language="de")

    def version(self, level: str = "") -> Command:
        """VERSION."""
        return command.Version(**self._at)

    # The master.

    def begin(self, now: str = "") -> Command:
        """START, START NOW, FORCE BEGIN."""
        return command.Start(**self._at, now=bool(now))

    def phase(self, *parts: Token) -> str:
        """Return a phase: "Winter 1901 Builds" is "F1901A", as is F1901B."""
        if parts[0].type == "LABEL":
            return parts[0].upper()
        season = "S" if parts[0].type == "SPRING" else "F"
        kind = {"MOVES": "M", "RETREATS": "R", "BUILDS": "A"}
        return f"{season}{parts[1]}{kind[parts[-1].type] if len(parts) > 2 else 'A'}"

    def process(self, phase: str = "") -> Command:
        """PROCESS S1901M."""
        return command.Process(**self._at, phase=phase)

    def eject(self, who: str) -> Command:
        """EJECT india."""
        return command.Eject(**self._at, who=who)

    def terminate(self, game: str = "", phase: str = "") -> Command:
        """TERMINATE marco S1901M."""
        return command.Terminate(**self._at, game=game.lower(), phase=phase)

    # What is no command here.

    def stray_end(self) -> Complaint:
        """ENDPRESS without PRESS."""
        word = first_word(self._piece.plain)
        return self._no(ComplaintKind.UNREADABLE, because("end-without-beginning", word=word))


def _game(parts: Iterable[Token]) -> str:
    return next((part.lower() for part in parts if part.type == "GAME"), "")


def _plain_words(typed: _Words) -> _Words:
    """Return words in lower case, freed of commas between them."""
    return tuple(word for word in (each.lower().strip(",") for each in typed) if word)
