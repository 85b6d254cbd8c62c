"""Deadlines as the readers of games were told them, so that the next letter tells what changed."""

from datetime import datetime

from judge.store.appointmenttables import AppointmentRow
from judge.store.database import Store
from judge.words.appointment import Appointment

_COLUMNS = ("game", "phase", "clock", "turn", "at", "sequence", "is_on", "told")


class Appointments:
    """The appointments of all games, one for each phase that had a deadline."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, game: int, name: str, phase: str) -> list[Appointment]:
        """Return what a game's readers have to expect: what is on, and the one of a phase."""
        return self._found(name, "game = ? AND (is_on OR phase = ?) ORDER BY at", game, phase)

    def since(self, game: int, name: str, instant: datetime) -> list[Appointment]:
        """Return what changed in a game since an instant."""
        return self._found(name, "game = ? AND told >= ? ORDER BY at", game, _micros(instant))

    def keep(self, appointment: Appointment) -> None:
        """Keep an appointment in place of what it was before."""
        row = {column: getattr(appointment, column) for column in _COLUMNS}
        self._store.run(AppointmentRow.insert(row).on_conflict_replace())

    def _found(self, name: str, condition: str, *values: object) -> list[Appointment]:
        rows = self._store.look_up(AppointmentRow, condition, *values)
        return [Appointment(**row, name=name) for row in rows]


def _micros(instant: datetime) -> object:
    return AppointmentRow.told.db_value(instant)
