"""Third-party text in letters: marked, short, and without secrets.

A reply to such a letter quotes it, and the judge must not read other people's text in it as the
sender's commands. So each line of it has a mark. The lines are so short that no mail program
breaks them. Their HTML keeps the lines and marks too, but joins broken links.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import islice

from judge.mail.language.commands import MAX_COMMAND
from judge.mail.language.segments import Segment, split_line
from judge.mail.language.vocabulary import CommandLanguage, is_password_setting
from judge.model.command import PASSWORD_MASK
from judge.model.incoming import Line

THIRD_PARTY_MARK = "||"
"""Mark of third-party text, followed by a blank unless the line is empty.

People hardly ever begin a line with it."""
WIDTH = 66
"""Columns of the text after the mark. With the mark and quoted twice, at most 76."""
CONTINUATION_MARK = "\ue001"
"""Sign after the mark before the rest of a broken link, which HTML joins again."""

_MARKED = re.compile(
    r"(?:^|\s)\|\|(?:\s|$)"
    # Quoted, in a list, or both: signs only, or a name or number followed by a sign.
    r"|^[\W_]{0,60}(?:\w[\w.-]{0,11}[>).:\]])?[\W_]{0,60}(?:\\?\|){2}"
)
_OWN_SIGNS = re.compile("[\ue000-\ue005]")
"""Signs used for layout (`layout`), which third-party text must not contain."""
_LINK = re.compile(r"://|www\.")
_TABS = 8


def replace_layout_signs(text: str) -> str:
    """Return a text of a person with the signs used for layout replaced.

    >>> replace_layout_signs("Ann\\ue003") == "Ann\\ufffd"
    True
    """
    return text if text.isascii() else _OWN_SIGNS.sub("\ufffd", text)


def is_cited(line: str) -> bool:
    """Return whether a line contains the mark, at any quote depth and position.

    >>> is_cited("> > || A Vie - Tyr"), is_cited("and so on || A Vie - Tyr"), is_cited("A Vie H")
    (True, True, False)
    >>> is_cited("* || RESIGN"), is_cited("1.||RESIGN"), is_cited("\\\\|\\\\| RESIGN")
    (True, True, True)
    """
    return "|" in line and _MARKED.search(line) is not None


def mark_third_party(text: str, indent: int = 0) -> str:
    """Return third-party text with a mark before each of its lines.

    Lines are broken at blanks, and long words anywhere. Nothing is left out.

    >>> print(mark_third_party("Dear Ann,\\n\\n" + 12 * "shall we? "))
    || Dear Ann,
    ||
    || shall we? shall we? shall we? shall we? shall we? shall we? shall
    || we? shall we? shall we? shall we? shall we? shall we?
    """
    mark = " " * indent + THIRD_PARTY_MARK
    clean = _OWN_SIGNS.sub("", text).expandtabs(_TABS)
    width = WIDTH - indent
    lines = (piece for line in clean.split("\n") for piece in _pieces(line.rstrip(), width))
    return "\n".join(f"{mark} {line}".rstrip() for line in lines)


def _pieces(line: str, width: int) -> Iterator[str]:
    """Break one line.

    A word longer than a line is broken anywhere. The rest of a link begins with a sign.
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
            start, goes_on = end, CONTINUATION_MARK if link and line[end] != " " else ""
            start = start if goes_on else _next_word(line, end)
    yield goes_on + line[start:]


def _next_word(line: str, at: int) -> int:
    """Return the end of the blanks at an index."""
    while at < len(line) and line[at] == " ":
        at += 1
    return at


def _end(line: str, start: int, width: int) -> int:
    """Return the index at which *width* columns are full. Some characters take two."""
    end = start
    for char in line[start:start + width]:
        width -= 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if width < 0:
            break
        end += 1
    return end


MAX_QUOTED = 8
"""Lines that a reply quotes. The others are counted."""
MAX_QUOTE = 60
"""Characters of a quoted line."""

_LEFT_OPEN = re.compile(r"(?:\.{3}|…)\s*$")
"""End of a line that the judge drafted and the player was to complete."""


def quote_lines(language: CommandLanguage, lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the first nonblank lines, with possible passwords hidden."""
    full = (line for line in lines if line.text.strip())
    return tuple(_quote_line(language, line) for line in islice(full, MAX_QUOTED))


def quote_prose(language: CommandLanguage, lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the first lines that were no orders, except quotes and open drafts."""
    return quote_lines(language, (
        line for line in lines
        if not line.text.lstrip().startswith(">") and not _LEFT_OPEN.search(line.text)
    ))


def _quote_line(language: CommandLanguage, line: Line) -> str:
    text = " ".join(line.text.split())
    secret = any(_may_be_secret(language, piece) for piece in split_line(line))
    if len(line.text) > MAX_COMMAND or secret:
        return PASSWORD_MASK
    return text if len(text) <= MAX_QUOTE else f"{text[: MAX_QUOTE - 2]} …"


def _may_be_secret(language: CommandLanguage, piece: Segment) -> bool:
    """Return whether a segment looks like a sign-on, or names a password."""
    plain = piece.strip_list_mark().plain
    word = language.first_word(plain) or language.guess_command(plain)
    words = [typed.strip(".,:;!?\"'()=") for typed in plain.split()]
    named = any(len(typed) > 1 and is_password_setting(typed) for typed in words)
    greets = word == "HELLO" and len(words) != len("HELLO Nmarco pw".split())
    return word in language.secretive and not greets or named or "@" in plain
