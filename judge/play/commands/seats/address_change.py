"""SET ADDRESS: address change of a seat, confirmed by the new address."""

from dataclasses import replace

from judge.model.command import Command
from judge.model.letter import Letter, LetterKind
from judge.model.person import AddressChange
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, Seat
from judge.play.commands.outreach import earliest_send_time, send
from judge.play.commands.seats.passwords import reset_letters
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.letters.letter_factory import notice_to
from judge.play.pending_requests import with_sitter_request
from judge.play.people.addresses import ONCE_A_DAY, PATIENCE, is_banned, is_fresh, read_address
from judge.play.people.signon_throttle import TAKEN_BACK
from judge.play.people.sitting import end_sitting
from judge.play.queries import is_present, owner_of
from judge.play.tokens import Purpose, ReplyToken


def request_change(session: Session, command: Command, text: str) -> None:
    """Start an address change: ask the new address, at most once a day."""
    context, seat, now = session.context, session.seat, session.now
    address = read_address(text, context.policy.address)
    if not address:
        session.refuse(command, phrase("address-unusable", text=text[:100]))
        return
    if address.casefold() == seat.address.casefold():
        session.done(phrase("address-same"))
        return
    if not context.people.ask_once(f"address {address.casefold()}", now, now - ONCE_A_DAY):
        session.refuse(command, phrase("address-asked-today", address=address))
        return
    due = earliest_send_time(session, address, f"move {seat.id}")
    if isinstance(due, Phrase):
        context.people.delete_question(f"address {address.casefold()}")
        session.refuse(command, due)
        return
    move = AddressChange(NO_ID, seat.id, seat.epoch, seat.address, address, now)
    token = ReplyToken.at(
        due, Purpose.MOVE, context.people.request_address_change(move), seat.epoch
    )
    letter = _letter(session, session.game, move, token)
    # The latest request for a seat replaces an earlier pending one.
    reason = phrase("address-asked", address=address, days=PATIENCE.days)
    send(session, letter, f"move {seat.id}", due, reason)


def _letter(session: Session, game: Game, move: AddressChange, token: ReplyToken) -> Letter:
    return Letter(
        kind=LetterKind.CONFIRM, to=move.new, subject=phrase("subject-new-address", game=game.name),
        template="move", facts={"name": game.name, "days": PATIENCE.days, "again": False},
        token=session.context.tokens.write(token),
    )


def _find_address_change(
    session: Session, token: ReplyToken, *, done: bool
) -> tuple[AddressChange, Seat] | None:
    """Return the address change of a token and its seat, or None if it is outdated.

    *done* selects changes that were carried out, else pending ones.
    """
    context = session.context
    move = context.people.move(token.seat)
    seat = context.games.seat(move.seat) if move else None
    if move is None or seat is None or bool(move.done) is not done or not is_present(seat):
        return None
    if not is_fresh(token, session.now):
        return None
    if done:
        same = _leads_to(session, move, owner_of(seat) or seat.address)
    else:
        same = seat.epoch == move.epoch and not is_banned(session.context, seat.address)
    return (move, seat) if same else None


def question(session: Session, token: ReplyToken) -> Letter | None:
    """Return the letter to the new address again, or None if it is no longer open."""
    found = _find_address_change(session, token, done=False)
    if found is None:
        return None
    move, seat = found
    return _letter(session, session.context.games.get(seat.game), move, token)


def confirm(session: Session, token: ReplyToken) -> None:
    """Carry out an address change after a YES, and inform the old address."""
    found = _find_address_change(session, token, done=False)
    assert found is not None
    context, now = session.context, session.now
    move, seat = found
    moved = _put(session, seat, move.new)
    context.people.finish_move(move.id, now)
    context.people.confirm(move.new, now)
    session.open(moved)
    session.done(phrase("address-changed", game=context.games.get(seat.game).name))
    undoing = ReplyToken.at(now, Purpose.UNDO, move.id)
    session.queue(_undo_letter(session, moved, move, undoing, "address-went"))


def decline(session: Session, token: ReplyToken) -> None:
    """Drop an address change after a NO of the new address, and inform the seat."""
    found = _find_address_change(session, token, done=False)
    assert found is not None
    move, seat = found
    context = session.context
    context.people.drop_move(move.id)
    game = context.games.get(seat.game)
    told = phrase("address-declined", address=move.new, game=game.name)
    session.queue(notice_to(game, seat, [told], LetterKind.NOTICE))
    session.tell_sender(phrase("answer-no"))


def _undo_letter(
    session: Session, seat: Seat, move: AddressChange, token: ReplyToken, code: str
) -> Letter:
    """Return the letter to the old address with the way to undo the change."""
    context = session.context
    game = context.games.get(seat.game)
    told = phrase(code, game=game.name, days=PATIENCE.days)
    letter = notice_to(game, replace(seat, address=move.old), [told], LetterKind.CONFIRM)
    return replace(letter, token=context.tokens.write(token), unsubscribe="")


def undo_question(session: Session, token: ReplyToken) -> Letter | None:
    """Return the letter to the old address again, or None if it is no longer open."""
    found = _find_address_change(session, token, done=True)
    if found is None:
        return None
    move, seat = found
    return _undo_letter(session, seat, move, token, "address-went-unclear")


def stay(session: Session, token: ReplyToken) -> None:
    """Report that the address change remains in effect."""
    session.tell_sender(phrase("address-stays"))


def undo(session: Session, token: ReplyToken) -> None:
    """Undo an address change after a NO of the old address.

    A sitting that was started since is ended first. The password is removed, and a letter for a
    new one is sent.
    """
    found = _find_address_change(session, token, done=True)
    assert found is not None
    context, now = session.context, session.now
    move, seat = found
    game = context.games.get(seat.game)
    if owner_of(seat):
        # The person who changed the address may have named a sitter.
        session.queue(*end_sitting(game, seat, now))
        game, back = context.games.get(seat.game), context.games.seat(seat.id)
        assert back is not None
        seat = back
    gone = notice_to(game, seat, [phrase("address-taken-back", game=game.name)],
                     LetterKind.NOTICE)
    session.queue(replace(gone, token="", unsubscribe=""))
    context.people.request_address_change(
        AddressChange(NO_ID, seat.id, seat.epoch, seat.address, move.old, now, now)
    )
    unasked = with_sitter_request(seat, None)
    restored = _put(session, replace(unasked, password=""), move.old)
    session.open(restored)
    session.done(phrase("address-restored", game=game.name))
    session.queue(*reset_letters(session, game, restored, TAKEN_BACK))


def _put(session: Session, seat: Seat, address: str) -> Seat:
    """Set another address for a seat. Its older tokens expire."""
    moved = replace(seat, address=address, epoch=seat.epoch + 1)
    session.context.games.save_seat(moved)
    return moved


def _leads_to(session: Session, move: AddressChange, address: str) -> bool:
    """Return whether the chain of address changes leads to *address*.

    The seat then still belongs to the same person. False if it leads back to the old address.
    """
    reached = ""
    for done in session.context.people.moves(move.seat):
        if done.id == move.id or reached and done.old == reached:
            reached = done.new
    return reached == address and reached != move.old
