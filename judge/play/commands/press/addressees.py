"""Whom press is for, as its heading or a reply says it."""

import difflib
from dataclasses import replace

from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.office import find_side, sides_of, title_of
from judge.play.pressroom.addressees import WORDS, Readers, names_meant, read_readers
from judge.play.pressroom.correspondence import knows_all, read_sent
from judge.words.letter import Kind
from judge.words.press import GROUP, WRITER, SendPress
from judge.words.reason import Reason, because

MOST_DOUBTED = 4
"""A longer line that begins with TO and names one power among other words is prose."""


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
    if len(word) > 1 and (word.casefold() in WORDS or find_side(game, word)):
        return True
    return word.isupper() and names_meant(game, word) is not None


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
