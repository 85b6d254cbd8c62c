"""Press: messages between players, with their readers, disguises and times.

An event stores under "from" and "to" what readers are shown, and the truth separately, so that
printing an event reveals nothing by mistake. Press may be shown as white or grey, with fake
readers (nJudge) and fake writers (DPjudge). Press to and from the master is always white and
never fake.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.press_commands import GREY, WHITE, WRITER, SendPress
from judge.model.record import Event, GameState, PendingTextKind, Role, Seat
from judge.play.game import Context, Game
from judge.play.letters.letter_factory import letter_to, present_seats
from judge.play.queries import (
    example_of,
    find_power,
    is_present,
    near_powers,
    sides_of,
    title_of,
)

MASTER, OBSERVERS = "Master", "Observers"
"""Readers that are not powers, as named in lists of readers."""
_NAMELESS = {"": phrase("a-player"), "Observer": phrase("an-observer")}


@dataclass(frozen=True, slots=True)
class PressMessage:
    """One press message. Without any readers it is for everyone."""

    writer: int
    """Number of the writer's seat."""
    name: str
    """Title of that seat when it wrote."""
    to: tuple[str, ...]
    """Powers, Master and Observers."""
    answered: tuple[int, ...]
    """Further readers: seat numbers of writers whose letters did not name them."""
    shown_as: str | None
    """The writer as readers see them, or None if no writer is shown."""
    shown_to: tuple[str, ...]
    body: tuple[str, ...]
    thread: int = 0
    """Number of the event that began its conversation, or 0 if it is this one."""

    is_after: bool = False
    """True if it was sent after the end. SET REVEAL PRESS does not reveal it."""

    @property
    def is_for_all(self) -> bool:
        """True if it is for everyone."""
        return not self.to and not self.answered

    @property
    def is_with_master(self) -> bool:
        """True if it is between the master and another person."""
        return MASTER in self.to or self.name == MASTER and not self.is_for_all

    def as_text(self) -> str:
        """Return it as the text of an event."""
        real = {"seat": self.writer, "from": self.name, "to": self.to, "answered": self.answered,
                "thread": self.thread, **({"after": True} if self.is_after else {})}
        shown = {"from": self.shown_as, "to": self.shown_to, "body": self.body, "real": real}
        return json.dumps(shown, ensure_ascii=False)


def read_sent(text: str) -> PressMessage:
    """Return the press message of an event. Older ones hid nothing and name no seat."""
    shown = json.loads(text)
    real = {"seat": 0, "from": shown["from"], "to": shown["to"], **shown.get("real", {})}
    return PressMessage(
        writer=real["seat"],
        name=real["from"],
        to=tuple(real["to"]),
        answered=tuple(real.get("answered", ())),
        shown_as=shown["from"],
        shown_to=tuple(shown["to"]),
        body=tuple(shown["body"]),
        thread=real.get("thread", 0),
        is_after=real.get("after", False),
    )


def knows_all(game: Game, seat: Seat | None, sent: PressMessage) -> bool:
    """Return whether a seat is shown the real writer and readers of press.

    The master is, unless they may play. When the game is over everyone is under SET REVEAL
    PRESS, but not for messages between players and master or for those written after the end.
    """
    if _is_revealed(game, sent):
        return True
    return seat is not None and seat.role is Role.MASTER and not game.chosen.gm_plays


def _is_revealed(game: Game, sent: PressMessage) -> bool:
    over = game.state is GameState.ENDED and not sent.is_after
    return over and game.chosen.reveal_press and not sent.is_with_master


def readers_of(game: Game, sent: PressMessage, powers: Sequence[str]) -> tuple[str, ...]:
    """Return the names of those who read an event in HISTORY (none: everyone).

    `powers` are those of the seats it answers.
    """
    if sent.is_for_all:
        return () if game.chosen.observer_press != "none" else (*_all_powers(game), MASTER)
    named = (*sent.to, *powers)
    copied = not game.chosen.gm_plays and game.chosen.press_copies
    return tuple(dict.fromkeys((*named, MASTER) if copied else named))


def _all_powers(game: Game) -> tuple[str, ...]:
    return tuple(side.name for side in sides_of(game))


