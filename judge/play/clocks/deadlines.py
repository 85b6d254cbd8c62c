"""Deadlines moved: by their master, by votes, for a newcomer, by a pause."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from judge.play.choices.settings import schedule_of
from judge.play.game import Game
from judge.play.times.instants import AT_NIGHT
from judge.words.reason import Reason, because
from judge.words.record import GameState, GameView


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


def move_told(stem: str, before: GameView, after: Game) -> Reason:
    """Say what a deadline was and what it is: with the sentence of a stem and the `way` it moved.
    """
    return instant_told(stem, after, before.deadline, after.deadline)


def instant_told(
    stem: str, game: Game, was: datetime | None, now: datetime | None
) -> Reason:
    """Say that an instant of a game's present phase is another one, as `move_told`."""
    assert now is not None
    facts = {"phase": game.phase, "game": game.name, "now": now.isoformat()}
    if was is not None:
        facts["was"] = was.isoformat()
    return because(f"{stem}-{way(was, now)}", **facts)


def move_deadline(game: Game, deadline: datetime, now: datetime) -> None:
    """Put the deadline of a game's present phase elsewhere; the grace moves along.

    Reminders whose time has passed already are not sent: the news of the move is one.
    """
    clock = game.table.phase.clock
    grace = schedule_of(game.chosen).grace_end(clock, deadline)
    game.change(deadline=deadline, grace_until=grace, clock=game.clock.moved(now))


def stop(game: Game, now: datetime, by: str) -> None:
    """Have a game's clock stand still; `by` says on whose word."""
    game.change(state=GameState.PAUSED, due=None, clock=game.clock.stopped(now, by))


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
