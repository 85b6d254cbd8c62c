"""Stored phrases: flat JSON, in which phrases among the facts are English text.

Phrases were always stored and exported like this for programs to read. Since a later version,
the phrases of that text are stored as well, under `phrases`, so that it can be rendered in any
language. Older text is shown in English, without guessing its phrases, as people write texts
too.
"""

import json
from collections.abc import Mapping

from judge.model.phrase import Fact, Phrase
from judge.phrases import Phrasebook, phrasebook

_APART = ("code", "phrases")
_MAX_DEPTH = 5
"""Maximum nesting depth of phrases."""


def dump_phrase(reason: Phrase, system: str, **more: object) -> str:
    """Return a phrase as text for storage, with `more` next to its facts.

    >>> from judge.model.phrase import phrase
    >>> dump_phrase(phrase("setting-set", setting="MOVE NEXT", value=phrase("value-hours",
    ...     count=1)), "")
    '{"code": "setting-set", "setting": "MOVE NEXT", "value": "1 hour", "phrases": {"value": \
{"code": "value-hours", "count": 1}}}'
    """
    return json.dumps({**_flat(phrasebook(system), reason), **more}, ensure_ascii=False)


def _flat(book: Phrasebook, reason: Phrase) -> dict[str, object]:
    facts = {name: _plain(book, fact) for name, fact in reason.facts.items()}
    made = {name: _made_of(book, fact) for name, fact in reason.facts.items()}
    phrases = {name: each for name, each in made.items() if each is not None}
    return {"code": reason.code, **facts, **({"phrases": phrases} if phrases else {})}


def _plain(book: Phrasebook, fact: Fact) -> object:
    if isinstance(fact, Phrase):
        return book.render(fact)
    return [book.render(each) for each in fact] if isinstance(fact, tuple) else fact


def _made_of(book: Phrasebook, fact: Fact) -> object:
    """Return the phrases of a fact, or None for a plain one."""
    if isinstance(fact, Phrase):
        return _flat(book, fact)
    if isinstance(fact, tuple) and any(isinstance(each, Phrase) for each in fact):
        return [_flat(book, each) if isinstance(each, Phrase) else each for each in fact]
    return None


def load_phrase(data: Mapping[str, object], system: str = "") -> Phrase:
    """Return a phrase that was stored as JSON.

    >>> load_phrase({"code": "setting-set", "value": "36 hours", "phrases": {"value":
    ...     {"code": "value-hours", "count": 36}}}).facts["value"]
    Phrase(code='value-hours', facts={'count': 36})
    >>> load_phrase({"code": "setting-set", "value": "36 hours"}).facts["value"]
    '36 hours'

    Raises:
        ValueError: phrases are nested deeper than the judge nests them.
    """
    return _load_nested(phrasebook(system), data, 1)


def _load_nested(book: Phrasebook, data: Mapping[str, object], depth: int) -> Phrase:
    if depth > _MAX_DEPTH:
        raise ValueError("phrases stand too deep in each other")
    made = data.get("phrases")
    known = made if isinstance(made, dict) else {}
    facts: dict[str, Fact] = {
        name: _fact(book, fact, known.get(name), depth)
        for name, fact in data.items()
        if name not in _APART
    }
    return Phrase(str(data["code"]), facts)


def _fact(book: Phrasebook, plain: object, made: object, depth: int) -> Fact:
    """Return a fact with its phrase, or its English text if the phrase is unknown."""
    if isinstance(made, dict) and made.get("code") in book.sentences:
        return _load_nested(book, made, depth + 1)
    if isinstance(made, list) and isinstance(plain, list) and len(made) == len(plain):
        each = (_fact(book, *pair, depth) for pair in zip(plain, made, strict=True))
        return tuple(each)  # type: ignore[arg-type]
    return plain  # type: ignore[return-value]