def receives_letter(game: Game, seat: Seat, sent: PressMessage) -> bool:
    """Return whether press is sent to a seat as a letter. Monitors never get any."""
    if seat.role is Role.MONITOR or seat.id == sent.writer:
        return False
    if sent.is_for_all:
        return seat.role is not Role.OBSERVER or game.chosen.observer_press != "none"
    if seat.id in sent.answered:
        return True
    if seat.role is Role.OBSERVER:
        return OBSERVERS in sent.to
    if seat.role is Role.MASTER and MASTER not in sent.to:
        return not game.chosen.gm_plays and game.chosen.press_copies
    return title_of(seat) in sent.to


def may_read(game: Game, seat: Seat | None, event: Event, sent: PressMessage) -> bool:
    """Return whether HISTORY shows press to a seat (None: to a stranger)."""
    if not event.readers or _is_revealed(game, sent):
        return True
    if seat is None or seat.role is Role.MONITOR:
        return False
    if seat.id == sent.writer or seat.id in sent.answered:
        return True
    title = OBSERVERS if seat.role is Role.OBSERVER else title_of(seat)
    return title in event.readers


def view(game: Game, seat: Seat | None, sent: PressMessage) -> dict[str, object]:
    """Return press as a seat sees it: the facts of a letter, of HISTORY, of a report.

    An empty `writer` means that none is named. For viewers who know the truth, `seen_from` and
    `seen_to` are what other readers see, if it differs.
    """
    shown_as, shown_to = (
        _describe_name(sent.shown_as),
        _describe_readers(game.context, seat, sent.shown_to, sent, True),
    )
    facts: dict[str, object] = {
        "writer": shown_as, "readers": shown_to, "body": sent.body, "seen_from": None,
        "seen_to": None, "is_answer": seat is not None and seat.id in sent.answered,
    }
    knows = knows_all(game, seat, sent)
    if knows or seat is not None and seat.id == sent.writer:
        real_to = (*sent.to, WRITER) if sent.answered else sent.to
        facts["writer"] = _describe_name(sent.name)
        facts["readers"] = _describe_readers(game.context, seat, real_to, sent, not knows)
        facts["seen_from"] = shown_as if sent.shown_as != sent.name else None
        facts["seen_to"] = shown_to if set(sent.shown_to) != set(real_to) else None
    return facts


def _describe_name(name: str | None) -> Phrase | str:
    return "" if name is None else _NAMELESS.get(name, name)


def _describe_readers(
    context: Context, seat: Seat | None, names: Sequence[str], sent: PressMessage, hides: bool
) -> tuple[str | Phrase, ...]:
    """Return readers in words, without naming those answered by number if `hides`."""
    found: list[str | Phrase] = []
    for name in names:
        if name == OBSERVERS:
            found.append(phrase("the-observers"))
        elif name != WRITER:
            found.append(name)
        elif seat is not None and seat.id in sent.answered:
            found.append(phrase("you"))
        elif hides:
            found.append(phrase("writer-answered"))
        else:
            seats = [context.games.seat(number) for number in sent.answered]
            found += [_describe_name(title_of(each)) for each in seats if each]
    return tuple(found)


WORDS = {"m": MASTER, "master": MASTER, "gm": MASTER, "o": OBSERVERS, "observer": OBSERVERS,
         "observers": OBSERVERS}
"""Words for readers that are not powers."""
_LETTERS = {"M": MASTER, "O": OBSERVERS}


@dataclass(frozen=True, slots=True)
class Readers:
    """Readers of press. Without names and answered seats it is for everyone."""

    names: tuple[str, ...] = ()
    answered: tuple[int, ...] = ()
    """Seats that wrote a letter which did not name them."""
    answers: int = 0
    """The event answered."""
    thread: int = 0
    answers_hidden: bool = False
    """True if the letter answered named no writer.

    Both then stay hidden from each other.
    """
    left_out: str = ""
    """Title of the writer, if the list of readers meant included it."""

    @property
    def is_for_all(self) -> bool:
        """True if it is for everyone."""
        return not self.names and not self.answered

    @property
    def is_for_master(self) -> bool:
        """True if it is for the master alone."""
        return self.names == (MASTER,) and not self.answered


