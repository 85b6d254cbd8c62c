"""Letters that a person has sent to other people: send times and withdrawal.

The recipients did not ask for such letters and may not know the judge. An address that was never
confirmed gets one such letter a day, from all people together, and one person may send a limited
number of them a day. Letters over these limits wait until the next day, and a letter that would
have to wait longer is refused. A known recipient gets a few letters a day from one person. A newer
letter on the same subject replaces one that still waits.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from judge.model.letter import Letter
from judge.model.phrase import Phrase, phrase
from judge.play.commands.session import Session
from judge.play.game import Context
from judge.store.schema import PlannedLetterRow

A_DAY = timedelta(days=1)
MAX_TO_ONE = 5
"""Letters a day from one person to one known recipient."""


def is_known(context: Context, address: str) -> bool:
    """Return whether an address is confirmed or has a seat."""
    return context.people.is_confirmed(address) or bool(context.games.seats_at(address))


def earliest_send_time(session: Session, address: str, about: str) -> datetime | Phrase:
    """Return when a letter may be sent, or the reason why it is refused.

    The result is *now* or the instant on which the limits next allow it, at most one day ahead.
    A pending letter with the same *about* is withdrawn, because this letter replaces it.
    """
    cancel(session, about)
    context, now = session.context, session.now
    mine = context.outreach.find_due("asker", asker_of(session), now - A_DAY)
    theirs = context.outreach.find_due("address", address, now - A_DAY)
    if is_known(context, address):
        own = {each.id for each in mine} & {each.id for each in theirs}
        full = len(own) >= MAX_TO_ONE
        return phrase("outreach-often", address=address, most=MAX_TO_ONE) if full else now
    most = context.policy.unconfirmed_per_day
    due = max(now, _next_of(theirs, 1, now), _next_of(_to_unknown(context, mine), most, now))
    if due > now + A_DAY or not most:
        return phrase("outreach-full", address=address, most=most)
    return due


def _to_unknown(context: Context, planned: Sequence[PlannedLetterRow]) -> list[PlannedLetterRow]:
    return [each for each in planned if not is_known(context, each.address)]


def _next_of(planned: Sequence[PlannedLetterRow], most: int, now: datetime) -> datetime:
    """Return when the limit of *most* letters a day allows another one.

    *planned* is in descending order of time.
    """
    return planned[most - 1].due + A_DAY if 0 < most <= len(planned) else now


def send(session: Session, letter: Letter, about: str, due: datetime, reason: Phrase) -> None:
    """Queue a letter for *due* and report that to the open seat."""
    number = session.context.outreach.schedule(asker_of(session), letter.to, about, due)
    told = [reason]
    if due > session.now:
        told.append(phrase("outreach-waits", address=letter.to))
    session.queue_outreach(replace(letter, due=due, outreach=number), tuple(told))


def cancel(session: Session, about: str) -> None:
    """Withdraw the pending letter about a subject.

    What this mail reported about that letter is removed.
    """
    gone = session.context.outreach.cancel_about(about, session.now)
    if gone:
        session.cancel_outreach(gone)


def asker_of(session: Session) -> str:
    """Return one address for the present person, the same for all their aliases."""
    return min(session.context.aliases.addresses_of(session.person))
