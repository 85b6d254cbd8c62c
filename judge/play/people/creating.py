"""Whether somebody can make a game: its name, and how many he is master of."""

from judge.play.game import Office
from judge.play.office import is_open
from judge.words.reason import Reason, because
from judge.words.record import Role


def name_problem(office: Office, name: str) -> Reason | None:
    """Return why a game cannot have a name, or None; a taken one is refused with a free one."""
    low = name.lower()
    if not (2 <= len(low) <= 8 and low.isascii() and low.isalnum() and low[0].isalpha()):
        return because("game-name-unusable", game=name)
    if office.games.find(low):
        taken = set(office.games.names())
        stem = low[:6]
        free = next(n for n in (f"{stem}{i}" for i in range(2, 100_000)) if n not in taken)
        return because("game-name-taken", game=low, free=free)
    return None


def masters_games(office: Office, address: str) -> int:
    """Return how many games that are not over an address is master of."""
    seats = office.games.seats_at(address)
    mine = {seat.game for seat in seats if seat.role is Role.MASTER}
    return sum(is_open(office.games.get(number)) for number in mine)
