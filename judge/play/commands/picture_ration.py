"""How many pictures somebody is drawn who asks for them: each takes time that others wait.

Results and the letter that starts a game are not asked for; their pictures are not counted.
"""

from datetime import timedelta

from judge.model.phrase import phrase
from judge.play.commands.outreach import asker_of
from judge.play.commands.session import Answer, Session
from judge.play.letters.illustrations import MOST_TO_PERSON, OFF, TEXT

MOST_TO_STRANGERS = 3
"""Pictures an hour to an address that has not signed on: the sender of a mail may be made up, and
a picture is a thousand times as long as the line that asks for it."""
MOST_TO_ALL = 40
"""The same for all such addresses together."""
_HOUR = timedelta(hours=1)


def rationed(session: Session, answer: Answer, wish: str) -> tuple[str, Answer]:
    """Return how a board that is asked for is shown: as wished, or in words where enough pictures
    went there this hour; and what the answer says more then."""
    if wish in (TEXT, OFF):
        return wish, Answer()
    if answer.seat:
        if _is_left(session, asker_of(session), MOST_TO_PERSON):
            return wish, Answer()
        reason = phrase("map-enough", most=MOST_TO_PERSON)
    else:
        few = _is_left(session, session.person, MOST_TO_STRANGERS)
        if few and _is_left(session, "anybody", MOST_TO_ALL):
            return wish, Answer()
        reason = phrase("map-in-words")
    return TEXT, Answer(done=() if reason in answer.done else (reason,))


def _is_left(session: Session, who: str, most: int) -> bool:
    """Take one of so many pictures that somebody has in an hour; tell whether one was left."""
    people, now = session.context.people, session.now
    return any(people.ask(f"map {number} {who}", now, now - _HOUR) for number in range(most))
