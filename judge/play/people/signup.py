"""Coming in: seats opened by password, joined; taking one over is for `succeeding`."""

from collections.abc import Sequence

from judge.play.game import Game, Office
from judge.play.keyring import is_acceptable
from judge.play.office import find_side, is_present
from judge.words.reason import Reason, because
from judge.words.record import Role, Seat
from judge.words.seatsettings import SeatSettings


def opened_by(office: Office, seats: Sequence[Seat], password: str) -> Seat | None:
    """Return which of the seats meant a password opens; where there is none, as much work is done.
    """
    right = office.keyring.is_right
    opened = [seat for seat in seats if right(seat.password, password)]
    if not seats:
        right("", password)
    return opened[0] if opened else None


def seat_named(game: Game, who: str, sender: str) -> Seat | None:
    """Return the seat a sign-on names: a power's, a master's, or the sender's as observer."""
    return next(iter(seats_named(game, who, sender)), None)


def seats_named(game: Game, who: str, sender: str) -> list[Seat]:
    """Return the seats a sign-on may name: more than one only where there are several masters.

    The sender's own comes first.
    """
    seats = [seat for seat in game.all_seats() if is_present(seat)]
    if who.casefold() in ("m", "master"):
        masters = [seat for seat in seats if seat.role is Role.MASTER]
        return sorted(masters, key=lambda s: not game.office.aliases.same(s.address, sender))
    if who.casefold() in ("o", "observer"):
        watching = [seat for seat in seats if is_watching(seat)]
        return [s for s in watching if game.office.aliases.same(s.address, sender)][:1]
    side = find_side(game, who)
    return [seat for seat in seats if side and seat.power == side.name][:1]


def is_watching(seat: Seat) -> bool:
    """Tell whether a seat only reads."""
    return seat.role in (Role.OBSERVER, Role.MONITOR)


def password_problem(password: str) -> Reason | None:
    """Return what is wrong with a new password, or None."""
    return None if is_acceptable(password) else because("password-unusable")


def own_settings(office: Office, address: str) -> SeatSettings:
    """Return the settings a new seat gets from what its person has registered."""
    zone = office.register.person(address).zone
    return SeatSettings(zone=zone or None)
