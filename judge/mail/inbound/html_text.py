"""HTML mail as lines of text, with quotes and signatures marked.

Ends of source lines are blanks. `<br>` and blocks end a line. Style, scripts and hidden text are
left out. No element adds a character of its own, so that an order in a list remains an order.
"""

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from bs4 import BeautifulSoup
from bs4.element import Comment, Declaration, Doctype, NavigableString, PreformattedString, Tag

BLOCKS = frozenset(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption"
    " figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section table tbody"
    " tfoot thead tr ul".split()
)
PARAGRAPHS = frozenset("p pre ul ol table blockquote h1 h2 h3 h4 h5 h6".split())
HIDDEN_ELEMENTS = frozenset(
    "head style script title template noscript meta link svg object textarea select option".split()
)
CELLS = frozenset(("td", "th"))
QUOTES = frozenset(
    "yahoo_quoted gmail_attr moz-cite-prefix protonmail_quote tutanota_quote zmail_extra".split()
)
SIGNATURES = frozenset(
    "gmail_signature gmail_signature_prefix moz-signature protonmail_signature_block signature"
    " applemailsignature ms-outlook-mobile-signature".split()
)
PREFIX = re.compile(r"^(?:ydp[0-9a-f]*|x_)")
"""Prefixes that Yahoo and Outlook add to the class names of other programs."""
HIDDEN = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|(?<![\w-])font-size:[01](?:px|pt|%)?(?![.\w%])|"
    r"(?<![\w-])(?:max-height|opacity):0(?:px|pt|%)?(?![.\w%])|"
    r"(?<![\w-])(?:text-indent|left|top|margin-left):-[0-9]{3,}|clip:rect\(0|"
    r"(?<![\w-])height:0(?:px|pt)?(?![.\w%]).{0,100}?overflow:hidden|"
    r"overflow:hidden.{0,100}?(?<![\w-])height:0(?:px|pt)?(?![.\w%])"
)
STRIKES = frozenset(("s", "strike", "del"))
STRUCK = re.compile(r"text-decoration(?:-line)?:[^;]{0,60}line-through")
MAY_STRIKE = re.compile(r"<(?:s|strike|del)[\s>]|line-through", re.IGNORECASE)
"""Struck-out text, a correction by its writer."""
MAX_STYLE_LENGTH = 1000
"""Maximum characters of one element's style that are read."""
MAX_RULES = 32 * 1024
"""Maximum characters of style sheets that are read."""
AT_RULE = re.compile(r"@[^{;]{0,500}+\{(?:[^{}]{0,2000}+\{[^{}]{0,2000}+\})*+[^{}]{0,2000}+\}")
"""Rules for some screens only, ignored as the text is visible on others.

Possessive quantifiers prevent backtracking, which a hostile sheet could make endless.
"""
RULE = re.compile(r"([^{}]{1,500})\{([^{}]{1,2000})\}")
CLASS = re.compile(r"\s*(?:[a-z]{1,10})?[.#]([\w-]{1,60})\s*")
WINGDINGS = str.maketrans("\xdf\xe0\xe7\xe8\xef\xf0", "←→←→←→")
"""Arrows of a symbol font, which Word makes of "-->"."""
MAX_SYMBOL = 10
BLANKS = re.compile(r"[ \t\r\n\f]+")
MAX_TAGS = 50_000
"""Maximum number of tags of one text that are read."""


class LineOrigin(Enum):
    """Mark that an element puts on its lines."""

    NONE = 0
    SIGNATURE = 1
    QUOTED = 2


class HtmlText(NamedTuple):
    """Lines of an HTML mail, and the texts that its writer struck out."""

    lines: list[tuple[str, LineOrigin]]
    struck: list[str]


@lru_cache(maxsize=1)
def read_html(html: str) -> HtmlText:
    """Return the visible lines, without the writer's own text that is struck out.

    >>> read_html("<p>A Par\\n - Bur<br>F&nbsp;Bre H</p><blockquote>SIGNON</blockquote>").lines[:2]
    [('A Par - Bur', <LineOrigin.NONE: 0>), ('F\\xa0Bre H', <LineOrigin.NONE: 0>)]
    >>> read_html("A Par - <s>Bur</s> Gas")
    HtmlText(lines=[('A Par - Gas', <LineOrigin.NONE: 0>)], struck=['Bur'])
    """
    page = _Page()
    # Without the wrapper the parser may take a short text for a file name or XML.
    bounded = "<".join(html.split("<", MAX_TAGS + 1)[:MAX_TAGS + 1])
    soup = BeautifulSoup(f"<div>{bounded}</div>", "lxml")
    names = _Names(*(_styled_names(soup, pattern) for pattern in (HIDDEN, STRUCK)))
    for step in _walk(soup, names):
        page.take(step)
    page.end_line()
    return HtmlText(page.lines, page.struck)


def has_struck_text(html: str) -> bool:
    """Return whether a writer struck out text of their own."""
    return bool(MAY_STRIKE.search(html)) and bool(read_html(html).struck)


class HtmlToken(NamedTuple):
    """A text, or the beginning or end of an element."""

    text: str
    is_pre: bool
    tag: str
    mark: LineOrigin
    is_struck: bool = False


class _Names(NamedTuple):
    """Classes and ids that style sheets of the mail hide everywhere or strike out."""

    hidden: frozenset[str]
    struck: frozenset[str]


