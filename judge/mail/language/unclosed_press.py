"""Unclosed press: lines in it that its writer did not mean, for its end was forgotten.

Where ENDPRESS is missing, the next sign-on, with its password, and the next press, for somebody
else, stand in the text of this one. Such a text goes to nobody.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from judge.mail.language.commands import LONGEST_COMMAND, read_command
from judge.mail.language.pieces import Piece, pieces_of
from judge.mail.language.vocabulary import Language, near_end_of_press
from judge.model.incoming import Line
from judge.model.phrase import Complaint

MOST_WORDS = 4
"""Words a sign-on has behind its command; longer lines are prose, "Hello all my friends"."""
CLEAR = frozenset({"SIGNON", "SIGN ON", "SIGNIN", "SIGN IN", "LOGIN", "LOGON", "TAKEOVER"})
"""Sign-ons that begin no sentence. Others, such as "Join us now", are one if they name a game."""


class Sign(Enum):
    """What shows that a text holds what it should not."""

    SECRET = "secret"
    """A sign-on or a new password."""
    HEAD = "head"
    """The head of another block."""
    END = "end"
    """The end of this one, misspelt."""


class UnclosedPress(NamedTuple):
    """The first line that gives a text away, and what may be games in those that do not clearly."""

    sign: Sign | None = None
    at: int = 0
    names: tuple[str, ...] = ()


def swallowed(language: Language, body: Sequence[str]) -> UnclosedPress:
    """Look a text through; a secret counts before anything else."""
    first = UnclosedPress()
    names: dict[str, None] = {}
    for at, text in enumerate(body):
        if near_end_of_press(text.strip()) and first.sign is None:
            first = UnclosedPress(Sign.END, at)
        for piece in pieces_of(Line(at, text)):
            found = _sign(language, piece.unmarked())
            if found is Sign.SECRET:
                return UnclosedPress(found, at)
            if found and first.sign is None:
                first = UnclosedPress(found, at)
            if found is None:
                names.update(dict.fromkeys(_names(language, piece.unmarked())))
    return first._replace(names=tuple(names))


def _sign(language: Language, piece: Piece) -> Sign | None:
    plain = piece.plain
    if len(plain) > LONGEST_COMMAND:
        return None
    word = language.first_word(plain)
    if not word:
        return Sign.HEAD if _is_near_head(language, plain) else None
    if word in CLEAR or word == "SET":
        meaning = read_command(language, piece)
        commands = () if isinstance(meaning, Complaint) else meaning
        secret = commands and (word in CLEAR or hasattr(commands[0], "password"))
        return Sign.SECRET if secret else None
    if word in language.press:
        meaning = read_command(language, piece)
        opens = not isinstance(meaning, Complaint) or meaning.reason.code == "press-to-whom"
        return Sign.HEAD if opens else None
    return Sign.HEAD if plain.upper().rstrip(":.") in ("DIARY", "DIARY RECORD") else None


def _is_near_head(language: Language, plain: str) -> bool:
    """Tell whether a line is a misspelt head with a list of readers: "PRES TO F"."""
    word = language.near_press(plain)
    words = plain.split()
    return bool(word) and words[1:2] != [] and words[1].upper() == "TO" and len(words) < 5


def _names(language: Language, piece: Piece) -> Iterator[str]:
    """Yield what may be the game of a sign-on: a word of the line, or one without its letter."""
    plain = piece.plain
    words = plain.lower().split()
    if not 1 < len(words) <= MOST_WORDS + 2 or len(plain) > LONGEST_COMMAND:
        return
    if (language.first_word(plain) or language.meant(plain)) in language.secretive:
        rest = words[language.command_length(plain):]
        for word in rest[:2] if 1 < len(rest) <= MOST_WORDS else ():
            name = word.rpartition("@")[2].lstrip("?").strip(".,;:!")
            if 1 < len(name) < 10:
                yield name
                if len(name) > 2:
                    yield name[1:]
