"""Lines that were not read, as the answer quotes them: the first few, cut, and never a secret."""

import re
from collections.abc import Iterable
from itertools import islice

from judge.mail.commands import LONGEST_COMMAND
from judge.mail.language import Language, is_password_setting
from judge.mail.pieces import HIDDEN, Piece, pieces_of
from judge.words.incoming import Line

MOST_QUOTED = 8
"""Lines an answer quotes; the rest are counted."""
LONGEST_QUOTE = 60
"""Characters of a quoted line."""

_LEFT_OPEN = re.compile(r"(?:\.{3}|…)\s*$")
"""How a line of ours ends that was to be filled in."""


def quoted(language: Language, lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the first lines that are not blank; what may hold a password is not shown."""
    full = (line for line in lines if line.text.strip())
    return tuple(_shown(language, line) for line in islice(full, MOST_QUOTED))


def unordered(language: Language, lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the same of lines that were no orders, without quotations and drafts of ours."""
    return quoted(language, (
        line for line in lines
        if not line.text.lstrip().startswith(">") and not _LEFT_OPEN.search(line.text)
    ))


def _shown(language: Language, line: Line) -> str:
    text = " ".join(line.text.split())
    secret = any(_may_be_secret(language, piece) for piece in pieces_of(line))
    if len(line.text) > LONGEST_COMMAND or secret:
        return HIDDEN
    return text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 2]} …"


def _may_be_secret(language: Language, piece: Piece) -> bool:
    """Tell whether a piece looks like a sign-on, or names a password."""
    plain = piece.unmarked().plain
    word = language.first_word(plain) or language.meant(plain)
    words = [typed.strip(".,:;!?\"'()=") for typed in plain.split()]
    named = any(len(typed) > 1 and is_password_setting(typed) for typed in words)
    greets = word == "HELLO" and len(words) != len("HELLO Nmarco pw".split())
    return word in language.secretive and not greets or named or "@" in plain
