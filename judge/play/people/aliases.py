"""One person, several addresses: IAMALSO, believed once somebody at each of them has said yes.

Whoever is known at several addresses may write from any of them; a seat's letters go to the one it
is registered with, and with `SET COPIES` to the others too.
"""

from collections.abc import Iterable
from dataclasses import replace

from judge.play.game import Office
from judge.words.letter import Letter
from judge.words.record import Seat


def with_copies(office: Office, letters: Iterable[Letter]) -> list[Letter]:
    """Return letters with those that go to a person's other addresses besides."""
    found: list[Letter] = []
    for letter in letters:
        found.append(letter)
        seat = office.games.seat(letter.seat) if letter.seat else None
        if seat is not None and wants_copies(seat) and letter.to == seat.address:
            others = office.aliases.of(seat.address)[1:]
            found += [replace(letter, to=address) for address in others]
    return found


def wants_copies(seat: Seat) -> bool:
    """Tell whether a seat's letters go to all addresses of its person."""
    return seat.settings.copies is True