def unknown_reader(game: Game, word: str | Phrase) -> Phrase:
    """Return the complaint about an unknown reader, with examples of names."""
    to, named = example_of(game, "example-to"), example_of(game, "example-named")
    return phrase("press-to-unknown", word=word, game=game.name, to=to, named=named)


def read_readers(game: Game, to: Sequence[str], all_but: bool) -> tuple[str, ...] | Phrase:
    """Return the names in a list of readers.

    Only an empty list gives none, for everyone.

    A word is a power's name, or letters run together ("FI"). M is the master, O the observers.
    """
    named: dict[str, None] = {}
    for word in to:
        found = names_meant(game, word)
        if word.casefold() == "gm" and (power := find_power(game, "g")):
            return phrase("press-to-gm", power=power.name)
        if found is None:
            if near := near_powers(game, word):
                return phrase("press-to-near", word=word, game=game.name, near=tuple(near))
            return unknown_reader(game, word)
        named.update(dict.fromkeys(found))
    if not all_but:
        return tuple(named)
    begun = game.state is not GameState.FORMING
    powers = game.table.powers_alive() if begun else tuple(side.name for side in sides_of(game))
    left = tuple(power for power in powers if power not in named)
    return left or phrase("press-to-nobody")


def names_meant(game: Game, word: str) -> tuple[str, ...] | None:
    """Return the readers a word means, or None."""
    if word.casefold() in WORDS:
        return (WORDS[word.casefold()],)
    side = find_power(game, word)
    if side:
        return (side.name,)
    letters = {**{s.letter: s.name for s in sides_of(game)}, **_LETTERS}
    upper = word.upper()
    return tuple(letters[one] for one in upper) if set(upper) <= set(letters) else None


class PressDisguise(NamedTuple):
    """Shown writer and readers of press. A `writer` of None is hidden."""

    writer: str | None
    readers: tuple[str, ...]


def disguise_for(
    game: Game, seat: Seat, command: SendPress, readers: Readers
) -> PressDisguise | Phrase:
    """Return how press is to be shown, or why it may not be shown so."""
    plain = PressDisguise(
        title_of(seat), (*readers.names, WRITER) if readers.answered else readers.names
    )
    if seat.role is Role.MASTER or readers.is_for_master:
        dressed = command.colour == GREY or command.fake or command.sender
        return phrase("press-with-master-plain") if dressed else plain
    writer = _writer(game, seat, command, readers)
    shown_to = _readers(game, command, readers, plain.readers)
    if isinstance(writer, Phrase):
        return writer
    if isinstance(shown_to, Phrase):
        return shown_to
    shown_as = None if writer == "" else writer or plain.writer
    if shown_as != plain.writer:
        left_out = "" if command.fake else readers.left_out
        shown_to = _covering(game, shown_as, shown_to, left_out)
    return PressDisguise(shown_as, shown_to)


def _covering(
    game: Game, shown_as: str | None, shown_to: tuple[str, ...], left_out: str
) -> tuple[str, ...]:
    """Return a list of readers that does not reveal a disguised or hidden writer.

    The shown writer is not among the readers. A list "all but Italy" includes the real writer,
    in the usual place in the map's order.
    """
    if not shown_to:
        return ()
    names = dict.fromkeys((*shown_to, *([left_out] if left_out else [])))
    order = {side.name: at for at, side in enumerate(sides_of(game))}
    covering = sorted(names, key=lambda name: order.get(name, len(order)))
    return tuple(name for name in covering if name != shown_as) or shown_to


def _writer(game: Game, seat: Seat, command: SendPress, readers: Readers) -> str | None | Phrase:
    """Return the name press is shown under: "" for none, None for the writer's own."""
    allowed = game.chosen.press
    if command.sender:
        return _read_fake_sender(game, seat, command.sender)
    if seat.role is Role.OBSERVER and game.chosen.observer_press != "any":
        allowed = WHITE
    wish = command.colour or (GREY if readers.answers_hidden else "")
    first, _, second = allowed.partition("/")
    if wish not in ("", first, second):
        return phrase("press-white-only" if wish == GREY else "press-grey-only", game=game.name)
    return "" if (wish or first) == GREY else None


