"""Blocks of a mail: press, other text blocks and IF blocks.

The text between PRESS and ENDPRESS is for the readers of that press only. It may contain
passwords, quoted orders or command words. So blocks are split off first, and a block that is never
closed includes the rest of the mail. Blocks of other judges' commands are split off too, even if
this judge does not offer these.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import cache
from typing import NamedTuple

from judge.mail.language.open_seat import OpenSeat, is_end
from judge.mail.language.order_text import clean_order
from judge.mail.language.segments import Segment, Span, plain_text, split_line
from judge.mail.language.vocabulary import CommandLanguage, ends_block, near_end_of_press
from judge.model.command import BlockForm
from judge.model.incoming import Body, IfBlock, Line
from judge.model.phrase import Complaint, ComplaintKind, phrase

MAX_LINES = 300
MAX_DEPTH = 8
"""Maximum nesting depth of IF blocks."""

_KEYWORD = re.compile(
    r"(?<![\w/'-])(else\s*if|elsif|end\s*if|else|then|if)(?![\w'-])", re.IGNORECASE
)
_IN_BLOCK = frozenset({"", "IF", "ELSE", "ELSE IF", "ENDIF", "END IF"})


class _Token(NamedTuple):
    """A keyword in capitals, or "" with the text between two keywords.

    "ELSE IF" is "ELSEIF".
    """

    word: str
    line: Line


def depth_after(line: Line) -> int:
    """Return the change of the IF nesting depth caused by a line.

    >>> [depth_after(Line(1, text)) for text in ("IF A Bur", "ELSE IF F Mao", "END IF")]
    [1, 0, -1]
    """
    words = [token.word for piece in split_line(line) for token in _tokens(piece)]
    return words.count("IF") - words.count("ENDIF")


def read_choice(
    language: CommandLanguage, lines: Iterable[Line], seat: OpenSeat
) -> IfBlock | Complaint:
    """Read the lines of an IF block, including IF and ENDIF.

        IF A Bur AND NOT F Mao THEN
          A Par H
        ELSE IF A Gas
          A Par - Pic
        ELSE
          A Par - Bur
        ENDIF

    THEN may be omitted at the end of a line, and the whole block may be on one line. The words IF,
    THEN, ELSE and ENDIF split the text anywhere, since no place has such a name. Conditions are
    evaluated by the game system.
    """
    found: list[_Token] = []
    many = list(lines)
    if len(many) > MAX_LINES:
        return _wrong(many[0], "block-too-long", limit=MAX_LINES)
    for line in many:
        for piece in split_line(line):
            found += _tokens(piece)
    reader = _IfBlockReader(language, found, many[0], seat)
    choice = reader.choice()
    return reader.fault or choice


def _tokens(piece: Segment) -> Iterator[_Token]:
    """Split a segment at its keywords."""
    at = 0
    for match in [*_KEYWORD.finditer(piece.plain), None]:
        end = match.start() if match else len(piece.plain)
        text = piece.plain[at:end]
        left, right = at + len(text) - len(text.lstrip()), at + len(text.rstrip())
        if left < right:
            yield _Token("", Line(piece.number, clean_order(piece.get_typed(Span(left, right)))))
        if match:
            word = re.sub(r"\s", "", match.group().upper()).replace("ELSIF", "ELSEIF")
            yield _Token(word, Line(piece.number, match.group()))
            at = match.end()


class _IfBlockReader:
    """Parser of tokens from IF to ENDIF. After the first fault it skips the rest."""

    def __init__(
        self, language: CommandLanguage, tokens: list[_Token], first: Line, seat: OpenSeat
    ) -> None:
        self._language = language
        self._seat = seat
        self._tokens = tokens
        self._first = first
        self._at = 0
        self.fault: Complaint | None = None

    def choice(self) -> IfBlock:
        """Read the whole block, and complain about tokens after it."""
        self._at += 1
        choice = self._rest(1)
        if self._at < len(self._tokens):
            self._fail("block-goes-on")
        return choice

    def _rest(self, depth: int) -> IfBlock:
        """Read from after an IF to after its ENDIF."""
        test, word = self._here()
        if depth > MAX_DEPTH:
            self._fail("block-too-deep", limit=MAX_DEPTH)
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
            return IfBlock(test, then, (self._rest(depth + 1),))
        if word == "ELSE":
            otherwise = self._body(depth)
            _, word = self._here()
            self._at += 1
        if word != "ENDIF":
            self._at -= 1
            self._fail("block-misplaced", word=word)
        return IfBlock(test, then, otherwise)

    def _body(self, depth: int) -> Body:
        found: list[Line | IfBlock] = []
        while True:
            line, word = self._here()
            if word not in ("", "IF"):
                return tuple(found)
            command = "" if word else self._language.first_word(line.text)
            if command not in _IN_BLOCK and not self._seat.is_order(line.text):
                self._fail("block-holds-command", word=command)
            self._at += 1
            found.append(self._rest(depth + 1) if word else line)

    def _here(self) -> tuple[Line, str]:
        """Return the line and the word of the next token, with placeholders at the end."""
        if self._at >= len(self._tokens):
            return self._first, "the end"
        token = self._tokens[self._at]
        return token.line, token.word

    def _fail(self, code: str, **facts: int | str) -> None:
        """Record the first fault and skip all other tokens."""
        if self.fault is None:
            self.fault = _wrong(self._here()[0], code, **facts)
        self._at = len(self._tokens)


def _wrong(line: Line, code: str, **facts: int | str) -> Complaint:
    reason = phrase(code, **facts)
    return Complaint(ComplaintKind.UNREADABLE, line.number, line.text.strip()[:200], reason)


class BlockEnd(Enum):
    """Kind of end of a block."""

    CLOSED = "closed"
    SIGNED_OFF = "signed off"
    """Ended by SIGNOFF, which also ends the mail."""
    NEVER = "never"


class Block(NamedTuple):
    """A block: the segment that opened it and its lines as typed."""

    opening: Segment
    word: str
    """Name of the block, mostly its first words in capitals, such as SET COMMENT."""
    body: tuple[str, ...]
    ending: BlockEnd
    last: int
    """Number of its last line, the closing line included."""
    exact: bool = True
    """True if the opening word was spelled correctly and alone on the line."""
    slip: int = 0
    """Number of a line that looks like a misspelt end of an unclosed block, or 0."""
    lines: tuple[Line, ...] = ()
    """Lines in it. Those of IF include the first and last line.

    OFFICIAL has only its first line, which contains the subject."""


class CommandLine(NamedTuple):
    """A line outside all blocks, with its segments."""

    line: Line
    pieces: tuple[Segment, ...]


_SIGN_OFF = re.compile(r"\s*sign\s*off[\s.!]*$", re.IGNORECASE)
_CONDITION_AND_ORDER = re.compile(r"if\b.*\bthen\b\s*\S", re.IGNORECASE)


class Order(NamedTuple):
    """A line, or the rest of one, that is an order in the open seat's game, as typed.

    It may look like a command, or be inside a block of orders.
    """

    line: Line


def split_blocks(
    language: CommandLanguage, lines: Sequence[Line], seat: OpenSeat
) -> Iterator[CommandLine | Block | Order]:
    """Yield the parts of a mail in order, each block as one, without blank lines.

    *seat* is updated on the way. It is always the seat open at the last segment yielded.
    """
    # The index is built lazily: few mails have a block that needs it.
    landmarks = cache(lambda: _BlockIndex(language, lines))
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.text.strip() and seat.holds(line):
            yield Order(line)
            continue
        pieces = split_line(line)
        for number, piece in enumerate(pieces):
            piece = pieces[number] = seat.strip_master_address(piece)
            bare = piece.strip_list_mark()
            if seat.is_order(bare.plain):
                yield from _split_off_order(line, pieces[: number + 1])
                seat.begin(bare.plain)
                break
            word = language.first_word(bare.plain)
            seat.follow(bare, word)
            block = _block(language, bare, word, lines, at, landmarks, seat)
            if block is not None:
                if number:
                    yield CommandLine(line, tuple(pieces[:number]))
                if block.word == "IF":
                    head = Line(line.number, "; ".join(p.raw for p in pieces[number:]))
                    block = _condition(bare, head, lines, at, landmarks)
                elif block.word == "PREVIEW":
                    rest = [Line(line.number, p.raw) for p in pieces[number + 1 :]]
                    block = block._replace(lines=(*rest, *block.lines))
                elif block.word == "OFFICIAL":
                    text = "; ".join(p.raw for p in pieces[number:]) if number else line.text
                    block = block._replace(lines=(Line(line.number, text),))
                elif number + 1 < len(pieces):
                    # Text after the opening word is ambiguous: it may or may not be press.
                    block = block._replace(exact=False)
                yield block
                at += len(block.body) + (block.ending is not BlockEnd.NEVER and block.word != "IF")
                break
        else:
            if pieces:
                yield CommandLine(line, tuple(pieces))


def _split_off_order(line: Line, pieces: Sequence[Segment]) -> Iterator[CommandLine | Order]:
    """Split a line before its last given segment, which is an order."""
    end = 0
    for each in pieces:
        start = line.text.index(each.raw, end)
        end = start + len(each.raw)
    if len(pieces) > 1:
        yield CommandLine(Line(line.number, line.text[:start].rstrip("; ")), tuple(pieces[:-1]))
    elif each.raw == split_line(line)[0].raw:
        start = 0
    yield Order(Line(line.number, line.text[start:]))


class _BlockIndex:
    """Index of block ends and sign-ons, built once per mail."""

    def __init__(self, language: CommandLanguage, lines: Sequence[Line]) -> None:
        self.ends_of_press: list[int] = []
        self.depths: list[int] = []
        """Change of the IF nesting depth by each line."""
        self.heads: list[int] = []
        self.openers: list[int] = []
        for place, line in enumerate(lines):
            plain = plain_text(line.text).lstrip()
            self.depths.append(depth_after(line) if "if" in plain.lower() else 0)
            if language.ends_press(plain):
                self.ends_of_press.append(place)
            elif (word := language.first_word(plain)) in language.press:
                self.heads.append(place)
            elif word in language.openers or word == "PHASE" or _SIGN_OFF.match(plain):
                self.openers.append(place)


_FindLandmarks = Callable[[], _BlockIndex]


def _next(places: Sequence[int], at: int, otherwise: int) -> int:
    """Return the first of the sorted *places* that is not before *at*."""
    found = bisect_right(places, at - 1)
    return places[found] if found < len(places) else otherwise


def _block(
    language: CommandLanguage, piece: Segment, word: str, lines: Sequence[Line], at: int,
    landmarks: _FindLandmarks, seat: OpenSeat,
) -> Block | None:
    """Return the block that a segment opens, or None.

    *word* is the first word of the segment. The body begins with the line at index *at*.
    """
    if word == "IF":
        return _condition(piece, lines[at - 1], lines, at, landmarks)
    if word == "PREVIEW":
        return _preview(language, piece, lines, at, seat)
    form = language.blocks.get(word)
    if form is not None and _is_head(form, piece, lines, at):
        return _until(form, piece, form.name or word, lines, at)
    if not word and (meant := language.near_press(piece.plain)):
        end = _next(landmarks().ends_of_press, at, len(lines))
        if end < _next(landmarks().heads, at, len(lines)):
            return _until(language.blocks["PRESS"], piece, meant, lines, at)._replace(exact=False)
    return None


def _is_head(form: BlockForm, piece: Segment, lines: Sequence[Line], at: int) -> bool:
    """Return whether a segment with the first word of a block opens a block."""
    if form.head and not re.fullmatch(form.head, piece.plain, re.IGNORECASE):
        return False
    return not form.first or bool(re.match(form.first, _first_line(lines, at), re.IGNORECASE))


def _first_line(lines: Sequence[Line], at: int) -> str:
    """Return the first line from index *at* on that is not blank, or an empty string."""
    return next((plain for line in lines[at:] if (plain := plain_text(line.text)).strip()), "")


def _until(form: BlockForm, piece: Segment, word: str, lines: Sequence[Line], at: int) -> Block:
    slip = 0
    for place in range(at, len(lines)):
        plain = plain_text(lines[place].text)
        closed = ends_block(form, plain)
        if closed or _SIGN_OFF.match(plain):
            ending, within = BlockEnd.CLOSED if closed else BlockEnd.SIGNED_OFF, lines[at:place]
            last = lines[place].number
            return Block(piece, word, _body(within), ending, last, lines=tuple(within))
        if not slip and near_end_of_press(plain):
            slip = lines[place].number
    last = lines[-1].number
    return Block(piece, word, _body(lines[at:]), BlockEnd.NEVER, last, slip=slip)


def _condition(
    piece: Segment, head: Line, lines: Sequence[Line], at: int, landmarks: _FindLandmarks
) -> Block:
    """Return an IF block up to its ENDIF or, without one, up to the next sign-on.

    A missing ENDIF refuses that block only, since conditions contain no secrets.
    """
    limit = _next(landmarks().openers, at, len(lines))
    depth, place = depth_after(head), at
    while depth > 0 and place < min(limit, at + MAX_LINES):
        depth += landmarks().depths[place]
        place += 1
    if depth <= 0:
        within = (head, *lines[at:place])
        last = within[-1].number
        return Block(piece, "IF", _body(lines[at:place]), BlockEnd.CLOSED, last, lines=within)
    end = at if _CONDITION_AND_ORDER.match(piece.plain) else limit
    return Block(piece, "IF", _body(lines[at:end]), BlockEnd.NEVER, lines[end - 1].number)


def _preview(
    language: CommandLanguage, piece: Segment, lines: Sequence[Line], at: int, seat: OpenSeat
) -> Block:
    """Return a PREVIEW block up to ENDPREVIEW or, without one, the next command.

    Its lines must not become real orders if ENDPREVIEW is missing.
    """
    end, within = at, ""
    while end < len(lines):
        plain = plain_text(lines[end].text).strip()
        if within and is_end(within, lines[end]):
            within = ""
        elif seat.is_order(plain):
            within = within or seat.end_of(plain)
        elif language.first_word(plain):
            break
        end += 1
    form = language.blocks["PREVIEW"]
    closed = end < len(lines) and ends_block(form, plain_text(lines[end].text))
    ending = BlockEnd.CLOSED if closed else BlockEnd.NEVER
    last = lines[min(end, len(lines) - 1)].number
    return Block(piece, "PREVIEW", _body(lines[at:end]), ending, last, lines=tuple(lines[at:end]))


def _body(lines: Sequence[Line]) -> tuple[str, ...]:
    return tuple(line.text for line in lines)
