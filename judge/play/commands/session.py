"""One mail at work: which seat is open, what was done, what is to be said to whom."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from judge.games.system import LineRead, Trust
from judge.play.game import Game, Office
from judge.play.letters.telling import notice_to, present_seats, record
from judge.play.tokens import Token
from judge.words.command import Command
from judge.words.commandkind import CommandKind, Kinds
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.incoming import Incoming
from judge.words.letter import Enclosure, Kind, Letter
from judge.words.picture import Picture
from judge.words.reason import Reason
from judge.words.record import GameState, Role, Seat, SeatState


@dataclass(slots=True)
class Answer:
    """What one seat (or, without one, the sender) will hear in the one answer to this mail."""

    seat: int = 0
    game: int = 0
    done: list[Reason] = field(default_factory=list)
    complaints: list[Complaint] = field(default_factory=list)
    orders: list[LineRead] = field(default_factory=list)
    powers: set[str] = field(default_factory=set)
    """Powers whose orders a master changed or asked to see."""
    address: str = ""
    """Where it goes when the seat itself is empty by then: its player has just left."""
    infos: list[Mapping[str, object]] = field(default_factory=list)
    """What was asked for: each names the `template` that shows it."""
    kinds: set[Kind] = field(default_factory=set)
    """Kinds of the infos; decides the kind of an answer that did nothing else."""
    pictures: list[Picture] = field(default_factory=list)
    files: list[Enclosure] = field(default_factory=list)
    """Boards that were asked for."""
    asked: Counter[str] = field(default_factory=Counter)
    """How often what was asked for, by the template that shows it."""
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

    @property
    def is_empty(self) -> bool:
        """Nothing has to be said."""
        return not (self.done or self.complaints or self.orders or self.infos)


@dataclass(slots=True)
class Tally:
    """What a mail did and said already, where once, or a few times, is enough."""

    asking: str = ""
    """The line at work, as typed, without secrets."""
    said: list[object] = field(default_factory=list)
    """What was said of which line, in which answer."""
    acts: Counter[object] = field(default_factory=Counter)
    """What masters did that everybody gets a letter of: how often, by game and command."""
    outreach: dict[int, list[Reason]] = field(default_factory=dict)
    """What was said of letters that this mail has others sent, by their number."""


class _News(NamedTuple):
    """Something everybody in a game is told: as which kind of letter, and whose doing it was, who
    hear it in their answers; where `to` is given it is told to these seats alone."""

    reason: Reason
    kind: Kind
    by: tuple[int, int]
    to: frozenset[int] | None = None

    def is_for(self, seat: Seat) -> bool:
        """Tell whether a seat's letter says this."""
        return seat.id not in self.by and (self.to is None or seat.id in self.to)


