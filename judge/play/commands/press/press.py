"""Press: written, kept for HISTORY, and delivered as its readers may see it."""

import re
from dataclasses import replace

from judge.play.commands.outcome import NOTHING, Outcome, closed, posted, refused, said, shown
from judge.play.commands.press.addressees import readers_meant, with_heading
from judge.play.commands.press.limits import note_written, sending_problem, text_problem
from judge.play.commands.press.postal import keep_postal
from judge.play.commands.session import Session
from judge.play.game import Game, Office
from judge.play.letters.disguise import is_gunboat
from judge.play.letters.telling import letter_to, present_seats
from judge.play.office import title_of
from judge.play.pressroom.addressees import Readers
from judge.play.pressroom.correspondence import Sent, gets, readers_of, view
from judge.play.pressroom.guises import guise_of
from judge.play.tokens import Purpose
from judge.words.command import Command
from judge.words.incoming import Line
from judge.words.letter import Kind, Letter
from judge.words.press import SendPress
from judge.words.reason import Reason, because
from judge.words.record import Event, GameState, Role, Seat

_TOKEN = re.compile(r"(?<![a-z0-9])[a-z2-7]{37}(?![a-z0-9])", re.IGNORECASE)
_HIDDEN = "***"
_TEXT_AT_FAULT = ("press-empty", "press-too-long", "press-too-many", "press-too-much")
"""Refusals after which the text is not sent back to its writer."""


def send_press(session: Session, command: SendPress) -> Outcome:
    """Deliver a block of press, or a reply to press; what may not be goes back to its writer."""
    if hidden := hidden_sign_on(session, command, command.names):
        return hidden
    headed = with_heading(session, command)
    command = command if isinstance(headed, Reason) else headed
    readers = headed if isinstance(headed, Reason) else readers_meant(session, command)
    found = readers if isinstance(readers, Reason) else _written(session, command, readers)
    if isinstance(found, Reason):
        did = refused(command, found)
        if found.code not in _TEXT_AT_FAULT:
            did += shown(Kind.RECEIPT, "returned", body=_clean(session.office, command.body))
        return did
    assert not isinstance(readers, Reason)
    note_written(session, command.body)
    if command.postal:
        return keep_postal(session, found)
    return _deliver(session, found, readers)


def hidden_sign_on(session: Session, command: Command, names: tuple[str, ...]) -> Outcome:
    """Refuse a text in which a line signs on to a game of ours: its end was forgotten.

    What follows in the mail counts for nobody: the seat it was for was not opened.
    """
    games = session.office.games
    if not any(games.find(name) for name in names):
        return NOTHING
    return refused(command, because("press-signs-on")) + closed(shut=True)


def _written(session: Session, command: SendPress, readers: Readers) -> Sent | Reason:
    """Return press as it is to be sent and shown, or why it is not sent at all."""
    game, seat = session.game, session.seat
    problem = (
        text_problem(session, command.body)
        or _orders_in_it(session, command)
        or sending_problem(session, command, readers)
    )
    if problem:
        return problem
    if command.postal and not game.chosen.postal_press:
        return because("press-no-postal", game=game.name)
    guise = guise_of(game, seat, command, readers)
    if isinstance(guise, Reason):
        return guise
    hides = guise.writer != title_of(seat) or is_gunboat(game) and not readers.is_for_master
    if hides and _names_its_writer(session, command.body):
        return because("press-names-writer")
    return Sent(
        writer=seat.id,
        name=title_of(seat),
        to=readers.names,
        answered=readers.answered,
        shown_as=guise.writer,
        shown_to=guise.readers,
        body=_clean(session.office, command.body),
        thread=readers.thread,
    )


def _names_its_writer(session: Session, body: tuple[str, ...]) -> bool:
    """Tell whether a text says who its writer is, as a signature does: by address or whole name."""
    office = session.office
    known = {
        address
        for own in (session.seat.address, session.mail.sender) if own
        for address in office.aliases.of(own)
    }
    names = {office.register.person(address).name for address in known}
    known |= {" ".join(name.split()) for name in names if len(name.split()) > 1}
    text = " ".join(" ".join(body).casefold().split())
    return any(word.casefold() in text for word in known)


