"""What wrong passwords cost whoever tries them, and never the person whose seat it is.

A wrong password is counted at its seat and at its From address. Whoever is not registered for the
seat must wait longer after each one, and after many of them, at one seat or from one address, an
hour. Somebody could write them in another's name to shut him out: so from the address that is
registered for the seat every mail is worked, whatever was tried before. After many wrong passwords
it is put off a little (`preparing.put_off`), and counts from its arrival all the same; what was
right before and replies to our letters are never put off. All times and counts are the same for
seats that do not exist.

A seat's password: changed by whoever gives the old one, or with the registered mailbox as proof.

A reply address alone does not change one: it may have got into other hands, and From lines are
easily forged. Then, as after RESET PASSWORD, the registered address and nobody else is sent a
letter whose answer may set a new password, once. A seat that has none gets its first by any reply.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from judge.model.command import Command
from judge.model.incoming import Incoming
from judge.model.record import Seat
from judge.play.game import Context, Game
from judge.play.queries import find_side
from judge.play.tokens import Purpose
from judge.store.people import Wrong

FREE = 5
"""Wrong passwords at one seat from one address that cost no waiting."""
FIRST_REST = timedelta(minutes=1)
"""How long the next one costs; each after it twice as long."""
LONGEST_REST = timedelta(hours=1)
MOST_AT_SEAT = 100
"""Wrong passwords an hour at one seat, from everywhere."""
MOST_FROM_ADDRESS = 30
"""Wrong passwords an hour from one address, at all seats."""
MOST_AT_HOME = 40
"""The same in the name of the address registered for the seat: more of such mails are put off."""
REST_AT_HOME = timedelta(minutes=1)
"""For how long: one of them has its turn in this time, and one wrong password in it is looked at.
"""
MOST_OPENINGS = 40
"""Passwords in one mail: each costs time that other mails wait."""
NOBODY = "?"
"""Counts as the address of mails that have none."""
OPENING_TOKENS = (Purpose.COMMANDS, Purpose.PRESS, Purpose.PASSWORD)
HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


def has_password(command: Command) -> bool:
    """Tell whether a command holds a password, which is slow to hash or check."""
    return bool(getattr(command, "password", ""))


def comes_from(context: Context, mail: Incoming, seat: Seat) -> bool:
    """Tell whether a mail came from the address registered for a seat, or another of its person."""
    return not mail.forged and context.aliases.same(seat.address, mail.sender)


def affordable(commands: Iterable[Command]) -> list[Command]:
    """Return the commands with a password, as many as one mail may have."""
    return [command for command in commands if has_password(command)][:MOST_OPENINGS]


def lock_of(game: Game, who: str) -> str:
    """Return the name under which wrong passwords at a seat are counted, whether it exists or not.

    All spellings of one seat have one count.
    """
    low = who.casefold()
    side = find_side(game, who)
    short = {"master": "m", "observer": "o"}.get(low, low)
    return f"{game.id}:{side.name if side else short}"


def waiting_lock(game: Game, address: str) -> str:
    """Return the same for the seat with which an address waits for the start of a game."""
    return f"{game.id}:?{address.casefold()}"


def rest_needed(
    context: Context, lock: str, seats: Sequence[Seat], mail: Incoming, password: str,
    now: datetime, tried: int = 0, *, noted: bool = True,
) -> timedelta:
    """Return how long this sender must wait before the next try at seats; nothing: try now.

    `tried` are the wrong passwords at them in this mail, `noted` in the store already or not.
    """
    if seats and comes_from(context, mail, seats[0]):
        known = any(context.password_check.knows(seat.password, password) for seat in seats)
        if known or not tried:
            return timedelta()
        many = at_home(context, lock, mail, now).many + (0 if noted else tried)
        return REST_AT_HOME if many >= MOST_AT_HOME else timedelta()
    people, sender = context.people, mail.sender or NOBODY
    both = people.wrong(now - _DAY, seat=lock, address=sender)
    until = now
    if both.last is not None and both.many >= FREE:
        doublings = min(both.many - FREE, 10)
        until = both.last + min(FIRST_REST * 2**doublings, LONGEST_REST)
    hour_ago = now - HOUR
    for found, most in (
        (people.wrong(hour_ago, seat=lock), MOST_AT_SEAT),
        (people.wrong(hour_ago, address=sender), MOST_FROM_ADDRESS),
    ):
        if found.last is not None and found.many >= most:
            until = max(until, found.last + LONGEST_REST)
    return max(until - now, timedelta())


def at_home(context: Context, lock: str, mail: Incoming, now: datetime) -> Wrong:
    """Return the wrong passwords of this hour at the sender's own seat, in his name."""
    return context.people.wrong(now - HOUR, seat=lock, address=mail.sender)


def token_opens(context: Context, mail: Incoming) -> bool:
    """Tell whether a mail is a reply that opens a seat, from the address registered for it."""
    token = context.tokens.read(mail.detail)
    if token is None or token.purpose not in OPENING_TOKENS:
        return False
    seat = context.games.seat(token.seat)
    return seat is not None and seat.epoch == token.epoch and comes_from(context, mail, seat)


LOST, UNPROVEN, TAKEN_BACK, SEVERAL = "lost", "unproven", "taken-back", "several"
"""Why a letter goes out that asks for a new password."""
