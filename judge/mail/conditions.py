"""IF blocks: the lines between IF and ENDIF as a choice among lines.

    IF A Bur AND NOT F Mao THEN
      A Par H
    ELSE IF A Gas
      A Par - Pic
    ELSE
      A Par - Bur
    ENDIF

THEN may be left out where the line ends; all of it may stand on one line. The words IF, THEN, ELSE
and ENDIF part the text wherever they stand, as no place is called so. What a condition means is
for the game system.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from judge.mail.language import Language
from judge.mail.pieces import Piece, Span, pieces_of
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.incoming import Body, Choice, Line
from judge.words.reason import because

MOST_LINES = 300
DEEPEST = 8
"""How deep IF blocks may stand in one another."""

_KEYWORD = re.compile(
    r"(?<![\w/'-])(else\s*if|elsif|end\s*if|else|then|if)(?![\w'-])", re.IGNORECASE
)
_IN_BLOCK = frozenset({"", "IF", "ELSE", "ELSE IF", "ENDIF", "END IF"})


class _Token(NamedTuple):
    """A keyword in capitals ("ELSE IF" is "ELSEIF"), or "" and the line between two of them."""

    word: str
    line: Line


def depth_after(line: Line) -> int:
    """Return by how much a line opens or closes IF blocks.

    >>> [depth_after(Line(1, text)) for text in ("IF A Bur", "ELSE IF F Mao", "END IF")]
    [1, 0, -1]
    """
    words = [token.word for piece in pieces_of(line) for token in _tokens(piece)]
    return words.count("IF") - words.count("ENDIF")


def read_choice(language: Language, lines: Iterable[Line]) -> Choice | Complaint:
    """Read the lines of a block, its IF and its ENDIF included."""
    found: list[_Token] = []
    many = list(lines)
    if len(many) > MOST_LINES:
        return _wrong(many[0], "block-too-long", limit=MOST_LINES)
    for line in many:
        for piece in pieces_of(line):
            found += _tokens(piece)
    reader = _Reader(language, found, many[0])
    choice = reader.choice()
    return reader.fault or choice


def _tokens(piece: Piece) -> Iterator[_Token]:
    """Part a piece at its keywords."""
    at = 0
    for match in [*_KEYWORD.finditer(piece.plain), None]:
        end = match.start() if match else len(piece.plain)
        text = piece.plain[at:end]
        left, right = at + len(text) - len(text.lstrip()), at + len(text.rstrip())
        if left < right:
            yield _Token("", Line(piece.number, piece.typed(Span(left, right))))
        if match:
            word = re.sub(r"\s", "", match.group().upper()).replace("ELSIF", "ELSEIF")
            yield _Token(word, Line(piece.number, match.group()))
            at = match.end()


class _Reader:
    """Reads tokens one by one, from IF to ENDIF; after the first fault nothing is left to read."""

    def __init__(self, language: Language, tokens: list[_Token], first: Line) -> None:
        self._language = language
        self._tokens = tokens
        self._first = first
        self._at = 0
        self.fault: Complaint | None = None

    def choice(self) -> Choice:
        """Read the one block there is."""
        self._at += 1
        choice = self._rest(1)
        if self._at < len(self._tokens):
            self._fail("block-goes-on")
        return choice

    def _rest(self, depth: int) -> Choice:
        """Read from behind an IF to behind its ENDIF."""
        test, word = self._here()
        if depth > DEEPEST:
            self._fail("block-too-deep", limit=DEEPEST)
        elif word:
            self._fail("block-without-condition")
        self._at += 1
        if self._here()[1] == "THEN":
            self._at += 1
        then = self._body(depth)
        otherwise: Body = ()
        _, word = self._here()
        self._at += 1
        if word == "ELSEIF":
            return Choice(test, then, (self._rest(depth + 1),))
        if word == "ELSE":
            otherwise = self._body(depth)
            _, word = self._here()
            self._at += 1
        if word != "ENDIF":
            self._at -= 1
            self._fail("block-misplaced", word=word)
        return Choice(test, then, otherwise)

    def _body(self, depth: int) -> Body:
        found: list[Line | Choice] = []
        while True:
            line, word = self._here()
            if word not in ("", "IF"):
                return tuple(found)
            command = "" if word else self._language.first_word(line.text)
            if command not in _IN_BLOCK:
                self._fail("block-holds-command", word=command)
            self._at += 1
            found.append(self._rest(depth + 1) if word else line)

    def _here(self) -> tuple[Line, str]:
        """Return the line and the word of the next token, or what stands for the end."""
        if self._at >= len(self._tokens):
            return self._first, "the end"
        token = self._tokens[self._at]
        return token.line, token.word

    def _fail(self, code: str, **facts: int | str) -> None:
        """Note the first fault, and read no further."""
        if self.fault is None:
            self.fault = _wrong(self._here()[0], code, **facts)
        self._at = len(self._tokens)


def _wrong(line: Line, code: str, **facts: int | str) -> Complaint:
    reason = because(code, **facts)
    return Complaint(ComplaintKind.UNREADABLE, line.number, line.text.strip()[:200], reason)