class Session:
    """The state of one mail while its commands are carried out."""

    def __init__(self, office: Office, mail: Incoming, now: datetime, kinds: Kinds) -> None:
        self.office, self.kinds = office, kinds
        self.mail, self.now = mail, now
        self.token: Token | None = None
        """The token of the letter this mail answers."""
        self.contested: Mapping[tuple[str, str], int] | None = None
        """Of a mail that waited: seats with several passwords, and the first mail for each."""
        self.is_contested = False
        """The command at work asks for one of those seats."""
        self.strangers = Answer()
        self.answers: list[Answer] = [self.strangers]
        self.current = self.strangers
        self.letters: list[Letter] = []
        self._news: dict[int, list[_News]] = {}
        """Announcements by game."""
        self.shut = False
        """A sign-on failed: nothing counts until the next one."""
        self.ahead = ""
        """The phase that orders are for, after PHASE."""
        self.astray = False
        """A PHASE failed: orders are for no phase until the next one."""
        self.dropped = 0
        self.passwords = 0
        """Passwords this mail has given so far."""
        self.overtaken: frozenset[str] = frozenset()
        """Games in which later mails of the sender were carried out before this one."""
        self.tried: dict[str, int] = {}
        """The wrong ones among them, by what they are counted under."""
        self.waiting = False
        """What follows belongs to a command that waits for a confirmation."""
        self.unconfirmed = False
        """Something in this mail wants the sender's address confirmed."""
        self.kept: list[str] = []
        """What waits for a confirmation, in words."""
        self.stale_turn: int | None = None
        """Turn of the letter a token came from, while that token's seat is open."""
        self.stale_branch: int | None = None
        """Branch of the game that letter was written in; None for press."""
        self.warned: Seat | None = None
        """A seat whose token came with a From that is not registered for it."""
        self.press_answered = 0
        """The press event a plain reply answers."""
        self.set_before: dict[tuple[int, str], object] = {}
        """What this mail has set so far, by game and name: of contradictions the last counts."""
        self.trusted: dict[int, tuple[Trust, ...]] = {}
        """What players let each other order, by game, before this mail changed orders."""
        self.tally = Tally()
        self.changed: dict[int, None] = {}
        """Games in which something changed that may start or hasten them, in order."""

    def kind(self, command: Command) -> CommandKind:
        """Return what is to be known of a command."""
        return self.kinds[type(command)]

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
        return self.office.games.get(self.current.game)

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

    def prove(self, *, password: bool) -> None:
        """Note that whoever opened the seat that is open now showed that it is his."""
        self.current.proven = True
        self.current.by_password |= password

    @property
    def acting(self) -> int:
        """The seat of the master who acts as the power whose seat is open; 0 for nobody."""
        return self.current.by

    def open(self, seat: Seat, by: int = 0) -> None:
        """Open a seat: what follows is for it, and goes into its answer.

        `by` is the seat of a master who acts for whoever sits there.
        """
        self.shut = self.astray = False
        self.ahead = ""
        self.stale_turn = self.stale_branch = None
        for answer in self.answers:
            if (answer.seat, answer.by) == (seat.id, by):
                self.current = answer
                return
        fresh = seat.settings.orders == "replace"
        self.current = Answer(seat.id, seat.game, fresh=fresh, by=by)
        self.answers.append(self.current)

    def close(self, *, shut: bool = False) -> None:
        """Close the open seat; `shut` after a failed sign-on."""
        self.current = self.strangers
        self.shut, self.astray, self.ahead = shut, False, ""

    def announce(self, game: Game, reason: Reason, kind: Kind = Kind.NOTICE) -> None:
        """Have everybody else in a game told, in one letter for all that this mail changed.

        Whose seat is open now hears it in the answer.
        """
        record(game, reason, self.now, kind)
        self.add_news(game, reason, kind)

    def add_news(
        self, game: Game, reason: Reason, kind: Kind = Kind.NOTICE,
        to: frozenset[int] | None = None,
    ) -> None:
        """Have more said in that letter, which HISTORY need not keep; `to` these seats alone."""
        self._news.setdefault(game.id, []).append(
            _News(reason, kind, (self.current.seat, self.acting), to)
        )

    def tells(self, game: Game, code: str) -> bool:
        """Tell whether that letter says something with this code already."""
        return any(each.reason.code == code for each in self._news.get(game.id, ()))

    def news_of(self, game_id: int) -> int:
        """Return how many things about a game this mail has others told so far."""
        return len(self._news.get(game_id, ()))

    def news_letters(self) -> list[Letter]:
        """Make the letters of everything announced; the gravest kind names them."""
        letters = []
        for game_id, news in self._news.items():
            game = self.office.games.get(game_id)
            if game.state is GameState.ENDED:
                # Nobody is to be asked to take over what has just ended.
                news = [each for each in news if each.kind is not Kind.VACANCY]
            for seat in present_seats(game):
                found = [each for each in news if each.is_for(seat)]
                if found:
                    kinds = [each.kind for each in found if each.kind is not Kind.NOTICE]
                    reasons = [each.reason for each in found]
                    kind = kinds[-1] if kinds else Kind.NOTICE
                    letters.append(notice_to(game, seat, reasons, kind))
        return letters

    def warn_owner(self, seat: Seat) -> None:
        """Tell a seat's registered address that its token came from somewhere else."""
        self.warned = seat

    def left_seat(self, game: Game) -> Seat | None:
        """Return a seat of the sender's that this mail has left, as a watcher or before a start."""
        opened = {answer.seat for answer in self.answers if answer.game == game.id}
        for seat in game.all_seats():
            left = seat.id in opened and seat.state is SeatState.LEFT
            if left and seat.address.lower() == self.mail.sender.lower():
                return seat
        return None

    def farewell(self) -> None:
        """Remember the open seat's address: it leaves with this mail but still hears the answer."""
        self.current.address = self.seat.address

    def say(self, reason: Reason) -> None:
        """Say that something was done; of the same line again only once, where it was said last."""
        done, said = self.current.done, (id(self.current), self.tally.asking, reason.as_json())
        if said in self.tally.said and reason in done:
            done.remove(reason)
        else:
            self.tally.said.append(said)
        done.append(reason)

    def retract(self, reasons: Sequence[Reason]) -> None:
        """Say something not after all."""
        done = self.current.done
        done[:] = [each for each in done if each not in reasons]

    def unsay(self, game_id: int, code: str) -> None:
        """Take back what was said with this code to seats of a game: it holds no longer."""
        for answer in self.answers:
            if answer.game == game_id:
                answer.done = [reason for reason in answer.done if reason.code != code]

    def show(self, kind: Kind, template: str, **facts: object) -> None:
        """Show something that was asked for; the same again, as it still is, is shown once.

        `asked` among the facts: the line that asks for this alone, if it is not the line at work.
        """
        asked = facts.pop("asked", self.tally.asking)
        self.current.asked[template] += 1
        info = {"template": template, **facts}
        infos = self.current.infos
        if not any({k: v for k, v in each.items() if k != "asked"} == info for each in infos):
            infos.append({**info, "asked": asked})
        self.current.kinds.add(kind)

    def refuse(
        self,
        command: Command,
        reason: Reason,
        *suggestions: str,
        kind: ComplaintKind = ComplaintKind.NOT_ALLOWED,
    ) -> None:
        """Say why a command was not carried out."""
        self.current.complaints.append(
            Complaint(kind, command.line, command.text, reason, suggestions=suggestions)
        )

    def touch(self, game: Game) -> None:
        """Note that a game may now start or be adjudicated early."""
        self.changed[game.id] = None
