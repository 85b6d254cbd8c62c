"""What every letter of ours must be, whatever stands in it: its page beside its text."""

import re
from email.message import EmailMessage
from xml.etree import ElementTree

HEADS = {"center", "unit", "einheit"}
"""Words that the text says in each line, and a table once, in its head."""
RECORD = set(
    "army fleet unowned movement retreat adjustment orders results for of spring fall no order"
    " processed supply centers centre next phase will be the deadline".split()
)
"""What texts say in English in every language, as programs read it; pages say it natively."""
TALLEST = 800
"""A picture that is 680 wide is less high."""
WITH_FIGHTING = 1250
"""A step of Yorktown is less high than this: below the whole board, which takes 715 and smaller
would have counters nobody can read, it shows again, larger, the part that was fought over."""
FIGHTING = re.compile(r"-(?:FA|AP)[0-9]+[FM]-(?:orders|preview)[.]")
_MARKS = re.compile(r"[^\w@]+")
_LINKS = {"img": ("src", "cid:"), "a": ("href", "mailto:")}


def page_of(letter: EmailMessage) -> str:
    """Return the HTML of a letter; empty where it has none."""
    body = letter.get_body(("html",))
    return "" if body is None else str(body.get_content())


def is_sound(letter: EmailMessage) -> None:
    """Check a letter: its page can be read, fetches nothing, and says what its text says."""
    plain = letter.get_body(("plain",))
    assert plain is not None
    text, page = str(plain.get_content()), page_of(letter)
    token = re.search(r"[+](\S+)@", str(letter["Reply-To"]))
    assert token is None or token[1] not in text + page
    if not page:
        return
    root = _root(page)
    files = {part["Content-ID"]: str(part.get_filename()) for part in letter.walk()}
    for element in root.iter():
        for name, value in element.items():
            wanted, scheme = _LINKS.get(element.tag, ("", ""))
            assert name == wanted and value.startswith(scheme) or name not in ("src", "href")
            assert "url(" not in value and not name.startswith("on")
            assert name != "src" or f"<{value.removeprefix('cid:')}>" in files
    for picture in root.iter("img"):
        file = files[f"<{picture.get('src', '').removeprefix('cid:')}>"]
        tallest = WITH_FIGHTING if FIGHTING.search(file) else TALLEST
        assert picture.get("width") == "680" and 400 < int(picture.get("height", "0")) < tallest
    assert not [tag for tag in ("script", "link", "form", "iframe") if root.find(f".//{tag}")]
    assert root.find(".//meta[@name='color-scheme']") is not None
    unsaid = words(text) - words(said(root)) - HEADS
    unsaid -= set() if root.get("lang") == "en" else RECORD
    # A link that the text breaks is whole on the page.
    links = " ".join(word for word in said(root).casefold().split() if "://" in word)
    unsaid -= {word for word in unsaid if word in links}
    assert not unsaid, f"{letter['Subject']}: {sorted(unsaid)}\n{text}"


def seen(page: str) -> str:
    """Return what a reader sees of a page."""
    return said(_root(page))


def _root(page: str) -> ElementTree.Element:
    return ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>"))


def said(root: ElementTree.Element) -> str:
    """Return what is to be read on a page, pictures blocked."""
    body = root.find("body")
    assert body is not None
    return " ".join([*body.itertext(), *(img.get("alt", "") for img in body.iter("img"))])


def words(text: str) -> set[str]:
    """Return the words of a text, without the lines for old tools."""
    lines = [line for line in text.splitlines() if not line.startswith("::")]
    return set(_MARKS.sub(" ", "\n".join(lines)).casefold().split())
