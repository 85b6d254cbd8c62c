"""Capabilities of a game's system, and the replies if one is missing.

Commands, settings and help topics name the capability they are about. A request for one that
the game's system does not have is answered with the reason, and with what works there instead.
"""

from importlib.resources import files

from judge.games import capabilities, find_system
from judge.help_topics import topics_of_games
from judge.model.phrase import Phrase, phrase
from judge.play.game import GameView
from judge.textfiles import read_rows

_ROWS = {
    getattr(capabilities, row["capability"]): row
    for row in read_rows((files(__package__) / "capabilities.tsv").read_text("utf-8"))
}
"""Capability → its row in `capabilities.tsv`."""
TOPICS = {each: row["topics"].strip("-").split() for each, row in _ROWS.items()}
"""Capability → the help topics about it."""


def offers(game: GameView, capability: type) -> bool:
    """Return whether a game's system has a capability."""
    return find_system(game.system).has_capability(capability)


def capability_refusal(game: GameView, capability: type | None) -> Phrase | None:
    """Return the reason if a game's system does not have a capability, else None."""
    if capability is None or offers(game, capability):
        return None
    title = find_system(game.system).title
    return phrase(_ROWS[capability]["reply"], system=title, game=game.name)


def topic_lacking(game: GameView, topic: str) -> Phrase | None:
    """Return the reason if a game's system has none of a help topic's capabilities."""
    about = [capability for capability, topics in TOPICS.items() if topic in topics]
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
    known = (topic for topics in TOPICS.values() for topic in topics)
    return frozenset({*others, *(topic for topic in known if topic_lacking(game, topic))})