class _Page:
    """Lines written so far."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, LineOrigin]] = []
        self.struck: list[str] = []
        self._pieces: list[str] = []
        self._struck_pieces: list[str] = []
        self._mark = LineOrigin.NONE

    def take(self, step: HtmlToken) -> None:
        """Add one step of the walk."""
        text, is_pre, tag, mark, is_struck = step
        if is_struck and text and mark is LineOrigin.NONE:
            self._struck_pieces.append(text)
            return
        if text.strip():
            self._end_struck()
        if mark is not self._mark:
            self.end_line()
            self._mark = mark
        if tag == "br":
            self._break()
        elif tag in BLOCKS:
            self.end_line()
            if tag in PARAGRAPHS and self.lines and self.lines[-1][0]:
                self.lines.append(("", mark))
        elif tag in CELLS:
            self._pieces.append(" ")
        elif is_pre:
            first, *rest = text.replace("\r", "").split("\n")
            self._pieces.append(first)
            for line in rest:
                self._break()
                self._pieces.append(line)
        elif text:
            self._pieces.append(BLANKS.sub(" ", text))

    def end_line(self) -> None:
        """End the current line if it has text."""
        self._end_struck()
        if "".join(self._pieces).strip(" \t\r\n\f"):
            self._break()
        self._pieces.clear()

    def _end_struck(self) -> None:
        if text := " ".join("".join(self._struck_pieces).split()):
            self.struck.append(text)
        self._struck_pieces.clear()

    def _break(self) -> None:
        self._end_struck()
        line = re.sub(r" {2,}", " ", "".join(self._pieces)) if self._pieces else ""
        self.lines.append((line.strip(" \t\r\n\f"), self._mark))
        self._pieces.clear()


def _styled_names(soup: BeautifulSoup, pattern: re.Pattern[str]) -> frozenset[str]:
    """Return the classes and ids that the mail's style sheets give certain looks."""
    sheets = "".join(str(style.string or "") for style in soup.find_all("style"))[:MAX_RULES]
    names = set()
    for rule in RULE.finditer(AT_RULE.sub("", sheets.lower().replace("<!--", ""))):
        if pattern.search("".join(rule[2].split())):
            names |= {found[1] for one in rule[1].split(",") if (found := CLASS.fullmatch(one))}
    return frozenset(names)


def _walk(soup: BeautifulSoup, names: _Names) -> Iterator[HtmlToken]:
    """Walk a tree of any depth without recursion. Elements come at both ends."""
    todo: list[tuple[object, bool, LineOrigin, bool, bool]] = [
        (soup, False, LineOrigin.NONE, False, False)
    ]
    while todo:
        node, is_pre, mark, struck, is_end = todo.pop()
        if isinstance(node, NavigableString):
            if not isinstance(node, (Comment, Declaration, Doctype, PreformattedString)):
                yield HtmlToken(_text(node), is_pre, "", mark, struck)
            continue
        assert isinstance(node, Tag)
        if is_end:
            yield HtmlToken("", False, node.name, mark)
            continue
        if (
            node.name in HIDDEN_ELEMENTS
            or _looks(node, HIDDEN, names.hidden)
            or node.has_attr("hidden")
        ):
            continue
        mark = max(mark, _mark_of(node), key=lambda one: one.value)
        is_pre = is_pre or node.name == "pre"
        struck = struck or node.name in STRIKES or _looks(node, STRUCK, names.struck)
        if node.name == "br" or node.name in CELLS or node.name in BLOCKS:
            yield HtmlToken("", False, node.name, mark)
        if node.name in BLOCKS:
            todo.append((node, is_pre, mark, struck, True))
        todo.extend((child, is_pre, mark, struck, False) for child in reversed(node.contents))


def _text(node: NavigableString) -> str:
    font = node.parent
    if font is None or len(node) > MAX_SYMBOL:
        return str(node)
    name = f"{font.get('style') or ''} {font.get('face') or ''}".lower()
    return node.translate(WINGDINGS) if "wingdings" in name else str(node)


def _looks(tag: Tag, pattern: re.Pattern[str], styled: frozenset[str]) -> bool:
    """Return whether an element's style or a style sheet gives it certain looks."""
    style = tag.get("style")
    if style and pattern.search("".join(str(style)[:MAX_STYLE_LENGTH].lower().split())):
        return True
    names = [*(tag.get_attribute_list("class") or []), tag.get("id")] if styled else []
    return not styled.isdisjoint(str(name).lower() for name in names if name)


def _mark_of(tag: Tag) -> LineOrigin:
    """Return the mark of an element by its classes, id and name."""
    given = [*(tag.get_attribute_list("class") or []), tag.get("id")]
    names = {PREFIX.sub("", str(name).lower()) for name in given if name}
    if names & SIGNATURES:
        return LineOrigin.SIGNATURE
    if names & QUOTES:
        return LineOrigin.QUOTED
    if tag.name == "blockquote":
        # A block quote without a border may also be the sender's own indented text.
        style = "".join(str(tag.get("style") or "").lower().split())
        is_indent = "webkit-indent-blockquote" in names or (
            tag.get("type") != "cite" and "border:none" in style and "gmail_quote" not in names
        )
        return LineOrigin.NONE if is_indent else LineOrigin.QUOTED
    return LineOrigin.NONE
