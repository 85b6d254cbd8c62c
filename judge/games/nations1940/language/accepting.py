"""Acceptance of another nation's offer in plain words.

"Accept Castile's offer" names no treaty. It means the treaty or deal that is offered, if there is
only one.
"""

import re

from judge.games.nations1940.language.lexicon import Lexicon
from judge.games.nations1940.rules.orders import Order, Trade, Treaty, order_text
from judge.games.nations1940.rules.world import World
from judge.model.phrase import Phrase, phrase

_OFFER = r"(?:offers?|proposals?|treaty|deal)"
_ACCEPT = re.compile(
    rf"(?:(?:please|i|we)\s+)*accept\s+(?:the\s+)?(?:(?P<owner>\S.*?)(?:['’]s?)?\s+{_OFFER}|"
    rf"{_OFFER}\s+(?:of|from|by)\s+(?P<by>\S.*?))[\s.!]*",
    re.IGNORECASE,
)


def accepted_offer(text: str, names: Lexicon, world: World, nation: str) -> Order | Phrase | None:
    """Return the order that accepts the only offer of a nation, or what is wrong.

    None if the text accepts nothing, or names the treaty itself.
    """
    found = _ACCEPT.fullmatch(text.strip())
    meant = names.nations.find(found["owner"] or found["by"]).meanings if found else ()
    if len(meant) != 1:
        return None
    offers = _offers(world, meant[0], nation)
    if len(offers) == 1:
        return offers[0]
    if not offers:
        return phrase("e-offer-none", order=text, nation=meant[0], power=meant[0])
    lines = tuple(order_text(one, world.board) for one in offers)
    return phrase(
        "e-offer-several", order=text, nation=meant[0], power=meant[0], lines=lines
    )


def _offers(world: World, by: str, to: str) -> list[Order]:
    """Return the orders that accept what one nation offers another."""
    treaties: list[Order] = [
        Treaty(offer.kind, by) for offer in world.offers if (offer.by, offer.to) == (by, to)
    ]
    deals = [
        Trade(by, deal.wants, deal.gives) for deal in world.deals if (deal.by, deal.to) == (by, to)
    ]
    return [*dict.fromkeys(treaties), *deals]
