"""The standby list: people who want to hear of vacancies, and the adverts mailed to them."""

from datetime import datetime

from judge.play.game import Game
from judge.play.letters.telling import game_facts, present_seats
from judge.play.office import sides_of
from judge.play.people.entry import entry_problem
from judge.words.letter import Kind, Letter
from judge.words.record import Seat

ANY = "*"
"""On the list for every map."""


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
