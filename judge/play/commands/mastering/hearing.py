"""Masters of whom a mail came are heard of."""

from judge.play.commands.outcome import NOTHING, Heard, Outcome, announced
from judge.play.commands.session import Answer, Session
from judge.play.governing.silence import is_masters
from judge.words.reason import because


def note_masters(session: Session) -> Outcome:
    """Note the masters whose seats a mail opened; an offer of their game ends."""
    office, did = session.office, NOTHING
    for at, answer in enumerate(session.answers):
        number = answer.by or answer.seat
        seat = office.games.seat(number) if number else None
        if seat is None or not is_masters(seat):
            continue
        office.watchbook.hear(number, session.now)
        game = office.games.get(seat.game)
        if game.dealings.master_offered:
            game.deal(master_offered=None)
            news = because("master-back", game=game.name)
            did += Heard(Answer(done=(news,)), at) + announced(session, game, news)
    return did
