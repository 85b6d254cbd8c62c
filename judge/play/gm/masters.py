"""Masters of a game: appointment, demotion, inactivity, and their log.

Each has their own seat, with password and address, and all rights of a master. The first master
is the only one who cannot be removed by the others.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import Event, Role, Seat, SeatState
from judge.play.game import Context, Game
from judge.play.letters.kept_phrases import dump_phrase
from judge.play.letters.letter_factory import notice_to, present_seats, record_in_history
from judge.play.pending_requests import place_of, with_place
from judge.play.queries import is_open, is_present, present_masters

MAX = 5
"""Maximum number of masters.

Each wrong password is checked against each of them.
"""
WATCHERS = (Role.OBSERVER, Role.MONITOR)


def masters_of(game: Game) -> list[Seat]:
    """Return the seats of a game's masters, the first master's first."""
    return sorted(present_masters(game), key=lambda seat: (place_of(seat), seat.id))


def name_of(game: Game, seat: Seat) -> str:
    """Return a master's name in the log: "The master" for the first, else by number."""
    numbers = [each.id for each in masters_of(game)]
    at = numbers.index(seat.id) + 1 if seat.id in numbers else 1
    return "The master" if at == 1 else f"Master {at}"


def playing_problem(game: Game, address: str) -> Phrase | None:
    """Return why a player, at any address, cannot be a master, or None."""
    plays = any(
        is_present(seat) and seat.role is Role.PLAYER
        and game.context.aliases.is_same_person(seat.address, address)
        for seat in game.all_seats()
    )
    if plays and not game.chosen.gm_plays:
        return phrase("promote-player", address=address, game=game.name)
    return None


def make_master(game: Game, seat: Seat, now: datetime) -> Seat:
    """Make the person on a seat a master, ranked after the present ones."""
    place = max(map(place_of, masters_of(game)), default=0) + 1
    held = replace(
        with_place(seat, place), role=Role.MASTER, state=SeatState.OCCUPIED, power="",
        epoch=seat.epoch + 1,
    )
    game.save_seat(held)
    game.context.bans.record_activity(held.id, now)
    return held


def demote_master(context: Context, seat: Seat, *, gone: bool = False) -> Seat:
    """Make a master an observer, or remove them from the game if `gone`."""
    left = replace(
        with_place(seat, None), role=Role.OBSERVER,
        state=SeatState.LEFT if gone else SeatState.OCCUPIED, epoch=seat.epoch + 1,
    )
    context.games.save_seat(left)
    context.bans.delete_activity(seat.id)
    return left


KIND = "log"
"""Kind of event of a logged act."""


def log_act(
    game: Game, reason: Phrase, now: datetime, *, told: bool = False, phase: str = ""
) -> None:
    """Log an act, of the present phase unless another is named.

    HISTORY leaves out acts that are announced in another event.
    """
    text = dump_phrase(reason, game.system, told=told)
    game.add_event(Event(game.id, now, phase or game.phase, KIND, text))


WARNING = timedelta(days=7)
"""Time between the inquiry to an inactive master and the offer of the game."""
RARELY = timedelta(days=30)
"""Interval of checks of an inactive master whose game cannot be offered now."""
_DAY = timedelta(days=1)


def inactive_masters(context: Context, now: datetime, limit: int) -> Sequence[int]:
    """Return at most *limit* seats of inactive masters."""
    span = context.policy.silent_master
    return context.bans.inactive_masters(now - _inactivity_limit(span), now, limit) if span else ()


def _inactivity_limit(span: timedelta) -> timedelta:
    """Return the time without mail after which a master gets an inquiry."""
    return max(span - WARNING, _DAY)


def recheck_tomorrow(context: Context, number: int, now: datetime) -> None:
    """Postpone the check of a master to the next day, so that others get a turn."""
    context.bans.recheck_at(number, now + _DAY)


def handle_inactive_master(context: Context, number: int, now: datetime) -> list[Letter]:
    """Send an inactive master an inquiry, or after that offer the game."""
    seat = context.games.seat(number)
    game = context.games.get(seat.game) if seat else None
    if seat is None or game is None or not is_masters(seat) or not is_open(game):
        context.bans.delete_activity(number)
        return []
    span = context.policy.silent_master
    heard = context.bans.last_activity(number) or now
    if not context.bans.has_inquiry(number):
        context.bans.record_inquiry(number, now)
        context.bans.recheck_at(number, max(heard + span, now + span - _inactivity_limit(span)))
        reason = phrase("master-silent", game=game.name, days=(now - heard).days)
        return [notice_to(game, seat, [reason], LetterKind.REMINDER)]
    all_heard = [context.bans.last_activity(each.id) for each in masters_of(game)]
    asked_lately = any(at is None or now - at < span for at in all_heard)
    letters = [] if asked_lately else _offer(game, span.days, now)
    context.bans.recheck_at(number, None if letters else now + RARELY)
    return letters


def is_masters(seat: Seat) -> bool:
    """Return whether the seat is a present master's."""
    return seat.role is Role.MASTER and is_present(seat)


def _offer(game: Game, days: int, now: datetime) -> list[Letter]:
    """Announce once to a game's people that any of them may become its master."""
    people = [seat for seat in present_seats(game) if seat.role is not Role.MASTER]
    if game.dealings.master_offered or not people:
        return []
    game.change_requests(master_offered=now)
    reason = phrase("master-offered", game=game.name, days=days)
    log_act(game, reason, now, told=True)
    record_in_history(game, reason, now)
    how = phrase("master-offered-how", line=f"TAKEOVER M{game.name} newpassword")
    return [notice_to(game, seat, [reason, how], LetterKind.NOTICE) for seat in people]
