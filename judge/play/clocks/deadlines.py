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


class PhaseTimes(NamedTuple):
    """The times of a phase, each None if it is not set.

    In order are: the end of negotiation, the deadline, the end of the grace period. The earliest
    adjudication (`not_before`) is no later than the deadline.
    """

    negotiation_end: datetime | None = None
    not_before: datetime | None = None
    deadline: datetime | None = None
    grace: datetime | None = None

    def in_order(self, chosen: str) -> "PhaseTimes":
        """Return the times in order, with the *chosen* one unchanged.

        >>> noon, night = datetime(2026, 1, 5, 12), datetime(2026, 1, 5, 23)
        >>> PhaseTimes(not_before=night, deadline=noon).in_order("not_before").deadline == night
        True
        >>> PhaseTimes(not_before=night, deadline=noon).in_order("deadline").not_before == noon
        True
        """
        end, earliest, deadline, grace = self
        if chosen == "deadline" and deadline:
            end = min(end, deadline) if end else None
            earliest = min(earliest, deadline) if earliest else None
        elif chosen != "grace":
            deadline = max(filter(None, (end, earliest, deadline)), default=None)
        if grace and deadline:
            grace = max(grace, deadline)
        return PhaseTimes(end, earliest, deadline, grace)


def times_of(game: GameView) -> PhaseTimes:
    """Return the times of a game's present phase."""
    clock = game.clock
    return PhaseTimes(clock.writing_from, clock.not_before, game.deadline, game.grace_until)


def standing_instant(game: Game, name: str) -> datetime | None:
    """Return the present value for SET DEADLINE and its like, or None."""
    return times_of(game)._asdict().get(name)


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


def instant_told(
    stem: str, game: Game, was: datetime | None, now: datetime | None
) -> Phrase:
    """Describe what a time of the present phase was and is, by a stem and the `way` it moved."""
    assert now is not None
    if _is_same_minute(was, now):
        was = None
    facts = {"phase": game.phase, "game": game.name, "now": now.isoformat()}
    if was is not None:
        facts["was"] = was.isoformat()
    code = f"{stem}-{way(was, now)}"
    return phrase(_ALIKE.get(code, code), **facts)


def _is_same_minute(first: datetime | None, second: datetime) -> bool:
    """Return whether letters, which show minutes, show two instants alike."""
    return first is not None and first.replace(second=0, microsecond=0) == second.replace(
        second=0, microsecond=0
    )


_ALIKE = {
    "earliest-moved-earlier": "earliest-moved-later", "grace-along-earlier": "grace-along-later",
    "grace-along-set": "grace-moved-set", "deadline-now-earlier": "deadline-now-later",
}
"""Codes whose sentence is that of another one."""


def moves_told(
    stem: str, before: GameView, after: Game, unmoved: Phrase | None = None, *, but: str = ""
) -> tuple[Phrase, ...]:
    """Describe every time of a phase that moved, the deadline first.

    The time named in *but* is left out. Where the deadline did not move, *unmoved* comes first.
    """
    if after.deadline is not None and not _is_same_minute(before.deadline, after.deadline):
        first: tuple[Phrase, ...] = (instant_told(stem, after, before.deadline, after.deadline),)
    else:
        first = (unmoved,) if unmoved else ()
    return first + also_moved(before, after, but)


def also_moved(before: GameView, after: Game, but: str = "") -> tuple[Phrase, ...]:
    """Describe the times of a phase that moved, other than the deadline.

    The time named in *but* is left out, and so are a grace period of no length and a time that
    has ended.
    """
    was, now = times_of(before), times_of(after)
    graced = now.grace != now.deadline or was.grace != was.deadline
    moved = {
        name: (old, new)
        for name, old, new in zip(PhaseTimes._fields, was, now, strict=True)
        if new is not None and not _is_same_minute(old, new) and name not in ("deadline", but)
    }
    news = []
    if "negotiation_end" in moved:
        news.append(instant_told("negotiation-moved", after, *moved["negotiation_end"]))
    if "not_before" in moved:
        news.append(instant_told("earliest-moved", after, *moved["not_before"]))
    if "grace" in moved and graced:
        news.append(instant_told("grace-along", after, *moved["grace"]))
    return tuple(news)


def move_deadline(game: Game, deadline: datetime, now: datetime) -> None:
    """Move the deadline of a game's present phase, and the grace period with it."""
    put_times(game, times_of(game)._replace(deadline=deadline), "deadline", now)


def move_negotiation(game: Game, end: datetime, now: datetime) -> None:
    """Move the end of a running negotiation.

    The time for writing orders keeps its length.
    An adjudication that was not to come before an instant still does not.
    """
    was = times_of(game)
    assert was.negotiation_end and was.deadline
    later = was.deadline + (end - was.negotiation_end)
    times = was._replace(negotiation_end=end, deadline=later)
    put_times(game, times, "negotiation_end", now)


def extend(game: Game, span: timedelta, now: datetime) -> None:
    """Move the deadline, and the end of a running negotiation, later by a span."""
    if game.clock.writing_from:
        move_negotiation(game, game.clock.writing_from + span, now)
    elif game.deadline:
        move_deadline(game, max(game.deadline, now) + span, now)


def put_times(game: Game, times: PhaseTimes, chosen: str, now: datetime) -> None:
    """Store times of the present phase in order, with the *chosen* one unchanged.

    Reminders whose time has passed already are not sent: the letter about the move is one.
    """
    times = times.in_order(chosen)
    clock = replace(
        game.clock, writing_from=times.negotiation_end, not_before=times.not_before, early=(
            game.clock.early if times.not_before == game.clock.not_before else None
        ),
    )
    if times.negotiation_end != game.clock.writing_from:
        clock = replace(clock, begun=times.negotiation_end)
    if times.deadline == game.deadline:
        game.change(clock=clock)
        return
    grace = grace_end(game, times.deadline) if times.deadline else None
    game.change(deadline=times.deadline, grace_until=grace, clock=clock.moved(now))


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