def _clean(office: Office, body: tuple[str, ...]) -> tuple[str, ...]:
    """Return a text without reply tokens: quoted letters have them in addresses."""

    def hide(found: re.Match[str]) -> str:
        return _HIDDEN if office.tokens.read(found[0].lower()) else found[0]

    return tuple(_TOKEN.sub(hide, line) for line in body)


def _orders_in_it(session: Session, command: SendPress) -> Reason | None:
    """Return what is wrong with press that holds orders where press was not clearly meant.

    That is a reply in which every line reads as an order, or a block without ENDPRESS in which any
    line does.
    """
    if not (session.press_answered or command.signed_off):
        return None
    lines = [Line(n, text) for n, text in enumerate(command.body, 1) if text.strip()]
    power = session.seat.power
    if not power or session.game.state not in (GameState.RUNNING, GameState.PAUSED):
        return None
    read = [line for line in session.game.table.read_orders(lines, power, {}).lines]
    if command.signed_off:
        found = any(line.filed or line.complaint and not line.ignored for line in read)
        return because("press-signed-off") if found else None
    found = bool(lines) and all(line.filed for line in read)
    return because("press-or-orders") if found else None


def _deliver(session: Session, sent: Sent, readers: Readers) -> Outcome:
    """Keep press for HISTORY, and make its letters."""
    office, game = session.office, session.game
    seats = [office.games.seat(number) for number in sent.answered]
    powers = [title_of(seat) for seat in seats if seat]
    event = game.add_event(
        Event(game.id, session.now, game.phase, Kind.PRESS.value, sent.as_text(),
              readers_of(game, sent, powers))
    )
    sent = replace(sent, thread=sent.thread or event)
    reached = set()
    did = NOTHING
    for seat in present_seats(game):
        if gets(game, seat, sent):
            did += posted(_letter(game, seat, sent, event))
            reached.add(title_of(seat))
    return did + _tell_writer(session, sent, reached)


def _letter(game: Game, seat: Seat, sent: Sent, event: int) -> Letter:
    """Make the letter of one reader; its Message-ID, token and thread say nothing of the writer."""
    seen = view(game, seat, sent)
    what = "press" if seen["readers"] else "broadcast"
    subject = f"{what} from {seen['writer']}" if seen["writer"] else f"anonymous {what}"
    named = title_of(seat) in sent.to or seat.id in sent.answered
    letter = letter_to(
        game, seat, Kind.PRESS, "press",
        {"press": seen, "copy": not (sent.is_for_all or named),
         "for_seat": title_of(seat) if _is_one_of_several(game, seat) else ""},
        subject, purpose=Purpose.PRESS, extra=event,
    )
    return replace(letter, talk=f"{game.name}.talk.{game.office.tokens.alias('talk', sent.thread)}")


def _is_one_of_several(game: Game, seat: Seat) -> bool:
    """Tell whether whoever gets press has other seats that get it too."""
    if seat.role not in (Role.PLAYER, Role.MASTER):
        return False
    own = set(game.office.aliases.of(seat.address))
    return any(
        other.id != seat.id and other.role in (Role.PLAYER, Role.MASTER)
        and other.address.lower() in own
        for other in present_seats(game)
    )


def _tell_writer(session: Session, sent: Sent, reached: set[str]) -> Outcome:
    """Say to whom it went, how it was shown, and where nobody was.

    Whether somebody sits where a letter without a name came from is not said: vacancies are known.
    """
    game = session.game
    seen = view(game, session.seat, sent)
    to = seen["readers"] or ("all",)
    assert isinstance(to, tuple)
    did = said(because("press-sent", to=to))
    if sent.shown_as is None:
        did += said(because("press-shown-grey"))
    elif sent.shown_as != sent.name:
        did += said(because("press-shown-from", power=sent.shown_as))
    shown_to = seen["seen_to"]
    if isinstance(shown_to, tuple):
        did += said(because("press-shown-to", to=shown_to or ("all",)))
    missing = [name for name in sent.to if name not in reached and name != "Observers"]
    if missing:
        return did + said(because("press-vacant", powers=tuple(missing)))
    return did
