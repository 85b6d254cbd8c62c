"""Newcomers who wait until the master approves them."""

from judge.play.commands.outcome import NOTHING, Outcome, closed, posted, said
from judge.play.commands.session import Session
from judge.play.dealings import Asked
from judge.play.game import Game
from judge.play.letters.telling import notice_to, present_seats
from judge.play.people.entry import invitation_of, power_asked
from judge.words.letter import Kind
from judge.words.reason import because
from judge.words.record import Role


def must_ask(
    session: Session, game: Game, password: str, power: str, preference: str = ""
) -> Outcome:
    """Have a newcomer ask the master where he approves them; nothing counts then until the next
    sign-on. Where none is to be asked, nothing is done.

    Who asks again is told so, and the master is not; the first password counts, so that nobody
    can put another in its place.
    """
    address = session.mail.sender.lower()
    if not game.chosen.approval or invitation_of(game, address, session.now):
        return NOTHING
    people = game.dealings.asking
    before, did = people.get(address), NOTHING
    if before is None or before.power != power:
        kept = before.password if before else ""
        fresh = "" if session.is_contested else session.office.keyring.hash(password)
        asked = Asked(power, kept or fresh, preference)
        game.deal(asking={**people, address: asked})
        did = _tell_masters(session, game, address, power)
    return did + closed(shut=True) + said(because("entry-asked", game=game.name))


def _tell_masters(session: Session, game: Game, address: str, power: str) -> Outcome:
    figures = session.office.register.figures(*session.office.aliases.of(address))
    seats = figures.started + figures.took_over
    reason = because(
        "newcomer-asks" if seats else "newcomer-asks-first",
        address=address,
        power=power_asked(game, power) or "a power",
        game=game.name,
        share=figures.on_time_share,
        due=figures.due,
        seats=seats,
        left=figures.lost + figures.resigned,
    )
    lines = because("newcomer-lines", approve=f"APPROVE {address}", refuse=f"REFUSE {address}")
    return posted(*(
        notice_to(game, seat, [reason, lines], Kind.NOTICE)
        for seat in present_seats(game)
        if seat.role is Role.MASTER
    ))
