"""Anonymity of players, and the channels through which they could be known.

Addresses are for the master alone, unless the game shows them. A master who plays sees what a
player sees. Names that people gave themselves (REGISTER, NAME) are shown in all games but
gunboat ones. Names registered before this rule are shown to the master alone. In a gunboat game
(`SET GUNBOAT`) the players see only the names of each other's powers. `IdentityLeak` in
`tests/journeys/test_gunboat.py` lists every channel through which a player's identity could leak,
with its protection. The test plants a marker in each and searches for it in every octet that
others are sent.
"""

from collections.abc import Sequence

from judge.model.record import GameState, Role, Seat
from judge.play.game import Game
from judge.play.queries import owner_of, present_masters

SOMEBODY = "a player"
"""Name of a person without a power for readers who may not know them."""


def is_gunboat(game: Game) -> bool:
    """Return whether the players of a game stay anonymous."""
    return game.chosen.gunboat


def masters_know(game: Game) -> bool:
    """Return whether a game's masters may know the players.

    They may not if they may play.
    """
    return not game.chosen.gm_plays


def knowing_masters(game: Game) -> list[Seat]:
    """Return the present masters who may know the players."""
    return present_masters(game) if masters_know(game) else []


def may_know(game: Game, reader: Seat | None) -> bool:
    """Return whether a reader may know the people of a game."""
    if reader is not None and reader.role is Role.MASTER and masters_know(game):
        return True
    return game.chosen.show_addresses and not is_gunboat(game)


def names_in(game: Game, seats: Sequence[Seat]) -> dict[int, str]:
    """Return the names that others may see of the people on these seats, by seat.

    It is the player's name, not the sitter's. In a gunboat game people who have not agreed are
    never named.
    """
    if is_gunboat(game) and not (game.state is GameState.ENDED and game.chosen.names_at_end):
        return {}
    agreed = [seat for seat in seats if not is_gunboat(game) or seat.settings.tell_name]
    context = game.context
    known = {
        seat.id: context.aliases.addresses_of(address)
        for seat in agreed if (address := owner_of(seat) or seat.address)
    }
    people = context.register.people({each for addresses in known.values() for each in addresses})
    found = {}
    for number, addresses in known.items():
        names = (people[each].nickname for each in addresses if each in people)
        found[number] = next(filter(None, names), "")
    return found


def hides_late_names(game: Game) -> bool:
    """Return whether letters give only the number of late players.

    In a game with hidden information, the names of late powers would reveal who must retreat or
    build.
    """
    return game.chosen.late_count or is_gunboat(game) or game.table.has_hidden_information


def seat_label(game: Game, reader: Seat, seat: Seat) -> str:
    """Return the address of a seat without a power, or "a player" if it is hidden."""
    return seat.address if may_know(game, reader) else SOMEBODY
