"""The shape of a letter's text: wrapped at 72 columns, tidy, and safe to print.

A filled template is text in blocks, parted by blank lines, which say themselves what they are. The
lines of a block are one paragraph, but where a `BREAK` or a dash begins another row; `CELL` in its
first line says where the second column of a table begins; `FIGURES` before it, that its columns are
kept as they are; `ENGLISH` in a row, that it is so in every language (of a table's row, its first
column); and what stands four blanks in is to be sent. A text drops these signs (`tidied`), a page
is set by them (`text_to_html`).
`marked` says how the source of a template has them.
"""

import re
import textwrap
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

from judge.mail.outbound.citing import CITED, GOES_ON

WIDTH = 72

VERBATIM = "\0"
"""Begins a line that is kept as it is; players' texts never hold it when they get here."""

_UNSAFE = re.compile(r"[\x01-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_TAGS = re.compile(r"\(\*.*?\*\)$")
_GLUE = "\ue000"
"""Stands for a blank that no line may break at, until the letter is laid out."""


BREAK = "\ue002"
"""Stands where a row of a paragraph begins or ends."""
CELL = "\ue003"
"""Stands where the second column of a table begins."""
FIGURES = "\ue004"
"""Begins a block whose columns stay as they are."""
ENGLISH = "\ue005"
"""Stands in a row that is English in a letter of another language."""
_SIGNS = re.compile(f"[{BREAK}{CELL}{FIGURES}{ENGLISH}]")


_SHORT = 2000
_Make = TypeVar("_Make", bound=Callable[..., str])


def kept_if_short(make: _Make) -> _Make:
    """Decorate what makes one text of another: made of a short one, it is kept for a while.

    The letters of a phase say much the same; what is long is of one letter alone, and would fill
    the memory.
    """
    # What is HTML already is not what a text is that reads the same.
    kept = lru_cache(maxsize=512, typed=True)(make)

    @wraps(make)
    def made(text: str, *rest: Any, **more: Any) -> str:
        return (kept if len(text) <= _SHORT else make)(text, *rest, **more)

    return cast(_Make, made)


def marked(source: str) -> str:
    r"""Return the source of a template with the signs that it is written with: a backslash at the
    end of a row, as in Markdown, and a broken bar where a column begins or before figures.

    >>> marked("One.\\\nTwo.\n\nLIST  ¦games") == f"One.{BREAK}\nTwo.\n\nLIST  {CELL}games"
    True
    """
    if "¦" not in source:
        return source.replace("\\\n", f"{BREAK}\n")
    lines = source.replace("\\\n", f"{BREAK}\n").split("\n")
    figures = (FIGURES + line[1:] if line.startswith("¦") else line for line in lines)
    return "\n".join(figures).replace("¦", CELL)


def unmarked(text: str) -> str:
    """Return a text without the signs that say what its blocks are."""
    # Most lines have none, and what is ASCII is known to at once.
    return text if text.isascii() else _SIGNS.sub("", text)


@kept_if_short
def rows(text: str, width: int = WIDTH, indent: int = 0, hang: int = 0) -> str:
    """Return each line of a text `wrapped`, as a row of its own."""
    return "\n".join(_row(line, width, indent, hang) for line in text.split("\n"))


def _row(line: str, width: int, indent: int, hang: int) -> str:
    text = _wrapped_line(unmarked(line), width, indent, hang)
    if CELL in line:
        at = indent + line.index(CELL)
        text = text[:at] + CELL + text[at:]
    begins = len(text) - len(text.lstrip(" "))
    return f"{text[:begins]}{BREAK}{text[begins:]}{BREAK}" if text else ""


def cleaned(text: str) -> str:
    """Return a text without control characters, which could move a terminal's cursor.

    >>> cleaned("a\\x1b[2Jb")
    'a[2Jb'
    """
    return text if text.isprintable() else _UNSAFE.sub("", text)


def verbatim(text: str) -> str:
    """Return a text as it is to be kept line by line: press, drawings; blanks and length stay."""
    return "\n".join(VERBATIM + line for line in text.replace(VERBATIM, "").split("\n"))


def unbroken(text: str, but_before: str = "", longest: int | None = None) -> str:
    """Return a text whose blanks `wrapped` must not break at, but for one before what is named.

    One that is longer than the longest has blanks as all text has: a phone has no room for it.

    >>> unglued(unbroken("F Bre", longest=9) + " " + unbroken("orders, or a word", longest=9), "_")
    'F_Bre orders, or a word'
    """
    if longest is not None and len(text) > longest:
        return text
    glued = text.replace(" ", _GLUE)
    return glued.replace(_GLUE + but_before, " " + but_before) if but_before else glued


def unglued(text: str, blank: str = " ") -> str:
    """Return a text in which blanks that no line may break at are blanks again, of some kind."""
    return text.replace(_GLUE, blank)


def wrapped(text: str, width: int = WIDTH, indent: int = 0, hang: int = 0) -> str:
    """Return each line of a text broken at blanks: `indent` before it, `hang` more before its rest.

    Words are never broken, nor the tags at the end of a result line.

    >>> print(wrapped("Japan: Army Tokyo -> Ireland.  (*bounce, dislodged*)", 40, hang=4))
    Japan: Army Tokyo -> Ireland.
        (*bounce, dislodged*)
    """
    return "\n".join(_wrapped_line(line, width, indent, hang) for line in text.split("\n"))


def _wrapped_line(line: str, width: int, indent: int, hang: int) -> str:
    if indent + len(line) <= width and line.isprintable() and line[-1:] != " ":
        # Most lines are short, and in one that is printable no sign needs to be replaced.
        return " " * indent + line if line else ""
    glued = _TAGS.sub(lambda tags: unbroken(tags[0]), line)
    # Whatever else is a blank to the library is not printable.
    bare = glued.replace(_GLUE, "_")
    if bare and bare.isprintable() and "  " not in bare and bare.strip(" ") == bare:
        return _filled(glued.split(" "), width, indent, hang).replace(_GLUE, " ")
    return textwrap.fill(
        glued,
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hang),
        break_long_words=False,
        break_on_hyphens=False,
    ).replace(_GLUE, " ")


def _filled(words: list[str], width: int, indent: int, hang: int) -> str:
    """Return words in lines, as `textwrap` fills them where a single blank stands between them."""
    lines: list[str] = []
    line = " " * indent + words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) <= width:
            line += " " + word
        else:
            lines.append(line)
            line = " " * (indent + hang) + word
    return "\n".join([*lines, line])


def prose(text: str, width: int = WIDTH, indent: int = 0) -> str:
    """Return paragraphs, parted by blank lines, filled anew: where their lines broke is forgotten.

    >>> prose("One\\ntwo.\\n\\nThree.\\n")
    'One two.\\n\\nThree.\\n'
    """
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip())]
    return "\n\n".join(wrapped(part, width, indent) for part in paragraphs) + "\n"


def tidied(text: str) -> str:
    """Return a whole letter with long lines broken, ends of lines trimmed, blank lines single.

    Verbatim lines are kept as they are.
    """
    lines: list[str] = []
    for line in unmarked(unglued(text)).split("\n"):
        if VERBATIM in line:
            lines.append(line.replace(VERBATIM, "").replace(f"{CITED} {GOES_ON}", f"{CITED} "))
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
    return wrapped(bare, WIDTH, len(line) - len(bare), hang).split("\n")
