"""What subscribers have not been told yet: letters for a digest, and deadlines that changed."""

from dataclasses import replace
from datetime import datetime

from judge.model.letter import Appointment
from judge.store.database import Store
from judge.store.schema import APPOINTMENTS, BUNDLES, Bundle
from judge.store.table import Rows

DUE = "due <= ?"
"""Which bundles are due, by an instant."""

_IN_ORDER = "ORDER BY at, told, phase"


class Bundles:
    """All bundles of a store.

    Only the span is kept; the letter is made of what HISTORY knows of that time.
    """

    def __init__(self, store: Store) -> None:
        self._bundles = Rows(store, BUNDLES)

    def add(self, bundle: Bundle) -> None:
        """Begin a bundle, unless the seat has one: what is new then belongs to that."""
        self._bundles.add_new(bundle)

    def get(self, seat: int) -> Bundle | None:
        """Return a seat's bundle, or None."""
        return self._bundles.one(seat=seat)

    def drop(self, seat: int) -> None:
        """Forget a seat's bundle: it is told, or nobody wants it any more."""
        self._bundles.remove(seat=seat)

    def hasten(self, seat: int, due: datetime) -> None:
        """Have a seat's bundle, if there is one, told at another instant."""
        self._bundles.change("seat = ?", seat, due=due)

    def due(self, now: datetime, limit: int = 100) -> list[Bundle]:
        """Return the bundles to be told by an instant."""
        return self._bundles.where(f"{DUE} ORDER BY due, seat LIMIT ?", now, limit)


class Appointments:
    """The appointments of all games, one for each phase that had a deadline."""

    def __init__(self, store: Store) -> None:
        self._appointments = Rows(store, APPOINTMENTS)

    def of(self, game: int, name: str, phase: str) -> list[Appointment]:
        """Return what a game's readers have to expect: what is on, and the one of a phase."""
        mine = "game = ? AND (is_on <> 0 OR phase = ?)"
        return self._found(name, f"{mine} {_IN_ORDER}", game, phase)

    def since(self, game: int, name: str, instant: datetime) -> list[Appointment]:
        """Return what changed in a game since an instant."""
        return self._found(name, f"game = ? AND told >= ? {_IN_ORDER}", game, instant)

    def keep(self, appointment: Appointment) -> None:
        """Keep an appointment in place of what it was before."""
        self._appointments.put(appointment)

    def _found(self, name: str, condition: str, *values: object) -> list[Appointment]:
        return [replace(one, name=name) for one in self._appointments.where(condition, *values)]
