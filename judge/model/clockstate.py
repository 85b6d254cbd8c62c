"""The state of a game's clock as one frozen value.

It is stored as one JSON object of the fields that differ from the defaults, in the form that older
judges wrote.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from judge.model.json_records import read_record, write_record


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A position that SETUP has shown, and the word that puts it into force."""

    word: str
    position: str


@dataclass(frozen=True, slots=True)
class ClockState:
    """The clock of a game in its present phase.

    An instant that has not come is None.
    """

    begun: datetime | None = None
    """When orders began to be written: with the phase, or when negotiation ends."""
    reminded: datetime | None = None
    """When those who owe orders were reminded last, or told of another deadline."""
    late: tuple[str, ...] = ()
    """The powers that were told, at the deadline, that they are late."""
    alerted: bool = False
    """The master was warned of those who have sent nothing at all."""
    protected: bool = False
    """The second grace of the first turn was given."""
    early: datetime | None = None
    """When the phase ends before its deadline, since all orders are in."""
    not_before: datetime | None = None
    """Until when it is not to end early."""
    grace: timedelta | None = None
    """Length of grace that the master chose for this phase; None: that of the schedule."""
    writing_from: datetime | None = None
    """When negotiation ends and orders are written."""
    writing: bool = False
    """Negotiation has ended: no press but with the master."""
    put_off: str | None = None
    """Why the deadline is later than the schedule says; empty where it was, and is not again."""
    waits_for: tuple[str, ...] = ()
    """The powers that must find a player before the game goes on (NMR WAIT)."""
    held: datetime | None = None
    """Since when the phase is over and its result waits for the master's release."""
    nudged: datetime | None = None
    """When the master was told last that everybody waits for him."""
    paused: datetime | None = None
    """Since when the clock stands still."""
    paused_by: str = ""
    """On whose word it does: "master", "vote" or "freeze"."""
    paused_until: datetime | None = None
    """When it goes on by itself; None: when somebody says so."""
    muster_until: datetime | None = None
    """Until when the players of a complete game must confirm that they are there."""
    confirmed: tuple[int, ...] | None = None
    """The numbers of the seats that have; None: nobody is asked."""
    setup: Arrangement | None = None
    """The position that SETUP has shown."""
    others: Mapping[str, object] = field(default_factory=dict)
    """What a judge of another version has written."""

    @property
    def is_held(self) -> bool:
        """The present phase is over and its result waits for the master's release."""
        return self.held is not None

    @property
    def negotiates(self) -> bool:
        """Orders are not written yet."""
        return self.writing_from is not None

    # What the clock comes to. What is of a phase only is gone with the next one.

    def moved(self, now: datetime) -> "ClockState":
        """Return the clock with another deadline, of which nobody has been told anything but this.
        """
        return replace(
            self, late=(), alerted=False, held=None, nudged=None, reminded=now,
        )

    def later(self, span: timedelta) -> "ClockState":
        """Return the clock with every instant of the phase a span later."""
        def put(instant: datetime | None) -> datetime | None:
            return instant + span if instant else None

        return replace(
            self, begun=put(self.begun), writing_from=put(self.writing_from),
            early=put(self.early), not_before=put(self.not_before), reminded=put(self.reminded),
        )

    def stopped(self, now: datetime, by: str, until: datetime | None = None) -> "ClockState":
        """Return the clock standing still from now on; `by` says on whose word."""
        return replace(self, paused=now, paused_by=by, paused_until=until)

    def going_on(self) -> "ClockState":
        """Return the clock running again."""
        return replace(self, paused=None, paused_by="", paused_until=None)

    def writes(self, now: datetime) -> "ClockState":
        """Return the clock when negotiation has ended."""
        return replace(self, begun=now, writing_from=None, writing=True)

    def holding(self, now: datetime) -> "ClockState":
        """Return the clock of a phase that is over and waits for its release."""
        return replace(self, early=None, held=now, nudged=now)

    def reopened(self) -> "ClockState":
        """Return the clock of a phase that was over, or was to end early, and goes on."""
        return replace(self, early=None, held=None, nudged=None)

    def mustering(self, until: datetime, here: tuple[int, ...]) -> "ClockState":
        """Return the clock of a game whose players are asked to confirm, but for who is `here`."""
        return replace(self, muster_until=until, confirmed=here)

    def not_mustering(self) -> "ClockState":
        """Return the clock of a game in which nobody is asked to confirm."""
        return replace(self, muster_until=None, confirmed=None)

    # As it is kept.

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> "ClockState":
        """Return the clock of a JSON object.

        Raises:
            ValueError: a field has no value of its type.

        >>> ClockState.read({"writing": True, "late": ["France"]}).late
        ('France',)
        """
        return read_record(cls, kept) if kept else AT_REST

    def as_json(self) -> dict[str, object]:
        """Return the clock as it is kept: a JSON object of what is so.

        >>> ClockState(late=("France",), writing=True).as_json()
        {'late': ['France'], 'writing': True}
        """
        return write_record(self)


AT_REST = ClockState()
"""The clock of a game of which nothing is under way."""
