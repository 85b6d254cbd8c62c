"""Detection of press whose end was forgotten.

If ENDPRESS is missing, the text may include the next sign-on, with its password, and press for
other readers. Such press is not sent.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from judge.mail.language.commands import MAX_COMMAND, read_command
from judge.mail.language.segments import Segment, split_line
from judge.mail.language.vocabulary import CommandLanguage, near_end_of_press
from judge.model.incoming import Line
from judge.model.phrase import Complaint

MAX_WORDS = 4
"""Words after the command of a sign-on. More are prose: "Hello all my friends"."""
CLEAR = frozenset({"SIGNON", "SIGN ON", "SIGNIN", "SIGN IN", "LOGIN", "LOGON", "TAKEOVER"})
"""Sign-on commands that begin no sentence.

Lines with others, such as "Join us now", are sign-ons only if they name a game."""


class Evidence(Enum):
    """Sign that a text includes lines not meant for it."""

    SECRET = "secret"
    """A sign-on or a new password."""
    HEAD = "head"
    """The head of another block."""
    END = "end"
    """The end of this block, misspelt."""


class UnclosedPress(NamedTuple):
    """First sign of an unclosed block, and possible names of games in doubtful lines."""

    sign: Evidence | None = None
    at: int = 0
    names: tuple[str, ...] = ()


def find_unclosed_press(language: CommandLanguage, body: Sequence[str]) -> UnclosedPress:
    """Search a text for signs of an unclosed block. A secret takes precedence."""
    first = UnclosedPress()
    names: dict[str, None] = {}
    for at, text in enumerate(body):
        if near_end_of_press(text.strip()) and first.sign is None:
            first = UnclosedPress(Evidence.END, at)
        for piece in split_line(Line(at, text)):
            found = _sign(language, piece.strip_list_mark())
            if found is Evidence.SECRET:
                return UnclosedPress(found, at)
            if found and first.sign is None:
                first = UnclosedPress(found, at)
            if found is None:
                names.update(dict.fromkeys(_names(language, piece.strip_list_mark())))
    return first._replace(names=tuple(names))


def _sign(language: CommandLanguage, piece: Segment) -> Evidence | None:
    plain = piece.plain
    if len(plain) > MAX_COMMAND:
        return None
    word = language.first_word(plain)
    if not word:
        return Evidence.HEAD if _is_near_head(language, plain) else None
    if word in CLEAR or word == "SET":
        meaning = read_command(language, piece)
        commands = () if isinstance(meaning, Complaint) else meaning
        secret = commands and (word in CLEAR or hasattr(commands[0], "password"))
        return Evidence.SECRET if secret else None
    if word in language.press:
        meaning = read_command(language, piece)
        opens = not isinstance(meaning, Complaint) or meaning.reason.code == "press-to-whom"
        return Evidence.HEAD if opens else None
    return Evidence.HEAD if plain.upper().rstrip(":.") in ("DIARY", "DIARY RECORD") else None


def _is_near_head(language: CommandLanguage, plain: str) -> bool:
    """Return whether a line is a misspelt head with a list of readers: "PRES TO F"."""
    word = language.near_press(plain)
    words = plain.split()
    return bool(word) and words[1:2] != [] and words[1].upper() == "TO" and len(words) < 5


def _names(language: CommandLanguage, piece: Segment) -> Iterator[str]:
    """Yield possible names of games in a line that may be a sign-on.

    Each word counts whole and without its first letter.
    """
    plain = piece.plain
    words = plain.lower().split()
    if not 1 < len(words) <= MAX_WORDS + 2 or len(plain) > MAX_COMMAND:
        return
    if (language.first_word(plain) or language.guess_command(plain)) in language.secretive:
        rest = words[language.command_length(plain):]
        for word in rest[:2] if 1 < len(rest) <= MAX_WORDS else ():
            name = word.rpartition("@")[2].lstrip("?").strip(".,;:!")
            if 1 < len(name) < 10:
                yield name
                if len(name) > 2:
                    yield name[1:]
