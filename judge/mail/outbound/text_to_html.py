"""Conversion of text to HTML: paragraphs, lines to send, and columns as tables.

The input is a filled template that is not laid out, with the signs for kinds of blocks (`layout`).
Nothing is lost or added, and everything is escaped.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import count, groupby
from types import MappingProxyType

from judge.mail.outbound.layout import (
    BREAK,
    CELL,
    ENGLISH,
    FIGURES,
    VERBATIM,
    cache_short,
    restore_blanks,
    strip_layout_marks,
)
from judge.mail.outbound.third_party_text import CONTINUATION_MARK, THIRD_PARTY_MARK

STYLES: Mapping[str, str] = MappingProxyType(
    {
        "h1": "margin:0 0 10px;font-size:21px;line-height:1.3",
        "p": "margin:0 0 14px",
        "item": "margin:0 0 6px 16px;text-indent:-16px",
        "h2": "margin:22px 0 8px;font-size:19px;line-height:1.3",
        "h3": "margin:14px 0 4px;font-size:16px;line-height:1.3",
        "box": "width:100%;border-collapse:separate;margin:0 0 14px",
        "sent": "padding:6px 12px;border-left:4px solid #1b7f4b",
        "code": (
            "margin:0;white-space:pre-wrap;word-wrap:break-word;"
            "font:14px/1.5 Consolas,Menlo,monospace"
        ),
        "columns": (
            "margin:0 0 14px;white-space:pre-wrap;word-wrap:break-word;"
            "font:12px/1.45 Consolas,Menlo,monospace"
        ),
        "board": (
            "margin:0 0 14px;white-space:pre;overflow-x:auto;"
            "font:12px/1.25 ui-monospace,Menlo,Consolas,monospace"
        ),
        "figures": "border-collapse:collapse;margin:0 0 14px",
        "figure": "padding:2px 10px 2px 0;vertical-align:top;text-align:left;font-size:14px",
        "number": "padding:2px 10px 2px 0;vertical-align:top;text-align:right;font-size:14px",
        "typed": "padding:4px 0 4px 14px;border-left:4px solid #8a8a8a;word-wrap:break-word",
        "refused": "padding:6px 12px;border-left:4px solid #c0392b",
        "table": "width:100%;border-collapse:collapse;margin:0 0 14px",
        "cell": "padding:4px 10px 4px 0;vertical-align:top;text-align:left",
        "ruled": "border-top:1px solid #8a8a8a",
        "line": (
            "padding:4px 12px 4px 0;vertical-align:top;text-align:left;"
            "font:14px/1.5 Consolas,Menlo,monospace"
        ),
    }
)
"""Inline style of each element, since many mail programs drop style sheets.

