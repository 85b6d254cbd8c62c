"""Commands that end seats: EJECT, RESIGN and UNSUBSCRIBE."""

import re
from dataclasses import replace

from judge.model.command import (
    Command,
    CommandForm,
    ConfirmationPolicy,
    EchoPolicy,
    ParsedMail,
    Permission,
    SeatChange,
    Where,
)
from judge.model.incoming import Incoming, Line
from judge.model.letter import Letter, LetterKind
from judge.model.order_commands import GiveOrders
from judge.model.person import ConductKind
from judge.model.phrase import Complaint, ComplaintKind, phrase
from judge.model.record import GameState, Role, Seat, SeatState
from judge.play.clocks.phases import vacancy, vacate
from judge.play.commands.confirmation import speaks_for_person
from judge.play.commands.gm.masters import resign_mastership
from judge.play.commands.gm.running import announce_reason, problem
from judge.play.commands.orders.ordering import give_orders
from judge.play.commands.row import command, reads
from judge.play.commands.seats.signup import SignOn, find_game, is_from
from judge.play.commands.seats.takeover import StandBy
from judge.play.commands.session import ReplyDraft, Session
from judge.play.game import Context, Game
from judge.play.gm.masters import masters_of
from judge.play.letters.letter_factory import letter_to, notice_to
from judge.play.people.addresses import PATIENCE, is_fresh
from judge.play.people.admission import bar_return, is_watching, observed_seats, record_conduct
from judge.play.people.sitting import adverts, end_sitting
from judge.play.queries import (
    find_power,
    is_open,
    is_present,
    near_powers,
    no_such_power,
    owner_of,
    seat_of_power,
)
from judge.play.tokens import Purpose, ReplyToken


@command(CommandForm("EJECT", "EJECT power"), who=Permission.MASTER)
class Eject(Command):
    """Command of masters that removes a player, or an observer by address."""

    who: str

    def run(self, session: Session) -> None:
        """Make a power vacant, or remove an observer or waiting player by address."""
        game = session.game
        if not is_open(game):
            session.refuse(self, phrase("already-over", game=game.name))
            return
        if "@" in self.who:
            _eject_address(session, self, game)
            return
        side = find_power(game, self.who)
        seat = seat_of_power(game, side.name) if side else None
        if side is None and near_powers(game, self.who):
            session.refuse(self, no_such_power(game, self.who))
            return
        if seat is None or not is_present(seat):
            session.refuse(self, phrase("eject-nobody", who=self.who))
            return
        if seat.state is SeatState.WAITING:
            _eject_address(session, replace(self, who=seat.address), game)
            return
        tell_ejected(session, game, seat)
        announce_reason(session, game, phrase("ejected", power=seat.power, game=game.name))
        _empty(session, game, seat)
        session.done(vacancy(game, seat.power))
        _bar(session, owner_of(seat) or seat.address)


def tell_ejected(session: Session, game: Game, seat: Seat) -> None:
    """Inform those who lose a power because of its master: the player and a sitter."""
    news = phrase("ejected-you", power=seat.power, game=game.name)
    owner = owner_of(seat)
    seats = [seat, *([replace(seat, address=owner)] if owner else [])]
    session.queue(*(
        notice_to(game, each, [news], LetterKind.NOTICE, parting=True) for each in seats
    ))


def _eject_address(session: Session, command: Eject, game: Game) -> None:
    """Remove a person, at any of their addresses, from seats that are no power's."""
    context, wanted = session.context, command.who.casefold()
    ejected: set[str] = set()
    for seat in game.all_seats():
        leaves = seat.role in (Role.OBSERVER, Role.MONITOR) or seat.state is SeatState.WAITING
        if is_present(seat) and leaves and context.aliases.is_same_person(seat.address, wanted):
            waits = seat.state is SeatState.WAITING
            news = phrase("ejected-before-start" if waits else "ejected-watcher", game=game.name)
            session.queue(notice_to(game, seat, [news], LetterKind.NOTICE, parting=True))
            _leave(session, seat)
            ejected.add(seat.address)
    if ejected:
        session.done(phrase("ejected-address", address=wanted))
        _bar(session, wanted, *sorted(ejected))
    else:
        session.refuse(command, phrase("eject-nobody", who=command.who))


def _bar(session: Session, *addresses: str) -> None:
    """Prevent an ejected person from returning unless a master lets them in."""
    bar_return(session.game, *addresses)
    session.done(phrase("ejected-barred", game=session.game.name))


