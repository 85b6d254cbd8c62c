"""Lines that were not read, as the answer quotes them: the first few, cut, and never a secret."""

import re
from collections.abc import Iterable, Iterator

from judge.mail.commands import LONGEST_COMMAND
from judge.mail.forms import SECRETIVE, first_word, is_password_setting, meant
from judge.mail.pieces import HIDDEN, Piece, pieces_of
from judge.words.incoming import Line

MOST_QUOTED = 8
"""Lines an answer quotes; the rest are counted."""
LONGEST_QUOTE = 60
"""Characters of a quoted line."""

_LEFT_OPEN = re.compile(r"(?:\.{3}|…)\s*$")
"""How a line of ours ends that was to be filled in."""


def quoted(lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the first lines that are not blank; what may hold a password is not shown.

    >>> quoted([Line(3, "Hello!"), Line(4, ""), Line(5, "SIGNON Nmarco pw"), Line(6, "pw: x")])
    ('Hello!', '***', '***')
    """
    return tuple(_shown(line) for line, _ in zip(_full(lines), range(MOST_QUOTED), strict=False))


def unordered(lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the same of lines that were no orders, without quotations and drafts of ours."""
    return quoted(
        line for line in lines
        if not line.text.lstrip().startswith(">") and not _LEFT_OPEN.search(line.text)
    )


def _full(lines: Iterable[Line]) -> Iterator[Line]:
    return (line for line in lines if line.text.strip())


def _shown(line: Line) -> str:
    text = " ".join(line.text.split())
    if len(line.text) > LONGEST_COMMAND or any(map(_may_be_secret, pieces_of(line))):
        return HIDDEN
    return text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 2]} …"


def _may_be_secret(piece: Piece) -> bool:
    """Tell whether a piece looks like a sign-on, or names a password."""
    plain = piece.unmarked().plain
    word = first_word(plain) or meant(plain)
    words = [typed.strip(".,:;!?\"'()=") for typed in plain.split()]
    named = any(len(typed) > 1 and is_password_setting(typed) for typed in words)
    greets = word == "HELLO" and len(words) != len("HELLO Nmarco pw".split())
    return word in SECRETIVE and not greets or named or "@" in plain
