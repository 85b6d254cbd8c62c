"""Inactive masters: asked whether they are there, and replaced if they are not.

A master counts as heard of when a mail opens his seat. Where all masters of an open game have been
silent for the operator's span (60 days), its people are told that one of them may take over.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from judge.model.letter import Kind, Letter
from judge.model.phrase import phrase
from judge.model.record import Role, Seat
from judge.play.game import Context, Game
from judge.play.gm.masters import log, masters_of
from judge.play.letters.letter_factory import notice_to, present_seats, record
from judge.play.queries import is_open, is_present

WARNING = timedelta(days=7)
"""How long before a game is offered its master is asked."""
RARELY = timedelta(days=30)
"""How often a silent master is looked at whose game cannot be offered now."""
_DAY = timedelta(days=1)


def silent(context: Context, now: datetime, limit: int) -> Sequence[int]:
    """Return seats of masters to attend to, so many at most; only those cost anything."""
    span = context.policy.silent_master
    return context.bans.silent(now - _patience(span), now, limit) if span else ()


def _patience(span: timedelta) -> timedelta:
    """Return how long a master is silent before he is asked."""
    return max(span - WARNING, _DAY)


def put_off(context: Context, number: int, now: datetime) -> None:
    """Look at a master tomorrow of whom nothing can be said now: he must not hold up the others."""
    context.bans.look_again(number, now + _DAY)


def heed(context: Context, number: int, now: datetime) -> list[Letter]:
    """Ask a silent master whether he is there or, when he was asked, offer his game."""
    seat = context.games.seat(number)
    game = context.games.get(seat.game) if seat else None
    if seat is None or game is None or not is_masters(seat) or not is_open(game):
        context.bans.forget(number)
        return []
    span = context.policy.silent_master
    heard = context.bans.last_heard(number) or now
    if not context.bans.was_asked(number):
        context.bans.ask(number, now)
        context.bans.look_again(number, max(heard + span, now + span - _patience(span)))
        reason = phrase("master-silent", game=game.name, days=(now - heard).days)
        return [notice_to(game, seat, [reason], Kind.REMINDER)]
    all_heard = [context.bans.last_heard(each.id) for each in masters_of(game)]
    asked_lately = any(at is None or now - at < span for at in all_heard)
    letters = [] if asked_lately else _offer(game, span.days, now)
    context.bans.look_again(number, None if letters else now + RARELY)
    return letters


def is_masters(seat: Seat) -> bool:
    """Tell whether a master sits there."""
    return seat.role is Role.MASTER and is_present(seat)


def _offer(game: Game, days: int, now: datetime) -> list[Letter]:
    """Tell a game's people, once, that any of them may be its master."""
    people = [seat for seat in present_seats(game) if seat.role is not Role.MASTER]
    if game.dealings.master_offered or not people:
        return []
    game.deal(master_offered=now)
    reason = phrase("master-offered", game=game.name, days=days)
    log(game, reason, now, told=True)
    record(game, reason, now)
    how = phrase("master-offered-how", line=f"TAKEOVER M{game.name} newpassword")
    return [notice_to(game, seat, [reason, how], Kind.NOTICE) for seat in people]
