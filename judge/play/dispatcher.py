"""Entry point for a mail: sign-on, commands and replies.

Every mail gets exactly one reply for each seat it opened, to that seat's registered address,
and one to its sender for the lines that concerned no seat.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime
from functools import partial

from judge.clock import Clock
from judge.games import all_systems, find_map, match_maps
from judge.languages import find_language, names_of
from judge.model.command import Command, ConfirmationPolicy, ParsedMail, Permission
from judge.model.incoming import Incoming
from judge.model.letter import Letter
from judge.model.order_commands import GiveOrders
from judge.model.order_words import NO_ORDER_WORDS, OpenedSeat, OrderWords, OrderWordsOf
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase
from judge.model.record import Role, Seat
from judge.model.seat_commands import ChangeSetting
from judge.play.choices.capabilities import capability_refusal
from judge.play.commands import audit_log, confirmation
from judge.play.commands.gm import become, making, running
from judge.play.commands.gm.masters import note_masters
from judge.play.commands.gm.running import Pause, Resume
from judge.play.commands.instructions import has_instruction, instructions_of
from judge.play.commands.orders import future, ordering
from judge.play.commands.parts import Guard, carry_out_part, parts_of, run_unguarded
from judge.play.commands.questions import QUESTIONS, take_answer
from judge.play.commands.receipts import answer_letters
from judge.play.commands.row import CommandRow
from judge.play.commands.seats import leaving, passwords, signup
from judge.play.commands.seats.passwords import ChangePassword
from judge.play.commands.seats.sitting import is_taken_up
from judge.play.commands.session import ReplyDraft, Session
from judge.play.commands.table import COMMANDS
from judge.play.game import Context
from judge.play.letters.letter_factory import merge_notices
from judge.play.mail_locks import MailLocks, locks_for
from judge.play.notification_filter import filter_notifications
from judge.play.people import password_prehash, signon_throttle
from judge.play.people.addresses import conflicting_seats, is_fresh, seat_wanted
from judge.play.people.signon_throttle import OPENING_TOKENS, SEVERAL
from judge.play.queries import is_present, system_missing
from judge.play.tokens import Purpose, ReplyToken
from judge.store.people import PendingLine

_NONE: Mapping[tuple[str, str], int] = {}


class Dispatcher:
    """Executor of the commands of mails, one mail at a time."""

    def __init__(
        self, context: Context, clock: Clock, commands: Iterable[CommandRow] = COMMANDS
    ) -> None:
        self.kinds = {row.value: row for row in commands}
        """Commands that it carries out, by their values."""
        self._opening = tuple(row.value for row in self.kinds.values() if row.opens)
        self._context = context
        self._clock = clock

    def within(self, context: Context) -> "Dispatcher":
        """Return the dispatcher of a unit of work that has already begun."""
        other = copy(self)
        other._context = context
        return other

    def is_press_reply(self, mail: Incoming) -> bool:
        """Return whether a mail answers a press letter.

        Its lines are press, never commands.
        """
        token = self._context.tokens.read(mail.detail)
        return token is not None and token.purpose is Purpose.PRESS

    def prepare(self, mail: Incoming, sheet: ParsedMail, *, released: bool = False) -> None:
        """Do the slow work on passwords that `handle` needs, before the transaction.

        With `released`, the mail waited for a confirmation that has arrived.
        """
        password_prehash.prepare(self._context, mail, sheet, self._clock.now(), released=released)

    def own_locks(self, mail: Incoming, sheet: ParsedMail) -> frozenset[str]:
        """Return the sender's own seats at which a mail tries unverified passwords."""
        return password_prehash.own_locks(self._context, mail, sheet.commands)

    def often_tried(self, now: datetime) -> frozenset[str]:
        """Return the seats for which `delayed_until` may delay mails."""
        return password_prehash.often_tried(self._context, now)

    def delayed_until(self, lock: str, mail: Incoming) -> datetime | None:
        """Return the end of the delay of mails with passwords for a seat, or None."""
        return password_prehash.delayed_until(self._context, lock, mail, self._clock.now())

    def handle(
        self, mail: Incoming, sheet: ParsedMail, only: frozenset[int] | None = None,
        guard: Guard = run_unguarded, overtaken: frozenset[str] = frozenset(),
        contested: Mapping[tuple[str, str], int] = _NONE,
    ) -> list[Letter]:
        """Carry out a mail within the caller's transaction. Return all letters it causes.

        With `only`, just the commands on these lines are carried out, which waited for a
        confirmation. `conflicting_seats` holds the seats for which several such mails gave
        different passwords, with the first of those mails. `guard` runs the part of the mail for
        one seat. A mail that was delayed changes nothing in the games in which later mails of its
        sender have `overtaken` it.
        """
        with self._context.unit_of_work() as context:
            token = self._context.tokens.read(mail.detail)
            session = Session(
                context, mail, self._clock.now(), self.kinds, token, overtaken=overtaken,
                contested=None if only is None else contested,
            )
            if only is not None:
                self._carry_out(session, self._select_released(sheet, only), guard)
            elif token and token.purpose in QUESTIONS and not is_taken_up(token, sheet):
                take_answer(session, token, sheet.consent)
                sheet = ParsedMail(())
            else:
                self._run_mail(session, sheet, token, guard)
            note_masters(session)
            making.settle_starts(session)
            letters = [*answer_letters(session, sheet), *session.letters,
                       *session.news_letters(), *future.proxy_letters(session)]
            return filter_notifications(context, merge_notices(letters), session.now)

    def order_words(self) -> OrderWordsOf:
        """Return the function that finds the order words of a game by name and variant.

        A game that does not exist yet has the words of the map that is named. A game whose system
        is missing has none.
        """
        known = {system.name: system.order_words for system in all_systems()}

        def words_of(name: str, variant: tuple[str, ...]) -> OrderWords:
            game = self._context.games.find(name)
            if game is not None:
                return known.get(game.system, NO_ORDER_WORDS)
            made = next(filter(None, map(find_map, match_maps(variant).maps)), None)
            return made.order_words if made else NO_ORDER_WORDS

        return words_of

    def seat_opened(self, mail: Incoming) -> OpenedSeat | None:
        """Return the seat that a mail opens by the letter it answers, or None.

        The sender is not checked here, as the lines of a wrong sender have no effect.
        """
        token, games = self._context.tokens.read(mail.detail), self._context.games
        seat = games.seat(token.seat) if token and token.purpose in OPENING_TOKENS else None
        return OpenedSeat(games.get(seat.game).name, seat.role is Role.MASTER) if seat else None

    def has_instruction(self, mail: Incoming, sheet: ParsedMail) -> bool:
        """Return whether a mail contains a command, or an order for the seat it opens."""
        with self._context.unit_of_work() as context:
            return has_instruction(context, self._opening, mail, sheet)

    def instructions_of(self, mail: Incoming, sheet: ParsedMail) -> ParsedMail:
        """Return the effective part of a mail that a program may have sent."""
        with self._context.unit_of_work() as context:
            return instructions_of(context, self._opening, mail, sheet)

    def locks_for(self, mail: Incoming, sheet: ParsedMail) -> MailLocks:
        """Return the locks that a mail needs: games and persons."""
        return locks_for(self._context, self.kinds, mail, sheet)

    def conflicting_seats(
        self, waiting: Sequence[tuple[int, ParsedMail]]
    ) -> Mapping[tuple[str, str], int]:
        """Return the seats for which deferred mails give different passwords."""
        return conflicting_seats(self.kinds, waiting)

    def waiting(self, mail: Incoming, sheet: ParsedMail) -> list[PendingLine]:
        """Return the deferred mails that a mail releases, usually none.

        Call it before the mail is carried out.
        """
        token = self._context.tokens.read(mail.detail)
        if token is None:
            return []
        with self._context.unit_of_work() as context:
            session = Session(context, mail, self._clock.now(), self.kinds)
            return confirmation.pending_commands(session, token, sheet.consent)

    def _run_mail(
        self, session: Session, sheet: ParsedMail, token: ReplyToken | None, guard: Guard
    ) -> None:
        """Carry out a mail for the seat its token opens, or for those it signs on to."""
        if token and token.purpose is Purpose.SIT:
            # This mail contains the SIT line, which opens the seat by means of that letter.
            pass
        elif session.mail.detail:
            self._open_by_token(session, token)
            if token and session.is_signed_on and token.purpose is Purpose.UNSUBSCRIBE:
                leaving.Unsubscribe(line=0, text="UNSUBSCRIBE").run(session)
                return
            if token and session.is_signed_on and token.purpose is Purpose.PASSWORD:
                _change_password(session, sheet)
                return
        if token:
            session.press_answered = token.extra
        self._carry_out(session, _steps_of(sheet), guard)
        if session.unconfirmed and session.mail.sender and not session.mail.presumed:
            if asked := confirmation.confirmation(session):
                session.queue(asked)

    def _open_by_token(self, session: Session, token: ReplyToken | None) -> None:
        """Open the seat of a token, only together with the From registered for that seat.

        A token of List-Unsubscribe needs no From: mail programs write such mails by themselves.
        """
        seat = _seat_of(session, token) if token else None
        if token is None or seat is None:
            _complain(session, phrase("token-opens-nothing"))
            return
        if token.purpose is not Purpose.UNSUBSCRIBE:
            if not signup.is_from(session, seat):
                session.warned = seat
                _complain(session, phrase("token-opens-nothing"))
                return
            # A person with this token reads the mail of this address.
            if not self._context.people.is_confirmed(seat.address):
                self._context.people.confirm(seat.address, session.now)
        session.open(seat)
        session.add(ReplyDraft(replied=True, proven=True))
        session.stale_turn = token.turn
        session.stale_branch = token.extra if token.purpose is Purpose.COMMANDS else None

    def _carry_out(
        self, session: Session, steps: Sequence[Command | Complaint], guard: Guard
    ) -> None:
        """Carry out the steps of a mail, seat by seat."""
        for part in parts_of(steps, self._opening):
            carry_out_part(session, part, self._step, guard)

    def _step(self, session: Session, step: Command | Complaint) -> None:
        """Carry out one command, or note one complaint."""
        opens = isinstance(step, self._opening)
        if session.is_deferring:
            if not opens:
                return
            session.is_deferring = False
        if isinstance(step, Complaint):
            session.complain(step)
            ordering.note_unread(session, step)
            return
        row = self.kinds[type(step)]
        if row.run is None:
            return
        if session.is_sign_on_failed and not opens:
            session.dropped += len(step.lines) if isinstance(step, GiveOrders) else 1
            return
        self._do(session, step, row)

    def _select_released(
        self, sheet: ParsedMail, lines: frozenset[int]
    ) -> list[Command | Complaint]:
        """Return the deferred steps of a mail: these lines and what belongs to them."""
        kept: list[Command | Complaint] = []
        belongs = False
        for step in _steps_of(sheet):
            asked = None if isinstance(step, Complaint) else self.kinds[type(step)]
            waited = (
                asked is not None
                and asked.waits is not ConfirmationPolicy.NEVER
                and step.line in lines
            )
            if asked and asked.opens:
                belongs = waited
            if belongs or waited:
                kept.append(step)
        return kept

    def _do(self, session: Session, command: Command, row: CommandRow) -> None:
        assert row.run is not None
        opens = signon_throttle.has_password(command)
        session.current_line = command.text
        session.passwords += opens
        if session.passwords > signon_throttle.MAX_PASSWORDS_PER_MAIL and opens:
            most = signon_throttle.MAX_PASSWORDS_PER_MAIL
            signup.refused_entry(session, command, phrase("too-many-passwords", most=most))
        elif row.registers and (session.mail.forged or not session.mail.sender):
            signup.refused_entry(session, command, phrase("sender-doubtful"))
        elif confirmation.needs_confirmation(session, command):
            confirmation.defer_command(session, command)
        elif problem := running.problem(session, command):
            session.refuse(command, problem)
        elif session.acting_master and (problem := become.problem(session, command)):
            session.refuse(command, problem)
        elif row.who is not Permission.ANYBODY and not session.is_signed_on:
            reason = phrase("needs-signon", word=command.text.split()[0].upper())
            session.refuse(command, reason, *_without_seat(command))
        elif row.who is Permission.MASTER and not session.is_master:
            word, votes = command.text.split()[0].upper(), session.seat.role is Role.PLAYER
            line = _by_vote(command) if votes else None
            code = "by-vote" if line else "needs-master"
            session.refuse(command, phrase(code, word=word), *filter(None, [line]))
        elif problem := _without_rules(session, row):
            session.refuse(command, problem)
        elif seat_wanted(row, command) in (session.contested or _NONE):
            self._seat_contested(session, command, row.run)
        else:
            refusals = session.refusals
            audit_log.carry_out(session, command, partial(row.run, session, command))
            if row.name and session.refusals == refusals:
                session.add(ReplyDraft(verbs=(row.name,)))

    def _seat_contested(
        self, session: Session, command: Command, run: Callable[[Session, Command], None]
    ) -> None:
        """Give a seat for which several passwords were sent, without any of them.

        Its person is sent a letter that asks for a new password. The other requests of those
        mails for that seat may come from another person, so they are not carried out.
        """
        wanted = seat_wanted(session.kind(command), command)
        assert wanted is not None and session.contested is not None
        if session.contested[wanted] != session.mail.number or session.is_contested:
            signup.refused_entry(session, command, phrase("password-contested"))
            return
        session.is_contested = True
        run(session, command)
        if session.is_signed_on:
            session.queue(*passwords.reset_letters(session, session.game, session.seat, SEVERAL))
            session.close(shut=True)


