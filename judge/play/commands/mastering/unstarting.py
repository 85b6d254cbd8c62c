"""A game that is before its start: UNSTART puts it back there, RENAME gives it another name."""

from dataclasses import replace

from judge.play.commands.mastering.running import tell_all
from judge.play.commands.outcome import Outcome, posted, refused
from judge.play.commands.session import Session
from judge.play.dealings import settings_with
from judge.play.game import Game
from judge.play.office import is_present, player_seats
from judge.play.orders.ahead import KEPT
from judge.play.people.creating import name_problem
from judge.play.people.sitting import all_handed_over
from judge.words.clockstate import AT_REST
from judge.words.mastering import Rename, Unstart
from judge.words.reason import because
from judge.words.record import GameState, SeatState


def unstart(session: Session, command: Unstart) -> Outcome:
    """Take the start back while the first phase lasts; with its name, so that no late mail does.

    Players keep their places and lose their powers, orders and votes. The game then begins only at
    START. Chance stays: the same players with the same wishes get the same powers again.
    """
    game = session.game
    again = f"UNSTART {game.phase}"
    if game.state not in (GameState.RUNNING, GameState.PAUSED):
        return refused(command, because("not-running", game=game.name, state=game.state.value))
    elif game.turn != 1:
        return refused(command, because("unstart-late", game=game.name))
    elif not command.phase:
        return refused(command, because("unstart-which", phase=game.phase), again)
    elif command.phase != game.phase:
        reason = because("process-other-phase", asked=command.phase, phase=game.phase)
        return refused(command, reason, again)
    else:
        did = posted(*all_handed_over(game))
        _put_back(game)
        return did + tell_all(session, game, because("unstarted", game=game.name))


def _put_back(game: Game) -> None:
    """Put a game and its seats back to where they were before the start."""
    game.drop_ballots()
    game.drop_plans()
    for phase in (game.phase, KEPT):
        game.drop_orders(phase)
    for seat in player_seats(game):
        # A dummy is one before the start too.
        state = SeatState.WAITING if is_present(seat) else SeatState.LEFT
        power = "" if is_present(seat) else seat.power
        if seat.settings.dummy is not None:
            state = SeatState.VACANT
        game.office.games.save_seat(
            replace(
                seat, state=state, power=power, epoch=seat.epoch + 1,
                wait=False, ready=False, missed=0,
            )
        )
    game.office.register.forget_game(game.id)
    game.office.archive.forget(game.id)
    game.change(
        state=GameState.FORMING,
        turn=0,
        settings=settings_with(
            {**game.settings, "manual_start": True, "frozen": ""}, sitting_until=None
        ),
        started=None, opened=None, deadline=None, grace_until=None, due=None, clock=AT_REST,
    )


def rename(session: Session, command: Rename) -> Outcome:
    """Give a game another name while it forms: afterwards everybody's letters have the old one."""
    game = session.game
    problem = name_problem(session.office, command.name)
    if game.state is not GameState.FORMING:
        return refused(command, because("already-started", game=game.name))
    elif problem:
        return refused(command, problem)
    else:
        old = game.name
        game.change(name=command.name)
        return tell_all(session, game, because("renamed", old=old, game=game.name))
