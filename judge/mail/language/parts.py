"""Base transformer: the position of a command and the smallest parts of lines."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from lark import Token, Transformer, v_args

from judge.mail.language.segments import Segment, Span
from judge.mail.language.vocabulary import CommandLanguage
from judge.model.command import Command, Spans, Where, Words
from judge.model.phrase import Complaint, ComplaintKind, Phrase

Meaning = tuple[Command, ...] | Complaint
"""Result of parsing a segment: commands (mostly one) or a complaint."""

_SHARED = frozenset(field.name for field in fields(Command))


@v_args(inline=True)
class BaseTransformer(Transformer[Token, Meaning]):
    """Transformer of the parse tree of one segment into commands.

    `text` is the segment without secrets. A rule without a method here belongs to a kind of
    command, whose class has the parts of the rule as its fields, in their order.
    """

    def __init__(self, language: CommandLanguage, piece: Segment, text: str) -> None:
        super().__init__()
        self._language = language
        self._piece = piece
        self._at: Where = {"line": piece.number, "text": text}

    def __default__(self, data: Token, children: Sequence[object], meta: object) -> Any:
        if read := self._language.readers.get(data):
            return read(*children, at=self._at)
        kind = self._language.readings[data]
        names = [field.name for field in fields(kind.value) if field.name not in _SHARED]
        return kind.value(**self._at, **dict(zip(names, map(str, children), strict=False)))

    def start(self, meaning: Command | Meaning) -> Meaning:
        """Return the meaning of the whole segment."""
        return (meaning,) if isinstance(meaning, Command) else meaning

    def _no(self, kind: ComplaintKind, reason: Phrase, *suggestions: str) -> Complaint:
        return Complaint(kind, **self._at, reason=reason, suggestions=suggestions)

    def PASSWORD(self, token: Token) -> str:
        """Return a password exactly as typed."""
        assert token.start_pos is not None and token.end_pos is not None
        return self._piece.get_typed(Span(token.start_pos, token.end_pos))

    def GAME(self, token: Token) -> Token:
        """Return the name of a game in lower case."""
        return token.update(value=token.lower())

    def WORD(self, token: Token) -> str:
        return str(token)

    def QUOTED(self, token: Token) -> str:
        """Return quoted words as one, without the quotes."""
        return token[1:-1]

    def words(self, *typed: str) -> Words:
        """Return words as typed."""
        return typed

    def free_words(self, *typed: str) -> Words:
        """Return words as typed, one at least."""
        return typed

    def words1(self, *typed: str) -> Words:
        """Return words as typed, one at least."""
        return typed

    def lines(self, number: Token) -> Spans:
        """LINES 200."""
        return "lines", (str(number),)

    def phase(self, *words: str) -> str:
        """Return a phase as typed. Its game interprets it."""
        return " ".join(words).rstrip(".!:")
