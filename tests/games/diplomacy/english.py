"""Facts as an English reader is told them."""

from collections.abc import Mapping
from typing import Any

from judge.model.phrase import Phrase
from judge.phrases import phrasebook


def in_english(facts: object) -> Any:
    """Return facts with every phrase among them said."""
    match facts:
        case Phrase():
            return phrasebook("diplomacy").say(facts)
        case Mapping():
            return {name: in_english(fact) for name, fact in facts.items()}
        case list():
            return [in_english(fact) for fact in facts]
        case tuple():
            return tuple(map(in_english, facts))
    return facts
