"""Text to HTML: paragraphs filled, lines to send apart, columns as tables.

What it sees is a template filled but not laid out: lines that are to be kept as they are bear
their mark (`layout.verbatim`). Nothing is lost and nothing added; everything is escaped.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from types import MappingProxyType

from judge.mail.outbound.citing import CITED, GOES_ON
from judge.mail.outbound.layout import VERBATIM, WIDTH, unglued

STYLES: Mapping[str, str] = MappingProxyType(
    {
        "p": "margin:0 0 14px",
        "item": "margin:0 0 6px;padding-left:16px;text-indent:-16px",
        "code": (
            "margin:0 0 14px;padding:10px 12px;border-left:4px solid #1b7f4b;"
            "background:rgba(127,127,127,0.13);white-space:pre-wrap;word-wrap:break-word;"
            "font:14px/1.5 ui-monospace,Menlo,Consolas,monospace"
        ),
        "columns": (
            "margin:0 0 14px;white-space:pre;overflow-x:auto;"
            "font:12px/1.45 ui-monospace,Menlo,Consolas,monospace"
        ),
        "typed": (
            "margin:0 0 14px;padding:4px 0 4px 14px;border-left:4px solid #8a8a8a;"
            "white-space:pre-wrap;word-wrap:break-word"
        ),
        "table": "width:100%;border-collapse:collapse;margin:0 0 14px",
        "cell": "padding:4px 10px 4px 0;vertical-align:top;text-align:left",
        "line": (
            "padding:4px 12px 4px 0;vertical-align:top;text-align:left;"
            "font:14px/1.5 ui-monospace,Menlo,Consolas,monospace"
        ),
    }
)
"""How each piece looks, written into it: many mail programs drop style sheets. No colours that
need a certain background: a program may show it dark."""

NO_BREAK = "\u00a0"
"""A blank that no line breaks at."""
_GAP = re.compile(r"\S(?:  +)(?=\S)")
_TAG = re.compile(r"  (?=\(\*)")
_ENDED = (".", ":", ";", "!", "?")
_SHORTEST = 40


def typeset(text: str) -> str:
    """Return a filled template as HTML, without the lines for old tools (`:: Judge: …`).

    >>> typeset(":: Judge: J\\n\\nOne word & another.\\n")
    '<p style="margin:0 0 14px">One word &amp; another.</p>'
    """
    found = []
    every = unglued(text, NO_BREAK).split("\n")
    lines = [line.rstrip(" ") for line in every if not line.startswith("::")]
    for kept, group in groupby(lines, key=lambda line: line.startswith(VERBATIM)):
        if kept:
            found += [_kept(lines) for lines in _cited_apart(group)]
        else:
            found += [_set(block) for block in _blocks(group)]
    return "\n".join(found)


def _cited_apart(lines: Iterator[str]) -> Iterator[list[str]]:
    """Part lines that are kept into those that somebody else wrote and others."""
    bare = (line.replace(VERBATIM, "") for line in lines)
    for _, group in groupby(bare, key=lambda line: line.lstrip(" ").startswith(CITED)):
        yield list(group)


def _kept(lines: list[str]) -> str:
    """Return lines as they are; each that somebody else wrote is an element of its own.

    So they stay lines, mark and all, whatever a program does with the blanks in a quote.
    """
    if not lines[0].lstrip(" ").startswith(CITED):
        return _piece("div", "typed", escape("\n".join(lines)))
    whole: list[str] = []
    for line in lines:
        before, goes_on, rest = line.partition(GOES_ON)
        if whole and goes_on and before.strip(" ") == CITED:
            whole[-1] += rest
        else:
            whole.append(before + rest)
    return _piece("div", "typed", "\n".join(f"<div>{escape(line)}</div>" for line in whole))


def _blocks(lines: Iterator[str]) -> Iterator[list[str]]:
    for empty, group in groupby(lines, key=lambda line: not line.strip()):
        if not empty:
            # A mark inside a line is no mark.
            yield [line.replace(VERBATIM, "") for line in group]


def _set(block: list[str]) -> str:
    indent = min(len(line) - len(line.lstrip(" ")) for line in block)
    bare = [line[indent:] for line in block]
    at = _column(bare)
    if at:
        return _table(bare, at)
    if any(_GAP.search(_TAG.sub(" ", line)) for line in bare):
        return _piece("pre", "columns", escape("\n".join(bare)))
    if indent >= 4:
        return _piece("pre", "code", escape("\n".join(bare)))
    rows = [escape(row) for row in _filled(block)]
    if len(rows) == 1:
        return _piece("p", "p", rows[0])
    return _piece("div", "p", "\n".join(_piece("div", "item", row) for row in rows))


def _filled(block: list[str]) -> list[str]:
    """Return the lines that were meant: those that only go on are joined to the one before."""
    rows: list[str] = []
    last, depth = "", 0
    for line in block:
        here = len(line) - len(line.lstrip(" "))
        word = line.strip(" ").split(" ")[0]
        full = len(last) + 1 + len(word) > WIDTH
        flows = len(last) >= _SHORTEST and word[0].islower() and not last.endswith(_ENDED)
        goes_on = not line.lstrip().startswith(("- ", "* ")) and (
            here >= depth and (full or flows) or here > depth and not last.endswith(":")
        )
        if rows and goes_on:
            rows[-1] = f"{rows[-1]} {line.strip()}"
        else:
            rows.append(line.strip())
            depth = here
        last = line
    return rows


def _column(block: Sequence[str]) -> int:
    """Return where the second of two columns begins in every line, or 0.

    >>> _column(["LIST      all games", "JOIN x y  take part", "          in a game"])
    10
    """
    if len(block) < 2:
        return 0
    found = {match.end() for line in block for match in _GAP.finditer(line)}
    for at in sorted(found):
        if all(_is_split(line, at) for line in block) and block[0][:at].strip():
            return at
    return 0


def _is_split(line: str, at: int) -> bool:
    """Tell whether a line is empty before a column, or has a gap just there and nowhere else."""
    left, right = line[:at], line[at:]
    if not right or right[0] == " " or _GAP.search(right):
        return False
    return not left.strip() or left.endswith("  ") and not _GAP.search(left)


def _table(block: Sequence[str], at: int) -> str:
    rows: list[list[str]] = []
    for line in block:
        left, right = line[:at].strip(), line[at:].strip()
        if left or not rows:
            rows.append([left, right])
        else:
            rows[-1][1] += f" {right}"
    return _piece(
        "table",
        "table",
        "\n".join(
            f"<tr>{_piece('td', 'line', escape(left))}{_piece('td', 'cell', escape(right))}</tr>"
            for left, right in rows
        ),
    )


def _piece(name: str, style: str, inside: str) -> str:
    return f'<{name} style="{STYLES[style]}">{inside}</{name}>'
