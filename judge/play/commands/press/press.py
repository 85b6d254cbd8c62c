"""Press: permissions, storage for HISTORY, and delivery by visibility."""

import difflib
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

from judge.games.capabilities import Adjacency
from judge.model.command import (
    PASSWORD_MASK,
    AuditDetail,
    BlockForm,
    Command,
    CommandForm,
    EchoPolicy,
)
from judge.model.incoming import Line
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.press_commands import GROUP, WRITER, SendPress
from judge.model.record import NO_ID, Event, GameState, PendingText, PendingTextKind, Role, Seat
from judge.play.commands.row import DECLARED, CommandRow
from judge.play.commands.session import Session
from judge.play.game import Context, Game
from judge.play.letters.anonymity import is_gunboat
from judge.play.letters.letter_factory import letter_to, present_seats
from judge.play.post_game import may_talk
from judge.play.press import (
    MASTER,
    OBSERVERS,
    WORDS,
    PressMessage,
    Readers,
    disguise_for,
    knows_all,
    names_meant,
    read_readers,
    read_sent,
    readers_of,
    receives_letter,
    unknown_reader,
    view,
)
from judge.play.queries import (
    bots_in,
    find_power,
    is_main_phase,
    is_open,
    main_phases,
    sheet_of,
    sides_of,
    title_of,
)
from judge.play.tokens import Purpose

MAX_DOUBTED = 4
"""Maximum number of words in a doubtful heading.

A longer line that begins with TO and names one power among other words is prose.
"""


def readers_meant(session: Session, command: SendPress) -> Readers | Phrase:
    """Return the readers of a block of press or of a plain reply to press."""
    if command.to in ((WRITER,), (GROUP,)):
        return _find_reply_readers(session, to_group=command.to == (GROUP,))
    names = read_readers(session.game, command.to, command.all_but)
    if isinstance(names, Phrase):
        return names
    own = title_of(session.seat)
    others = tuple(name for name in names if name != own)
    if names and not others:
        return phrase("press-to-oneself")
    return Readers(others, left_out=own if own in names or command.all_but else "")


def with_heading(session: Session, command: SendPress) -> SendPress | Phrase:
    """Return a reply to press for the readers in its first line, such as `TO G I`.

    A line that resembles one but contains an unknown name is refused, so that no press goes to
    readers by a guess. "To be honest" is prose.
    """
    game, words = session.game, command.heading
    if not words:
        return command
    known = [_is_named(game, word) for word in words]
    if all(known):
        return replace(command, to=words, body=command.body[1:], heading=())
    names = [word for side in sides_of(game) for word in (side.name, side.adjective)]
    near = [word for word in words if difflib.get_close_matches(word.title(), names, 1, 0.75)]
    if any(known) and len(words) <= MAX_DOUBTED or near:
        wrong = next(word for word, fits in zip(words, known) if not fits)
        return unknown_reader(game, wrong)
    return command


def _is_named(game: Game, word: str) -> bool:
    """Return whether a word names readers.

    Several letters without spaces count only in capitals.
    """
    if len(word) > 1 and (word.casefold() in WORDS or find_power(game, word)):
        return True
    return word.isupper() and names_meant(game, word) is not None


def _find_reply_readers(session: Session, to_group: bool) -> Readers | Phrase:
    """Return the readers of a plain reply to press: only those that it shows.

    If the letter shows another writer than the real one, the reply goes to the one shown.
    Without a shown writer the reply goes to the real one, and neither learns the other's name.
    """
    game, number = session.game, session.press_answered
    event = session.context.games.event(number)
    if event is None or event.kind != LetterKind.PRESS.value or event.game != game.id:
        return unknown_reader(game, phrase("the-writer"))
    sent = read_sent(event.text)
    seat, own = session.seat, title_of(session.seat)
    knows = knows_all(game, seat, sent)
    writer = sent.name if knows else sent.shown_as
    to = sent.to if knows else sent.shown_to
    thread = sent.thread or number
    hidden = writer is None
    names: tuple[str, ...] = ()
    answered: tuple[int, ...] = ()
    if to_group and not to and not sent.answered:
        return Readers((), (), number, thread, hidden)
    if hidden or writer in ("", "Observer"):
        answered = (sent.writer,)
    elif writer:
        names = (writer,)
    if to_group:
        names += to
        answered += sent.answered
    return _without(session, Readers(names, answered, number, thread, hidden), own)


