"""PROMOTE, DEMOTE and TAKEOVER of a mastership: who masters a game, and that he is heard of.

`TAKEOVER` of a power is for `commands/seats/takeover`.
"""

from dataclasses import replace
from datetime import timedelta

from judge.dice import fresh_seed
from judge.model.letter import Kind
from judge.model.mastering import Promote
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat, SeatState
from judge.model.seats import Takeover
from judge.play.choices.settingtable import is_address
from judge.play.commands.outcome import (
    NOTHING,
    Heard,
    Outcome,
    announced,
    parting,
    posted,
    refused,
    said,
)
from judge.play.commands.outreach import first_chance, send, unsend
from judge.play.commands.seats import signup, takeover
from judge.play.commands.session import Answer, Session
from judge.play.dealings import Promotion, place_of, with_place
from judge.play.game import Game
from judge.play.gm.inactive_gm import is_masters
from judge.play.gm.masters import MOST, WATCHERS, dethrone, enthrone, masters_of, playing_problem
from judge.play.letters.letter_factory import announce, letter_outside, notice_to, start_letter
from judge.play.people.admission import password_problem
from judge.play.queries import is_open, is_present

ASKED_FOR = timedelta(days=7)
"""How long somebody may take to say yes to being a master."""


def promote(session: Session, command: Promote) -> Outcome:
    """Make one more master, or take a mastership back."""
    if not is_open(session.game):
        return refused(command, phrase("already-over", game=session.game.name))
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
    reason = phrase(news, game=game.name)
    did = said(reason)
    return did + posted(
        notice_to(game, seat, [phrase(you, game=game.name)], Kind.NOTICE),
        *announce(game, reason, session.now, but=(seat.id, session.seat.id)),
    )


def _problem(session: Session, game: Game, address: str) -> Phrase | None:
    if not is_address(address):
        return phrase("no-address", text=address)
    masters = masters_of(game)
    if any(seat.address.lower() == address for seat in masters):
        return phrase("promote-already", address=address, game=game.name)
    others = [each for each in _still_asked(session, game) if each != address]
    if len(masters) + len(others) >= MOST:
        return phrase("promote-most", most=MOST, game=game.name)
    return playing_problem(game, address)


def _still_asked(session: Session, game: Game) -> dict[str, Promotion]:
    """Return who was asked and may still say yes."""
    asked = game.dealings.asked_masters
    return {who: offer for who, offer in asked.items() if session.now < offer.until}


def _ask(session: Session, command: Promote, game: Game, address: str) -> Outcome:
    """Ask somebody by letter; the word in it shows that the yes comes from who read it."""
    due, did = first_chance(session, address, _about(game, address))
    if isinstance(due, Phrase):
        return did + refused(command, due)
    word, until = fresh_seed()[:6].hex(), due + ASKED_FOR
    game.deal(asked_masters={**_still_asked(session, game), address: Promotion(word, until)})
    letter = letter_outside(
        game, address, phrase("event-be-a-master"), "promote",
        until=until, line=f"TAKEOVER M{game.name} yourpassword {word}",
    )
    reason = phrase("promote-asked", address=address, game=game.name)
    return did + send(session, letter, _about(game, address), due, reason)


def _about(game: Game, address: str) -> str:
    return f"promote {game.id} {address}"


def _demote(session: Session, command: Promote) -> Outcome:
    """Make an observer of another master; only the owner may, and nobody of the owner."""
    context, game, address = session.context, session.game, command.who.lower()
    masters = masters_of(game)
    found = next((each for each in masters if each.address.lower() == address), None)
    if found is None:
        asked = game.dealings.asked_masters
        if address not in asked:
            return refused(command, phrase("demote-nobody", who=command.who, game=game.name))
        game.deal(asked_masters={who: each for who, each in asked.items() if who != address})
        did = unsend(session, _about(game, address))
        return did + said(phrase("promote-taken-back", address=address))
    elif found.id == masters[0].id or masters[0].id != session.seat.id:
        return refused(command, phrase("demote-owner", game=game.name))
    else:
        seat = dethrone(context, found)
        return _tell(session, game, seat, "demoted-you", "demoted")


def _hand_over(session: Session, command: Promote) -> Outcome:
    """Make another master the first of them; only the first one may."""
    context, game, address = session.context, session.game, command.who.lower()
    masters = masters_of(game)
    found = next((each for each in masters if each.address.lower() == address), None)
    if masters[0].id != session.seat.id:
        return refused(command, phrase("owner-only", game=game.name))
    elif found is None:
        reason = phrase("owner-no-master", who=command.who, game=game.name)
        return refused(command, reason, f"PROMOTE {command.who}")
    elif found.id == masters[0].id:
        return refused(command, phrase("owner-already", game=game.name))
    else:
        first = with_place(found, place_of(masters[0]) - 1)
        context.games.save_seat(first)
        return _tell(session, game, first, "owner-you", "owner-new")


