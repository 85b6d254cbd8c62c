"""Conduct records of orders on time, late or missing, stored by person."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from judge.games.system import Table
from judge.model.person import ConductKind
from judge.model.record import Seat
from judge.play.game import Game
from judge.play.queries import occupied_seats


def record_conduct(
    game: Game, seats: Iterable[Seat], deed: ConductKind, now: datetime
) -> None:
    """Store a conduct record of the present phase for the people on some seats.

    A board for trying out orders (FORK) does not count.
    """
    if game.chosen.fork_of:
        return
    people = [(seat.address, seat.power) for seat in seats if seat.address]
    game.context.register.record_conduct(people, deed, game.id, game.phase, now)


def note_start(game: Game, now: datetime) -> None:
    """Store who had a power from the beginning."""
    record_conduct(game, occupied_seats(game), ConductKind.STARTED, now)


def note_phase(
    game: Game, table: Table, sheets: Mapping[str, str], now: datetime
) -> None:
    """Store who had orders in for a phase that is adjudicated now, on time or late.

    Powers with nothing to order get no record, nor do those that still had time when the master
    sent PROCESS. Missing orders at the end of the grace period are stored elsewhere.
    """
    late, held = game.clock.late, occupied_seats(game, table.powers_due())
    came_late = [seat for seat in held if seat.power in late and sheets.get(seat.power)]
    on_time = [
        seat
        for seat in held
        if seat.power not in late
        and (seat.ready or not table.missing_orders(seat.power, sheets.get(seat.power, "")))
    ]
    record_conduct(game, came_late, ConductKind.LATE, now)
    record_conduct(game, on_time, ConductKind.ON_TIME, now)
