"""A mail in parts, one for each seat it opens: a fault of ours in one takes back that one alone.

Whoever has the store runs each part under a savepoint and knows what to do with a fault; here what
the part did is let go with it, and the seat is told that nothing of it was done.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from judge.model.command import Command
from judge.model.phrase import Complaint, ComplaintKind, phrase
from judge.play.commands.outcome import complained
from judge.play.commands.session import Session

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


def carried_out(
    session: Session, part: Sequence[S], do: Callable[[Session, S], Session], guard: Guard
) -> Session:
    """Return the session after a part; where that met a fault, as it was before, and the seat that
    was open then is told, if it still is one."""
    reached = session

    def work() -> None:
        nonlocal reached
        for step in part:
            reached = do(reached, step)
        session.context.games.flush()

    session.context.games.flush()
    if guard(work, part[0].line, part[-1].line):
        return reached
    session.context.forget()
    first = part[0]
    # The line that was to open a seat has opened none: what was open before is not this part's.
    none = reached is session and isinstance(first, Command) and session.kind(first).opens
    number = 0 if none else reached.current.seat
    seat = session.context.games.seat(number) if number else None
    session = session.opened(seat) if seat else session.closed()
    fault = Complaint(ComplaintKind.NOT_ALLOWED, first.line, "", phrase("our-fault"))
    return session.after(complained(fault))
