"""OFFICIAL: a letter of the master to everybody in a game, whatever its rules of press.

It is news, not press: whoever wants no press gets it all the same. It is kept like press, so that
a reply finds its way, and counts as press of the master's: so many a day, so long together.
"""

import json

from judge.play.commands.outcome import Outcome, posted, refused, said
from judge.play.commands.press.limits import note_written, text_problem
from judge.play.commands.session import Session
from judge.play.letters.telling import letter_to, present_seats
from judge.play.pressroom.correspondence import MASTER
from judge.play.tokens import Purpose
from judge.words.letter import Kind
from judge.words.mastering import Announce
from judge.words.reason import because
from judge.words.record import Event

LONGEST_SUBJECT = 60


def announce(session: Session, command: Announce) -> Outcome:
    """Send an announcement to all seats; a plain reply to it is press to the master."""
    game = session.game
    if not any(line.strip() for line in command.body):
        return refused(command, because("official-empty"))
    problem = text_problem(session, command.body)
    if problem:
        return refused(command, problem)
    note_written(session, command.body)
    about = command.subject[:LONGEST_SUBJECT]
    kept = {"from": MASTER, "to": (), "body": command.body, "about": about}
    text = json.dumps(kept, ensure_ascii=False)
    event = Event(game.id, session.now, game.phase, Kind.PRESS.value, text)
    number = game.add_event(event)
    facts = {"about": about, "body": command.body}
    readers = [seat for seat in present_seats(game) if seat.id != session.seat.id]
    did = posted(*(
        letter_to(
            game, seat, Kind.NOTICE, "official", facts, about or "announcement",
            purpose=Purpose.PRESS, extra=number,
        )
        for seat in readers
    ))
    return did + said(because("official-sent", count=len(readers)))
