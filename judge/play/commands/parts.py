"""A mail in parts, one for each seat it opens: a fault of ours in one takes back that one alone.

Whoever has the store runs each part under a savepoint and knows what to do with a fault; here what
the part did is let go with it, and the seat is told that nothing of it was done.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from judge.model.command import Command
from judge.model.phrase import Complaint, ComplaintKind, phrase
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


def carry_out_part(
    session: Session, part: Sequence[S], do: Callable[[Session, S], None], guard: Guard
) -> None:
    """Carry out a part, or take it back on a fault and report that to the seat it was for."""
    before, first = session.copy(), part[0]
    # The line that was to open a seat has opened none: what was open before is not this part's.
    opens = isinstance(first, Command) and session.kind(first).opens
    number = 0 if opens else session.current.seat

    def work() -> None:
        nonlocal number
        for step in part:
            do(session, step)
            number = session.current.seat
        session.context.games.flush()

    session.context.games.flush()
    if guard(work, first.line, part[-1].line):
        return
    session.restore(before)
    session.context.forget()
    if seat := session.context.games.seat(number) if number else None:
        session.open(seat)
    else:
        session.close()
    fault = Complaint(ComplaintKind.NOT_ALLOWED, first.line, "", phrase("our-fault"))
    session.complain(fault)
