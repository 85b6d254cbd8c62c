"""Other people's words in a letter of ours: marked, short, and never a secret.

Whoever answers such a letter quotes it, and the judge must never take for her command what
somebody else wrote in it. A mark on every line says so in the letter itself; lines that no mail
program needs to break keep it. So do the lines of their HTML, where a link stays whole.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import islice

from judge.mail.language.commands import LONGEST_COMMAND
from judge.mail.language.pieces import Piece, pieces_of
from judge.mail.language.vocabulary import Language, is_password_setting
from judge.model.command import HIDDEN
from judge.model.incoming import Line

CITED = "||"
"""The mark; a blank follows it unless the line is empty. Nobody begins a line so by himself."""
WIDTH = 66
"""Columns of what stands behind the mark: with it, and quoted twice, no more than 76."""
GOES_ON = "\ue001"
"""Begins, behind the mark, the rest of a link that was broken: in HTML it is whole."""

_MARKED = re.compile(
    r"(?:^|\s)\|\|(?:\s|$)"
    # Quoted, in a list, or both: signs alone, a name or a number with a sign behind it.
    r"|^[\W_]{0,60}(?:\w[\w.-]{0,11}[>).:\]])?[\W_]{0,60}(?:\\?\|){2}"
)
_OWN_SIGNS = re.compile("[\ue000-\ue005]")
"""What letters are laid out by (`layout`), which nobody else's words may hold."""
_LINK = re.compile(r"://|www\.")
_TABS = 8


def is_cited(line: str) -> bool:
    """Return whether a line bears the mark, however deep it is quoted or wherever it was put.

    >>> is_cited("> > || A Vie - Tyr"), is_cited("and so on || A Vie - Tyr"), is_cited("A Vie H")
    (True, True, False)
    >>> is_cited("* || RESIGN"), is_cited("1.||RESIGN"), is_cited("\\\\|\\\\| RESIGN")
    (True, True, True)
    """
    return "|" in line and _MARKED.search(line) is not None


def cited(text: str, indent: int = 0) -> str:
    """Return what somebody else wrote, a mark before each of its lines.

    Lines are broken at blanks, and words that are too long anywhere; nothing is left out.

    >>> print(cited("Dear Ann,\\n\\n" + 12 * "shall we? "))
    || Dear Ann,
    ||
    || shall we? shall we? shall we? shall we? shall we? shall we? shall
    || we? shall we? shall we? shall we? shall we? shall we?
    """
    mark = " " * indent + CITED
    clean = _OWN_SIGNS.sub("", text).expandtabs(_TABS)
    width = WIDTH - indent
    lines = (piece for line in clean.split("\n") for piece in _pieces(line.rstrip(), width))
    return "\n".join(f"{mark} {line}".rstrip() for line in lines)


def _pieces(line: str, width: int) -> Iterator[str]:
    """Break one line.

    Where a word is longer than a line it is broken anywhere; the rest of a link says so.
    """
    start, goes_on, link = 0, "", False
    while (end := _end(line, start, width)) < len(line):
        blank = line.rfind(" ", start, end + 1)
        if blank > start and not line[start:blank].isspace():
            yield goes_on + line[start:blank].rstrip(" ")
            start, goes_on, link = _next_word(line, blank), "", False
        else:
            yield goes_on + line[start:end]
            link = link or bool(_LINK.search(line, start, end))
            start, goes_on = end, GOES_ON if link and line[end] != " " else ""
            start = start if goes_on else _next_word(line, end)
    yield goes_on + line[start:]


def _next_word(line: str, at: int) -> int:
    """Return where the blanks at a place end."""
    while at < len(line) and line[at] == " ":
        at += 1
    return at


def _end(line: str, start: int, width: int) -> int:
    """Return where the columns of a line are full: some characters are two wide."""
    end = start
    for char in line[start:start + width]:
        width -= 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if width < 0:
            break
        end += 1
    return end


MOST_QUOTED = 8
"""Lines an answer quotes; the rest are counted."""
LONGEST_QUOTE = 60
"""Characters of a quoted line."""

_LEFT_OPEN = re.compile(r"(?:\.{3}|…)\s*$")
"""How a line of ours ends that was to be filled in."""


def quoted(language: Language, lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the first lines that are not blank; what may hold a password is not shown."""
    full = (line for line in lines if line.text.strip())
    return tuple(_shown(language, line) for line in islice(full, MOST_QUOTED))


def unordered(language: Language, lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the same of lines that were no orders, without quotations and drafts of ours."""
    return quoted(language, (
        line for line in lines
        if not line.text.lstrip().startswith(">") and not _LEFT_OPEN.search(line.text)
    ))


def _shown(language: Language, line: Line) -> str:
    text = " ".join(line.text.split())
    secret = any(_may_be_secret(language, piece) for piece in pieces_of(line))
    if len(line.text) > LONGEST_COMMAND or secret:
        return HIDDEN
    return text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 2]} …"


def _may_be_secret(language: Language, piece: Piece) -> bool:
    """Tell whether a piece looks like a sign-on, or names a password."""
    plain = piece.unmarked().plain
    word = language.first_word(plain) or language.meant(plain)
    words = [typed.strip(".,:;!?\"'()=") for typed in plain.split()]
    named = any(len(typed) > 1 and is_password_setting(typed) for typed in words)
    greets = word == "HELLO" and len(words) != len("HELLO Nmarco pw".split())
    return word in language.secretive and not greets or named or "@" in plain
