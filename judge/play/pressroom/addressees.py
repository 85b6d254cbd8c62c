"""Whom press is for: the words of its head, or the letter it answers."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.play.game import Game
from judge.play.office import find_side, near_powers, sides_of, table_of, title_of
from judge.play.pressroom.correspondence import MASTER, OBSERVERS, knows_all, read_sent
from judge.play.session import Session
from judge.words.letter import Kind
from judge.words.press import GROUP, WRITER, SendPress
from judge.words.reason import Reason, because
from judge.words.record import GameState

_WORDS = {"m": MASTER, "master": MASTER, "gm": MASTER, "o": OBSERVERS, "observer": OBSERVERS,
          "observers": OBSERVERS}
_LETTERS = {"M": MASTER, "O": OBSERVERS}
MOST_DOUBTED = 4
"""A longer line that begins with TO and names one power among other words is prose."""


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
    left_out: str = ""
    """The writer himself, where the list he was taken from had him in it."""

    @property
    def is_for_all(self) -> bool:
        """Tell whether it is for everybody."""
        return not self.names and not self.answered

    @property
    def is_for_master(self) -> bool:
        """Tell whether it is for the master alone."""
        return self.names == (MASTER,) and not self.answered


def read_readers(game: Game, to: Sequence[str], all_but: bool) -> tuple[str, ...] | Reason:
    """Return the names a list of readers stands for; empty only for an empty list: everybody.

    A word is a power's name, or letters run together ("FI"; M is the master, O the observers).
    """
    named: dict[str, None] = {}
    for word in to:
        found = _names(game, word)
        if word.casefold() == "gm" and (power := find_side(game, "g")):
            return because("press-to-gm", power=power.name)
        if found is None:
            if near := near_powers(game, word):
                return because("press-to-near", word=word, game=game.name, near=tuple(near))
            return because("press-to-unknown", word=word, game=game.name)
        named.update(dict.fromkeys(found))
    if not all_but:
        return tuple(named)
    begun = game.state is not GameState.FORMING
    powers = table_of(game).alive() if begun else tuple(side.name for side in sides_of(game))
    left = tuple(power for power in powers if power not in named)
    return left or because("press-to-nobody")


def _names(game: Game, word: str) -> tuple[str, ...] | None:
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
    if names and not others:
        return because("press-to-oneself")
    return Readers(others, left_out=own if own in names or command.all_but else "")


def with_heading(session: Session, command: SendPress) -> SendPress | Reason:
    """Return a reply to press for those its first line names, where it is a line `TO G I`.

    A line that may be one, but names somebody nobody knows, is asked about: press goes to nobody
    by a guess. "To be honest" is prose.
    """
    game, words = session.game, command.heading
    if not words:
        return command
    known = [_is_named(game, word) for word in words]
    if all(known):
        return replace(command, to=words, body=command.body[1:], heading=())
    names = [word for side in sides_of(game) for word in (side.name, side.adjective)]
    near = [word for word in words if difflib.get_close_matches(word.title(), names, 1, 0.75)]
    if any(known) and len(words) <= MOST_DOUBTED or near:
        wrong = next(word for word, fits in zip(words, known) if not fits)
        return because("press-to-unknown", word=wrong, game=game.name)
    return command


def _is_named(game: Game, word: str) -> bool:
    """Tell whether a word names readers; letters run together only where they are capitals."""
    if len(word) > 1 and (word.casefold() in _WORDS or find_side(game, word)):
        return True
    return word.isupper() and _names(game, word) is not None


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
    return replace(
        readers, names=names, answered=answered, left_out=own if own in readers.names else ""
    )
