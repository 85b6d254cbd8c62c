"""Personal data (REGISTER, SET NAME) and reliability figures (INFO PLAYER)."""

from dataclasses import replace

from judge.languages import find_language, languages
from judge.model.command import (
    AuditDetail,
    BlockForm,
    Command,
    CommandForm,
    ConfirmationPolicy,
    Permission,
)
from judge.model.letter import LetterKind
from judge.model.person import LANGUAGE_FIELDS, LEVELS, NAME_FIELDS, ZONE_FIELDS, Person
from judge.model.phrase import Phrase, phrase
from judge.model.seat_commands import Register
from judge.play.commands.confirmation import speaks_for_person
from judge.play.commands.row import DECLARED, END_OF_FIELDS, CommandRow, command
from judge.play.commands.session import Session
from judge.play.game import Context
from judge.play.letters.anonymity import may_know
from judge.play.people.names import with_name
from judge.play.queries import find_power
from judge.play.rating import record_of
from judge.play.schedule import find_zone


def register(session: Session, command: Register) -> None:
    """Store the name, time zone, level and language that a person registers.

    Other judges ask for more (telephone, address, birthday). Such fields are not stored, and
    the reply says so.
    """
    book = session.context.register
    person = book.person(session.person)
    passed_over, refusals = [], session.refusals
    for field, value in command.fields:
        found = _with(session.context, person, field, value)
        if isinstance(found, Phrase):
            session.refuse(command, found)
        elif found:
            person = found
        elif field != "email":
            passed_over.append(field)
    book.save(person)
    _take_zone(session, person)
    renames = any(field in NAME_FIELDS for field, _ in command.fields)
    if person.name and renames and session.refusals == refusals:
        session.done(phrase("name-set", cited=person.name))
    session.done(phrase("registered", address=person.address))
    if passed_over:
        session.done(phrase("register-not-kept", fields=tuple(passed_over)))
    session.show(LetterKind.INFO, "player", **_facts(session, person))


DECLARED.append(CommandRow(
    value=Register, run=register, who=Permission.ANYBODY,
    forms=(
        CommandForm("REGISTER", "REGISTER", block=BlockForm("END", END_OF_FIELDS, max_lines=100)),
        CommandForm("NAME, NICKNAME", "NAME Ann Example"),
    ),
    waits=ConfirmationPolicy.PERSON, log=AuditDetail.NOTHING, personal=True,
))


def _with(context: Context, person: Person, field: str, value: str) -> Person | Phrase | None:
    """Return *person* with a field set, or the reason why the value is refused.

    None if the field is not stored.
    """
    if field in NAME_FIELDS:
        return with_name(context, person, value)
    if field in ZONE_FIELDS:
        return _with_zone(person, value)
    if field in LANGUAGE_FIELDS:
        return _with_language(person, value)
    return _with_level(person, value) if field == "level" else None


def _with_zone(person: Person, text: str) -> Person | Phrase:
    zone = find_zone(text) if text else ""
    if zone is None:
        return phrase("setting-zone", text=text)
    return replace(person, zone=zone)


def _with_language(person: Person, text: str) -> Person | Phrase:
    language = find_language(text) if text else ""
    if language is None:
        return phrase("register-language", languages=tuple(languages().values()))
    return replace(person, language=language)


def prefer_language(session: Session, language: str) -> None:
    """Store a seat's language for its person too, if the sender is that person."""
    if not speaks_for_person(session):
        return
    session.context.register.save(
        replace(session.context.register.person(session.person), language=language)
    )


def _with_level(person: Person, text: str) -> Person | Phrase:
    level = text.lower()
    if level not in ("", *LEVELS):
        return phrase("register-level", levels=LEVELS)
    return replace(person, level=level)


def _take_zone(session: Session, person: Person) -> None:
    """Set the person's time zone on all their seats that have none."""
    games = session.context.games
    for seat in games.seats_at(person.address) if person.zone else ():
        if not seat.settings.zone:
            games.save_seat(replace(seat, settings=replace(seat.settings, zone=person.zone)))


def set_name(session: Session, command: Command, text: str) -> None:
    """Store a person's name and report who sees it."""
    if not speaks_for_person(session):
        session.refuse(command, phrase("name-needs-reply"), f"NAME {text or 'OFF'}")
        return
    book = session.context.register
    person = with_name(session.context, book.person(session.person), text)
    if isinstance(person, Phrase):
        session.refuse(command, person)
        return
    book.save(person)
    session.done(phrase("name-set", cited=person.name) if person.name else phrase("name-none"))


@command(CommandForm("INFO", "INFO PLAYER"), who=Permission.ANYBODY, log=AuditDetail.NOTHING)
class InfoPlayer(Command):
    """Reliability figures: `INFO PLAYER`, `INFO PLAYER N`, or with an address."""

    who: str = ""

    def run(self, session: Session) -> None:
        """Show one's own figures, or to a game's master those of its people.

        No one else may ask by address, nor a master who plays, because that would reveal a
        player.
        """
        address = _find_requested_address(session, self.who)
        if isinstance(address, Phrase):
            session.refuse(self, address)
            return
        person = session.context.register.person(address)
        session.show(LetterKind.INFO, "player", **_facts(session, person))


def _find_requested_address(session: Session, who: str) -> str | Phrase:
    wanted = who.strip("<>,").lower()
    if not wanted or wanted in ("me", session.person):
        return session.person
    if session.is_master and may_know(session.game, session.seat):
        side = find_power(session.game, who)
        for seat in session.game.all_seats():
            mine = side and seat.power == side.name
            if seat.address and (mine or seat.address.lower() == wanted):
                return seat.address.lower()
    return phrase("info-own-only")


def _facts(session: Session, person: Person) -> dict[str, object]:
    known = session.context.aliases.addresses_of(person.address)
    figures = session.context.register.figures(*known)
    record = record_of(session.context, person.address, own=session.person in known)
    return {"person": person, "figures": figures, "also": known[1:], "record": record}