def resign_mastership(session: Session) -> Outcome:
    """Let a master go where another one is there; nothing is done where he is the only one."""
    game = session.game
    masters = masters_of(game)
    if len(masters) < 2 and is_open(game):
        return NOTHING
    did = parting(session) + said(phrase("you-left", game=game.name))
    if is_open(game):
        did += announced(session, game, phrase("demoted", game=game.name))
    dethrone(session.context, session.seat, gone=True)
    return did


def takeover_mastership(session: Session, command: Takeover) -> Outcome:
    """Take over a power, or with M for a power the mastership that was offered."""
    if command.who.casefold() not in ("m", "master"):
        return takeover.takeover(session, command)
    game = signup.find_game(session, command, command.game)
    if isinstance(game, Outcome):
        return game
    if _is_asked(session, command, game):
        return _join_masters(session, command, game)
    elif game.dealings.master_offered and is_open(game):
        return _succeed(session, command, game)
    else:
        return signup.refused_entry(command, phrase("mastership-not-offered", game=game.name))


def _is_asked(session: Session, command: Takeover, game: Game) -> bool:
    """Tell whether the sender was asked to be a master, and has the word of that letter."""
    offer = game.dealings.asked_masters.get(session.mail.sender.lower())
    if offer is None or not is_open(game):
        return False
    return session.now < offer.until and offer.word in command.words


def _join_masters(session: Session, command: Takeover, game: Game) -> Outcome:
    """Seat somebody who was asked beside the masters there are."""
    problem = password_problem(command.password) or playing_problem(
        game, session.mail.sender
    )
    if len(masters_of(game)) >= MOST:
        problem = phrase("promote-most", most=MOST, game=game.name)
    if problem:
        return signup.refused_entry(command, problem)
    low = session.mail.sender.lower()
    asked = game.dealings.asked_masters
    game.deal(asked_masters={who: each for who, each in asked.items() if who != low})
    did = _seat(session, command, game)
    return did + announced(session, game, phrase("promoted", game=game.name))


def _succeed(session: Session, command: Takeover, game: Game) -> Outcome:
    """Make the first of a game's people who asks the master of a game whose own is silent.

    A From line alone is no proof: the seat he has must have been opened by a reply or a password.
    A player who becomes master plays on, and so sees no more than before.
    """
    context = session.context
    if not session.current.proven or session.current.game != game.id:
        return signup.refused_entry(command, phrase("mastership-needs-seat", game=game.name))
    problem = password_problem(command.password)
    if problem:
        return signup.refused_entry(command, problem)
    plays = session.seat.role is Role.PLAYER
    game.deal(master_offered=None)
    if plays:
        game.choose(gm_plays=True)
    did = NOTHING
    for silent in masters_of(game):
        gone = dethrone(context, silent)
        told = phrase("demoted-you", game=game.name)
        did += posted(notice_to(game, gone, [told], Kind.NOTICE))
    if session.seat.role in (Role.OBSERVER, Role.MONITOR):
        gone = replace(session.seat, state=SeatState.LEFT, epoch=session.seat.epoch + 1)
        did += parting(session)
        context.games.save_seat(gone)
    did += _seat(session, command, game, address=session.person)
    did += announced(session, game, phrase("new-master", game=game.name))
    if plays:
        did += announced(session, game, phrase("new-master-plays", game=game.name))
    return did


def _seat(
    session: Session, command: Takeover, game: Game, address: str = ""
) -> Outcome:
    """Give somebody a master's seat, open it, and tell him where the game stands."""
    seat = signup.add_seat(session, game, command.password, Role.MASTER, SeatState.HELD)
    seat = enthrone(game, replace(seat, address=address or seat.address), session.now)
    did = signup.settled_in(seat) + said(phrase("you-are-master", game=game.name))
    if game.state in (GameState.RUNNING, GameState.PAUSED):
        did += posted(start_letter(game, seat))
    return did


def note_masters(session: Session) -> Outcome:
    """Note the masters whose seats a mail opened; an offer of their game ends."""
    context, did = session.context, NOTHING
    for at, answer in enumerate(session.answers):
        number = answer.by or answer.seat
        seat = context.games.seat(number) if number else None
        if seat is None or not is_masters(seat):
            continue
        context.bans.hear(number, session.now)
        game = context.games.get(seat.game)
        if game.dealings.master_offered:
            game.deal(master_offered=None)
            news = phrase("master-back", game=game.name)
            did += Heard(Answer(done=(news,)), at) + announced(session, game, news)
    return did