def _without(session: Session, readers: Readers, own: str) -> Readers | Phrase:
    """Return readers without the writer."""
    names = tuple(name for name in dict.fromkeys(readers.names) if name not in (own, WRITER))
    answered = tuple(n for n in dict.fromkeys(readers.answered) if n != session.seat.id)
    if not names and not answered:
        return phrase("press-to-oneself")
    return replace(
        readers, names=names, answered=answered, left_out=own if own in readers.names else ""
    )


def keep_postal(session: Session, sent: PressMessage) -> None:
    """Store press that is delivered with the results of the present phase."""
    game = session.game
    paper = PendingText(
        NO_ID, game.id, session.seat.id, PendingTextKind.POSTAL, game.phase, session.now,
        sent.as_text(),
    )
    session.context.pending_press.keep(paper)
    session.done(phrase("press-postal", phase=game.phase))


DAY = timedelta(days=1)


def text_problem(session: Session, body: tuple[str, ...]) -> Phrase | None:
    """Return why a text can be neither sent nor stored, or None."""
    policy, game = session.context.policy, session.game
    if not any(line.strip() for line in body):
        return phrase("press-empty")
    if too_long := _size_problem(session, body):
        return too_long
    size = octets(body)
    own = game.chosen.max_press if session.seat.role is not Role.MASTER else 0
    most = min(own or policy.press_per_day, policy.press_per_day)
    many, written = session.context.pending_press.usage_since(session.seat.id, session.now - DAY)
    if many >= most:
        return phrase("press-too-many", most=most)
    if written + size > policy.press_volume:
        return phrase("press-too-much", limit=policy.press_volume // 1024)
    return None


def _size_problem(session: Session, body: tuple[str, ...]) -> Phrase | None:
    limit = session.context.policy.press_size
    return phrase("press-too-long", limit=limit // 1024) if octets(body) > limit else None


def octets(body: tuple[str, ...]) -> int:
    """Return the length of a text in bytes, including line ends."""
    return sum(len(line.encode("utf-8", "surrogatepass")) + 1 for line in body)


def note_written(session: Session, body: tuple[str, ...]) -> None:
    """Count a text that was sent or stored."""
    pending_press = session.context.pending_press
    pending_press.record_usage(session.seat.id, session.now, octets(body), session.now - DAY)


def sending_problem(session: Session, command: SendPress, readers: Readers) -> Phrase | None:
    """Return why this press may not be sent, or None.

    The reason does not reveal the writer of the letter that the press answers.
    """
    game, writer = session.game, session.seat
    if not is_open(game):
        return _problem_after_end(session, command, readers)
    if readers.is_for_master and writer.role is not Role.MONITOR:
        return None
    if game.state is GameState.FORMING and not readers.is_for_all:
        return phrase("press-before-start")
    if writer.role is not Role.MASTER:
        problem = _writer_problem(game, writer) or _time_problem(session, game, command)
        if problem:
            return problem
        if not readers.is_for_all and not game.chosen.partial:
            return phrase("press-no-partial", game=game.name)
    if game.state is not GameState.FORMING:
        gone = [name for name in readers.names if _is_out(game, name)]
        if gone:
            return phrase("press-to-eliminated", powers=tuple(gone), count=len(gone))
    if OBSERVERS in readers.names and game.chosen.observer_press == "none":
        return phrase("press-no-observers", game=game.name)
    if game.chosen.touch_press and writer.role is Role.PLAYER:
        return _touch_problem(session, game, command, readers)
    return None


def _problem_after_end(session: Session, command: SendPress, readers: Readers) -> Phrase | None:
    """Return why press may not be sent after the end of its game, or None.

    For some time all people of the game may write to each other.
    """
    game, writer = session.game, session.seat
    if not may_talk(game, session.now):
        return phrase("press-after-end", game=game.name)
    if command.postal:
        return phrase("press-postal-after-end", game=game.name)
    if writer.role is Role.MONITOR:
        return phrase("press-by-monitor")
    level = game.chosen.observer_press
    if writer.role is Role.OBSERVER and level not in ("white", "any"):
        return None if readers.is_for_master else phrase("press-by-observer")
    if OBSERVERS in readers.names and level == "none":
        return phrase("press-no-observers", game=game.name)
    return None


def _writer_problem(game: Game, writer: Seat) -> Phrase | None:
    """Return why this person may write to the master alone in this game, or None."""
    if writer.role is Role.MONITOR:
        return phrase("press-by-monitor")
    if game.chosen.press == "none":
        return phrase("press-none", game=game.name)
    level = game.chosen.observer_press
    if writer.role is Role.OBSERVER and level not in ("white", "any"):
        return phrase("press-by-observer")
    if game.state is not GameState.FORMING and _is_out(game, writer.power):
        if level not in ("white", "any"):
            return phrase("press-by-eliminated", power=writer.power)
    return None


def _is_out(game: Game, name: str) -> bool:
    return find_power(game, name) is not None and name not in game.table.powers_alive()


def _time_problem(session: Session, game: Game, command: SendPress) -> Phrase | None:
    """Return why no press may be sent now, or None.

    Press that comes with the results may be written at any time.
    """
    if command.postal or game.state is GameState.FORMING:
        return None
    if game.clock.writing:
        return phrase("press-while-writing", phase=game.phase)
    table = game.table
    if not (game.chosen.minor_press or is_main_phase(game, table)):
        return phrase("press-movement-only", phase=game.phase, main=main_phases(game))
    over = game.deadline is not None and session.mail.accepted >= game.deadline
    if over and not game.chosen.grace_press:
        return phrase("press-in-grace", phase=game.phase)
    power = session.seat.power
    owes = (
        power in table.powers_due()
        and not session.seat.ready
        and bool(table.missing_orders(power, sheet_of(game, power)))
    )
    if owes and game.chosen.must_order:
        return phrase("press-orders-first", phase=game.phase)
    if owes and over and not game.chosen.late_press:
        return phrase("press-by-late", phase=game.phase)
    return None


def _touch_problem(
    session: Session, game: Game, command: SendPress, readers: Readers
) -> Phrase | None:
    """Return why touch press does not reach these readers, or None.

    Only neighbours are reached. A writer without a name may always be answered.
    """
    if command.postal:
        return None
    if readers.is_for_all:
        return phrase("press-touch-once", phase=game.phase) if _has_spoken(session) else None
    table = game.table
    if not isinstance(table, Adjacency):
        return None
    near = table.adjacent_powers(session.seat.power)
    far = [name for name in readers.names if name not in (*near, MASTER, OBSERVERS)]
    return phrase("press-touch", powers=tuple(far)) if far else None


def _has_spoken(session: Session) -> bool:
    """Return whether the open seat has already sent press to all in this phase."""
    events = session.game.events(session.game.opened)
    spoken = [read_sent(event.text) for event in events if event.kind == LetterKind.PRESS.value]
    return any(sent.is_for_all and sent.writer == session.seat.id for sent in spoken)


_TOKEN = re.compile(r"(?<![a-z0-9])[a-z2-7]{37}(?![a-z0-9])", re.IGNORECASE)
_TEXT_AT_FAULT = ("press-empty", "press-too-long", "press-too-many", "press-too-much")
"""Refusals after which the text is not returned to its writer."""


def send_press(session: Session, command: SendPress) -> None:
    """Deliver press or a reply to press. Return refused press to its writer."""
    if refuse_hidden_sign_on(session, command, command.names):
        return
    headed = with_heading(session, command)
    command = command if isinstance(headed, Phrase) else headed
    readers = headed if isinstance(headed, Phrase) else readers_meant(session, command)
    found = readers if isinstance(readers, Phrase) else _compose_press(session, command, readers)
    if isinstance(found, Phrase):
        session.refuse(command, found)
        if found.code in _TEXT_AT_FAULT:
            return
        if too_long := _size_problem(session, command.body):
            session.refuse(command, too_long)
        else:
            session.show(LetterKind.RECEIPT, "returned", body=_clean(session.context, command.body))
        return
    assert not isinstance(readers, Phrase)
    note_written(session, command.body)
    if command.postal:
        keep_postal(session, found)
        return
    _deliver(session, found)


_ENDS = r"end\s*(press|broadcast)"
DECLARED.append(CommandRow(
    value=SendPress, run=send_press,
    forms=(
        CommandForm("PRESS", "PRESS TO F I", EchoPolicy.ALL, BlockForm("ENDPRESS", _ENDS)),
        CommandForm("BROADCAST", "BROADCAST", EchoPolicy.ALL, BlockForm("ENDBROADCAST", _ENDS)),
        CommandForm("POSTAL PRESS", "POSTAL PRESS", EchoPolicy.ALL, BlockForm("ENDPRESS", _ENDS)),
    ),
    log=AuditDetail.PRESS, as_power=True,
))


def refuse_hidden_sign_on(session: Session, command: Command, names: tuple[str, ...]) -> bool:
    """Refuse a text with a line that signs on to an existing game.

    Its end was forgotten. The lines that follow are ignored, because the seat they are for was
    not opened.
    """
    games = session.context.games
    if not any(games.find(name) for name in names):
        return False
    session.refuse(command, phrase("press-signs-on"))
    session.close(shut=True)
    return True


def _compose_press(session: Session, command: SendPress, readers: Readers) -> PressMessage | Phrase:
    """Return press in the form that is sent and shown, or why it cannot be sent."""
    game, seat = session.game, session.seat
    problem = (
        text_problem(session, command.body)
        or _orders_in_it(session, command)
        or sending_problem(session, command, readers)
    )
    if problem:
        return problem
    if command.postal and not game.chosen.postal_press:
        return phrase("press-no-postal", game=game.name)
    guise = disguise_for(game, seat, command, readers)
    if isinstance(guise, Phrase):
        return guise
    hides = guise.writer != title_of(seat) or is_gunboat(game) and not readers.is_for_master
    if hides and names_its_writer(session, command.body):
        return phrase("press-names-writer")
    return PressMessage(
        writer=seat.id,
        name=title_of(seat),
        to=readers.names,
        answered=readers.answered,
        shown_as=guise.writer,
        shown_to=guise.readers,
        body=_clean(session.context, command.body),
        thread=readers.thread,
        is_after=not is_open(game),
    )


def names_its_writer(session: Session, body: tuple[str, ...]) -> bool:
    """Return whether a text contains its writer's address or full name."""
    context = session.context
    known = {
        address
        for own in (session.seat.address, session.mail.sender) if own
        for address in context.aliases.addresses_of(own)
    }
    names = {context.register.person(address).name for address in known}
    known |= {" ".join(name.split()) for name in names if len(name.split()) > 1}
    text = " ".join(" ".join(body).casefold().split())
    return any(word.casefold() in text for word in known)


def _clean(context: Context, body: tuple[str, ...]) -> tuple[str, ...]:
    """Return a text without reply tokens, which quoted letters contain in addresses."""

    def hide(found: re.Match[str]) -> str:
        return PASSWORD_MASK if context.tokens.read(found[0].lower()) else found[0]

    return tuple(_TOKEN.sub(hide, line) for line in body)


def _orders_in_it(session: Session, command: SendPress) -> Phrase | None:
    """Return a complaint about press that consists of orders, or None.

    That is a reply in which every line reads as an order, or a block without ENDPRESS in which
    any line does.
    """
    if not (session.press_answered or command.signed_off):
        return None
    lines = [Line(n, text) for n, text in enumerate(command.body, 1) if text.strip()]
    power = session.seat.power
    if not power or session.game.state not in (GameState.RUNNING, GameState.PAUSED):
        return None
    read = [line for line in session.game.table.read_orders(lines, power, {}).lines]
    if command.signed_off:
        found = any(
            line.filed or line.notes or line.complaint and not line.ignored for line in read
        )
        return phrase("press-signed-off") if found else None
    found = bool(lines) and all(line.filed or line.notes for line in read)
    return phrase("press-or-orders") if found else None


def _deliver(session: Session, sent: PressMessage) -> None:
    """Store press for HISTORY, and make its letters."""
    context, game = session.context, session.game
    seats = [context.games.seat(number) for number in sent.answered]
    powers = [title_of(seat) for seat in seats if seat]
    event = game.add_event(
        Event(game.id, session.now, game.phase, LetterKind.PRESS.value, sent.as_text(),
              readers_of(game, sent, powers))
    )
    sent = replace(sent, thread=sent.thread or event)
    reached = set()
    for seat in present_seats(game):
        if receives_letter(game, seat, sent):
            session.queue(_letter(game, seat, sent, event))
            reached.add(title_of(seat))
    if session.seat.settings.own_press:
        session.queue(_own_copy(game, session.seat, sent))
    _tell_writer(session, sent, reached)


def _letter(game: Game, seat: Seat, sent: PressMessage, event: int) -> Letter:
    """Make the letter of one reader.

    Its Message-ID, token and thread do not identify the writer.
    """
    seen = view(game, seat, sent)
    what = "press" if seen["readers"] else "broadcast"
    writer: Any = seen["writer"]
    subject = phrase(f"event-{what}-from", who=writer) if writer else phrase(f"event-grey-{what}")
    if writer == MASTER:
        subject = phrase(f"event-{what}-from-master")
    named = title_of(seat) in sent.to or seat.id in sent.answered
    letter = letter_to(
        game, seat, LetterKind.PRESS, "press",
        {"press": seen, "copy": not (sent.is_for_all or named),
         "for_seat": title_of(seat) if _is_one_of_several(game, seat) else ""},
        subject, purpose=Purpose.PRESS, extra=event,
    )
    return replace(letter, threads=(*letter.threads, _talk(game, sent)))


def _own_copy(game: Game, seat: Seat, sent: PressMessage) -> Letter:
    """Make the writer's own copy, which is in no digest.

    A reply to it contains commands.
    """
    letter = letter_to(
        game, seat, LetterKind.RECEIPT, "press-sent", {"press": view(game, seat, sent)},
        phrase("event-press-sent"),
    )
    return replace(letter, threads=(*letter.threads, _talk(game, sent)))


def _talk(game: Game, sent: PressMessage) -> str:
    """Return the name of the thread that press belongs to."""
    return f"{game.name}.talk.{game.context.tokens.opaque_id('talk', sent.thread)}"


def _is_one_of_several(game: Game, seat: Seat) -> bool:
    """Return whether the reader of press has other seats that get it too."""
    if seat.role not in (Role.PLAYER, Role.MASTER):
        return False
    own = set(game.context.aliases.addresses_of(seat.address))
    return any(
        other.id != seat.id and other.role in (Role.PLAYER, Role.MASTER)
        and other.address.lower() in own
        for other in present_seats(game)
    )


def _tell_writer(session: Session, sent: PressMessage, reached: set[str]) -> None:
    """Report the readers, the writer shown, and the powers without a player.

    It is not reported whether the seat of a letter without a writer's name is vacant.
    Vacancies are public, so that would help to identify the writer.
    """
    game = session.game
    seen = view(game, session.seat, sent)
    to = seen["readers"] or (phrase("all"),)
    assert isinstance(to, tuple)
    session.done(phrase("press-sent", to=to))
    if sent.shown_as is None:
        session.done(phrase("press-shown-grey"))
    elif sent.shown_as != sent.name:
        session.done(phrase("press-shown-from", power=sent.shown_as))
    shown_to = seen["seen_to"]
    if isinstance(shown_to, tuple):
        session.done(phrase("press-shown-to", to=shown_to or (phrase("all"),)))
    missing = [name for name in sent.to if name not in reached and name != "Observers"]
    if missing:
        session.done(phrase("press-vacant", powers=tuple(missing)))
        if set(missing) & set(bots_in(game)):
            session.done(phrase("press-bots"))
        return
