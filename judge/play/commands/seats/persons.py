"""What people say of themselves (REGISTER, SET NAME), and their figures (INFO PLAYER)."""

from dataclasses import replace

from judge.play.commands.session import Session
from judge.play.letters.disguise import may_know
from judge.play.office import find_side
from judge.play.rating.figures import record_of
from judge.play.times.schedule import find_zone
from judge.words.languages import LANGUAGES, find_language
from judge.words.letter import Kind
from judge.words.person import LEVELS, Person
from judge.words.reason import Reason, because
from judge.words.seats import InfoPlayer, Register

LONGEST_NAME = 60
_LANGUAGES = ("language", "sprache")
_ZONES = ("zone", "timezone", "time zone", "tz")


def register(session: Session, command: Register) -> None:
    """Keep what somebody says of himself: a name, a time zone, a level, and nothing else.

    What other judges ask for besides (telephone, address, birthday) is not kept, and the answer
    says so.
    """
    book = session.office.register
    person = book.person(session.person)
    passed_over = []
    for field, value in command.fields:
        if field == "name":
            person = replace(person, name=_one_line(value))
        elif field in _ZONES:
            person = _with_zone(session, command, person, value)
        elif field in _LANGUAGES:
            person = _with_language(session, command, person, value)
        elif field == "level":
            person = _with_level(session, command, person, value)
        elif field != "email":
            passed_over.append(field)
    book.save(person)
    _take_zone(session, person)
    session.say(because("registered", address=person.address))
    if passed_over:
        session.say(because("register-not-kept", fields=tuple(passed_over)))
    session.show(Kind.INFO, "player", **_facts(session, person))


def _one_line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_NAME]


def _with_zone(session: Session, command: Register, person: Person, text: str) -> Person:
    zone = find_zone(text) if text else ""
    if zone is None:
        session.refuse(command, because("setting-zone", text=text))
        return person
    return replace(person, zone=zone)


def _with_language(session: Session, command: Register, person: Person, text: str) -> Person:
    language = find_language(text) if text else ""
    if language is None:
        session.refuse(command, because("register-language", languages=tuple(LANGUAGES.values())))
        return person
    return replace(person, language=language)


def prefer_language(session: Session, language: str) -> None:
    """Keep the language of a seat as its person's too, who then is answered in it everywhere."""
    session.office.register.save(
        replace(session.office.register.person(session.person), language=language)
    )


def _with_level(session: Session, command: Register, person: Person, text: str) -> Person:
    level = text.lower()
    if level not in ("", *LEVELS):
        session.refuse(command, because("register-level", levels=LEVELS))
        return person
    return replace(person, level=level)


def _take_zone(session: Session, person: Person) -> None:
    """Have times shown in a person's zone on all seats that have no zone of their own."""
    games = session.office.games
    for seat in games.seats_at(person.address) if person.zone else ():
        if not seat.settings.zone:
            games.save_seat(replace(seat, settings=replace(seat.settings, zone=person.zone)))


def set_name(session: Session, name: str) -> None:
    """Keep a person's name."""
    person = session.office.register.person(session.person)
    session.office.register.save(replace(person, name=_one_line(name)))


def info_player(session: Session, command: InfoPlayer) -> None:
    """Show somebody's own figures; to the master of a game, those of its people.

    Nobody else may ask by address, a master who plays neither: it would tell whose address it is.
    """
    address = _asked(session, command.who)
    if isinstance(address, Reason):
        session.refuse(command, address)
        return
    person = session.office.register.person(address)
    session.show(Kind.INFO, "player", **_facts(session, person))


def _asked(session: Session, who: str) -> str | Reason:
    wanted = who.strip("<>,").lower()
    if not wanted or wanted in ("me", session.person):
        return session.person
    if session.is_master and may_know(session.game, session.seat):
        side = find_side(session.game, who)
        for seat in session.game.all_seats():
            mine = side and seat.power == side.name
            if seat.address and (mine or seat.address.lower() == wanted):
                return seat.address.lower()
    return because("info-own-only")


def _facts(session: Session, person: Person) -> dict[str, object]:
    known = session.office.aliases.of(person.address)
    figures = session.office.register.figures(*known)
    record = record_of(session.office, person.address, own=session.person in known)
    return {"person": person, "figures": figures, "also": known[1:], "record": record}
