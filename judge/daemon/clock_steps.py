"""Clock steps: jumps of the machine's clock, reported to the operator.

The judge follows a jump when the operator accepts it. The last believed reading is stored in the
database for the next process.
"""

import logging
from datetime import datetime, timedelta

from judge.clock import SteadyClock, SystemClock
from judge.config import Config
from judge.daemon.application import Application
from judge.errors import JudgeError, StoreError
from judge.store.database import Store
from judge.store.key_values import KeyValues

log = logging.getLogger("judge")

_NOTED = timedelta(minutes=1)
_DAY = timedelta(days=1)


class ClockSteps:
    """Check of the machine's clock against the last believed reading."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._noted: datetime | None = None
        self._doubts = False

    def check_clock(self) -> bool:
        """Store the believed reading, or report a jump. Return whether it was reported.

        Raises:
            StoreError: the database cannot be used now.
        """
        clock, application = self._application.clock, self._application
        if not isinstance(clock, SteadyClock):
            return False
        if clock.pending_jump():
            # Another process may have been given the right time.
            if (believed := application.key_values.last_reading()) is not None and believed.boot:
                clock.accept(believed)
        step, now = clock.pending_jump(), clock.now()
        if not step:
            if self._doubts:
                log.warning("the machine's clock is believed again")
            self._doubts = False
            if self._noted is None or abs(now - self._noted) >= _NOTED:
                application.key_values.save_reading(clock.read())
                self._noted = now
            return False
        self._doubts = True
        with application.store.transaction():
            if not application.context.people.ask_once("clock", now, now - _DAY):
                return False
            log.error("the machine's clock says %s, and is not believed", now + step)
            application.notify_operator("the clock has jumped", _story(now, step), now)
        return True


def confirm_clock(config: Config, accept: bool) -> str:
    """Return a message about the machine's clock and the judge's time.

    With *accept*, the machine's clock is believed first.

    Raises:
        StoreError: there is no database, or it cannot be used.
        JudgeError: the machine's clock is not believed.
    """
    machine = SystemClock()
    with Store(config.store.url).keep_open() as store:
        key_values = KeyValues(store)
        if accept:
            key_values.save_reading(machine.read())
        clock = SteadyClock(machine, key_values.last_reading())
        step, now = clock.pending_jump(), clock.now()
    if step:
        raise JudgeError(
            f"the machine's clock says {_format_utc(now + step)}, and the judge goes by"
            f" {_format_utc(now)}: set the clock right, or say `judge clock --accept` if it is"
        )
    return f"the judge goes by the machine's clock: {_format_utc(now)}"


def trusted_now(config: Config) -> datetime:
    """Return the judge's time by its database, or the machine's without a database."""
    machine = SystemClock()
    try:
        with Store(config.store.url).keep_open() as store:
            return SteadyClock(machine, KeyValues(store).last_reading()).now()
    except StoreError:
        return machine.now()


def _story(now: datetime, step: timedelta) -> str:
    """Return the text of the operator's letter."""
    way = "ahead" if step > timedelta() else "back"
    return (
        f"The machine's clock jumped {way}: it says {_format_utc(now + step)}."
        " By how long the machine"
        f" has run since the judge last believed it, it is {_format_utc(now)}. The judge goes on by"
        " that count: no deadline passes and nothing is tidied away before its time.\n\nIf the"
        " machine's clock is wrong, set it right: the judge follows it as soon as it is. If it is"
        " right (the judge was off for more than a month, or a wrong clock was set right), say\n\n"
        "  judge clock --accept\n\nThe time in between then counts as an outage: deadlines that"
        " passed in it move to at least [policy] outage_grace from now."
    )


def _format_utc(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M:%S} UTC"
