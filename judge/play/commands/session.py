"""One mail at work: which seat is open, what was done, what is to be said to whom."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from judge.games.facts import Trust
from judge.games.system import LineRead
from judge.model.altered import altered
from judge.model.command import Command, CommandKind, Kinds
from judge.model.incoming import Incoming
from judge.model.letter import Enclosure, Kind, Letter, Picture
from judge.model.phrase import Complaint, Phrase
from judge.model.record import GameState, Role, Seat, SeatState
from judge.play.game import Context, Game
from judge.play.letters.letter_factory import notice_to, present_seats, readers_of
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


@dataclass(frozen=True, slots=True)
class Session:
    """The state of one mail between two of its commands; each command's outcome makes the next."""

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

    def after(self, deeds: Iterable[Callable[["Session"], "Session"]]) -> "Session":
        """Return what the mail did when this was done too."""
        session = self
        for deed in deeds:
            session = deed(session)
        return session

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

    def answering(self, answer: Answer, at: int | None = None) -> "Session":
        """Return the session with another answer in the place of the open seat's, or of one."""
        at = self.at if at is None else at
        return altered(self, answers=(*self.answers[:at], answer, *self.answers[at + 1 :]))

    def opened(self, seat: Seat, by: int = 0) -> "Session":
        """Return the session with a seat open: what follows is for it, and goes into its answer.

        `by` is the seat of a master who acts for whoever sits there.
        """
        known = [(answer.seat, answer.by) for answer in self.answers]
        answers = self.answers
        if (seat.id, by) in known:
            at = known.index((seat.id, by))
        else:
            fresh = seat.settings.orders == "replace"
            at, answers = len(known), (*answers, Answer(seat.id, seat.game, fresh=fresh, by=by))
        return altered(
            self, answers=answers, at=at, shut=False, astray=False, ahead="",
            stale_turn=None, stale_branch=None,
        )

    def closed(self, *, shut: bool = False) -> "Session":
        """Return the session with no seat open; `shut` after a failed sign-on."""
        return altered(self, at=0, shut=shut, astray=False, ahead="")

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
