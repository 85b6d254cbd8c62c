"""State of one mail during its commands: open seat, replies, letters."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import NamedTuple

from judge.games.letter_facts import ProxyGrant
from judge.games.system import LineRead
from judge.model.command import Command, CommandKind, Kinds
from judge.model.incoming import Incoming
from judge.model.letter import Enclosure, Letter, LetterKind, LetterPicture
from judge.model.phrase import Complaint, ComplaintKind, Phrase
from judge.model.record import GameState, Role, Seat, SeatState
from judge.model.replace import replace
from judge.play.game import Context, Game
from judge.play.letters.letter_factory import (
    notice_to,
    present_seats,
    recipients_of,
    record_in_history,
)
from judge.play.tokens import ReplyToken


@dataclass(frozen=True, slots=True)
class ReplyDraft:
    """Content of the one reply to a seat or, without a seat, to the sender."""

    seat: int = 0
    game: int = 0
    done: tuple[Phrase, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    orders: tuple[LineRead, ...] = ()
    powers: frozenset[str] = frozenset()
    """Powers whose orders a master changed or requested."""
    address: str = ""
    """Address of the reply if the seat is empty by then: that of the player who left."""
    infos: tuple[Mapping[str, object], ...] = ()
    """Requested information. Each item names the `template` that renders it."""
    kinds: frozenset[LetterKind] = frozenset()
    """Kinds of the infos. They decide the kind of a reply that reports nothing else."""
    pictures: tuple[LetterPicture, ...] = ()
    files: tuple[Enclosure, ...] = ()
    """Requested boards."""
    asked: tuple[str, ...] = ()
    """Template of each request, in order, with repetitions."""
    replaces_orders: bool = False
    """True if the next valid orders replace everything on file."""
    acting_master_id: int = 0
    """Seat of the master who acts for this seat. 0 if its player sent the mail."""
    replied: bool = False
    """True if a reply opened the seat, and no line of the mail."""
    proven: bool = False
    """True if a correct password or a reply address opened the seat.

    A From line alone is no proof, as anyone can forge it.
    """
    by_password: bool = False
    """True if this mail, or the letter it replies to, contained the seat's password."""
    language: str = ""
    """Language of a request. A language that the recipient has chosen goes before it."""
    verbs: tuple[str, ...] = ()
    """First words of the commands that were carried out."""

    @property
    def is_empty(self) -> bool:
        """True if the reply has nothing to report."""
        return not (self.done or self.complaints or self.orders or self.infos)

    def merge(self, more: "ReplyDraft") -> "ReplyDraft":
        """Return this reply with the content of *more* added.

        The seat, the game, `replaces_orders` and `acting_master_id` do not change.
        """
        return replace(
            self,
            done=self.done + more.done,
            complaints=self.complaints + more.complaints,
            orders=self.orders + more.orders,
            powers=self.powers | more.powers,
            address=more.address or self.address,
            infos=self.infos + more.infos,
            kinds=self.kinds | more.kinds,
            pictures=self.pictures + more.pictures,
            files=self.files + more.files,
            asked=self.asked + more.asked,
            replied=self.replied or more.replied,
            proven=self.proven or more.proven,
            by_password=self.by_password or more.by_password,
            language=more.language or self.language,
            verbs=self.verbs + more.verbs,
        )


class GameNews(NamedTuple):
    """News for everyone in a game, or for the seats in *to* alone.

    *kind* is the kind of the letter. The seats in *by* caused it and read it in their replies.
    """

    game: int
    reason: Phrase
    kind: LetterKind
    by: tuple[int, int]
    to: frozenset[int] | None = None

    def is_for(self, seat: Seat) -> bool:
        """Return whether a seat's letter contains this news."""
        return seat.id not in self.by and (self.to is None or seat.id in self.to)


