"""The standby list: people who want to hear of vacancies, and the adverts mailed to them."""

from dataclasses import replace
from datetime import datetime

from judge.games import all_systems, find_map
from judge.play.game import Game
from judge.play.letters.telling import game_facts, present_seats
from judge.play.office import sides_of
from judge.play.people.entry import entry_problem
from judge.play.session import Session
from judge.words.letter import Kind, Letter
from judge.words.reason import because
from judge.words.record import Seat
from judge.words.seats import StandBy

ANY = "*"
"""On the list for every map."""


def stand_by(session: Session, command: StandBy) -> None:
    """Put the sender on the standby list, for some maps or all, or take him off it."""
    register = session.office.register
    person = register.person(session.person)
    unknown = tuple(word for word in command.maps if not find_map(word))
    if unknown:
        known = tuple(sorted(name for system in all_systems() for name in system.maps()))
        lines = [f"STANDBY {name}" for name in known]
        session.refuse(command, because("standby-map", words=unknown), *lines)
        return
    maps = () if command.off else tuple(sorted(set(command.maps))) or (ANY,)
    register.save(replace(person, standby=maps))
    if command.off:
        session.say(because("standby-off"))
    elif maps == (ANY,):
        session.say(because("standby-all"))
    else:
        session.say(because("standby-on", maps=maps))


def adverts(game: Game, seat: Seat, now: datetime) -> list[Letter]:
    """Make the letters that tell those standing by of a seat that was given up or lost.

    Left out are whoever has just left it (`seat` is as it was), those who are in the game in any
    quality, and those it would not let in.
    """
    if not game.chosen.listed:
        return []
    inside = {each.address.lower() for each in [*present_seats(game), seat]}
    letter = next(side.letter for side in sides_of(game) if side.name == seat.power)
    return [
        Letter(
            kind=Kind.VACANCY,
            to=person.address,
            subject=f"{game.name}: {seat.power} has no player",
            template="advert",
            facts={
                "game": game_facts(game),
                "power": seat.power,
                "line": f"TAKEOVER {letter}{game.name} newpassword",
            },
        )
        for person in game.office.register.standing_by()
        if {ANY, game.map} & set(person.standby)
        and person.address not in inside
        and entry_problem(game, person.address, (), now) is None
    ]
