"""Lists of orders in one sentence, misspelt improvements and queue changes.

"Move 1 Naples -> Albania, 1 Naples -> Sicily" are two orders with one verb. A line is split only
if every piece of it is readable.
"""

from collections.abc import Callable
from typing import NamedTuple

from judge.digits import has_digit
from judge.games.nations1940.language.grammar import verb_of
from judge.games.nations1940.language.lexicon import Names, ScenarioLexicon, fold_name
from judge.games.nations1940.language.patterns import forms, key_of, pattern, rows
from judge.games.nations1940.language.unread import name_spans
from judge.model.phrase import Phrase, phrase

_MAX_PIECES = 8
_MAX_SHARED_WORDS = 7
"""Maximum number of words at the beginning of a list that all its orders share."""


def listed_orders(
    text: str, clarity: Callable[[str], int], start_of: Callable[[str], str] = lambda _: ""
) -> list[str]:
    """Return the orders of a list with a common beginning.

    The result is empty if a piece is unreadable.

    *clarity* rates a text, 0 if it is unreadable. *start_of* returns the verb and start of a move,
    with `{n}` for the count, for a piece that names only a count and a goal ("1 to Rome").

    >>> listed_orders("Move 1 Naples -> Rome, 1 Rome -> Milan", lambda part: part[:5] == "Move ")
    ['Move 1 Naples -> Rome', 'Move 1 Rome -> Milan']
    """
    first, *others = [piece for piece in pattern("pieces").split(text) if piece] or [""]
    if not others or len(others) >= _MAX_PIECES or not clarity(first):
        return []
    words = first.split()[:_MAX_SHARED_WORDS]
    shared = [" ".join(words[:count]) for count in range(1, len(words) + 1)]
    shared = [prefix for prefix in shared if not pattern("no-prefix").search(prefix)]
    found = [first]
    for piece in others:
        pieces = [piece, pattern("one").sub("", piece)]
        joined = [f"{prefix} {one}" for one in pieces for prefix in shared]
        # "1 Rome -> Milan" has the verb of the first order, and its number is a count.
        is_counted = verb_of(first) and has_digit(piece[:1])
        whole = [*joined, piece] if is_counted else [piece, *joined]
        if goal := pattern("goal").fullmatch(piece):
            start = start_of(found[-1])
            whole = [start.replace("{n}", goal["n"]) + f" -> {goal['to']}"] if start else []
        order = max(dict.fromkeys(whole), key=clarity, default="")
        if not clarity(order):
            return []
        found.append(order)
    return found


_KIND_WORDS = {word: code for code, word in rows("kind-spelling")}
_SPELLINGS = Names((word, word) for word in _KIND_WORDS)
_MIN_REPAIRED = 5


def with_kinds_repaired(text: str, names: ScenarioLexicon) -> tuple[str, list[Phrase]]:
    """Return a text with its misspelt improvements corrected, and a note on each.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> with_kinds_repaired("build a factroy in Rome", lexicon("nations1940"))[0]
    'build a factory in Rome'
    """
    notes = []
    for span, code in name_spans(text, names):
        word = fold_name(span)
        if code or len(word) < _MIN_REPAIRED or word in _KIND_WORDS:
            continue
        found = _SPELLINGS.find(word).repaired
        if found and not key_of("kind", word):
            text = text.replace(span, found[0], 1)
            notes.append(phrase("w-read-as", word=span, meaning=_KIND_WORDS[found[0]]))
    return text, notes


class QueueChange(NamedTuple):
    """Technologies to put before or after those of the present queue."""

    techs: str
    is_first: bool


def change_of_queue(text: str) -> QueueChange | None:
    """Return the change that a line makes to the queue, or None for any other line.

    >>> change_of_queue("Research Radar first")
    QueueChange(techs='Radar', is_first=True)
    """
    for place, form in forms("queue-change"):
        if found := form.fullmatch(text):
            techs = (found["techs"], found.groupdict().get("more"))
            return QueueChange(", ".join(filter(None, techs)), place == "first")
    return None
