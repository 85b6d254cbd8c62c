"""Throttling of wrong passwords, without harm to the person whose seat it is.

A wrong password is counted at its seat and at its From address. A sender who is not registered
for the seat must wait longer after each one, and an hour after many of them, at one seat or
from one address. As another person could send them in the player's name to lock them out, every
mail from the address that is registered for the seat is processed. After many wrong passwords
it is delayed a little (`preparing.delayed_until`), and still counts from its arrival. Passwords
that were right before and replies to the judge's letters are never delayed. All times and counts
are the same for seats that do not exist.

A seat's password is changed with the old one, or with the registered mailbox as proof. A reply
address alone does not change one, as it may be in other hands, and From lines are easily
forged. In that case, as after RESET PASSWORD, only the registered address is sent a letter
whose reply may set a new password, once. A seat without one gets its first by any reply.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from judge.model.command import Command
from judge.model.incoming import Incoming
from judge.model.record import Seat
from judge.play.game import Context, Game
from judge.play.queries import find_power
from judge.play.tokens import Purpose
from judge.store.people import FailedSignOns

FREE_ATTEMPTS = 5
"""Wrong passwords at one seat from one address before any delay."""
FIRST_DELAY = timedelta(minutes=1)
"""Delay after the next one. It doubles with each further one."""
MAX_DELAY = timedelta(hours=1)
MAX_AT_SEAT = 100
"""Wrong passwords an hour at one seat, from all addresses."""
MAX_FROM_ADDRESS = 30
"""Wrong passwords an hour from one address, at all seats."""
MAX_OWN_FAILURES = 40
"""Wrong passwords an hour in the name of the registered address before a delay."""
OWN_FAILURE_DELAY = timedelta(minutes=1)
"""Length of that delay.

In it one such mail is processed, with one wrong password.
"""
MAX_PASSWORDS_PER_MAIL = 40
"""Maximum number of passwords in one mail, as each costs time of other mails."""
NO_ADDRESS = "?"
"""Address under which mails without one are counted."""
OPENING_TOKENS = (Purpose.COMMANDS, Purpose.PRESS, Purpose.PASSWORD)
HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


def has_password(command: Command) -> bool:
    """Return whether a command has a password, which is slow to hash or check."""
    return bool(getattr(command, "password", ""))


def comes_from(context: Context, mail: Incoming, seat: Seat) -> bool:
    """Return whether a mail came from a seat's registered address or an alias of it."""
    return not mail.forged and context.aliases.is_same_person(seat.address, mail.sender)


def affordable(commands: Iterable[Command]) -> list[Command]:
    """Return the commands with a password, as many as one mail may have."""
    return [command for command in commands if has_password(command)][:MAX_PASSWORDS_PER_MAIL]


def lock_of(game: Game, who: str) -> str:
    """Return the name under which wrong passwords at a seat are counted.

    It need not exist. All spellings of one seat have one count.
    """
    low = who.casefold()
    side = find_power(game, who)
    short = {"master": "m", "observer": "o"}.get(low, low)
    return f"{game.id}:{side.name if side else short}"


def waiting_lock(game: Game, address: str) -> str:
    """Return the same for the seat of an address that waits for the start of a game."""
    return f"{game.id}:?{address.casefold()}"


def required_delay(
    context: Context, lock: str, seats: Sequence[Seat], mail: Incoming, password: str,
    now: datetime, tried: int = 0, *, noted: bool = True,
) -> timedelta:
    """Return the delay of this sender before the next try at seats, zero for none.

    `tried` is the number of wrong passwords at them in this mail, `noted` whether they are
    stored already.
    """
    if seats and comes_from(context, mail, seats[0]):
        known = any(context.password_check.knows(seat.password, password) for seat in seats)
        if known or not tried:
            return timedelta()
        many = failures_in_own_name(context, lock, mail, now).many + (0 if noted else tried)
        return OWN_FAILURE_DELAY if many >= MAX_OWN_FAILURES else timedelta()
    people, sender = context.people, mail.sender or NO_ADDRESS
    both = people.failed_sign_ons(now - _DAY, seat=lock, address=sender)
    until = now
    if both.last is not None and both.many >= FREE_ATTEMPTS:
        doublings = min(both.many - FREE_ATTEMPTS, 10)
        until = both.last + min(FIRST_DELAY * 2**doublings, MAX_DELAY)
    hour_ago = now - HOUR
    for found, most in (
        (people.failed_sign_ons(hour_ago, seat=lock), MAX_AT_SEAT),
        (people.failed_sign_ons(hour_ago, address=sender), MAX_FROM_ADDRESS),
    ):
        if found.last is not None and found.many >= most:
            until = max(until, found.last + MAX_DELAY)
    return max(until - now, timedelta())


def failures_in_own_name(
    context: Context, lock: str, mail: Incoming, now: datetime
) -> FailedSignOns:
    """Return the wrong passwords of the last hour at a seat in the sender's name."""
    return context.people.failed_sign_ons(now - HOUR, seat=lock, address=mail.sender)


def token_opens(context: Context, mail: Incoming) -> bool:
    """Return whether a mail is a reply from a registered address that opens a seat."""
    token = context.tokens.read(mail.detail)
    if token is None or token.purpose not in OPENING_TOKENS:
        return False
    seat = context.games.seat(token.seat)
    return seat is not None and seat.epoch == token.epoch and comes_from(context, mail, seat)


LOST, UNPROVEN, TAKEN_BACK, SEVERAL = "lost", "unproven", "taken-back", "several"
"""Reasons for a letter that asks for a new password."""
