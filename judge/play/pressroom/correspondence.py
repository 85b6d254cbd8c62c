"""Press as it was sent: by whom and for whom really, and as whose and whose it is shown.

What is stored under "from" and "to" is what readers are shown; the truth stands apart. So whoever
prints an event without knowing better gives nothing away.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from judge.play.game import Game, Office
from judge.play.office import sides_of, title_of
from judge.words.press import WRITER
from judge.words.record import Event, GameState, Role, Seat

MASTER, OBSERVERS = "Master", "Observers"
"""Readers that are no powers, as they stand in lists of readers."""
_NAMELESS = {"": "a player", "Observer": "an observer"}


@dataclass(frozen=True, slots=True)
class Sent:
    """One press letter. No readers at all: everybody."""

    writer: int
    """Number of the writer's seat."""
    name: str
    """Title of that seat when it wrote."""
    to: tuple[str, ...]
    """Powers, Master and Observers."""
    answered: tuple[int, ...]
    """Further readers, as numbers of seats: those who wrote a letter that did not name them."""
    shown_as: str | None
    """The writer as readers see him; None: nobody."""
    shown_to: tuple[str, ...]
    body: tuple[str, ...]
    thread: int = 0
    """Number of the event its conversation began with; 0: with itself."""

    @property
    def is_for_all(self) -> bool:
        """Tell whether it is for everybody."""
        return not self.to and not self.answered

    @property
    def is_with_master(self) -> bool:
        """Tell whether it is between the master and somebody else."""
        return MASTER in self.to or self.name == MASTER and not self.is_for_all

    def as_text(self) -> str:
        """Return it as the text of an event."""
        real = {"seat": self.writer, "from": self.name, "to": self.to, "answered": self.answered,
                "thread": self.thread}
        shown = {"from": self.shown_as, "to": self.shown_to, "body": self.body, "real": real}
        return json.dumps(shown, ensure_ascii=False)


def read_sent(text: str) -> Sent:
    """Return the press that an event tells of; older ones hid nothing and name no seat."""
    shown = json.loads(text)
    real = {"seat": 0, "from": shown["from"], "to": shown["to"], **shown.get("real", {})}
    return Sent(
        writer=real["seat"],
        name=real["from"],
        to=tuple(real["to"]),
        answered=tuple(real.get("answered", ())),
        shown_as=shown["from"],
        shown_to=tuple(shown["to"]),
        body=tuple(shown["body"]),
        thread=real.get("thread", 0),
    )


def knows_all(game: Game, seat: Seat | None, sent: Sent) -> bool:
    """Tell whether somebody is shown who really wrote press and to whom.

    The master is, unless he may play himself, and when the game is over everybody under SET
    REVEAL PRESS; what players and master wrote each other stays theirs.
    """
    if _is_revealed(game, sent):
        return True
    return seat is not None and seat.role is Role.MASTER and not game.chosen.gm_plays


def _is_revealed(game: Game, sent: Sent) -> bool:
    over = game.state is GameState.ENDED
    return over and game.chosen.reveal_press and not sent.is_with_master


def readers_of(game: Game, sent: Sent, powers: Sequence[str]) -> tuple[str, ...]:
    """Return the names an event is kept for: who reads it in HISTORY; none: everybody.

    `powers` are those of the seats it answers.
    """
    if sent.is_for_all:
        return () if game.chosen.observer_press != "none" else (*_all_powers(game), MASTER)
    named = (*sent.to, *powers)
    copied = not game.chosen.gm_plays and game.chosen.press_copies
    return tuple(dict.fromkeys((*named, MASTER) if copied else named))


def _all_powers(game: Game) -> tuple[str, ...]:
    return tuple(side.name for side in sides_of(game))


def gets(game: Game, seat: Seat, sent: Sent) -> bool:
    """Tell whether press comes to a seat as a letter; it never comes to who only has results."""
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


def may_read(game: Game, seat: Seat | None, event: Event, sent: Sent) -> bool:
    """Tell whether HISTORY shows press to somebody; without a seat he is a stranger."""
    if not event.readers or _is_revealed(game, sent):
        return True
    if seat is None or seat.role is Role.MONITOR:
        return False
    if seat.id == sent.writer or seat.id in sent.answered:
        return True
    title = OBSERVERS if seat.role is Role.OBSERVER else title_of(seat)
    return title in event.readers


def view(game: Game, seat: Seat | None, sent: Sent) -> dict[str, object]:
    """Return press as somebody sees it: the facts of a letter, of HISTORY, of a report.

    `writer` empty: nobody is named. `seen_from` and `seen_to` are for who knows better: what other
    readers see, where that is not so.
    """
    shown_as, shown_to = _said(sent.shown_as), _named(game.office, seat, sent.shown_to, sent, True)
    facts: dict[str, object] = {
        "writer": shown_as, "readers": shown_to, "body": sent.body, "seen_from": None,
        "seen_to": None, "is_answer": seat is not None and seat.id in sent.answered,
    }
    knows = knows_all(game, seat, sent)
    if knows or seat is not None and seat.id == sent.writer:
        real_to = (*sent.to, WRITER) if sent.answered else sent.to
        facts["writer"] = _said(sent.name)
        facts["readers"] = _named(game.office, seat, real_to, sent, not knows)
        facts["seen_from"] = shown_as if sent.shown_as != sent.name else None
        facts["seen_to"] = shown_to if set(sent.shown_to) != set(real_to) else None
    return facts


def _said(name: str | None) -> str:
    return "" if name is None else _NAMELESS.get(name, name)


def _named(
    office: Office, seat: Seat | None, names: Sequence[str], sent: Sent, hides: bool
) -> tuple[str, ...]:
    """Return readers in words; those answered without being named stay so where `hides`."""
    found: list[str] = []
    for name in names:
        if name == OBSERVERS:
            found.append("the observers")
        elif name != WRITER:
            found.append(name)
        elif seat is not None and seat.id in sent.answered:
            found.append("you")
        elif hides:
            found.append("the writer of the message it answers")
        else:
            seats = [office.games.seat(number) for number in sent.answered]
            found += [_said(title_of(each)) for each in seats if each]
    return tuple(found)