def _empty(session: Session, game: Game, seat: Seat) -> None:
    """Make a power's seat vacant and announce how to take it."""
    vacate(game, seat, session.now)
    session.announce(game, vacancy(game, seat.power), LetterKind.VACANCY)
    session.queue(*adverts(game, seat, session.now))
    session.mark_changed(game)


def _leave(session: Session, seat: Seat) -> None:
    if seat.state is SeatState.WAITING:
        session.mark_changed(session.context.games.get(seat.game))
    session.context.bundles.drop(seat.id)
    gone = replace(seat, state=SeatState.LEFT, epoch=seat.epoch + 1)
    session.context.games.save_seat(gone)


def _asks_back(game: Game, seat: Seat) -> bool:
    """Return whether a resignation needs a confirmation.

    Players and masters of a started game confirm it, sitters do not.
    """
    if game.state not in (GameState.RUNNING, GameState.PAUSED) or owner_of(seat):
        return False
    return seat.role is Role.MASTER or bool(seat.power)


def _question(session: Session, game: Game, seat: Seat, token: ReplyToken) -> Letter:
    """Return the letter that asks a seat to confirm its resignation."""
    facts = {"days": PATIENCE.days, "again": False}
    event = phrase("event-resign-sure", power=seat.power) if seat.power else phrase(
        "event-resign-mastership"
    )
    answers = session.mail.message_id or "-"
    letter = letter_to(game, seat, LetterKind.CONFIRM, "resign", facts, event, answers=answers)
    return replace(letter, token=session.context.tokens.write(token))


def question(session: Session, token: ReplyToken) -> Letter | None:
    """Return the letter of a token again, or None if the question is no longer open."""
    seat = session.context.games.seat(token.seat)
    if seat is None or not is_present(seat) or seat.epoch != token.epoch:
        return None
    game = session.context.games.get(seat.game)
    asks = _asks_back(game, seat) and is_fresh(token, session.now)
    return _question(session, game, seat, token) if asks else None


def confirm(session: Session, token: ReplyToken) -> None:
    """Carry out a confirmed resignation, if it is from the seat's address."""
    seat = session.context.games.seat(token.seat)
    assert seat is not None
    if not is_from(session, seat):
        reason = phrase("token-opens-nothing")
        session.complain(Complaint(ComplaintKind.NOT_ALLOWED, 0, "", reason))
        return
    session.open(seat)
    _resign(session)
    session.close(shut=True)


@command(
    # No example gives up whichever seat is open.
    CommandForm("RESIGN", "RESIGN Fmarco password", EchoPolicy.SEAT),
    CommandForm("WITHDRAW", "RESIGN Fmarco password"),
)
class Resign(Command):
    """Departure from the open seat (RESIGN, WITHDRAW), in the named game or any."""

    game: str = ""

    def seat_change(self) -> SeatChange | None:
        """Return None, because the same line may contain a sign-on."""
        return None

    @reads("resign_from")
    @classmethod
    def read(cls, game: str, *, at: Where) -> "Resign":
        """WITHDRAW marco."""
        return cls(**at, game=game.lower())

    @reads("sign_on_and_resign")
    @classmethod
    def read_sign_on(
        cls, seat: tuple[str, str], password: str, *, at: Where
    ) -> tuple[Command, ...]:
        """RESIGN india@marco pw."""
        return SignOn.read(seat, password, at=at), cls(**at)

    def run(self, session: Session) -> None:
        """Leave the open seat. A power's seat becomes vacant, which is announced.

        The lines that follow are for no seat. `WITHDRAW par` may name a unit: unless it is the
        name of the game, it takes an order off file.
        """
        if self.text.lower().startswith("withdraw") and not _names_game(session, self):
            line = Line(self.line, self.text)
            order = GiveOrders(line=line.number, text=line.text, lines=(line,))
            reason = problem(session, order)
            if reason:
                session.refuse(self, reason)
            else:
                give_orders(session, order)
            return
        if not _names_game(session, self):
            lines = (f"RESIGN F{self.game[:8]} password",)
            session.refuse(self, phrase("resign-elsewhere", game=self.game), *lines)
            return
        seat, game = session.seat, session.game
        last = seat.role is Role.MASTER and len(masters_of(game)) < 2
        if last and is_open(game):
            session.refuse(self, phrase("master-may-not-resign", game=game.name))
            return
        if _asks_back(game, seat):
            token = ReplyToken.at(session.now, Purpose.RESIGN, seat.id, seat.epoch)
            letter = _question(session, game, seat, token)
            # RESIGN twice in one mail is one question.
            is_asked = any(
                (each.template, each.seat) == (letter.template, letter.seat)
                for each in session.letters
            )
            if not is_asked:
                session.queue(letter)
            return
        _resign(session)
        session.close(shut=True)


