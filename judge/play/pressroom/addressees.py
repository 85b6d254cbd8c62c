"""Whom press is for: the words of its head, or the letter it answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from judge.play.office import find_side, sides_of, table_of, title_of
from judge.play.pressroom.correspondence import MASTER, OBSERVERS, knows_all, read_sent
from judge.play.session import Session
from judge.words.letter import Kind
from judge.words.press import GROUP, WRITER, SendPress
from judge.words.reason import Reason, because
from judge.words.record import GameRecord, GameState

_WORDS = {"m": MASTER, "master": MASTER, "gm": MASTER, "o": OBSERVERS, "observer": OBSERVERS,
          "observers": OBSERVERS}
_LETTERS = {"M": MASTER, "O": OBSERVERS}


@dataclass(frozen=True, slots=True)
class Readers:
    """For whom press is; nobody named and nothing answered: for everybody."""

    names: tuple[str, ...] = ()
    answered: tuple[int, ...] = ()
    """Seats that wrote a letter which did not name them."""
    answers: int = 0
    """The event answered."""
    thread: int = 0
    answers_hidden: bool = False
    """The letter answered named no writer: neither may learn who the other is."""

    @property
    def is_for_all(self) -> bool:
        """Tell whether it is for everybody."""
        return not self.names and not self.answered

    @property
    def is_for_master(self) -> bool:
        """Tell whether it is for the master alone."""
        return self.names == (MASTER,) and not self.answered


def read_readers(game: GameRecord, to: Sequence[str], all_but: bool) -> tuple[str, ...] | Reason:
    """Return the names a list of readers stands for; empty only for an empty list: everybody.

    A word is a power's name, or letters run together ("FI"; M is the master, O the observers).
    """
    named: dict[str, None] = {}
    for word in to:
        found = _names(game, word)
        if found is None:
            return because("press-to-unknown", word=word, game=game.name)
        named.update(dict.fromkeys(found))
    if not all_but:
        return tuple(named)
    begun = game.state is not GameState.FORMING
    powers = table_of(game).alive() if begun else tuple(side.name for side in sides_of(game))
    left = tuple(power for power in powers if power not in named)
    return left or because("press-to-nobody")


def _names(game: GameRecord, word: str) -> tuple[str, ...] | None:
    if word.casefold() in _WORDS:
        return (_WORDS[word.casefold()],)
    side = find_side(game, word)
    if side:
        return (side.name,)
    letters = {**{s.letter: s.name for s in sides_of(game)}, **_LETTERS}
    upper = word.upper()
    return tuple(letters[one] for one in upper) if set(upper) <= set(letters) else None


def readers_meant(session: Session, command: SendPress) -> Readers | Reason:
    """Return for whom a block of press, or a plain reply to press, is."""
    if command.to in ((WRITER,), (GROUP,)):
        return _answered(session, to_group=command.to == (GROUP,))
    names = read_readers(session.game, command.to, command.all_but)
    if isinstance(names, Reason):
        return names
    own = title_of(session.seat)
    others = tuple(name for name in names if name != own)
    return Readers(others) if others or not names else because("press-to-oneself")


def _answered(session: Session, to_group: bool) -> Readers | Reason:
    """Return for whom a plain reply to a press letter is: just those that letter shows.

    Whoever is shown as its writer, though it was another, gets the reply; where nobody is shown,
    whoever it was gets it, and neither learns who the other is.
    """
    game, number = session.game, session.press_answered
    event = session.office.games.event(number)
    if event is None or event.kind != Kind.PRESS.value or event.game != game.id:
        return because("press-to-unknown", word="the writer", game=game.name)
    sent = read_sent(event.text)
    seat, own = session.seat, title_of(session.seat)
    knows = knows_all(game, seat, sent)
    writer = sent.name if knows else sent.shown_as
    to = sent.to if knows else sent.shown_to
    thread = sent.thread or number
    hidden = writer is None
    names: tuple[str, ...] = ()
    answered: tuple[int, ...] = ()
    if to_group and not to and not sent.answered:
        return Readers((), (), number, thread, hidden)
    if hidden or writer in ("", "Observer"):
        answered = (sent.writer,)
    elif writer:
        names = (writer,)
    if to_group:
        names += to
        answered += sent.answered
    return _without(session, Readers(names, answered, number, thread, hidden), own)


def _without(session: Session, readers: Readers, own: str) -> Readers | Reason:
    """Return readers without the one who writes."""
    names = tuple(
        name for name in dict.fromkeys(readers.names) if name not in (own, WRITER)
    )
    answered = tuple(n for n in dict.fromkeys(readers.answered) if n != session.seat.id)
    if not names and not answered:
        return because("press-to-oneself")
    return Readers(names, answered, readers.answers, readers.thread, readers.answers_hidden)
