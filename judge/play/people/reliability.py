"""Reliability: what people did when orders were due, written down for them, not their seats."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from judge.games.system import Table
from judge.model.person import Deed
from judge.model.record import Seat, SeatState
from judge.play.game import Game
from judge.play.queries import player_seats


def note(
    game: Game, seats: Iterable[Seat], deed: Deed, now: datetime
) -> None:
    """Write down that the people on some seats did something in the present phase.

    A board that somebody tries orders on (FORK) counts for nobody.
    """
    if game.chosen.fork_of:
        return
    people = [(seat.address, seat.power) for seat in seats if seat.address]
    game.context.register.note(people, deed, game.id, game.phase, now)


def note_start(game: Game, now: datetime) -> None:
    """Write down who had a power from the beginning."""
    held = [seat for seat in player_seats(game) if seat.state is SeatState.HELD]
    note(game, held, Deed.STARTED, now)


def note_phase(
    game: Game, table: Table, sheets: Mapping[str, str], now: datetime
) -> None:
    """Write down who had orders in for a phase that is adjudicated now, on time or late.

    Who was not asked for anything has done nothing, and neither has who still had time when the
    master said PROCESS. No orders at all by the end of the grace is written down elsewhere.
    """
    due, late = table.due(), game.clock.late
    held = [
        seat
        for seat in player_seats(game)
        if seat.state is SeatState.HELD and seat.power in due
    ]
    came_late = [seat for seat in held if seat.power in late and sheets.get(seat.power)]
    on_time = [
        seat
        for seat in held
        if seat.power not in late
        and (seat.ready or not table.missing(seat.power, sheets.get(seat.power, "")))
    ]
    note(game, came_late, Deed.LATE, now)
    note(game, on_time, Deed.ON_TIME, now)