@dataclass(slots=True)
class Session:
    """State of one mail: the open seat, the replies and all letters that it causes.

    Commands change it in place. The values of its fields are immutable, so that a shallow copy
    keeps an earlier state.
    """

    context: Context
    mail: Incoming
    now: datetime
    kinds: Kinds
    token: ReplyToken | None = None
    """Token of the letter that this mail replies to."""
    contested: Mapping[tuple[str, str], int] | None = None
    """Seats with different passwords in deferred mails, and the first mail.

    None if the mail was not deferred.
    """
    is_contested: bool = False
    """True if the present command asks for one of those seats."""
    overtaken: frozenset[str] = frozenset()
    """Games for which later mails of the sender were carried out before this one."""
    press_answered: int = 0
    """Number of the press event that a plain reply answers."""
    answers: tuple[ReplyDraft, ...] = (ReplyDraft(),)
    """Replies to this mail. The first is to the sender, for what concerns no seat."""
    reply_index: int = 0
    """Index of the reply for the open seat."""
    letters: tuple[Letter, ...] = ()
    news: tuple[GameNews, ...] = ()
    is_sign_on_failed: bool = False
    """True after a failed sign-on. Lines are ignored until the next sign-on."""
    order_phase: str = ""
    """Phase of the orders that follow, as set by PHASE."""
    phase_invalid: bool = False
    """True after a failed PHASE. Orders are for no phase until the next PHASE."""
    dropped: int = 0
    passwords: int = 0
    """Number of passwords that this mail contained so far."""
    wrong_passwords: Mapping[str, int] = field(default_factory=dict)
    """Number of wrong passwords by the lock they are counted under."""
    is_deferring: bool = False
    """True if the lines that follow belong to a deferred command."""
    unconfirmed: bool = False
    """True if something in this mail needs a confirmed sender address."""
    deferred: tuple[str, ...] = ()
    """Deferred commands of this mail, in words."""
    stale_turn: int | None = None
    """Turn of the letter that the token came from, while the token's seat is open."""
    stale_branch: int | None = None
    """Branch of the game in which that letter was written. None for press."""
    warned: Seat | None = None
    """Seat whose token came with a From address not registered for it."""
    set_before: Mapping[tuple[int, str], object] = field(default_factory=dict)
    """Values set by this mail, by game and name. The last one counts."""
    earlier_proxies: Mapping[int, tuple[ProxyGrant, ...]] = field(default_factory=dict)
    """Proxy grants of the players before this mail changed orders, by game."""
    changed: tuple[int, ...] = ()
    """Games with changes that may start them or hasten their deadline, in order."""
    current_line: str = ""
    """Present line as typed, without secrets."""
    reported: tuple[object, ...] = ()
    """Reported effects: index of the reply, line and reason."""
    acts: tuple[object, ...] = ()
    """Masters' acts that everyone gets a letter about, by game and command.

    Repeated acts are repeated here.
    """
    outreach: Mapping[int, tuple[Phrase, ...]] = field(default_factory=dict)
    """Effects reported for the outreach letters of this mail, by letter number."""
    refusals: int = 0
    """Number of complaints so far."""

    def copy(self) -> "Session":
        """Return a shallow copy of the session, for `restore`."""
        return copy(self)

    def restore(self, before: "Session") -> None:
        """Go back to an earlier state."""
        for each in fields(self):
            setattr(self, each.name, getattr(before, each.name))

    def kind(self, command: Command) -> CommandKind:
        """Return the kind of a command."""
        return self.kinds[type(command)]

    @property
    def current(self) -> ReplyDraft:
        """Reply to the open seat, or to the sender."""
        return self.answers[self.reply_index]

    @property
    def released(self) -> bool:
        """True if this mail was deferred and its sender has confirmed it."""
        return self.contested is not None

    @property
    def seat(self) -> Seat:
        """Open seat in its present state. A seat must be open."""
        found = self.game.seat(self.current.seat)
        assert found is not None
        return found

    @property
    def game(self) -> Game:
        """Game of the open seat."""
        return self.context.games.get(self.current.game)

    @property
    def is_signed_on(self) -> bool:
        """True if a seat is open."""
        return self.current.seat != 0

    @property
    def person(self) -> str:
        """Address of the open seat, else that of the sender, in lower case."""
        return (self.seat.address if self.is_signed_on else self.mail.sender).lower()

    @property
    def is_master(self) -> bool:
        """True if the open seat is a master's."""
        return self.is_signed_on and self.seat.role is Role.MASTER

    @property
    def master(self) -> Seat | None:
        """Seat of the master who gives the commands, also while they act as a power.

        None if the commands are not a master's.
        """
        if self.acting_master:
            return self.game.seat(self.acting_master)
        return self.seat if self.is_master else None

    @property
    def acting_master(self) -> int:
        """Seat of the master who acts as the power whose seat is open, else 0."""
        return self.current.acting_master_id

    def open(self, seat: Seat, by: int = 0) -> None:
        """Open a seat: the lines that follow are for it, and so is their reply.

        *by* is the seat of a master who acts for the player of the seat.
        """
        known = [(answer.seat, answer.acting_master_id) for answer in self.answers]
        if (seat.id, by) in known:
            self.reply_index = known.index((seat.id, by))
        else:
            fresh = seat.settings.orders == "replace"
            self.reply_index = len(known)
            self.answers = (
                *self.answers,
                ReplyDraft(seat.id, seat.game, replaces_orders=fresh, acting_master_id=by),
            )
        self.is_sign_on_failed = self.phase_invalid = False
        self.order_phase, self.stale_turn, self.stale_branch = "", None, None

    def close(self, *, shut: bool = False) -> None:
        """Close the open seat.

        With *shut* a sign-on has failed, and lines are ignored until the next one.
        """
        self.reply_index, self.is_sign_on_failed, self.phase_invalid, self.order_phase = (
            0, shut, False, "",
        )

    def set_phase(self, ahead: str, *, astray: bool = False) -> None:
        """Set the phase of the orders that follow.

        The keyword argument is true after a failed PHASE: orders are then for no phase until the
        next PHASE.
        """
        self.order_phase, self.phase_invalid = ahead, astray

    def add(self, more: ReplyDraft, at: int | None = None) -> None:
        """Add to the reply for the open seat, or to the reply with index *at*."""
        at = self.reply_index if at is None else at
        self.refusals += len(more.complaints)
        self._change_answer(self.answers[at].merge(more), at)

    def _change_answer(self, answer: ReplyDraft, at: int | None = None) -> None:
        at = self.reply_index if at is None else at
        self.answers = (*self.answers[:at], answer, *self.answers[at + 1 :])

    def complain(self, *complaints: Complaint) -> None:
        """Report mistakes to the open seat."""
        if complaints:
            self.add(ReplyDraft(complaints=complaints))

    def refuse(
        self, command: Command, reason: Phrase, *suggestions: str,
        kind: ComplaintKind = ComplaintKind.NOT_ALLOWED,
    ) -> None:
        """Report why a command is not carried out."""
        self.complain(Complaint(kind, command.line, command.text, reason, suggestions=suggestions))

    def ask_back(self, command: Command, reason: Phrase, line: str) -> None:
        """Ask whether a command is meant. *line* is the one that carries it out."""
        self.refuse(command, reason, line, kind=ComplaintKind.QUESTION)

    def done(self, *reasons: Phrase) -> None:
        """Report effects to the open seat, each effect of one line once."""
        for reason in reasons:
            done, said = self.current.done, (self.reply_index, self.current_line, reason.as_json())
            if said not in self.reported:
                self.reported = (*self.reported, said)
            elif reason in done:
                index = done.index(reason)
                done = (*done[:index], *done[index + 1 :])
            self._change_answer(replace(self.current, done=(*done, reason)))

    def tell_sender(self, *reasons: Phrase) -> None:
        """Report effects to the sender, whichever seat is open."""
        self.add(ReplyDraft(done=reasons), at=0)

    def remove(self, *reasons: Phrase) -> None:
        """Remove effects that were reported to the open seat."""
        done = tuple(each for each in self.current.done if each not in reasons)
        self._change_answer(replace(self.current, done=done))

    def remove_from_all(self, game: int, code: str) -> None:
        """Remove the effects with a code that were reported to seats of a game."""
        for at, answer in enumerate(self.answers):
            if answer.game == game:
                done = tuple(reason for reason in answer.done if reason.code != code)
                self._change_answer(replace(answer, done=done), at)

    def show(self, kind: LetterKind, template: str, *, asked: object = "", **facts: object) -> None:
        """Show requested information by its template. Equal information is shown once.

        *asked* is the line that requests this alone, by default the present line.
        """
        info = {"template": template, **facts}
        infos: tuple[Mapping[str, object], ...] = ()
        before = self.current.infos
        if not any({k: v for k, v in each.items() if k != "asked"} == info for each in before):
            infos = ({**info, "asked": asked or self.current_line},)
        self.add(ReplyDraft(infos=infos, kinds=frozenset({kind}), asked=(template,)))

    def mark_proven(self, *, password: bool) -> None:
        """Note that the sender proved that the open seat is theirs."""
        self.add(ReplyDraft(proven=True, by_password=password))

    def keep_departing_address(self) -> None:
        """Store the address of the open seat, which is left now but gets the reply."""
        self.add(ReplyDraft(address=self.seat.address))

    def set_replace_mode(self, fresh: bool) -> None:
        """Set whether the next valid orders replace everything on file."""
        self._change_answer(replace(self.current, replaces_orders=fresh))

    def omit_orders(self) -> None:
        """Omit the orders from the reply: the results of their phase contain them."""
        self._change_answer(replace(self.current, powers=frozenset()))

    def queue(self, *letters: Letter) -> None:
        """Queue letters in addition to the replies."""
        self.letters += letters

    def queue_outreach(self, letter: Letter, reasons: tuple[Phrase, ...]) -> None:
        """Queue an outreach letter and report it by these reasons."""
        self.queue(letter)
        self.done(*reasons)
        self.outreach = {**self.outreach, letter.outreach: reasons}

    def cancel_outreach(self, numbers: frozenset[int]) -> None:
        """Remove outreach letters, and what was reported about them."""
        self.letters = tuple(each for each in self.letters if each.outreach not in numbers)
        self.remove(*(r for n in numbers for r in self.outreach.get(n, ())))
        self.outreach = {n: said for n, said in self.outreach.items() if n not in numbers}

    def announce(self, game: Game, reason: Phrase, kind: LetterKind = LetterKind.NOTICE) -> None:
        """Announce news to all others in a game, in one letter for the whole mail.

        HISTORY stores the news.
        """
        record_in_history(game, reason, self.now, kind)
        self.announce_quietly(game, reason, kind)

    def announce_quietly(
        self, game: Game, reason: Phrase, kind: LetterKind = LetterKind.NOTICE,
        to: frozenset[int] | None = None,
    ) -> None:
        """Announce news that HISTORY does not store, to all or to the seats in *to*."""
        by = self.current.seat, self.acting_master
        self.news = (*self.news, GameNews(game.id, reason, kind, by, to))

    def announce_to_all(self, game: Game, news: Sequence[Phrase]) -> None:
        """Send the same news to the sender and to all others in a game.

        HISTORY stores the first of the news.
        """
        self.done(*news)
        for number, reason in enumerate(news):
            if number:
                self.announce_quietly(game, reason)
            else:
                self.announce(game, reason)

    def mark_changed(self, game: Game) -> None:
        """Record that a game may now start, or be adjudicated early."""
        if game.id not in self.changed:
            self.changed = (*self.changed, game.id)

    def count_wrong_password(self, lock: str) -> None:
        """Count a wrong password under the lock of a seat or sender."""
        self.wrong_passwords = {**self.wrong_passwords, lock: self.wrong_passwords.get(lock, 0) + 1}

    def defer(self, text: str, *, follows: bool) -> None:
        """Defer a command until it is confirmed.

        With *follows* the lines after it are deferred too. *text* describes it.
        """
        self.unconfirmed = True
        self.is_deferring = self.is_deferring or follows
        if text:
            self.deferred = (*self.deferred, text)

    def remember_setting(self, game: int, name: str, value: object) -> None:
        """Store a value that this mail set."""
        self.set_before = {**self.set_before, (game, name): value}

    def remember_proxies(self, game: int, trusts: tuple[ProxyGrant, ...]) -> None:
        """Store the proxy grants of a game before this mail changed its orders."""
        self.earlier_proxies = {game: trusts, **self.earlier_proxies}

    def count_act(self, alike: object) -> None:
        """Count an act of a master that all others get a letter about."""
        self.acts = (*self.acts, alike)

    def tells(self, game: Game, code: str) -> bool:
        """Return whether the pending news of a game contains a phrase with this code."""
        return any(each.game == game.id and each.reason.code == code for each in self.news)

    def news_letters(self) -> list[Letter]:
        """Make the letters for all news. The last kind other than NOTICE names a letter."""
        letters = []
        for game_id in dict.fromkeys(each.game for each in self.news):
            game = self.context.games.get(game_id)
            news = [each for each in self.news if each.game == game_id]
            if game.state is GameState.ENDED:
                # A game that has just ended has no vacancies to fill.
                news = [each for each in news if each.kind is not LetterKind.VACANCY]
            told = {
                seat.id for seat in recipients_of(game) if not self._is_in_own_reply(game, seat)
            }
            for seat in present_seats(game):
                own = [each for each in news if seat.id in told or each.to is not None]
                found = [each for each in own if each.is_for(seat)]
                if found:
                    kinds = [each.kind for each in found if each.kind is not LetterKind.NOTICE]
                    reasons = [each.reason for each in found]
                    kind = kinds[-1] if kinds else LetterKind.NOTICE
                    letters.append(notice_to(game, seat, reasons, kind))
        return letters

    def _is_in_own_reply(self, game: Game, seat: Seat) -> bool:
        """Return whether a playing master reads the news in the reply to their mail."""
        return game.chosen.gm_plays and seat.address.lower() == self.mail.sender.lower()

    def left_seat(self, game: Game) -> Seat | None:
        """Return a seat of the sender that this mail has left.

        Only observers' seats and seats before the start are left in this way.
        """
        opened = {answer.seat for answer in self.answers if answer.game == game.id}
        for seat in game.all_seats():
            left = seat.id in opened and seat.state is SeatState.LEFT
            if left and seat.address.lower() == self.mail.sender.lower():
                return seat
        return None
