"""Parser of one segment of a line into commands or a complaint.

Secrets leave this module only in a command's own field. Texts and complaints show `***` instead.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from lark import Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from judge.mail.language.parts import Meaning
from judge.mail.language.segments import Segment, Span
from judge.mail.language.transformers import (
    MasterTransformer,
    OrderTransformer,
    PressTransformer,
    QueryTransformer,
    SeatTransformer,
)
from judge.mail.language.vocabulary import CommandLanguage, is_password_setting, near_password
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase

MAX_COMMAND = 1000
"""Characters. Longer lines are no commands and would take long to parse."""
MAX_PASSWORD = 64
"""Octets."""

_END = frozenset({"$END", "_STOP", "BEHIND"})
_NAMES_OF_GAMES = frozenset({"GAME", "NEW_GAME", "LETTERED", "NAMED"})


_OTHER_JUDGES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "FORM": ("old-form", ("CREATE ?marco password youngstown",)),
    "MORPH": ("old-form", ("LIST MAPS",)),
    "ACTIVATE": ("old-activate", ("START",)),
    "REVEAL": ("old-reveal", ("SET NAMES AT END", "SET REVEAL PRESS")),
    "PURGE": ("old-purge", ("TERMINATE",)),
    "INVEST": ("old-invest", ("OBSERVE marco",)),
    "PROPOSE": ("old-propose", ("VOTE DRAW",)),
}
"""Commands of other judges → the code of the reply and the equivalent lines here."""


class _CommandMeaning(
    SeatTransformer, OrderTransformer, PressTransformer, QueryTransformer, MasterTransformer
):
    """Transformer for all subjects of the language."""


def read_command(language: CommandLanguage, piece: Segment) -> Meaning:
    """Parse a segment that begins with a command word.

    Most segments are one command. `RESIGN india@marco pw` is a sign-on and a resignation.
    """
    word = language.first_word(piece.plain)
    if len(piece.raw) > MAX_COMMAND:
        return _make_complaint(language, piece, word, phrase("command-too-long", limit=MAX_COMMAND))
    try:
        tree = language.parser.parse(piece.plain)
    except UnexpectedInput as fault:
        return _unreadable(language, piece, word, fault)
    if any(tree.find_data("change_setting")) and any(map(near_password, _settings(tree))):
        return misspelling_complaint(language, piece, "SET PASSWORD")
    if any(tree.find_data("not_offered")):
        code, lines = _OTHER_JUDGES.get(word, ("old-keepers", ()))
        found = _make_complaint(
            language, piece, word, phrase(code, word=word), kind=ComplaintKind.NOT_ALLOWED
        )
        return replace(found, suggestions=lines)
    secrets = _secrets(tree)
    if any(_octets(piece.get_typed(secret)) > MAX_PASSWORD for secret in secrets):
        return _make_complaint(
            language, piece, word, phrase("password-too-long", limit=MAX_PASSWORD)
        )
    return _CommandMeaning(language, piece, piece.without(secrets)).transform(tree)


def misspelling_complaint(language: CommandLanguage, piece: Segment, word: str) -> Complaint:
    """Return a complaint about a segment that may be meant as the command *word*."""
    return _make_complaint(language, piece, word, phrase("did-you-mean-command", word=word), 0)


def _unreadable(
    language: CommandLanguage, piece: Segment, word: str, fault: UnexpectedInput
) -> Complaint:
    """Return a complaint about a syntax error, with the missing or superfluous part."""
    place, expected = len(piece.plain), set[str]()
    match fault:
        case UnexpectedToken():
            expected = fault.expected
            if fault.token.type != "$END":
                place = fault.token.start_pos or 0
        case UnexpectedCharacters():
            expected = fault.allowed
            place = fault.pos_in_stream or 0
    if word == "SET" and _texts(piece)[1:2] and is_password_setting(_texts(piece)[1]):
        word = "SET PASSWORD"
    over = place >= len(piece.plain)
    if over and "PASSWORD" in expected:
        code = "password-missing"
    elif over and expected & _NAMES_OF_GAMES:
        code = "game-missing"
    elif expected & _NAMES_OF_GAMES:
        code = "game-name-wrong"
    elif not over and expected <= _END and language.takes_password(word):
        code = "password-of-several-words"
    else:
        code = "command-form-wrong"
    return _make_complaint(language, piece, word, phrase(code, word=word), place)


def _make_complaint(
    language: CommandLanguage,
    piece: Segment,
    word: str,
    reason: Phrase,
    place: int | None = None,
    kind: ComplaintKind = ComplaintKind.UNREADABLE,
) -> Complaint:
    length = language.command_length(piece.plain)
    rest, texts = piece.words()[length:], _texts(piece)[length:]
    secrets = rest[language.shown_words(word, texts) :]
    return Complaint(
        kind, piece.number, piece.without(secrets), reason,
        column=None if place is None else piece.column(place, secrets),
        suggestions=(language.usage_of(word, texts),) if word in language.forms else (),
    )


def _settings(tree: Tree[Token]) -> list[str]:
    return [str(token) for token in _tokens(tree) if token.type == "WORD"]


def _texts(piece: Segment) -> list[str]:
    return [piece.plain[word.start : word.end] for word in piece.words()]


def _secrets(tree: Tree[Token]) -> list[Span]:
    return [
        Span(token.start_pos or 0, token.end_pos or 0)
        for token in _tokens(tree)
        if token.type in ("PASSWORD", "BEHIND")
    ]


def _tokens(tree: Tree[Token]) -> Iterator[Token]:
    return tree.scan_values(lambda leaf: isinstance(leaf, Token))


def _octets(password: str) -> int:
    return len(password.encode("utf-8", "surrogatepass"))
