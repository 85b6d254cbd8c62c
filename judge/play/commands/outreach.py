"""Letters that somebody has others sent: how many one mail may cause, and when they may go.

Whom they name has not asked for them and may not know us. An address that never confirmed gets one
such letter a day, whoever has it sent, and one person has only so many of them sent a day; what is
over that waits until tomorrow, and what would wait longer is refused. Somebody known to us gets a
few a day from one person. A newer letter about the same thing takes the place of one that waits.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from judge.model.letter import Letter
from judge.model.phrase import Phrase, phrase
from judge.play.commands.outcome import NOTHING, Approached, Outcome, Unsent
from judge.play.commands.session import Answer, Session
from judge.play.game import Context
from judge.play.letters.illustrations import MOST_TO_PERSON, OFF, TEXT
from judge.store.people import Planned

A_DAY = timedelta(days=1)
MOST_TO_ONE = 5
"""Letters a day that one person has sent to somebody known to us."""


def is_known(context: Context, address: str) -> bool:
    """Tell whether somebody at an address has said yes to letters of ours, or has a seat."""
    return context.people.is_confirmed(address) or bool(context.games.seats_at(address))


def first_chance(
    session: Session, address: str, about: str
) -> tuple[datetime | Phrase, Outcome]:
    """Return when a letter to somebody may go: now, tomorrow, or not at all and why.

    One about the same thing that still waits is taken back, which is an outcome: this takes its
    place.
    """
    did = unsend(session, about)
    return _chance(session, address), did


def _chance(session: Session, address: str) -> datetime | Phrase:
    context, now = session.context, session.now
    mine = context.outreach.of(asker_of(session), now - A_DAY)
    theirs = context.outreach.to(address, now - A_DAY)
    if is_known(context, address):
        own = {each.id for each in mine} & {each.id for each in theirs}
        full = len(own) >= MOST_TO_ONE
        return phrase("outreach-often", address=address, most=MOST_TO_ONE) if full else now
    most = context.policy.unconfirmed_per_day
    due = max(now, _next_of(theirs, 1, now), _next_of(_to_unknown(context, mine), most, now))
    if due > now + A_DAY or not most:
        return phrase("outreach-full", address=address, most=most)
    return due


def _to_unknown(context: Context, planned: Sequence[Planned]) -> list[Planned]:
    return [each for each in planned if not is_known(context, each.address)]


def _next_of(planned: Sequence[Planned], most: int, now: datetime) -> datetime:
    """Return when one more may go where so many a day may; `planned` has the last first."""
    return planned[most - 1].due + A_DAY if 0 < most <= len(planned) else now


def send(
    session: Session, letter: Letter, about: str, due: datetime, reason: Phrase
) -> Outcome:
    """Have a letter go out when its chance comes, and say so to whoever wanted it."""
    number = session.context.outreach.plan(asker_of(session), letter.to, about, due)
    told = [reason]
    if due > session.now:
        told.append(phrase("outreach-waits", address=letter.to))
    return Approached(replace(letter, due=due, outreach=number), tuple(told))


def unsend(session: Session, about: str) -> Outcome:
    """Have what waits about something not go out at all: it is no longer so.

    What this mail said of it is unsaid.
    """
    gone = session.context.outreach.take_back(about, session.now)
    return Unsent(gone) if gone else NOTHING


def asker_of(session: Session) -> str:
    """Return the one address that stands for whoever speaks, whichever of his he writes from."""
    return min(session.context.aliases.of(session.person))


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
    person = min(session.context.aliases.of(session.person)) if session.person else ""
    if answer.seat:
        if _is_left(session, person, MOST_TO_PERSON):
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
