"""Slow work on a mail's passwords, done before its transaction opens.

A hash takes time in which all other mails wait, so none is computed for a command that will be
refused: a game that does not exist, a sender with an unconfirmed address, a SET PASSWORD
without a seat. A wrong prediction only costs time, as `handle` then computes the hash itself
(`Dispatcher.handle`).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from judge.model.command import Command, ParsedMail
from judge.model.incoming import Incoming
from judge.model.record import GameState, Seat
from judge.play.game import Context, Game
from judge.play.people import signon_throttle
from judge.play.people.admission import masters_games, opened_by, seats_named
from judge.play.people.signon_throttle import comes_from
from judge.play.queries import (
    find_power,
    is_offered,
    is_open,
    is_present,
    player_seats,
    seat_of_power,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatEntry(Command):
    """A command that takes or opens a seat, with a password or without one."""

    game: str = ""
    password: str = ""

    def prepare(self, work: "PasswordPrehasher") -> None:
        """Check or hash the password in advance."""

    def seat_tried(self) -> tuple[str, str] | None:
        """Return the seat at which the password is tried, and its game.

        "?" is the sender's own seat. None means that no password is tried.
        """
        return None


def prepare(
    context: Context, mail: Incoming, sheet: ParsedMail, now: datetime, *, released: bool = False
) -> None:
    """Hash and check the passwords that carrying out a mail will need.

    With `released`, the lines that waited for the sender's confirmation are carried out now.
    """
    context.password_check.forget_wrong()
    foresight = PasswordPrehasher(context, mail, now, released)
    for command in signon_throttle.affordable(sheet.commands):
        foresight.look_at(command)


class PasswordPrehasher:
    """Dry run of `handle` over a mail's passwords. It changes no data."""

    def __init__(self, context: Context, mail: Incoming, now: datetime, released: bool) -> None:
        self._context = context
        self._mail = mail
        self._now = now
        self._wrong: Counter[str] = Counter()
        self._joined: set[str] = set()
        self._is_seated = signon_throttle.token_opens(context, mail)
        """True if a seat is open by now, as far as can be predicted."""
        keeper = context.policy.is_operator(mail.sender)
        self._is_heard = bool(mail.sender) and not mail.forged and (
            released or not context.policy.confirm
        )
        """True if commands that would seat the sender are not deferred."""
        self._creations: int | None = signon_throttle.MAX_PASSWORDS_PER_MAIL if keeper else None
        """Number of games the sender may still create, or None if not looked up yet."""
        if context.policy.create == "keeper" and not (keeper and released):
            self._creations = 0

    def look_at(self, command: Command) -> None:
        """Do the slow work for a command with a password."""
        if isinstance(command, SeatEntry):
            command.prepare(self)
        elif self._is_seated and (password := command.new_password()):
            self._context.password_check.prepare(password)

    def create(self, name: str, password: str) -> None:
        """Hash the password of a new game, as long as its creator may have one more."""
        context = self._context
        if not self._is_heard or self._game(name):
            return
        if self._creations is None:
            self._creations = context.policy.open_games - masters_games(context, self._mail.sender)
        if self._creations > 0:
            self._creations -= 1
            self._hash(password)

    def observe(self, name: str, password: str) -> None:
        """Hash the password of an observer's seat."""
        if self._is_heard and self._game(name):
            self._hash(password)

    def take_over(self, name: str, who: str, password: str) -> None:
        """Hash the password for a power, or a mastership, that may be offered."""
        if self._is_heard and self._is_offered(name, who):
            self._hash(password)

    def _hash(self, password: str) -> None:
        self._context.password_check.prepare(password)
        self._is_seated = True

    def _game(self, name: str) -> Game | None:
        return self._context.games.find(name.lower())

    def sign_on(self, name: str, who: str, password: str) -> None:
        """Check the password of a seat, if `handle` will need to."""
        game = self._game(name)
        seats = seats_named(game, who, self._mail.sender) if game else []
        lock = signon_throttle.lock_of(game, who) if game else ""
        self._is_seated = game is not None and self._opens(lock, seats, password)

    def _opens(self, lock: str, seats: list[Seat], password: str) -> bool:
        """Check a password and count it if it is wrong. Return whether it opens a seat."""
        if not self._may_try(lock, seats, password):
            return False
        opened = opened_by(self._context, seats, password) is not None
        self._wrong[lock] += not opened
        return opened

    def _may_try(self, lock: str, seats: list[Seat], password: str) -> bool:
        """Return whether a password may be tried, counting those of this mail.

        These are not stored yet.
        """
        rest = signon_throttle.required_delay(
            self._context, lock, seats, self._mail, password, self._now, self._wrong[lock],
            noted=False,
        )
        at_home = bool(seats) and comes_from(self._context, self._mail, seats[0])
        return not rest and (at_home or self._wrong[lock] < signon_throttle.FREE_ATTEMPTS)

    def join(self, name: str, password: str, *, again: bool) -> None:
        """Check the password of a waiting seat, or hash one for a new seat."""
        context = self._context
        game = self._game(name)
        if game is None:
            if not name and self._is_heard and context.games.list_forming():
                self._hash(password)
            return
        mine = own_seats(game, self._mail)
        if mine and not again:
            lock = signon_throttle.waiting_lock(game, self._mail.sender)
            self._is_seated = self._opens(lock, mine, password)
            return
        joined = game.name in self._joined and not again
        if self._is_heard and game.state is GameState.FORMING and not joined:
            self._joined.add(game.name)
            self._hash(password)

    def _is_offered(self, name: str, who: str) -> bool:
        game = self._game(name)
        if game is None or not is_open(game):
            return False
        side = find_power(game, who)
        seat = seat_of_power(game, side.name) if side else None
        return is_offered(seat) if seat else who.casefold() in ("m", "master")


