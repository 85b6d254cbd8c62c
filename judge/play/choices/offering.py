"""What a game's system offers: capabilities asked for, and what is said where it has them not.

Commands, settings and topics of help name the capability they are about; who asks for one that his
game's system does not have is told so, and what works there instead.
"""

from collections.abc import Mapping

from judge.games import find_system
from judge.games.capabilities import (
    Arranging,
    Bots,
    Chronicle,
    Drawn,
    DryRuns,
    Fronts,
    Menus,
    Neighbours,
    OrdersAhead,
    PlacesTold,
    ProgramRows,
    Proxies,
    StandIns,
)
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameView
from judge.topics import topics_of_games

_LACKING: Mapping[type, str] = {
    OrdersAhead: "lacks-orders-ahead",
    Menus: "lacks-menus",
    DryRuns: "lacks-dry-runs",
    Proxies: "lacks-proxies",
    Arranging: "lacks-arranging",
    Chronicle: "lacks-chronicle",
    Drawn: "lacks-pictures",
    Fronts: "lacks-fronts",
    PlacesTold: "lacks-places",
    ProgramRows: "lacks-program-rows",
    Neighbours: "lacks-neighbours",
    StandIns: "lacks-stand-ins",
    Bots: "lacks-bots",
}
"""Capability → what is said to whoever asks for it in vain."""

TOPICS: Mapping[str, tuple[type, ...]] = {
    "later": (OrdersAhead,),
    "options": (Menus, DryRuns),
    "proxy": (Proxies,),
    "map": (Drawn, PlacesTold),
    "setup": (Arranging,),
    "fork": (Arranging,),
    "bots": (Bots,),
}
"""Topics of help → the capabilities they are about; one of them is enough."""


def offers(game: GameView, capability: type) -> bool:
    """Tell whether a game's system has a capability."""
    return find_system(game.system).offers(capability)


def lacking(game: GameView, capability: type | None) -> Phrase | None:
    """Return what is said where a game's system does not have a capability; None: it has it."""
    if capability is None or offers(game, capability):
        return None
    title = find_system(game.system).title
    return phrase(_LACKING[capability], system=title, game=game.name)


def topic_lacking(game: GameView, topic: str) -> Phrase | None:
    """Return what is said to whoever asks for help with what his game's system does not have."""
    about = TOPICS.get(topic, ())
    missing = [lacking(game, capability) for capability in about]
    return missing[0] if missing and all(missing) else None


def topics_left_out(game: GameView | None) -> frozenset[str]:
    """Return the topics of help that a game has no use for: about what its system does not have,
    and those of other systems."""
    if game is None:
        return frozenset()
    topics = topics_of_games().items()
    others = (topic for topic, systems in topics if game.system not in systems)
    return frozenset({*others, *(topic for topic in TOPICS if topic_lacking(game, topic))})
