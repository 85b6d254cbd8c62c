"""Limits on requested pictures, because rendering delays the pictures of others.

The pictures of results and of start letters are not counted.
"""

from datetime import timedelta

from judge.model.phrase import phrase
from judge.play.commands.outreach import asker_of
from judge.play.commands.session import ReplyDraft, Session
from judge.play.letters.board_pictures import MAX_TO_PERSON, OFF, TEXT

MAX_TO_STRANGERS = 3
"""Pictures an hour for an address that has not signed on.

The sender of such a mail may be forged, and a picture is a thousand times as long as the line
that requests it.
"""
MAX_TO_ALL = 40
"""Pictures an hour for all such addresses together."""
_HOUR = timedelta(hours=1)


def ration_pictures(session: Session, answer: ReplyDraft, wish: str) -> tuple[str, ReplyDraft]:
    """Return the format of a requested board and what the reply adds about it.

    The format is *wish*, or text if the limit of this hour is reached.
    """
    if wish in (TEXT, OFF):
        return wish, ReplyDraft()
    if answer.seat:
        if _is_left(session, asker_of(session), MAX_TO_PERSON):
            return wish, ReplyDraft()
        reason = phrase("map-enough", most=MAX_TO_PERSON)
    else:
        few = _is_left(session, session.person, MAX_TO_STRANGERS)
        if few and _is_left(session, "anybody", MAX_TO_ALL):
            return wish, ReplyDraft()
        reason = phrase("map-in-words")
    return TEXT, ReplyDraft(done=() if reason in answer.done else (reason,))


def _is_left(session: Session, who: str, most: int) -> bool:
    """Take one of *most* pictures an hour. Return whether one was left."""
    people, now = session.context.people, session.now
    return any(people.ask_once(f"map {number} {who}", now, now - _HOUR) for number in range(most))