def _read_fake_sender(game: Game, seat: Seat, word: str) -> str | Phrase:
    if not game.chosen.fake_sender:
        return phrase("press-no-fake-sender", game=game.name)
    side = find_power(game, word)
    if side is None or seat.role is not Role.PLAYER:
        return phrase("press-from-unknown", word=word)
    return side.name


def _readers(
    game: Game, command: SendPress, readers: Readers, plain: tuple[str, ...]
) -> tuple[str, ...] | Phrase:
    """Return the readers shown: the real ones, unless the game allows others."""
    rule = game.chosen.fake
    if command.fake and rule == "none":
        return phrase("press-no-fake", game=game.name)
    if (command.fake and command.fake_to or command.honest) and rule == "always":
        return phrase("press-always-broadcast", game=game.name)
    if readers.is_for_all:
        return phrase("press-fake-broadcast") if command.fake else ()
    if command.fake:
        shown = read_readers(game, command.fake_to, command.fake_all_but)
        if not isinstance(shown, Phrase) and MASTER in shown:
            return phrase("press-with-master-plain")
        return shown
    if rule in ("default", "always") and not command.honest:
        return ()
    return plain


def publish_postal(game: Game, now: datetime) -> list[PressMessage]:
    """Publish the press that was delayed until the results, and return it.

    HISTORY shows it with the present time, not the time of writing.
    """
    found = []
    for paper in game.context.pending_press.list_texts(game.id, PendingTextKind.POSTAL):
        sent = read_sent(paper.text)
        game.add_event(
            Event(game.id, now, paper.phase, LetterKind.PRESS.value, paper.text,
                  readers_of(game, sent, ()))
        )
        game.context.pending_press.drop(paper)
        found.append(sent)
    return found


def postal_facts(game: Game, seat: Seat, published: list[PressMessage]) -> list[dict[str, object]]:
    """Return the press that comes with a seat's results, including the seat's own."""
    mine = [
        sent for sent in published if sent.writer == seat.id or receives_letter(game, seat, sent)
    ]
    return [view(game, seat, sent) for sent in mine] if is_present(seat) else []


DIARY = "diary"
"""Kind of event of a published diary note."""
MAX_OCTETS = 200 * 1024
"""Maximum octets of diaries in one letter. HISTORY has the rest."""


def publish_remaining_texts(game: Game) -> list[Letter]:
    """Publish the remaining postal press and all diaries at the end of a game.

    Return letters to all who read press, which also announce press revealed now.
    """
    now = game.ended or game.created
    postal = publish_postal(game, now)
    notes = _publish_diaries(game)
    shown, left = [], MAX_OCTETS
    for note in notes:
        left -= len(json.dumps(note["body"], ensure_ascii=False).encode())
        if left >= 0:
            shown.append(note)
    turns = game.turns()
    first = turns[0].phase if turns else game.phase
    revealed = game.chosen.reveal_press
    if not (postal or notes or revealed):
        return []
    return [
        letter_to(
            game, seat, LetterKind.END, "papers",
            {
                "postal": [view(game, seat, sent) for sent in postal],
                "notes": shown,
                "left_out": len(notes) - len(shown),
                "revealed": revealed,
                "since": first,
            },
            phrase("event-papers"),
        )
        for seat in present_seats(game)
        if seat.role is not Role.MONITOR
    ]


def _publish_diaries(game: Game) -> list[dict[str, object]]:
    """Move diaries into the history, where everyone reads them."""
    notes = []
    for paper in game.context.pending_press.list_texts(game.id, PendingTextKind.DIARY):
        seat = game.context.games.seat(paper.seat)
        assert seat is not None
        note = {"from": title_of(seat), "body": json.loads(paper.text)}
        game.add_event(
            Event(game.id, paper.at, paper.phase, DIARY, json.dumps(note, ensure_ascii=False))
        )
        game.context.pending_press.drop(paper)
        notes.append({**note, "at": paper.at, "phase": paper.phase})
    return notes
