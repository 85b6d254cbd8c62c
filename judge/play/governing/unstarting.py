"""A game that is before its start: UNSTART puts it back there, RENAME gives it another name."""

from dataclasses import replace

from judge.play.governing.making import name_problem
from judge.play.governing.mastering import tell_all
from judge.play.office import Office, is_present, player_seats
from judge.play.orders.ahead import KEPT
from judge.play.people.sitting import all_handed_over
from judge.play.session import Session
from judge.words.governing import Rename, Unstart
from judge.words.reason import because
from judge.words.record import GameRecord, GameState, SeatState


def unstart(session: Session, command: Unstart) -> None:
    """Take the start back while the first phase lasts; with its name, so that no late mail does.

    Players keep their places and lose their powers, orders and votes. The game then begins only at
    START. Chance stays: the same players with the same wishes get the same powers again.
    """
    game, office = session.game, session.office
    again = f"UNSTART {game.phase}"
    if game.state not in (GameState.RUNNING, GameState.PAUSED):
        session.refuse(command, because("not-running", game=game.name, state=game.state.value))
    elif game.turn != 1:
        session.refuse(command, because("unstart-late", game=game.name))
    elif not command.phase:
        session.refuse(command, because("unstart-which", phase=game.phase), again)
    elif command.phase != game.phase:
        reason = because("process-other-phase", asked=command.phase, phase=game.phase)
        session.refuse(command, reason, again)
    else:
        session.letters += all_handed_over(office, game)
        back = _back(office, game)
        tell_all(session, back, because("unstarted", game=game.name))


def _back(office: Office, game: GameRecord) -> GameRecord:
    """Put a game and its seats back to where they were before the start."""
    office.games.drop_ballots(game.id)
    office.games.drop_plans(game.id)
    for phase in (game.phase, KEPT):
        office.games.drop_orders(game.id, phase)
    for seat in player_seats(office, game):
        # A dummy is one before the start too.
        state = SeatState.WAITING if is_present(seat) else SeatState.LEFT
        power = "" if is_present(seat) else seat.power
        if "dummy" in seat.settings:
            state = SeatState.VACANT
        office.games.save_seat(
            replace(
                seat, state=state, power=power, epoch=seat.epoch + 1,
                wait=False, ready=False, missed=0,
            )
        )
    office.register.forget_game(game.id)
    office.archive.forget(game.id)
    back = replace(
        game,
        state=GameState.FORMING,
        turn=0,
        settings={**game.settings, "manual_start": True, "sitting_until": "", "frozen": ""},
        started=None, opened=None, deadline=None, grace_until=None, due=None, marks={},
    )
    office.games.save(back)
    return back


def rename(session: Session, command: Rename) -> None:
    """Give a game another name while it forms: afterwards everybody's letters have the old one."""
    game = session.game
    problem = name_problem(session.office, command.name)
    if game.state is not GameState.FORMING:
        session.refuse(command, because("already-started", game=game.name))
    elif problem:
        session.refuse(command, problem)
    else:
        renamed = replace(game, name=command.name)
        session.office.games.save(renamed)
        tell_all(session, renamed, because("renamed", old=game.name, game=renamed.name))
