"""What the heads of press and diaries mean: values of `judge.words.press`."""

from collections.abc import Sequence
from typing import NamedTuple

from lark import Token, v_args

from judge.mail.meaning.parts import Meaning, PartsMeaning
from judge.words.command import Command
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.press import DeleteDiary, GREY, ReadDiary, SendPress, WHITE
from judge.words.reason import because


class _To(NamedTuple):
    """A list of readers."""

    names: tuple[str, ...] = ()
    all_but: bool = False


class _Fake(NamedTuple):
    """The readers a letter is to show."""

    to: _To


class _From(NamedTuple):
    """The writer a letter is to show."""

    name: str


_Part = _To | _Fake | _From | str


@v_args(inline=True)
class PressMeaning(PartsMeaning):
    """The rules about press, one method for each."""

    def to_all(self) -> _To:
        """TO ALL."""
        return _To()

    def to_some(self, *names: Token) -> _To:
        """TO F I."""
        return _To(_names(names))

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
        """PRESS TO F I; its body comes from the block."""
        return self._press(parts)

    def press_to_all(self, *parts: _Part) -> Meaning:
        """BROADCAST."""
        return self._press(parts)

    def postal_press(self, *parts: _Part) -> Meaning:
        """POSTAL PRESS."""
        return self._press(parts, postal=True)

    def press_to_nobody(self, *parts: _Part) -> Complaint:
        """PRESS alone: no broadcast by accident."""
        return self._no(ComplaintKind.UNREADABLE, because("press-to-whom"), "PRESS TO ALL")

    def _press(self, parts: Sequence[_Part], postal: bool = False) -> Meaning:
        """Put a head together; who asks for two things that exclude each other gets neither."""
        tos = [part for part in parts if isinstance(part, _To)] or [_To()]
        fakes = [part.to for part in parts if isinstance(part, _Fake)]
        senders = [part.name for part in parts if isinstance(part, _From)]
        words = {part for part in parts if isinstance(part, str)}
        colours = sorted(words & {WHITE, GREY})
        honest = "honest" in words
        if len(colours) + bool(senders) > 1 or len(fakes) + honest > 1 or len(senders) > 1:
            return self._no(ComplaintKind.AMBIGUOUS, because("press-contradiction"))
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

    def read_diary(self, number: Token) -> Command:
        """DIARY READ 3."""
        return ReadDiary(**self._at, number=int(number))

    def delete_diary(self, number: Token) -> Command:
        """DIARY DELETE 3."""
        return DeleteDiary(**self._at, number=int(number))


def _names(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the names of a list one by one, freed of what punctuates it."""
    names = (name.strip(".:;!&") for token in tokens for name in token.split(","))
    return tuple(name for name in names if name)
