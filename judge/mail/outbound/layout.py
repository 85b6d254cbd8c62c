"""Layout of a letter's text: wrapped at 72 columns, tidy, and safe to print.

A filled template consists of blocks, separated by blank lines, with signs for their kind. The
lines of a block are one paragraph, unless a `BREAK` or a dash begins another row. `CELL` in its
first line marks the second column of a table. `FIGURES` before it means that its columns are kept.
`ENGLISH` in a row means that the row (in a table, its first column) is English in every language.
Lines indented by four blanks are to be sent. `normalize` drops these signs from a text, and
`text_to_html` sets a page by them. `add_layout_marks` adds them to the source of a template.
"""

import re
import textwrap
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

from judge.mail.outbound.third_party_text import CONTINUATION_MARK, THIRD_PARTY_MARK

WIDTH = 72

VERBATIM = "\0"
"""Sign before a line that is kept as it is. Players' texts never contain it here."""

_UNSAFE = re.compile(r"[\x01-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_TAGS = re.compile(r"\(\*.*?\*\)$")
_COMMANDS = re.compile(
    r"(?:(?<=\bHELP)|(?<=\bSET)|(?<=\bSET NO)|(?<=\bVOTE)|(?<=\bPRESS)|(?<=\bPRESS TO)|(?<=\bMAP)"
    r"|(?<=\bINFO)|(?<=\bSHOW)) (?=[A-Z]+\b)"
)
"""Blanks in the names of commands, as in HELP ORDERS. No line breaks there."""
_NO_BREAK = "\ue000"
"""Sign for a nonbreaking blank, until the letter is laid out."""


BREAK = "\ue002"
"""Sign at the beginning or end of a row of a paragraph."""
CELL = "\ue003"
"""Sign before the second column of a table."""
FIGURES = "\ue004"
"""Sign before a block whose columns are kept."""
ENGLISH = "\ue005"
"""Sign in a row that is English in a letter of another language."""
_SIGNS = re.compile(f"[{BREAK}{CELL}{FIGURES}{ENGLISH}]")


_SHORT = 2000
_Make = TypeVar("_Make", bound=Callable[..., str])


def cache_short(make: _Make) -> _Make:
    """Decorate a function from text to text with a cache for short texts.

    The letters of a phase have most texts in common. Long texts belong to a single letter and would
    fill the memory.
    """
    # Markup must not share cache entries with an equal plain text.
    kept = lru_cache(maxsize=512, typed=True)(make)

    @wraps(make)
    def make_cached(text: str, *rest: Any, **more: Any) -> str:
        return (kept if len(text) <= _SHORT else make)(text, *rest, **more)

    return cast(_Make, make_cached)


def add_layout_marks(source: str) -> str:
    r"""Replace the layout marks in the source of a template by signs.

    A backslash at the end of a row, as in Markdown, becomes `BREAK`. A broken bar becomes `FIGURES`
    at the beginning of a line, and `CELL` elsewhere.

    >>> (add_layout_marks("One.\\\nTwo.\n\nLIST  ¦games")
    ...  == f"One.{BREAK}\nTwo.\n\nLIST  {CELL}games")
    True
    """
    if "¦" not in source:
        return source.replace("\\\n", f"{BREAK}\n")
    lines = source.replace("\\\n", f"{BREAK}\n").split("\n")
    figures = (FIGURES + line[1:] if line.startswith("¦") else line for line in lines)
    return "\n".join(figures).replace("¦", CELL)


def strip_layout_marks(text: str) -> str:
    """Return a text without the signs for kinds of blocks."""
    # Fast path: most lines are ASCII, which contains no signs.
    return text if text.isascii() else _SIGNS.sub("", text)


@cache_short
def wrap_rows(text: str, width: int = WIDTH, indent: int = 0, hang: int = 0) -> str:
    """Return each line of a text, wrapped, as a row of its own."""
    return "\n".join(_row(line, width, indent, hang) for line in text.split("\n"))


def _row(line: str, width: int, indent: int, hang: int) -> str:
    text = _wrapped_line(strip_layout_marks(line), width, indent, hang)
    if CELL in line:
        at = indent + line.index(CELL)
        text = text[:at] + CELL + text[at:]
    begins = len(text) - len(text.lstrip(" "))
    return f"{text[:begins]}{BREAK}{text[begins:]}{BREAK}" if text else ""


def strip_controls(text: str) -> str:
    """Return a text without control characters, which could move a terminal's cursor.

    >>> strip_controls("a\\x1b[2Jb")
    'a[2Jb'
    """
    return text if text.isprintable() else _UNSAFE.sub("", text)


def verbatim(text: str) -> str:
    """Mark the lines of a text, such as press or drawings, to be kept exactly."""
    return "\n".join(VERBATIM + line for line in text.replace(VERBATIM, "").split("\n"))


def no_break(text: str, but_before: str = "", longest: int | None = None) -> str:
    """Return a text with nonbreaking blanks, except one before *but_before*.

    A text with more than *longest* characters is unchanged, since it is too wide for a phone.

    >>> restore_blanks(no_break("F Bre", longest=9) + " " + no_break("orders, or a word",
    ...     longest=9), "_")
    'F_Bre orders, or a word'
    """
    if longest is not None and len(text) > longest:
        return text
    glued = text.replace(" ", _NO_BREAK)
    return glued.replace(_NO_BREAK + but_before, " " + but_before) if but_before else glued


def restore_blanks(text: str, blank: str = " ") -> str:
    """Return a text with its nonbreaking blanks replaced by *blank*."""
    return text.replace(_NO_BREAK, blank)


def wrap_lines(text: str, width: int = WIDTH, indent: int = 0, hang: int = 0) -> str:
    """Wrap each line at blanks, with *indent* blanks before it.

    Its other lines have *hang* blanks more.

    Neither words nor the tags at the end of a result line are broken.

    >>> print(wrap_lines("Japan: Army Tokyo -> Ireland.  (*bounce, dislodged*)", 40, hang=4))
    Japan: Army Tokyo -> Ireland.
        (*bounce, dislodged*)
    """
    return "\n".join(_wrapped_line(line, width, indent, hang) for line in text.split("\n"))


def _wrapped_line(line: str, width: int, indent: int, hang: int) -> str:
    if indent + len(line) <= width and line.isprintable() and line[-1:] != " ":
        # Fast path: most lines are short, and printable ones contain no sign to be replaced.
        return " " * indent + line if line else ""
    glued = _TAGS.sub(lambda tags: no_break(tags[0]), strip_controls(line))
    glued = _COMMANDS.sub(_NO_BREAK, glued)
    # All other characters that `textwrap` takes for blanks are not printable.
    bare = glued.replace(_NO_BREAK, "_")
    if bare and bare.isprintable() and "  " not in bare and bare.strip(" ") == bare:
        return _fill_lines(glued.split(" "), width, indent, hang).replace(_NO_BREAK, " ")
    return textwrap.fill(
        glued, width, initial_indent=" " * indent, subsequent_indent=" " * (indent + hang),
        break_long_words=False, break_on_hyphens=False,
    ).replace(_NO_BREAK, " ")


def _fill_lines(words: list[str], width: int, indent: int, hang: int) -> str:
    """Fill lines with words, as `textwrap` does with single blanks between words."""
    lines: list[str] = []
    line = " " * indent + words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) <= width:
            line += " " + word
        else:
            lines.append(line)
            line = " " * (indent + hang) + word
    return "\n".join([*lines, line])


