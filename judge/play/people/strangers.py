"""New addresses: what they ask for waits until whoever reads mail there has said yes.

What would seat somebody, or be answered at length, is kept, line by line of its mail, and carried
out in the order of arrival once the confirmation is answered. Everything else in such a mail is
done at once. No answer means no: after seven days the lines are forgotten.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from judge.play.tokens import Token
from judge.words.command import Command, Sheet
from judge.words.commandkind import CommandKind, Kinds
from judge.words.seats import Join

PATIENCE = timedelta(days=7)
"""How long an answer to a question of ours is waited for."""
ONCE_A_DAY = timedelta(days=1)
"""Nobody is asked more often, whoever writes in his name."""


def contested(
    kinds: Kinds, waiting: Sequence[tuple[int, Sheet]]
) -> dict[tuple[str, str], int]:
    """Return the seats for which mails that waited give different passwords.

    Some of them may be somebody else's; with each seat comes the first mail that asks for it.
    A second power of the same person (AGAIN) is a seat of its own.
    """
    firsts: dict[tuple[str, str], int] = {}
    given: dict[tuple[str, str], set[tuple[str, int]]] = {}
    for number, sheet in waiting:
        for command in sheet.commands:
            key = seat_wanted(kinds[type(command)], command)
            if key is not None:
                firsts.setdefault(key, number)
                again = number if isinstance(command, Join) and command.again else 0
                given.setdefault(key, set()).add((getattr(command, "password"), again))
    return {
        key: firsts[key] for key, found in given.items()
        if len({again for _, again in found}) > 1
        or len(found) > 1 and not all(again for _, again in found)
    }


def seat_wanted(kind: CommandKind, command: Command) -> tuple[str, str] | None:
    """Return which seat a command asks for, or None."""
    if not kind.registers:
        return None
    named = str(getattr(command, "who", "")).casefold()[:1]
    seat = named if kind.registers == "who" else kind.registers
    return seat, str(getattr(command, "game", "")).lower()


def is_fresh(token: Token, now: datetime) -> bool:
    """Tell whether the letter of a token may still be answered."""
    return token.written <= now < token.written + PATIENCE + timedelta(seconds=1)
