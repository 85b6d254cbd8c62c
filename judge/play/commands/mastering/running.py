"""What masters do to a running game: start, process, pause, move deadlines, end."""

from dataclasses import replace
from datetime import datetime

from judge.games.system import Ending
from judge.play.clocks.clockwork import next_look, reconsider
from judge.play.clocks.deadlines import go_on, instant_told, move_deadline, move_told, stop
from judge.play.clocks.phases import adjudicate, end_game, ending_letters, start_game
from judge.play.commands.outcome import (
    NOTHING,
    Adjudicated,
    Outcome,
    announced,
    posted,
    refused,
    said,
    spread,
    touched,
)
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.office import phase_called
from judge.words.command import Command
from judge.words.mastering import Pause, Process, Resume, Start, Terminate
from judge.words.reason import Reason, because
from judge.words.record import GameState, GameView


def start(session: Session, command: Start) -> Outcome:
    """Begin the game now; powers without a player are in civil disorder until taken over."""
    game = session.game
    if game.state is not GameState.FORMING:
        return refused(command, because("already-started", game=game.name))
    if game.chosen.muster and not command.now:
        return refused(command, because("start-unmustered", game=game.name), "START NOW")
    return posted(*start_game(game, session.now)) + said(because("game-started", game=game.name))


def process(session: Session, command: Process) -> Outcome:
    """Adjudicate now, if the phase named is still the phase; without one, say what to send."""
    game = session.game
    if game.state is not GameState.RUNNING:
        return refused(command, because("not-running", game=game.name, state=game.state.value))
    elif not command.phase:
        reason = because("process-which", phase=game.phase)
        return refused(command, reason, f"PROCESS {phase_called(game)}")
    elif command.phase != game.phase:
        reason = because("process-other-phase", asked=command.phase, phase=game.phase)
        return refused(command, reason, f"PROCESS {phase_called(game)}")
    else:
        did = posted(*adjudicate(game, session.now))
        reconsider(game, session.now)
        # The orders written for it stand in the results; the next phase has none yet.
        return did + Adjudicated() + said(because("processed", phase=command.phase))


def pause(session: Session, command: Pause) -> Outcome:
    """Stop the clock; orders and press go on."""
    game = session.game
    if game.state is not GameState.RUNNING:
        return refused(command, because("not-running", game=game.name, state=game.state.value))
    stop(game, session.now, by="master")
    return tell_all(session, game, because("paused", game=game.name))


def resume(session: Session, command: Resume) -> Outcome:
    """Go on: the time that was left is left again."""
    game = session.game
    if game.state is not GameState.PAUSED:
        return refused(command, because("not-paused", game=game.name))
    if game.chosen.frozen in ("orders", "all"):
        return refused(command, because("resume-frozen", game=game.name), "UNFREEZE")
    before = game.record
    go_on(game, session.now)
    game.change(due=next_look(game))
    reconsider(game, session.now)
    did = tell_all(session, game, because("resumed", game=game.name))
    return did + tell_new_deadline(session, before, game)


def set_instant(session: Session, command: Command, name: str, instant: datetime) -> Outcome:
    """Move the deadline, the grace or the earliest adjudication of the present phase."""
    game = session.game
    if game.state is not GameState.RUNNING:
        return refused(command, because("not-running", game=game.name, state=game.state.value))
    if instant <= session.now:
        return refused(command, because("instant-past"))
    if name == "deadline":
        before = game.record
        move_deadline(game, instant, session.now)
        news = move_told("deadline-moved", before, game)
    elif name == "grace":
        if game.deadline and instant < game.deadline:
            return refused(command, because("grace-before-deadline"))
        news = instant_told("grace-moved", game, game.grace_until, instant)
        game.change(grace_until=instant, clock=replace(game.clock, alerted=False))
    else:
        before, until = game.record, instant.isoformat()
        game.change(clock=replace(game.clock, early=None, not_before=instant))
        news = because("not-before-until", phase=game.phase, game=game.name, until=until)
        if game.deadline is None or game.deadline < instant:
            # The grace moves along: the late would have none otherwise.
            move_deadline(game, instant, session.now)
            both = move_told("not-before-deadline", before, game)
            news = Reason(both.code, {**both.facts, "until": until})
    game.change(due=next_look(game))
    return touched(game) + tell_all(session, game, news)


def tell_all(session: Session, game: Game, reason: Reason) -> Outcome:
    """Say something to the one who did it, and announce it to all others."""
    return said(reason) + announced(session, game, reason)


def tell_new_deadline(session: Session, before: GameView, game: Game) -> Outcome:
    """Add to what is told of a game that goes on when its deadline is now."""
    if game.deadline and game.deadline != before.deadline:
        moved = move_told("deadline-now", before, game)
        return said(moved) + spread(game, moved)
    return NOTHING


def terminate(session: Session, command: Terminate) -> Outcome:
    """End the game without a result, once it was asked back with the game and the phase."""
    game = session.game
    again = f"TERMINATE {game.name} {phase_called(game)}"
    if game.state is GameState.ENDED:
        return refused(command, because("already-over", game=game.name))
    elif (command.game.lower(), command.phase) != (game.name, game.phase):
        return refused(command, because("terminate-sure", game=game.name), again)
    else:
        ending = Ending((), because("terminated", game=game.name))
        end_game(game, ending, session.now)
        did = posted(*ending_letters(game, ending))
        return did + said(because("you-terminated", game=game.name))
