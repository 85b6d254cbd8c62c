"""RELEASE: the master lets a result go that was held back."""

from judge.play.clocks.clockwork import reconsider
from judge.play.clocks.phases import adjudicate
from judge.play.commands.outcome import Outcome, posted, refused, said
from judge.play.commands.session import Session
from judge.play.office import is_held, phase_called
from judge.words.mastering import Release
from judge.words.reason import because
from judge.words.record import GameState


def release(session: Session, command: Release) -> Outcome:
    """Let the result of a held phase go, if the phase named is the one held."""
    game = session.game
    if game.state is not GameState.RUNNING:
        return refused(command, because("not-running", game=game.name, state=game.state.value))
    elif not is_held(game):
        reason = because("nothing-held", game=game.name, phase=game.phase)
        return refused(command, reason, f"PROCESS {phase_called(game)}")
    elif command.phase != game.phase:
        reason = because("release-which", phase=game.phase)
        return refused(command, reason, f"RELEASE {phase_called(game)}")
    else:
        did = posted(*adjudicate(game, session.now))
        reconsider(game, session.now)
        return did + said(because("released", phase=command.phase))
