"""Text to HTML: paragraphs filled, lines to send apart, columns as tables.

What it sees is a template filled but not laid out, whose blocks bear the signs of what they are
(`layout`). Nothing is lost and nothing added; everything is escaped.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import count, groupby
from types import MappingProxyType

from judge.mail.outbound.citing import CITED, GOES_ON
from judge.mail.outbound.layout import (
    BREAK,
    CELL,
    ENGLISH,
    FIGURES,
    VERBATIM,
    kept_if_short,
    unglued,
    unmarked,
)

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
"""How each piece looks, written into it: many mail programs drop style sheets. No colours that
need a certain background: a program may show it dark. Room around words is that of cells of tables,
and colours are hexadecimal: Word's engine, which Outlook shows letters with, knows no other."""

_NUMBER = re.compile(r"[-+]?[0-9.,]*[?]?")
"""What stands to the right in its column: a figure, or none."""
_ENDS = re.compile(r"\s{2}|$")
"""Where what stands in a column ends."""
_FIGURE = re.compile(r"[0-9]")
_BLANKS = re.compile(r"^ | (?= )")
"""Blanks that a page would not show."""
IN_ENGLISH = ' lang="en"'
"""Says so of a part of a page in another language, for whoever has it read aloud."""
NO_BREAK = "\u00a0"
"""A blank that no line breaks at."""
SENT = " " * 4
"""Stands before lines that are to be sent."""


@kept_if_short
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

    So they stay lines, mark and all, whatever a program does with the blanks in a quote. No style
    keeps lines and blanks everywhere, so that marks of their own do.
    """
    if not lines[0].lstrip(" ").startswith(CITED):
        typed = (_BLANKS.sub(NO_BREAK, line.expandtabs()) for line in lines)
        return _box("typed", "<br />\n".join(map(escape, typed)))
    whole: list[str] = []
    for line in lines:
        before, goes_on, rest = line.partition(GOES_ON)
        if whole and goes_on and before.strip(" ") == CITED:
            whole[-1] += rest
        else:
            whole.append(before + rest)
    return _box("typed", "\n".join(f"<div>{escape(line.strip(' '))}</div>" for line in whole))


def _blocks(lines: Iterator[str]) -> Iterator[list[str]]:
    for empty, group in groupby(lines, key=lambda line: not line.strip()):
        if not empty:
            # A mark inside a line is no mark.
            yield [line.replace(VERBATIM, "") for line in group]


def _set(block: list[str]) -> str:
    """Return a block as what its signs say it is."""
    at = block[0].find(CELL)
    if at >= 0:
        return _table(block, len(unmarked(block[0][:at])))
    bare = [unmarked(line) for line in block]
    if block[0].startswith(FIGURES):
        return _figures(_undented(bare))
    if all(line.startswith(SENT) for line in bare):
        return _box("sent", _piece("pre", "code", escape("\n".join(_undented(bare)))))
    rows = [(escape(unmarked(row)), ENGLISH in row) for row in _rows(block)]
    if len(rows) == 1:
        return _piece("p", "p", *rows[0])
    return _piece("div", "p", "\n".join(_piece("div", "item", *row) for row in rows))


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
    # What stands over figures is a word, or the letter of a power.
    headed = not any(map(_FIGURE.search, rows[0]))
    told = "\n".join(
        f"<tr>{''.join(map(partial(_cell, headed and not number), styles, row, count()))}</tr>"
        for number, row in enumerate(rows)
    )
    return _piece("table", "figures", told)


def _cell(is_head: bool, style: str, text: str, column: int) -> str:
    """Return a cell of a table of figures; the first row and column say what the others are."""
    if not text or column and not is_head:
        return _piece("td", style, escape(text))
    scope = "col" if is_head else "row"
    weight = "" if is_head else ";font-weight:normal"
    return f'<th scope="{scope}" style="{STYLES[style]}{weight}">{escape(text)}</th>'


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
        said = ENGLISH + said if ENGLISH in text else said
        if ended or text.startswith((BREAK, "- ", "* ")):
            rows.append(said)
        else:
            rows[-1] = f"{rows[-1]} {said}"
        ended = text.endswith(BREAK)
    return rows


def _table(lines: Sequence[str], at: int) -> str:
    """Return lines as a table whose second column begins at a place; a line that has nothing before
    it goes on in the row above, and one too long for the first has its second where it ends."""
    rows: list[tuple[str, str, bool]] = []
    for marked in lines:
        line = unmarked(marked)
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
            f"<tr>{_named(left, is_english)}{_piece('td', 'cell', escape(right))}</tr>"
            for left, right, is_english in rows
        ),
    )


def _named(text: str, is_english: bool) -> str:
    """Return what stands before the second column of a table: what is to be sent, or a name."""
    if not text:
        return _piece("td", "cell", "")
    style = STYLES["cell" if text.endswith(":") else "line"]
    lang = IN_ENGLISH if is_english else ""
    return f'<th scope="row"{lang} style="{style};font-weight:normal">{escape(text)}</th>'


def _box(style: str, inside: str) -> str:
    """Return what stands apart, with a line beside it."""
    return (
        f'<table role="presentation" cellpadding="0" cellspacing="0" border="0"'
        f' style="{STYLES["box"]}"><tr><td style="{STYLES[style]}">{inside}</td></tr></table>'
    )


def _piece(name: str, style: str, inside: str, is_english: bool = False) -> str:
    return f'<{name}{IN_ENGLISH if is_english else ""} style="{STYLES[style]}">{inside}</{name}>'
