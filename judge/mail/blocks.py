"""Press and its like, cut out of a mail before anything is read as a command or an order.

What stands between PRESS and ENDPRESS is nobody's but the reader's of that press: it may name
passwords, quote orders, look like commands. So blocks go first, and a block that is never closed
swallows the rest of the mail. Blocks of other judges that we do not offer are cut all the same.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from judge.mail.conditions import MOST_LINES, depth_after
from judge.mail.language import Language, near_end_of_press
from judge.mail.pieces import Piece, pieces_of, plain_text
from judge.words.incoming import Line


class Ending(Enum):
    """How a block came to its end."""

    CLOSED = "closed"
    SIGNED_OFF = "signed off"
    """By SIGNOFF, which also ends the mail."""
    NEVER = "never"


class Block(NamedTuple):
    """A block: the piece that opened it and the lines in it as typed."""

    opening: Piece
    word: str
    """PRESS, BROADCAST, POSTAL PRESS, OFFICIAL, DIARY, REGISTER, SET COMMENT, IF, PREVIEW."""
    body: tuple[str, ...]
    ending: Ending
    last: int
    """Number of the last line that belongs to it, its end included."""
    exact: bool = True
    """The word that opened it was spelled as it should be."""
    slip: int = 0
    """Number of a line that looks as if it should have closed a block never closed."""
    lines: tuple[Line, ...] = ()
    """Of IF and PREVIEW, whose lines are orders: the lines in it, the first and last included.
    Of OFFICIAL its first line, which holds the subject; of SETUP and IMPORT those between."""


class Text(NamedTuple):
    """A line outside all blocks, and its pieces."""

    line: Line
    pieces: tuple[Piece, ...]


_END_OF_PRESS = re.compile(r"\s*end\s*(press|broadcast)[\s.!]*$", re.IGNORECASE)
_END_OF_OFFICIAL = re.compile(r"\s*end\s*(official|press|broadcast)[\s.!]*$", re.IGNORECASE)
_END_OF_DIARY = re.compile(r"\s*end\s*(press|diary)[\s.!]*$", re.IGNORECASE)
_END_OF_FIELDS = re.compile(r"\s*end(register|comment)?[\s.!]*$", re.IGNORECASE)
_END_OF_PREVIEW = re.compile(r"\s*end\s*preview[\s.!]*$", re.IGNORECASE)
_END_OF_IMPORT = re.compile(r"\s*end\s*import[\s.!]*$", re.IGNORECASE)
_HEAD_OF_GAME = re.compile(r"\s*(game|map)\s+\S|\s*\{", re.IGNORECASE)
"""How the text of a game begins: only then is IMPORT the head of a block."""
_END_OF_SETUP = re.compile(r"\s*end\s*(setup)?[\s.!]*$", re.IGNORECASE)
_SETUP_AGREED = re.compile(r"setup\s+[b-t]{6}[\s.!]*$", re.IGNORECASE)
_SIGN_OFF = re.compile(r"\s*sign\s*off[\s.!]*$", re.IGNORECASE)
_COMMENT = re.compile(r"set\s+comment\s+begin\b", re.IGNORECASE)
_DIARY_AT_REST = re.compile(r"diary\s+(list|read|delete)\b", re.IGNORECASE)
_CONDITION_AND_ORDER = re.compile(r"if\b.*\bthen\b\s*\S", re.IGNORECASE)


def cut(language: Language, lines: Sequence[Line]) -> Iterator[Text | Block]:
    """Yield the lines of a mail in order, each block as one; blank lines are left out."""
    landmarks = _Landmarks(language, lines)
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        pieces = tuple(pieces_of(line))
        for number, piece in enumerate(pieces):
            block = _block(language, piece.unmarked(), lines, at, landmarks)
            if block is not None:
                if number:
                    yield Text(line, pieces[:number])
                if block.word == "IF":
                    head = Line(line.number, "; ".join(p.raw for p in pieces[number:]))
                    block = _condition(piece.unmarked(), head, lines, at, landmarks)
                elif block.word == "PREVIEW":
                    rest = [Line(line.number, p.raw) for p in pieces[number + 1 :]]
                    block = block._replace(lines=(*rest, *block.lines))
                elif block.word == "OFFICIAL":
                    text = "; ".join(p.raw for p in pieces[number:]) if number else line.text
                    block = block._replace(lines=(Line(line.number, text),))
                elif number + 1 < len(pieces):
                    # Something follows on the line: whether it is press nobody can tell.
                    block = block._replace(exact=False)
                yield block
                at += len(block.body) + (block.ending is not Ending.NEVER and block.word != "IF")
                break
        else:
            if pieces:
                yield Text(line, pieces)


class _Landmarks:
    """Where blocks end and seats are opened: found once, so that no mail is read over and over."""

    def __init__(self, language: Language, lines: Sequence[Line]) -> None:
        self.ends_of_press: list[int] = []
        self.depths: list[int] = []
        """By how much each line opens or closes IF blocks."""
        self.heads: list[int] = []
        self.openers: list[int] = []
        for place, line in enumerate(lines):
            plain = plain_text(line.text).lstrip()
            self.depths.append(depth_after(line) if "if" in plain.lower() else 0)
            if _END_OF_PRESS.match(plain):
                self.ends_of_press.append(place)
            elif (word := language.first_word(plain)) in language.press:
                self.heads.append(place)
            elif word in language.openers or word == "PHASE" or _SIGN_OFF.match(plain):
                self.openers.append(place)


def _next(places: Sequence[int], at: int, otherwise: int) -> int:
    """Return the first place from `at` on."""
    found = bisect_right(places, at - 1)
    return places[found] if found < len(places) else otherwise


def _block(
    language: Language, piece: Piece, lines: Sequence[Line], at: int, landmarks: _Landmarks
) -> Block | None:
    """Return the block that a piece opens, with the lines from `at` on as its body."""
    word = language.first_word(piece.plain)
    if word in language.press:
        return _until(_END_OF_PRESS, piece, word, lines, at)
    if word == "OFFICIAL":
        return _until(_END_OF_OFFICIAL, piece, word, lines, at)
    if word == "DIARY" and not _DIARY_AT_REST.match(piece.plain):
        return _until(_END_OF_DIARY, piece, word, lines, at)
    if word == "REGISTER":
        return _until(_END_OF_FIELDS, piece, word, lines, at)
    if word == "SET" and _COMMENT.match(piece.plain):
        return _until(_END_OF_FIELDS, piece, "SET COMMENT", lines, at)
    if word == "SETUP" and not _SETUP_AGREED.match(piece.plain):
        block = _until(_END_OF_SETUP, piece, word, lines, at)
        return block._replace(lines=tuple(lines[at : at + len(block.body)]))
    if word == "IMPORT" and _HEAD_OF_GAME.match(_first_line(lines, at)):
        block = _until(_END_OF_IMPORT, piece, word, lines, at)
        return block._replace(lines=tuple(lines[at : at + len(block.body)]))
    if word == "IF":
        return _condition(piece, lines[at - 1], lines, at, landmarks)
    if word == "PREVIEW":
        return _preview(language, piece, lines, at)
    if not word and (meant := language.near_press(piece.plain)):
        end = _next(landmarks.ends_of_press, at, len(lines))
        if end < _next(landmarks.heads, at, len(lines)):
            return _until(_END_OF_PRESS, piece, meant, lines, at)._replace(exact=False)
    return None


def _first_line(lines: Sequence[Line], at: int) -> str:
    """Return the first line from a place on that is not blank."""
    return next((plain for line in lines[at:] if (plain := plain_text(line.text)).strip()), "")


def _until(
    end: re.Pattern[str], piece: Piece, word: str, lines: Sequence[Line], at: int
) -> Block:
    slip = 0
    for place in range(at, len(lines)):
        plain = plain_text(lines[place].text)
        if end.match(plain) or _SIGN_OFF.match(plain):
            ending = Ending.CLOSED if end.match(plain) else Ending.SIGNED_OFF
            return Block(piece, word, _body(lines[at:place]), ending, lines[place].number)
        if not slip and near_end_of_press(plain):
            slip = lines[place].number
    last = lines[-1].number
    return Block(piece, word, _body(lines[at:]), Ending.NEVER, last, slip=slip)


def _condition(
    piece: Piece, head: Line, lines: Sequence[Line], at: int, landmarks: _Landmarks
) -> Block:
    """Return the lines up to the ENDIF that closes an IF, or up to where somebody signs on.

    A missing ENDIF refuses that block only: conditions hold no secrets.
    """
    limit = _next(landmarks.openers, at, len(lines))
    depth, place = depth_after(head), at
    while depth > 0 and place < min(limit, at + MOST_LINES):
        depth += landmarks.depths[place]
        place += 1
    if depth <= 0:
        within = (head, *lines[at:place])
        last = within[-1].number
        return Block(piece, "IF", _body(lines[at:place]), Ending.CLOSED, last, lines=within)
    end = at if _CONDITION_AND_ORDER.match(piece.plain) else limit
    return Block(piece, "IF", _body(lines[at:end]), Ending.NEVER, lines[end - 1].number)


def _preview(language: Language, piece: Piece, lines: Sequence[Line], at: int) -> Block:
    """Return the lines up to ENDPREVIEW, or else up to the next command.

    Where ENDPREVIEW is missing its lines must not become orders in earnest.
    """
    end = at
    while end < len(lines) and not language.first_word(plain_text(lines[end].text).strip()):
        end += 1
    closed = end < len(lines) and bool(_END_OF_PREVIEW.match(plain_text(lines[end].text)))
    ending = Ending.CLOSED if closed else Ending.NEVER
    last = lines[min(end, len(lines) - 1)].number
    return Block(piece, "PREVIEW", _body(lines[at:end]), ending, last, lines=tuple(lines[at:end]))


def _body(lines: Sequence[Line]) -> tuple[str, ...]:
    return tuple(line.text for line in lines)
