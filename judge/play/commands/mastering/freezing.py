"""FREEZE: while something is looked into, orders and votes stay as they are.

Where orders may not change nobody can be late, so the clock stands still with them. No power is
taken over meanwhile. The master's own orders still count.
"""

from judge.play.choices.settings import Change
from judge.play.clocks.clockwork import next_look, reconsider
from judge.play.clocks.deadlines import go_on, stop
from judge.play.commands.mastering.running import tell_all, tell_new_deadline
from judge.play.commands.outcome import Outcome, refused, touched
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.words.command import Command
from judge.words.reason import Reason, because
from judge.words.record import GameState, Role
from judge.words.seats import ChangeSetting, Takeover

BY_FREEZE = "freeze"
"""By what the clock of a game stands still."""


def frozen(game: Game) -> str:
    """Return what is frozen in a game: "orders", "votes", "all" or nothing."""
    return game.chosen.frozen


def freeze(session: Session, command: Command, change: Change) -> Outcome:
    """Freeze orders, votes or both, or neither any more."""
    game, what = session.game, str(change.value)
    before = game.record
    if what == frozen(game):
        return refused(command, because("freeze-same" if what else "freeze-none"))
    if game.state not in (GameState.RUNNING, GameState.PAUSED):
        return refused(command, because("not-running", game=game.name, state=game.state.value))
    game.choose(frozen=what)
    stands_still = what in ("orders", "all")
    if stands_still and game.state is GameState.RUNNING:
        stop(game, session.now, by=BY_FREEZE)
    elif not stands_still and game.clock.paused_by == BY_FREEZE:
        go_on(game, session.now)
        game.change(due=next_look(game))
    reconsider(game, session.now)
    did = touched(game)
    did += tell_all(session, game, because(f"frozen-{what or 'nothing'}", game=game.name))
    return did + tell_new_deadline(session, before, game)


def problem(session: Session, command: Command) -> Reason | None:
    """Return why a command must wait until its game is no longer frozen, or None."""
    if isinstance(command, Takeover):
        game = session.office.games.find(command.game.lower())
        if game and frozen(game) and command.who.casefold() not in ("m", "master"):
            return because("frozen-takeover", game=game.name)
        return None
    if not session.is_signed_on or session.seat.role is not Role.PLAYER or session.acting:
        return None
    game = session.game
    waits = isinstance(command, ChangeSetting) and command.words[:1] in (("WAIT",), ("wait",))
    needs = session.kind(command).frozen
    if (needs == "orders" or waits) and frozen(game) in ("orders", "all"):
        return because("orders-frozen", game=game.name)
    if needs == "votes" and frozen(game) in ("votes", "all"):
        return because("votes-frozen", game=game.name)
    return None
