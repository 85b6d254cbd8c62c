"""Telling the owner of a seat that many wrong passwords are tried there."""

from datetime import timedelta

from judge.play.commands.outcome import NOTHING, Outcome, posted
from judge.play.commands.session import Session
from judge.play.letters.telling import notice_to
from judge.play.people import guarding
from judge.words.letter import Kind
from judge.words.reason import because
from judge.words.record import Seat


def tell_owner(session: Session, lock: str, seat: Seat) -> Outcome:
    """Tell the address of a seat, once a day, that many passwords are tried there."""
    people, now = session.office.people, session.now
    if guarding.comes_from(session.office, session.mail, seat):
        code, most = "guesses-in-your-name", guarding.MOST_AT_HOME
        many = guarding.at_home(session.office, lock, session.mail, now).many
    else:
        code, most = "guesses-from-elsewhere", guarding.MOST_AT_SEAT
        many = people.wrong(now - guarding.HOUR, seat=lock).many
    if many < most or not seat.address:
        return NOTHING
    if people.ask(f"{code} {seat.id}", now, now - timedelta(days=1)):
        game = session.office.games.get(seat.game)
        reason = because(code, many=most, game=game.name)
        return posted(notice_to(game, seat, [reason], Kind.NOTICE))
    return NOTHING
