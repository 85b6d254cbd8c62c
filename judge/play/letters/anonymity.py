"""Anonymity: who may know the people behind the powers, and every place where they could show.

Addresses are for the master alone, unless the game shows them; a master who plays himself is told
no more than a player. Names that people gave themselves (REGISTER, NAME) are shown in all games but
gunboat; those registered before they were are the master's alone. In a gunboat game (`SET GUNBOAT`)
nothing tells the players about each other but the names of their powers: `Trace` lists every place
where a person could show, and what keeps it out. A test plants a marker in each and looks for it in
every octet that others are sent.
"""

from collections.abc import Sequence
from enum import Enum

from judge.model.record import GameState, Role, Seat
from judge.play.game import Game
from judge.play.queries import owner_of

SOMEBODY = "a player"
"""What somebody without a power is called by those who may not know who it is."""


class Trace(Enum):
    """A place where a person could show, and what keeps him out of the letters to others."""

    ADDRESS = "lists of who plays what: letter_factory.roster"
    NAME = "the name somebody registered: letter_factory.roster"
    FIGURES = "INFO PLAYER, level and reliability: persons.info_player"
    ZONE = "a person's own zone is for his own letters: letter_factory.zone_of"
    DISPLAY_NAME = "To is the bare registered address, From the judge: mail/outbound/render"
    MESSAGE_ID = "In-Reply-To and References go to the writer alone: commands/receipts"
    SUBJECT = "subjects are ours: letter_factory.letter_to"
    HEADERS = "Received, User-Agent, Date and the like are never copied: mail/outbound/compose"
    SIGNATURE = "the signature and footer under a reply to press: mail/inbound/quotes"
    ATTRIBUTION = "'On Monday Ann wrote' above a quote: mail/inbound/quotes"
    ABSENCE = "when somebody is away: absences, to masters who do not play"
    LATENESS = "who is late; letters count them: lateness, `counts_only`"
    SITTER = "that somebody else plays for a while: sitting"
    MEMBERSHIP = "whether an address is in the game: SITTER, INVITE, REVIVE are answered the same"
    ALIAS = "a person's other addresses: aliases, INFO PLAYER"
    MOVE = "a new address, and the old: moving"
    NEWCOMER = "who asks to play: entry, without the power for a master who plays"
    BOUNCE = "letters that come back, and what the other server said: daemon/returned_mail"
    FAULT = "a mail that was set aside: daemon/error_reports"
    LEAVING = "who resigned or was ejected: leaving, by power"
    WISH = "preferences and the password: the seat's own receipts"


def is_gunboat(game: Game) -> bool:
    """Tell whether the players of a game are not to know who the others are."""
    return game.chosen.gunboat


def masters_know(game: Game) -> bool:
    """Tell whether a game's masters may know who plays what: not where they may play."""
    return not game.chosen.gm_plays


def may_know(game: Game, reader: Seat | None) -> bool:
    """Tell whether a reader may know who the people of a game are."""
    if reader is not None and reader.role is Role.MASTER and masters_know(game):
        return True
    return game.chosen.show_addresses and not is_gunboat(game)


def names_told(game: Game) -> bool:
    """Tell whether a game's people are told by the names that they gave themselves.

    Of a gunboat game they are only when it is over, and only where it said so when it was made.
    """
    return not is_gunboat(game) or game.state is GameState.ENDED and game.chosen.names_at_end


def names_in(game: Game, seats: Sequence[Seat]) -> dict[int, str]:
    """Return the names that others may be told of whoever has these seats, by seat.

    Whose seat it is is named, not who sits in for him. In a gunboat game who has not agreed is
    named never.
    """
    if not names_told(game):
        return {}
    agreed = [seat for seat in seats if not is_gunboat(game) or seat.settings.tell_name]
    context = game.context
    known = {
        seat.id: context.aliases.of(address)
        for seat in agreed if (address := owner_of(seat) or seat.address)
    }
    people = context.register.people({each for addresses in known.values() for each in addresses})
    found = {}
    for number, addresses in known.items():
        names = (people[each].nickname for each in addresses if each in people)
        found[number] = next(filter(None, names), "")
    return found


def counts_only(game: Game) -> bool:
    """Tell whether letters tell how many are late, not who.

    In a game that hides what stands where, who owes orders would tell who must retreat or build.
    """
    return game.chosen.late_count or is_gunboat(game) or game.table.hides


def called(game: Game, reader: Seat, seat: Seat) -> str:
    """Return what a seat without a power is called in a letter to a reader: address or nothing."""
    return seat.address if may_know(game, reader) else SOMEBODY
