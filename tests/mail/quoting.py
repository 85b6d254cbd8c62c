"""Quotation styles of mail programs: marks, line breaks, filling, HTML or text."""

import textwrap
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

HEAD = "On Mon, 5 Jan 2026 at 12:00, Judge <judge@localhost> wrote:"
OUTLOOK = (
    "From: Judge <judge@localhost>", "Sent: Monday, January 5, 2026 12:00 PM",
    "To: ann@example.org", "Subject: marco - S1901M results", "",
)


class Quote(NamedTuple):
    """A letter as quoted by a mail program."""

    lines: list[str]
    is_html: bool = False
    flowed: bool = False


Habit = Callable[[Sequence[str], int], Quote]
"""Function that quotes the lines of a letter.

The number is a width, for programs that break lines.
"""


def mark_lines(letter: Sequence[str], width: int) -> Quote:
    return Quote([HEAD, *(f"> {line}" for line in letter)])


def marked_twice(letter: Sequence[str], width: int) -> Quote:
    return Quote([HEAD, *(_first_marked("> > ", letter, width))])


def first_piece_marked(letter: Sequence[str], width: int) -> Quote:
    return Quote([HEAD, *_first_marked("> ", letter, width)])


def first_piece_marked_with_a_bar(letter: Sequence[str], width: int) -> Quote:
    return Quote([HEAD, *_first_marked("| ", letter, width)])


def first_piece_marked_by_name(letter: Sequence[str], width: int) -> Quote:
    return Quote([HEAD, *_first_marked("Judge> ", letter, width)])


def first_piece_marked_without_head(letter: Sequence[str], width: int) -> Quote:
    return Quote(_first_marked("> ", letter, width))


def broken_anywhere(letter: Sequence[str], width: int) -> Quote:
    """Quote with lines cut at a fixed column. Only the first piece has a mark."""
    lines = []
    for line in (f"> {line}" for line in letter):
        lines += [line[at:at + width] for at in range(0, max(len(line), 1), width)]
    return Quote([HEAD, *lines])


def filled_anew(letter: Sequence[str], width: int) -> Quote:
    """Quote with filled paragraphs. Only their first lines have a mark."""
    return Quote([HEAD, *_first_marked("> ", _paragraphs(letter), width)])


def filled_without_marks(letter: Sequence[str], width: int) -> Quote:
    return Quote([*OUTLOOK, *_broken(_paragraphs(letter), width)])


def unmarked_below_a_head(letter: Sequence[str], width: int) -> Quote:
    return Quote([*OUTLOOK, *letter])


def broken_below_a_head(letter: Sequence[str], width: int) -> Quote:
    return Quote([*OUTLOOK, *_broken(letter, width)])


def broken_below_what_was_said(letter: Sequence[str], width: int) -> Quote:
    return Quote([HEAD, *_broken(letter, width)])


def unmarked_without_head(letter: Sequence[str], width: int) -> Quote:
    return Quote(["", *letter])


def broken_without_head(letter: Sequence[str], width: int) -> Quote:
    return Quote(["", *_broken(letter, width)])


def filled_without_head(letter: Sequence[str], width: int) -> Quote:
    return Quote(["", *_broken(_paragraphs(letter), width)])


def without_blanks(letter: Sequence[str], width: int) -> Quote:
    """Quote without blank lines and without indentation."""
    full = [line.strip() for line in letter if line.strip()]
    return Quote([HEAD, *_first_marked(">", full, width)])


def in_ascii(letter: Sequence[str], width: int) -> Quote:
    known = [line.encode("ascii", "replace").decode() for line in letter]
    return Quote([HEAD, *_first_marked("> ", known, width)])


def in_broken_utf8(letter: Sequence[str], width: int) -> Quote:
    wrong = [line.encode("utf-8", "replace").decode("latin-1") for line in letter]
    return Quote([HEAD, *_first_marked("> ", [" ".join(w.split()) for w in wrong], width)])


