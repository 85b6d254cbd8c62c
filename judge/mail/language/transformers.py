"""Transformers of parse trees into commands (`judge.model`), by subject."""

from collections.abc import Sequence
from typing import NamedTuple

from lark import Token, v_args

from judge.mail.language.parts import BaseTransformer, Meaning
from judge.model.command import Command, Spans, Words
from judge.model.master_commands import Announce
from judge.model.phrase import Complaint, ComplaintKind, phrase
from judge.model.press_commands import GREY, WHITE, SendPress
from judge.model.seat_commands import (
    ChangeSetting,
    Register,
)


@v_args(inline=True)
class QueryTransformer(BaseTransformer):
    """Transformer of the grammar rules about questions."""

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


@v_args(inline=True)
class OrderTransformer(BaseTransformer):
    """Transformer of the grammar rules about orders, readiness and votes."""


    def condition(self, *rest: Token) -> Complaint:
        """IF without the rest of its block."""
        return self._no(ComplaintKind.UNREADABLE, phrase("if-not-closed", count=1))


class _To(NamedTuple):
    """A list of readers."""

    names: tuple[str, ...] = ()
    all_but: bool = False


class _Fake(NamedTuple):
    """Recipients that a press letter shows."""

    to: _To


class _From(NamedTuple):
    """Sender that a press letter shows."""

    name: str


_Part = _To | _Fake | _From | str


@v_args(inline=True)
class PressTransformer(BaseTransformer):
    """Transformer of the grammar rules about press."""

    def to_all(self) -> _To:
        """TO ALL."""
        return _To()

    def to_some(self, *names: Token) -> _To:
        """TO F I."""
        return _To(_names(names))

    def to_letters(self, *names: Token) -> _To:
        """TO +GM, which is Germany and the master (as nJudge)."""
        letters = [letter for name in names for letter in (name if name.isupper() else [name])]
        return _To(tuple(letter.lower() for letter in letters))

    def to_others(self, *names: Token) -> _To:
        """TO ALL BUT F."""
        return _To(_names(names), all_but=True)

    def white(self) -> str:
        """WHITE."""
        return WHITE

    def grey(self) -> str:
        """GREY."""
        return GREY

    def no_fake(self) -> str:
        """NO FAKE."""
        return "honest"

    def fake(self, to: _To) -> _Fake:
        """FAKE TO G."""
        return _Fake(to)

    def fake_to_all(self) -> _Fake:
        """FAKE BROADCAST."""
        return _Fake(_To())

    def feigned(self, name: Token) -> _From:
        """FROM G."""
        return _From(name.strip(".:;!,"))

    def press(self, *parts: _Part) -> Meaning:
        """PRESS TO F I. Its body comes from the block."""
        return self._press(parts)

    def press_to_all(self, *parts: _Part) -> Meaning:
        """BROADCAST."""
        return self._press(parts)

    def postal_press(self, *parts: _Part) -> Meaning:
        """POSTAL PRESS."""
        return self._press(parts, postal=True)

    def press_to_nobody(self, *parts: _Part) -> Complaint:
        """PRESS without recipients, refused to avoid accidental broadcasts."""
        return self._no(ComplaintKind.UNREADABLE, phrase("press-to-whom"), "PRESS TO ALL")

    def _press(self, parts: Sequence[_Part], postal: bool = False) -> Meaning:
        """Combine the parts of a press head. Contradictory parts are refused."""
        tos = [part for part in parts if isinstance(part, _To)] or [_To()]
        fakes = [part.to for part in parts if isinstance(part, _Fake)]
        senders = [part.name for part in parts if isinstance(part, _From)]
        words = {part for part in parts if isinstance(part, str)}
        colours = sorted(words & {WHITE, GREY})
        honest = "honest" in words
        if len(colours) + bool(senders) > 1 or len(fakes) + honest > 1 or len(senders) > 1:
            reason = phrase("press-contradiction", to=phrase("example-to"))
            return self._no(ComplaintKind.AMBIGUOUS, reason)
        fake = fakes[0] if fakes else _To()
        return (
            SendPress(
                **self._at,
                to=tos[0].names,
                body=(),
                all_but=tos[0].all_but,
                colour="".join(colours),
                fake=bool(fakes),
                fake_to=fake.names,
                fake_all_but=fake.all_but,
                honest=honest,
                sender="".join(senders),
                postal=postal,
            ),
        )

    def stray_end(self) -> Complaint:
        """ENDPRESS without PRESS."""
        word, to = self._language.first_word(self._piece.plain), phrase("example-to")
        reason = phrase("end-without-beginning", word=word, to=to)
        return self._no(ComplaintKind.UNREADABLE, reason)


def _names(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the names of a list without punctuation."""
    names = (name.strip(".:;!&") for token in tokens for name in token.split(","))
    return tuple(name for name in names if name)


_WHO = {
    "gm": "master",
    "gamemaster": "master",
    "moderator": "master",
    "obs": "observer",
    "watcher": "observer",
}


@v_args(inline=True)
class SeatTransformer(BaseTransformer):
    """Transformer of the grammar rules about seats, people and settings."""

    def seat(self, token: Token, game: Token | None = None) -> tuple[str, str]:
        """Return the seat and the game: "Nmarco" and "N marco" are ("n", "marco")."""
        if game is not None:
            return token.lower(), game.lower()
        if token.type == "NAMED":
            who, _, name = token.lower().partition("@")
            return _WHO.get(who, who), name
        return token[0].lower(), token[1:].lower()

    def give_name(self, typed: Words) -> Command | Complaint:
        """NAME Ann Example, or NAME OFF to remove the name.

        Names are shown to others, and mails contain sentences above their orders such as "name the
        day". So it is a command if NAME is in capitals or no word of the name begins in lower case.
        """
        name = " ".join(typed)
        if name.lower().rstrip(".!") in ("off", "none"):
            return Register(**self._at, fields=(("name", ""),))
        begun = self._piece.plain.lstrip()
        if begun[:4].isupper() or not any(word[:1].islower() for word in typed):
            return Register(**self._at, fields=(("name", name),))
        return self._no(ComplaintKind.UNREADABLE, phrase("name-or-prose"), f"NAME {name}")


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
        """FREEZE or FREEZE VOTES, which are settings."""
        return ChangeSetting(**self._at, words=("FREEZE", *filter(None, [what.upper()])))

    def thaw(self) -> Command:
        """UNFREEZE."""
        return ChangeSetting(**self._at, words=("FREEZE",), off=True)


@v_args(inline=True)
class MasterTransformer(BaseTransformer):
    """Transformer of the grammar rules about masters and their commands to a game."""


    def official(self, subject: Words) -> Command:
        """OFFICIAL A day later. Its body comes from the block."""
        return Announce(**self._at, subject=" ".join(subject))

    def up_to(self) -> str:
        """TO, between two phases."""
        return "to"
