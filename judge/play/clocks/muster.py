"""The muster: before a game begins everybody says once more that he is there.

A game that is complete with `SET MUSTER 48` asks every player to CONFIRM within 48 hours. When
all have, it begins; whoever has not by then loses the place, and the game looks for players again.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from judge.play.clocks.phases import start_game
from judge.play.game import Game
from judge.play.letters.telling import announce, letter_to, notice_to
from judge.play.office import is_present, player_seats, sides_of, told_privately
from judge.words.letter import Kind, Letter
from judge.words.reason import because
from judge.words.record import Seat, SeatState


def gather(game: Game, now: datetime) -> list[Letter]:
    """Go on with a forming game after something changed: muster its players, or begin."""
    seats = player_seats(game)
    mustering = game.clock.muster_until is not None
    if len(seats) < len(sides_of(game)):
        if mustering:
            _unmuster(game)
        return []
    if game.chosen.manual_start:
        return []
    hours = game.chosen.muster
    seats = [seat for seat in seats if is_present(seat)]
    # Whoever has just joined is there.
    here = confirmed(game) if mustering else {seat.id for seat in seats if seat.since == now}
    if not hours or all(seat.id in here for seat in seats):
        return start_game(game, now)
    return [] if mustering else _call(game, seats, now + timedelta(hours=hours), here)


def confirmed(game: Game) -> set[int]:
    """Return the ids of the seats that have confirmed."""
    return set(game.clock.confirmed or ())


def _call(
    game: Game, seats: Sequence[Seat], until: datetime, here: set[int]
) -> list[Letter]:
    """Ask everybody to confirm, but for those who are known to be there."""
    game.change(clock=game.clock.mustering(until, tuple(sorted(here))), due=until)
    return [
        letter_to(
            game, seat, Kind.NOTICE, "muster", {"until": until}, "please confirm"
        )
        for seat in seats
        if seat.id not in here
    ]


def _unmuster(game: Game) -> None:
    game.change(clock=game.clock.not_mustering(), due=None)


def end_muster(game: Game, now: datetime) -> list[Letter]:
    """Free the places of those who have not confirmed in time, and tell everybody."""
    until = game.clock.muster_until
    if until is None or now < until:
        game.change(due=until)
        return []
    here = confirmed(game)
    absent = [s for s in player_seats(game) if is_present(s) and s.id not in here]
    _unmuster(game)
    letters = []
    for seat in absent:
        code = told_privately(game, "muster-missed", "muster-missed-private")
        lost = because(code, game=game.name)
        letters.append(notice_to(game, seat, [lost], Kind.NOTICE))
        game.office.games.save_seat(replace(seat, state=SeatState.LEFT, epoch=seat.epoch + 1))
    reason = because("muster-failed", game=game.name, count=len(absent))
    return letters + announce(game, reason, now)