def own_seats(game: Game, mail: Incoming) -> list[Seat]:
    """Return the seats of a sender that JOIN may open again."""
    return [
        seat for seat in player_seats(game)
        if is_present(seat) and comes_from(game.context, mail, seat)
    ]


def own_locks(context: Context, mail: Incoming, commands: Iterable[Command]) -> frozenset[str]:
    """Return the count keys of the sender's seats at which a mail tries passwords.

    There are none for a reply that opens a seat, and for passwords known to be right.
    """
    if signon_throttle.token_opens(context, mail):
        return frozenset()
    tries: dict[tuple[str, str], set[str]] = {}
    for command in signon_throttle.affordable(commands):
        where = command.seat_tried() if isinstance(command, SeatEntry) else None
        if isinstance(command, SeatEntry) and where:
            tries.setdefault(where, set()).add(command.password)
    found = (_own_lock(context, mail, *where, tried) for where, tried in tries.items())
    return frozenset(lock for lock in found if lock)


def _own_lock(context: Context, mail: Incoming, who: str, name: str, tried: set[str]) -> str:
    """Return the count key of the sender's own seat, or "" if no check is needed."""
    game = context.games.find(name)
    if game is None:
        return ""
    if who == "?":
        lock, seats = signon_throttle.waiting_lock(game, mail.sender), own_seats(game, mail)
    else:
        lock, seats = signon_throttle.lock_of(game, who), seats_named(game, who, mail.sender)[:1]
    mine = [seat for seat in seats if comes_from(context, mail, seat)]
    known = all(
        any(context.password_check.knows(seat.password, password) for seat in mine)
        for password in tried
    )
    return "" if known or not mine else lock


def often_tried(context: Context, now: datetime) -> frozenset[str]:
    """Return the seats whose recent wrong passwords may delay mails.

    There are hardly ever any, so waiting mails need not be checked one by one then.
    """
    most = signon_throttle.MAX_OWN_FAILURES
    return context.people.often_wrong(now - signon_throttle.HOUR, most)


def delayed_until(context: Context, lock: str, mail: Incoming, now: datetime) -> datetime | None:
    """Return the end of the delay of mails with passwords in the owner's name.

    Return None if they are not delayed.
    """
    wrong = signon_throttle.failures_in_own_name(context, lock, mail, now)
    if wrong.last is None or wrong.many < signon_throttle.MAX_OWN_FAILURES:
        return None
    until = wrong.last + signon_throttle.OWN_FAILURE_DELAY
    return until if until > now else None
