"""SET PASSWORD and RESET PASSWORD."""

from collections.abc import Sequence
from dataclasses import replace

from judge.model.command import AuditDetail, Command, CommandForm, EchoPolicy, Permission, Where
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from judge.model.record import Seat, SeatState
from judge.play.commands.row import command, reads
from judge.play.commands.seats.signup import find_game
from judge.play.commands.session import ReplyDraft, Session
from judge.play.game import Game
from judge.play.letters.letter_factory import letter_to
from judge.play.people.addresses import ONCE_A_DAY, PATIENCE
from judge.play.people.admission import password_problem, seat_named
from judge.play.people.signon_throttle import LOST, UNPROVEN, comes_from
from judge.play.queries import owner_of
from judge.play.tokens import Purpose, ReplyToken


@command(
    CommandForm("SET PASSWORD", "SET PASSWORD new", EchoPolicy.NOTHING), rule="change_password",
    log=AuditDetail.NOTHING,
)
class ChangePassword(Command):
    """New password: `SET PASSWORD new`, separate from SET because it is secret."""

    password: str

    def new_password(self) -> str:
        """Return the new password."""
        return self.password

    def run(self, session: Session) -> None:
        """Set the password of the open seat. Its reply tokens expire."""
        seat, current = session.seat, session.current
        problem = password_problem(self.password)
        if not problem and owner_of(seat):
            problem = phrase("sitter-no-password", power=seat.power)
        if problem:
            session.refuse(self, problem)
            return
        first = not seat.password and (current.proven or not session.context.policy.confirm)
        if not first and not current.by_password:
            session.queue(*reset_letters(session, session.game, seat, UNPROVEN))
            session.refuse(self, phrase("password-needs-old"))
            return
        hashed = session.context.password_check.hash(self.password)
        session.context.games.save_seat(replace(seat, password=hashed, epoch=seat.epoch + 1))
        session.add(ReplyDraft(by_password=True))
        session.done(phrase("password-changed"))


def reset_letters(session: Session, game: Game, seat: Seat, why: str) -> Sequence[Letter]:
    """Return the letter with a token that sets a seat's password, if it may be sent.

    Requested letters are limited to one a day for each seat. A letter about a password that the
    judge itself removed is sent at once.
    """
    context, now = session.context, session.now
    if not seat.address or owner_of(seat):
        return ()
    asked_for = why in (LOST, UNPROVEN)
    if asked_for and not context.people.ask_once(f"reset {seat.id}", now, now - ONCE_A_DAY):
        return ()
    facts = {"days": PATIENCE.days, "why": why}
    letter = letter_to(game, seat, LetterKind.CONFIRM, "reset", facts, phrase("event-new-password"))
    token = context.tokens.write(ReplyToken.at(now, Purpose.PASSWORD, seat.id, seat.epoch))
    return (replace(letter, token=token, unsubscribe=""),)


@command(
    CommandForm("RESET", "RESET PASSWORD Nmarco", EchoPolicy.NOTHING), who=Permission.ANYBODY,
    log=AuditDetail.NOTHING, as_power=True,
)
class ResetPassword(Command):
    """Request for a letter that sets a new password: `RESET PASSWORD Nmarco`.

    The letter goes to the seat's registered address. *who* is as in `SignOn`, or "?" for the
    sender's own seat before the start.
    """

    who: str
    game: str

    @reads("reset")
    @classmethod
    def read(cls, seat: tuple[str, str] | str, *, at: Where) -> "ResetPassword":
        """RESET PASSWORD Nmarco, RESET PASSWORD ?marco."""
        if isinstance(seat, str):
            seat = "?", seat.lstrip("?").lower()
        return cls(**at, who=seat[0], game=seat[1])

    def run(self, session: Session) -> None:
        """Send the letter for a new password, and give every sender the same reply."""
        game = find_game(session, self, self.game)
        if game is None:
            return
        seat = _find_seat(session, game, self.who)
        if seat:
            session.queue(*reset_letters(session, game, seat, LOST))
        session.tell_sender(phrase("reset-asked", game=game.name))


def _find_seat(session: Session, game: Game, who: str) -> Seat | None:
    """Return the seat that a RESET names. "?" is the sender's own before the start."""
    if who != "?":
        return seat_named(game, who, session.mail.sender)
    waiting = [s for s in game.all_seats() if s.state is SeatState.WAITING]
    return next((seat for seat in waiting if comes_from(session.context, session.mail, seat)), None)
