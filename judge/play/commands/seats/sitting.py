"""SITTER and SIT: temporary play for another player."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from judge.model.command import (
    AuditDetail,
    Command,
    CommandForm,
    ConfirmationPolicy,
    ParsedMail,
    Permission,
    SeatChange,
    Where,
    Words,
    bare_address,
)
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat
from judge.model.seat_settings import SitterAsked, Sitting
from judge.play.choices.settingtable import is_address
from judge.play.commands.outreach import cancel, earliest_send_time, send
from judge.play.commands.row import command, reads
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.letters.letter_factory import letter_outside, notice_to, start_letter, zone_of
from judge.play.parse_time import read_instant
from judge.play.pending_requests import with_sitter_request, with_sitting
from judge.play.people.admission import seats_problem
from judge.play.people.sitting import end_sitting, note_next_return, tell_holder
from judge.play.queries import (
    find_power,
    is_present,
    owner_of,
    seat_of_power,
    seat_token,
    sides_of,
)
from judge.play.tokens import Purpose, ReplyToken

MAX = timedelta(days=60)
"""Maximum length of a sitting."""


def is_sitter(session: Session, seat: Seat) -> bool:
    """Return whether the sender of the mail is the sitter of the open seat.

    The player, who has the password of the seat, does not write from the sitter's address.
    """
    address = session.mail.sender
    return bool(owner_of(seat)) and session.context.aliases.is_same_person(seat.address, address)


@command(CommandForm("SITTER", "SITTER ann@example.org UNTIL 31 Mar"))
class Sitter(Command):
    """Request for a sitter: `SITTER ann@example.org UNTIL 3 Mar`, `SITTER OFF`."""

    address: str = ""
    until: tuple[str, ...] = ()
    """Date as typed."""

    @reads("sitter")
    @classmethod
    def read(cls, address: str, until: Words, *, at: Where) -> "Sitter":
        """SITTER ann@example.org UNTIL 3 Mar."""
        return cls(**at, address=bare_address(address), until=until)

    @reads("sitter_off")
    @classmethod
    def read_sitter_off(cls, *, at: Where) -> "Sitter":
        """SITTER OFF."""
        return cls(**at)

    def run(self, session: Session) -> None:
        """Offer the open seat to a sitter, or end the offer or the sitting."""
        seat, game = session.seat, session.game
        if not seat.power or game.state not in (GameState.RUNNING, GameState.PAUSED):
            session.refuse(self, phrase("needs-running-power"))
        elif not self.address:
            _end(session, self, game, seat)
        else:
            _offer(session, self, game, seat)


def _offer(session: Session, command: Sitter, game: Game, seat: Seat) -> None:
    until = read_instant(command.until, session.now, ZoneInfo(zone_of(game, seat)))
    problem = until if isinstance(until, Phrase) else _problem(session, command, until)
    if problem:
        session.refuse(command, problem)
        return
    assert isinstance(until, datetime)
    address = command.address.lower()
    due = earliest_send_time(session, address, _about(seat))
    if isinstance(due, Phrase):
        session.refuse(command, due)
        return
    offer = SitterAsked(address, until.astimezone(UTC))
    session.context.games.save_seat(with_sitter_request(seat, offer))
    token = ReplyToken.at(due, Purpose.SIT, seat.id, seat.epoch)
    question = _letter(session, game, seat, address, until, token)
    reason = phrase("sitter-asked", address=address, power=seat.power)
    send(session, question, _about(seat), due, reason)


def _about(seat: Seat) -> str:
    return f"sitter {seat.id}"


def _letter(
    session: Session, game: Game, seat: Seat, address: str, until: datetime, token: ReplyToken
) -> Letter:
    """Return the letter that asks a person to sit.

    A reply to this letter proves that they received it.
    """
    letter = next(side.letter for side in sides_of(game) if side.name == seat.power)
    asked = letter_outside(
        game, address, phrase("event-sit-in", power=seat.power), "sitter",
        power=seat.power, until=until, line=f"SIT {seat_token(game, letter)}", again=False,
    )
    return replace(asked, token=session.context.tokens.write(token))


def _problem(session: Session, command: Sitter, until: datetime) -> Phrase | None:
    address = command.address.lower()
    if owner_of(session.seat):
        return phrase("sitter-has-one", power=session.seat.power)
    if not is_address(address):
        return phrase("no-address", text=command.address)
    if until > session.now + MAX:
        return phrase("sitter-too-long", days=MAX.days)
    return None


def _is_inside(game: Game, address: str) -> bool:
    """Return whether a person may not sit because they have a seat in the game.

    The player who asked them is not informed of the reason.
    """
    return seats_problem(game, address) is not None or any(
        is_present(seat) and seat.role is Role.MASTER
        and game.context.aliases.is_same_person(seat.address, address)
        for seat in game.all_seats()
    )


def question(session: Session, token: ReplyToken) -> Letter | None:
    """Return the letter to a sitter again, or None if the offer is no longer open."""
    seat = session.context.games.seat(token.seat)
    offer = _offer_of(session, seat) if seat else None
    if seat is None or offer is None or seat.epoch != token.epoch:
        return None
    game = session.context.games.get(seat.game)
    return _letter(session, game, seat, offer.address, offer.until, token)


def accept(session: Session, token: ReplyToken) -> None:
    """Start a sitting after a YES."""
    seat = session.context.games.seat(token.seat)
    assert seat is not None
    game = session.context.games.get(seat.game)
    letter = next(side.letter for side in sides_of(game) if side.name == seat.power)
    Sit(line=0, text="", who=letter.lower(), game=game.name).run(session)


def decline(session: Session, token: ReplyToken) -> None:
    """End the offer after a NO and inform the player."""
    seat = session.context.games.seat(token.seat)
    assert seat is not None
    _close_offer(session, session.context.games.get(seat.game), seat)
    session.tell_sender(phrase("answer-no"))


def is_by_letter(session: Session, seat: Seat) -> bool:
    """Return whether the mail replies to the letter that asks a sitter."""
    token = session.token
    return (
        token is not None
        and token.purpose is Purpose.SIT
        and (token.seat, token.epoch) == (seat.id, seat.epoch)
    )


def _offer_of(session: Session, seat: Seat) -> SitterAsked | None:
    """Return the pending offer of a seat to a sitter, or None."""
    offer = seat.settings.sitter if is_present(seat) else None
    return offer if offer and offer.until > session.now else None


@command(
    CommandForm("SIT", "SIT india@marco"), who=Permission.ANYBODY, waits=ConfirmationPolicy.SEATED,
    log=AuditDetail.NOTHING,
)
class Sit(Command):
    """Acceptance to sit for the player of a power: `SIT india@marco`."""

    who: str
    game: str

    def seat_change(self) -> SeatChange:
        """Return the change of the open seat."""
        return SeatChange(self.game)

    @reads("sit")
    @classmethod
    def read(cls, seat: tuple[str, str], *, at: Where) -> "Sit":
        """SIT india@marco."""
        return cls(**at, who=seat[0], game=seat[1])

    def run(self, session: Session) -> None:
        """Start the sitting: the seat's letters go to the sitter from now on.

        Only the address that was asked gains by it, so no password is needed. The mail opens
        the seat only if it replies to the letter that asked, as a From line alone is no proof.
        """
        context, sender = session.context, session.mail.sender.lower()
        game = context.games.find(self.game.lower())
        side = find_power(game, self.who) if game else None
        seat = seat_of_power(game, side.name) if game and side else None
        offer = _offer_of(session, seat) if seat else None
        if game is None or seat is None or offer is None or offer.address != sender:
            session.close()
            session.refuse(self, phrase("sit-not-asked"))
            return
        if _is_inside(game, sender):
            _refuse_inside(session, self, game, seat)
            return
        by_letter = is_by_letter(session, seat)
        reason = phrase("sitter-begins", power=seat.power, game=game.name)
        session.queue(notice_to(game, seat, [reason], LetterKind.NOTICE, parting=True))
        sitting = Sitting(seat.address, offer.until, seat.settings.zone or "")
        held = replace(with_sitting(seat, sitting), address=sender, epoch=seat.epoch + 1)
        context.games.save_seat(held)
        note_next_return(game)
        session.open(held)
        session.done(phrase("you-sit", power=seat.power, game=game.name))
        session.queue(start_letter(game, held))
        if by_letter:
            session.mark_proven(password=False)
        else:
            session.close()
        news = phrase("power-has-sitter", power=seat.power, game=game.name)
        session.queue(*tell_holder(game, held, news, session.now))


def _refuse_inside(session: Session, command: Sit, game: Game, seat: Seat) -> None:
    """Refuse a sitter who has a seat in the game, and close the offer.

    The player gets no reason. In some games players must not know of each other's seats.
    """
    session.close()
    session.refuse(command, phrase("sit-inside", game=game.name))
    if is_by_letter(session, seat):
        _close_offer(session, game, seat)


def _close_offer(session: Session, game: Game, seat: Seat) -> None:
    """End the offer of a seat and inform its player."""
    session.context.games.save_seat(with_sitter_request(seat, None))
    told = phrase("sitter-declined", power=seat.power)
    session.queue(notice_to(game, seat, [told], LetterKind.NOTICE))


def _end(session: Session, command: Sitter, game: Game, seat: Seat) -> None:
    """End a sitting early, or withdraw the pending offer."""
    if not owner_of(seat):
        if seat.settings.sitter is None:
            session.refuse(command, phrase("sitter-none", power=seat.power))
            return
        session.context.games.save_seat(with_sitter_request(seat, None))
        cancel(session, _about(seat))
        session.done(phrase("sitter-unasked"))
        return
    session.queue(*end_sitting(game, seat, session.now))
    session.done(phrase("sitter-ended", power=seat.power))


def is_taken_up(token: ReplyToken, sheet: ParsedMail) -> bool:
    """Return whether a mail accepts an offer by a SIT line and may contain more."""
    return token.purpose is Purpose.SIT and any(isinstance(one, Sit) for one in sheet.commands)