No colour needs a certain background: a program may show it dark. Padding is only on table cells,
and colours are hexadecimal, since the engine of Word, which Outlook uses, supports nothing else."""

_NUMBER = re.compile(r"[-+]?[0-9.,]*[?]?")
"""Pattern of cells aligned to the right: numbers or nothing."""
_ENDS = re.compile(r"\s{2}|$")
"""Pattern of the end of a cell."""
_FIGURE = re.compile(r"[0-9]")
_BLANKS = re.compile(r"^ | (?= )")
"""Blanks that HTML would collapse."""
IN_ENGLISH = ' lang="en"'
"""Attribute of an English element in a page of another language (screen readers)."""
NO_BREAK = "\u00a0"
"""Nonbreaking blank."""
SEND_INDENT = " " * 4
"""Indentation of lines that are to be sent."""


@cache_short
def to_html(text: str) -> str:
    """Convert a filled template to HTML, without the lines for old tools.

    Those begin with two colons.

    >>> to_html(":: Judge: J\\n\\nOne word & another.\\n")
    '<p style="margin:0 0 14px">One word &amp; another.</p>'
    """
    found = []
    every = restore_blanks(text, NO_BREAK).split("\n")
    lines = [line.rstrip(" ") for line in every if not line.startswith("::")]
    for kept, group in groupby(lines, key=lambda line: line.startswith(VERBATIM)):
        if kept:
            found += [_format_verbatim(lines) for lines in _cited_apart(group)]
        else:
            found += [_set(block) for block in _blocks(group)]
    return "\n".join(found)


def _cited_apart(lines: Iterator[str]) -> Iterator[list[str]]:
    """Split verbatim lines into groups of third-party text and others."""
    bare = (line.replace(VERBATIM, "") for line in lines)
    for _, group in groupby(bare, key=lambda line: line.lstrip(" ").startswith(THIRD_PARTY_MARK)):
        yield list(group)


def _format_verbatim(lines: list[str]) -> str:
    """Convert verbatim lines to HTML, each line of third-party text as an element.

    So these stay lines, with their marks, even if a program collapses blanks in a quote. No style
    keeps lines and blanks in all programs, so nonbreaking blanks and line break elements do.
    """
    if not lines[0].lstrip(" ").startswith(THIRD_PARTY_MARK):
        typed = (_BLANKS.sub(NO_BREAK, line.expandtabs()) for line in lines)
        return _box("typed", "<br />\n".join(map(escape, typed)))
    whole: list[str] = []
    for line in lines:
        before, goes_on, rest = line.partition(CONTINUATION_MARK)
        if whole and goes_on and before.strip(" ") == THIRD_PARTY_MARK:
            whole[-1] += rest
        else:
            whole.append(before + rest)
    return _box("typed", "\n".join(f"<div>{escape(line.strip(' '))}</div>" for line in whole))


def _blocks(lines: Iterator[str]) -> Iterator[list[str]]:
    for empty, group in groupby(lines, key=lambda line: not line.strip()):
        if not empty:
            # The sign has a meaning only at the beginning of a line.
            yield [line.replace(VERBATIM, "") for line in group]


def _set(block: list[str]) -> str:
    """Convert a block by its signs."""
    at = block[0].find(CELL)
    if at >= 0:
        return _table(block, len(strip_layout_marks(block[0][:at])))
    bare = [strip_layout_marks(line) for line in block]
    if block[0].startswith(FIGURES):
        return _figures(_dedent_lines(bare))
    if all(line.startswith(SEND_INDENT) for line in bare):
        return _box("sent", _piece("pre", "code", escape("\n".join(_dedent_lines(bare)))))
    rows = [(escape(strip_layout_marks(row)), ENGLISH in row) for row in _rows(block)]
    if len(rows) == 1:
        return _piece("p", "p", *rows[0])
    return _piece("div", "p", "\n".join(_piece("div", "item", *row) for row in rows))


def _figures(lines: Sequence[str]) -> str:
    """Convert columns to a table. One line, or lines without common gaps, are kept."""
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
    # A header row has no digits: it has words, or the letters of powers.
    headed = not any(map(_FIGURE.search, rows[0]))
    told = "\n".join(
        f"<tr>{''.join(map(partial(_cell, headed and not number), styles, row, count()))}</tr>"
        for number, row in enumerate(rows)
    )
    return _piece("table", "figures", told)


def _cell(is_head: bool, style: str, text: str, column: int) -> str:
    """Return a cell of a table of figures. The first row and column are headers."""
    if not text or column and not is_head:
        return _piece("td", style, escape(text))
    scope = "col" if is_head else "row"
    weight = "" if is_head else ";font-weight:normal"
    return f'<th scope="{scope}" style="{STYLES[style]}{weight}">{escape(text)}</th>'


def _cuts(lines: Sequence[str]) -> list[int]:
    """Return the starts of columns: after two or more blanks common to all lines."""
    blank = [
        all(at >= len(line) or line[at] == " " for line in lines)
        for at in range(max(map(len, lines), default=0))
    ]
    return [
        at for at, is_blank in enumerate(blank)
        if not is_blank and all(blank[max(at - 2, 0):at])
    ]


def _dedent_lines(lines: Sequence[str]) -> list[str]:
    indent = min(len(line) - len(line.lstrip(" ")) for line in lines)
    return [line[indent:] for line in lines]


def _rows(block: Sequence[str]) -> list[str]:
    """Return the rows of a block, with continuation lines joined to the line before."""
    rows: list[str] = []
    ended = True
    for line in block:
        text = line.strip(" ")
        said = strip_layout_marks(text).strip(" ")
        said = ENGLISH + said if ENGLISH in text else said
        if ended or text.startswith((BREAK, "- ", "* ")):
            rows.append(said)
        else:
            rows[-1] = f"{rows[-1]} {said}"
        ended = text.endswith(BREAK)
    return rows


def _table(lines: Sequence[str], at: int) -> str:
    """Convert lines to a table whose second column begins at an index.

    A line without a first column continues the row above. If the first column is too long, the
    second begins at its end.
    """
    rows: list[tuple[str, str, bool]] = []
    for marked in lines:
        line = strip_layout_marks(marked)
        ends = _ENDS.search(line, at) if line[:at].strip() and line[at - 1:at].strip() else None
        begins = ends.start() if ends else at
        left, right = line[:begins].strip(), line[begins:].strip()
        if left or not rows:
            rows.append((left, right, ENGLISH in marked))
        else:
            before, says, is_english = rows[-1]
            rows[-1] = before, f"{says} {right}", is_english
    return _piece(
        "table",
        "table",
        "\n".join(
            f"<tr>{_make_first_cell(left, is_english)}{_piece('td', 'cell', escape(right))}</tr>"
            for left, right, is_english in rows
        ),
    )


def _make_first_cell(text: str, is_english: bool) -> str:
    """Return the first cell of a table's row, which is a line to send or a name."""
    if not text:
        return _piece("td", "cell", "")
    style = STYLES["cell" if text.endswith(":") else "line"]
    lang = IN_ENGLISH if is_english else ""
    return f'<th scope="row"{lang} style="{style};font-weight:normal">{escape(text)}</th>'


def _box(style: str, inside: str) -> str:
    """Return a box with a line at its left."""
    return (
        f'<table role="presentation" cellpadding="0" cellspacing="0" border="0"'
        f' style="{STYLES["box"]}"><tr><td style="{STYLES[style]}">{inside}</td></tr></table>'
    )


def _piece(name: str, style: str, inside: str, is_english: bool = False) -> str:
    return f'<{name}{IN_ENGLISH if is_english else ""} style="{STYLES[style]}">{inside}</{name}>'
