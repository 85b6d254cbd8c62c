"""Sitters, who play for a player for a time, and the standby list for vacancies.

The player offers (`SITTER ann@… UNTIL 3 Mar`) and the sitter accepts (`SIT india@marco`). From
then on the seat's letters go to the sitter, who replies to them. The password remains the
player's, who can end the sitting with it at any time (`SITTER OFF`).
"""

from dataclasses import replace
from datetime import datetime

from judge.board.bundle import name_in_key
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Seat
from judge.play.game import Game
from judge.play.letters.anonymity import is_gunboat, may_know
from judge.play.letters.letter_factory import announce, game_facts, notice_to, present_seats
from judge.play.pending_requests import without_sitting
from judge.play.people.admission import entry_problem
from judge.play.queries import is_present, owner_of, player_seats, seat_token, sides_of


def sits_until(seat: Seat) -> datetime | None:
    """Return the end of a seat's sitting, or None without a sitter."""
    sitting = seat.settings.sitting
    return sitting.until if sitting else None


def tell_holder(game: Game, seat: Seat, reason: Phrase, now: datetime) -> list[Letter]:
    """Return notices that a sitting began or ended, for all others who may know.

    In a gunboat game these are only those who may know people.
    """
    if not is_gunboat(game):
        return announce(game, reason, now, but=[seat.id])
    return [
        notice_to(game, reader, [reason], LetterKind.NOTICE)
        for reader in present_seats(game)
        if reader.id != seat.id and may_know(game, reader)
    ]


def end_sitting(game: Game, seat: Seat, now: datetime) -> list[Letter]:
    """End a sitting. Return notices to the sitter and the others, but not the player."""
    letters = return_seat(game, seat)
    note_next_return(game)
    back = phrase("player-is-back", power=seat.power, game=game.name)
    return letters + tell_holder(game, seat, back, now)


def return_seat(game: Game, seat: Seat) -> list[Letter]:
    """End a sitting. Return a notice to the sitter only."""
    over = phrase("sitting-over", power=seat.power, game=game.name)
    held = replace(without_sitting(seat), address=owner_of(seat), epoch=seat.epoch + 1)
    game.save_seat(held)
    return [notice_to(game, seat, [over], LetterKind.NOTICE, parting=True)]


def all_handed_over(game: Game) -> list[Letter]:
    """End all sittings of a game that is over, or back before its start."""
    seats = [seat for seat in player_seats(game) if is_present(seat) and owner_of(seat)]
    return [letter for seat in seats for letter in return_seat(game, seat)]


def note_next_return(game: Game) -> None:
    """Store when the next sitting in a game ends, and make the clock check then."""
    first = min(filter(None, map(sits_until, player_seats(game))), default=None)
    due = min(filter(None, (game.due, first)), default=None)
    if game.state is GameState.RUNNING:
        game.change(due=due)
    game.change_requests(sitting_until=first)


def next_return(game: Game) -> datetime | None:
    """Return when the next sitting in a game ends, or None without one."""
    return game.dealings.sitting_until


def end_sittings(game: Game, now: datetime) -> list[Letter]:
    """End every sitting that is over."""
    letters = []
    for seat in player_seats(game):
        until = sits_until(seat)
        if until and until <= now:
            letters += end_sitting(game, seat, now)
            held = game.seat(seat.id)
            assert held is not None
            back = phrase("sitter-ended", power=seat.power)
            letters.append(notice_to(game, held, [back], LetterKind.NOTICE))
    if not letters:
        note_next_return(game)
    return letters


ANY = "*"
"""Standby entry for every map."""


def adverts(game: Game, seat: Seat, now: datetime) -> list[Letter]:
    """Return letters about a vacant seat to the people on the standby list.

    Left out are the person who has just left it (`seat` is the seat before that), those who are
    in the game in any role, and those it would not admit. An eliminated power is not
    advertised.
    """
    if not game.chosen.listed or seat.power not in game.table.powers_alive():
        return []
    inside = {each.address.lower() for each in [*present_seats(game), seat]}
    letter = next(side.letter for side in sides_of(game) if side.name == seat.power)
    return [
        Letter(
            kind=LetterKind.VACANCY,
            to=person.address,
            subject=phrase("subject-vacant", game=game.name, power=seat.power),
            template="advert",
            facts={
                "game": game_facts(game), "power": seat.power,
                "line": f"TAKEOVER {seat_token(game, letter)} newpassword",
            },
        )
        for person in game.context.register.standing_by()
        if {ANY, name_in_key(game.map)} & set(person.standby)
        and person.address not in inside
        and entry_problem(game, person.address, (), now) is None
    ]
