"""PROMOTE and DEMOTE: several masters of one game."""

from datetime import timedelta

from judge.dice import fresh_seed
from judge.play.choices.limits import is_address
from judge.play.commands.outcome import NOTHING, Outcome, announced, parting, posted, refused, said
from judge.play.commands.seats.outreach import first_chance, send, unsend
from judge.play.commands.session import Session
from judge.play.dealings import Promotion, place_of, with_place
from judge.play.game import Game
from judge.play.governing.masters import (
    MOST,
    WATCHERS,
    dethrone,
    enthrone,
    masters_of,
    playing_problem,
)
from judge.play.letters.telling import announce, letter_outside, notice_to
from judge.play.office import is_open, is_present
from judge.words.letter import Kind
from judge.words.mastering import Promote
from judge.words.reason import Reason, because
from judge.words.record import Seat

ASKED_FOR = timedelta(days=7)
"""How long somebody may take to say yes to being a master."""


def promote(session: Session, command: Promote) -> Outcome:
    """Make one more master, or take a mastership back."""
    if not is_open(session.game):
        return refused(command, because("already-over", game=session.game.name))
    elif command.off:
        return _demote(session, command)
    elif command.owner:
        return _hand_over(session, command)
    else:
        return _promote(session, command)


def _promote(session: Session, command: Promote) -> Outcome:
    """Make an observer a master at once; somebody else is asked first."""
    game, address = session.game, command.who.lower()
    seats = [s for s in game.all_seats() if is_present(s)]
    problem = _problem(session, game, address)
    if problem:
        return refused(command, problem)
    watching = [s for s in seats if s.role in WATCHERS and s.address.lower() == address]
    if not watching:
        return _ask(session, command, game, address)
    seat = enthrone(game, watching[0], session.now)
    return _tell(session, game, seat, "promoted-you", "promoted")


def _tell(session: Session, game: Game, seat: Seat, you: str, news: str) -> Outcome:
    """Tell one seat what became of it, and everybody else in the game what that means to them."""
    reason = because(news, game=game.name)
    did = said(reason)
    return did + posted(
        notice_to(game, seat, [because(you, game=game.name)], Kind.NOTICE),
        *announce(game, reason, session.now, but=(seat.id, session.seat.id)),
    )


def _problem(session: Session, game: Game, address: str) -> Reason | None:
    if not is_address(address):
        return because("no-address", text=address)
    masters = masters_of(game)
    if any(seat.address.lower() == address for seat in masters):
        return because("promote-already", address=address, game=game.name)
    others = [each for each in _still_asked(session, game) if each != address]
    if len(masters) + len(others) >= MOST:
        return because("promote-most", most=MOST, game=game.name)
    return playing_problem(game, address)


def _still_asked(session: Session, game: Game) -> dict[str, Promotion]:
    """Return who was asked and may still say yes."""
    asked = game.dealings.asked_masters
    return {who: offer for who, offer in asked.items() if session.now < offer.until}


def _ask(session: Session, command: Promote, game: Game, address: str) -> Outcome:
    """Ask somebody by letter; the word in it shows that the yes comes from who read it."""
    due, did = first_chance(session, address, _about(game, address))
    if isinstance(due, Reason):
        return did + refused(command, due)
    word, until = fresh_seed()[:6].hex(), due + ASKED_FOR
    game.deal(asked_masters={**_still_asked(session, game), address: Promotion(word, until)})
    letter = letter_outside(
        game, address, "will you be a master of this game?", "promote",
        until=until, line=f"TAKEOVER M{game.name} yourpassword {word}",
    )
    reason = because("promote-asked", address=address, game=game.name)
    return did + send(session, letter, _about(game, address), due, reason)


def _about(game: Game, address: str) -> str:
    return f"promote {game.id} {address}"


def _demote(session: Session, command: Promote) -> Outcome:
    """Make an observer of another master; only the owner may, and nobody of the owner."""
    office, game, address = session.office, session.game, command.who.lower()
    masters = masters_of(game)
    found = next((each for each in masters if each.address.lower() == address), None)
    if found is None:
        asked = game.dealings.asked_masters
        if address not in asked:
            return refused(command, because("demote-nobody", who=command.who, game=game.name))
        game.deal(asked_masters={who: each for who, each in asked.items() if who != address})
        did = unsend(session, _about(game, address))
        return did + said(because("promote-taken-back", address=address))
    elif found.id == masters[0].id or masters[0].id != session.seat.id:
        return refused(command, because("demote-owner", game=game.name))
    else:
        seat = dethrone(office, found)
        return _tell(session, game, seat, "demoted-you", "demoted")


def _hand_over(session: Session, command: Promote) -> Outcome:
    """Make another master the first of them; only the first one may."""
    office, game, address = session.office, session.game, command.who.lower()
    masters = masters_of(game)
    found = next((each for each in masters if each.address.lower() == address), None)
    if masters[0].id != session.seat.id:
        return refused(command, because("owner-only", game=game.name))
    elif found is None:
        reason = because("owner-no-master", who=command.who, game=game.name)
        return refused(command, reason, f"PROMOTE {command.who}")
    elif found.id == masters[0].id:
        return refused(command, because("owner-already", game=game.name))
    else:
        first = with_place(found, place_of(masters[0]) - 1)
        office.games.save_seat(first)
        return _tell(session, game, first, "owner-you", "owner-new")


def resign_mastership(session: Session) -> Outcome:
    """Let a master go where another one is there; nothing is done where he is the only one."""
    game = session.game
    masters = masters_of(game)
    if len(masters) < 2 and is_open(game):
        return NOTHING
    did = parting(session) + said(because("you-left", game=game.name))
    if is_open(game):
        did += announced(session, game, because("demoted", game=game.name))
    dethrone(session.office, session.seat, gone=True)
    return did
