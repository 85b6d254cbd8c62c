"""A seat's address changed by mail: the new address must say yes.

Then the seat's letters go there and every older token is dead. The old address is told, and can
undo it for seven days, whatever happened to the password meanwhile; undoing ends the password too,
for whoever moved the seat may have chosen it.
"""

import re
from dataclasses import replace

from judge.play.letters.telling import notice_to
from judge.play.office import is_present
from judge.play.people.passwords import TAKEN_BACK, reset_letters
from judge.play.people.sitting import give_back, owner_of
from judge.play.people.strangers import ONCE_A_DAY, PATIENCE, is_fresh
from judge.play.session import Session
from judge.play.tokens import Purpose, Token
from judge.store.people import Move
from judge.words.command import Command
from judge.words.letter import Kind, Letter
from judge.words.reason import because
from judge.words.record import Seat

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
    address = owner_of(seat) or seat.address
    if not is_present(seat) or not _leads_to(session, move, address):
        return False
    game = office.games.get(seat.game)
    if owner_of(seat):
        # Whoever moved the seat may have had somebody sit in for it.
        session.letters += give_back(office, game, seat, now)
        game, back = office.games.get(seat.game), office.games.seat(seat.id)
        assert back is not None
        seat = back
    gone = notice_to(office, game, seat, [because("address-taken-back", game=game.name)],
                     Kind.NOTICE)
    session.letters.append(replace(gone, token="", unsubscribe=""))
    office.people.ask_move(Move(0, seat.id, seat.epoch, seat.address, move.old, now, now))
    settings = {key: value for key, value in seat.settings.items() if key != "sitter"}
    restored = _put(session, replace(seat, password="", settings=settings), move.old)
    session.open(restored)
    session.say(because("address-restored", game=game.name))
    session.letters += reset_letters(session, game, restored, TAKEN_BACK)
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