def with_other_blanks(letter: Sequence[str], width: int) -> Quote:
    other = [line.replace(" ", "\u00a0") for line in letter]
    return Quote([HEAD, *(piece for line in other for piece in _hard(f"> {line}", width))])


def escape_lines(letter: Sequence[str], width: int) -> Quote:
    return Quote([HEAD, *_first_marked("> ", [escape(line) for line in letter], width)])


def flow_lines(letter: Sequence[str], width: int) -> Quote:
    lines = []
    for line in letter:
        pieces = _broken([line], width)
        lines += [f"> {piece} " for piece in pieces[:-1]] + [f"> {pieces[-1]}".rstrip()]
    return Quote([HEAD, *lines], flowed=True)


def flowed_without_marks(letter: Sequence[str], width: int) -> Quote:
    """Quote whose lines end in a blank, as if each continued in the next one."""
    return Quote(["", *(f"{line} " for line in letter)], flowed=True)


def html_quote(letter: Sequence[str], width: int) -> Quote:
    rows = "<br>".join(map(escape, letter))
    return Quote([f"<div>{HEAD}</div><blockquote>{rows}</blockquote>"], is_html=True)


def html_paragraphs(letter: Sequence[str], width: int) -> Quote:
    rows = [f"<p class=MsoNormal>{escape(line) or '&nbsp;'}</p>" for line in [*OUTLOOK, *letter]]
    return Quote(["".join(rows)], is_html=True)


def html_without_head(letter: Sequence[str], width: int) -> Quote:
    return Quote(["".join(f"<div>{escape(line) or '<br>'}</div>" for line in letter)], is_html=True)


def html_in_one(letter: Sequence[str], width: int) -> Quote:
    """Quote without line ends, as from an HTML page that collapses them."""
    rows = [f"<div>{escape(part)}</div>" for part in _paragraphs(letter)]
    return Quote(["".join(rows)], is_html=True)


HABITS: tuple[Habit, ...] = (
    mark_lines, marked_twice, first_piece_marked, first_piece_marked_with_a_bar,
    first_piece_marked_by_name, first_piece_marked_without_head, broken_anywhere, filled_anew,
    filled_without_marks, unmarked_below_a_head, broken_below_a_head, broken_below_what_was_said,
    unmarked_without_head, broken_without_head, filled_without_head, without_blanks, in_ascii,
    in_broken_utf8, with_other_blanks, escape_lines, flow_lines, flowed_without_marks, html_quote,
    html_paragraphs, html_without_head, html_in_one,
)


LIST_SIGNS = ("* ", "- ", "• ", "•", "1. ", "1.", "a) ", "\t", "– ", "◦", "__", "[1] ", "→ ", "| ",
              "*\t", "> * ", "* > ")
"""Beginnings of list items, also in a quote."""


def make_list_habit(sign: str) -> Habit:
    """Return the style that makes each line a list item.

    Pieces of broken lines have no mark.
    """
    def in_a_list(letter: Sequence[str], width: int) -> Quote:
        return Quote(_first_marked(sign, letter, width))

    return in_a_list


LISTED: tuple[Habit, ...] = tuple(map(make_list_habit, LIST_SIGNS))


def _hard(line: str, width: int) -> list[str]:
    return [line[at:at + width] for at in range(0, max(len(line), 1), width)]


def _broken(lines: Sequence[str], width: int) -> list[str]:
    return [piece for line in lines for piece in _wrap_line(line, width) or ("",)]


def _first_marked(mark: str, lines: Sequence[str], width: int) -> list[str]:
    return [piece for line in lines for piece in _wrap_line(mark + line, width) or (mark,)]


@lru_cache(20_000)
def _wrap_line(line: str, width: int) -> tuple[str, ...]:
    """Return a line broken at blanks. The result is cached for the many styles."""
    return tuple(textwrap.wrap(line, width))


def _paragraphs(lines: Sequence[str]) -> list[str]:
    joined = "\n".join(line.strip() for line in lines).split("\n\n")
    return [line for part in joined for line in (" ".join(part.split("\n")), "")]
