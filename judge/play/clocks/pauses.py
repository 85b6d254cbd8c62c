"""Paused clocks, and clocks of games whose system is not installed."""

from datetime import datetime

from judge.games import is_installed
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from judge.model.record import GameState
from judge.play.clocks.deadlines import describe_time_changes, pause_clock, resume_clock
from judge.play.clocks.game_clock import next_wakeup, update_early_deadline
from judge.play.game import Game
from judge.play.letters.letter_factory import announce, notice_to, record_in_history
from judge.play.queries import is_frozen, present_masters

BY_FREEZE = "freeze"
"""Cause of a pause: the orders of the game are frozen."""
BY_SYSTEM = "system"
"""Cause of a pause: the system of the game is not installed."""


def end_pause(game: Game, now: datetime) -> list[Letter]:
    """Resume a game whose pause is over, with the time that was left.

    Return the announcements. If its orders are frozen or its system is missing, it stays paused
    for that cause.
    """
    until = game.clock.paused_until
    if game.state is not GameState.PAUSED or until is None or now < until:
        return []
    if is_frozen(game) or not is_installed(game.system):
        since = game.clock.paused or now
        pause_clock(game, since, by=BY_FREEZE if is_frozen(game) else BY_SYSTEM)
        return []
    before = game.record
    resume_clock(game, now)
    update_early_deadline(game, now)
    news = describe_time_changes("pause-over", before, game, phrase("pause-over", game=game.name))
    return announce(game, news[0], now, more=news[1:])


def stop_or_go_on(game: Game, now: datetime) -> list[Letter]:
    """Pause a game whose system is missing, or resume one whose system is back.

    Return the letters: about a pause to its masters, about the end of it to all.
    """
    here = is_installed(game.system)
    facts = {"game": game.name, "system": game.system}
    if game.state is GameState.RUNNING and not here:
        pause_clock(game, now, by=BY_SYSTEM)
        news = phrase("system-missing", **facts)
        record_in_history(game, news, now)
        return [
            notice_to(game, seat, [news], LetterKind.NOTICE) for seat in present_masters(game)
        ]
    if game.state is GameState.PAUSED and game.clock.paused_by == BY_SYSTEM and here:
        before = game.record
        resume_clock(game, now)
        game.change(due=next_wakeup(game))
        moved = describe_time_changes("deadline-now", before, game)
        letters = announce(game, phrase("system-back", **facts), now, more=moved)
        update_early_deadline(game, now)
        return letters
    return []
