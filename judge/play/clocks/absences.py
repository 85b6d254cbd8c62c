"""Being away: SET ABSENCE, and deadlines that wait for those who are.

An absence never moves the deadline of the phase that runs. When a later phase begins, its
deadline falls after the absences of those who have to order in it, of the master, with an evening
for orders behind them, and after the judge's own holidays, on the next hour and day the game's
clock allows.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from judge.games.system import Table
from judge.play.choices.settings import Change, schedule_of
from judge.play.clocks.instants import read_instant
from judge.play.game import Game
from judge.play.letters.disguise import called, is_gunboat, masters_know
from judge.play.letters.telling import notice_to, zone_of
from judge.play.office import is_present, table_of, title_of
from judge.play.session import Session
from judge.words.letter import Kind
from judge.words.reason import Reason, because
from judge.words.record import GameState, Role, Seat
from judge.words.seats import ChangeSetting

MOST_ABSENCES = 3
"""Absences a seat may have before it at a time."""

EVENING_BEGINS, EVENING_ENDS = time(18), time(23)
"""The evening that an absence leaves for orders before the deadline, by the clock of whoever was
away."""

_MIDNIGHT = time(0)
_DAYS_END = time(23, 59)
_TO = re.compile(r"\s+(?:to|until|till|-)\s+", re.IGNORECASE)


class Period(NamedTuple):
    """From one instant to another."""

    start: datetime
    end: datetime


def absences_of(seat: Seat) -> list[Period]:
    """Return the absences a seat's person has named, in order of time."""
    stored = seat.settings.get("absences")
    pairs = stored if isinstance(stored, list) else []
    return sorted(Period(*map(datetime.fromisoformat, pair)) for pair in pairs)


def pending(seat: Seat, now: datetime) -> list[Period]:
    """Return those absences of a seat that are not over."""
    return [period for period in absences_of(seat) if period.end > now]


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
            datetime.combine(first, _MIDNIGHT, zone).astimezone(UTC),
            datetime.combine(last + timedelta(days=1), _MIDNIGHT, zone).astimezone(UTC),
        )
        for first, last in days
    ]


def set_absence(session: Session, command: ChangeSetting, change: Change) -> None:
    """Note an absence of the open seat's person, or (SET NO ABSENCE) drop those noted."""
    seat, game = session.seat, session.game
    problem = _who_may_not(seat, game)
    if problem:
        session.refuse(command, problem)
        return
    zone = ZoneInfo(zone_of(game, seat))
    period = read_period(change.raw, session.now, zone) if change.raw else None
    if isinstance(period, Reason):
        session.refuse(command, period)
    elif change.value is not None:
        _drop(session, command, seat, period)
    elif period is None:
        session.refuse(command, because("absence-form"), "SET ABSENCE 24 Dec TO 27 Dec")
    else:
        _note(session, command, seat, period)


def _who_may_not(seat: Seat, game: Game) -> Reason | None:
    if seat.role not in (Role.PLAYER, Role.MASTER):
        return because("setting-player-only", setting="ABSENCE")
    begun = game.state in (GameState.RUNNING, GameState.PAUSED)
    if begun and seat.power and seat.power not in table_of(game).alive():
        return because("absence-eliminated")
    return None


def read_period(words: Sequence[str], now: datetime, zone: ZoneInfo) -> Period | Reason:
    """Read "24 Dec TO 27 Dec": whole days, unless times of day are named.

    A start with a time and no end means 24 hours.

    >>> zone = ZoneInfo("UTC")
    >>> found = read_period(["24", "Dec"], datetime(2026, 12, 1, tzinfo=UTC), zone)
    >>> str(found.start), str(found.end)
    ('2026-12-24 00:00:00+00:00', '2026-12-24 23:59:00+00:00')
    """
    first, *others = _TO.split(" ".join(words))
    if len(others) > 1:
        return because("absence-form")
    start = read_instant(first.split(), now, zone, hour=_MIDNIGHT)
    if isinstance(start, Reason):
        return start
    if others:
        end = read_instant(others[0].split(), start, zone, hour=_DAYS_END)
        if isinstance(end, Reason):
            return end
    else:
        local = start.astimezone(zone)
        whole = local.time() == _MIDNIGHT
        end = local.replace(hour=23, minute=59) if whole else local + timedelta(days=1)
    if end <= start:
        return because("absence-backwards")
    return Period(start, end.astimezone(UTC))


def _note(session: Session, command: ChangeSetting, seat: Seat, period: Period) -> None:
    before = pending(seat, session.now)
    most = session.game.chosen.max_absence
    own = seat.role is Role.PLAYER
    problem = None
    if period.end <= session.now:
        problem = because("absence-past")
    elif own and not most:
        problem = because("absence-not-allowed")
    elif own and period.end - period.start > timedelta(days=most, hours=1):
        problem = because("absence-too-long", most=most)
    elif any(period.start < other.end and other.start < period.end for other in before):
        problem = because("absence-overlaps")
    elif len(before) >= MOST_ABSENCES:
        problem = because("absence-too-many", most=MOST_ABSENCES)
    if problem:
        session.refuse(command, problem)
        return
    _keep(session, seat, [*before, period])
    session.say(because("absence-noted"))
    _tell_masters(session, seat, period)


def _drop(session: Session, command: ChangeSetting, seat: Seat, period: Period | None) -> None:
    """Drop all absences, or those that touch a period."""
    before = pending(seat, session.now)
    left = [
        other
        for other in before
        if period and not (period.start < other.end and other.start < period.end)
    ]
    if len(left) == len(before):
        session.refuse(command, because("absence-none"))
        return
    _keep(session, seat, left)
    session.say(because("absence-dropped", count=len(before) - len(left)))


def _keep(session: Session, seat: Seat, periods: Iterable[Period]) -> None:
    texts = [[period.start.isoformat(), period.end.isoformat()] for period in periods]
    settings = {**seat.settings, "absences": texts}
    session.office.games.save_seat(replace(seat, settings=settings))


def _tell_masters(session: Session, seat: Seat, period: Period) -> None:
    """Tell the masters who will be away: they may move deadlines. HISTORY does not keep it.

    A master who plays a gunboat game himself is not told.
    """
    game = session.game
    if is_gunboat(game) and not masters_know(game):
        return
    for master in game.all_seats():
        if master.role is Role.MASTER and is_present(master) and master.id != seat.id:
            zone = zone_of(game, master)
            start, end = (f"{x.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}" for x in period)
            news = because(
                "absence-told", who=title_of(seat) or called(game, master, seat), game=game.name,
                start=start, end=end, zone=zone,
            )
            session.letters.append(
                notice_to(game, master, [news], Kind.NOTICE)
            )


def absence_facts(session: Session, game: Game, seat: Seat) -> list[dict[str, object]]:
    """Return the absences a receipt shows: one's own; to the master everybody's."""
    seats = [seat]
    if seat.role is Role.MASTER and (masters_know(game) or not is_gunboat(game)):
        seats = [each for each in game.all_seats() if is_present(each)]
    return [
        {
            "who": "" if each.id == seat.id else title_of(each) or called(game, seat, each),
            "start": period.start,
            "end": period.end,
        }
        for each in seats
        for period in pending(each, session.now)
    ]
