"""Phrases as games keep them: flat JSON, in which what was a phrase among the facts is English.

So they were always kept, and exported for programs to read. Beside it stands, under `phrases`, what
that English was made of, so that it can be told in any language later. What was kept before that is
told in English; nobody guesses what a text may have been made of, for people write texts too.
"""

import json
from collections.abc import Mapping

from judge.model.phrase import Fact, Phrase
from judge.phrases import Phrasebook, phrasebook

_APART = ("code", "phrases")
_DEEPEST = 5
"""Phrases stand in each other no deeper."""


def kept(reason: Phrase, system: str, **more: object) -> str:
    """Return a phrase as text to be kept; `more` stands beside its facts.

    >>> from judge.model.phrase import phrase
    >>> kept(phrase("setting-set", setting="MOVE NEXT", value=phrase("value-hours", count=1)), "")
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
        return book.say(fact)
    return [book.say(each) for each in fact] if isinstance(fact, tuple) else fact


def _made_of(book: Phrasebook, fact: Fact) -> object:
    """Return what a fact is made of, where it is more than a plain one."""
    if isinstance(fact, Phrase):
        return _flat(book, fact)
    if isinstance(fact, tuple) and any(isinstance(each, Phrase) for each in fact):
        return [_flat(book, each) if isinstance(each, Phrase) else each for each in fact]
    return None


def recalled(data: Mapping[str, object], system: str = "") -> Phrase:
    """Return a phrase that was kept as JSON.

    >>> recalled({"code": "setting-set", "value": "36 hours", "phrases": {"value":
    ...     {"code": "value-hours", "count": 36}}}).facts["value"]
    Phrase(code='value-hours', facts={'count': 36})
    >>> recalled({"code": "setting-set", "value": "36 hours"}).facts["value"]
    '36 hours'

    Raises:
        ValueError: phrases in it stand deeper in each other than any of ours.
    """
    return _recalled(phrasebook(system), data, 1)


def _recalled(book: Phrasebook, data: Mapping[str, object], depth: int) -> Phrase:
    if depth > _DEEPEST:
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
    """Return a fact as it was; the English of it where its phrase is none of ours any more."""
    if isinstance(made, dict) and made.get("code") in book.sentences:
        return _recalled(book, made, depth + 1)
    if isinstance(made, list) and isinstance(plain, list) and len(made) == len(plain):
        each = (_fact(book, *pair, depth) for pair in zip(plain, made, strict=True))
        return tuple(each)  # type: ignore[arg-type]
    return plain  # type: ignore[return-value]
