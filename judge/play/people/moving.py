"""A seat's address and password changed by mail, with the right mailbox as the proof.

SET ADDRESS: the new address must say yes, then the seat's letters go there and every older token is
dead. The old address is told, and can undo it for seven days, whatever happened to the password
meanwhile. RESET PASSWORD: the registered address, and nobody else, is sent a letter whose answer
may set a new password, once.
"""

import re
from dataclasses import replace

from judge.play.letters.telling import letter_to, notice_to
from judge.play.office import is_present
from judge.play.people.guarding import comes_from
from judge.play.people.signup import find_game, seat_named
from judge.play.people.strangers import ONCE_A_DAY, PATIENCE, is_fresh
from judge.play.session import Session
from judge.play.tokens import Purpose, Token
from judge.store.people import Move
from judge.words.command import Command, ResetPassword
from judge.words.letter import Kind, Letter
from judge.words.reason import because
from judge.words.record import GameRecord, Seat, SeatState

_ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
)


def read_address(text: str, judge: str) -> str:
    """Return the address a person may move to, or nothing: it is none, or the judge's own.

    >>> read_address("<Ann@Example.org>", "judge@example.org")
    'Ann@example.org'
    >>> read_address("judge+x@example.org", "judge@example.org"), read_address("ann", "")
    ('', '')
    """
    bare = text.strip("<>.,;")
    if len(bare) > 254 or not _ADDRESS.fullmatch(bare):
        return ""
    local, _, domain = bare.rpartition("@")
    own, _, host = judge.lower().rpartition("@")
    if len(local) > 64 or (domain.lower() == host and local.lower().startswith(own)):
        return ""
    return f"{local}@{domain.lower()}"


def ask(session: Session, command: Command, text: str) -> None:
    """Begin a move: ask the new address, at most once a day."""
    office, seat, now = session.office, session.seat, session.now
    address = read_address(text, office.policy.address)
    if not address:
        session.refuse(command, because("address-unusable", text=text[:100]))
    elif address.casefold() == seat.address.casefold():
        session.say(because("address-same"))
    elif not office.people.ask(f"address {address.casefold()}", now, now - ONCE_A_DAY):
        session.refuse(command, because("address-asked-today", address=address))
    else:
        move = Move(0, seat.id, seat.epoch, seat.address, address, now)
        number = office.people.ask_move(move)
        token = Token.at(now, Purpose.MOVE, number, seat.epoch)
        session.letters.append(
            Letter(
                kind=Kind.CONFIRM,
                to=address,
                subject=f"{session.game.name} - please confirm your new address",
                template="move",
                facts={"name": session.game.name, "days": PATIENCE.days},
                token=office.tokens.write(token),
            )
        )
        session.say(because("address-asked", address=address, days=PATIENCE.days))


def confirm(session: Session, token: Token) -> bool:
    """Take the new address's yes: the seat moves, the old address is told."""
    office, now = session.office, session.now
    move = office.people.move(token.seat)
    seat = office.games.seat(move.seat) if move else None
    if move is None or seat is None or move.done or not is_fresh(token, now):
        return False
    if not is_present(seat) or seat.epoch != move.epoch:
        return False
    moved = _put(session, seat, move.new)
    office.people.finish_move(move.id, now)
    office.people.confirm(move.new, now)
    game = office.games.get(seat.game)
    session.open(moved)
    session.say(because("address-changed", game=game.name))
    told = because("address-went", game=game.name, days=PATIENCE.days)
    letter = notice_to(office, game, replace(moved, address=move.old), [told], Kind.CONFIRM)
    undo = office.tokens.write(Token.at(now, Purpose.UNDO, move.id))
    session.letters.append(replace(letter, token=undo, unsubscribe=""))
    return True


def undo(session: Session, token: Token) -> bool:
    """Take the old address's no: the seat comes back, unless another person sits there by now."""
    office, now = session.office, session.now
    move = office.people.move(token.seat)
    seat = office.games.seat(move.seat) if move else None
    if move is None or seat is None or not move.done or not is_fresh(token, now):
        return False
    if not is_present(seat) or not _leads_to(session, move, seat.address):
        return False
    game = office.games.get(seat.game)
    gone = notice_to(office, game, seat, [because("address-taken-back", game=game.name)],
                     Kind.NOTICE)
    session.letters.append(replace(gone, token="", unsubscribe=""))
    back = Move(0, seat.id, seat.epoch, seat.address, move.old, now, now)
    office.people.ask_move(back)
    session.open(_put(session, seat, move.old))
    session.say(because("address-restored", game=game.name))
    return True


def _put(session: Session, seat: Seat, address: str) -> Seat:
    """Give a seat another address; its older tokens end."""
    moved = replace(seat, address=address, epoch=seat.epoch + 1)
    session.office.games.save_seat(moved)
    return moved


def _leads_to(session: Session, move: Move, address: str) -> bool:
    """Tell whether the seat moved from there to its present address: the same person still."""
    reached = ""
    for done in session.office.people.moves(move.seat):
        if done.id == move.id or reached and done.old == reached:
            reached = done.new
    return reached == address and reached != move.old


def _seat_asked_for(session: Session, game: GameRecord, who: str) -> Seat | None:
    """Return the seat a RESET means; "?" is the sender's own before the start."""
    if who != "?":
        return seat_named(session.office, game, who, session.mail.sender)
    waiting = [s for s in session.office.games.seats(game.id) if s.state is SeatState.WAITING]
    return next((seat for seat in waiting if comes_from(session.office, session.mail, seat)), None)


def reset_password(session: Session, command: ResetPassword) -> None:
    """Mail a seat's registered address the way to a new password; say the same to everybody."""
    office, now = session.office, session.now
    game = find_game(session, command, command.game)
    if game is None:
        return
    seat = _seat_asked_for(session, game, command.who)
    if seat and seat.address and office.people.ask(f"reset {seat.id}", now, now - ONCE_A_DAY):
        letter = letter_to(
            office, game, seat, Kind.CONFIRM, "reset", {"days": PATIENCE.days}, "new password"
        )
        token = office.tokens.write(Token.at(now, Purpose.PASSWORD, seat.id, seat.epoch))
        session.letters.append(replace(letter, token=token, unsubscribe=""))
    session.strangers.done.append(because("reset-asked", game=game.name))
