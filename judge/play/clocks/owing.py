"""Who must still order, and who has yet to say that his orders are final."""

from collections.abc import Iterator

from judge.games.capabilities import FinalWord
from judge.games.system import Table
from judge.model.record import Seat, SeatState
from judge.play.game import Game
from judge.play.queries import player_seats


def owing(game: Game, table: Table) -> list[Seat]:
    """Return the held seats that must still order: nobody is late who has nothing to decide."""
    return [seat for seat, sheet in _deciding(game, table) if table.missing(seat.power, sheet)]


def undecided(game: Game, table: Table) -> list[Seat]:
    """Return the held seats that have yet to say that their orders are final, where their system
    asks for it; once a deadline has passed nobody waits for that."""
    if game.clock.late or not isinstance(table, FinalWord):
        return []
    return [seat for seat, sheet in _deciding(game, table) if table.final_word(seat.power, sheet)]


def _deciding(game: Game, table: Table) -> Iterator[tuple[Seat, str]]:
    """Yield the held seats that have something to decide and are not ready, with what is on file.
    """
    due, sheets = table.due(), game.orders(game.phase)
    for seat in player_seats(game):
        if seat.state is SeatState.HELD and seat.power in due and not seat.ready:
            yield seat, sheets.get(seat.power, "")
