"""One mail at work: which seat is open, what was done, what is to be said to whom."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import NamedTuple

from judge.games.facts import Trust
from judge.games.system import LineRead
from judge.model.altered import altered
from judge.model.command import Command, CommandKind, Kinds
from judge.model.incoming import Incoming
from judge.model.letter import Enclosure, Kind, Letter, Picture
from judge.model.phrase import Complaint, ComplaintKind, Phrase
from judge.model.record import GameState, Role, Seat, SeatState
from judge.play.game import Context, Game
from judge.play.letters.letter_factory import notice_to, present_seats, readers_of, record
from judge.play.tokens import Token


@dataclass(frozen=True, slots=True)
class Answer:
    """What one seat (or, without one, the sender) will hear in the one answer to this mail."""

    seat: int = 0
    game: int = 0
    done: tuple[Phrase, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    orders: tuple[LineRead, ...] = ()
    powers: frozenset[str] = frozenset()
    """Powers whose orders a master changed or asked to see."""
    address: str = ""
    """Where it goes when the seat itself is empty by then: its player has just left."""
    infos: tuple[Mapping[str, object], ...] = ()
    """What was asked for: each names the `template` that shows it."""
    kinds: frozenset[Kind] = frozenset()
    """Kinds of the infos; decides the kind of an answer that did nothing else."""
    pictures: tuple[Picture, ...] = ()
    files: tuple[Enclosure, ...] = ()
    """Boards that were asked for."""
    asked: tuple[str, ...] = ()
    """What was asked for, each time, by the template that shows it."""
    fresh: bool = False
    """The next good orders take the place of everything on file."""
    by: int = 0
    """The master's seat that acts for this one; 0: whoever sits there speaks."""
    replied: bool = False
    """A reply opened it, and nothing that was written."""
    proven: bool = False
    """A right password or a reply address opened it: more than a From line, which anybody writes.
    """
    by_password: bool = False
    """Its password stood in this mail, or in the letter that this mail answers."""
    language: str = ""
    """The language something was asked in; who chose another hears that."""
    verbs: tuple[str, ...] = ()
    """The commands that were carried out, by their first words."""

    @property
    def is_empty(self) -> bool:
        """Nothing has to be said."""
        return not (self.done or self.complaints or self.orders or self.infos)

    def plus(self, more: "Answer") -> "Answer":
        """Return the answer with more in it; whose it is, and `fresh`, stay."""
        return altered(
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


class News(NamedTuple):
    """Something everybody in a game is told: as which kind of letter, and whose doing it was, who
    hear it in their answers; where `to` is given it is told to these seats alone."""

    game: int
    reason: Phrase
    kind: Kind
    by: tuple[int, int]
    to: frozenset[int] | None = None

    def is_for(self, seat: Seat) -> bool:
        """Tell whether a seat's letter says this."""
        return seat.id not in self.by and (self.to is None or seat.id in self.to)


@dataclass(slots=True)
class Session:
    """The work on one mail: the open seat, the answers and all letters that it causes.

    Commands change it in place. The values of its fields are immutable, so that a shallow copy
    keeps an earlier state.
    """

    context: Context
    mail: Incoming
    now: datetime
    kinds: Kinds
    token: Token | None = None
    """The token of the letter this mail answers."""
    contested: Mapping[tuple[str, str], int] | None = None
    """Of a mail that waited: seats with several passwords, and the first mail for each."""
    is_contested: bool = False
    """The command at work asks for one of those seats."""
    overtaken: frozenset[str] = frozenset()
    """Games in which later mails of the sender were carried out before this one."""
    press_answered: int = 0
    """The press event a plain reply answers."""
    answers: tuple[Answer, ...] = (Answer(),)
    """The first is to the sender, for what concerns no seat."""
    at: int = 0
    """Which of them is for the seat that is open."""
    letters: tuple[Letter, ...] = ()
    news: tuple[News, ...] = ()
    shut: bool = False
    """A sign-on failed: nothing counts until the next one."""
    ahead: str = ""
    """The phase that orders are for, after PHASE."""
    astray: bool = False
    """A PHASE failed: orders are for no phase until the next one."""
    dropped: int = 0
    passwords: int = 0
    """Passwords this mail has given so far."""
    tried: Mapping[str, int] = field(default_factory=dict)
    """The wrong ones among them, by what they are counted under."""
    waiting: bool = False
    """What follows belongs to a command that waits for a confirmation."""
    unconfirmed: bool = False
    """Something in this mail wants the sender's address confirmed."""
    kept: tuple[str, ...] = ()
    """What waits for a confirmation, in words."""
    stale_turn: int | None = None
    """Turn of the letter a token came from, while that token's seat is open."""
    stale_branch: int | None = None
    """Branch of the game that letter was written in; None for press."""
    warned: Seat | None = None
    """A seat whose token came with a From that is not registered for it."""
    set_before: Mapping[tuple[int, str], object] = field(default_factory=dict)
    """What this mail has set so far, by game and name: of contradictions the last counts."""
    trusted: Mapping[int, tuple[Trust, ...]] = field(default_factory=dict)
    """What players let each other order, by game, before this mail changed orders."""
    changed: tuple[int, ...] = ()
    """Games in which something changed that may start or hasten them, in order."""
    asking: str = ""
    """The line at work, as typed, without secrets."""
    said: tuple[object, ...] = ()
    """What was said of which line, in which answer."""
    acts: tuple[object, ...] = ()
    """What masters did that everybody gets a letter of: each time, by game and command."""
    outreach: Mapping[int, tuple[Phrase, ...]] = field(default_factory=dict)
    """What was said of letters that this mail has others sent, by their number."""
    refusals: int = 0
    """The number of complaints so far."""

    def copy(self) -> "Session":
        """Return the session as it is now, for `restore`."""
        return copy(self)

    def restore(self, before: "Session") -> None:
        """Go back to an earlier state."""
        for each in fields(self):
            setattr(self, each.name, getattr(before, each.name))

    def kind(self, command: Command) -> CommandKind:
        """Return what is to be known of a command."""
        return self.kinds[type(command)]

    @property
    def current(self) -> Answer:
        """The answer to the seat that is open, or to the sender."""
        return self.answers[self.at]

    @property
    def released(self) -> bool:
        """What this mail asks for has waited, and whoever reads its sender's mail has said yes."""
        return self.contested is not None

    @property
    def seat(self) -> Seat:
        """The open seat, as it is now; only where one is open."""
        found = self.game.seat(self.current.seat)
        assert found is not None
        return found

    @property
    def game(self) -> Game:
        """The game of the open seat."""
        return self.context.games.get(self.current.game)

    @property
    def is_signed_on(self) -> bool:
        """Some seat is open."""
        return self.current.seat != 0

    @property
    def person(self) -> str:
        """The address of whoever speaks, in lower case: the open seat's, else the sender's."""
        return (self.seat.address if self.is_signed_on else self.mail.sender).lower()

    @property
    def is_master(self) -> bool:
        """The open seat is the master's."""
        return self.is_signed_on and self.seat.role is Role.MASTER

    @property
    def master(self) -> Seat | None:
        """The master who speaks, also where he acts as a power; None for anybody else."""
        if self.acting:
            return self.game.seat(self.acting)
        return self.seat if self.is_master else None

    @property
    def acting(self) -> int:
        """The seat of the master who acts as the power whose seat is open; 0 for nobody."""
        return self.current.by

    def open(self, seat: Seat, by: int = 0) -> None:
        """Open a seat: what follows is for it, and goes into its answer.

        `by` is the seat of a master who acts for the player of the seat.
        """
        known = [(answer.seat, answer.by) for answer in self.answers]
        if (seat.id, by) in known:
            self.at = known.index((seat.id, by))
        else:
            fresh = seat.settings.orders == "replace"
            self.at = len(known)
            self.answers = (*self.answers, Answer(seat.id, seat.game, fresh=fresh, by=by))
        self.shut = self.astray = False
        self.ahead, self.stale_turn, self.stale_branch = "", None, None

    def close(self, *, shut: bool = False) -> None:
        """Close the open seat. `shut`: a sign-on has failed, and nothing counts until the next."""
        self.at, self.shut, self.astray, self.ahead = 0, shut, False, ""

    def set_phase(self, ahead: str, *, astray: bool = False) -> None:
        """Set the phase of the orders that follow. `astray`: none until PHASE names one."""
        self.ahead, self.astray = ahead, astray

    def add(self, more: Answer, at: int | None = None) -> None:
        """Add to the answer of the open seat, or to the answer of a number."""
        at = self.at if at is None else at
        self.refusals += len(more.complaints)
        self._change_answer(self.answers[at].plus(more), at)

    def _change_answer(self, answer: Answer, at: int | None = None) -> None:
        at = self.at if at is None else at
        self.answers = (*self.answers[:at], answer, *self.answers[at + 1 :])

    def complain(self, *complaints: Complaint) -> None:
        """Report mistakes to the open seat."""
        if complaints:
            self.add(Answer(complaints=complaints))

    def refuse(
        self, command: Command, reason: Phrase, *suggestions: str,
        kind: ComplaintKind = ComplaintKind.NOT_ALLOWED,
    ) -> None:
        """Report why a command is not carried out."""
        self.complain(
            Complaint(kind, command.line, command.text, reason, suggestions=suggestions)
        )

    def ask_back(self, command: Command, reason: Phrase, line: str) -> None:
        """Ask whether a command is meant. *line* is the one that carries it out."""
        self.refuse(command, reason, line, kind=ComplaintKind.QUESTION)

    def done(self, *reasons: Phrase) -> None:
        """Report effects to the open seat, each effect of one line once."""
        for reason in reasons:
            done, said = self.current.done, (self.at, self.asking, reason.as_json())
            if said not in self.said:
                self.said = (*self.said, said)
            elif reason in done:
                index = done.index(reason)
                done = (*done[:index], *done[index + 1 :])
            self._change_answer(altered(self.current, done=(*done, reason)))

    def tell_sender(self, *reasons: Phrase) -> None:
        """Report effects to the sender, whichever seat is open."""
        self.add(Answer(done=reasons), at=0)

    def remove(self, *reasons: Phrase) -> None:
        """Remove effects that were reported to the open seat."""
        done = tuple(each for each in self.current.done if each not in reasons)
        self._change_answer(altered(self.current, done=done))

    def remove_from_all(self, game: int, code: str) -> None:
        """Remove the effects with a code that were reported to seats of a game."""
        for at, answer in enumerate(self.answers):
            if answer.game == game:
                done = tuple(reason for reason in answer.done if reason.code != code)
                self._change_answer(altered(answer, done=done), at)

    def show(self, kind: Kind, template: str, *, asked: object = "", **facts: object) -> None:
        """Show requested information by its template, the same information once.

        `asked` is the line that requests this alone; by default the line at work.
        """
        info = {"template": template, **facts}
        infos: tuple[Mapping[str, object], ...] = ()
        before = self.current.infos
        if not any({k: v for k, v in each.items() if k != "asked"} == info for each in before):
            infos = ({**info, "asked": asked or self.asking},)
        self.add(Answer(infos=infos, kinds=frozenset({kind}), asked=(template,)))

    def mark_proven(self, *, password: bool) -> None:
        """Note that the sender proved that the open seat is theirs."""
        self.add(Answer(proven=True, by_password=password))

    def keep_departing_address(self) -> None:
        """Keep the address of the open seat, which leaves now but gets the answer."""
        self.add(Answer(address=self.seat.address))

    def set_replace_mode(self, fresh: bool) -> None:
        """Set whether the next good orders replace everything on file."""
        self._change_answer(altered(self.current, fresh=fresh))

    def omit_orders(self) -> None:
        """Omit the orders from the answer: the results of their phase contain them."""
        self._change_answer(altered(self.current, powers=frozenset()))

    def queue(self, *letters: Letter) -> None:
        """Queue letters beside the answers."""
        self.letters += letters

    def queue_outreach(self, letter: Letter, reasons: tuple[Phrase, ...]) -> None:
        """Queue a letter to a stranger, and report it by these reasons."""
        self.queue(letter)
        self.done(*reasons)
        self.outreach = {**self.outreach, letter.outreach: reasons}

    def cancel_outreach(self, numbers: frozenset[int]) -> None:
        """Remove letters to strangers, and what was reported about them."""
        self.letters = tuple(each for each in self.letters if each.outreach not in numbers)
        self.remove(*(r for n in numbers for r in self.outreach.get(n, ())))
        self.outreach = {n: said for n, said in self.outreach.items() if n not in numbers}

    def announce(self, game: Game, reason: Phrase, kind: Kind = Kind.NOTICE) -> None:
        """Announce news to all others in a game, in one letter for all that this mail changes.

        HISTORY keeps them.
        """
        record(game, reason, self.now, kind)
        self.announce_quietly(game, reason, kind)

    def announce_quietly(
        self, game: Game, reason: Phrase, kind: Kind = Kind.NOTICE,
        to: frozenset[int] | None = None,
    ) -> None:
        """Announce news that HISTORY does not keep; `to` these seats alone."""
        by = self.current.seat, self.acting
        self.news = (*self.news, News(game.id, reason, kind, by, to))

    def announce_to_all(self, game: Game, news: Sequence[Phrase]) -> None:
        """Send the same news to the sender and to all others in a game.

        HISTORY keeps the first of the news.
        """
        self.done(*news)
        for number, reason in enumerate(news):
            if number:
                self.announce_quietly(game, reason)
            else:
                self.announce(game, reason)

    def mark_changed(self, game: Game) -> None:
        """Note that a game may now start, or be adjudicated early."""
        if game.id not in self.changed:
            self.changed = (*self.changed, game.id)

    def count_wrong_password(self, lock: str) -> None:
        """Count a wrong password, by the seat or sender it is counted for."""
        self.tried = {**self.tried, lock: self.tried.get(lock, 0) + 1}

    def defer(self, text: str, *, follows: bool) -> None:
        """Keep a command until it is confirmed; `follows`: with the lines that follow it."""
        self.unconfirmed = True
        self.waiting = self.waiting or follows
        if text:
            self.kept = (*self.kept, text)

    def remember_setting(self, game: int, name: str, value: object) -> None:
        """Remember a value that this mail set."""
        self.set_before = {**self.set_before, (game, name): value}

    def remember_proxies(self, game: int, trusts: tuple[Trust, ...]) -> None:
        """Remember the proxies of a game before this mail changed its orders."""
        self.trusted = {game: trusts, **self.trusted}

    def count_act(self, alike: object) -> None:
        """Count an act of a master that all others get a letter about."""
        self.acts = (*self.acts, alike)

    def tells(self, game: Game, code: str) -> bool:
        """Tell whether the letter of what is announced says something with this code already."""
        return any(each.game == game.id and each.reason.code == code for each in self.news)

    def news_letters(self) -> list[Letter]:
        """Make the letters of everything announced; the gravest kind names them."""
        letters = []
        for game_id in dict.fromkeys(each.game for each in self.news):
            game = self.context.games.get(game_id)
            news = [each for each in self.news if each.game == game_id]
            if game.state is GameState.ENDED:
                # Nobody is to be asked to take over what has just ended.
                news = [each for each in news if each.kind is not Kind.VACANCY]
            told = {seat.id for seat in readers_of(game) if not self._heard(game, seat)}
            for seat in present_seats(game):
                own = [each for each in news if seat.id in told or each.to is not None]
                found = [each for each in own if each.is_for(seat)]
                if found:
                    kinds = [each.kind for each in found if each.kind is not Kind.NOTICE]
                    reasons = [each.reason for each in found]
                    kind = kinds[-1] if kinds else Kind.NOTICE
                    letters.append(notice_to(game, seat, reasons, kind))
        return letters

    def _heard(self, game: Game, seat: Seat) -> bool:
        """Tell whether a master who plays himself hears it in the answer to his own mail."""
        return game.chosen.gm_plays and seat.address.lower() == self.mail.sender.lower()

    def left_seat(self, game: Game) -> Seat | None:
        """Return a seat of the sender's that this mail has left, as a watcher or before a start."""
        opened = {answer.seat for answer in self.answers if answer.game == game.id}
        for seat in game.all_seats():
            left = seat.id in opened and seat.state is SeatState.LEFT
            if left and seat.address.lower() == self.mail.sender.lower():
                return seat
        return None
