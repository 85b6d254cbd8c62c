"""Marks of bold and italic text, which mail programs write into plain text.

Gmail writes `*A Par* - Bur` for bold and `_A Par_` for italic text, Thunderbird `/A Par/`. A pair
encloses a word or a whole line, or ends at a blank: `*F Bre *- MAO`.
"""

import re
from collections.abc import Iterator

_LETTER = re.compile(r"[^\W\d_]")
_RUNS = {
    "*": re.compile(r"(?<!\*)\*{1,3}(?!\*)"),
    "`": re.compile(r"(?<!`)`{1,3}(?!`)"),
    "_": re.compile(
        r"(?<![^\W_])_{1,2}(?=[^\W_])|(?<=[^\s_])_{1,2}(?!\w)|(?<=\s)_{1,2}(?=[\s-]|$)"
    ),
    "/": re.compile(r"(?<!\S)/(?=[^\W_])|(?<=[\w.)])/(?!\S)"),
}
"""Patterns of each mark. Only bold marks may be inside a word."""
_QUOTED = re.compile(r'"[^"]*"')
_BULLET = re.compile(r"\s*\*{1,3}\s")
_LAST = re.compile(r"(?<=[\w.!])\*{1,3}\s*$")
"""End of bold text that began on an earlier line."""
MAX_MARKED = 300
"""Characters of a line that are searched for marks."""


def emphasis_marks(text: str, *, strict: bool = False) -> frozenset[int]:
    """Return the places of the characters that only mark bold or italic text.

    With *strict* no mark begins inside a word, since passwords may contain such characters.

    >>> sorted(emphasis_marks("*F Bre *- MAO")), emphasis_marks("SET CRON 0 20 * * tue")
    ([0, 7], frozenset())
    """
    if _RUNS.keys().isdisjoint(text):
        return frozenset()
    text = text[:MAX_MARKED]
    return frozenset(place for sign in _RUNS for place in _marks(sign, text, strict=strict))


def without_emphasis(text: str) -> str:
    """Return an order line without marks of bold and italic text.

    >>> without_emphasis("*A Mar* - Spa"), without_emphasis("A Mar - Spa*")
    ('A Mar - Spa', 'A Mar - Spa')
    >>> without_emphasis("F North_Sea - Nwy (*bounce*)")
    'F North_Sea - Nwy (*bounce*)'
    """
    marks = emphasis_marks(text)
    if marks:
        text = "".join(sign for place, sign in enumerate(text) if place not in marks)
    return _LAST.sub("", text) if "*" in text else text


_STRUCK = re.compile(
    r"(?<!~)~~(?=[^\s~])([^~]{1,250})(?<=[^\s~])~~(?!~)|((?:[^\s\u0335-\u0338][\u0335-\u0338]\s*)+)"
)
"""Text between two tildes, or with a stroke through each letter."""
_STROKES = re.compile("[\u0335-\u0338]")


def without_struck(text: str) -> tuple[str, str]:
    """Split an order line into its remaining text and the struck-out text.

    >>> without_struck("A Par - ~~Bur~~ Gas"), without_struck("~~A Par H~~")
    (('A Par - Gas', 'Bur'), ('', 'A Par H'))
    """
    if "~~" not in text and (text.isascii() or not _STROKES.search(text)):
        return text, ""
    struck = [found[1] or _STROKES.sub("", found[2]) for found in _STRUCK.finditer(text)]
    if not struck:
        return text, ""
    return " ".join(_STRUCK.sub(" ", text).split()), " ".join(" ".join(struck).split())


def _marks(sign: str, text: str, *, strict: bool) -> Iterator[int]:
    if text.count(sign) < 2:
        return
    quoted = [found.span() for found in _QUOTED.finditer(text)] if '"' in text else []
    runs = [
        found.span() for found in _RUNS[sign].finditer(text)
        if not any(start < found.start() < end - 1 for start, end in quoted)
    ]
    if len(runs) % 2 and _BULLET.match(text):
        runs = runs[1:]
    for first, last in zip(runs[::2], runs[1::2]):
        inside = strict and text[max(first[0] - 1, 0):first[0]].strip()
        if not inside and _is_pair(text, first, last):
            yield from range(*first)
            yield from range(*last)


def _is_pair(text: str, first: tuple[int, int], last: tuple[int, int]) -> bool:
    """Return whether two marks belong together.

    The text "(*bounce*)" of results letters is not bold text.
    """
    inner = text[first[1]:last[0]]
    if text[:first[0]].endswith("(") and text[last[1]:].startswith(")"):
        return False
    if text[first[0]] == "/" and not text[first[1]:first[1] + 1].isalnum():
        return False
    return bool(_LETTER.search(inner)) and not (inner[0].isspace() and inner[-1].isspace())
