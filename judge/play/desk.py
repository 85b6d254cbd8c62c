"""The way in for a mail: who speaks, what is carried out, who is answered.

Every mail gets exactly one answer for each seat it opened, to that seat's registered address,
and one to its sender for what concerned no seat.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime
from functools import partial

from judge.clock import Clock
from judge.play.commands import acts, strangers
from judge.play.commands.answering import answer_letters
from judge.play.commands.mastering import becoming, freezing, making
from judge.play.commands.mastering.hearing import note_masters
from judge.play.commands.orders import lending
from judge.play.commands.parts import Checkpoint, Guard, parts_of, unguarded
from judge.play.commands.questions import QUESTIONS, take_answer
from judge.play.commands.row import Row
from judge.play.commands.seats import leaving, passwords, signup
from judge.play.commands.session import Session
from judge.play.commands.table import COMMANDS
from judge.play.digests.sifting import sift
from judge.play.game import Office
from judge.play.letters.gathering import gathered
from judge.play.office import is_present
from judge.play.people import guarding, preparing
from judge.play.people.passwords import SEVERAL
from judge.play.people.sitting import is_taken_up
from judge.play.people.strangers import contested, is_fresh, seat_wanted
from judge.play.tokens import Purpose, Token
from judge.play.touching import Touch, touched
from judge.store.people import Held
from judge.words.command import Command, Sheet
from judge.words.commandkind import Waits, Who
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.incoming import Incoming
from judge.words.letter import Letter
from judge.words.orders import GiveOrders
from judge.words.reason import Reason, because
from judge.words.seats import ChangePassword, Unsubscribe

_NONE: Mapping[tuple[str, str], int] = {}


class Desk:
    """Carries out the commands of mails, one mail at a time."""

    def __init__(self, office: Office, clock: Clock, commands: Iterable[Row] = COMMANDS) -> None:
        self.kinds = {row.value: row for row in commands}
        """The commands that it carries out, by their values."""
        self._opening = tuple(row.value for row in self.kinds.values() if row.opens)
        self._office = office
        self._clock = clock

    def within(self, office: Office) -> "Desk":
        """Return the desk of a unit of work that was begun already."""
        other = copy(self)
        other._office = office
        return other

    def is_press_reply(self, mail: Incoming) -> bool:
        """Tell whether a mail answers a press letter: its lines are press, never commands."""
        token = self._office.tokens.read(mail.detail)
        return token is not None and token.purpose is Purpose.PRESS

    def prepare(self, mail: Incoming, sheet: Sheet, *, released: bool = False) -> None:
        """Do the slow work on passwords before the transaction opens; `handle` finds it done.

        `released`: of a mail that waited for a confirmation, which is there now.
        """
        preparing.prepare(self._office, mail, sheet, self._clock.now(), released=released)

    def own_locks(self, mail: Incoming, sheet: Sheet) -> frozenset[str]:
        """Return the seats of its sender at which a mail tries passwords that may be wrong."""
        return preparing.own_locks(self._office, mail, sheet.commands)

    def rest_of(self, lock: str, mail: Incoming) -> datetime | None:
        """Return until when mails with passwords for such a seat are put off, or None."""
        return preparing.rest_of(self._office, lock, mail, self._clock.now())

    def handle(
        self, mail: Incoming, sheet: Sheet, only: frozenset[int] | None = None,
        guard: Guard = unguarded, overtaken: frozenset[str] = frozenset(),
        contested: Mapping[tuple[str, str], int] = _NONE,
    ) -> list[Letter]:
        """Carry out a mail within the caller's transaction and return all letters it causes.

        With `only`, what waited in that mail for a confirmation is carried out, and nothing else:
        the commands on these lines; `contested` are the seats for which several such mails gave
        different passwords, and the first of those mails. `guard` runs what the mail says for one
        seat. A mail that was put off changes nothing in the games in which later ones of its sender
        have `overtaken` it.
        """
        with self._office.work() as office:
            return self._handle(office, mail, sheet, only, guard, overtaken, contested)

    def _handle(
        self, office: Office, mail: Incoming, sheet: Sheet, only: frozenset[int] | None,
        guard: Guard, overtaken: frozenset[str], contested: Mapping[tuple[str, str], int],
    ) -> list[Letter]:
        session = Session(office, mail, self._clock.now(), self.kinds)
        session.overtaken = overtaken
        token = session.token = self._office.tokens.read(mail.detail)
        if only is not None:
            session.contested = contested
            self._carry_out(session, self._released(sheet, only), guard)
        elif token and token.purpose in QUESTIONS and not is_taken_up(token, sheet):
            take_answer(session, token, sheet.consent)
            sheet = Sheet(())
        else:
            self._speak(session, sheet, token, guard)
        note_masters(session)
        making.settle_starts(session)
        letters = [*answer_letters(session, sheet), *session.letters,
                   *session.news_letters(), *lending.proxy_letters(session)]
        return sift(office, gathered(letters), session.now)

    def touched(self, mail: Incoming, sheet: Sheet) -> Touch:
        """Return what a mail touches: games and persons."""
        return touched(self._office, self.kinds, mail, sheet)

    def contested(self, waiting: Sequence[tuple[int, Sheet]]) -> Mapping[tuple[str, str], int]:
        """Return the seats for which mails that waited give different passwords."""
        return contested(self.kinds, waiting)

    def waiting(self, mail: Incoming, sheet: Sheet) -> list[Held]:
        """Return what a mail sets free, to be asked before it is carried out; for most nothing."""
        token = self._office.tokens.read(mail.detail)
        if token is None:
            return []
        with self._office.work() as office:
            session = Session(office, mail, self._clock.now(), self.kinds)
            return strangers.set_free(session, token, sheet.consent)

    def _speak(
        self, session: Session, sheet: Sheet, token: Token | None, guard: Guard
    ) -> None:
        """Carry out a mail for the seat its token opens, or for those it signs on to."""
        if token and token.purpose is Purpose.SIT:
            # The line that sits in stands in this mail, and opens the seat by that letter.
            pass
        elif session.mail.detail and (token is None or not self._open_by_token(session, token)):
            _complain(session, because("token-opens-nothing"))
        elif token and token.purpose is Purpose.UNSUBSCRIBE:
            leaving.unsubscribe(session, Unsubscribe(line=0, text="UNSUBSCRIBE"))
            return
        elif token and token.purpose is Purpose.PASSWORD:
            self._set_password(session, sheet)
            return
        session.press_answered = token.extra if token else 0
        self._carry_out(session, sheet, guard)
        if session.unconfirmed and session.mail.sender:
            asked = strangers.confirmation(session)
            session.letters += [asked] if asked else []

    def _set_password(self, session: Session, sheet: Sheet) -> None:
        """Do the one thing a reply to a reset letter may do."""
        found = [one for one in sheet.commands if isinstance(one, ChangePassword)]
        if found:
            # The letter has gone to the registered address only: that is as good as the old one.
            session.prove(password=True)
            passwords.change_password(session, found[0])
        else:
            _complain(session, because("reset-needs-password"))

    def _open_by_token(self, session: Session, token: Token) -> bool:
        """Open the seat of a token, only together with the From registered for that seat.

        A token of List-Unsubscribe needs no From: mail programs write such mails by themselves.
        """
        seat = session.office.games.seat(token.seat)
        if seat is None or not is_present(seat) or seat.epoch != token.epoch:
            return False
        if token.purpose is Purpose.PASSWORD and not is_fresh(token, session.now):
            return False
        if token.purpose is not Purpose.UNSUBSCRIBE:
            if not signup.is_from(session, seat):
                session.warn_owner(seat)
                return False
            # Whoever has this token reads the mail of this address.
            if not self._office.people.is_confirmed(seat.address):
                self._office.people.confirm(seat.address, session.now)
        session.open(seat)
        session.current.replied = True
        session.prove(password=False)
        session.stale_turn = token.turn
        session.stale_branch = token.extra if token.purpose is Purpose.COMMANDS else None
        return True

    def _carry_out(self, session: Session, sheet: Sheet, guard: Guard) -> None:
        """Do what the mail says, seat by seat; complaints of the language stand in their place."""
        steps: list[Command | Complaint] = [*sheet.commands, *sheet.complaints]
        for part in parts_of(sorted(steps, key=lambda step: step.line), self._opening):
            before = Checkpoint(session)
            first, last = part[0].line, part[-1].line
            session.office.games.flush()
            if not guard(partial(self._carry_out_part, session, part), first, last):
                session.office.forget()
                before.take_back(first)

    def _carry_out_part(self, session: Session, part: Sequence[Command | Complaint]) -> None:
        for step in part:
            if isinstance(step, self._opening):
                session.waiting = False
            if session.waiting:
                continue
            if isinstance(step, Complaint):
                session.current.complaints.append(step)
            elif self.kinds[type(step)].run is None:
                continue
            elif session.shut and not isinstance(step, self._opening):
                session.dropped += len(step.lines) if isinstance(step, GiveOrders) else 1
            else:
                self._do(session, step, self.kinds[type(step)])
        session.office.games.flush()

    def _released(self, sheet: Sheet, lines: frozenset[int]) -> Sheet:
        """Return the part of a sheet that waited: these lines and what belongs to them."""
        steps: list[Command | Complaint] = [*sheet.commands, *sheet.complaints]
        kept: list[Command | Complaint] = []
        belongs = False
        for step in sorted(steps, key=lambda step: step.line):
            asked = None if isinstance(step, Complaint) else self.kinds[type(step)]
            waited = asked is not None and asked.waits is not Waits.NEVER and step.line in lines
            if asked and asked.opens:
                belongs = waited
            if belongs or waited:
                kept.append(step)
        return Sheet(
            tuple(step for step in kept if not isinstance(step, Complaint)),
            tuple(step for step in kept if isinstance(step, Complaint)),
            sheet.unread,
            sheet.quoted,
            sheet.below,
        )

    def _do(self, session: Session, command: Command, row: Row) -> None:
        assert row.run is not None
        session.tally.asking = command.text
        session.passwords += guarding.has_password(command)
        if session.passwords > guarding.MOST_OPENINGS and guarding.has_password(command):
            session.close(shut=True)
            session.refuse(command, because("too-many-passwords", most=guarding.MOST_OPENINGS))
        elif row.registers and (session.mail.forged or not session.mail.sender):
            session.close(shut=True)
            session.refuse(command, because("sender-doubtful"))
        elif strangers.must_wait(session, command):
            strangers.keep(session, command)
        elif problem := freezing.problem(session, command):
            session.refuse(command, problem)
        elif session.acting and (problem := becoming.problem(session, command)):
            session.refuse(command, problem)
        elif row.who is not Who.ANYBODY and not session.is_signed_on:
            session.refuse(command, because("needs-signon", word=command.text.split()[0].upper()))
        elif row.who is Who.MASTER and not session.is_master:
            session.refuse(command, because("needs-master", word=command.text.split()[0].upper()))
        elif seat_wanted(row, command) in (session.contested or _NONE):
            self._seat_contested(session, command, partial(row.run, session, command))
        else:
            acts.carry_out(session, command, partial(row.run, session, command))

    def _seat_contested(
        self, session: Session, command: Command, run: Callable[[], None]
    ) -> None:
        """Give a seat for which there are several passwords, without any; its person is asked.

        What else those mails ask for that seat may be somebody else's too, and is not done.
        """
        wanted = seat_wanted(session.kind(command), command)
        assert wanted is not None and session.contested is not None
        if session.contested[wanted] != session.mail.number or session.is_contested:
            session.close(shut=True)
            session.refuse(command, because("password-contested"))
            return
        session.is_contested = True
        run()
        if session.is_signed_on:
            session.letters += passwords.reset_letters(
                session, session.game, session.seat, SEVERAL
            )
            session.close(shut=True)


def _complain(session: Session, reason: Reason) -> None:
    """Say what is wrong with a mail as a whole."""
    session.current.complaints.append(Complaint(ComplaintKind.NOT_ALLOWED, 0, "", reason))
