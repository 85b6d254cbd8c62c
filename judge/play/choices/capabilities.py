"""Capabilities of a game's system, and the replies if one is missing.

Commands, settings and help topics name the capability they are about. A request for one that
the game's system does not have is answered with the reason, and with what works there instead.
"""

from collections.abc import Mapping

from judge.games import find_system
from judge.games.capabilities import (
    Adjacency,
    Bots,
    CivilDisorder,
    DrawableSystem,
    FutureOrders,
    OrderLists,
    PhoneView,
    PositionSetup,
    Previews,
    ProgramRows,
    Proxies,
    TextBoard,
    YearlyHistory,
)
from judge.help_topics import topics_of_games
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameView

_LACKING: Mapping[type, str] = {
    FutureOrders: "lacks-orders-ahead",
    OrderLists: "lacks-menus",
    Previews: "lacks-dry-runs",
    Proxies: "lacks-proxies",
    PositionSetup: "lacks-arranging",
    YearlyHistory: "lacks-chronicle",
    DrawableSystem: "lacks-pictures",
    PhoneView: "lacks-fronts",
    TextBoard: "lacks-places",
    ProgramRows: "lacks-program-rows",
    Adjacency: "lacks-neighbours",
    CivilDisorder: "lacks-stand-ins",
    Bots: "lacks-bots",
}
"""Capability → code of the reply to a request for it, if it is missing."""

TOPICS: Mapping[str, tuple[type, ...]] = {
    "later": (FutureOrders,), "options": (OrderLists, Previews), "proxy": (Proxies,),
    "map": (DrawableSystem, TextBoard), "setup": (PositionSetup,), "fork": (PositionSetup,),
    "bots": (Bots,),
}
"""Help topics → the capabilities they are about, one of which is enough."""


def offers(game: GameView, capability: type) -> bool:
    """Return whether a game's system has a capability."""
    return find_system(game.system).has_capability(capability)


def capability_refusal(game: GameView, capability: type | None) -> Phrase | None:
    """Return the reason if a game's system does not have a capability, else None."""
    if capability is None or offers(game, capability):
        return None
    title = find_system(game.system).title
    return phrase(_LACKING[capability], system=title, game=game.name)


def topic_lacking(game: GameView, topic: str) -> Phrase | None:
    """Return the reason if a game's system has none of a help topic's capabilities."""
    about = TOPICS.get(topic, ())
    missing = [capability_refusal(game, capability) for capability in about]
    return missing[0] if missing and all(missing) else None


def topics_left_out(game: GameView | None) -> frozenset[str]:
    """Return the help topics that do not apply to a game.

    They are about missing capabilities, or about other systems.
    """
    if game is None:
        return frozenset()
    topics = topics_of_games().items()
    others = (topic for topic, systems in topics if game.system not in systems)
    return frozenset({*others, *(topic for topic in TOPICS if topic_lacking(game, topic))})
