"""STATEMENT: a player's or master's comment on a game that is over."""

from judge.model.command import AuditDetail, BlockForm, CommandForm, EchoPolicy, TextCommand
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role
from judge.play.commands.press.press import (
    names_its_writer,
    note_written,
    refuse_hidden_sign_on,
    text_problem,
)
from judge.play.commands.row import command
from judge.play.commands.session import Session
from judge.play.letters.anonymity import is_gunboat, names_in
from judge.play.post_game import keep_statement, may_talk, talk_until


@command(
    CommandForm(
        "STATEMENT, EOG", "STATEMENT", EchoPolicy.ALL,
        # A line that continues after such a word is prose.
        BlockForm(
            "ENDPRESS", r"end\s*(press|statement|eog)", head=r"(statement|eog)[ .:]*",
        ),
    ),
    log=AuditDetail.NOTHING,
)
class WriteStatement(TextCommand):
    """Comment on a game that is over: `STATEMENT … ENDPRESS`."""

    def run(self, session: Session) -> None:
        """Store a statement until all are sent together."""
        if refuse_hidden_sign_on(session, self, self.names):
            return
        problem = _problem(session) or text_problem(session, self.body)
        if not problem and is_gunboat(session.game) and not names_in(session.game, [session.seat]):
            hides = names_its_writer(session, self.body)
            problem = phrase("press-names-writer") if hides else None
        if problem:
            session.refuse(self, problem)
            return
        game, until = session.game, talk_until(session.game)
        assert until is not None
        note_written(session, self.body)
        letters = keep_statement(game, session.seat, self.body, session.now)
        if letters:
            session.done(phrase("statement-last"))
            session.queue(*letters)
            return
        session.done(phrase("statement-kept", until=until.isoformat()))


def _problem(session: Session) -> Phrase | None:
    """Return why the open seat cannot write a statement now, or None."""
    seat, game = session.seat, session.game
    if game.state is not GameState.ENDED:
        return phrase("statement-before-end", game=game.name)
    if not may_talk(game, session.now):
        return phrase("press-after-end", game=game.name)
    plays = seat.role is Role.PLAYER and seat.power
    return None if plays or seat.role is Role.MASTER else phrase("statement-for-players")
