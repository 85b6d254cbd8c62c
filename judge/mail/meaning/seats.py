"""What commands about seats, people and settings mean."""

from lark import Token, v_args

from judge.mail.meaning.parts import Meaning, PartsMeaning, Words, bare_address, plain_words
from judge.words.command import Command
from judge.words.seats import (
    Approve,
    ChangeSetting,
    Create,
    IAmAlso,
    Invite,
    Join,
    Observe,
    ResetPassword,
    Resign,
    SignOn,
    Sit,
    Sitter,
    StandBy,
    Takeover,
)

_WHO = {
    "gm": "master",
    "gamemaster": "master",
    "moderator": "master",
    "obs": "observer",
    "watcher": "observer",
}


@v_args(inline=True)
class SeatsMeaning(PartsMeaning):
    """The rules about seats, people and settings, one method for each."""

    def seat(self, token: Token) -> tuple[str, str]:
        """Return who and which game: "Nmarco" is ("n", "marco")."""
        if token.type == "NAMED":
            who, _, game = token.lower().partition("@")
            return _WHO.get(who, who), game
        return token[0].lower(), token[1:].lower()

    def sign_on(self, seat: tuple[str, str], password: str) -> Command:
        """SIGNON Nmarco pw."""
        return SignOn(**self._at, who=seat[0], game=seat[1], password=password)

    def sign_on_and_resign(self, seat: tuple[str, str], password: str) -> Meaning:
        """RESIGN india@marco pw."""
        return self.sign_on(seat, password), Resign(**self._at)

    def join(self, game: Token, password: str, *rest: Token | Words) -> Command:
        """JOIN marco pw, SIGNON ?marco pw, SIGNON ? pw."""
        power, _, name = game.lower().rpartition("@")
        variant = next((part for part in rest if isinstance(part, tuple)), ())
        return Join(
            **self._at,
            game=name.lstrip("?"),
            password=password,
            power=power,
            again=any(isinstance(part, Token) for part in rest),
            variant=plain_words(variant),
        )

    def create(self, game: Token, password: str, variant: Words) -> Command:
        """CREATE ?marco pw youngstown."""
        name = game.lower().lstrip("?")
        return Create(**self._at, game=name, password=password, variant=plain_words(variant))

    def observe(self, game: Token, password: str = "", *, results_only: bool = False) -> Command:
        """OBSERVE marco."""
        name = game.lower().rpartition("@")[2]
        return Observe(**self._at, game=name, password=password, results_only=results_only)

    def monitor(self, game: Token, password: str = "") -> Command:
        """MONITOR marco."""
        return self.observe(game, password, results_only=True)

    def takeover(self, seat: tuple[str, str], password: str, typed: Words) -> Command:
        """TAKEOVER Nmarco pw."""
        who, game = seat
        words = plain_words(typed)
        return Takeover(**self._at, who=who, game=game, password=password, words=words)

    def reset(self, seat: tuple[str, str] | Token) -> Command:
        """RESET PASSWORD Nmarco, RESET PASSWORD ?marco."""
        if isinstance(seat, Token):
            seat = "?", seat.lstrip("?").lower()
        return ResetPassword(**self._at, who=seat[0], game=seat[1])

    def standby(self, typed: Words) -> Command:
        """STANDBY youngstown."""
        maps = tuple(word.lower().strip(",.") for word in typed)
        return StandBy(**self._at, maps=tuple(word for word in maps if word))

    def standby_off(self) -> Command:
        """SET NO STANDBY."""
        return StandBy(**self._at, off=True)

    def invite(self, address: Token, power: str = "") -> Command:
        """INVITE ann@example.org N."""
        return Invite(**self._at, address=bare_address(address), power=power)

    def uninvite(self, address: Token) -> Command:
        """UNINVITE ann@example.org."""
        return Invite(**self._at, address=bare_address(address), off=True)

    def approve(self, who: str) -> Command:
        """APPROVE ann@example.org."""
        return Approve(**self._at, who=bare_address(who))

    def disapprove(self, who: str) -> Command:
        """REFUSE ann@example.org."""
        return Approve(**self._at, who=bare_address(who), off=True)

    def sitter(self, address: Token, until: Words) -> Command:
        """SITTER ann@example.org UNTIL 3 Mar."""
        return Sitter(**self._at, address=bare_address(address), until=until)

    def sitter_off(self) -> Command:
        """SITTER OFF."""
        return Sitter(**self._at)

    def sit(self, seat: tuple[str, str]) -> Command:
        """SIT india@marco."""
        return Sit(**self._at, who=seat[0], game=seat[1])

    def also(self, address: str = "") -> Command:
        """IAMALSO ann@work.example."""
        return IAmAlso(**self._at, address=bare_address(address))

    def also_off(self, address: Token) -> Command:
        """IAMALSO OFF ann@work.example."""
        return IAmAlso(**self._at, address=bare_address(address), off=True)

    def change_setting(self, typed: Words, *, off: bool = False) -> Command:
        """SET WAIT."""
        if len(typed) == 1:
            typed = (typed[0].rstrip(".!") or typed[0],)
        return ChangeSetting(**self._at, words=typed, off=off)

    def change_setting_off(self, typed: Words) -> Command:
        """SET NO WAIT."""
        return self.change_setting(typed, off=True)

    def wait(self) -> Command:
        """WAIT."""
        return self.change_setting(("WAIT",))

    def no_wait(self) -> Command:
        """NOWAIT."""
        return self.change_setting(("WAIT",), off=True)

    def freeze(self, what: str = "") -> Command:
        """FREEZE, FREEZE VOTES: the settings of these words."""
        return ChangeSetting(**self._at, words=("FREEZE", *filter(None, [what.upper()])))

    def thaw(self) -> Command:
        """UNFREEZE."""
        return ChangeSetting(**self._at, words=("FREEZE",), off=True)
