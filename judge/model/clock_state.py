"""State of a game's clock as one frozen value.

It is stored as one JSON object of the fields that differ from the defaults, in the form that older
judges wrote.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from judge.model.json_records import read_record, write_record


@dataclass(frozen=True, slots=True)
class PendingSetup:
    """A position shown by SETUP, with the word that puts it into force."""

    word: str
    position: str


@dataclass(frozen=True, slots=True)
class ClockState:
    """Clock of a game in its present phase.

    Times that are not set are None.
    """

    begun: datetime | None = None
    """Start of order writing: the beginning of the phase or the end of negotiation."""
    reminded: datetime | None = None
    """Time of the last reminder of missing orders or of the last deadline change."""
    late: tuple[str, ...] = ()
    """Powers that were notified, at the deadline, that they are late."""
    alerted: bool = False
    """True once the master was warned of late powers without any orders."""
    protected: bool = False
    """True once the second grace period of the first turn was given."""
    early: datetime | None = None
    """Early deadline, set once all orders are in."""
    not_before: datetime | None = None
    """Time before which the phase cannot end early."""
    grace: timedelta | None = None
    """Grace period that the master chose for this phase. None for the schedule's."""
    writing_from: datetime | None = None
    """End of negotiation, at which order writing begins."""
    writing: bool = False
    """True once negotiation has ended: no press except with the master."""
    put_off: str | None = None
    """Reason why the deadline is later than scheduled: "absence" or "holiday".

    None or empty if it is not."""
    waits_for: tuple[str, ...] = ()
    """Powers that must be taken over before the game continues (NMR WAIT)."""
    held: datetime | None = None
    """Time since which the phase is over and its result awaits the master's RELEASE."""
    master_reminded: datetime | None = field(default=None, metadata={"stored": "nudged"})
    """Time of the last reminder to the master that a result awaits release."""
    paused: datetime | None = None
    """Time at which the clock was stopped."""
    paused_by: str = ""
    """Origin of the pause: "master", "vote" or "freeze"."""
    paused_until: datetime | None = None
    """Time at which the pause ends by itself. None if it does not."""
    muster_until: datetime | None = None
    """Time by which the players of a complete game must confirm (muster)."""
    confirmed: tuple[int, ...] | None = None
    """Numbers of the seats that have confirmed. None outside a muster."""
    setup: PendingSetup | None = None
    """Position that SETUP has shown and not yet put into force."""
    others: Mapping[str, object] = field(default_factory=dict)
    """Fields written by another version of the judge."""

    @property
    def awaits_release(self) -> bool:
        """True while the result awaits the master's RELEASE."""
        return self.held is not None

    @property
    def negotiates(self) -> bool:
        """True during negotiation, before order writing."""
        return self.writing_from is not None

    # The methods below return the next state. A new phase begins with a new state.

    def with_deadline(self, now: datetime) -> "ClockState":
        """Return the clock after a change of the deadline.

        It forgets which powers are late. The letter about the change counts as a reminder.
        """
        return replace(
            self, late=(), alerted=False, held=None, master_reminded=None, reminded=now,
        )

    def shifted_by(self, span: timedelta) -> "ClockState":
        """Return the clock with all times of the phase moved by *span*."""
        def put(instant: datetime | None) -> datetime | None:
            return instant + span if instant else None

        return replace(
            self, begun=put(self.begun), writing_from=put(self.writing_from),
            early=put(self.early), not_before=put(self.not_before), reminded=put(self.reminded),
        )

    def with_pause(self, now: datetime, by: str, until: datetime | None = None) -> "ClockState":
        """Return the clock stopped from now on. *by* is the origin of the pause."""
        return replace(self, paused=now, paused_by=by, paused_until=until)

    def with_pause_ended(self) -> "ClockState":
        """Return the clock without a pause."""
        return replace(self, paused=None, paused_by="", paused_until=None)

    def with_phase_reopened(self) -> "ClockState":
        """Return the clock without a pending release or an early deadline."""
        return replace(self, early=None, held=None, master_reminded=None)

    def with_muster(self, until: datetime, here: tuple[int, ...]) -> "ClockState":
        """Return the clock of a muster.

        The seats in *here* count as confirmed.
        """
        return replace(self, muster_until=until, confirmed=here)


    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> "ClockState":
        """Read a clock from its JSON object.

        Raises:
            ValueError: a field has no value of its type.

        >>> ClockState.read({"writing": True, "late": ["France"]}).late
        ('France',)
        """
        return read_record(cls, kept) if kept else EMPTY_CLOCK

    def as_json(self) -> dict[str, object]:
        """Return the JSON object of the fields that differ from the defaults.

        >>> ClockState(late=("France",), writing=True).as_json()
        {'late': ['France'], 'writing': True}
        """
        return write_record(self)


EMPTY_CLOCK = ClockState()
"""Clock with all fields at their defaults."""
