"""What a command did: an outcome, which the function that carries it out returns.

It is made of deeds in their order: what is said goes to the seat that is open by then. What a
command stores it stores at once, in the unit of work; what its outcome says counts when the
dispatcher has added it to what the mail did, and is gone with the part of the mail that is taken
back.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.games.facts import Trust
from judge.model.altered import altered
from judge.model.command import Command
from judge.model.letter import Kind, Letter
from judge.model.phrase import Complaint, ComplaintKind, Phrase
from judge.model.record import Seat
from judge.play.commands.session import Answer, News, Session
from judge.play.game import Game
from judge.play.letters.letter_factory import record


class Outcome:
    """What a command did, or a piece of it, deed by deed; by itself it is nothing."""

    __slots__ = ()

    def __iter__(self) -> Iterator["Deed"]:
        return iter(())

    def __add__(self, more: "Outcome") -> "Outcome":
        return _Joined(self, more)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    @property
    def is_refusal(self) -> bool:
        """Something was complained of."""
        return any(isinstance(deed, Heard) and deed.more.complaints for deed in self)

    def tells(self, game: Game) -> bool:
        """Tell whether others in a game are told something."""
        return any(isinstance(deed, Spread) and deed.game == game.id for deed in self)


NOTHING = Outcome()


class Deed(Outcome, ABC):
    """One thing a command did: of what the mail did so far it makes what it did with this too."""

    __slots__ = ()

    def __iter__(self) -> Iterator["Deed"]:
        yield self

    @abstractmethod
    def __call__(self, session: Session) -> Session:
        """Return what the mail did with this too."""


@dataclass(frozen=True, slots=True)
class _Joined(Outcome):
    """Two outcomes one after the other.

    Joining copies nothing, so n outcomes added in a loop cost n steps.
    """

    first: Outcome
    second: Outcome

    def __iter__(self) -> Iterator[Deed]:
        todo: list[Outcome] = [self]
        while todo:
            outcome = todo.pop()
            if isinstance(outcome, _Joined):
                todo += [outcome.second, outcome.first]
            else:
                yield from outcome


@dataclass(frozen=True, slots=True)
class Heard(Deed):
    """More in an answer: the open seat's, or the one of that number."""

    more: Answer
    at: int | None = None

    def __call__(self, session: Session) -> Session:
        at = session.at if self.at is None else self.at
        return session.answering(session.answers[at].plus(self.more), at)


def heard(more: Answer) -> Outcome:
    """Have the open seat's answer say more, or hold more."""
    return Heard(more)


def told_sender(*reasons: Phrase) -> Outcome:
    """Say something to the sender, whichever seat is open."""
    return Heard(Answer(done=reasons), at=0)


def complained(*complaints: Complaint) -> Outcome:
    """Say what is wrong."""
    return heard(Answer(complaints=complaints)) if complaints else NOTHING


def refused(
    command: Command,
    reason: Phrase,
    *suggestions: str,
    kind: ComplaintKind = ComplaintKind.NOT_ALLOWED,
) -> Outcome:
    """Say why a command was not carried out."""
    return complained(Complaint(kind, command.line, command.text, reason, suggestions=suggestions))


def asked_back(command: Command, reason: Phrase, line: str) -> Outcome:
    """Ask whether a command is meant; *line* is the one that carries it out."""
    return refused(command, reason, line, kind=ComplaintKind.QUESTION)


def proven(*, password: bool) -> Outcome:
    """Note that whoever opened the seat that is open showed that it is his."""
    return heard(Answer(proven=True, by_password=password))


def parting(session: Session) -> Outcome:
    """Remember the open seat's address: it leaves with this mail but still hears the answer."""
    return heard(Answer(address=session.seat.address))


@dataclass(frozen=True, slots=True)
class Said(Deed):
    """That something was done; of the same line again only once, where it was said last."""

    reason: Phrase

    def __call__(self, session: Session) -> Session:
        done, said = session.current.done, (session.at, session.asking, self.reason.as_json())
        if said not in session.said:
            session = altered(session, said=(*session.said, said))
        elif self.reason in done:
            at = done.index(self.reason)
            done = (*done[:at], *done[at + 1 :])
        return session.answering(altered(session.current, done=(*done, self.reason)))