def fill_paragraphs(text: str, width: int = WIDTH, indent: int = 0) -> str:
    """Wrap paragraphs separated by blank lines, ignoring their present line breaks.

    >>> fill_paragraphs("One\\ntwo.\\n\\nThree.\\n")
    'One two.\\n\\nThree.\\n'
    """
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip())]
    return "\n\n".join(wrap_lines(part, width, indent) for part in paragraphs) + "\n"


def normalize(text: str) -> str:
    """Normalise a letter: wrap lines, strip trailing blanks, collapse empty lines.

    Verbatim lines are kept as they are.
    """
    lines: list[str] = []
    for line in strip_layout_marks(restore_blanks(text)).split("\n"):
        if VERBATIM in line:
            lines.append(
                line.replace(VERBATIM, "").replace(
                    f"{THIRD_PARTY_MARK} {CONTINUATION_MARK}", f"{THIRD_PARTY_MARK} "
                )
            )
        elif line := line.rstrip():
            if len(line) <= WIDTH:
                lines.append(line)
            else:
                lines.extend(_broken(line))
        elif lines and lines[-1].strip():
            lines.append("")
    return "\n".join(lines).strip("\n") + "\n"


def _broken(line: str) -> list[str]:
    bare = line.lstrip(" ")
    hang = 2 if bare.startswith(("- ", "* ")) else 0
    return wrap_lines(bare, WIDTH, len(line) - len(bare), hang).split("\n")
