"""The order words of games, for whoever reads a mail before anybody plays in it."""

from judge.games import all_systems, find_map, maps_meant
from judge.model.incoming import Incoming
from judge.model.orderwords import NO_ORDER_WORDS, OpenedSeat, OrderWords, OrderWordsOf
from judge.model.record import Role
from judge.play.game import Context
from judge.play.people.signon_throttle import OPENING_TOKENS


def order_words_in(context: Context) -> OrderWordsOf:
    """Return what says the order words of a game.

    A game that is not there yet has those of the map that is named; one whose system is missing has
    none.
    """
    known = {system.name: system.order_words for system in all_systems()}

    def words_of(name: str, variant: tuple[str, ...]) -> OrderWords:
        game = context.games.find(name)
        if game is not None:
            return known.get(game.system, NO_ORDER_WORDS)
        made = next(filter(None, map(find_map, maps_meant(variant).maps)), None)
        return made.order_words if made else NO_ORDER_WORDS

    return words_of


def seat_opened(context: Context, mail: Incoming) -> OpenedSeat | None:
    """Return the seat that a mail opens by the letter it answers, or None.

    Whether its sender is the one who may does not matter: for anybody else nothing counts.
    """
    token = context.tokens.read(mail.detail)
    seat = context.games.seat(token.seat) if token and token.purpose in OPENING_TOKENS else None
    if seat is None:
        return None
    return OpenedSeat(context.games.get(seat.game).name, seat.role is Role.MASTER)
