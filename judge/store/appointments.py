"""Deadlines as the readers of games were told them, so that the next letter tells what changed."""

from dataclasses import replace
from datetime import datetime

from judge.store.database import Store
from judge.store.schema import APPOINTMENTS
from judge.store.table import Rows
from judge.words.appointment import Appointment


class Appointments:
    """The appointments of all games, one for each phase that had a deadline."""

    def __init__(self, store: Store) -> None:
        self._appointments = Rows(store, APPOINTMENTS)

    def of(self, game: int, name: str, phase: str) -> list[Appointment]:
        """Return what a game's readers have to expect: what is on, and the one of a phase."""
        return self._found(name, "game = ? AND (is_on OR phase = ?) ORDER BY at", game, phase)

    def since(self, game: int, name: str, instant: datetime) -> list[Appointment]:
        """Return what changed in a game since an instant."""
        return self._found(name, "game = ? AND told >= ? ORDER BY at", game, instant)

    def keep(self, appointment: Appointment) -> None:
        """Keep an appointment in place of what it was before."""
        self._appointments.put(appointment)

    def _found(self, name: str, condition: str, *values: object) -> list[Appointment]:
        return [replace(one, name=name) for one in self._appointments.where(condition, *values)]
