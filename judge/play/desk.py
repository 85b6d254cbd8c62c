"""The way in for a mail: who speaks, what is carried out, who is answered.

Every mail gets exactly one answer for each seat it opened, to that seat's registered address,
and one to its sender for what concerned no seat.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from judge.clock import Clock
from judge.play import (
    choosing,
    foresight,
    histories,
    inquiries,
    inviting,
    leaving,
    making,
    mastering,
    muster,
    ordering,
    persons,
    press,
    signup,
    sitting,
    standby,
    voting,
)
from judge.play.answering import answer_letters
from judge.play.office import Office, is_present, player_seats
from judge.play.session import Session
from judge.play.tokens import Purpose, Token
from judge.words import command as words
from judge.words import foresight as foreseen
from judge.words import seating
from judge.words.command import Command, Sheet
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.incoming import Incoming
from judge.words.letter import Letter
from judge.words.reason import because
from judge.words.record import Seat


@dataclass(frozen=True, slots=True)
class Handler:
    """What carries a command out, and whose seat must be open for it: "", "seat" or "master"."""

    run: Callable[[Session, Any], None]
    needs: str = "seat"


HANDLERS: dict[type[Command], Handler] = {
    words.SignOn: Handler(signup.sign_on, ""),
    words.Create: Handler(making.create, ""),
    words.Join: Handler(signup.join, ""),
    words.Observe: Handler(signup.observe, ""),
    words.Takeover: Handler(signup.takeover, ""),
    words.ListGames: Handler(inquiries.list_games, ""),
    words.Summary: Handler(inquiries.summary, ""),
    words.History: Handler(histories.history, ""),
    words.Help: Handler(inquiries.help_with, ""),
    words.Version: Handler(inquiries.version, ""),
    words.GiveOrders: Handler(ordering.give_orders, ""),
    words.Clear: Handler(ordering.clear),
    words.Status: Handler(ordering.status),
    words.Ready: Handler(ordering.ready),
    foreseen.ForPhase: Handler(foresight.for_phase),
    foreseen.Conditional: Handler(foresight.conditional),
    foreseen.Replace: Handler(foresight.replace_all),
    foreseen.Options: Handler(foresight.options),
    foreseen.Preview: Handler(foresight.preview),
    words.ChangeSetting: Handler(choosing.change_setting),
    words.ChangePassword: Handler(choosing.change_password),
    words.SendPress: Handler(press.send_press),
    words.Vote: Handler(voting.vote),
    words.Unvote: Handler(voting.unvote),
    words.Resign: Handler(leaving.resign),
    words.Unsubscribe: Handler(leaving.unsubscribe),
    words.Start: Handler(mastering.start, "master"),
    words.Process: Handler(mastering.process, "master"),
    words.Pause: Handler(mastering.pause, "master"),
    words.Resume: Handler(mastering.resume, "master"),
    words.Eject: Handler(leaving.eject, "master"),
    words.Terminate: Handler(mastering.terminate, "master"),
    seating.Register: Handler(persons.register, ""),
    seating.InfoPlayer: Handler(persons.info_player, ""),
    seating.StandBy: Handler(standby.stand_by, ""),
    seating.Sit: Handler(sitting.sit, ""),
    seating.Sitter: Handler(sitting.sitter),
    seating.Confirm: Handler(muster.confirm),
    seating.Invite: Handler(inviting.invite, "master"),
    seating.Approve: Handler(inviting.approve, "master"),
}
"""Every command and who carries it out; SIGNOFF only ends the mail."""

OPENING = (words.SignOn, words.Create, words.Join, words.Observe, words.Takeover)
"""The commands that open a seat: after a failed one nothing counts until the next."""


class Desk:
    """Carries out the commands of mails, one mail at a time."""

    def __init__(self, office: Office, clock: Clock) -> None:
        self._office = office
        self._clock = clock

    def is_press_reply(self, mail: Incoming) -> bool:
        """Tell whether a mail answers a press letter: its lines are press, never commands."""
        token = self._office.tokens.read(mail.detail)
        return token is not None and token.purpose is Purpose.PRESS

    def prepare(self, mail: Incoming, sheet: Sheet) -> None:
        """Do the slow work on passwords before the transaction opens; `handle` finds it done."""
        keyring, games = self._office.keyring, self._office.games
        keyring.forget_wrong()
        for command in sheet.commands:
            match command:
                case words.SignOn(who=who, game=name, password=password):
                    game = games.find(name.lower())
                    seat = signup.seat_named(self._office, game, who, mail.sender) if game else None
                    keyring.is_right(seat.password if seat else "", password)
                case words.Join(password=password):
                    keyring.prepare(password)
                    for seat in self._own_waiting_seats(mail, command):
                        keyring.is_right(seat.password, password)
                case words.Create() | words.Takeover() | words.ChangePassword():
                    keyring.prepare(command.password)
                case words.Observe(password=password) if password:
                    keyring.prepare(password)

    def handle(self, mail: Incoming, sheet: Sheet) -> list[Letter]:
        """Carry out a mail within the caller's transaction and return all letters it causes."""
        session = Session(self._office, mail, self._clock.now())
        token = self._office.tokens.read(mail.detail)
        if mail.detail and (token is None or not self._open_by_token(session, token)):
            session.current.complaints.append(
                Complaint(ComplaintKind.NOT_ALLOWED, 0, "", because("token-opens-nothing"))
            )
        if token and token.purpose is Purpose.UNSUBSCRIBE and session.is_signed_on:
            leaving.unsubscribe(session, words.Unsubscribe(line=0, text="UNSUBSCRIBE"))
        else:
            session.press_answered = token.extra if token else 0
            self._carry_out(session, sheet)
        making.settle_starts(session)
        return [*answer_letters(session, sheet), *session.letters, *session.news_letters()]

    def _open_by_token(self, session: Session, token: Token) -> bool:
        """Open the seat of a token, only together with the From registered for that seat.

        A token of List-Unsubscribe needs no From: mail programs write such mails by themselves.
        """
        seat = self._office.games.seat(token.seat)
        if seat is None or not is_present(seat) or seat.epoch != token.epoch:
            return False
        if token.purpose is not Purpose.UNSUBSCRIBE and not signup.is_from(session, seat):
            session.warn_owner(seat)
            return False
        session.open(seat)
        session.stale_turn = token.turn
        return True

    def _carry_out(self, session: Session, sheet: Sheet) -> None:
        """Do what the mail says, line by line; complaints of the language stand in their place."""
        steps: list[Command | Complaint] = [*sheet.commands, *sheet.complaints]
        for step in sorted(steps, key=lambda step: step.line):
            if isinstance(step, Complaint):
                if not session.shut:
                    session.current.complaints.append(step)
            elif isinstance(step, words.SignOff):
                continue
            elif session.shut and not isinstance(step, OPENING):
                session.dropped += len(step.lines) if isinstance(step, words.GiveOrders) else 1
            else:
                self._do(session, step)

    def _do(self, session: Session, command: Command) -> None:
        handler = HANDLERS[type(command)]
        if handler.needs and not session.is_signed_on:
            session.refuse(command, because("needs-signon", word=command.text.split()[0].upper()))
        elif handler.needs == "master" and not session.is_master:
            session.refuse(command, because("needs-master", word=command.text.split()[0].upper()))
        else:
            handler.run(session, command)

    def _own_waiting_seats(self, mail: Incoming, command: words.Join) -> list[Seat]:
        """Return the seats of the sender that JOIN may mean to open again."""
        game = self._office.games.find(command.game.lower())
        seats = player_seats(self._office, game) if game else []
        return [s for s in seats if s.address and s.address.casefold() == mail.sender.casefold()]
