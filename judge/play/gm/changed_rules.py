"""Orders on file that a changed rule no longer allows."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from judge.games.system import Table
from judge.model.incoming import Line
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, GameView, Seat, SeatState
from judge.play.game import Game, options_of, table_of
from judge.play.queries import is_held, player_seats


class DroppedOrder(NamedTuple):
    """An order taken off file, the seat it was of, and what is said of it."""

    seat: Seat
    reason: Phrase


def drop_impossible_orders(game: Game, before: GameView) -> list[DroppedOrder]:
    """Take orders off file that the rules allowed *before*, and READY of their powers with them.

    While the result of a phase waits for its master, its orders stay as they are.
    """
    if game.state not in (GameState.RUNNING, GameState.PAUSED) or is_held(game):
        return []
    found: list[DroppedOrder] = []
    if options_of(before) == options_of(game):
        return found
    old = table_of(before)
    for seat in player_seats(game):
        sheets = game.orders(game.phase)
        sheet = sheets.get(seat.power, "")
        possible = {order for order, why in _judged(old, seat.power, sheet) if why is None}
        dropped = {
            order: why for order, why in _judged(game.table, seat.power, sheet)
            if why and order in possible
        }
        if not dropped:
            continue
        lines = [Line(number, f"CANCEL {order}") for number, order in enumerate(dropped, 1)]
        game.file_sheets(game.phase, game.table.read_orders(lines, seat.power, sheets).sheets)
        if seat.ready:
            game.context.games.save_seat(replace(seat, ready=False))
        if seat.state is SeatState.HELD:
            found += [DroppedOrder(seat, _told(order, why)) for order, why in dropped.items()]
    return found


def _judged(table: Table, power: str, sheet: str) -> Iterator[tuple[str, Phrase | None]]:
    """Yield the orders of a sheet, with the reason for which they would be refused."""
    if not sheet:
        return
    nothing: Mapping[str, str] = {}
    for draft in table.show_sheet(power, sheet).draft:
        if not draft.open:
            [read] = table.read_orders([Line(1, draft.line)], power, nothing).lines[:1]
            yield draft.line, read.complaint.reason if read.complaint else None


def _told(order: str, why: Phrase) -> Phrase:
    return phrase("order-impossible-now", order=order, reason=why)
