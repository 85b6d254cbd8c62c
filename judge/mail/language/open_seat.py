"""Tracking of the open seat, whose game's order language applies to a line.

A mail opens seats line by line, and its first seat by the letter that it answers. A line may look
like a command at the seat of one game and be an order at that of another, so the parser tracks
which seat is open. It does not matter here whether a sign-on has the right password: nothing
counts after a wrong one.
"""

import re

from judge.mail.language.commands import read_command
from judge.mail.language.parts import Meaning
from judge.mail.language.segments import Segment, plain_text, split_line
from judge.mail.language.vocabulary import CommandLanguage
from judge.model.command import Command
from judge.model.incoming import Line
from judge.model.order_words import (
    ALWAYS_COMMANDS,
    NO_ORDER_WORDS,
    OpenedSeat,
    OrderWords,
    OrderWordsOf,
)
from judge.model.phrase import Complaint

_BEHIND_END = r"[\s.!]*(?:$|;|#|//)"


class OpenSeat:
    """Open seat while a mail is parsed, as far as its order language is concerned.

    Without `words_of` no game has words of its own, and no seat is tracked.
    """

    def __init__(
        self,
        language: CommandLanguage,
        words_of: OrderWordsOf | None = None,
        opened: OpenedSeat | None = None,
    ) -> None:
        self._language = language
        self._words_of = words_of
        self._made: dict[str, OrderWords] = {}
        """Order words of games that this mail creates or renames."""
        self._words = NO_ORDER_WORDS
        self._game = ""
        self._is_masters = False
        self._end = ""
        """Line that ends the current block of orders, or empty."""
        self._read: tuple[Segment, Meaning] | None = None
        """Last segment parsed for tracking, with its meaning."""
        if opened is not None:
            self._open(opened.game, is_masters=opened.is_masters)

    def is_order(self, plain: str) -> bool:
        """Return whether a segment is an order of the open seat's game, despite its look.

        At a master's own seat, commands that only masters may give remain commands.
        """
        if not self._words.starts_order(plain):
            return False
        return not (self._is_masters and self._language.first_word(plain) in self._language.masters)

    def end_of(self, plain: str) -> str:
        """Return the line that ends the block of orders begun by a segment, or ""."""
        return self._words.end_of(plain) if self.is_order(plain) else ""

    def begin(self, plain: str) -> None:
        """Advance past a segment that is an order and may begin a block."""
        self._end = self.end_of(plain)

    def holds(self, line: Line) -> bool:
        """Advance past a line. Return whether it belongs to a block of orders.

        Words that work everywhere work in such a block too. A command that opens a seat ends it.
        """
        if not self._end:
            return False
        if is_end(self._end, line):
            self._end = ""
            return True
        pieces = split_line(line)
        first = pieces[0].strip_list_mark() if pieces else None
        word = self._language.first_word(first.plain) if first else ""
        if first is None or not word:
            return True
        opens = word in self._language.openers and not self.is_order(first.plain)
        return word not in ALWAYS_COMMANDS and not (
            opens and not isinstance(read_command(self._language, first), Complaint)
        )

    def strip_master_address(self, piece: Segment) -> Segment:
        """Strip the words by which a master names their role and game from a segment."""
        if not (self._is_masters and self._words.masters):
            return piece
        words = piece.words()
        if len(words) < 3:
            return piece
        called, game = (piece.plain[word.start:word.end] for word in words[:2])
        named = game.lower().rstrip(":,") == self._game
        ours = called.upper() in {word.upper() for word in self._words.masters}
        return piece.after(words[2].start) if named and ours else piece

    def follow(self, piece: Segment, word: str) -> None:
        """Advance past a segment that is no order and begins with the command *word*.

        It may open another seat, or close the present one. *word* may be empty.
        """
        if self._words_of is None or word not in self._language.seating:
            return
        meaning = read_command(self._language, piece)
        self._read = piece, meaning
        if not isinstance(meaning, Complaint):
            for command in meaning:
                self._carry_out(command)
        elif word in self._language.openers:
            self._close()

    def meaning_of(self, piece: Segment) -> Meaning:
        """Return the meaning of a passed segment, cached if parsed for tracking."""
        if self._read and self._read[0] == piece:
            return self._read[1]
        return read_command(self._language, piece)

    def _carry_out(self, command: Command) -> None:
        change = command.seat_change()
        if change is None:
            return
        if change.game is not None:
            self._open(change.game, change.variant, is_masters=change.is_masters)
        elif not change.name:
            self._is_masters, self._end = change.is_masters, ""
        if change.name:
            self._made[change.name] = self._words
            self._game = change.name

    def _open(self, game: str, variant: tuple[str, ...] = (), *, is_masters: bool = False) -> None:
        self._close()
        if self._words_of is not None and game:
            known = self._made.get(game)
            self._words = known if known is not None else self._words_of(game, variant)
            self._game, self._is_masters = game, is_masters
        if variant:
            self._made[game] = self._words

    def _close(self) -> None:
        self._words, self._game, self._is_masters, self._end = NO_ORDER_WORDS, "", False, ""


def is_end(end: str, line: Line) -> bool:
    """Return whether a line ends a block of orders.

    >>> [is_end("END", Line(9, text)) for text in ("End.", " end ; that is all", "ending")]
    [True, True, False]
    """
    words = r"\s+".join(map(re.escape, end.split()))
    return re.match(rf"\s*{words}{_BEHIND_END}", plain_text(line.text), re.I) is not None
