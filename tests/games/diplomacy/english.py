"""Facts rendered in English."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from judge.games.letter_facts import HistoryTable, Places, PositionFacts, Results, SheetFacts
from judge.model.phrase import Phrase
from judge.phrases import phrasebook


def in_english(facts: object) -> Any:
    """Return facts with every phrase in them rendered in English."""
    match facts:
        case Phrase():
            return phrasebook("diplomacy").render(facts)
        case Mapping():
            return {name: in_english(fact) for name, fact in facts.items()}
        case list():
            return [in_english(fact) for fact in facts]
        case tuple():
            said = tuple(map(in_english, facts))
            return type(facts)(*said) if hasattr(facts, "_fields") else said
    if is_dataclass(facts) and not isinstance(facts, type):
        told = {each.name: in_english(getattr(facts, each.name)) for each in fields(facts)}
        return replace(facts, **told)
    return facts


def pieces_of(
    facts: SheetFacts | PositionFacts | Results | HistoryTable | Places,
) -> Mapping[str, Any]:
    """Return the system's own facts by their subject."""
    return {piece.about: piece.facts for piece in facts.pieces}