def said(*reasons: Phrase) -> Outcome:
    """Say that something was done."""
    return sum(map(Said, reasons), NOTHING)


@dataclass(frozen=True, slots=True)
class Retracted(Deed):
    """What is said to the open seat not after all."""

    reasons: tuple[Phrase, ...]

    def __call__(self, session: Session) -> Session:
        done = tuple(each for each in session.current.done if each not in self.reasons)
        return session.answering(altered(session.current, done=done))


@dataclass(frozen=True, slots=True)
class Unsaid(Deed):
    """What was said with a code to seats of a game, and holds no longer."""

    game: int
    code: str

    def __call__(self, session: Session) -> Session:
        for at, answer in enumerate(session.answers):
            if answer.game == self.game:
                done = tuple(reason for reason in answer.done if reason.code != self.code)
                session = session.answering(altered(answer, done=done), at)
        return session


@dataclass(frozen=True, slots=True)
class Shown(Deed):
    """Something that was asked for, by the template that shows it; the same again, as it still is,
    is shown once.

    `asked` is the line that asks for this alone, if it is not the line at work.
    """

    kind: Kind
    template: str
    facts: Mapping[str, object]
    asked: object

    def __call__(self, session: Session) -> Session:
        info = {"template": self.template, **self.facts}
        infos: tuple[Mapping[str, object], ...] = ()
        before = session.current.infos
        if not any({k: v for k, v in each.items() if k != "asked"} == info for each in before):
            infos = ({**info, "asked": self.asked or session.asking},)
        more = Answer(infos=infos, kinds=frozenset({self.kind}), asked=(self.template,))
        return session.answering(session.current.plus(more))


def shown(kind: Kind, template: str, **facts: object) -> Outcome:
    """Show something that was asked for; `asked` among the facts: by that line alone."""
    return Shown(kind, template, facts, facts.pop("asked", ""))


@dataclass(frozen=True, slots=True)
class Renewed(Deed):
    """Whether the next good orders take the place of everything on file."""

    fresh: bool

    def __call__(self, session: Session) -> Session:
        return session.answering(altered(session.current, fresh=self.fresh))


def renewed(fresh: bool) -> Outcome:
    """Have the next good orders take the place of everything on file, or no longer."""
    return Renewed(fresh)


@dataclass(frozen=True, slots=True)
class Adjudicated(Deed):
    """The phase whose orders the answer would have shown is over: its results have them."""

    def __call__(self, session: Session) -> Session:
        return session.answering(altered(session.current, powers=frozenset()))


@dataclass(frozen=True, slots=True)
class Posted(Deed):
    """Letters to go out with the answers."""

    letters: tuple[Letter, ...]

    def __call__(self, session: Session) -> Session:
        return altered(session, letters=session.letters + self.letters)


def posted(*letters: Letter) -> Outcome:
    """Have letters go out."""
    return Posted(letters) if letters else NOTHING


@dataclass(frozen=True, slots=True)
class Approached(Deed):
    """A letter to a stranger, by its number among those, and what is said of it."""

    letter: Letter
    reasons: tuple[Phrase, ...]

    def __call__(self, session: Session) -> Session:
        session = session.after(posted(self.letter) + said(*self.reasons))
        return altered(session, outreach={**session.outreach, self.letter.outreach: self.reasons})


@dataclass(frozen=True, slots=True)
class Unsent(Deed):
    """Letters to strangers that do not go out at all; what this mail said of them is unsaid."""

    numbers: frozenset[int]

    def __call__(self, session: Session) -> Session:
        letters = tuple(each for each in session.letters if each.outreach not in self.numbers)
        said_of = [r for n in self.numbers for r in session.outreach.get(n, ())]
        session = Retracted(tuple(said_of))(altered(session, letters=letters))
        left = {n: told for n, told in session.outreach.items() if n not in self.numbers}
        return altered(session, outreach=left)


@dataclass(frozen=True, slots=True)
class Spread(Deed):
    """Something everybody else in a game is told, or just some seats."""

    game: int
    reason: Phrase
    kind: Kind
    to: frozenset[int] | None

    def __call__(self, session: Session) -> Session:
        by = session.current.seat, session.acting
        return altered(
            session, news=(*session.news, News(self.game, self.reason, self.kind, by, self.to))
        )


