"""Text to HTML: paragraphs filled, lines to send apart, columns as tables.

What it sees is a template filled but not laid out, whose blocks bear the signs of what they are
(`layout`). Nothing is lost and nothing added; everything is escaped.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from types import MappingProxyType

from judge.mail.outbound.citing import CITED, GOES_ON
from judge.mail.outbound.layout import BREAK, CELL, FIGURES, VERBATIM, unglued, unmarked

STYLES: Mapping[str, str] = MappingProxyType(
    {
        "h1": "margin:0 0 10px;font-size:21px;line-height:1.3",
        "p": "margin:0 0 14px",
        "item": "margin:0 0 6px;padding-left:16px;text-indent:-16px",
        "code": (
            "margin:0 0 14px;padding:10px 12px;border-left:4px solid #1b7f4b;"
            "background:rgba(127,127,127,0.13);white-space:pre-wrap;word-wrap:break-word;"
            "font:14px/1.5 ui-monospace,Menlo,Consolas,monospace"
        ),
        "columns": (
            "margin:0 0 14px;white-space:pre-wrap;word-wrap:break-word;"
            "font:12px/1.45 ui-monospace,Menlo,Consolas,monospace"
        ),
        "figures": "border-collapse:collapse;margin:0 0 14px",
        "figure": "padding:2px 10px 2px 0;vertical-align:top;text-align:left;font-size:14px",
        "number": "padding:2px 10px 2px 0;vertical-align:top;text-align:right;font-size:14px",
        "typed": (
            "margin:0 0 14px;padding:4px 0 4px 14px;border-left:4px solid #8a8a8a;"
            "white-space:pre-wrap;word-wrap:break-word"
        ),
        "table": "width:100%;border-collapse:collapse;margin:0 0 14px",
        "cell": "padding:4px 10px 4px 0;vertical-align:top;text-align:left",
        "ruled": "border-top:1px solid #8a8a8a",
        "line": (
            "padding:4px 12px 4px 0;vertical-align:top;text-align:left;"
            "font:14px/1.5 ui-monospace,Menlo,Consolas,monospace"
        ),
    }
)
"""How each piece looks, written into it: many mail programs drop style sheets. No colours that
need a certain background: a program may show it dark."""

_NUMBER = re.compile(r"[-+]?[0-9.,]*[?]?")
"""What stands to the right in its column: a figure, or none."""
NO_BREAK = "\u00a0"
"""A blank that no line breaks at."""
SENT = " " * 4
"""Stands before lines that are to be sent."""


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
    """Return a block as what its signs say it is."""
    bare = [unmarked(line) for line in block]
    at = block[0].find(CELL)
    if at >= 0:
        return _table(bare, at - block[0][:at].count(BREAK))
    if block[0].startswith(FIGURES):
        return _figures(_undented(bare))
    if all(line.startswith(SENT) for line in bare):
        return _piece("pre", "code", escape("\n".join(_undented(bare))))
    rows = [escape(row) for row in _rows(block)]
    if len(rows) == 1:
        return _piece("p", "p", rows[0])
    return _piece("div", "p", "\n".join(_piece("div", "item", row) for row in rows))


def _figures(lines: Sequence[str]) -> str:
    """Return columns as a table; one line, or lines without gaps in common, stay as they are."""
    cuts = _cuts(lines)
    if len(lines) < 2 or len(cuts) < 2:
        return _piece("pre", "columns", escape("\n".join(lines)))
    edges = [*cuts, None]
    rows = [
        [line[start:end].strip() for start, end in zip(edges, edges[1:], strict=False)]
        for line in lines
    ]
    styles = [
        "number" if all(_NUMBER.fullmatch(cell) for cell in column[1:]) else "figure"
        for column in zip(*rows, strict=True)
    ]
    told = "\n".join(
        f"<tr>{''.join(map(_cell, styles, row))}</tr>" for row in rows
    )
    return _piece("table", "figures", told)


def _cell(style: str, text: str) -> str:
    return _piece("td", style, escape(text))


def _cuts(lines: Sequence[str]) -> list[int]:
    """Return where columns begin: after two blanks or more that go through all lines."""
    blank = [
        all(at >= len(line) or line[at] == " " for line in lines)
        for at in range(max(map(len, lines), default=0))
    ]
    return [
        at for at, is_blank in enumerate(blank)
        if not is_blank and all(blank[max(at - 2, 0):at])
    ]


def _undented(lines: Sequence[str]) -> list[str]:
    indent = min(len(line) - len(line.lstrip(" ")) for line in lines)
    return [line[indent:] for line in lines]


def _rows(block: Sequence[str]) -> list[str]:
    """Return the rows of a block: the lines that only go on are joined to the one before."""
    rows: list[str] = []
    ended = True
    for line in block:
        text = line.strip(" ")
        said = unmarked(text).strip(" ")
        if ended or text.startswith((BREAK, "- ", "* ")):
            rows.append(said)
        else:
            rows[-1] = f"{rows[-1]} {said}"
        ended = text.endswith(BREAK)
    return rows


def _table(lines: Sequence[str], at: int) -> str:
    """Return lines as a table whose second column begins at a place; a line that has nothing before
    it goes on in the row above."""
    rows: list[list[str]] = []
    for line in lines:
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
