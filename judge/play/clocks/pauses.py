"""Pauses that end by themselves: PAUSE UNTIL, and the instant comes."""

from datetime import datetime

from judge.games import is_installed
from judge.model.letter import Letter
from judge.model.phrase import phrase
from judge.model.record import GameState
from judge.play.clocks.clockwork import reconsider
from judge.play.clocks.deadlines import go_on, moves_told, stop
from judge.play.clocks.installing import BY as BY_SYSTEM
from judge.play.game import Game
from judge.play.letters.letter_factory import announce
from judge.play.queries import is_frozen

BY_FREEZE = "freeze"
"""By what the clock of a game stands still whose orders are frozen."""


def end_pause(game: Game, now: datetime) -> list[Letter]:
    """Have a game go on whose pause is over, with the time that was left, and tell everybody.

    Where its orders are frozen, or its system is missing, it stands still for that from now on.
    """
    until = game.clock.paused_until
    if game.state is not GameState.PAUSED or until is None or now < until:
        return []
    if is_frozen(game) or not is_installed(game.system):
        since = game.clock.paused or now
        stop(game, since, by=BY_FREEZE if is_frozen(game) else BY_SYSTEM)
        return []
    before = game.record
    go_on(game, now)
    reconsider(game, now)
    news = moves_told("pause-over", before, game, phrase("pause-over", game=game.name))
    return announce(game, news[0], now, more=news[1:])