def announced(
    session: Session, game: Game, reason: Phrase, kind: Kind = Kind.NOTICE
) -> Outcome:
    """Have everybody else in a game told, in one letter for all that this mail changed.

    Whose seat is open hears it in the answer.
    """
    record(game, reason, session.now, kind)
    return spread(game, reason, kind)


def spread(
    game: Game, reason: Phrase, kind: Kind = Kind.NOTICE, to: frozenset[int] | None = None
) -> Outcome:
    """Have more said in that letter, which HISTORY need not keep; `to` these seats alone."""
    return Spread(game.id, reason, kind, to)


def told_all(session: Session, game: Game, news: Sequence[Phrase]) -> Outcome:
    """Send the same news to the sender and to everyone else in a game.

    HISTORY keeps the first of the news.
    """
    did = said(*news)
    for number, reason in enumerate(news):
        did += spread(game, reason) if number else announced(session, game, reason)
    return did


@dataclass(frozen=True, slots=True)
class Touched(Deed):
    """A game may start now, or be adjudicated early."""

    game: int

    def __call__(self, session: Session) -> Session:
        if self.game in session.changed:
            return session
        return altered(session, changed=(*session.changed, self.game))


def touched(game: Game) -> Outcome:
    """Note that a game may now start or be adjudicated early."""
    return Touched(game.id)


@dataclass(frozen=True, slots=True)
class Opened(Deed):
    """A seat is open, for a master's doing where `by` is his."""

    seat: Seat
    by: int

    def __call__(self, session: Session) -> Session:
        return session.opened(self.seat, self.by)


def opened(seat: Seat, by: int = 0) -> Outcome:
    """Open a seat: what follows is for it; `by` a master who acts for whoever sits there."""
    return Opened(seat, by)


@dataclass(frozen=True, slots=True)
class Closed(Deed):
    """No seat is open."""

    shut: bool

    def __call__(self, session: Session) -> Session:
        return session.closed(shut=self.shut)


def closed(*, shut: bool = False) -> Outcome:
    """Close the open seat; `shut` after a failed sign-on."""
    return Closed(shut)


@dataclass(frozen=True, slots=True)
class Aimed(Deed):
    """The phase that orders are for from here on; `astray`: for none."""

    ahead: str
    astray: bool

    def __call__(self, session: Session) -> Session:
        return altered(session, ahead=self.ahead, astray=self.astray)


def aimed(ahead: str, *, astray: bool = False) -> Outcome:
    """Have the orders that follow be for a phase; `astray`: for none until PHASE says so."""
    return Aimed(ahead, astray)


@dataclass(frozen=True, slots=True)
class Tried(Deed):
    """A wrong password, by what it is counted under."""

    lock: str

    def __call__(self, session: Session) -> Session:
        many = session.tried.get(self.lock, 0) + 1
        return altered(session, tried={**session.tried, self.lock: many})


@dataclass(frozen=True, slots=True)
class Kept(Deed):
    """A command that waits for a confirmation, in words; what `follows` it may wait with it."""

    what: str
    follows: bool

    def __call__(self, session: Session) -> Session:
        return altered(
            session, unconfirmed=True, waiting=session.waiting or self.follows,
            kept=(*session.kept, self.what) if self.what else session.kept,
        )


@dataclass(frozen=True, slots=True)
class Chosen(Deed):
    """What was set in a game."""

    game: int
    name: str
    value: object

    def __call__(self, session: Session) -> Session:
        before = {**session.set_before, (self.game, self.name): self.value}
        return altered(session, set_before=before)


@dataclass(frozen=True, slots=True)
class Watched(Deed):
    """What players of a game let each other order before this mail changed orders."""

    game: int
    trusts: tuple[Trust, ...]

    def __call__(self, session: Session) -> Session:
        return altered(session, trusted={self.game: self.trusts, **session.trusted})


@dataclass(frozen=True, slots=True)
class Acted(Deed):
    """What a master did that everybody gets a letter of."""

    alike: object

    def __call__(self, session: Session) -> Session:
        return altered(session, acts=(*session.acts, self.alike))
