"""Being away: SET ABSENCE, and deadlines that wait for those who are.

An absence never moves the deadline of the phase that runs. When a later phase begins, its
deadline falls after the absences of those who have to order in it, of the master, with an evening
for orders behind them, and after the judge's own holidays, on the next hour and day the game's
clock allows.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from judge.games.system import Table
from judge.play.choices.settings import schedule_of
from judge.play.game import Game
from judge.play.letters.telling import zone_of
from judge.play.office import is_present
from judge.words.record import Role, Seat
from judge.words.seatsettings import Period

EVENING_BEGINS, EVENING_ENDS = time(18), time(23)
"""The evening that an absence leaves for orders before the deadline, by the clock of whoever was
away."""
MIDNIGHT = time(0)


def absences_of(seat: Seat) -> list[Period]:
    """Return the absences a seat's person has named, in order of time."""
    return sorted(seat.settings.absences or ())


class PutOff(NamedTuple):
    """A deadline after what it waited for; `why` is "absence", "holiday", or empty: nothing."""

    deadline: datetime
    why: str = ""


def put_off(
    game: Game, table: Table, deadline: datetime, now: datetime
) -> PutOff:
    """Return a deadline of the phase on the table, moved past all absences that count for it.

    Whoever comes back has an evening to order in before it. What is over when the phase begins
    counts for nothing.
    """
    due = table.due()
    away = [
        (period.start, evening_after(period.end, ZoneInfo(zone_of(game, seat))), "absence")
        for seat in game.all_seats()
        if is_present(seat) and (seat.role is Role.MASTER or seat.power in due)
        for period in absences_of(seat)
        if period.end > now
    ]
    holidays = _holidays(game.office.policy.holidays, ZoneInfo(game.chosen.zone))
    away += [(*period, "holiday") for period in holidays]
    schedule, why = schedule_of(game.chosen), ""
    while ends := [(end, kind) for start, end, kind in away if start <= deadline < end]:
        last, kind = max(ends)
        deadline = schedule.settled(table.phase.clock, last)
        why = "absence" if "absence" in (kind, why) else kind
    return PutOff(deadline, why)


def evening_after(end: datetime, zone: ZoneInfo) -> datetime:
    """Return when the first whole evening is over that somebody back at an instant has.

    >>> zone = ZoneInfo("UTC")
    >>> str(evening_after(datetime(2026, 12, 24, 23, 59, tzinfo=UTC), zone))
    '2026-12-25 23:00:00+00:00'
    >>> str(evening_after(datetime(2026, 12, 24, 9, tzinfo=UTC), zone))
    '2026-12-24 23:00:00+00:00'
    """
    local = end.astimezone(zone)
    day = local.date() + timedelta(days=local.time() > EVENING_BEGINS)
    return datetime.combine(day, EVENING_ENDS, zone).astimezone(UTC)


def _holidays(days: Iterable[tuple[date, date]], zone: ZoneInfo) -> list[Period]:
    """Return the judge's holidays as a game's zone counts days."""
    return [
        Period(
            datetime.combine(first, MIDNIGHT, zone).astimezone(UTC),
            datetime.combine(last + timedelta(days=1), MIDNIGHT, zone).astimezone(UTC),
        )
        for first, last in days
    ]
