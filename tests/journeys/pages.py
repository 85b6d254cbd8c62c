"""Invariants of every letter: its HTML page compared with its text."""

import re
from email.message import EmailMessage
from functools import lru_cache
from xml.etree import ElementTree

from tests.journeys.contradictions import check_consistency
from tests.journeys.reading_aloud import is_heard, is_known_to_word

HEADS = {
    "unit", "einheit", "hold", "no", "order", "processed", "ownership", "center", "centers",
    "army", "fleet",
}
"""Words that the text repeats in each line, for programs.

A page has them once or in other words: one table of units and centres, and one line for all powers
without orders. It abbreviates units.
"""
RECORD = set(
    "army fleet unowned movement retreat adjustment orders results for of spring fall no order"
    " processed supply centers centre next phase will be the deadline units centres bc ad".split()
)
"""Words that texts have in English in every language, for programs.

Pages have them in the language of the letter.
"""
INTROS = {"The following units were dislodged:", "Diese Einheiten wurden vertrieben:"}
"""Lines above the sentences about dislodged units."""
LONG = 60
"""Minimum length of a word that may be broken in a line of a text."""
_MARKS = re.compile(r"[^\w@]+")
_ACTIVE = {"script", "link", "form", "iframe"}
_LINKS = {"img": ("src", "cid:"), "a": ("href", "mailto:")}


def page_of(letter: EmailMessage) -> str:
    """Return the HTML of a letter, or an empty string."""
    body = letter.get_body(("html",))
    return "" if body is None else str(body.get_content())


BARE = {
    "receipt", "answer", "notice", "results", "your question", "your mail",
    "Quittung", "Antwort", "Neues", "Ergebnis", "deine Frage", "deine Mail",
}
"""Subjects that name only the kind of a letter."""


def has_telling_subject(subject: str) -> bool:
    """Return whether a subject says more than the kind of letter."""
    event = subject.rpartition(" - ")[2].partition(" ")[2] if " - " in subject else ""
    return event not in BARE and subject.removeprefix("Re: ") not in BARE


_OTHER_LABEL = re.compile(r"\b[FS][0-9]{4}B\b")
"""Name of an adjustment phase in nJudge.

It is read everywhere, and written only in the line for nJudge.
"""


def _check_phase_names(letter: EmailMessage, *texts: str) -> None:
    """Assert that a letter uses only standard phase names outside nJudge's line."""
    lines = [str(letter["Subject"]), *(line for text in texts for line in text.splitlines())]
    lines += [str(part.get_filename()) for part in letter.walk()]
    found = [
        line for line in lines
        if not line.startswith(":: Deadline: ") and _OTHER_LABEL.search(line)
    ]
    assert not found, f"{letter['Subject']}: {found}"


def _check_threads(letter: EmailMessage) -> None:
    """Assert that a letter of a game has the references of its game and phase."""
    if game := letter["X-Judge-Game"]:
        first, second = str(letter["References"]).split()[:2]
        assert first.startswith(f"<{game}.game@"), letter["References"]
        assert second.startswith(f"<{game}.{letter['X-Judge-Phase']}@".replace(" ", "-"))


def is_sound(letter: EmailMessage) -> None:
    """Check a letter: its page is valid, loads nothing, and contains its text."""
    plain = letter.get_body(("plain",))
    assert plain is not None
    text, page = str(plain.get_content()), page_of(letter)
    _check_phase_names(letter, text, page)
    _check_threads(letter)
    check_consistency(letter, text)
    token = re.search(r"[+](\S+)@", str(letter["Reply-To"]))
    assert token is None or token[1] not in text + page
    if page:
        own = f"{letter['X-Judge-Power']}: " if letter["X-Judge-Kind"] == "results" else ":: "
        parts = letter.walk() if "<img" in page else ()
        files = frozenset(str(part["Content-ID"]) for part in parts)
        unsaid = _unsaid(page, text, own, files)
        assert not unsaid, f"{letter['Subject']}: {sorted(unsaid)}\n{text}"


@lru_cache(maxsize=1000)
def _unsaid(page: str, text: str, own: str, files: frozenset[str]) -> set[str]:
    """Check a page, and return the words of the text that it lacks.

    The result is cached, since many consecutive letters are equal.
    """
    root = _root(page)
    for element in root.iter():
        assert element.tag not in _ACTIVE
        wanted, scheme = _LINKS.get(element.tag, ("", ""))
        for name, value in element.items():
            assert name == wanted and value.startswith(scheme) or name not in ("src", "href")
            assert "url(" not in value and not name.startswith("on")
            assert name != "src" or f"<{value.removeprefix('cid:')}>" in files
    for picture in root.iter("img"):
        # Without a height, a missing picture leaves no gap.
        assert picture.get("width") in ("680", "440") and picture.get("height") is None
    assert root.find(".//meta[@name='color-scheme']") is not None
    is_heard(root)
    is_known_to_word(root)
    told = read_text_and_alts(root)
    # Parts that are equal in both need no comparison word by word.
    pieces = _pieces(told)
    unsaid = _words_in(_pieces(_without_own(text, own)) - pieces) - _words_in(pieces) - HEADS
    unsaid -= set() if root.get("lang") == "en" else RECORD
    # Words broken in the text are whole on the page.
    if unsaid:
        long = [word for word in told.casefold().split() if "://" in word or len(word) > LONG]
        unsaid -= {word for word in unsaid if word in " ".join(long)}
    return unsaid


def _without_own(text: str, own: str) -> str:
    """Return a text without the results of the viewer's own dislodged units.

    A page has them only once.
    """
    if not any(intro in text for intro in INTROS):
        return text
    blocks = []
    for block in "\n".join(text.splitlines()).split("\n\n"):
        lines = block.splitlines()
        if lines and lines[0] in INTROS:
            # "The Austrian Army in Vienna": an adjective begins like the name of its power.
            told = re.split(r"\n(?=\S)", block)
            his = re.compile(rf"The {own[:2]}|.*[(]{own[:2]}")
            lines = [each for each in told if not his.match(each)]
            lines = lines if len(lines) > 1 else []
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def seen(page: str) -> str:
    """Return the visible text of a page."""
    return read_text_and_alts(_root(page))


def _root(page: str) -> ElementTree.Element:
    return ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>"))


def read_text_and_alts(root: ElementTree.Element) -> str:
    """Return the readable text of a page with blocked pictures."""
    body = root.find("body")
    assert body is not None
    return " ".join([*body.itertext(), *(img.get("alt", "") for img in body.iter("img"))])


def words(text: str) -> set[str]:
    """Return the words of a text, without the lines for old tools."""
    return _words_in(_pieces(text))


def _pieces(text: str) -> set[str]:
    if "::" in text:
        text = "\n".join(line for line in text.splitlines() if not line.startswith("::"))
    return set(text.split())


def _words_in(pieces: set[str]) -> set[str]:
    return set().union(*map(_words_of, pieces))


@lru_cache(maxsize=10_000)
def _words_of(piece: str) -> frozenset[str]:
    """Return the words between two blanks, cached because most letters share them."""
    return frozenset(_MARKS.sub(" ", piece).casefold().split())
