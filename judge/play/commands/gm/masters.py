"""PROMOTE and DEMOTE: masters of a game, and the record of their activity.

`TAKEOVER` of a power or a mastership is in `commands/seats/takeover`.
"""

from datetime import timedelta

from judge.dice import new_seed
from judge.model.command import Command, CommandForm, Permission, Where, bare_address
from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import Seat
from judge.play.choices.settingtable import is_address
from judge.play.commands.outreach import cancel, earliest_send_time, send
from judge.play.commands.row import command, reads
from judge.play.commands.session import ReplyDraft, Session
from judge.play.game import Game
from judge.play.gm.masters import (
    MAX,
    WATCHERS,
    demote_master,
    is_masters,
    make_master,
    masters_of,
    playing_problem,
)
from judge.play.letters.letter_factory import announce, letter_outside, notice_to
from judge.play.pending_requests import Promotion, place_of, with_place
from judge.play.queries import is_open, is_present

ASKED_FOR = timedelta(days=7)
"""Time for a reply to the letter that asks a person to be a master."""


@command(
    CommandForm("PROMOTE", "PROMOTE ann@example.org"),
    CommandForm("DEMOTE", "DEMOTE ann@example.org"), who=Permission.MASTER,
)
class Promote(Command):
    """Appointment of a master: `PROMOTE ann@example.org`. DEMOTE revokes it.

    A demoted master becomes an observer. *owner* is True for `PROMOTE ann@example.org OWNER`,
    which makes a master the first one.
    """

    who: str
    off: bool = False
    owner: bool = False

    @reads("promote")
    @classmethod
    def read(cls, who: str, owner: str = "", *, at: Where) -> "Promote":
        """PROMOTE ann@example.org, PROMOTE ann@example.org OWNER."""
        return cls(**at, who=bare_address(who), owner=bool(owner))

    @reads("demote")
    @classmethod
    def read_demote(cls, who: str, *, at: Where) -> "Promote":
        """DEMOTE ann@example.org."""
        return cls(**at, who=bare_address(who), off=True)

    def run(self, session: Session) -> None:
        """Make one more master, or end a mastership."""
        if not is_open(session.game):
            session.refuse(self, phrase("already-over", game=session.game.name))
        elif self.off:
            _demote(session, self)
        elif self.owner:
            _hand_over(session, self)
        else:
            _promote(session, self)


def _promote(session: Session, command: Promote) -> None:
    """Make an observer a master at once, or ask another person by letter."""
    game, address = session.game, command.who.lower()
    seats = [s for s in game.all_seats() if is_present(s)]
    problem = _problem(session, game, address)
    if problem:
        session.refuse(command, problem)
        return
    watching = [s for s in seats if s.role in WATCHERS and s.address.lower() == address]
    if not watching:
        _offer_mastership(session, command, game, address)
        return
    seat = make_master(game, watching[0], session.now)
    _tell(session, game, seat, "promoted-you", "promoted")


def _tell(session: Session, game: Game, seat: Seat, you: str, news: str) -> None:
    """Inform one seat of its change, and all others in the game."""
    reason = phrase(news, game=game.name)
    session.done(reason)
    session.queue(
        notice_to(game, seat, [phrase(you, game=game.name)], LetterKind.NOTICE),
        *announce(game, reason, session.now, but=(seat.id, session.seat.id)),
    )


def _problem(session: Session, game: Game, address: str) -> Phrase | None:
    if not is_address(address):
        return phrase("no-address", text=address)
    masters = masters_of(game)
    if any(seat.address.lower() == address for seat in masters):
        return phrase("promote-already", address=address, game=game.name)
    others = [each for each in _pending_offers(session, game) if each != address]
    if len(masters) + len(others) >= MAX:
        return phrase("promote-most", most=MAX, game=game.name)
    return playing_problem(game, address)


def _pending_offers(session: Session, game: Game) -> dict[str, Promotion]:
    """Return the persons with a pending offer of a mastership."""
    asked = game.dealings.asked_masters
    return {who: offer for who, offer in asked.items() if session.now < offer.until}


def _offer_mastership(session: Session, command: Promote, game: Game, address: str) -> None:
    """Ask a person by letter to be a master.

    The word in the letter proves that the reply comes from its reader.
    """
    due = earliest_send_time(session, address, _about(game, address))
    if isinstance(due, Phrase):
        session.refuse(command, due)
        return
    word, until = new_seed()[:6].hex(), due + ASKED_FOR
    game.change_requests(
        asked_masters={**_pending_offers(session, game), address: Promotion(word, until)}
    )
    letter = letter_outside(
        game, address, phrase("event-be-a-master"), "promote",
        until=until, line=f"TAKEOVER M{game.name} yourpassword {word}",
    )
    reason = phrase("promote-asked", address=address, game=game.name)
    send(session, letter, _about(game, address), due, reason)


def _about(game: Game, address: str) -> str:
    return f"promote {game.id} {address}"


def _demote(session: Session, command: Promote) -> None:
    """Make another master an observer.

    Only the first master may do so, and the first master cannot be demoted.
    """
    context, game, address = session.context, session.game, command.who.lower()
    masters = masters_of(game)
    found = next((each for each in masters if each.address.lower() == address), None)
    if found is None:
        asked = game.dealings.asked_masters
        if address not in asked:
            session.refuse(command, phrase("demote-nobody", who=command.who, game=game.name))
            return
        game.change_requests(
            asked_masters={who: each for who, each in asked.items() if who != address}
        )
        cancel(session, _about(game, address))
        session.done(phrase("promote-taken-back", address=address))
    elif found.id == masters[0].id or masters[0].id != session.seat.id:
        session.refuse(command, phrase("demote-owner", game=game.name))
    else:
        seat = demote_master(context, found)
        _tell(session, game, seat, "demoted-you", "demoted")


def _hand_over(session: Session, command: Promote) -> None:
    """Make another master the first one. Only the first master may do so."""
    context, game, address = session.context, session.game, command.who.lower()
    masters = masters_of(game)
    found = next((each for each in masters if each.address.lower() == address), None)
    if masters[0].id != session.seat.id:
        session.refuse(command, phrase("owner-only", game=game.name))
    elif found is None:
        reason = phrase("owner-no-master", who=command.who, game=game.name)
        session.refuse(command, reason, f"PROMOTE {command.who}")
    elif found.id == masters[0].id:
        session.refuse(command, phrase("owner-already", game=game.name))
    else:
        first = with_place(found, place_of(masters[0]) - 1)
        context.games.save_seat(first)
        _tell(session, game, first, "owner-you", "owner-new")


def resign_mastership(session: Session) -> bool:
    """End the open seat's mastership, if it is not the last one. Return success."""
    game = session.game
    masters = masters_of(game)
    if len(masters) < 2 and is_open(game):
        return False
    session.keep_departing_address()
    session.done(phrase("you-left", game=game.name))
    if is_open(game):
        session.announce(game, phrase("demoted", game=game.name))
    demote_master(session.context, session.seat, gone=True)
    return True


def note_masters(session: Session) -> None:
    """Record the activity of masters whose seats a mail opened.

    An offer of the mastership of their game ends.
    """
    context = session.context
    for at, answer in enumerate(session.answers):
        number = answer.acting_master_id or answer.seat
        seat = context.games.seat(number) if number else None
        if seat is None or not is_masters(seat):
            continue
        context.bans.record_activity(number, session.now)
        game = context.games.get(seat.game)
        if game.dealings.master_offered:
            game.change_requests(master_offered=None)
            news = phrase("master-back", game=game.name)
            session.add(ReplyDraft(done=(news,)), at=at)
            session.announce(game, news)
