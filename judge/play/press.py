"""Press: who may write to whom, and the letters it becomes."""

import json
from collections.abc import Iterable, Sequence

from judge.games.system import Side
from judge.play.office import find_side, is_open, sides_of, table_of, title_of
from judge.play.session import Session
from judge.play.settings import setting
from judge.play.telling import letter_to, present_seats
from judge.play.tokens import Purpose
from judge.words.command import SendPress
from judge.words.incoming import Line
from judge.words.letter import Kind
from judge.words.reason import Reason, because
from judge.words.record import Event, GameRecord, GameState, Role, Seat

LONGEST = 32 * 1024
"""Octets of one press letter."""

MASTER = "Master"

WRITER, GROUP = "@writer", "@group"
"""For whom a plain reply to press is, as the reader of mails puts it: nobody can type that."""


def send_press(session: Session, command: SendPress) -> None:
    """Deliver a PRESS or BROADCAST block; press that may not be is returned to its writer alone."""
    game, writer = session.game, session.seat
    is_reply = command.to in ((WRITER,), (GROUP,))
    readers = _answered(session, command) if is_reply else _readers(game, command)
    problem = readers if isinstance(readers, Reason) else _problem(session, command, readers)
    if problem:
        session.refuse(command, problem)
        return
    assert not isinstance(readers, Reason)
    _deliver(session, game, writer, readers, command.body)


def _readers(game: GameRecord, command: SendPress) -> tuple[str, ...] | Reason:
    """Return the powers (and "Master") a block is for; empty: everybody.

    A word is a power's name, or letters run together ("FI", with M for the master).
    """
    if not command.to:
        return ()
    named: dict[str, None] = {}
    for word in command.to:
        found = _named(game, word)
        if found is None:
            return because("press-to-unknown", word=word, game=game.name)
        named.update(dict.fromkeys(found))
    if command.all_but:
        return tuple(s.name for s in sides_of(game) if s.name not in named)
    return tuple(named)


def _named(game: GameRecord, word: str) -> tuple[str, ...] | None:
    if word.casefold() in ("m", "master", "gm"):
        return (MASTER,)
    side = find_side(game, word)
    if side:
        return (side.name,)
    sides = {s.letter: s for s in sides_of(game)}
    letters = word.upper()
    if set(letters) <= {*sides, "M"}:
        return tuple(_letter_name(sides, letter) for letter in letters)
    return None


def _letter_name(sides: dict[str, Side], letter: str) -> str:
    return MASTER if letter == "M" else sides[letter].name


def _problem(session: Session, command: SendPress, readers: tuple[str, ...]) -> Reason | None:
    """Return why this press may not be sent, or None."""
    game, writer = session.game, session.seat
    if writer.role in (Role.OBSERVER, Role.MONITOR):
        return because("press-by-observer")
    if not is_open(game):
        return because("press-after-end", game=game.name)
    if not any(line.strip() for line in command.body):
        return because("press-empty")
    if sum(len(line.encode()) + 1 for line in command.body) > LONGEST:
        return because("press-too-long", limit=LONGEST // 1024)
    if writer.role is Role.MASTER or readers == (MASTER,):
        return None
    if game.state is GameState.FORMING and readers:
        return because("press-before-start")
    if setting(game, "press") == "none":
        return because("press-none", game=game.name)
    if "writing" in game.marks:
        return because("press-while-writing", phase=game.phase)
    if readers and not setting(game, "partial"):
        return because("press-no-partial", game=game.name)
    if title_of(writer) in readers:
        return because("press-to-oneself")
    return None


def _deliver(
    session: Session,
    game: GameRecord,
    writer: Seat,
    readers: tuple[str, ...],
    body: Sequence[str],
) -> None:
    office = session.office
    text = json.dumps(
        {"from": title_of(writer), "to": readers, "body": list(body)}, ensure_ascii=False
    )
    # The master reads along with what is not for everybody, unless he plays himself.
    copied = (*readers, MASTER) if readers and not setting(game, "gm_plays") else readers
    event = office.games.add_event(
        Event(game.id, session.now, game.phase, Kind.PRESS.value, text, copied)
    )
    reached = []
    for seat in present_seats(office, game):
        if seat.id == writer.id or not _gets(seat, copied):
            continue
        facts = {
            "writer": title_of(writer) or "a player",
            "readers": readers,
            "body": tuple(body),
            "copy": bool(readers) and title_of(seat) not in readers,
        }
        subject = "press" if readers else "broadcast"
        session.letters.append(
            letter_to(
                office, game, seat, Kind.PRESS, "press", facts,
                f"{subject} from {title_of(writer) or 'a player'}",
                purpose=Purpose.PRESS, extra=event,
            )
        )
        reached.append(title_of(seat))
    missing = [name for name in readers if name not in reached]
    session.say(because("press-sent", to=readers or ("all",)))
    if missing:
        session.say(because("press-vacant", powers=tuple(missing)))


def _gets(seat: Seat, readers: Iterable[str]) -> bool:
    """Tell whether a seat gets press for these readers; broadcasts go to all but monitors."""
    if not readers:
        return seat.role is not Role.MONITOR
    return title_of(seat) in readers and seat.role in (Role.PLAYER, Role.MASTER)


def _answered(session: Session, command: SendPress) -> tuple[str, ...] | Reason:
    """Return for whom a plain reply to a press letter is: its writer, or with TO ALL the group.

    If every line reads as an order nothing is sent: the player is asked which was meant.
    """
    game, own = session.game, title_of(session.seat)
    event = session.office.games.event(session.press_answered)
    if event is None or event.kind != Kind.PRESS.value or event.game != game.id:
        return because("press-to-unknown", word="the writer", game=game.name)
    press = json.loads(event.text)
    if _reads_as_orders(session, command):
        return because("press-or-orders")
    if command.to == (GROUP,):
        names = [name for name in (press["from"], *press["to"]) if name != own]
        return tuple(names) if press["to"] else ()
    return (press["from"],)


def _reads_as_orders(session: Session, command: SendPress) -> bool:
    lines = [Line(n, text) for n, text in enumerate(command.body, 1) if text.strip()]
    power = session.seat.power
    if not power or session.game.state is not GameState.RUNNING:
        return False
    read = table_of(session.game).read_orders(lines, power, {})
    return bool(lines) and all(line.filed for line in read.lines)
