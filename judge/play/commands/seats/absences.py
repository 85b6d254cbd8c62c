"""SET ABSENCE, NOTICES and DIGEST: absences, and the letters that a seat wants."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from judge.model.command import Command
from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat
from judge.model.seat_commands import ChangeSetting
from judge.model.seat_settings import Period
from judge.play.choices.settings import SettingChange
from judge.play.choices.settingtable import PHASE, muted_by
from judge.play.clocks.deadlines import MIDNIGHT, absences_of
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.letters.anonymity import is_gunboat, masters_know, seat_label
from judge.play.letters.letter_factory import notice_to, zone_of
from judge.play.notification_filter import digest_due, muted_kinds
from judge.play.parse_time import read_instant
from judge.play.queries import is_present, title_of

MAX_ABSENCES = 3
"""Maximum number of present and future absences of a seat."""
_DAYS_END = time(23, 59)
_TO = re.compile(r"\s+(?:to|until|till|bis|-)\s+", re.IGNORECASE)


def pending(seat: Seat, now: datetime) -> list[Period]:
    """Return the absences of a seat that are not over."""
    return [period for period in absences_of(seat) if period.end > now]


def set_absence(session: Session, command: ChangeSetting, change: SettingChange) -> None:
    """Store an absence of the open seat, or remove absences (SET NO ABSENCE)."""
    seat, game = session.seat, session.game
    problem = _absence_refusal(seat, game)
    if problem:
        session.refuse(command, problem)
        return
    zone = ZoneInfo(zone_of(game, seat))
    period = read_period(change.raw, session.now, zone) if change.raw else None
    if isinstance(period, Phrase):
        session.refuse(command, period)
    elif change.value is not None:
        _drop(session, command, seat, period)
    elif period is None:
        session.refuse(command, phrase("absence-form"), "SET ABSENCE 24 Dec TO 27 Dec")
    else:
        _note(session, command, seat, period)


def _absence_refusal(seat: Seat, game: Game) -> Phrase | None:
    if seat.role not in (Role.PLAYER, Role.MASTER):
        return phrase("setting-player-only", setting="ABSENCE")
    begun = game.state in (GameState.RUNNING, GameState.PAUSED)
    if begun and seat.power and seat.power not in game.table.powers_alive():
        return phrase("absence-eliminated")
    return None


def read_period(words: Sequence[str], now: datetime, zone: ZoneInfo) -> Period | Phrase:
    """Read "24 Dec TO 27 Dec": whole days, unless times of day are named.

    A start with a time and no end means 24 hours.

    >>> zone = ZoneInfo("UTC")
    >>> found = read_period(["24", "Dec"], datetime(2026, 12, 1, tzinfo=UTC), zone)
    >>> str(found.start), str(found.end)
    ('2026-12-24 00:00:00+00:00', '2026-12-24 23:59:00+00:00')
    """
    first, *others = _TO.split(" ".join(words))
    if len(others) > 1:
        return phrase("absence-form")
    start = read_instant(first.split(), now, zone, hour=MIDNIGHT)
    if isinstance(start, Phrase):
        return start
    if others:
        end = read_instant(others[0].split(), start, zone, hour=_DAYS_END)
        if isinstance(end, Phrase):
            return end
    else:
        local = start.astimezone(zone)
        whole = local.time() == MIDNIGHT
        end = local.replace(hour=23, minute=59) if whole else local + timedelta(days=1)
    if end <= start:
        return phrase("absence-backwards")
    return Period(start, end.astimezone(UTC))


def _note(session: Session, command: ChangeSetting, seat: Seat, period: Period) -> None:
    before = pending(seat, session.now)
    most = session.game.chosen.max_absence
    own = seat.role is Role.PLAYER
    problem = None
    if period.end <= session.now:
        problem = phrase("absence-past")
    elif own and not most:
        problem = phrase("absence-not-allowed")
    elif own and period.end - period.start > timedelta(days=most, hours=1):
        problem = phrase("absence-too-long", most=most)
    elif any(period.start < other.end and other.start < period.end for other in before):
        problem = phrase("absence-overlaps")
    elif len(before) >= MAX_ABSENCES:
        problem = phrase("absence-too-many", most=MAX_ABSENCES)
    if problem:
        session.refuse(command, problem)
        return
    _keep(session, seat, [*before, period])
    session.done(phrase("absence-noted"))
    _tell_masters(session, seat, period)


def _drop(session: Session, command: ChangeSetting, seat: Seat, period: Period | None) -> None:
    """Remove all absences, or those that overlap a period."""
    before = pending(seat, session.now)
    left = [
        other
        for other in before
        if period and not (period.start < other.end and other.start < period.end)
    ]
    if len(left) == len(before):
        session.refuse(command, phrase("absence-none"))
        return
    _keep(session, seat, left)
    session.done(phrase("absence-dropped", count=len(before) - len(left)))


def _keep(session: Session, seat: Seat, periods: Iterable[Period]) -> None:
    settings = replace(seat.settings, absences=tuple(periods))
    session.context.games.save_seat(replace(seat, settings=settings))


def _tell_masters(session: Session, seat: Seat, period: Period) -> None:
    """Inform the masters of an absence, as they may move deadlines.

    HISTORY does not store it. A master who plays in a gunboat game is not informed.
    """
    game = session.game
    if is_gunboat(game) and not masters_know(game):
        return
    for master in game.all_seats():
        if master.role is Role.MASTER and is_present(master) and master.id != seat.id:
            zone = zone_of(game, master)
            start, end = (f"{x.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}" for x in period)
            news = phrase(
                "absence-told", who=title_of(seat) or seat_label(game, master, seat),
                game=game.name, start=start, end=end, zone=zone,
            )
            session.queue(notice_to(game, master, [news], LetterKind.NOTICE))


def absence_facts(session: Session, game: Game, seat: Seat) -> list[dict[str, object]]:
    """Return the absences that a receipt shows: one's own, or all for a master.

    Masters who play in a gunboat game see only their own.
    """
    seats = [seat]
    if seat.role is Role.MASTER and (masters_know(game) or not is_gunboat(game)):
        seats = [each for each in game.all_seats() if is_present(each)]
    return [
        {
            "who": "" if each.id == seat.id else title_of(each) or seat_label(game, seat, each),
            "start": period.start, "end": period.end,
        }
        for each in seats
        for period in pending(each, session.now)
    ]


def set_notices(session: Session, command: Command, words: tuple[str, ...]) -> None:
    """Set which kinds of letter the open seat wants."""
    seat = session.seat
    muted = muted_by(words, muted_kinds(seat), seat.role)
    if isinstance(muted, Phrase):
        session.refuse(command, muted, "SET NOTICES ALL")
        return
    settings = replace(seat.settings, muted=muted)
    session.context.games.save_seat(replace(seat, settings=settings))
    session.done(phrase("notices-muted", kinds=muted) if muted else phrase("notices-all"))


def set_digest(session: Session, wish: int | str | None) -> None:
    """Set when the open seat gets its digest: at once, with results, or once a day.

    *wish* is a minute of the day, PHASE or None.
    """
    seat, context = session.seat, session.context
    watches = seat.role in (Role.OBSERVER, Role.MONITOR)
    context.games.save_seat(replace(seat, settings=replace(seat.settings, digest=wish)))
    if isinstance(wish, int):
        hour = f"{wish // 60:02}:{wish % 60:02}"
        code = "digest-day" if watches else "digest-day-playing"
        session.done(phrase(code, time=hour, zone=zone_of(session.game, seat)))
    elif wish == PHASE:
        session.done(phrase("digest-phase" if watches else "digest-phase-playing"))
    else:
        session.done(phrase("digest-off"))
    # Pending digest letters are sent by the time that the new digest setting gives.
    changed = context.games.seat(seat.id)
    assert changed is not None
    daily = isinstance(wish, int)
    due = digest_due(session.game, changed, session.now) if daily else session.now
    context.bundles.reschedule(seat.id, due or session.now)
