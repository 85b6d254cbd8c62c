"""Time for the first orders of whoever has just taken a power over."""

from dataclasses import replace
from datetime import datetime, timedelta

from judge.play.choices.settings import schedule_of
from judge.play.clocks.deadlines import move_deadline, move_told
from judge.play.commands.outcome import NOTHING, Outcome, announced, said
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.office import is_held


def _make_time(game: Game, power: str, now: datetime) -> None:
    """See that whoever takes a power over now has time for the first orders.

    A game that waited for players (NMR WAIT) goes on when the last of their powers is taken.
    """
    table = game.table
    schedule, clock = schedule_of(game.chosen, game.office.policy.shortest), table.phase.clock
    hours = timedelta(hours=game.chosen.takeover_time)
    since = game.clock.paused or now
    if game.deadline is None:
        left = tuple(other for other in game.clock.waits_for if other != power)
        game.change(clock=replace(game.clock, waits_for=left))
        if left:
            return
        deadline = schedule.settled(clock, since + hours) if hours else None
        move_deadline(game, deadline or schedule.deadline(clock, since), now)
    elif hours and power in table.due() and game.deadline < since + hours:
        move_deadline(game, schedule.settled(clock, since + hours), now)


def give_time(session: Session, game: Game, power: str) -> Outcome:
    """Move the deadline for whoever has just taken a power over, and tell everybody.

    A phase that is over and waits for its release stays over.
    """
    if is_held(game):
        return NOTHING
    before = game.record
    _make_time(game, power, session.now)
    if game.deadline and game.record != before:
        news = move_told("deadline-for-newcomer", before, game)
        return said(news) + announced(session, game, news)
    return NOTHING
