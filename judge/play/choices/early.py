"""Early deadline: all orders are in, and a delay for corrections is over.

Without the delay, an error in the last orders sent would be adjudicated at once. A player who
orders alone does not need it, so a default delay counts only for several persons.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from judge.games.capabilities import OrderCompletion
from judge.games.system import Table
from judge.model.record import GameState, Seat
from judge.play.choices.settings import schedule_of
from judge.play.game import Game
from judge.play.queries import (
    awaits_release,
    bots_in,
    is_main_phase,
    is_present,
    occupied_seats,
    player_seats,
    present_masters,
)


def is_left_to_vacant(game: Game, table: Table) -> bool:
    """Return whether only powers without a player decide in a phase.

    Such a phase needs no wait. In a game without players every phase waits for its deadline. So
    does a main phase, in which a player may take over a power, unless bots decide in it.
    """
    due, alive = table.powers_due(), table.powers_alive()
    held = [seat.power for seat in occupied_seats(game)]
    if not due or due.intersection(held) or not set(alive).intersection(held):
        return False
    return not is_main_phase(game, table) or not due.isdisjoint(bots_in(game))


def early_delay(game: Game, table: Table) -> timedelta:
    """Return the delay between the last orders and the adjudication of a phase.

    It is zero if no player had something to decide. A default delay counts only if more than
    one person had orders to send.
    """
    clock = table.phase.clock
    hours = game.chosen.clocks[clock].delay
    seats = occupied_seats(game, table.powers_due())
    if not seats:
        return timedelta()
    if hours and f"{clock}.delay" not in game.settings:
        if all(
            game.context.aliases.is_same_person(seats[0].address, seat.address) for seat in seats
        ):
            hours = 0.0
    return timedelta(hours=hours)


def ending_facts(game: Game, not_before: datetime | None) -> Mapping[str, object]:
    """Return facts for letters about the end of the present phase.

    `clock`: a clock runs. `can`: the phase may end early, `delay` after the last orders, but
    not before `floor`. `final`: only when players declare their orders complete. `max_concurrent`:
    no player has anything to decide. `grace`: length of the grace period. `reviewed`: its master
    checks the result before it is sent out.
    """
    if game.state is not GameState.RUNNING or awaits_release(game) or game.deadline is None:
        return {"clock": False, "at_once": False}
    table = game.table
    opened = game.opened or game.deadline
    floor = schedule_of(game.chosen).earliest(table.phase.clock, opened)
    floor = max(floor, not_before or floor)
    late, always = game.clock.late, game.chosen.always_wait
    waits = late or always or floor > opened or game.clock.negotiates or game.chosen.hold
    waits = waits or any(seat.wait and is_present(seat) for seat in player_seats(game))
    return {
        "clock": True,
        "at_once": not waits and is_left_to_vacant(game, table),
        "may_wait": False,
        "refused": False,
        "can": (late or not always) and bool(occupied_seats(game, table.powers_due())),
        "always": always,
        "delay": early_delay(game, table),
        "floor": floor if floor > opened else None,
        "final": isinstance(table, OrderCompletion) and not late,
        "grace": (game.grace_until or game.deadline) - game.deadline,
        "reviewed": game.chosen.hold and bool(present_masters(game)),
    }


def missing_orders(game: Game, table: Table) -> list[Seat]:
    """Return the occupied seats with missing orders.

    A seat with nothing to decide has none.
    """
    return [
        seat for seat, sheet in _deciding(game, table) if table.missing_orders(seat.power, sheet)
    ]


def missing_final_word(game: Game, table: Table) -> list[Seat]:
    """Return the occupied seats that must still declare their orders complete.

    These exist only in systems that ask for it, and not after the deadline.
    """
    if game.clock.late or not isinstance(table, OrderCompletion):
        return []
    return [seat for seat, sheet in _deciding(game, table) if table.final_word(seat.power, sheet)]


def _deciding(game: Game, table: Table) -> Iterator[tuple[Seat, str]]:
    """Yield occupied seats that are due and not READY, with their sheets."""
    sheets = game.orders(game.phase)
    for seat in occupied_seats(game, table.powers_due()):
        if not seat.ready:
            yield seat, sheets.get(seat.power, "")
