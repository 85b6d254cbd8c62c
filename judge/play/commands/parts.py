"""A mail in parts, one for each seat it opens: a fault of ours in one takes back that one alone.

Whoever has the store runs each part under a savepoint and knows what to do with a fault; here the
part's words are unsaid, and the seat is told that nothing of them was done.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from judge.play.commands.session import Answer, Session, Tally
from judge.words.command import Command
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.reason import because

Step = Command | Complaint
S = TypeVar("S", bound=Step)
Guard = Callable[[Callable[[], None], int, int], bool]
"""Runs what is handed over, which carries out the lines from one number to another. When a fault
of ours is raised it undoes what was written, notes the fault for the keeper, and answers False."""


def unguarded(work: Callable[[], None], first: int, last: int) -> bool:
    """Let a fault through: it takes back the whole mail."""
    work()
    return True


def parts_of(steps: Sequence[S], opening: tuple[type[Command], ...]) -> Iterator[list[S]]:
    """Yield the steps of a mail part by part: each begins where a seat is opened."""
    part: list[S] = []
    for step in steps:
        if part and isinstance(step, opening):
            yield part
            part = []
        part.append(step)
    if part:
        yield part


class Checkpoint:
    """What a session held before a part."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._at = next(
            n for n, answer in enumerate(session.answers) if answer is session.current
        )
        kept = ("office", "kinds", "mail", "now", "strangers", "current")
        self._held = {k: _copied(v) for k, v in vars(session).items() if k not in kept}

    def take_back(self, line: int) -> None:
        """Put the session back and tell the seat that was open, if it still is one."""
        session = self._session
        seat_id = session.current.seat
        vars(session).update(self._held)
        session.strangers = session.answers[0]
        session.current = session.answers[self._at]
        seat = session.office.games.seat(seat_id) if seat_id else None
        if seat is None:
            session.close()
        else:
            session.open(seat)
        session.current.complaints.append(
            Complaint(ComplaintKind.NOT_ALLOWED, line, "", because("our-fault"))
        )


def _copied(value: Any) -> Any:
    """Return a copy that does not change when the original does; what it holds never changes."""
    match value:
        case list():
            return [_copied(one) for one in value]
        case Counter():
            return value.copy()
        case dict():
            return {key: _copied(one) for key, one in value.items()}
        case set():
            return set(value)
        case Answer() | Tally():
            held = {f.name: _copied(getattr(value, f.name)) for f in fields(value)}
            return replace(value, **held)
        case _:
            return value
