"""Wrong passwords: what they cost whoever tries them, and never the person whose seat it is.

A wrong password is counted at its seat and at its From address. Whoever is not registered for the
seat must wait longer after each one, and after many of them, at one seat or from one address, an
hour. Somebody could write them in another's name to shut him out: so from the address that is
registered for the seat every password is looked at, whatever was tried before (and in one mail
only so many, see `MOST_OPENINGS`). All times and counts are the same for seats that do not exist.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from judge.play.office import Office, find_side
from judge.words.command import (
    ChangePassword,
    Command,
    Create,
    Join,
    Observe,
    SignOn,
    Takeover,
)
from judge.words.incoming import Incoming
from judge.words.record import GameRecord, Seat

FREE = 5
"""Wrong passwords at one seat from one address that cost no waiting."""
FIRST_REST = timedelta(minutes=1)
"""How long the next one costs; each after it twice as long."""
LONGEST_REST = timedelta(hours=1)
MOST_AT_SEAT = 100
"""Wrong passwords an hour at one seat, from everywhere."""
MOST_FROM_ADDRESS = 30
"""Wrong passwords an hour from one address, at all seats."""
MOST_OPENINGS = 40
"""Passwords in one mail: each costs time that other mails wait."""

NOBODY = "?"
"""Counts as the address of mails that have none."""

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


def has_password(command: Command) -> bool:
    """Tell whether a command holds a password, which is slow to hash or check."""
    match command:
        case SignOn() | Join() | Create() | Takeover() | ChangePassword():
            return True
        case Observe(password=password):
            return bool(password)
        case _:
            return False


def comes_from(office: Office, mail: Incoming, seat: Seat) -> bool:
    """Tell whether a mail came from the address registered for a seat, or another of its person."""
    return not mail.forged and office.aliases.same(seat.address, mail.sender)


def affordable(commands: Iterable[Command]) -> list[Command]:
    """Return the commands with a password, as many as one mail may have."""
    return [command for command in commands if has_password(command)][:MOST_OPENINGS]


def lock_of(game: GameRecord, who: str) -> str:
    """Return the name under which wrong passwords at a seat are counted, whether it exists or not.

    All spellings of one seat have one count.
    """
    low = who.casefold()
    side = find_side(game, who)
    short = {"master": "m", "observer": "o"}.get(low, low)
    return f"{game.id}:{side.name if side else short}"


def rest_needed(
    office: Office, lock: str, seat: Seat | None, mail: Incoming, now: datetime
) -> timedelta:
    """Return how long this sender must wait before the next try at a seat; nothing: try now."""
    if seat is not None and comes_from(office, mail, seat):
        return timedelta()
    people, sender = office.people, mail.sender or NOBODY
    both = people.wrong(now - _DAY, seat=lock, address=sender)
    until = now
    if both.last is not None and both.many >= FREE:
        doublings = min(both.many - FREE, 10)
        until = both.last + min(FIRST_REST * 2**doublings, LONGEST_REST)
    hour_ago = now - _HOUR
    for found, most in (
        (people.wrong(hour_ago, seat=lock), MOST_AT_SEAT),
        (people.wrong(hour_ago, address=sender), MOST_FROM_ADDRESS),
    ):
        if found.last is not None and found.many >= most:
            until = max(until, found.last + LONGEST_REST)
    return max(until - now, timedelta())
