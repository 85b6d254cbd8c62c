"""Masters of a game: who they are, how one becomes or ceases to be one, and the log of their acts.

Each has a seat of his own, with his own password and address, and may do all that a master may.
The first of them is the owner: nobody else takes the mastership from him.
"""

from dataclasses import replace
from datetime import datetime

from judge.model.phrase import Phrase, phrase
from judge.model.record import Event, Role, Seat, SeatState
from judge.play.dealings import place_of, with_place
from judge.play.game import Context, Game
from judge.play.letters.kept_phrases import kept
from judge.play.queries import is_present

MOST = 5
"""Masters a game may have: each wrong password at them costs so many looks."""
WATCHERS = (Role.OBSERVER, Role.MONITOR)


def masters_of(game: Game) -> list[Seat]:
    """Return the seats of a game's masters; the first one is the owner's."""
    seats = [seat for seat in game.all_seats() if is_present(seat)]
    return sorted(
        (seat for seat in seats if seat.role is Role.MASTER),
        key=lambda seat: (place_of(seat), seat.id),
    )


def name_of(game: Game, seat: Seat) -> str:
    """Return what the log calls a master: the owner "The master", the others by number."""
    numbers = [each.id for each in masters_of(game)]
    at = numbers.index(seat.id) + 1 if seat.id in numbers else 1
    return "The master" if at == 1 else f"Master {at}"


def playing_problem(game: Game, address: str) -> Phrase | None:
    """Return why somebody who plays, from whichever address of his, cannot be a master, or None."""
    plays = any(
        is_present(seat) and seat.role is Role.PLAYER
        and game.context.aliases.same(seat.address, address)
        for seat in game.all_seats()
    )
    if plays and not game.chosen.gm_plays:
        return phrase("promote-player", address=address, game=game.name)
    return None


def enthrone(game: Game, seat: Seat, now: datetime) -> Seat:
    """Make whoever sits on a seat a master, behind those there are."""
    place = max(map(place_of, masters_of(game)), default=0) + 1
    held = replace(
        with_place(seat, place),
        role=Role.MASTER,
        state=SeatState.HELD,
        power="",
        epoch=seat.epoch + 1,
    )
    game.context.games.save_seat(held)
    game.context.bans.hear(held.id, now)
    return held


def dethrone(context: Context, seat: Seat, *, gone: bool = False) -> Seat:
    """Make a master an observer, or nobody at all."""
    left = replace(
        with_place(seat, None),
        role=Role.OBSERVER,
        state=SeatState.LEFT if gone else SeatState.HELD,
        epoch=seat.epoch + 1,
    )
    context.games.save_seat(left)
    context.bans.forget(seat.id)
    return left


KIND = "log"
"""The kind of an event that is an act."""


def log(
    game: Game, reason: Phrase, now: datetime, *, told: bool = False, phase: str = ""
) -> None:
    """Keep an act, of the present phase where no other is named; HISTORY leaves out what everybody
    was `told` besides."""
    text = kept(reason, game.system, told=told)
    game.add_event(Event(game.id, now, phase or game.phase, KIND, text))
