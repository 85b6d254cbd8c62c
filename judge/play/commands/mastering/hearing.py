"""Masters of whom a mail came are heard of."""

from judge.play.commands.session import Session
from judge.play.governing.silence import is_masters
from judge.words.reason import because


def note_masters(session: Session) -> None:
    """Note the masters whose seats a mail opened; an offer of their game ends."""
    office = session.office
    for answer in session.answers:
        number = answer.by or answer.seat
        seat = office.games.seat(number) if number else None
        if seat is None or not is_masters(seat):
            continue
        office.watchbook.hear(number, session.now)
        game = office.games.get(seat.game)
        if game.dealings.master_offered:
            game.deal(master_offered=None)
            news = because("master-back", game=game.name)
            answer.done.append(news)
            session.announce(game, news)
