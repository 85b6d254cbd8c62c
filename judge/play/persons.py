"""What people say of themselves (REGISTER, SET NAME), and their figures (INFO PLAYER)."""

from dataclasses import replace

from judge.play.office import find_side
from judge.play.schedule import find_zone
from judge.play.session import Session
from judge.words.letter import Kind
from judge.words.person import LEVELS, Person
from judge.words.reason import Reason, because
from judge.words.record import Role
from judge.words.seating import InfoPlayer, Register

LONGEST_NAME = 60

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
        if not seat.settings.get("zone"):
            games.save_seat(replace(seat, settings={**seat.settings, "zone": person.zone}))


def set_name(session: Session, name: str) -> None:
    """Keep a person's name."""
    person = session.office.register.person(session.person)
    session.office.register.save(replace(person, name=_one_line(name)))


def info_player(session: Session, command: InfoPlayer) -> None:
    """Show somebody's own figures; to the master of a game, those of its people.

    Nobody else may ask by address: that would tell whose address it is.
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
    if session.is_signed_on and session.seat.role is Role.MASTER:
        side = find_side(session.game, who)
        for seat in session.office.games.seats(session.game.id):
            mine = side and seat.power == side.name
            if seat.address and (mine or seat.address.lower() == wanted):
                return seat.address.lower()
    return because("info-own-only")


def _facts(session: Session, person: Person) -> dict[str, object]:
    return {"person": person, "figures": session.office.register.figures(person.address)}
