"""Letters that somebody has others sent: when they may go, and what takes them back.

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
from judge.play.commands.session import Session
from judge.play.game import Context
from judge.store.people import Planned

A_DAY = timedelta(days=1)
MOST_TO_ONE = 5
"""Letters a day that one person has sent to somebody known to us."""


def is_known(context: Context, address: str) -> bool:
    """Tell whether somebody at an address has said yes to letters of ours, or has a seat."""
    return context.people.is_confirmed(address) or bool(context.games.seats_at(address))


def take_first_chance(session: Session, address: str, about: str) -> datetime | Phrase:
    """Return when a letter to somebody may go: now, tomorrow, or not at all and why.

    One about the same thing that still waits is taken back: this takes its place.
    """
    unsend(session, about)
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
) -> None:
    """Have a letter go out when its chance comes, and say so to whoever wanted it."""
    number = session.context.outreach.plan(asker_of(session), letter.to, about, due)
    told = [reason]
    if due > session.now:
        told.append(phrase("outreach-waits", address=letter.to))
    session.queue_outreach(replace(letter, due=due, outreach=number), tuple(told))


def unsend(session: Session, about: str) -> None:
    """Have what waits about something not go out at all: it is no longer so.

    What this mail said of it is unsaid.
    """
    gone = session.context.outreach.take_back(about, session.now)
    if gone:
        session.cancel_outreach(gone)


def asker_of(session: Session) -> str:
    """Return the one address that stands for whoever speaks, whichever of his he writes from."""
    return min(session.context.aliases.of(session.person))
