"""Phrases as games keep them: flat JSON, in which what was a phrase among the facts is English.

So they were always kept, and exported. Read again they can be told in any language, since such
English is found again in the tables it came from.
"""

import json
from collections.abc import Mapping

from judge.model.phrase import Fact, Phrase
from judge.phrases import Phrasebook, phrasebook


def kept(reason: Phrase, system: str, **more: object) -> str:
    """Return a phrase as text to be kept; `more` stands beside its facts.

    >>> from judge.model.phrase import phrase
    >>> kept(phrase("setting-set", setting="MOVE NEXT", value=phrase("value-hours", count=1)), "")
    '{"code": "setting-set", "setting": "MOVE NEXT", "value": "1 hour"}'
    """
    book = phrasebook(system)
    facts = {name: _plain(book, fact) for name, fact in reason.facts.items()}
    return json.dumps({"code": reason.code, **facts, **more}, ensure_ascii=False)


def _plain(book: Phrasebook, fact: Fact) -> object:
    if isinstance(fact, Phrase):
        return book.say(fact)
    return [book.say(each) for each in fact] if isinstance(fact, tuple) else fact


def recalled(data: Mapping[str, object], system: str = "") -> Phrase:
    """Return a phrase that was kept as JSON.

    >>> recalled({"code": "setting-set", "value": "36 hours"}).facts["value"]
    Phrase(code='value-hours', facts={'count': 36})
    """
    book = phrasebook(system)
    facts: dict[str, Fact] = {
        name: book.recall(fact) if isinstance(fact, str) else fact  # type: ignore[misc]
        for name, fact in data.items()
        if name != "code"
    }
    return Phrase(str(data["code"]), facts)
