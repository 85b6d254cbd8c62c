"""Deadlines moved: by a master, by votes, for a newcomer, by a pause, for those who are away.

Being away: SET ABSENCE, and deadlines that wait for those who are.

An absence never moves the deadline of the phase that runs. When a later phase begins, its
deadline falls after the absences of those who have to order in it, of the master, with an evening
for orders behind them, and after the judge's own holidays, on the next hour and day the game's
clock allows.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from judge.games.system import Table
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, GameView, Role, Seat
from judge.model.seatsettings import Period
from judge.play.choices.settings import schedule_of
from judge.play.game import Game
from judge.play.letters.letter_factory import zone_of
from judge.play.parse_time import AT_NIGHT
from judge.play.queries import is_present


def standing_instant(game: Game, name: str) -> datetime | None:
    """Return what stands for SET DEADLINE, SET GRACE or SET START now; None where nothing does."""
    found = {
        "deadline": game.deadline, "grace": game.grace_until, "not_before": game.clock.not_before,
    }
    return found.get(name)


def hour_of_deadlines(game: Game) -> time:
    """Return the hour that a date alone means: that of the game's clock where it has one."""
    zone = ZoneInfo(game.chosen.zone)
    schedule, clock = schedule_of(game.chosen), game.table.phase.clock
    if schedule.cron:
        return game.deadline.astimezone(zone).timetz() if game.deadline else AT_NIGHT
    minutes = schedule.timings[clock].clock
    return time(*divmod(minutes, 60), tzinfo=zone) if minutes >= 0 else AT_NIGHT


def way(was: datetime | None, now: datetime | None) -> str:
    """Return how an instant changes: "later", "earlier", or "set" where there was none."""
    if was is None or now is None:
        return "set"
    return "earlier" if now < was else "later"


def move_told(stem: str, before: GameView, after: Game) -> Phrase:
    """Say what a deadline was and what it is: with the sentence of a stem and the `way` it moved.
    """
    return instant_told(stem, after, before.deadline, after.deadline)


def instant_told(
    stem: str, game: Game, was: datetime | None, now: datetime | None
) -> Phrase:
    """Say that an instant of a game's present phase is another one, as `move_told`."""
    assert now is not None
    facts = {"phase": game.phase, "game": game.name, "now": now.isoformat()}
    if was is not None:
        facts["was"] = was.isoformat()
    return phrase(f"{stem}-{way(was, now)}", **facts)


def move_deadline(game: Game, deadline: datetime, now: datetime) -> None:
    """Put the deadline of a game's present phase elsewhere; the grace moves along.

    Reminders whose time has passed already are not sent: the news of the move is one.
    """
    grace = grace_end(game, deadline)
    game.change(deadline=deadline, grace_until=grace, clock=game.clock.moved(now))


def grace_end(game: Game, deadline: datetime) -> datetime:
    """Return the end of the grace after a deadline of the present phase.

    A length that the master chose for this phase stays; else the schedule says it.
    """
    if game.clock.grace is not None:
        return deadline + game.clock.grace
    return schedule_of(game.chosen).grace_end(game.table.phase.clock, deadline)


def set_grace(game: Game, until: datetime) -> None:
    """Put the end of the grace of a game's present phase elsewhere, and keep its length."""
    length = until - game.deadline if game.deadline else None
    game.change(grace_until=until, clock=replace(game.clock, grace=length, alerted=False))


def stop(game: Game, now: datetime, by: str, until: datetime | None = None) -> None:
    """Have a game's clock stand still, `until` an instant if one is given; `by` says on whose word.
    """
    game.change(state=GameState.PAUSED, due=until, clock=game.clock.stopped(now, by, until))


def go_on(game: Game, now: datetime) -> None:
    """Have a paused game run again: the time that was left is left again."""
    since = game.clock.paused or now
    _push(game, max(now - since, timedelta()))
    game.change(state=GameState.RUNNING, clock=game.clock.going_on())


def _push(game: Game, span: timedelta) -> None:
    """Shift every instant of a game's present phase by a span."""
    def later(instant: datetime | None) -> datetime | None:
        return instant + span if instant else None

    game.change(
        deadline=later(game.deadline),
        grace_until=later(game.grace_until),
        opened=later(game.opened),
        clock=game.clock.later(span),
    )


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
    holidays = _holidays(game.context.policy.holidays, ZoneInfo(game.chosen.zone))
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
