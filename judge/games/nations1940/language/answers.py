"""Answers to other nations, completed from the offers and treaties in force.

"Accept Castile's offer" and "accept peace" mean the only offer that fits, and "end our treaty with
Italy" the only treaty in force. With several, the line is refused, with an order for each.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from judge.games.nations1940.language.lexicon import ScenarioLexicon, fold_name
from judge.games.nations1940.language.patterns import pattern, words
from judge.games.nations1940.language.unread import name_spans
from judge.games.nations1940.language.withdrawing import without_kinds
from judge.games.nations1940.rules.orders import Cancel, Order, Trade, Treaty
from judge.games.nations1940.rules.state import PEACE, WAR
from judge.games.nations1940.rules.world import World
from judge.model.phrase import Phrase, phrase


class OfferAnswer(NamedTuple):
    """Orders of a line, or, with a fault, orders that it may mean."""

    orders: tuple[Order, ...] = ()
    fault: Phrase | None = None


def read_answer(text: str, names: ScenarioLexicon, world: World, nation: str) -> OfferAnswer | None:
    """Return the answer of a line to another nation, or None for any other line."""
    for form, read in (("accept", _read_acceptance), ("end", _read_end)):
        if found := pattern(form).fullmatch(text.strip()):
            plain, kinds = without_kinds(found[1])
            nations = _nations_of(plain, names)
            if nations is not None:
                return read(text, kinds, nations, world, nation)
    return None


def _nations_of(text: str, names: ScenarioLexicon) -> list[str] | None:
    """Return the nations of a text, or None if it has any other word."""
    found = []
    for span, code in name_spans(text, names):
        if code not in names.board.nations and fold_name(span) in names.nations.spellings():
            # A nation and one of its provinces may have the same name.
            code = names.nations.find(span).meanings[0]
        if code in names.board.nations:
            found.append(code)
        elif code or span.lower() not in words("words-of-answer"):
            return None
    return found


def _read_acceptance(
    text: str, kinds: frozenset[str], nations: Sequence[str], world: World, nation: str
) -> OfferAnswer | None:
    offers = _offers(world, nation)
    if re.search(r"\b(?:deals?|trade)\b", text, re.IGNORECASE) and not kinds:
        offers = [one for one in offers if isinstance(one, Trade)]
    fitting = [
        one for one in offers
        if (not nations or one.nation in nations)
        and (not kinds or isinstance(one, Treaty) and one.kind in kinds)
    ]
    if kinds and nations:
        return OfferAnswer(tuple(Treaty(kind, one) for one in nations for kind in sorted(kinds)))
    if len(fitting) == 1:
        return OfferAnswer(tuple(fitting))
    if len(nations) == 1:
        code = "e-offer-several" if fitting else "e-offer-none"
        told = phrase(code, order=text, nation=nations[0], power=nations[0])
    else:
        told = phrase("e-offer-several-any" if fitting else "e-offer-none-any", order=text)
    enemies = [one for one in world.alive if world.is_at_war(nation, one)]
    peace = [Treaty(PEACE, one) for one in enemies] if kinds == {PEACE} else []
    others = [one for one in offers if not nations or one.nation in nations]
    return OfferAnswer(tuple(fitting or peace or others), told)


def _offers(world: World, to: str) -> list[Treaty | Trade]:
    """Return the orders that accept the offers of other nations."""
    treaties = [Treaty(offer.kind, offer.by) for offer in world.offers if offer.to == to]
    deals = [Trade(deal.by, deal.wants, deal.gives) for deal in world.deals if deal.to == to]
    return [*dict.fromkeys(treaties), *deals]


def _read_end(
    text: str, kinds: frozenset[str], nations: Sequence[str], world: World, nation: str
) -> OfferAnswer | None:
    if len(nations) != 1 or kinds:
        return None
    found = tuple(
        Cancel(one.kind, nations[0])
        for one in sorted(world.bonds)
        if {one.a, one.b} == {nation, nations[0]} and one.kind != WAR
    )
    if len(found) == 1 or found and re.search(r"\b(?:all|treaties)\b", text, re.IGNORECASE):
        return OfferAnswer(found)
    code = "e-treaties" if found else "e-treaties-none"
    return OfferAnswer(found, phrase(code, order=text, nation=nations[0], power=nations[0]))