def _without_rules(session: Session, row: CommandRow) -> Phrase | None:
    """Return the reason if the open game's system cannot do a command."""
    for_seat = row.who is not Permission.ANYBODY
    if not session.is_signed_on or not (for_seat or row.as_power):
        return None
    needs = row.needs if for_seat else None
    return system_missing(session.game) or capability_refusal(session.game, needs)


def _change_password(session: Session, sheet: ParsedMail) -> None:
    """Set the new password, the only command allowed in reply to a reset letter."""
    found = [one for one in sheet.commands if isinstance(one, ChangePassword)]
    if not found:
        _complain(session, phrase("reset-needs-password"))
        return
    # The letter went to the registered address only, which proves as much as the old password.
    session.mark_proven(password=True)
    found[0].run(session)


def _seat_of(session: Session, token: ReplyToken) -> Seat | None:
    """Return the seat of a token, or None if the token is no longer valid."""
    seat = session.context.games.seat(token.seat)
    if seat is None or not is_present(seat) or seat.epoch != token.epoch:
        return None
    if token.purpose is Purpose.PASSWORD and not is_fresh(token, session.now):
        return None
    return seat


def _steps_of(sheet: ParsedMail) -> list[Command | Complaint]:
    """Return the commands and the syntax complaints of a mail in line order."""
    steps: list[Command | Complaint] = [*sheet.commands, *sheet.complaints]
    return sorted(steps, key=lambda step: step.line)


def _complain(session: Session, reason: Phrase) -> None:
    session.complain(Complaint(ComplaintKind.NOT_ALLOWED, 0, "", reason))


def _without_seat(command: Command) -> tuple[str, ...]:
    """Return lines by which a stranger does what a seat's command does."""
    match command:
        case ChangeSetting(words=("LANGUAGE", name), off=False) if code := find_language(name):
            return "REGISTER", f"Language: {names_of(code)[0].title()}", "END"
    return ()


def _by_vote(command: Command) -> str | None:
    """Return the line by which players vote for a master's command, or None."""
    match command:
        case Pause(until=until):
            return " ".join(["VOTE PAUSE", *(["UNTIL"] if until else []), *until])
        case Resume():
            return "VOTE RESUME"
        case _:
            return None
