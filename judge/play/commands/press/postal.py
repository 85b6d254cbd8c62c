"""POSTAL PRESS: press that goes out with the next results."""

from judge.play.commands.outcome import Outcome, said
from judge.play.commands.session import Session
from judge.play.pressroom.correspondence import Sent
from judge.words.paper import Paper, PaperKind
from judge.words.reason import because


def keep_postal(session: Session, sent: Sent) -> Outcome:
    """Keep press for the results of the present phase."""
    game = session.game
    paper = Paper(0, game.id, session.seat.id, PaperKind.POSTAL, game.phase, session.now,
                  sent.as_text())
    session.office.papers.keep(paper)
    return said(because("press-postal", phase=game.phase))
