"""STANDBY: who would take a vacant power over."""

from dataclasses import replace

from judge.games import all_systems, find_map
from judge.play.commands.outcome import Outcome, refused, said
from judge.play.commands.session import Session
from judge.play.people.standby import ANY
from judge.words.reason import because
from judge.words.seats import StandBy


def stand_by(session: Session, command: StandBy) -> Outcome:
    """Put the sender on the standby list, for some maps or all, or take him off it."""
    register = session.office.register
    person = register.person(session.person)
    unknown = tuple(word for word in command.maps if not find_map(word))
    if unknown:
        known = tuple(sorted(name for system in all_systems() for name in system.maps()))
        lines = [f"STANDBY {name}" for name in known]
        return refused(command, because("standby-map", words=unknown), *lines)
    maps = () if command.off else tuple(sorted(set(command.maps))) or (ANY,)
    register.save(replace(person, standby=maps))
    if command.off:
        return said(because("standby-off"))
    elif maps == (ANY,):
        return said(because("standby-all"))
    else:
        return said(because("standby-on", maps=maps))
