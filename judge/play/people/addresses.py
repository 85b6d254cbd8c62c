"""Addresses of people: new ones confirmed, several of one person, a seat's changed, bans.

What would seat somebody, or be answered at length, is kept, line by line of its mail, and carried
out in the order of arrival once the confirmation is answered. Everything else in such a mail is
done at once. No answer means no: after seven days the lines are forgotten.

One person, several addresses: IAMALSO, believed once somebody at each of them has said yes.

Whoever is known at several addresses may write from any of them; a seat's letters go to the one it
is registered with, and with `SET COPIES` to the others too.

A seat's address changed by mail: the new address must say yes.

Then the seat's letters go there and every older token is dead. The old address is told, and can
undo it for seven days, whatever happened to the password meanwhile; undoing ends the password too,
for whoever moved the seat may have chosen it.

Whom the keeper takes no mail from: a person, at all addresses known as one's.

Such a mail is kept, and neither carried out nor answered; only UNSUBSCRIBE still works, in silence,
for nobody is to get letters against his will.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from judge.model.command import Command, CommandKind, Kinds, Sheet
from judge.model.letter import Letter
from judge.model.record import Role, Seat, SeatState
from judge.play.game import Context
from judge.play.queries import is_present
from judge.play.tokens import Token

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
                again = number if getattr(command, "again", False) else 0
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


def with_copies(context: Context, letters: Iterable[Letter]) -> list[Letter]:
    """Return letters with those that go to a person's other addresses besides."""
    found: list[Letter] = []
    for letter in letters:
        found.append(letter)
        seat = context.games.seat(letter.seat) if letter.seat else None
        if seat is not None and wants_copies(seat) and letter.to == seat.address:
            others = context.aliases.of(seat.address)[1:]
            found += [replace(letter, to=address) for address in others]
    return found


def wants_copies(seat: Seat) -> bool:
    """Tell whether a seat's letters go to all addresses of its person."""
    return seat.settings.copies is True


_ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
)


def read_address(text: str, judge: str) -> str:
    """Return the address a person may move to, or nothing: it is none, or the judge's own.

    >>> read_address("<Ann@Example.org>", "judge@example.org")
    'Ann@example.org'
    >>> read_address("judge+x@example.org", "judge@example.org"), read_address("ann", "")
    ('', '')
    >>> read_address("john@example.org", "jo@example.org")
    'john@example.org'
    """
    bare = text.strip("<>.,;")
    if len(bare) > 254 or not _ADDRESS.fullmatch(bare):
        return ""
    local, _, domain = bare.rpartition("@")
    own, _, host = judge.lower().rpartition("@")
    if len(local) > 64:
        return ""
    is_near = domain.lower() == host and local.lower().startswith(own)
    # What parts a sub-address of the judge is neither a letter nor a digit.
    if is_near and not local[len(own):len(own) + 1].isalnum():
        return ""
    return f"{local}@{domain.lower()}"


def is_banned(context: Context, address: str) -> bool:
    """Tell whether an address is banned: itself, its domain, or another one of its person."""
    return bool(address) and context.bans.is_banned(*context.aliases.of(address))


_NEEDED = (Role.PLAYER, Role.MASTER)


def is_needed(context: Context, address: str, game_id: int = 0) -> bool:
    """Tell whether somebody plays or is a master, in one game or in any: he must hear of it."""
    return any(
        seat.role in _NEEDED and is_present(seat) and game_id in (0, seat.game)
        for seat in context.games.seats_at(address)
    )


def stop_optional(context: Context, address: str) -> list[str]:
    """End what an address gets without playing; return what that was, in words for the keeper."""
    ended = []
    for seat in context.games.seats_at(address):
        if seat.role not in _NEEDED and is_present(seat):
            context.bundles.drop(seat.id)
            gone = replace(seat, state=SeatState.LEFT, epoch=seat.epoch + 1)
            context.games.save_seat(gone)
            ended.append(f"observing {context.games.get(seat.game).name}")
    person = context.register.person(address)
    if person.standby:
        context.register.save(replace(person, standby=()))
        ended.append("the standby list")
    return ended