def decline(session: Session, token: ReplyToken) -> None:
    """Keep the seat after a NO to the resignation."""
    session.tell_sender(phrase("answer-no"))


def _names_game(session: Session, command: Resign) -> bool:
    """Return whether a command is for the open seat's game, by name or without one."""
    return not command.game or session.game.name in (command.game, command.game[1:])


def _resign(session: Session) -> None:
    """Leave the open seat, according to its role."""
    seat, game = session.seat, session.game
    if seat.role is Role.MASTER:
        if not resign_mastership(session):
            session.tell_sender(phrase("master-may-not-resign", game=game.name))
        return
    if owner_of(seat):
        session.keep_departing_address()
        session.queue(*end_sitting(game, seat, session.now))
        session.done(phrase("sitter-gave-up", power=seat.power))
        return
    session.keep_departing_address()
    session.done(phrase("you-left", game=game.name))
    if seat.state is SeatState.OCCUPIED and seat.power and is_open(game):
        record_conduct(game, [seat], ConductKind.RESIGNED, session.now)
        news = phrase("resigned", power=seat.power, game=game.name)
        session.announce(game, news)
        _empty(session, game, seat)
    else:
        _leave(session, seat)


@command(
    CommandForm("UNSUBSCRIBE, UNOBSERVE, UNWATCH, UNMONITOR", "UNSUBSCRIBE"),
    who=Permission.ANYBODY, waits=ConfirmationPolicy.PERSON,
)
class Unsubscribe(Command):
    """Departure of an observer: `UNSUBSCRIBE`, `UNOBSERVE polo`, `OBSERVE polo OFF`."""

    game: str = ""
    """Name of the game.

    Empty for the open seat's game or, without a seat, for all that the sender observes.
    """

    def is_vouched(self, session: Session) -> bool:
        """Return whether the command needs no confirmation.

        That is so from the seat itself, for a reply, and if the command would have no effect.
        """
        is_open = session.is_signed_on and self.game in ("", session.game.name)
        return is_open or speaks_for_person(session) or not _may_leave(session, self.game)

    @reads("unsubscribe")
    @classmethod
    def read(cls, game: str = "", *, at: Where) -> "Unsubscribe":
        """UNSUBSCRIBE, UNOBSERVE marco, OBSERVE marco OFF."""
        return cls(**at, game=re.sub("^all$|.*@", "", game.lower()))

    def run(self, session: Session) -> None:
        """Leave as an observer: the open seat or else all that the sender observes.

        Without a seat and a game, the sender leaves the standby list as well.
        """
        if session.is_signed_on and self.game in ("", session.game.name):
            if not is_watching(session.seat):
                session.refuse(self, phrase("unsubscribe-not-observer"))
                return
            _stop_watching(session, session.seat)
            session.close(shut=True)
            return
        game = find_game(session, self, self.game, opens=False) if self.game else None
        if self.game and game is None:
            return
        seats = observed_seats(session.context, session.mail, self.game)
        stands_by = game is None and bool(session.context.register.person(session.person).standby)
        if not seats and not stands_by:
            reason = phrase("unsubscribe-not-watching", game=game.name) if game else None
            session.refuse(self, reason or phrase("unsubscribe-from-what"))
            return
        if stands_by:
            StandBy(line=self.line, text=self.text, off=True).run(session)
        for seat in seats:
            session.open(seat)
            _stop_watching(session, seat)
        if seats:
            session.close(shut=True)


def _stop_watching(session: Session, seat: Seat) -> None:
    """Empty an observer's seat. Its address still gets the reply to this mail."""
    game = session.context.games.get(seat.game)
    session.add(ReplyDraft(address=seat.address))
    session.done(phrase("you-left", game=game.name))
    _leave(session, seat)


def _may_leave(session: Session, game: str) -> bool:
    """Return whether the sender observes the game, or any, or is on the standby list."""
    if observed_seats(session.context, session.mail, game):
        return True
    return not game and bool(session.context.register.person(session.person).standby)


def leave_taken(context: Context, mail: Incoming, sheet: ParsedMail) -> ParsedMail:
    """Return the commands that a banned person may still send: ends of subscriptions."""
    token = context.tokens.read(mail.detail)
    if token is not None and token.purpose is Purpose.UNSUBSCRIBE:
        return ParsedMail((Unsubscribe(line=0, text="UNSUBSCRIBE"),))
    if not any(isinstance(one, Unsubscribe) for one in sheet.commands):
        return ParsedMail(())
    return ParsedMail(
        tuple(one for one in sheet.commands if isinstance(one, (SignOn, Unsubscribe)))
    )
