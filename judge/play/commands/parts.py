"""Parts of a mail, one for each seat it opens.

An internal error in one part undoes that part alone. The module that has the store runs each
part under a savepoint and handles the error. This module drops the effects of the part on the
session and reports to the seat that nothing of the part was carried out.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from judge.model.command import Command
from judge.model.phrase import Complaint, ComplaintKind, phrase
from judge.play.commands.session import Session

Step = Command | Complaint
S = TypeVar("S", bound=Step)
Guard = Callable[[Callable[[], None], int, int], bool]
"""Function that runs a given callable under a savepoint.

The callable carries out the lines between the two numbers. On an internal error the guard rolls
the transaction back to the savepoint, records the error for the operator and returns False.
"""


def run_unguarded(work: Callable[[], None], first: int, last: int) -> bool:
    """Run *work* without a savepoint, so that an error undoes the whole mail."""
    work()
    return True


def parts_of(steps: Sequence[S], opening: tuple[type[Command], ...]) -> Iterator[list[S]]:
    """Yield the steps of a mail part by part.

    A new part begins at each command in *opening*.
    """
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
    """Carry out a part, or undo it on an internal error and report that to its seat."""
    before, first = session.copy(), part[0]
    # A sign-on that failed opened no seat, and the seat open before does not belong to this part.
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
    session.context.clear()
    if seat := session.context.games.seat(number) if number else None:
        session.open(seat)
    else:
        session.close()
    fault = Complaint(ComplaintKind.NOT_ALLOWED, first.line, "", phrase("our-fault"))
    session.complain(fault)
