"""CONFIRM: a player says before the start that he is there."""

from judge.play.clocks.muster import confirmed
from judge.play.commands.outcome import Outcome, refused, said, touched
from judge.play.commands.session import Session
from judge.play.office import is_present, player_seats
from judge.words.reason import because
from judge.words.record import GameState, Role
from judge.words.seats import Confirm


def confirm(session: Session, command: Confirm) -> Outcome:
    """Take a player's word that he is there."""
    seat, game = session.seat, session.game
    until = game.clock.muster_until
    if game.state is not GameState.FORMING or until is None or seat.role is not Role.PLAYER:
        return refused(command, because("confirm-nothing", game=game.name))
    here = confirmed(game) | {seat.id}
    game.change(clock=game.clock.mustering(until, tuple(sorted(here))))
    did = touched(game)
    seats = player_seats(game)
    missing = sum(is_present(each) and each.id not in here for each in seats)
    return did + said(because("confirmed", game=game.name, missing=missing))
