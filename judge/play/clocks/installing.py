"""Games whose system is not installed: they stand still, and go on when it is there again."""

from datetime import datetime

from judge.games import is_installed
from judge.model.letter import Kind, Letter
from judge.model.phrase import phrase
from judge.model.record import GameState, Role
from judge.play.clocks.clockwork import next_look, reconsider
from judge.play.clocks.deadlines import go_on, moves_told, stop
from judge.play.game import Game
from judge.play.letters.letter_factory import announce, notice_to, present_seats, record

BY = "system"
"""By what the clock of such a game stands still."""


def stop_or_go_on(game: Game, now: datetime) -> list[Letter]:
    """Pause a game whose system is missing, or let one go on that was paused for that; return what
    is told: of a pause to its masters, and to all that it goes on."""
    here = is_installed(game.system)
    facts = {"game": game.name, "system": game.system}
    if game.state is GameState.RUNNING and not here:
        stop(game, now, by=BY)
        news = phrase("system-missing", **facts)
        record(game, news, now)
        masters = [seat for seat in present_seats(game) if seat.role is Role.MASTER]
        return [notice_to(game, seat, [news], Kind.NOTICE) for seat in masters]
    if game.state is GameState.PAUSED and game.clock.paused_by == BY and here:
        before = game.record
        go_on(game, now)
        game.change(due=next_look(game))
        moved = moves_told("deadline-now", before, game)
        letters = announce(game, phrase("system-back", **facts), now, more=moved)
        reconsider(game, now)
        return letters
    return []
