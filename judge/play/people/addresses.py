"""Addresses of people: confirmation, aliases, address changes of seats, bans.

A line that would seat its sender, or cause a long reply, is deferred until its sender's address
is confirmed, and then carried out in the order of arrival. Everything else in such a mail is
done at once. Without a confirmation the lines are deleted after seven days.

IAMALSO links several addresses of one person, once each of them has confirmed it. A person may
write from any of their addresses. A seat's letters go to its registered address, and with `SET
COPIES` to the others too.

A seat's address is changed by mail, with a confirmation from the new address. The seat's
letters then go there and every older token is invalid. The old address is informed, and can
undo the change for seven days, even if the password was changed since. Undoing also invalidates
the password, as the person who moved the seat may have chosen it.

A ban covers all known addresses of a person. Their mail is stored, and neither carried out nor
answered. Only UNSUBSCRIBE still works, silently, since no one should get letters against their
will.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from judge.model.command import Command, CommandKind, Kinds, ParsedMail
from judge.model.letter import Letter
from judge.model.record import Role, Seat, SeatState
from judge.play.game import Context
from judge.play.queries import is_present
from judge.play.tokens import ReplyToken

PATIENCE = timedelta(days=7)
"""Time in which a question of the judge can be answered."""
ONCE_A_DAY = timedelta(days=1)
"""Minimum interval between questions to one address, against forged mails."""


def conflicting_seats(
    kinds: Kinds, waiting: Sequence[tuple[int, ParsedMail]]
) -> dict[tuple[str, str], int]:
    """Return the seats for which deferred mails give different passwords.

    Some of them may come from another person. Each seat is given with the number of the first
    mail that asks for it. A second power of the same person (AGAIN) is a seat of its own.
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
    """Return the seat that a command asks for and its game, or None."""
    if not kind.registers:
        return None
    named = str(getattr(command, "who", "")).casefold()[:1]
    seat = named if kind.registers == "who" else kind.registers
    return seat, str(getattr(command, "game", "")).lower()


def is_fresh(token: ReplyToken, now: datetime) -> bool:
    """Return whether the letter of a token may still be answered."""
    return token.written <= now < token.written + PATIENCE + timedelta(seconds=1)


def with_copies(context: Context, letters: Iterable[Letter]) -> list[Letter]:
    """Return letters with the copies for other addresses of their readers."""
    found: list[Letter] = []
    for letter in letters:
        found.append(letter)
        seat = context.games.seat(letter.seat) if letter.seat else None
        if seat is not None and wants_copies(seat) and letter.to == seat.address:
            others = context.aliases.addresses_of(seat.address)[1:]
            found += [replace(letter, to=address) for address in others]
    return found


def wants_copies(seat: Seat) -> bool:
    """Return whether a seat's letters go to all addresses of its person."""
    return seat.settings.copies is True


_ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
)


def read_address(text: str, judge: str) -> str:
    """Return a valid address to move to, or "" for an invalid one or the judge's own.

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
    # In a sub-address of the judge, neither a letter nor a digit follows its name.
    if is_near and not local[len(own):len(own) + 1].isalnum():
        return ""
    return f"{local}@{domain.lower()}"


def is_banned(context: Context, address: str) -> bool:
    """Return whether an address, its domain or an alias of its person is banned."""
    return bool(address) and context.bans.is_banned(*context.aliases.addresses_of(address))


_NEEDED = (Role.PLAYER, Role.MASTER)


def is_needed(context: Context, address: str, game_id: int = 0) -> bool:
    """Return whether a person plays or is a master, in one game or in any.

    Such a person needs the letters of the game.
    """
    return any(
        seat.role in _NEEDED and is_present(seat) and game_id in (0, seat.game)
        for seat in context.games.seats_at(address)
    )


def stop_optional(context: Context, address: str) -> list[str]:
    """End optional letters to an address. Return their descriptions for the operator."""
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
