"""Changes of deadlines: by a master, votes, newcomers, pauses and absences.

An absence (SET ABSENCE) never moves the deadline of the phase that runs. When a later phase
begins, its deadline falls after the absences of those who have to order in it and of the
master, with an evening for orders after them, and after the judge's own holidays, at the next
hour and day that the game's clock allows.
"""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from judge.games.system import Table
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat
from judge.model.seat_settings import Period
from judge.play.choices.settings import schedule_of
from judge.play.game import Game, GameView
from judge.play.letters.letter_factory import zone_of
from judge.play.parse_time import AT_NIGHT, day_begins
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
    """Return the hour that a date alone means: the game's clock hour, if it has one."""
    zone = ZoneInfo(game.chosen.zone)
    schedule, clock = schedule_of(game.chosen), game.table.phase.clock
    if schedule.cron:
        return game.deadline.astimezone(zone).timetz() if game.deadline else AT_NIGHT
    minutes = schedule.timings[clock].clock
    return time(*divmod(minutes, 60), tzinfo=zone) if minutes >= 0 else AT_NIGHT


def direction(was: datetime | None, now: datetime | None) -> str:
    """Return the direction of a change: "later", "earlier", or "set" without a value."""
    if was is None or now is None:
        return "set"
    return "earlier" if now < was else "later"


def describe_time_change(
    stem: str, game: Game, was: datetime | None, now: datetime | None
) -> Phrase:
    """Describe the old and new value of a time of the present phase.

    The phrase code is *stem* with the direction of the change.
    """
    assert now is not None
    if _is_same_minute(was, now):
        was = None
    facts = {"phase": game.phase, "game": game.name, "now": now.isoformat()}
    if was is not None:
        facts["was"] = was.isoformat()
    code = f"{stem}-{direction(was, now)}"
    return phrase(_ALIKE.get(code, code), **facts)


def _is_same_minute(first: datetime | None, second: datetime) -> bool:
    """Return whether letters, which show minutes, show two instants as the same."""
    return first is not None and first.replace(second=0, microsecond=0) == second.replace(
        second=0, microsecond=0
    )


_ALIKE = {
    "earliest-moved-earlier": "earliest-moved-later", "grace-along-earlier": "grace-along-later",
    "grace-along-set": "grace-moved-set", "deadline-now-earlier": "deadline-now-later",
}
"""Codes of phrases that use the text of another code."""
_MOVED = {
    "negotiation_end": "negotiation-moved", "not_before": "earliest-moved", "grace": "grace-along",
}
"""Time of a phase → stem of the codes of phrases about a move of it."""


def describe_time_changes(
    stem: str, before: GameView, after: Game, unmoved: Phrase | None = None, *, but: str = ""
) -> tuple[Phrase, ...]:
    """Describe every time of a phase that moved, the deadline first.

    The time named in *but* is left out. If the deadline did not move, *unmoved* comes first.
    """
    if after.deadline is not None and not _is_same_minute(before.deadline, after.deadline):
        first: tuple[Phrase, ...] = (
            describe_time_change(stem, after, before.deadline, after.deadline),
        )
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
    return tuple(
        describe_time_change(_MOVED[name], after, old, new)
        for name, old, new in zip(PhaseTimes._fields, was, now, strict=True)
        if name in _MOVED and name != but and (name != "grace" or graced)
        and new is not None and not _is_same_minute(old, new)
    )


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
    game.change(deadline=times.deadline, grace_until=grace, clock=clock.with_deadline(now))


def grace_end(game: Game, deadline: datetime) -> datetime:
    """Return the end of the grace period after a deadline of the present phase.

    Its length is the one the master chose for this phase, else the schedule's.
    """
    if game.clock.grace is not None:
        return deadline + game.clock.grace
    return schedule_of(game.chosen).grace_end(game.table.phase.clock, deadline)


def set_grace(game: Game, until: datetime) -> None:
    """Set the end of the grace period of the present phase, and store its length."""
    length = until - game.deadline if game.deadline else None
    game.change(grace_until=until, clock=replace(game.clock, grace=length, alerted=False))


def pause_clock(game: Game, now: datetime, by: str, until: datetime | None = None) -> None:
    """Stop a game's clock, `until` an instant if one is given. `by` names the cause."""
    game.change(state=GameState.PAUSED, due=until, clock=game.clock.with_pause(now, by, until))


def resume_clock(game: Game, now: datetime) -> None:
    """Resume a paused game with the time that was left."""
    since = game.clock.paused or now
    span = max(now - since, timedelta())

    def later(instant: datetime | None) -> datetime | None:
        return instant + span if instant else None

    game.change(
        state=GameState.RUNNING, deadline=later(game.deadline),
        grace_until=later(game.grace_until), opened=later(game.opened),
        clock=game.clock.shifted_by(span).with_pause_ended(),
    )


EVENING_BEGINS, EVENING_ENDS = time(18), time(23)
"""Evening that an absence leaves for orders before the deadline, in local time.

It is the local time of the absent person.
"""
MIDNIGHT = time(0)


def absences_of(seat: Seat) -> list[Period]:
    """Return the absences of a seat's person, in order of time."""
    return sorted(seat.settings.absences or ())


class AdjustedDeadline(NamedTuple):
    """A deadline after postponement.

    `why` is "absence" or "holiday", or empty if it was not postponed.
    """

    deadline: datetime
    why: str = ""


def avoid_absences(game: Game, table: Table, deadline: datetime, now: datetime) -> AdjustedDeadline:
    """Return a deadline of the phase on the table, moved past all relevant absences.

    People who come back have an evening to order in before it. An absence that is over when the
    phase begins does not count.
    """
    due = table.powers_due()
    away = [
        (period.start, evening_after(period.end, ZoneInfo(zone_of(game, seat))), "absence")
        for seat in game.all_seats()
        if is_present(seat) and (seat.role is Role.MASTER or seat.power in due)
        for period in absences_of(seat)
        if period.end > now
    ]
    zone = ZoneInfo(game.chosen.zone)
    away += [
        (day_begins(first, zone), day_begins(last + timedelta(days=1), zone), "holiday")
        for first, last in game.context.policy.holidays
    ]
    schedule, why = schedule_of(game.chosen), ""
    while ends := [(end, kind) for start, end, kind in away if start <= deadline < end]:
        last, kind = max(ends)
        deadline = schedule.next_allowed(table.phase.clock, last)
        why = "absence" if "absence" in (kind, why) else kind
    return AdjustedDeadline(deadline, why)


def evening_after(end: datetime, zone: ZoneInfo) -> datetime:
    """Return the end of a person's first whole evening after their return.

    >>> zone = ZoneInfo("UTC")
    >>> str(evening_after(datetime(2026, 12, 24, 23, 59, tzinfo=UTC), zone))
    '2026-12-25 23:00:00+00:00'
    >>> str(evening_after(datetime(2026, 12, 24, 9, tzinfo=UTC), zone))
    '2026-12-24 23:00:00+00:00'
    """
    local = end.astimezone(zone)
    day = local.date() + timedelta(days=local.time() > EVENING_BEGINS)
    return datetime.combine(day, EVENING_ENDS, zone).astimezone(UTC)
