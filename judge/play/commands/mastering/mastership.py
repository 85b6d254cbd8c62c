"""TAKEOVER of a mastership, by whoever was asked to, or from a master who has fallen silent.

`TAKEOVER` of a power is for `succeeding`.
"""

from dataclasses import replace

from judge.play.commands.outcome import NOTHING, Outcome, announced, parting, posted, said
from judge.play.commands.seats import signup, succeeding
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.governing.masters import MOST, dethrone, enthrone, masters_of, playing_problem
from judge.play.letters.telling import notice_to, start_letter
from judge.play.office import is_open
from judge.play.people.signup import password_problem
from judge.words.letter import Kind
from judge.words.reason import because
from judge.words.record import GameState, Role, SeatState
from judge.words.seats import Takeover


def takeover(session: Session, command: Takeover) -> Outcome:
    """Take over a power, or with M for a power the mastership that was offered."""
    if command.who.casefold() not in ("m", "master"):
        return succeeding.takeover(session, command)
    game = signup.find_game(session, command, command.game)
    if isinstance(game, Outcome):
        return game
    if _is_asked(session, command, game):
        return _join_masters(session, command, game)
    elif game.dealings.master_offered and is_open(game):
        return _succeed(session, command, game)
    else:
        return signup.refused_entry(command, because("mastership-not-offered", game=game.name))


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
        problem = because("promote-most", most=MOST, game=game.name)
    if problem:
        return signup.refused_entry(command, problem)
    low = session.mail.sender.lower()
    asked = game.dealings.asked_masters
    game.deal(asked_masters={who: each for who, each in asked.items() if who != low})
    did = _seat(session, command, game)
    return did + announced(session, game, because("promoted", game=game.name))


def _succeed(session: Session, command: Takeover, game: Game) -> Outcome:
    """Make the first of a game's people who asks the master of a game whose own is silent.

    A From line alone is no proof: the seat he has must have been opened by a reply or a password.
    A player who becomes master plays on, and so sees no more than before.
    """
    office = session.office
    if not session.current.proven or session.current.game != game.id:
        return signup.refused_entry(command, because("mastership-needs-seat", game=game.name))
    problem = password_problem(command.password)
    if problem:
        return signup.refused_entry(command, problem)
    plays = session.seat.role is Role.PLAYER
    game.deal(master_offered=None)
    if plays:
        game.choose(gm_plays=True)
    did = NOTHING
    for silent in masters_of(game):
        gone = dethrone(office, silent)
        told = because("demoted-you", game=game.name)
        did += posted(notice_to(game, gone, [told], Kind.NOTICE))
    if session.seat.role in (Role.OBSERVER, Role.MONITOR):
        gone = replace(session.seat, state=SeatState.LEFT, epoch=session.seat.epoch + 1)
        did += parting(session)
        office.games.save_seat(gone)
    did += _seat(session, command, game, address=session.person)
    did += announced(session, game, because("new-master", game=game.name))
    if plays:
        did += announced(session, game, because("new-master-plays", game=game.name))
    return did


def _seat(
    session: Session, command: Takeover, game: Game, address: str = ""
) -> Outcome:
    """Give somebody a master's seat, open it, and tell him where the game stands."""
    seat = signup.add_seat(session, game, command.password, Role.MASTER, SeatState.HELD)
    seat = enthrone(game, replace(seat, address=address or seat.address), session.now)
    did = signup.settled_in(seat) + said(because("you-are-master", game=game.name))
    if game.state in (GameState.RUNNING, GameState.PAUSED):
        did += posted(start_letter(game, seat))
    return did
